#!/bin/sh
# hiaton compare: rows of inputs, every format against goldens, each number against that of
# hiaton run, what is said where a run has no result, exit statuses. HIATON is the program.
# shellcheck disable=SC2016 # backquotes are what messages have
set -u
about='compare'
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >sum.df <<'TEXT'
input m = 2
input n = 3
input x = 0.5
input double = false
result = (f(m, n), x * real(f(1, n)))
f(m, n) = if n == 0 then (if double then 2 * m else m) else f(m + 1, n - 1)
TEXT
cat >fib.df <<'TEXT'
input n = 10
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >trap.df <<'TEXT'
input n = 1
result = f(n)
f(n) = if n == 0 then 10 / n else f(n - 1)
TEXT

# --- rows ----------------------------------------------------------------------

# rows ARGUMENT...: the inputs of the rows, a line each.
rows() {
    expect 0 "$@" --csv --columns calls
    cut -d, -f"1-$columns" out | sed 1d >rows
    mv rows out
}

columns=2
rows sum.df n=0..2 m=5,7
shows <<'TEXT'
0,5
0,7
1,5
1,7
2,5
2,7
TEXT
rows sum.df --rows n=3..1:-1 m=5,7,5
shows <<'TEXT'
3,5
2,7
1,5
TEXT
rows sum.df --rows m=4 n=1,3..5:2,2
shows <<'TEXT'
4,1
4,3
4,5
4,2
TEXT
rows sum.df x=-0.5..0.5:0.25,1e3 double=true,false
shows <<'TEXT'
-0.5,true
-0.5,false
-0.25,true
-0.25,false
0.0,true
0.0,false
0.25,true
0.25,false
0.5,true
0.5,false
1000.0,true
1000.0,false
TEXT

# --- formats -------------------------------------------------------------------

shown=cycles,speedup,calls,firings,utilisation
expect 0 fib.df n=2..4:2 -m ideal --columns $shown
silent
shows <<'TEXT'
n  strategy   result  cycles  speedup %  calls  firings  utilisation
2  static          1      15       0.00      3       22            -
2  expanding       1      15                 3       22            -
4  static          3      31       0.00      9       67            -
4  expanding       3      31                 9       67            -

speedup: copying takes no time (copy.latency=0, copy.node.latency=0)
TEXT
expect 0 fib.df n=2..4:2 -m ideal --columns $shown --csv
shows <<'TEXT'
inputs.n,result,static.status,expanding.status,static.cycles,expanding.cycles,speedup,calls,static.firings,expanding.firings,static.utilisation,expanding.utilisation
2,"1",completed,completed,15,15,0.0,3,22,22,,
4,"3",completed,completed,31,31,0.0,9,67,67,,
TEXT
expect 0 sum.df -m ideal --columns speedup,loop_iterations,cycles --latex n=1,-0 x=-1.5
shows <<'TEXT'
% \usepackage{booktabs}
  \begin{tabular}{rrlrrrr}
    \toprule
    & & & & & \multicolumn{2}{c}{cycles} \\
    \cmidrule(lr){6-7}
    n & x & result & speedup \% & loop\_iterations & static & expanding \\
    \midrule
    1 & $-$1.5 & (3, -3.0) & 0.00 & 0 & 18 & 18 \\
    0 & $-$1.5 & (2, -1.5) & 0.00 & 0 & 11 & 11 \\
    \bottomrule
  \end{tabular}
% copy.workers=0: copying keeps no worker busy
TEXT

# Why one strategy wins: of the last row, where the cycles differ; nothing with -q.
expect 0 fib.df n=4..8:4 --columns cycles
sed -n '/^n=8: /,$p' out >why
{ [ "$(wc -l <why)" -eq 6 ] && grep -qE '^n=8: static takes [0-9.]* % fewer cycles than expanding: [0-9]* instead of [0-9]*$' why; } ||
    fail 'it does not say which is faster'
grep -qxE '  firings  static [0-9]+; expanding [0-9]+; critical path of [0-9]+ and [0-9]+' why || fail 'no firings'
grep -qxE '  copies   expanding makes [0-9]+, of [0-9]+ nodes in all; the graph of static has [0-9]+' why || fail 'no copies'
# Tokens: of one argument each call has one control token more under static.
grep -qxE '  tokens   static 668 \(67 control tokens of calls\); expanding 601; per PE 42 and 38' why ||
    fail 'no tokens'
# The differences of firings by opcode add up to that of the firings.
grep -qxE '  opcodes  static has \+67 merge, \+67 call, \+67 return, -67 param, -67 apply, -67 result' why ||
    fail 'no opcodes'
# A number that rests on free copies says so, and only such a number.
grep -qx 'speedup: copying keeps no worker busy (copy.workers=0), so that a copy delays its own call only;' out ||
    fail 'it does not say that copies are free'
grep -qx -e '-s copy.workers=16 has one worker for each PE' out || fail 'no setting that makes copies cost'
expect 0 fib.df n=8 -s copy.workers=16
grep -q '^speedup: ' out && fail 'it says that copies are free where workers make them'
expect 0 sum.df n=0..1 --columns cycles -m tf-executor
grep -q '^speedup: ' out && fail 'it says so of an executor'
expect 0 fib.df n=8 --json
grep -q '^  "copy_workers": 0,$' out || fail 'no workers in JSON'
# Of three arguments a call has 5 control tokens, and 2 JOINs.
cat >three.df <<'TEXT'
input n = 6
result = f(n, 1, 2)
f(n, a, b) = if n == 0 then a + b else f(n - 1, b, a)
TEXT
expect 0 three.df --columns cycles
grep -q '^  tokens   static [0-9]* (35 control tokens of calls); ' out || fail 'not 5 control tokens for each of 7 calls'
awk '/^  tokens / { gsub(/[;(]/, ""); print $3 - $4 - $10 }' out | grep -qx 0 || fail 'the control tokens are not the difference'
awk '/^  opcodes / { for (i = 4; i < NF; i += 2) sum += $i } /^  firings / { gsub(/;/, ""); want = $3 - $5 }
    END { exit sum != want }' out || fail 'opcodes do not add up to the firings'

# The differences of causes add up to that of the cycles.
grep '^  causes' why | tr ',' '\n' | sed -n 's/.*[ ]\([+-][0-9]*\) [a-z_]*$/\1/p' | awk '{ sum += $1 } END { print sum }' >sum
sed -n 's/^n=8: .*: \([0-9]*\) instead of \([0-9]*\)$/\2 \1/p' why | awk '{ print $1 - $2 }' >gap
cmp -s sum gap || fail "the causes add up to $(cat sum), not $(cat gap)"
expect 0 fib.df n=4..8:4 --columns cycles -q
grep -q 'fewer cycles' out && fail 'it says why with -q'
expect 0 fib.df n=8 -s tag.scheme=interned -m tf-executor --columns cycles
grep -q '^  causes ' out || fail 'no causes of an executor'

# The speedup is that of table 1: 100 * (1 - static / expanding).
expect 0 fib.df n=3..9 --csv --columns cycles,speedup
awk -F, 'NR > 1 { d = 100 * (1 - $5 / $6) - $7; if (d < 0) d = -d; if (!(d < 1e-9)) exit 1 }
    END { exit NR != 8 }' out || fail "another speedup"

# Whatever is printed does not depend on how many processes simulate.
for form in --csv --json --latex --quiet; do
    expect 0 fib.df n=1..12 $form
    mv out one
    expect 0 fib.df n=1..12 $form -j 3
    same one out
    expect 0 fib.df n=1..12 $form -j 3 -o file
    [ ! -s out ] || fail "something on standard output"
    same one file
done

# Each number is that of hiaton run.
# stats ROW STRATEGY FILE: "key": value, of all statistics, from the JSON object in FILE.
stats() {
    awk -v row="$1" -v side="$2" '
        /^      "inputs":/ { at++ }
        $1 == "\"" side "\":" { in_side = at == row }
        /^      }/ { in_side = 0 }
        in_side && $1 ~ /^"/ && $2 != "{" { sub(/,$/, ""); print $1, $2 }' "$3"
}
settings='-s pe.count=4 -s copy.workers=2 -s copy.placement=placed -s deadness=propagate --seed 7'
# shellcheck disable=SC2086 # options
expect 0 fib.df n=8,9 $settings --json
mv out both.json
for strategy in static expanding; do
    row=0
    for n in 8 9; do
        row=$((row + 1))
        # shellcheck disable=SC2086
        "$HIATON" run --json --strategy $strategy $settings fib.df n=$n >run.json || fail "run"
        stats $row $strategy both.json | sort >found
        [ "$(wc -l <found)" -gt 30 ] || fail "only $(wc -l <found) statistics"
        # What run has besides: what ran, each PE, the host.
        sed -n 's/^  \("[a-z_]*":\) \(.*[^,{[]\),*$/\1 \2/p' run.json | sort >all
        grep -v '"reason"' found >wanted
        comm -23 wanted all >only
        [ ! -s only ] || fail "$strategy n=$n: not as run has it: $(head -n 3 only)"
    done
done

# --- a program without inputs; standard input; assembly --------------------------

echo 'result = (1, 2.5)' >pair.df
expect 0 pair.df --columns speedup,firings
shows <<'TEXT'
strategy   result    speedup %  firings
static     (1, 2.5)       0.00        2
expanding  (1, 2.5)                   2
TEXT
last='-'
"$HIATON" compare - --csv --columns firings <pair.df >out 2>err || fail "standard input"
shows <<'TEXT'
result,static.status,expanding.status,static.firings,expanding.firings
"(1, 2.5)",completed,completed,2,2
TEXT
"$HIATON" graph --stage functions fib.df >fib.s || fail "graph"
expect 0 fib.s n=6 --json
sed '/"program"/d' out >assembly
expect 0 fib.df n=6 --json
sed '/"program"/d' out >source
same source assembly
"$HIATON" compile fib.df -o fib.img || fail "compile"
expect 2 fib.img
[ ! -s out ] || fail "something on standard output"
err_has 'fib.img: error: this is an image, made by one strategy'

# --- no result -------------------------------------------------------------------

expect 4 fib.df n=5,10,6 -m ideal -s limits.tokens=1000 --columns cycles,calls
err_has 'n=10: static (limit): fib.df: limit reached: limits.tokens = 1000'
err_has 'n=10: expanding (limit): fib.df: limit reached'
shows <<'TEXT'
 n  strategy   result  cycles  calls
 5  static     5           39     15
 5  expanding  5           39     15
10  static     limit        -      -
10  expanding  limit        -      -
 6  static     8           47     25
 6  expanding  8           47     25

speedup: copying takes no time (copy.latency=0, copy.node.latency=0)
TEXT
expect 4 fib.df n=5,10,6 -s limits.tokens=1000 --csv --columns cycles,calls
grep -q '^10,,limit,limit,,,$' out || fail "no row of limits"
expect 3 trap.df n=2
err_has 'n=2: static (trapped): trap.df:3:26: division by zero'
err_has 'n=2: expanding (trapped): trap.df:3:26: division by zero'
expect 3 trap.df n=2 --json
grep -q '"status": "trapped"' out || fail "no status"
grep -q '"agree": false' out || fail "they agree"

# Only one has a result: copies do not fit.
expect 4 fib.df n=8 -s copy.capacity=20 --columns cycles,speedup
err_has 'n=8: expanding (store_full): fib.df: store full'
grep -q 'n=8: static' err && fail "static has failed"
grep -q 'store_full' out || fail "not shown"

# Many: ten are told.
expect 4 fib.df n=20..34 -s limits.tokens=500
err_has 'and 5 more rows'

# --- where it goes -----------------------------------------------------------------

expect 2 fib.df -o missing/out.csv
err_has 'missing/out.csv'
mkdir folder
expect 2 fib.df -o folder
echo kept >kept.csv
expect 2 fib.df n=x --csv -o kept.csv
[ "$(cat kept.csv)" = kept ] || fail "a file was lost"

# --- interrupted -------------------------------------------------------------------

last='fib.df n=30..40'
"$HIATON" compare fib.df n=30..40 -j 2 -o long >out 2>err </dev/null &
long=$!
sleep 0.7
kill -INT $long
wait $long
ended=$?
[ $ended -eq 130 ] || fail "status $ended, expected 130"
err_has 'interrupted, with '
[ ! -e long ] || fail "a file was written"

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
