#!/bin/sh
# Files of events: what they tell is what a recording tells, of any level and window; filters;
# replay names the first difference; what is killed is read as far as it is whole.
# shellcheck disable=SC2016,SC2015 # backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples

# both PROGRAM ARGUMENT...: file and recording tell the same.
both() {
    program=$1
    shift
    for level in summary queues; do
        expect 0 run "$examples/$program.df" "$@" -q --trace run.hev --level $level \
            --record run.rec --checkpoint 100
        for cycles in 0.. 0..6 100..141 300..310 350..371 5000..; do
            expect 0 trace text run.hev --cycles $cycles --level $level
            mv out from.file
            expect 0 trace text run.rec --cycles $cycles --level $level
            same from.file out
        done
        expect 0 replay run.hev
        silent
        # A run that goes on from a checkpoint tells what the whole run tells from there on.
        for cycle in 157 333 5000; do
            expect 0 trace text run.hev --cycles $cycle.. --level $level
            mv out whole
            expect 0 run --from run.rec@$cycle -q --trace went.hev --level $level
            expect 0 trace text went.hev --level $level
            same whole out
            expect 0 replay went.hev
        done
    done
}
both fib n=9
both fib n=9 --strategy expanding
both sieve n=20 -m tf-executor
both matmul n=4 -s network.topology=crossbar -s network.capacity=8
# Behind a link of several channels tokens wait in the order in which they came.
both fib n=9 -s pe.count=16 -s network.topology=torus -s network.routing=valiant -s network.channels=4 \
    -s network.capacity=1

# --- filters ----------------------------------------------------------------------

expect 0 run "$examples/fib.df" n=9 -q --trace fib.hev
expect 0 trace text fib.hev --pe 3 --function fib --line 4 --below '[0]'
mv out now
expect 0 run "$examples/fib.df" n=9 -q --trace part.hev --pe 3 --function fib --line 4 --below '[0]'
expect 0 trace text part.hev --pe 3 --function fib --line 4 --below '[0]'
same now out
! grep ' fired ' out | grep -qv ' 3  fired .* 4:[0-9]* *fib ' || fail "a firing that is not asked for"
grep -q ' fired ' out || fail "no firing"
! grep -q ' \(gone\|present\) ' out || fail "what only makes tags known is told"
expect 0 trace text fib.hev --cycles 100..102
! grep -q ' present ' out || fail "what there is was not asked for"
grep -q '^ *101 .* taken ' out || fail "no cycle 101"
! grep -q '^ *102 .* taken ' out || fail "the cycle behind the last one"
expect 0 trace text fib.hev --cycles 100..102 --present
grep -q ' present ' out || fail "what there is was asked for"
expect 0 replay part.hev
expect 0 trace info part.hev
grep -q '^only.function *fib' out || fail 'not what it has'
expect 2 trace text fib.hev --function fob
err_has 'did you mean `fib`?'
expect 2 trace text fib.hev --pe x
expect 2 trace text fib.hev --below 0
expect 2 trace text fib.hev --cycles 5
expect 2 trace text fib.hev --cycles 5..5
expect 2 trace text fib.hev --level queues

# Values of tokens: of recordings alone, and the same on each machine.
expect 2 trace text fib.hev --values
err_has '--values: fib.hev is a file of events, which has no values of tokens; expected a recording'
expect 2 trace export fib.hev --to csv -o no.csv --values
[ ! -e no.csv ] || fail 'a file without values'
expect 2 trace export fib.hev --to konata -o no --values
err_has '--values: only csv has a column for them, not konata'
printf 'input n = 5\nresult = (sum([real(i) * 0.5 | i <- 0 .. n]), f(n) > 2)\nf(k) = if k < 2 then 1 else f(k - 1) + f(k - 2)\n' >values.df
for options in '' '-s pe.count=1' '-m tf-executor' '-m ideal' '-s queue.capacity=200 -s network.topology=ring -s network.capacity=8'; do
    # shellcheck disable=SC2086
    "$HIATON" run -q --record=values.rec $options values.df >out || fail "run $options"
    expect 0 trace text --values values.rec
    sed -n 's/^.* sent  *%\([0-9]*\) .*  \(\[[0-9.,]*\]\).* operand=\([0-9]*\) .* value=/\1 \2 \3 /p' out | LC_ALL=C sort >values
    [ -s first ] || cp values first
    same first values
    grep -c ' value=' out >count
    expect 0 trace text --json --values values.rec
    [ "$(grep -c '"value": ' out)" -eq "$(cat count)" ] || fail "$options: JSON has other values"
    expect 0 trace export --to csv --values -o values.csv values.rec
    sed 1q values.csv | grep -q ',line,column,value$' || fail 'value is not the last column'
    [ "$(sed 1d values.csv | grep -vc ',$')" -eq "$(cat count)" ] || fail "$options: CSV has other values"
    expect 0 trace export --to csv -o plain.csv values.rec
    sed 's/,[^,]*$//' values.csv | cmp -s - plain.csv || fail 'the other columns differ'
done
for value in 2.5 true 8; do
    grep -q " $value\$" first || fail "no token has the value $value"
done
expect 0 trace text values.rec
grep -q ' value=' out && fail 'values that were not asked for'
expect 2 run "$examples/fib.df" --pe 3
expect 2 run "$examples/fib.df" --trace x.hev --function fob
[ ! -e x.hev ] && [ ! -e x.hev.part ] || fail "a file of nothing"

# --- replay ------------------------------------------------------------------------

expect 1 replay fib.hev -s network.latency=3
out_has 'expected             9    3  taken             %3 merge         4:5  fib'
out_has 'came                 8    3  taken             %3 merge         4:5  fib'
err_has 'hiaton replay: the run differs from fib.hev'
expect 1 replay --json fib.hev -s network.latency=3
out_has '"same": false'

expect 0 run --from run.rec@157 -q --trace went.hev --cycles 200..301 --pe 0-3
expect 0 replay went.hev
expect 2 run --from run.rec@400 -q --trace went.hev --cycles ..300
err_has '--cycles ends before the cycle of --from'

# What a link leads to is written, and the link stays; a pipe and a device are written as they are.
expect 0 run "$examples/fib.df" n=9 -q --trace plain.hev --record plain.rec
mkdir -p data
for kind in hev rec; do
    ln -s data/there.$kind link.$kind
    touch data/there.$kind
done
expect 0 run "$examples/fib.df" n=9 -q --trace link.hev --record link.rec
for kind in hev rec; do
    [ -L link.$kind ] || fail "the link $kind is gone"
    same plain.$kind data/there.$kind
done
mkfifo pipe
cat pipe >through &
expect 0 run "$examples/fib.df" n=9 -q --trace pipe
wait $!
same plain.hev through
[ -p pipe ] || fail "the pipe is gone"
"$HIATON" run "$examples/fib.df" n=9 -q --trace /dev/stdout --stats stats >out || fail "--trace /dev/stdout"
head -c "$(wc -c <plain.hev)" out | cmp - plain.hev || fail "/dev/stdout gets something else"
expect 0 run "$examples/fib.df" n=9 -q --trace /dev/null
expect 0 run "$examples/fib.df" n=9 -q --record /dev/null
expect 5 run "$examples/fib.df" n=9 -q --trace /dev/full
err_has 'cannot write /dev/full: No space left on device'

# --- a million events ------------------------------------------------------------------

# What reads a file keeps what is alive, and never the events, which would take 56 MB.
fits() {
    (
        # shellcheck disable=SC3045 # dash and bash have it
        ulimit -v 50000
        "$HIATON" "$@" >out 2>err
    )
}
expect 0 run "$examples/fib.df" n=21 -q --level all --trace million.hev
expect 0 trace info million.hev
grep -qE '^events  *1151181  ' out || fail 'another number of events'
if fits trace info fib.hev; then
    for arguments in 'info' 'text --pe 3 --below [1,0,0]' 'text --function fib --cycles 5000..6000'; do
        # shellcheck disable=SC2086 # arguments are words
        fits trace $arguments million.hev || fail "trace $arguments: $(cat err)"
    done
    fits analyse million.hev || fail "analyse: $(cat err)"
else
    echo 'memory is not looked at: a sanitizer takes more' >&2
fi

# --- what is cut off, damaged, killed -------------------------------------------------

expect 0 run "$examples/fib.df" n=18 -q --trace long.hev
size=$(wc -c <long.hev)
head -c $((size / 2)) long.hev >shorter
expect 0 trace info shorter
err_has 'shorter: it is whole up to byte'
grep -qE '^whole  *no  ' out || fail 'it is whole'
expect 0 replay shorter
# flip BYTE: a copy of few.hev, `bad`, in which that byte is another one.
flip() {
    cp few.hev bad
    byte=$(od -An -tu1 -j "$1" -N 1 few.hev | tr -d ' ')
    # shellcheck disable=SC2059 # the format is the byte
    printf "\\$(printf %03o $(((byte + 1) % 256)))" | dd of=bad bs=1 seek="$1" conv=notrunc 2>noise
}
expect 0 run "$examples/fib.df" n=12 -q --trace few.hev
size=$(wc -c <few.hev)
tries=40
[ -z "${HIATON_QUICK-}" ] || tries=8
for i in $(seq $tries); do
    at=$((size * i / (tries + 1)))
    flip $at
    expect 2 trace text bad
    expect 2 trace info bad
    expect 2 replay bad
    expect 2 trace export bad --to csv -o bad.csv
    [ ! -e bad.csv ] || fail "an export of what is damaged"
done

kills=50
[ -z "${HIATON_QUICK-}" ] || kills=5
killed=0
for i in $(seq $kills); do
    rm -f hunted.hev hunted.hev.part
    "$HIATON" run "$examples/fib.df" n=24 -q --trace hunted.hev >out 2>err &
    process=$!
    sleep "$(awk "BEGIN { print 0.05 + $i % 10 / 20 }")"
    kill -KILL $process 2>noise
    wait $process 2>/dev/null
    [ -e hunted.hev.part ] || continue
    killed=$((killed + 1))
    expect 0 trace info hunted.hev.part
    grep -qE '^whole  *no  ' out || fail 'it is whole'
done
[ $killed -ge $((kills / 4)) ] || fail "only $killed of $kills were killed"

exit $((failures > 0))
