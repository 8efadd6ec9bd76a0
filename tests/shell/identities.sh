#!/bin/sh
# The identities of doc/metrics.md, as they stand on that page, over all examples on many
# machines. tests/shell/identities.awk has the notation. HIATON is the program.
# shellcheck disable=SC2016 # backquotes are those of the page
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
page=$SRCDIR/doc/metrics.md

# facts: of the object in out, and of series.csv if it is there
facts() {
    awk '
        function item(key, value) { print key " " value }
        /^  "[a-z_]+": [^[{]/ {
            key = $1
            gsub(/[":]/, "", key)
            sub(/^  "[a-z_]+": /, "")
            sub(/,$/, "")
            item(key, $0)
        }
        /^    [{]"firings"/ {
            gsub(/^ *[{]|[}]|"|,$/, "")
            count = split($0, part, ", ")
            for (i = 1; i <= count; i++) {
                split(part[i], pair, ": ")
                of_pes[pair[1]] += pair[2]
            }
        }
        /^    [{]"port"/ {
            gsub(/^ *[{]|[}]|"|,$/, "")
            count = split($0, part, ", ")
            for (i = 1; i <= count; i++) {
                split(part[i], pair, ": ")
                of_links[pair[1]] += pair[2]
            }
        }
        /^    "(actual|ideal)": [{]/ { profile = $1; gsub(/[":]/, "", profile) }
        /^      "firings": \[/ {
            sub(/^ *"firings": /, "")
            sub(/,$/, "")
            item("profile." profile, $0)
            gsub(/[][]/, "")
            count = split($0, bin, ", ")
            sum = 0
            for (i = 1; i <= count; i++)
                sum += bin[i]
            item("sum(profile." profile ")", sprintf("%.0f", sum))
        }
        END {
            for (key in of_pes)
                if (key != "occupancy" && key != "utilisation")
                    item("sum(pe." key ")", sprintf("%.0f", of_pes[key]))
            split("tokens busy waits", of_link, " ")
            for (i = 1; i <= 3; i++)
                item("sum(links." of_link[i] ")", sprintf("%.0f", of_links[of_link[i]]))
        }' out
    [ ! -f series.csv ] || awk -F, '
        NR == 1 { columns = split($0, name, ","); next }
        {
            for (i = 1; i <= columns; i++) {
                sum[i] += $i
                last[i] = $i
                if ($i + 0 > most[i] + 0)
                    most[i] = $i
            }
        }
        END {
            for (i = 1; i <= columns; i++) {
                printf "sum(series.%s) %.0f\n", name[i], sum[i]
                print "max(series." name[i] ") " most[i] + 0
                print "last(series." name[i] ") " last[i]
            }
        }' series.csv
}

# observe SCOPES ARGUMENT...: a run with all that can be seen of it, which changes nothing;
# what there is to know of it goes to the file facts. One that a finite machine does not
# complete says nothing.
observe() {
    scopes=$1
    shift
    rm -f series.csv
    last="run $*"
    "$HIATON" run --json "$@" >out 2>err </dev/null
    status=$?
    [ $status -ne 4 ] || return 0
    [ $status -eq 0 ] || fail "status $status"
    without_host out >alone
    expect 0 run --json --series series.csv --profile "$@"
    without_host out | sed '/^  "profile": {$/,/^  }\(,\)*$/d' >observed
    same alone observed
    echo "@run $scopes $*"
    facts
    echo @end
    completed=$((completed + 1))
}

# add_parts: of the facts of some parts, key by key, the sum and the greatest
add_parts() {
    awk '
        $1 ~ /^[a-z_]+$/ && $2 ~ /^[0-9.]+$/ {
            sum[$1] += $2
            most[$1] = $2 > most[$1] + 0 ? $2 : most[$1] + 0
        }
        END {
            for (key in sum)
                printf "sum(parts.%s) %.0f\nmax(parts.%s) %.0f\n", key, sum[key], key, most[key]
        }' "$@"
}

# tile ARGUMENT...: a run, and the parts of which it is made
tile() {
    rm -f series.csv parts
    expect 0 run --json "$@"
    cp out whole
    cycles=$(sed -n 's/^  "cycles": \([0-9]*\),$/\1/p' out)
    first=$((cycles / 3 + 1))
    second=$((cycles / 2 + 2))
    for window in "..$first" "$first..$second" "$second.."; do
        expect 0 run --json --window="$window" "$@"
        echo "@run part run $* --window=$window"
        facts | tee -a parts
        echo @end
    done
    cp whole out
    echo "@run tiles run $*"
    facts
    add_parts parts
    echo @end
}

# check PROGRAM INPUT...: on all machines, by both strategies
check() {
    program=$examples/$1.df
    shift
    for strategy in static expanding; do
        echo "@program $program $*"
        set -- --strategy=$strategy "$program" "$@"
        rm -f series.csv
        expect 0 interp --json "$@"
        echo @as interp
        facts
        expect 0 run --json --profile -m ideal "$@"
        echo @as ideal
        facts
        all=everywhere,$strategy
        observe $all,PEs,suppress,ideal-suppress -m ideal "$@"
        observe $all,PEs,ideal-propagate -m ideal -s deadness=propagate "$@"
        observe $all,PEs,suppress,every-cycle -s stats.interval=1 "$@"
        tile "$@"
        tile -s pe.count=3 -s deadness=propagate -s network.latency=7 "$@"
        tile -s pe.count=3 -s unit.alu.count=1 -s unit.alu.interval=9 -s match.store=hash -s match.capacity=16 -s match.overflow.bandwidth=1 "$@"
        tile -s executor.workers=3 "$@"
        while read -r where settings; do
            # shellcheck disable=SC2086 # words
            observe $all,$where $settings "$@"
        done <machines
        shift 2
    done
}

# SCOPES -s KEY=VALUE ...
cat >machines <<'TEXT'
PEs,suppress -s pe.count=1
PEs,suppress -s pe.count=3 -s pe.units=0 -s structure.placement=local -s queue.discipline=lifo
PEs,every-cycle -s pe.count=5 -s deadness=propagate -s network.topology=ideal -s stats.interval=1
PEs,suppress -s pe.count=4 -s queue.capacity=2000 -s network.capacity=64 -s network.bandwidth=50
PEs,suppress,crossbar,wide-links,own-routers -s pe.count=5 -s network.topology=crossbar
PEs,suppress,routers,wide-links,own-routers -s pe.count=9 -s network.topology=mesh
PEs,suppress,routers,wide-links -s pe.count=8 -s network.topology=mesh -s network.concentration=4
PEs,suppress -s cluster.nodes=2 -s cluster.pes_per_node=3 -s network.topology=ring
PEs,suppress,routers,own-routers -s pe.count=8 -s network.topology=torus -s network.capacity=4 -s network.bandwidth=60
PEs,suppress -s pe.count=4 -s match.store=hash -s match.capacity=32 -s loop.bound=2 -s tag.scheme=interned -s tag.bits=20
PEs,suppress -s pe.count=4 -s match.capacity=40000 -s match.store=frames -s tag.scheme=pool -s tag.pool=4 -s tag.exhausted=spill
PEs,suppress -s pe.count=4 -s unit.alu.count=1 -s unit.alu.interval=3 -s unit.tag.count=2 -s unit.tag.interval=2 -s issue.capacity=5 -s match.store=hash -s match.capacity=32 -s match.overflow.bandwidth=1 -s match.overflow.banks=2
PEs -s pe.count=4 -s copy.workers=2 -s copy.latency=30 -s copy.placement=placed -s deadness=propagate
executors,suppress -s executor.workers=3
executors,every-cycle -s executor.workers=2 -s executor.live.latency=1 -s executor.frame.latency=0 -s executor.lock.latency=1 -s deadness=propagate -s stats.interval=1
executors,suppress -s executor.workers=2 -s executor.live.latency=0
executors -s executor.workers=2 -s executor.live.latency=0 -s executor.frame.latency=0 -s executor.lock.latency=0 -s copy.latency=0 -s copy.node.latency=0 -s deadness=propagate
TEXT

# --- the page -----------------------------------------------------------------

# The shortest row of tests/data/examples.tbl of each program.
awk -F'|' '
    /^#/ { next }
    !($1 in calls) || $4 < calls[$1] { calls[$1] = $4; inputs[$1] = $2 }
    !($1 in place) { place[$1] = ++count; program[count] = $1 }
    END { for (i = 1; i <= count; i++) print program[i], inputs[program[i]] }' \
    "$SRCDIR/tests/data/examples.tbl" >examples
[ "$(wc -l <examples)" -eq "$(find "$examples" -name '*.df' | wc -l)" ] ||
    fail "not all examples are run"
[ -z "${HIATON_QUICK-}" ] || sed -i -n '1~5p' examples
completed=0
while read -r name inputs; do
    # shellcheck disable=SC2086 # words
    check "$name" $inputs
done <examples >facts
last='run --json, and doc/metrics.md'
awk -f "$SRCDIR/tests/shell/identities.awk" "$page" facts >out || fail "the page and the program differ"
: >err
expected=$(($(wc -l <examples) * 2 * ($(wc -l <machines) + 3)))
[ $((completed * 10)) -ge $((expected * 9)) ] || fail "only $completed of $expected runs completed"

# --- the test of the test -----------------------------------------------------

# refuses TEXT EXPRESSION: a page with this row in place of the first, and what is said of it
sed '/^@end$/q' facts >one
refuses() {
    awk -v row="$2" '
        /^## / { inside = $0 == "## Identities" }
        inside && /^\| everywhere / && !done { print row; done = 1; next }
        inside && /^\|/ && !/^\| where/ && !/^\|--/ { next }
        { print }' "$page" >planted.md
    grep -qxF -e "$2" planted.md || fail "nothing was planted"
    if awk -f "$SRCDIR/tests/shell/identities.awk" planted.md one >out; then
        fail "nothing is wrong with: $2"
    fi
    grep -qF -e "$1" out || fail "\`$1' is not said of: $2"
}
refuses "in run" '| everywhere | `tokens + 1 = interp.tokens` | |'
refuses "in run" '| everywhere | `firings = firings`, `cycles < span` | |'
refuses "in run" '| everywhere | `value_digest = interp.status` | |'
refuses "cannot read" '| everywhere | `tokens == 5` | |'
refuses "no relation" '| everywhere | `tokens` | |'
refuses "no expressions" '| everywhere | tokens are tokens | |'
refuses "nothing is called" '| everywhere | `tokens = toknes` | |'
refuses "no such place" '| nowhere | `tokens = tokens` | |'
refuses "nothing was checked" '| executors | `tokens = tokens` | |'
refuses "beside the table" '- `tokens` = `tokens`.'

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
