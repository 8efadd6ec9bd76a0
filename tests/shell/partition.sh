#!/bin/sh
# hiaton partition: what it finds is a map that does as it says, the same each time, and no worse
# than what it begins with; and what METIS has to say goes nowhere.
# shellcheck disable=SC2016 # backquotes of messages
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
value() { sed -n "s/^  \"$1\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p" "$2"; }

# found FILE: the number in the first line
found() { sed -n '1s/.*: [a-z_]* \([0-9]*\), the least of .*/\1/p' "$1"; }

# --- what is found ----------------------------------------------------------------------------
last='partition'
set -- "$examples/queens.df" n=4 -s cluster.nodes=3 -s cluster.pes_per_node=2 -s network.latency=20
"$HIATON" partition "$@" --runs=60 -j 1 -o one.yaml 2>err || fail "$(cat err)"
[ -s err ] && fail "it says something: $(cat err)"
"$HIATON" partition "$@" --runs=60 -j 3 >three.yaml 2>err || fail 'with three processes'
cmp -s one.yaml three.yaml || fail 'another map by more processes'
"$HIATON" partition "$@" --runs=60 --search-seed=7 >seven.yaml 2>err || fail 'another seed'
cmp -s one.yaml seven.yaml && fail 'the seed of the search changes nothing'
for map in one seven; do
    "$HIATON" run "$@" -s partition.by=file -s partition.file=$map.yaml --json >out || fail "$map.yaml"
    [ "$(value cycles out)" = "$(found $map.yaml)" ] || fail "$map.yaml says $(found $map.yaml)"
    [ "$(value result out)" = 2 ] || fail "another result with $map.yaml"
done
for way in function random; do
    "$HIATON" run "$@" -s partition.by=$way --json >out || fail "partition.by=$way"
    grep -q "^# *$(value cycles out)  $way" one.yaml || fail "$way takes $(value cycles out)"
    [ "$(found one.yaml)" -le "$(value cycles out)" ] || fail "it is worse than $way"
done
head -n 1 one.yaml | grep -q '^# queens.df n=4 on 3 machines: cycles [0-9]*, the least of 60 partitions$' ||
    fail "the first line: $(head -n 1 one.yaml)"
# More runs find no worse one, and a search goes on from a map.
"$HIATON" partition "$@" --runs=140 >more.yaml || fail 'more runs'
[ "$(found more.yaml)" -le "$(found one.yaml)" ] || fail 'more runs find less'
[ "$(found more.yaml)" -lt "$(sed -n 's/^# *\([0-9]*\)  function.*/\1/p' more.yaml)" ] || fail 'nothing is found at all'
"$HIATON" partition "$@" --runs=1 -s partition.file=more.yaml >again.yaml || fail 'from a map'
[ "$(found again.yaml)" = "$(found more.yaml)" ] || fail 'a map is not where it begins'
grep -q ' partition.file; changed from here on$' again.yaml || fail 'it does not say that it began with the map'
"$HIATON" partition "$@" --runs=30 --least=sends >sends.yaml || fail 'the least sends'
[ "$(found sends.yaml)" = 0 ] || fail 'on one machine nothing is sent'
# With RECVs that are scheduled it runs such programs: what it says is what they take.
"$HIATON" partition "$@" --runs=40 -s deadness=propagate -s partition.receive=scheduled >tracked.yaml 2>err ||
    fail "scheduled: $(cat err)"
"$HIATON" run "$@" -s deadness=propagate -s partition.receive=scheduled -s partition.by=file \
    -s partition.file=tracked.yaml --json >out || fail 'tracked.yaml'
[ "$(value cycles out)" = "$(found tracked.yaml)" ] || fail "tracked.yaml says $(found tracked.yaml)"
"$HIATON" run "$@" -s deadness=propagate -s partition.receive=scheduled -s partition.by=function --json >out ||
    fail 'scheduled, by function'
grep -q "^# *$(value cycles out)  function" tracked.yaml || fail "by function it takes $(value cycles out)"

# --- executors ----------------------------------------------------------------------------------
# A divided program has an executor for each machine: result and values are those of one, what it
# takes is known to its recording, and causes add up.
last='executors'
for program in factorial 'fib n=9' 'queens n=4' 'mergesort n=4'; do
    # shellcheck disable=SC2086 # a program and its inputs
    set -- "$examples/${program%% *}.df" ${program#"${program%% *}"} -m tf-executor -s executor.workers=3
    "$HIATON" run "$@" --json >one || fail "$program on one executor"
    "$HIATON" run "$@" -s class.slow.pes=1-2 -s class.slow.executor.live.latency=50000 --json >slow 2>err ||
        fail "slow workers: $(cat err)"
    [ "$(value value_digest slow)" = "$(value value_digest one)" ] || fail "$program: slow workers change values"
    "$HIATON" run "$@" -s class.slow.pes=3-5 -s class.slow.executor.live.latency=50000 -s partition.machines=2 \
        -s partition.by=random --json >slow 2>err || fail "a slow machine: $(cat err)"
    "$HIATON" run "$@" -s partition.machines=2 -s partition.by=random --json >even || fail 'two machines'
    [ "$(value value_digest slow)" = "$(value value_digest one)" ] || fail "$program: a slow machine changes values"
    [ "$(value cycles slow)" -gt "$(value cycles even)" ] || fail "$program: a slow machine is not slower"
    for way in random function; do
        for receive in match scheduled; do
            "$HIATON" run "$@" -s partition.by=$way -s partition.machines=2 -s network.latency=5000 \
                -s partition.receive=$receive -s network.bandwidth=10 --record=r.hr --json >two 2>err ||
                fail "$program, $way: $(cat err)"
            for key in result value_digest firings calls span; do
                [ "$(value $key two)" = "$(value $key one)" ] || fail "$program, $way, $receive: another $key"
            done
            [ "$(value network_tokens two)" = "$(value hops two)" ] || fail "$program, $way: hops"
            "$HIATON" replay r.hr >out 2>&1 || fail "replay: $(cat out)"
            "$HIATON" analyse r.hr --causes --json >causes 2>err || fail "causes: $(cat err)"
            [ "$(value cycles causes)" = "$(value cycles two)" ] || fail 'causes are not of all cycles'
            "$HIATON" analyse r.hr --bounds --json >bounds 2>err || fail "bounds: $(cat err)"
            nearest=$(sed -n 's/^ *"nearest": \([0-9]*\).*/\1/p' bounds | head -n 1)
            [ "$nearest" -le "$(value cycles two)" ] || fail 'a bound above the cycles'
        done
    done
done
[ "$(value network_tokens two)" -gt 0 ] || fail 'nothing goes through the network'
"$HIATON" run "$@" -s partition.by=random -s partition.machines=2 -s partition.releases=messages >out 2>err &&
    fail 'releases'
grep -q 'partition.releases: executors free an activation at once; expected `free`' err || fail "$(cat err)"
"$HIATON" run "$@" -s partition.by=random -s partition.machines=60000 >out 2>err && fail 'too many workers'
# classes WORDS REGEX: a class that does not fit is refused
classes() {
    # shellcheck disable=SC2086 # several settings
    "$HIATON" run "$examples/fib.df" n=3 $1 >out 2>err && fail "not refused: $1"
    grep -q -e "$2" err || fail "$1: $(cat err)"
}
grep -q 'executor.workers: expected up to 65536 workers in all, found 3 on each of 60000' err || fail "$(cat err)"
classes '-s executor.workers=2 -s class.a.pes=0 -s class.a.pe.units=2' \
    'class.a.pe.units: workers of a class differ in executor.\*.latency alone'
classes '-s class.a.pes=0 -s class.a.executor.live.latency=2' \
    'class.a.executor.live.latency: PEs are no workers: expected executor.workers=N'
classes '-s executor.workers=2 -s class.a.pes=2 -s class.a.executor.live.latency=2' \
    'class.a.pes: expected workers from 0 to 1, found 2 (executor.workers x machines=2)'

if [ -e "$BUILDDIR/hiaton-simgrid.so" ]; then
    "$HIATON" platform star --nodes 3 -o star.xml
    set -- "$examples/fib.df" n=6 -s network.topology=simgrid -s network.platform=star.xml -s cluster.nodes=3
    "$HIATON" partition "$@" --runs=25 >star.yaml || fail 'on a platform'
    "$HIATON" run "$@" -s partition.by=file -s partition.file=star.yaml --json >out || fail 'star.yaml'
    [ "$(value cycles out)" = "$(found star.yaml)" ] || fail "star.yaml says $(found star.yaml)"
fi

# --- what cannot be -----------------------------------------------------------------------------
expect 2 partition "$examples/fib.df"
err_has 'nothing says among how many machines'
expect 2 partition "$examples/fib.df" -s cluster.nodes=2 -s partition.by=metis
err_has 'the partition is what is searched for'
expect 2 partition "$examples/fib.df" -s pe.count=3 -s partition.machines=2
err_has '3 PEs cannot be divided among 2 machines'
expect 2 partition "$examples/fib.df" -s cluster.nodes=2 -s partition.receive=scheduled
err_has 'expected deadness=propagate'
expect 2 partition "$examples/fib.df" -s cluster.nodes=2 --least=cycle
err_has 'did you mean `cycles`'
expect 2 partition "$examples/fib.df" -s cluster.nodes=2 --runs=0
err_has '--runs'
printf 'functions: {fbi: 1}\n' >wrong.yaml
expect 2 partition "$examples/fib.df" -s cluster.nodes=2 -s partition.file=wrong.yaml
err_has 'wrong.yaml:1:13: error: unknown function `fbi`; did you mean `fib`?'
printf 'result = 1 / 0\n' >trap.df
expect 3 partition trap.df -s cluster.nodes=2
err_has 'no partition completes; the first that does not: trap.df'
expect 3 partition "$examples/fib.df" -s cluster.nodes=2 -s limits.cycles=50
err_has 'limits.cycles'

# --- METIS ---------------------------------------------------------------------
# A half without vertices makes METIS print: not into what is printed here.
last='graph, by metis'
if "$HIATON" graph "$examples/hanoi.df" --stage=partitioned -s partition.by=metis -s partition.machines=32 >cut.txt 2>err; then
    grep -q '\*\*\*' cut.txt && fail "METIS is in the text: $(grep -A1 '\*\*\*' cut.txt)"
    "$HIATON" run cut.txt discs=3 -s pe.count=32 >out 2>err || fail "the text does not read back: $(cat err)"
fi

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
