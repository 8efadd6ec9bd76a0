# Platforms of SimGrid by mutation, for tests/shell/platforms.sh.
#
#   awk -v seed=S -v count=N -v first=K -f platforms.awk PLATFORM...
#
# Writes m1.xml to mN.xml, or from mK.xml on: each is one of the platforms with one to three
# mutations of attributes, numbers, elements and lines. Platform i depends on the seed and i alone.

# Park and Miller's: all numbers are exact, so that every awk draws the same.
function draw(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
function one_in(n) { return draw(n) == 0 }
function pick(list,   words, n) { n = split(list, words, "@"); return words[1 + draw(n)] }

function value() {
    return pick("inf@-inf@nan@0@-0@-1@1@1e308@1e-308@1e-320@1e400@-5MBps@0Bps@infGBps@nanus@1e30s@1e9s@3600s@12h@1w@1@1ps@" \
        "1e-30s@125MBps@1EBps@1e20GBps@10YBps@1kbps@1Zbps@1GBpz@us@@ @x@18446744073709551616@-2147483648@0x10@1e3Gf@infGf@nanf@0f@-1f@" \
        "1,5@1;2@0-3@3-0@0-99999999@0-4294967296@-1-3@0-@0-3,2-5@a-b@SHARED@FATPIPE@SPLITDUPLEX@WIFI@NONLINEAR@" \
        "Full@Floyd@Dijkstra@DijkstraCache@None@Vivaldi@Cluster@Wifi@Empty@EBGP@TORUS@FAT_TREE@DRAGONFLY@FLAT@" \
        "2;2,2;1,2;1,1@2;2,2;0,2;1,1@1;1;1;1@3,1;2,1;2,1;1@4,4@2,2,2,2@0,0@65536,65536@ON@OFF@UP@DOWN@/dev/zero@/etc/passwd@" \
        "node-0@node-1@cluster@&lt;@&#0;@\303\244@a b@%s%n@../x@a@b@l")
}

# A value that may be of use to an attribute.
function fitting(name) {
    if (one_in(4)) return value()
    if (name ~ /^(bw|bandwidth|bb_bw|loopback_bw)=/) return pick("1MBps@1e3Bps@1Gbps@1e-3Bps@1e-9Bps@1e-300Bps@1e300Bps@125kBps@1@1e15@1e-12@inf@0@-1Bps@1TBps@1KiBps@3.5e38Bps@nan@1e18@100GBps")
    if (name ~ /^(lat|latency|bb_lat|loopback_lat)=/) return pick("0@1ns@1us@1e-12@1ps@1e-15s@1e-300@1ms@10s@1e5s@1e6@1e12@1d@inf@nan@-1us@1e-320@0.1@1e300s")
    if (name ~ /^speed=/) return pick("0f@1f@1Gf@1e300f@inff@-1Gf@1Gf,2Gf@1e-300f@nanf@Gf")
    if (name ~ /^(sharing_policy|bb_sharing_policy)=/) return pick("SHARED@FATPIPE@SPLITDUPLEX@WIFI@NONLINEAR@shared@")
    if (name ~ /^routing=/) return pick("Full@Floyd@Dijkstra@DijkstraCache@None@Vivaldi@Cluster@Wifi@Empty@full")
    if (name ~ /^radical=/) return pick("0-7@0-3@0-0@0@0-15@0,1,2,3@0-1,2-3,3-5@3-0@0-@0-70000@0-9999999@0-3,100-103@1-8@-3-3@0-1000000000000")
    if (name ~ /^topology=/) return pick("TORUS@FAT_TREE@DRAGONFLY@FLAT@TORUS")
    if (name ~ /^topo_parameters=/) return pick("8@2,4@2,2,2@1,8@8,1@3,3@2;4,2;1,4;1,1@1;8;1;1@2;2,4;1,1;1,1@2;4,2;1,2;1,4@2,1;1,1;2,1;2@2,1;2,1;2,1;1@1,1;1,1;1,1;8@2,0;1,1;2,1;2@8,0@0@-8@2;4,2;0,4;1,1@2;4,2;1,4;1,0")
    if (name ~ /^(src|dst|gw_src|gw_dst|id)=/) return pick("a@b@c@d@l@m@k@left@right@rl@rr@wide@a_link@cab1@node-1@w@world@cluster")
    if (name ~ /^direction=/) return pick("UP@DOWN@NONE@up")
    if (name ~ /^core=/) return pick("0@1@4@-1@1e6@1000000000")
    if (name ~ /^version=/) return pick("4.1@4@3@5@0@x")
    return value()
}

function element() {
    return pick("<prop id=\"x\" value=\"y\"/>@<config><prop id=\"network/model\" value=\"LV08\"/></config>@" \
        "<config><prop id=\"network/model\" value=\"" pick("SMPI@IB@Constant@ns-3@ptask_L07@x") "\"/></config>@" \
        "<config><prop id=\"" pick("network/latency-factor@network/bandwidth-factor@network/TCP-gamma@network/weight-S@surf/precision@maxmin/precision@maxmin/concurrency-limit@network/loopback-lat@network/loopback-bw") "\" value=\"" pick("0@-1@1@nan@inf@1e300@1e-300@13.01@x@") "\"/></config>@" \
        "<config><prop id=\"" pick("network/optim@network/crosstraffic@network/maxmin-selective-update@host/model@cpu/optim@tracing@path@plugin@contexts/factory@surf/nthreads@cfg") "\" value=\"" pick("Full@TI@Lazy@yes@no@default@ptask_L07@compound@/tmp@help") "\"/></config>@" \
        "<host id=\"extra\" speed=\"1Gf\"/>@<host id=\"node-0\" speed=\"1Gf\"/>@<host id=\"a\" speed=\"1Gf\" core=\"" value() "\"/>@" \
        "<link id=\"l\" bandwidth=\"1MBps\" latency=\"1us\"/>@<link id=\"w\" bandwidth=\"54Mbps,36Mbps\" latency=\"0\" sharing_policy=\"WIFI\"/>@" \
        "<zone id=\"z\" routing=\"" value() "\">@<zone id=\"z\" routing=\"Full\"><host id=\"q\" speed=\"1f\"/></zone>@</zone>@" \
        "<router id=\"r\"/>@<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>@<route src=\"a\" dst=\"a\"><link_ctn id=\"l\"/></route>@" \
        "<route src=\"a\" dst=\"nobody\"><link_ctn id=\"none\"/></route>@<bypassRoute src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></bypassRoute>@" \
        "<zoneRoute src=\"cluster\" dst=\"z\" gw_src=\"node-0\" gw_dst=\"q\"/>@<host_link id=\"a\" up=\"l\" down=\"l\"/>@<backbone id=\"bb\" bandwidth=\"1MBps\" latency=\"1us\"/>@" \
        "<cabinet id=\"cab\" prefix=\"k\" suffix=\"\" radical=\"" value() "\" speed=\"1Gf\" bw=\"1MBps\" lat=\"1us\"/>@" \
        "<cluster id=\"c2\" prefix=\"k\" suffix=\"\" radical=\"" value() "\" speed=\"1Gf\" bw=\"" value() "\" lat=\"" value() "\"/>@" \
        "<peer id=\"p\" speed=\"1Gf\" bw_in=\"1MBps\" bw_out=\"1MBps\" coordinates=\"1 2 3\"/>@<include file=\"x.xml\"/>@" \
        "<trace id=\"t\" periodicity=\"1.0\">0 1\n1 0</trace>@<trace_connect trace=\"t\" element=\"a\"/>@<storage_type id=\"s\" size=\"1GiB\"/>@" \
        "<disk id=\"d\" read_bw=\"1MBps\" write_bw=\"1MBps\"/>@<actor host=\"a\" function=\"f\"/>@<platform version=\"4.1\">@</platform>@" \
        "<!-- -- -->@<!--@]]>@<![CDATA[x]]>@<?x?>@<>@<&>@\"@<config>@</config>@<config/>")
}

# Splits a text into parts at a pattern: part[1], match[1], part[2], ... Returns the number of matches.
function cut(text, pattern,   n) {
    n = 0
    while (match(text, pattern)) {
        n++
        part[n] = substr(text, 1, RSTART - 1)
        found[n] = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
    }
    part[n + 1] = text
    return n
}
function joined(n,   i, text) {
    for (i = 1; i <= n; i++) text = text part[i] found[i]
    return text part[n + 1]
}

function mutate(text,   kind, n, i, k, name, other) {
    kind = draw(20) - 6
    if (kind < 6) { # a value
        n = cut(text, "[A-Za-z_]+=\"[^\"]*\"")
        if (!n) return text
        i = 1 + draw(n)
        name = substr(found[i], 1, index(found[i], "="))
        found[i] = name "\"" fitting(name) "\""
        return joined(n)
    }
    if (kind < 8) { # digits
        n = cut(text, "[0-9]+")
        if (!n) return text
        i = 1 + draw(n)
        found[i] = pick("0@00@1@7@12@400@99999@-3@1e9@" found[i] found[i] "@.5@@999999999999")
        return joined(n)
    }
    if (kind == 8) { # an attribute goes, or comes twice
        n = cut(text, "[A-Za-z_]+=\"[^\"]*\"")
        if (!n) return text
        i = 1 + draw(n)
        found[i] = one_in(2) ? "" : found[i] " " found[i]
        return joined(n)
    }
    if (kind == 9) { # two values change places
        n = cut(text, "\"[^\"]*\"")
        if (n < 2) return text
        i = 1 + draw(n); k = 1 + draw(n)
        other = found[i]; found[i] = found[k]; found[k] = other
        return joined(n)
    }
    if (kind == 10) { # a tag goes, or comes twice, or many times
        n = cut(text, "<[^<>]*>")
        if (!n) return text
        i = 1 + draw(n)
        other = found[i]
        k = pick("0@0@2@2@3@300")
        found[i] = ""
        for (; k > 0; k--) found[i] = found[i] other
        return joined(n)
    }
    if (kind < 13) { # an element comes
        n = cut(text, ">")
        if (!n) return text
        i = 1 + draw(n)
        found[i] = ">" element()
        return joined(n)
    }
    return one_in(2) ? substr(text, 1, draw(length(text))) : text # the end goes
}

FNR == 1 { bases++ }
{ base[bases] = base[bases] $0 "\n" }
END {
    for (i = first ? first : 1; i <= count; i++) {
        state = (seed * 7919 + i * 104729) % 2147483646 + 1
        for (k = 0; k < 20; k++) draw(2)
        text = base[1 + draw(bases)]
        for (k = pick("1@1@1@2@3"); k > 0; k--) text = mutate(text)
        file = "m" i ".xml"
        printf "%s", text > file
        close(file)
    }
}
