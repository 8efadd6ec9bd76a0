#!/bin/sh
# How runs end, whoever runs them: a part of the result that comes twice, and what exactly
# limits.tokens allows. HIATON is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples

# --- a part of the result that comes twice -------------------------------------

# A loop whose EXIT hangs on the side of its SWITCH that goes on: the result comes in each
# iteration.
printf 'result = loop i = 0 while i < 10 do i + 1 return i\n' >loop.df
for strategy in image expanding; do
    expect 0 graph --stage=$strategy loop.df
    sed -e 's/-> %4.0 | %6.0/-> %4.0, %6.0 | -/' out >again.$strategy
    ! cmp -s out again.$strategy || fail "nothing was changed"
done
# Two parts, of which the second comes from both sides of what is no conditional; an array.
cat >both.asm <<'TEXT'
hiaton assembly 1
stage image
function result () -> (int, [int])
in result
  %a output.int 7, part 0
  %b alloc.int 2        -> %m.0, %m.0
  %m merge.[int] _      -> %o.0
  %o output.[int] _, part 1
TEXT

# twice FILE WHAT: it fails everywhere, and says this
twice() {
    while read -r command; do
        # shellcheck disable=SC2086 # words
        expect 3 $command "$1"
        err_has "$2"
        case $command in
            *--json*) grep -q '^  "status": "trapped",$' out || fail "not trapped" ;;
        esac
    done <<'TEXT'
interp
interp --json
interp -s deadness=propagate
interp --json -s deadness=propagate
run
run --json -m ideal
run --json --profile
run --json -s pe.count=1 -s deadness=propagate
run --json -s pe.count=3 -s queue.capacity=50 -s queue.discipline=lifo
run --json -s executor.workers=2
run --json -s executor.workers=1 -s executor.live.latency=0 -s deadness=propagate
TEXT
}
twice again.image "loop.df:1:1: error: a part of the result comes twice (part 0): %7 output.int at 1:1 in result, tag []"
# An image has no labels.
expect 0 compile again.image -o again.bin
twice again.bin "loop.df:1:1: error: a part of the result comes twice (part 0) in result, tag []"

# --- what messages call nodes --------------------------------------------------

# A label is that of the text, at whatever stage it was written; a place in the source, or else a
# line of the text.
cat >labels.asm <<'TEXT'
hiaton assembly 1
stage functions
source "mine.lisp"
function main () -> (int)
function f (int) -> (int)
site main -> f
in main
  %go     apply 3, site 0          -> %made.0
  %made   output.int _, part 0
in f
  %n      param.int param 0        -> %less.0, %quotient.1
  %less   sub.int _, 3             -> %remains.1
  %remains rem.int 7, _            -> %quotient.0  @4:2+3
  %quotient div.int _, _           -> %back.0
  %back   result.int _, part 0
TEXT
for command in interp run 'run -m ideal' 'run --strategy=expanding'; do
    # shellcheck disable=SC2086 # words
    expect 3 $command labels.asm
    err_has 'mine.lisp:4:2: error: division by zero: %remains rem.int at 4:2 in f, tag [0]'
done
sed 's/ *@4:2+3//' labels.asm >bare.asm
expect 3 run bare.asm
err_has 'mine.lisp: error: division by zero: %remains rem.int of assembly line 13 in f, tag [0]'
sed -e 's/%remains.1/%never.0/' -e 's/sub.int _, 3/sub.int _, 1/' -e '/%remains rem/d' bare.asm >stays.asm
cat >>stays.asm <<'TEXT'
  %never  alloc.int _              -> %i.0
  %i      index.int _, 0           -> %e.0
  %e      fetch.int _              -> %quotient.0
TEXT
expect 3 run stays.asm
err_has '  %quotient div.int of assembly line 13 in f, tag [0]: operand 1 has come, operand 0 has not'
err_has '  %e fetch.int of assembly line 17 in f, tag [0]: element 0 of the array made by %never is not written'
twice both.asm "a part of the result comes twice (part 1): %o output.[int] of assembly line 8 in result, tag []"
twice again.expanding "loop.df:1:1: error: a part of the result comes twice (part 0): %7 output.int at 1:1 in result, tag []"

# --- what the activation that trapped was called with --------------------------

cat >calls.df <<'TEXT'
result = walk(4, [1, 2, 3], 0.5)
walk(n, a, x) = if n == 0 then go(n, a, x) else walk(n - 1, a, x)
go(n, a, x) = loop i = n, s = 0 while i < 10 do i + 1, s + a[i] + int(x) return s
TEXT
while read -r command; do
    # shellcheck disable=SC2086 # words
    expect 3 $command calls.df
    err_has 'calls.df:3:61: error: index out of range (3, of 3 elements) in go'
    err_has ', with i = 3, s = 6, n = 0, a = an array of 3 elements, x = 0.5'
done <<'TEXT'
interp
interp -s deadness=propagate
run
run -m ideal --profile
run -s deadness=propagate
run -s partition.by=function -s partition.machines=2
run -s tag.scheme=pool
run -s executor.workers=2
run --strategy=expanding
TEXT
# The names of parameters are not kept by an image; the root has none.
expect 0 compile calls.df -o calls.img
expect 3 run calls.img
err_has ', with parameter 0 = 3, parameter 1 = 6, parameter 0 = 0, parameter 1 = an array of 3 elements'
printf 'input n = 0\nresult = 5 / n\n' >root.df
expect 3 run root.df
grep -q 'root.df:2:12: error: division by zero in result, tag \[\]$' err || fail "$(head -n 1 err)"
# Looking for the arguments takes no longer than the run: here a loop of millions of tokens would come before them.
printf 'result = spin(1000000) + f(0)\nspin(n) = loop i = 0 while i < n do i + 1 return i\nf(n) = 1 / n\n' >spin.df
expect 3 run spin.df
grep -q 'spin.df:3:10: error: division by zero in f, tag \[1\]$' err || fail "$(head -n 1 err)"

# --- limits.tokens -------------------------------------------------------------

cat >stuck.df <<'TEXT'
a = [if i == 9 then a[i] else i | i <- 0 .. 9]
result = a[0] + a[9] + fib(5)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >late.df <<'TEXT'
result = let k = (loop n = 0 while n < 300 do n + 1) in
 loop i = 0, s = 0 while i < 40 do i + 1, max(s, i * k) return s
TEXT
printf 'result = 5\n' >least.df

# bounded STATUS ARGUMENT...: a run of T tokens ends as ever if T may be delivered, and not
# if one fewer may.
bounded() {
    ends=$1
    shift
    expect "$ends" "$@" --json
    tokens=$(sed -n 's/^  "tokens": \([0-9]*\),$/\1/p' out)
    for way in '' --json; do
        # shellcheck disable=SC2086 # words
        for more in 0 1 100000; do
            expect "$ends" "$@" $way -s limits.tokens=$((tokens + more))
        done
        [ "$tokens" -gt 1 ] || continue # 0 is no limit
        for less in 1 2; do
            # shellcheck disable=SC2086 # words
            [ "$tokens" -le $less ] ||
                expect 4 "$@" $way -s limits.tokens=$((tokens - less))
            err_has "limit reached: limits.tokens = "
        done
        # shellcheck disable=SC2086 # words
        expect 4 "$@" $way -s limits.tokens=$((tokens / 2))
    done
}
# bounded_all PROGRAM SETTINGS: by everything that runs it
bounded_all() {
    # shellcheck disable=SC2086 # words
    set -- $1 $2
    ends=$1
    shift
    bounded "$ends" interp "$@"
    bounded "$ends" run "$@"
    bounded "$ends" run "$@" -s pe.count=1
    bounded "$ends" run "$@" -s executor.workers=2
}
# A thousand processes; with sanitizers, which slow down each, those of a program by each strategy.
if [ -n "${HIATON_QUICK-}" ] && [ "${HIATON_SANITIZERS-}" = yes ]; then
    bounded_all "3 stuck.df" ''
    bounded_all "0 late.df" --strategy=expanding
else
    for program in "0 $examples/fib.df n=13" "0 $examples/matmul.df" "0 $examples/sieve.df" \
        "0 late.df" "3 stuck.df" "0 least.df"; do
        for settings in '' '-s deadness=propagate' '--strategy=expanding' \
            '-s loop.constants=copies'; do
            bounded_all "$program" "$settings"
        done
    done
fi

# --- arrays that trees make ----------------------------------------------------

# Strands run at once, which needs more than a chain.
printf 'f(i) = i * i %% 7\na = [f(i) | i <- 1 .. 4096]\nresult = a[4095]\n' >strands.df
for settings in '-s tag.scheme=interned -s tag.bits=4' '-s match.capacity=16'; do
    # shellcheck disable=SC2086 # words
    expect 0 run strands.df $settings -s array.generator=chain
    # shellcheck disable=SC2086 # words
    expect 4 run strands.df $settings -s array.generator=tree
    err_has "are alive): with -s array.strand=N, more than 32 elements each, or with -s array.generator=chain"
done

# The interpreter stops at the token that is one too many.
expect 4 interp --json "$examples/fib.df" -s limits.tokens=1000
grep -q '^  "tokens": 1001,$' out || fail "more than one token too many"

# --- limits.memory -------------------------------------------------------------

# What finds no memory has not fired: it is in no count.
for settings in '-m ideal' '-m ideal --strategy=expanding' \
    '-s executor.workers=64 -s deadness=propagate'; do
    for limit in 65536 70000 100000 150000 200000 300000; do
        # shellcheck disable=SC2086 # words
        expect 4 run --json --profile $settings -s limits.memory=$limit "$examples/fib.df"
        err_has "limits.memory"
        awk '
            /^  "firings": / { firings = $2 + 0 }
            /^    [{]"firings": / { of_pes += $2 }
            /^      "firings": / {
                gsub(/.*\[|\].*/, "")
                for (i = split($0, bin, ", "); i > 0; i--)
                    profiled[profiles + 0] += bin[i]
                profiles++
            }
            END {
                exit !firings || of_pes != firings || profiled[0] != firings ||
                    profiled[1] != firings
            }' out || fail "not all firings are those of PEs and of the profiles"
    done
done

# --- series with too many rows ---------------------------------------------------

calls='f(n) = if n == 0 then 0 else f(n - 1) + 1'
printf 'result = f(8)\n%s\n' "$calls" >calls.df
set -- run calls.df --strategy=expanding -s copy.latency=100000000 -s stats.interval=7
expect 0 "$@" --json --series rows.csv
err_has "hiaton run: warning: a row of the series stands for 896 cycles in place of 7"
cycles=$(sed -n 's/^  "cycles": \([0-9]*\),$/\1/p' out)
awk -F, -v cycles="$cycles" '
    NR == 1 { next }
    $1 != 896 * (NR - 1) && $1 != cycles { bad = 1 }
    END { exit bad || $1 != cycles || NR > 1048578 || NR < 524288 }' rows.csv ||
    fail "not a row for 896 cycles each"
expect 0 "$@" --series wide.csv -s stats.interval=896
silent
same rows.csv wide.csv
expect 0 "$@" -q --series rows.csv
silent

# --- messages that were only late ------------------------------------------------

# The probe counts them as missing; when node 0 ends the run they have come.
expect 1 run -q "$examples/gram.df" -s pe.count=30 -s cluster.nodes=5 -s cluster.pes_per_node=6 \
    -s cluster.bandwidth=16 -s cluster.latency=0 -s cluster.termination=counted -s cluster.timeout=1 \
    -s fault.delay=125000 -s fault.reorder=250 -s fault.duplicate=100 -s fault.loss=10000 -s fault.seed=42
err_has 'faulted: no message is missing any more'

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
