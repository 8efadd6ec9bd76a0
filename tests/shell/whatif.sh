#!/bin/sh
# hiaton analyse --what-if: what is predicted is what is simulated, exactly where nothing contends,
# and within 5 % in at least 20 of 25 runs where tokens do; and the page has the table that the
# script makes. HIATON is the program.
# shellcheck disable=SC2016,SC2015 # backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
fib=$examples/fib.df

# Whether there are platforms in this build.
has_platforms=$("$HIATON" run --json -s network.topology=simgrid -s pe.count=2 \
    -s network.platform="$SRCDIR/programs/experiments/cluster-star.xml" "$fib" n=3 2>err)
[ "$has_platforms" ] || echo 'this build has no SimGrid: nothing is asked of platforms' >&2
# with_platforms FILE: its lines, without those that cannot be made here.
with_platforms() { if [ "$has_platforms" ]; then cat "$1"; else grep -v simgrid "$1"; fi; }

last='doc/studies/whatif.sh'
: >out
sh "$SRCDIR/doc/studies/whatif.sh" >made 2>err || fail 'a question cannot be asked'
grep -E '^\| (exact|busy|else) ' made >rows
grep -E '^\| (exact|busy|else) ' "$SRCDIR/doc/studies/whatif.md" >page
with_platforms rows >rows.here
with_platforms page >page.here
same page.here rows.here
[ "$(grep -c '^| exact' rows)" -ge 10 ] || fail 'too few questions that are exact'
grep '^| exact' rows | grep -qv ' +0.00 % |$' && fail "not exact: $(grep '^| exact' rows | grep -v ' +0.00 % |$')"
[ "$(grep -c '^| busy' rows)" -eq 25 ] || fail 'not 25 questions on busy machines'
near=$(awk -F'|' '$2 ~ /busy/ && $9 + 0 <= 5 && $9 + 0 >= -5 && $9 !~ /-  *$/' rows | wc -l)
[ "$near" -ge 20 ] || fail "only $near of 25 are within 5 %: $(grep '^| busy' rows)"
said=$(sed -n 's/.*all 25 predictions are within \([0-9]*\) %, and \([0-9]*\) of.*/\1 \2/p' "$SRCDIR/doc/studies/whatif.md")
awk -F'|' -v said="$said" '
    $2 ~ /busy/ { error = $9 < 0 ? -$9 : $9 + 0; worst = error > worst ? error : worst; exact += error == 0 }
    END { split(said, of, " "); exit !(worst <= of[1] && worst > of[1] - 1 && exact == of[2]) }' rows ||
    fail 'what the page says of the 25 is not so'

last='nothing changed is the same run'
for settings in '' '-s pe.count=4 -s pe.units=2' '-m ideal' '-s queue.discipline=lifo' '-s network.bandwidth=16' \
    '--strategy=expanding' '-s deadness=propagate' '-s network.latency=0' \
    '-s pe.count=8 -s network.topology=mesh' '-s pe.count=8 -s network.topology=bus -s network.latency=0' \
    '-s pe.count=9 -s network.topology=torus -s network.bandwidth=20 -s network.switching=store_and_forward' \
    '-s cluster.nodes=2 -s cluster.pes_per_node=3 -s cluster.bandwidth=40' \
    '-s cluster.nodes=4 -s network.topology=ring -s network.latency=9' \
    '-s pe.count=4 -s tag.scheme=interned' '-s pe.count=4 -s tag.scheme=interned -s tag.intern.units=machine' \
    '-s pe.count=4 -s partition.by=random -s partition.machines=2' \
    '--strategy=expanding -s copy.placement=coordinator -s cluster.nodes=2 -s cluster.pes_per_node=3' \
    "-s network.topology=simgrid -s network.platform=$SRCDIR/programs/experiments/cluster-star.xml -s pe.count=8" \
    "-s network.topology=simgrid -s network.platform=$SRCDIR/programs/experiments/cluster-fattree.xml -s pe.count=8 \
    -s cluster.bandwidth=40 -s cluster.latency=0 -s cluster.window=7 -s network.model=native"; do
    case $settings in *simgrid*) [ "$has_platforms" ] || continue ;; esac
    # shellcheck disable=SC2086 # several words
    cycles=$("$HIATON" run --json $settings "$fib" n=9 | sed -n 's/^  "cycles": \([0-9]*\),*$/\1/p')
    # shellcheck disable=SC2086
    expect 0 analyse --csv --what-if 'line(4)*1' --what-if 'function(fib)/1' $settings "$fib" n=9
    [ "$(grep -c "^[^,]*,$cycles.0,$cycles.0,0.0,0.0,completed$" out)" = 2 ] || fail "$settings: not $cycles"
done

last='links between groups of a dragonfly'
set -- -s pe.count=72 -s network.topology=dragonfly -s network.global.latency=10 "$fib" n=9
cycles=$("$HIATON" run --json -s pe.count=72 -s network.topology=dragonfly -s network.global.latency=40 "$fib" n=9 |
    sed -n 's/^  "cycles": \([0-9]*\),*$/\1/p')
expect 0 analyse --csv --what-if network.global.latency=40 "$@"
grep -q "^network.global.latency=40,$cycles.0,$cycles.0,0.0," out || fail "not $cycles"

last='why there is no prediction'
expect 0 analyse --what-if pe.count=4 --what-if network.latency=0 "$fib" n=6
grep -q '^  pe.count=4 .*  what depends on what changes: only latencies, pe.units, ' out || fail 'no reason'
grep -q '^  network.latency=0 .*completed$' out || fail 'a reason where there is a prediction'
expect 0 analyse --what-if 'line(4)=free' -m tf-executor "$fib" n=6
grep -q 'the dependences of an executor are not timed again' out || fail 'no reason'
expect 0 analyse --what-if network.latency=0 "$fib" n=6
grep -q no_prediction out && fail 'a column without reasons'

last='an executor is asked, and nothing is predicted'
cycles=$("$HIATON" run --json -m tf-executor "$fib" n=9 | sed -n 's/^  "cycles": \([0-9]*\),*$/\1/p')
expect 0 analyse --csv --what-if 'line(4)*1' --what-if 'line(4)/2' -m tf-executor "$fib" n=9
grep -q "^line(4)\*1,,$cycles.0,,0.0,completed$" out || fail "not $cycles"
awk -F, -v before="$cycles" '$1 == "line(4)/2" && $3 + 0 < before && $3 + 0 > 0 { good = 1 } END { exit !good }' out ||
    fail 'half the time of a line is not less'

last='tensors by reference'
set -- -s cluster.nodes=2 -s cluster.pes_per_node=2 -s tensor.transport=reference "$examples/mlp.df"
cycles=$("$HIATON" run --json "$@" | sed -n 's/^  "cycles": \([0-9]*\),*$/\1/p')
expect 0 analyse --csv --what-if 'opcode(map)*1' "$@"
grep -q "^opcode(map)\*1,[^,]*,$cycles.0," out || fail "not $cycles"

last='a recording is asked too'
expect 0 run -q --record run.rec -s pe.count=4 "$fib" n=9
expect 0 analyse --what-if 'line(4)=free' --what-if network.latency=0 -s pe.count=4 "$fib" n=9
cp out live
expect 0 analyse --what-if 'line(4)=free' --what-if network.latency=0 run.rec
same live out

last='the profile is the same with any number of jobs'
for by in line function; do
    expect 0 analyse --json --what-if-all=$by --jobs=1 -s pe.count=4 "$examples/mergesort.df" n=12
    cp out one
    expect 0 analyse --json --what-if-all=$by --jobs=3 -s pe.count=4 "$examples/mergesort.df" n=12
    same one out
done

# wrong MESSAGE ARGUMENT...
wrong() {
    message=$1
    shift
    expect 2 analyse "$@" n=6
    err_has "$message"
}
wrong 'unknown setting `network.latncy`; did you mean `network.latency`?' --what-if network.latncy=0 "$fib"
wrong 'unknown function `fbi`; did you mean `fib`?' --what-if 'function(fbi)/2' "$fib"
wrong 'unknown opcode `fech`; did you mean `FETCH`?' --what-if 'opcode(fech)/2' "$fib"
wrong 'unknown class of function unit `ali`; did you mean `alu`?' --what-if 'unit(ali)=2' "$fib"
wrong 'no instruction is of line `99`' --what-if 'line(99)=free' "$fib"
wrong 'expected `=free`, `=CYCLES`, `*NUMBER` or `/NUMBER` behind the name, found `/0`' --what-if 'line(4)/0' "$fib"
wrong 'expected SETTING=VALUE or a change as `line(3)=free`, found `faster`' --what-if faster "$fib"
wrong 'expected a setting, line(N), function(NAME), opcode(NAME) or unit(NAME), found `node(4)`' --what-if 'node(4)=1' "$fib"
wrong 'an instruction has no latency of its own on an executor' -m tf-executor --what-if 'line(4)=3' "$fib"
wrong 'instructions cannot take times of their own: nodes that count messages' -s cluster.nodes=2 \
    -s cluster.termination=counted --what-if 'line(4)/2' "$fib"
wrong 'instructions cannot take times of their own: finite queues have none' -s queue.capacity=100 --what-if 'line(4)/2' "$fib"
wrong '--what-if=line(4)/2 cannot be asked: instructions cannot take times of their own: tensor units that are counted' \
    -s tensor.unit.count=1 --what-if tensor.unit.count=4 --what-if 'line(4)/2' "$fib"
wrong 'expected line or function, found `opcode`' --what-if-all=opcode "$fib"
exit $((failures > 0))
