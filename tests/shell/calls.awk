# Random command lines, for tests/shell/calls.sh: what there is to choose comes from what hiaton prints.
#
#   awk -v seed=S -v count=N -f calls.awk TABLE
#
# TABLE has, a line each,
#   @setting KEY LEAST GREATEST CHOICES     `-' where there is none; LIST or TEXT for the others
#   @file NAME                              a file that calls may name
#   @input FILE NAME                        an input of a program
#   @analysis NAME                          one that `hiaton analyse' knows
#   @command NAME...                        and behind it what `hiaton NAME... --help' prints
# Printed is a call a line: `call NUMBER SIMULATES WORD...', to be read by a shell, and now and then `refresh'.

# Park and Miller's: all numbers are exact, so that every awk draws the same.
function draw(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
function one_in(n) { return draw(n) == 0 }
function pick(list, separators,   words, n) { n = split(list, words, separators); return words[1 + draw(n)] }

function quote(word) { gsub(/'/, "'\\''", word); return "'" word "'" }
function add(word) { line = line " " quote(word) }

function garbage() {
    return pick("@@-1@@0@@18446744073709551616@@x@@1e9@@a=b@@--@@[1,0]@@../@@%s%n@@1..@@,@@' \"@@nan@@0x10@@@:@@result", "@@")
}

# --- values -------------------------------------------------------------------------------

# Mostly small, as what is large takes long; now and then an end of the range, or what is none.
function number(least, greatest,   k) {
    if (one_in(150)) return garbage()
    k = draw(40)
    if (k == 0) return greatest
    if (k < 8) return least
    if (k < 14) return least + 1
    k = least + draw(k < 34 ? 9 : 65)
    return k > greatest ? greatest : k
}

function powers() { return 2 ^ draw(5) }

function setting_value(i,   n, k, text) {
    if (one_in(200)) return garbage()
    if (kind[i] == "LIST") {
        text = 1 + draw(4)
        for (n = draw(3); n > 0; n--) text = text "x" 1 + draw(4)
        return text
    }
    if (kind[i] == "TEXT") return pick("none delay:0-1:0:50 reorder:0-1:0 lose:1-0:0 duplicate:0-1:1", " ")
    if (kind[i] == "FILE") return one_in(8) ? "none" : file(key[i] ~ /platform/ ? "xml" : key[i] ~ /profile/ ? "json" : "txt")
    if (kind[i] != "-") return pick(kind[i], "|")
    if (key[i] ~ /count|nodes|machines|workers/ && !one_in(4)) return powers()
    # A network of 65536 PEs takes more than a minute.
    return number(least[i], key[i] == "pe.count" ? 4096 : greatest[i])
}

# Settings that need each other come together: half of the calls of a run have such a group.
function setting(   i) {
    i = 1 + draw(settings)
    return key[i] "=" setting_value(i)
}
function group(   n) {
    n = powers()
    return pick( \
        "network.topology=simgrid network.platform=star.xml pe.count=" n "@" \
        "network.topology=simgrid network.platform=fattree.xml network.model=native cluster.nodes=" n "@" \
        "cluster.nodes=" n " fault.delay=" 1000 * draw(300) "@" \
        "cluster.nodes=" n " fault.loss=" 1000 * draw(9) "@" \
        "network.topology=" pick("mesh torus hypercube omega ring fattree dragonfly", " ") " pe.count=" n "@" \
        "network.topology=mesh network.capacity=" 1 + draw(4) " pe.count=" n "@" \
        "partition.by=" pick("random function metis", " ") " partition.machines=" n " pe.count=16@" \
        "executor.workers=" n "@deadness=propagate@queue.capacity=" 4 + draw(9) "@" \
        "tag.scheme=pool tag.pool=" 20 + draw(99) "@match.capacity=" 20 + draw(99) "@" \
        "cluster.nodes=" n " cluster.pes_per_node=" 1 + draw(4) " cluster.termination=counted@" \
        "memory.capacity=" 200 * 2 ^ draw(6) " swap.threshold=100@loop.bound=" 1 + draw(4) "@" \
        "tensor.unit.count=" 1 + draw(3) " tensor.batch.until=" pick("window idle", " ") "@tensor.transport=reference@" \
        "cluster.nodes=" n " copy.placement=coordinator@pe.count=" n, "@")
}

# One whose name ends so; any other now and then.
function file(ending,   i, n) {
    for (i = 0; i < 200; i++) {
        n = 1 + draw(files)
        if (files_name[n] ~ ("\\." ending "$") || one_in(400)) return files_name[n]
    }
    return files_name[n]
}
function any_file() { return files_name[1 + draw(files)] }
function out_file(ending) { return "out/" 1 + draw(5) "." ending }
function program() {
    if (one_in(99)) return any_file()
    if (needs_fib || one_in(3)) return "fib.df"
    if (one_in(4)) return pick("kernels.df words.df rows.df spirals.df attention.df", " ")
    return file(compares ? "df" : pick("df df df df hi dfa", " "))
}
function machine() { return one_in(30) ? any_file() : pick("default ideal tf-executor tf-cluster machine.yaml", " ") }

function value(meta, option,   n, i) {
    if (one_in(120)) return garbage()
    if (option == "--machine" || meta == "NAME|FILE") return machine()
    if (option == "--energy") return one_in(9) ? any_file() : "horowitz-45nm"
    if (meta == "KEY=VALUE") return setting()
    if (meta == "KEY=VALUES") return setting() (one_in(3) ? "," draw(9) : "")
    if (meta ~ /^NAME=VALUE/) return "n=" draw(9) (meta ~ /VALUES/ && one_in(2) ? "," draw(5) : "")
    if (meta == "NAME=FILE") return pick("result w", " ") "=" out_file("npy")
    if (meta == "FILE@CYCLE") return file("rec") "@" number(0, 99)
    if (meta ~ /^[a-z0-9]+(\|[a-z0-9]+)+$/) return pick(meta, "|")
    if (meta == "FILE|PROGRAM" && !one_in(5)) return program()
    if (meta ~ /\|/ && meta !~ /=/) return value(pick(meta, "|"), option)
    if (option ~ /^--(output|record|trace|stats|csv|json|series|profile|links|epochs|pe|unroll)$/ && meta ~ /FILE|PROGRAM/)
        return out_file(option == "--record" ? "rec" : option == "--trace" ? "hev" : "txt")
    if (option == "--figure") return out_file("svg")
    if (meta ~ /^(PROGRAM|IMAGE|TEXT)$/) return program()
    if (meta ~ /EXPERIMENT/ || option == "--experiment")
        return one_in(20) ? file("yaml") : pick("sweep.yaml more.yaml", " ")
    if (meta ~ /\.db/) return file("db")
    if (meta == "FILE" && (option == "--trees" || command[at_command] == "trees"))
        return one_in(9) ? any_file() : file(pick("conllu txt", " "))
    if (meta == "FILE" && option == "") return file(pick("rec hev", " "))
    if (meta == "FILE") return any_file()
    if (meta == "DIR" || meta == "OUT") return "out/dir" draw(3)
    if (meta == "ROW") return 1 + draw(one_in(9) ? 9 : 4)
    if (meta ~ /^(N|PE|CYCLE)$/) return one_in(9) ? number(0, 100) : 1 + draw(90)
    if (meta == "NUMBERS") return number(0, 9) (one_in(2) ? "-" draw(20) : "") (one_in(3) ? "," draw(9) : "")
    if (meta ~ /^FROM\.\.TO/) return (n = draw(900)) ".." (one_in(4) ? "" : n + draw(300))
    if (meta == "I/N") return 1 + draw(3) "/" 1 + draw(3)
    if (meta == "TAG") return pick("[] [1] [1,0] [2,1,0] [0]", " ")
    if (meta ~ /^FUNCTION/) needs_fib = 1
    if (meta ~ /^FUNCTION|^NAME/) return one_in(5) ? pick("ack main default ideal result", " ") : "fib"
    if (meta ~ /COLUMN|STATISTICS|PANELS|SERIES|PROFILES|FIGURES/)
        return pick("cycles program pe.count inputs.n utilisation load firings actual live_tokens", " ") \
            (one_in(3) ? ",cycles" : "")
    if (meta == "CONDITION") return pick("pe.count == 4@cycles > 100@inputs.n < 6 and pe.count != 2@number <= 2@machine ==", "@")
    if (meta == "ANALYSES") return analysis[1 + draw(analyses)]
    if (meta == "CHANGE" || meta == "TARGET") return pick(meta == "CHANGE" ? "network.latency=0 unit.alu.latency=2" : "result line:4 cycle:30 [1,0]", " ")
    if (meta ~ /^(NORM|DECAY)$/) return pick("0 0.5 1e-9 7 1e300 nan", " ")
    if (meta ~ /RATE|TIME|SHARE|LOADS/) return pick("0.1 0.5,0.9 1 12.5GBps 500ns 0 1e-9", " ")
    if (meta == "FORMAT") return pick("perfetto konata paje vcd chakra sqlite csv collapsed speedscope", " ")
    if (meta == "KIND") return pick("star torus fattree dragonfly griffon", " ")
    if (meta ~ /LEAST,GREATEST/) return draw(9) "," draw(99)
    return garbage()
}

# --- calls --------------------------------------------------------------------------------

# The words behind the options: an alternative of the usage, with values in place of names.
function arguments(text,   words, n, i, again, at) {
    at = line
    n = split(text, words, " ")
    for (i = 1; i <= n; i++) {
        again = words[i] ~ /\.\.\.$/
        if (words[i] ~ /^\[/ && one_in(words[i] ~ /=/ ? 6 : 2)) continue
        gsub(/^\[|\]?(\.\.\.)?$/, "", words[i])
        if (words[i] == "|") {
            if (one_in(2)) return
            line = at
            continue
        }
        if (words[i] ~ /^-/ && index(words[i], "=")) add(substr(words[i], 1, index(words[i], "=")) value(substr(words[i], index(words[i], "=") + 1), ""))
        else if (words[i] ~ /^-/) { add(words[i]); option_before = words[i] }
        else if (words[i] == "NAME=VALUE" || words[i] == "NAME=VALUES") put_inputs(words[i])
        else { last = option_before == "-o" ? out_file("hi") : value(words[i], ""); add(last); option_before = "" }
        if (again && words[i] !~ /=/) for (; one_in(3);) add(value(words[i], ""))
    }
}

# Inputs that the program has, of small values.
function put_inputs(meta,   list, i, n) {
    n = split(inputs[last], list, " ")
    for (i = 1; i <= n; i++)
        add(list[i] "=" draw(8) (meta ~ /VALUES/ && one_in(2) ? "," draw(8) : ""))
    if (one_in(99)) add(value("NAME=VALUE", ""))
}

function put_option(c,   i, word) {
    i = 1 + draw(options[c])
    word = option[c, i]
    if (word ~ /^--(help|usage|version|verbose)$/ && !one_in(10)) return
    if (word ~ /^--(help|usage|version|show|resume)$/) simulates = 0
    if (word == "--set" || (word ~ /^--(from|out)$/ && !one_in(9))) return
    add(meta_of[c, i] == "" ? word : word "=" value(meta_of[c, i], word))
    # What says more of something asks for it, mostly.
    if (one_in(9)) return
    if (word ~ /^--(level|cycles|pe|function|line|below)$/ && takes[c, "--trace"])
        add(command[c] == "sweep run" ? "--trace" : "--trace=" out_file("hev"))
    if (word ~ /^--(interval|checkpoint)$/ && takes[c, "--record"])
        add(command[c] == "sweep run" ? "--record" : "--record=" out_file("rec"))
    if (word ~ /^--(thin|show)$/ && takes[c, "--figure"]) add("--figure=" out_file("svg"))
}

# What takes long is bounded; the last of some settings wins.
function bound(c,   name) {
    name = command[c]
    if (takes[c, "--set"]) {
        add("--set=limits.tokens=20000")
        add("--set=limits.memory=30000000")
        if (name != "interp" && name != "train") add("--set=limits.cycles=60000")
    }
    if (takes[c, "--jobs"]) add("--jobs=" 1 + draw(2))
    if (name == "network") { add("--cycles=500"); add("--warm-up=50") }
    if (name == "partition") add("--runs=" 3 + draw(9))
    if (name == "train") { add("--steps=2"); add("--threads=1") }
    if (name == "report" && !one_in(9)) add("--output=" out_file("html"))
    if (name == "trees") add("--count=5")
}

function put_settings(   words, word, n, i) {
    if (command[at_command] == "network") {
        add("--set=network.topology=" pick("mesh torus ring hypercube", " "))
        add("--set=pe.count=" 4 * powers())
    } else if (command[at_command] == "partition") {
        add("--set=partition.machines=" 1 + draw(4))
        add("--set=pe.count=12")
    } else if (one_in(2)) {
        n = split(group(), words, " ")
        for (i = 1; i <= n; i++) add("--set=" words[i])
    }
    for (i = draw(5) - one_in(2); i > 0; i--) {
        word = setting()
        if (word ~ /^(fault|cluster\.termination)/ && !one_in(9)) add("--set=cluster.nodes=" powers())
        add("--set=" word)
    }
}

function call(c,   i, bare, text) {
    line = last = option_before = ""
    needs_fib = 0
    at_command = c
    compares = command[c] == "compare"
    simulates = command[c] ~ /^(run|interp|compare|sweep run|analyse|report|train|partition|network|replay|trace text|trace export|results rerun)$/
    n = split(command[c], bare, " ")
    for (i = 1; i <= n; i++) add(bare[i])
    for (i = draw(4) - (simulates && !one_in(3)); i > 0 && options[c]; i--) put_option(c)
    if (takes[c, "--set"]) put_settings()
    bound(c)
    text = line
    if (command[c] == "train" && !one_in(9))
        add(one_in(2) ? "rows.df" : pick("treernn.df treelstm.df parser.df spirals.df", " "))
    else arguments(usage[c, 1 + draw(usages[c])])
    if (substr(line, length(text) + 1) ~ /\.hev/) simulates = 0
    if (one_in(99)) add(garbage())
    print "call", calls, simulates + 0 line
}

/^@setting / { settings++; key[settings] = $2; least[settings] = $3; greatest[settings] = $4; kind[settings] = $5; next }
/^@file / { files_name[++files] = $2; next }
/^@input / { inputs[$2] = inputs[$2] " " $3; next }
/^@analysis / { analysis[++analyses] = $2; next }
/^@command / { command[++commands] = substr($0, 10); next }
/^Usage: |^ +or: / {
    sub(/^.*\[OPTION\.\.\.\] */, "")
    usage[commands, ++usages[commands]] = $0
    next
}
match($0, /^ +(-., )?--[a-z-]+/) {
    text = substr($0, RSTART, RLENGTH)
    rest = substr($0, RSTART + RLENGTH)
    sub(/^.*--/, "--", text)
    option[commands, ++options[commands]] = text
    takes[commands, text] = 1
    if (rest ~ /^=/) { sub(/^=/, "", rest); sub(/ .*/, "", rest); meta_of[commands, options[commands]] = rest }
}

END {
    state = seed % 2147483646 + 1
    draw(2); draw(2); draw(2)
    for (c = 1; c <= commands; c++)
        weight[c] = command[c] == "run" ? 36 : command[c] ~ /^(compare|sweep run|analyse|interp)$/ ? 6 : \
            command[c] ~ /^(report|replay|trace text|train|network|partition|results rerun)$/ ? 2 : 1
    for (c = 1; c <= commands; c++) all += weight[c]
    for (calls = 1; calls <= count; calls++) {
        if (calls % 40 == 1) print "refresh"
        at = draw(all)
        for (c = 1; at >= weight[c]; c++) at -= weight[c]
        call(c)
    }
}
