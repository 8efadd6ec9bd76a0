# Valid platforms of SimGrid, drawn from a grammar, for tests/shell/platforms.sh.
#
#   awk -v seed=S -v count=N -v first=K -f platforms_drawn.awk
#
# Writes d1.xml to dN.xml, or from dK.xml on: zones of all kinds in zones, clusters of all topologies,
# cabinets, peers, links of all policies, in all units. The last line of each says how many hosts it
# has. Platform i depends on the seed and i alone.

# Park and Miller's: all numbers are exact, so that every awk draws the same.
function draw(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
function one_in(n) { return draw(n) == 0 }
function between(a, b) { return a + draw(b - a + 1) }
function pick(list,   words, n) { n = split(list, words, "@"); return words[1 + draw(n)] }
function put(text) { out = out sprintf("%*s", 2 * depth, "") text "\n" }

function bandwidth() { return pick("125MBps@1GBps@10Gbps@1.25e8Bps@100kBps@54Mbps@2.5e9@1GiBps@1TBps@900MBps@7Bps@0.5GBps") }
function latency() { return pick("0@1us@500ns@50us@10ms@1ps@0.001s@2e-6@1.5us@100ns@1s@3e-9s") }
function speed() { return pick("1Gf@100Mf@2.5e9@1f@1Tf@1e9f") }
function policy() { return pick("SHARED@FATPIPE@SPLITDUPLEX") }

# A link by name. Sets sort[name], which says how routes name it.
function link(name,   p) {
    p = policy()
    sort[name] = p
    put("<link id=\"" name "\" bandwidth=\"" bandwidth() "\" latency=\"" latency() "\"" \
        (p == "SHARED" && one_in(2) ? "" : " sharing_policy=\"" p "\"") \
        (one_in(6) ? "><prop id=\"note\" value=\"a &lt; b\"/></link>" : "/>"))
}
function along(name, way) {
    return "<link_ctn id=\"" name "\"" (sort[name] == "SPLITDUPLEX" ? " direction=\"" way "\"" : "") "/>"
}
function host(name,   cores) {
    cores = pick("@@ core=\"2\"@ core=\"64\"")
    put("<host id=\"" name "\" speed=\"" speed() "\"" cores (one_in(8) ? "><prop id=\"watts\" value=\"95.0:120.0:200.0\"/></host>" : "/>"))
    hosts++
}

# Hosts around a router, by a Floyd or Dijkstra zone. Returns the gateway.
function graph(id,   i, n) {
    put("<zone id=\"" id "\" routing=\"" pick("Floyd@Dijkstra@DijkstraCache") "\">"); depth++
    n = between(1, 5)
    put("<router id=\"" id "_r0\"/>")
    put("<router id=\"" id "_r1\"/>")
    link(id "_rr")
    for (i = 0; i < n; i++) { host(id "_h" i); link(id "_l" i) }
    put("<route src=\"" id "_r0\" dst=\"" id "_r1\">" along(id "_rr", "UP") "</route>")
    for (i = 0; i < n; i++)
        put("<route src=\"" id "_h" i "\" dst=\"" id "_r" draw(2) "\">" along(id "_l" i, "UP") "</route>")
    depth--; put("</zone>")
    return id "_r0"
}

# A route between each pair, by a Full zone.
function full(id,   i, k, n) {
    put("<zone id=\"" id "\" routing=\"Full\">"); depth++
    n = between(1, 4)
    put("<router id=\"" id "_r\"/>")
    for (i = 0; i < n; i++) { host(id "_h" i); link(id "_l" i) }
    for (i = 0; i < n; i++) {
        put("<route src=\"" id "_h" i "\" dst=\"" id "_r\">" along(id "_l" i, "UP") "</route>")
        for (k = i + 1; k < n; k++)
            if (one_in(2))
                put("<route src=\"" id "_h" i "\" dst=\"" id "_h" k "\">" along(id "_l" i, "UP") along(id "_l" k, "DOWN") "</route>")
            else {
                put("<route src=\"" id "_h" i "\" dst=\"" id "_h" k "\" symmetrical=\"NO\">" along(id "_l" i, "UP") "</route>")
                put("<route src=\"" id "_h" k "\" dst=\"" id "_h" i "\" symmetrical=\"no\">" along(id "_l" k, "DOWN") "</route>")
            }
    }
    depth--; put("</zone>")
    return id "_r"
}

function shape(   k) { # of a cluster. Sets `members`.
    k = draw(6)
    if (k < 3) {
        members = between(1, 8)
        return one_in(2) ? "" : " bb_bw=\"" bandwidth() "\" bb_lat=\"" latency() "\"" \
            (one_in(2) ? "" : " bb_sharing_policy=\"" pick("SHARED@FATPIPE") "\"")
    }
    if (k == 3) {
        members = 8
        return " topology=\"TORUS\" topo_parameters=\"" pick("8@2,4@2,2,2@4,2@1,8") "\""
    }
    if (k == 4) {
        members = 8
        return " topology=\"FAT_TREE\" topo_parameters=\"" pick("2;4,2;1,2;1,1@2;4,2;1,2;1,2@1;8;1;1@2;2,4;1,2;1,1@3;2,2,2;1,2,2;1,1,1") "\""
    }
    members = 8
    return " topology=\"DRAGONFLY\" topo_parameters=\"" pick("2,1;2,1;2,1;1@2,2;1,1;2,1;2@1,1;2,1;2,1;2@2,1;1,1;2,2;2") "\""
}
function cluster(id,   text, s, suffix, range) {
    s = shape(); suffix = pick("@.me"); range = radical(members)
    text = "<cluster id=\"" id "\" prefix=\"" id "-\" suffix=\"" suffix "\" radical=\"" range "\" speed=\"" speed() \
        "\" bw=\"" bandwidth() "\" lat=\"" latency() "\"" s " router_id=\"" id "_router\""
    if (one_in(2)) text = text " sharing_policy=\"" policy() "\""
    if (one_in(4)) text = text " core=\"" between(1, 4) "\""
    if (one_in(5)) text = text " loopback_bw=\"" bandwidth() "\" loopback_lat=\"" latency() "\""
    if (one_in(6) && s !~ /topology/) text = text " limiter_link=\"" bandwidth() "\""
    put(text "/>")
    hosts += members
    if (s !~ /topology/) return id "_router"
    sub(/-.*/, "", range)
    return id "-" range suffix
}
function radical(n,   a) {
    a = between(0, 20)
    if (n == 1) return a ""
    if (n > 2 && one_in(3)) return a "-" (a + 1) "," (a + 10) "-" (a + 10 + n - 3)
    return a "-" (a + n - 1)
}

# A zone of cabinets, or of hosts with links of their own, at a backbone.
function cabinets(id,   i, n) {
    put("<zone id=\"" id "\" routing=\"Cluster\">"); depth++
    if (one_in(2)) {
        n = between(1, 3)
        for (i = 0; i < n; i++) {
            put("<cabinet id=\"" id "_c" i "\" prefix=\"" id "_c" i "-\" suffix=\"\" radical=\"0-" i "\" speed=\"" speed() "\" bw=\"" bandwidth() "\" lat=\"" latency() "\"/>")
            hosts += i + 1
        }
    } else {
        n = between(1, 4)
        for (i = 0; i < n; i++) {
            host(id "_h" i)
            put("<link id=\"" id "_u" i "\" bandwidth=\"" bandwidth() "\" latency=\"" latency() "\"/>")
            put("<link id=\"" id "_d" i "\" bandwidth=\"" bandwidth() "\" latency=\"" latency() "\"/>")
            put("<host_link id=\"" id "_h" i "\" up=\"" id "_u" i "\" down=\"" id "_d" i "\"/>")
        }
    }
    put("<router id=\"" id "_r\"/>")
    put("<backbone id=\"" id "_b\" bandwidth=\"" bandwidth() "\" latency=\"" latency() "\"/>")
    depth--; put("</zone>")
    return id "_r"
}

# Peers with coordinates.
function peers(id,   i, n) {
    put("<zone id=\"" id "\" routing=\"Vivaldi\">"); depth++
    n = between(1, 5)
    for (i = 0; i < n; i++)
        put("<peer id=\"" id "_p" i "\" speed=\"" speed() "\" bw_in=\"" bandwidth() "\" bw_out=\"" bandwidth() \
            "\" coordinates=\"" between(-50, 50) " " between(-50, 50) " " between(0, 9) "." between(0, 9) "\"/>")
    hosts += n
    depth--; put("</zone>")
    return id "_p" draw(n)
}

# A single host without links.
function alone(id) {
    put("<zone id=\"" id "\" routing=\"None\">"); depth++
    host(id "_h")
    depth--; put("</zone>")
    return id "_h"
}

# Zones in a zone. Returns a gateway to all of them.
function nested(id, level,   i, k, n, gw, kind, routes) {
    kind = pick("Full@Floyd@Dijkstra")
    put("<zone id=\"" id "\" routing=\"" kind "\">"); depth++
    n = between(1, level ? 2 : 4)
    for (i = 0; i < n; i++) gw[i] = zone(id "z" i, level + 1)
    for (i = 1; i < n; i++)
        for (k = 0; k < i; k++)
            if (kind == "Full" || k == 0) {
                link(id "_w" k "_" i)
                routes = routes sprintf("%*s", 2 * depth, "") "<zoneRoute src=\"" id "z" k "\" dst=\"" id "z" i "\" gw_src=\"" gw[k] "\" gw_dst=\"" gw[i] "\">" along(id "_w" k "_" i, "UP") "</zoneRoute>\n"
            }
    out = out routes
    depth--; put("</zone>")
    return gw[0]
}
function zone(id, level,   k) {
    k = draw(level > 1 ? 9 : 12)
    if (k < 2) return graph(id)
    if (k < 4) return full(id)
    if (k < 6) return cluster(id)
    if (k == 6) return cabinets(id)
    if (k == 7) return peers(id)
    if (k == 8) return alone(id)
    if (k == 9) return cluster(id)
    return nested(id, level)
}

BEGIN {
    for (i = first ? first : 1; i <= count; i++) {
        state = (seed * 7919 + i * 104729) % 2147483646 + 1
        for (k = 0; k < 20; k++) draw(2)
        out = ""; depth = 0; hosts = 0
        put("<?xml version=\"1.0\"?>")
        put("<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">")
        put("<platform version=\"4.1\">")
        depth++
        if (one_in(3))
            put("<config><prop id=\"" pick("network/model\" value=\"LV08@network/model\" value=\"CM02@network/latency-factor\" value=\"10.4@network/bandwidth-factor\" value=\"0.92@network/TCP-gamma\" value=\"4194304@network/crosstraffic\" value=\"0") "\"/></config>")
        if (one_in(4)) cluster("w")
        else nested("w", 0)
        depth--
        put("</platform>")
        put("<!-- hosts " hosts " -->")
        file = "d" i ".xml"
        printf "%s", out > file
        close(file)
    }
}
