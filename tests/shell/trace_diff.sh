#!/bin/sh
# hiaton trace diff: where two recorded runs differ, why, and by how much.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples

# record FILE ARGUMENT...
record() {
    recording=$1
    shift
    expect 0 run "$@" -q --record "$recording"
}

# differ A B: they do, and status and message say so.
differ() {
    expect 1 trace diff "$1" "$2"
    err_has "hiaton trace diff: $1 and $2 differ"
}

# line TEXT: a line of the output is this, blanks aside.
line() { tr -s ' ' <out | sed 's/^ //' | grep -qxF -e "$1" || fail "no line \`$1'"; }

# only_a: the opcodes with firings that only A has, and how many.
only_a() { awk '$1 == "opcode" { on = 1; next } on && NF > 8 && $1 != "all" && $9 > 0 { print $1, $9 }' out; }

# --- the same ------------------------------------------------------------------------

record a.rec "$examples/fib.df" n=8 -s pe.count=4
record b.rec "$examples/fib.df" n=8 -s pe.count=4 --checkpoint 50
expect 0 trace diff a.rec b.rec
silent
line 'same yes'
line 'events 2176'
expect 0 trace diff -q a.rec b.rec
out_is ''
expect 0 trace diff --json a.rec b.rec
out_has '"same": true'

# --- another latency -------------------------------------------------------------------

record l3.rec "$examples/fib.df" n=8 -s pe.count=4 -s network.latency=3
differ a.rec l3.rec
line 'network.latency 4 3'
line 'event 7 is the first that differs (cycle):'
line 'A 9 taken 0 merge.int fib 4:5 [0]'
line 'B 8 taken 0 merge.int fib 4:5 [0]'
line 'A B' # over the cycles and PEs of both
line 'merge.int fib 4:5 [0] 9 0 8 0 -1'
awk 'length > 100' out >wide
[ ! -s wide ] || fail "long lines: $(cat wide)"
expect 1 trace diff l3.rec a.rec --json
out_has '"same": false'
out_has '"event_number": 7,'
# Nothing differs before 8; what differs from 100 on has causes.
for at in 0 100; do
    expect 1 trace diff l3.rec a.rec --json --at $at
    sed -n 's/.*"that_differ": \([0-9]*\),/\1/p' out >causes$at
done
[ "$(cat causes0)" -eq 0 ] || fail 'the first that differs has no cause that does'
[ "$(cat causes100)" -gt 5 ] || fail 'what differs later has causes that do'

# --- other placements, machines, strategies --------------------------------------------

for seed in 1 2; do
    record r$seed.rec "$examples/queens.df" n=4 -s placement.policy=random --seed $seed
done
differ r1.rec r2.rec
line 'seed 1 2'
record ideal.rec "$examples/sieve.df" n=20 -m ideal
record default.rec "$examples/sieve.df" n=20
differ ideal.rec default.rec
out_has 'network.topology'

cat >two.df <<'TEXT'
f(x, y) = if x < 1 then y else f(x - 1, y + 2)
result = f(3, 1) + f(2, 5)
TEXT
record static.rec two.df
record expanding.rec two.df --strategy expanding
differ static.rec expanding.rec
line 'strategy static expanding'
# The CALLs of two parameters each fire in the cycles 0 to 3, the APPLYs in 0 and 1: the last CALL
# of each call came 1 and 2 cycles later than its APPLY.
tr -s ' ' <out | grep -q '^ result 4 2 2 0 ' || fail 'an APPLY is the last CALL'
only_a >only
printf 'call 7\njoin 7\n' | cmp -s - only || fail 'what only one strategy has'

# --- an image patched in one constant --------------------------------------------------

expect 0 graph two.df --stage image
mv out two.txt
# y + 3 in place of y + 2: events have no values, and these decide nothing.
sed 's/add.int _, 2 /add.int _, 3 /' two.txt >value.txt
record value.rec value.txt
expect 0 trace diff static.rec value.rec
out_has 'image_digest'
# x < 2 in place of x < 1: f(3, 1) stops one call earlier, and so does f(2, 5).
sed 's/lt.int _, 1 /lt.int _, 2 /' two.txt >bound.txt
record bound.rec bound.txt
differ static.rec bound.rec
{ grep -q ' sent by$' out && grep -q ' switch.int 1:11$' out; } || fail 'who sent the token'
grep -A3 '^the first firing that differs' out | tr -s ' ' >origin
grep -qF ' sub.int f 1:36 [2,1] ' origin || fail 'the first firing that only one of them has'
only_a >only
# Each of two chains of calls has one less: sub, add, two CALLs, JOIN and RETURN in the caller, two
# MERGEs, lt, two SWITCHes and MERGEIF in the callee.
[ "$(awk '{ n += $2 } END { print n }' only)" -eq 24 ] || fail 'what only the longer run has'

# --- files of events -------------------------------------------------------------------

expect 0 run "$examples/fib.df" n=8 -s pe.count=4 -q --trace a.trc --level all
expect 0 run "$examples/fib.df" n=8 -s pe.count=4 -q --trace part.trc --level all --pe 0
expect 0 run "$examples/fib.df" n=8 -s pe.count=4 -q --trace summary.trc --level summary
expect 0 trace diff a.trc a.rec
expect 1 trace diff a.trc l3.rec
sed 1d out >of_file
expect 1 trace diff a.rec l3.rec
sed 1d out >of_recording
same of_file of_recording
expect 2 trace diff a.trc part.trc
err_has 'part.trc: expected all events of a run'
expect 2 trace diff a.trc summary.trc

# --- what cannot be compared -------------------------------------------------------------

expect 2 trace diff a.rec
expect 2 trace diff a.rec b.rec c.rec
expect 2 trace diff a.rec missing.rec
err_has 'missing.rec'
expect 2 trace diff a.rec two.df
expect 2 trace diff --at x a.rec b.rec
err_has 'hiaton trace diff: --at: expected'
head -c 600 a.rec >cut.rec
expect 2 trace diff a.rec cut.rec
exit $((failures > 0))
