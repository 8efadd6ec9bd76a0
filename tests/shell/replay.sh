#!/bin/sh
# Recordings: what is recorded is replayed, wherever it ends; a run that goes on from a checkpoint
# leaves what the whole run leaves; what is damaged, cut off or killed is never taken for whole.
# shellcheck disable=SC2086,SC2016,SC2015 # inputs are words; backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
random=20261122

# draw N: sets `drawn` to a number below N.
draw() {
    random=$(((random * 1103515245 + 12345) % 2147483648))
    drawn=$((random / 8 % $1))
}

# --- the same run ----------------------------------------------------------------

# check STATUS ARGUMENT...: a run is recorded, replayed, and gone on with from a checkpoint.
recorded=0
every=300
check() {
    status=$1
    shift
    recorded=$((recorded + 1))
    expect "$status" run "$@" --json --profile --series whole.csv
    without_host out >whole
    expect "$status" run "$@" --json --profile --series recorded.csv --record run.rec \
        --checkpoint $every
    without_host out >recorded
    same whole recorded
    same whole.csv recorded.csv
    expect 0 replay run.rec
    silent
    for cycle in 1 $((every + 150)) 1000000; do
        expect "$status" run --from run.rec@$cycle --json --profile --series from.csv
        without_host out >from
        same whole from
        same whole.csv from.csv
    done
}

while read -r program inputs; do
    for machine in default ideal; do
        check 0 "$examples/$program.df" $inputs -m $machine
        check 0 "$examples/$program.df" $inputs -m $machine --strategy expanding
    done
    every=40000
    check 0 "$examples/$program.df" $inputs -m tf-executor
    check 0 "$examples/$program.df" $inputs -m tf-executor --strategy expanding
    every=300
done <<'TEXT'
fib n=11
sieve n=20
matmul n=4
queens n=4
TEXT
check 0 "$examples/fft.df" n=3 -s placement.policy=random --seed 7
check 0 "$examples/jacobi.df" n=6 -s network.capacity=8 -s queue.capacity=400
cluster='-s cluster.nodes=8 -s cluster.pes_per_node=3 -s network.bandwidth=40 -s cluster.bandwidth=90'
# shellcheck disable=SC2086
check 0 "$examples/fib.df" n=11 $cluster -s network.topology=torus -s network.capacity=3
# shellcheck disable=SC2086
check 0 "$examples/matmul.df" n=4 $cluster -s network.topology=dragonfly -s network.routing=valiant
check 4 "$examples/fib.df" n=15 -s limits.cycles=700
check 4 "$examples/fib.df" n=15 -s tag.scheme=pool -s tag.pool=3
cat >trap.df <<'TEXT'
result = f(100) + fib(12)
f(n) = if n == 0 then 1 / n else f(n - 1)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
check 3 trap.df
[ $recorded -ge 29 ] || fail "only $recorded runs"

# --- what it says ----------------------------------------------------------------

expect 0 run "$examples/fib.df" n=15 --record fib.rec --checkpoint 500
expect 0 replay fib.rec
shows <<'TEXT'
fib.df: the same run: 1848 cycles, 923 digests, 2 cycles apart
TEXT
expect 0 replay -q fib.rec
out_is ''
expect 0 replay fib.rec "$examples/fib.df"
expect 1 replay fib.rec -s network.latency=3
err_has 'hiaton replay: the run differs from fib.rec'
[ "$(sed -n 2,7p out)" = 'first_difference.from_cycle    8  first cycle in which it can be
first_difference.to_cycle      9  last cycle in which it can be
first_difference.pes           3  whose events differ
first_difference.functions   fib  whose events differ

what was measured:' ] || fail "the first difference"
tail -n 3 out | tr -s ' ' >reasons
printf 'what ran, and where:\n key recorded now\n network.latency 4 3\n' | cmp -s - reasons ||
    fail "the reasons"
expect 2 replay fib.rec "$examples/factorial.df"
err_has 'the program has no input `n`'
expect 1 replay fib.rec "$examples/hofstadter.df"
grep -q '^  image_digest ' out || fail "another image is no reason"
expect 1 replay --json fib.rec -s limits.cycles=1000
grep -q '^  "same": false,$' out || fail "not JSON"
expect 0 run "$examples/fib.df" n=15 --record cycle.rec --interval 1 -q
expect 1 replay cycle.rec -s network.latency=3
grep -q '^first_difference.to_cycle  *8  ' out || fail "not the cycle"
expect 0 run --from fib.rec@400 -q
err_has 'fib.rec has no checkpoint up to cycle 400: from cycle 0'
expect 0 run --from fib.rec@900 --series x.csv -q
err_has 'fib.rec was recorded without a series: from cycle 0'

# Small, whatever the run.
expect 0 run "$examples/fib.df" n=20 -q --record large.rec
[ "$(wc -c <large.rec)" -lt 70000 ] || fail "$(wc -c <large.rec) bytes"

# --- what is wrong ---------------------------------------------------------------

expect 1 replay fib.rec -s limits.cycles=20
tr -s ' ' <out | grep -q '^ status completed limit' || fail 'not the status'
expect 2 replay
expect 2 replay missing.rec
expect 2 replay "$examples/fib.df"
err_has 'fib.df: error: this is the source of a program, not a recording or a file of events; `hiaton run` runs it'
expect 2 replay /dev/null
err_has '/dev/null: expected a recording or a file of events, found something else'
expect 2 replay missing.rec
err_has 'missing.rec: No such file or directory'
expect 0 run "$examples/fib.df" n=5 -q --trace few.hev
expect 2 run --from few.hev@3
err_has 'few.hev: error: this is a file of events, not a recording; `hiaton trace text` prints it'
expect 2 run --from fib.rec
err_has 'expected a recording and a cycle, FILE@CYCLE'
expect 2 run --from fib.rec@10 "$examples/fib.df"
expect 2 run --from fib.rec@10 -s pe.count=3
expect 2 run --from fib.rec@10 --record y.rec
expect 2 run "$examples/fib.df" --record no/such/folder.rec
expect 2 run "$examples/fib.df" --record z.rec --interval 0
[ ! -e z.rec ] && [ ! -e z.rec.part ] || fail "a recording of nothing"

# flip FILE BYTE: a copy, `bad`, in which that byte is another one.
flip() {
    cp "$1" bad
    byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    # shellcheck disable=SC2059 # the format is the byte
    printf "\\$(printf %03o $(((byte + 1) % 256)))" | dd of=bad bs=1 seek="$2" conv=notrunc 2>noise
}

size=$(wc -c <fib.rec)
tries=60
[ -z "${HIATON_QUICK-}" ] || tries=12
for _ in $(seq $tries); do
    draw "$size"
    flip fib.rec "$drawn"
    expect 2 replay bad
    expect 2 run --from bad@700
    head -c "$drawn" fib.rec >bad
    expect 2 replay bad
done

# --- what is killed --------------------------------------------------------------

# Whatever was written is read as far as it is whole, and is not taken for more.
kills=50
[ -z "${HIATON_QUICK-}" ] || kills=5
killed=0
for _ in $(seq $kills); do
    rm -f hunted.rec hunted.rec.part
    "$HIATON" run "$examples/fib.df" n=22 -q --record hunted.rec --checkpoint 2000 \
        >out 2>err &
    process=$!
    for _ in $(seq 1000); do # until it writes
        [ ! -e hunted.rec.part ] && [ ! -e hunted.rec ] || break
        sleep 0.01
    done
    draw 300
    sleep "$(awk "BEGIN { print $drawn / 1000 }")"
    if kill -KILL $process 2>noise; then
        wait $process 2>/dev/null
    else
        wait $process
    fi
    if [ -e hunted.rec ]; then
        expect 0 replay hunted.rec
    elif [ -e hunted.rec.part ]; then
        killed=$((killed + 1))
        expect 2 replay hunted.rec.part
        [ "$killed" -ne 1 ] || mv hunted.rec.part left.rec
    fi
done
[ $killed -ge $((kills / 4)) ] || fail "only $killed of $kills were killed"
# A run goes on from the last checkpoint that is whole, and ends as it would have.
if [ -s left.rec ] && "$HIATON" run --from left.rec@100000000 --json >out 2>err; then
    without_host out | sed '/^  "program": /d' >went
    expect 0 run "$examples/fib.df" n=22 --json
    without_host out | sed '/^  "program": /d' >whole
    same whole went
fi

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
