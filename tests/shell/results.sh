#!/bin/sh
# Tables and figures of results: what is shown, against goldens and against sums made by
# awk from the exported results; mistakes; what is left out; figures, byte for byte.
# shellcheck disable=SC2016,SC1003 # backquotes and backslashes are what messages have
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# --- a database ----------------------------------------------------------------

cat >fib.df <<'TEXT'
input n = 10
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >tiny.yaml <<'TEXT'
title: A tiny experiment
program: fib.df
settings:
  placement.policy: random
  pe.count: [1, 4]
inputs.n: [5, 8]
repeat: {times: 3, seed: per-repetition}
tables:
  - name: cycles
    caption: Cycles & "more" of 100%
    rows: pe.count
    columns: inputs.n
    values: [cycles, parallelism]
  - name: speedup
    rows: [inputs.n, pe.count]
    values: cycles
    spread: ci95
    relative: {to: pe.count == 1, as: speedup}
figures:
  - name: line
    caption: Cycles
    x: pe.count
    y: cycles
    by: inputs.n
    spread: ci95
    scale: {x: log2, y: log10}
TEXT
expect 0 sweep run tiny.yaml --csv tiny.csv

# --- tables --------------------------------------------------------------------

expect 0 results show tiny.db
silent
shows <<'TEXT'
tiny: A tiny experiment
12 of 12 runs: 12 completed

program                  fib
repetition               1 2 3
seed                     121991292097340 12770013772998 92465438010547
pe.count                 1 4
inputs.n                 5 8

table  cycles            Cycles & "more" of 100%
table  speedup
figure line              Cycles
TEXT
expect 0 results show tiny.db cycles
silent
shows <<'TEXT'
Cycles & "more" of 100%

                             n
                   5                    8
pe.count  cycles  parallelism  cycles  parallelism
       1   212.0        2.872   738.0        7.968
       4   195.3        2.872   379.3        7.968

mean of up to 3 repetitions
TEXT
expect 0 results latex tiny.db cycles
silent
shows <<'TEXT'
% \usepackage{booktabs}
% mean of up to 3 repetitions
\begin{table}
  \centering
  \caption{Cycles \& \textquotedbl{}more\textquotedbl{} of 100\%}
  \label{tab:cycles}
  \begin{tabular}{rrrrr}
    \toprule
    & \multicolumn{4}{c}{n} \\
    \cmidrule(lr){2-5}
    & \multicolumn{2}{c}{5} & \multicolumn{2}{c}{8} \\
    \cmidrule(lr){2-3} \cmidrule(lr){4-5}
    pe.count & cycles & parallelism & cycles & parallelism \\
    \midrule
    1 & 212.0 & 2.872 & 738.0 & 7.968 \\
    4 & 195.3 & 2.872 & 379.3 & 7.968 \\
    \bottomrule
  \end{tabular}
  \par\smallskip\footnotesize mean of up to 3 repetitions
\end{table}
TEXT
expect 0 results csv tiny.db cycles
silent
shows <<'TEXT'
pe.count,cycles[inputs.n=5],parallelism[inputs.n=5],cycles[inputs.n=8],parallelism[inputs.n=8]
1,212,2.871794871794872,738,7.968253968253968
4,195.33333333333334,2.871794871794872,379.3333333333333,7.968253968253968
TEXT
expect 0 results show tiny.db speedup
shows <<'TEXT'
inputs.n  pe.count  cycles (speedup)
       5         1             1.000
                 4     1.087 ± 0.145
       8         1             1.000
                 4     1.946 ± 0.107

mean of up to 3 repetitions; ±: 95 % interval of the mean (Student's t)
TEXT
expect 0 results latex tiny.db speedup -o speedup.tex
[ ! -s out ] || fail "something on standard output"
grep -qF ' & 4 & 1.946 $\pm$ 0.107 \\' speedup.tex || fail "no interval in speedup.tex"
grep -qF 'begin{table}' speedup.tex && fail "a table without a caption floats"

# The same without a name, where options say it; and of a figure, whose numbers they are.
expect 0 results csv tiny.db --rows pe.count --columns inputs.n --values cycles,parallelism
cp out by_options
expect 0 results csv tiny.db cycles
same out by_options
expect 0 results csv tiny.db line
head -n 1 out | grep -qxF \
    'pe.count,cycles[inputs.n=5],cycles[inputs.n=5].low,cycles[inputs.n=5].high,cycles[inputs.n=8],cycles[inputs.n=8].low,cycles[inputs.n=8].high' ||
    fail "the head of a figure as a table"

# All results.
expect 0 results csv tiny.db
same out tiny.csv

# --- sums, by awk --------------------------------------------------------------

# by_awk: rows n,pe: mean of cycles, and the ends of its interval; then those of the speedup
# over one PE in the same repetition. On one PE nothing is random: its repetitions are one run,
# which has no interval. For 2 degrees of freedom t is p sqrt(2 / (1 - p^2)).
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
        key = $at["inputs.n"] "," $at["pe.count"]
        c[key, $at["repetition"]] = $at["cycles"]
    }
    function row(key, x,    mean, squares, half, i) { # of p PEs
        mean = (x[1] + x[2] + x[3]) / 3
        for (i = 1; i <= 3; i++) squares += (x[i] - mean) ^ 2
        half = 0.95 * sqrt(2 / (1 - 0.95 ^ 2)) * sqrt(squares / 2) / sqrt(3)
        printf "%s,%.9g,", key, mean
        if (p == 1) printf ","
        else printf "%.9g,%.9g", mean - half, mean + half
    }
    END {
        for (n = 5; n <= 8; n += 3)
            for (p = 1; p <= 4; p += 3) {
                key = n "," p
                for (i = 1; i <= 3; i++) { x[i] = c[key, i]; s[i] = c[n ",1", i] / x[i] }
                row(key, x)
                row("", s)
                print ""
            }
    }' tiny.csv >by_awk
expect 0 results csv tiny.db --rows inputs.n,pe.count --values cycles --spread ci95
cp out means
expect 0 results csv tiny.db speedup
cut -d, -f3- out | paste -d, means - | awk -F, 'NR > 1 {
    printf "%s,%s", $1, $2
    for (i = 3; i <= NF; i++) printf $i == "" ? "," : ",%.9g", $i
    print "" }' >by_hiaton
last="results csv tiny.db"
same by_awk by_hiaton

# The other ways of summing up: cycles of 4 PEs are 193, 195, 198, say.
of() {
    expect 0 results csv tiny.db --rows pe.count --values cycles \
        --where 'pe.count == 4 and inputs.n == 8' "$@"
    found=$(sed -n 2p out)
}
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["pe.count"] == 4 && $at["inputs.n"] == 8 { print $at["cycles"] }' tiny.csv |
    sort -n >three
low=$(sed -n 1p three) middle=$(sed -n 2p three) high=$(sed -n 3p three)
of --of min
[ "$found" = "4,$low" ] || fail "min: $found"
of --of max
[ "$found" = "4,$high" ] || fail "max: $found"
of --of median --spread range
[ "$found" = "4,$middle,$low,$high" ] || fail "median: $found"
of --of sum
[ "$found" = "4,$((low + middle + high))" ] || fail "sum: $found"

# A mean over anything but repetitions is refused, unless it is asked for; then it is said at the
# number.
expect 2 results csv tiny.db --rows pe.count --values cycles
err_has 'a number would be the mean over `inputs.n` (5, 8); add them to `rows` or `columns`, choose one value by `where`, or ask for it by `of: mean`'
expect 2 results plot tiny.db --x inputs.n --y cycles
err_has 'a number would be the mean over `pe.count` (1, 4); add them to `by` or `panels`'
expect 0 results csv tiny.db --rows pe.count --values cycles --where 'inputs.n == 8'
silent
expect 0 results csv tiny.db --rows pe.count --values cycles --of max
[ "$(head -n 1 out)" = 'pe.count,"cycles (greatest over n, repetition)"' ] || fail "a mean that is not said: $(cat out)"

# Where the experiment alone decides that a mean would be hidden, no run begins.
cat >hidden.yaml <<'TEXT'
program: fib.df
grid:
  inputs.n: [5, 6]
  pe.count: [1, 4]
  queue.discipline: [fifo, lifo]
repeat: {times: 2, seed: per-repetition}
tables:
  - {name: shown, rows: [inputs.n, queue.discipline], columns: pe.count, values: cycles}
  - name: table
    rows: pe.count
    columns: queue.discipline
    values: [cycles, firings]
  - {name: asked, rows: pe.count, values: cycles, of: mean}
  - {name: chosen, rows: pe.count, values: cycles, where: inputs.n == 5 and queue.discipline == 'fifo'}
  - {name: later, rows: pe.count, values: cycles, where: cycles < 0}
  - {name: base, rows: [inputs.n, pe.count], values: cycles, relative: {to: queue.discipline == 'fifo'}}
figures:
  - {name: points, kind: points, x: firings, y: cycles}
  - name: line
    x: pe.count
    y: cycles
    by: inputs.n
TEXT
expect 2 sweep run hidden.yaml
shows </dev/null
err_has 'hidden.yaml:9:11: error: `table`: a number would be the mean over `inputs.n` (5, 6); add them to `rows` or `columns`, choose one value by `where`, or ask for it by `of: mean`'
err_has 'hidden.yaml:19:11: error: `line`: a number would be the mean over `queue.discipline` (fifo, lifo); add them to `by` or `panels`'
[ "$(grep -c error err)" -eq 2 ] || fail "other views are refused: $(cat err)"
[ ! -e hidden.db ] || fail 'a run began'
# Of the runs that are asked for, and shown so in the end: nothing is refused that could be shown.
expect 0 sweep run -q --only "inputs.n == 5 and queue.discipline == 'fifo'" hidden.yaml
for name in table line; do
    expect 0 results csv hidden.db $name
done
sed -e '/name: table/,/values/d' -e '/name: line/,$d' hidden.yaml >told.yaml
expect 0 sweep run -q told.yaml
for name in shown asked chosen base; do
    expect 0 results csv told.db $name
done
# The same where a run may have no value, of parts of runs, and of windows.
cat >parts.yaml <<'TEXT'
program: fib.df
grid:
  inputs.n: [5, 6]
  pe.count: [1, 4]
series: true
pe: true
tables:
  - {name: ratio, rows: pe.count, values: parallelism}
  - {name: ratios, rows: [pe.count, inputs.n], values: parallelism}
  - {name: asked, rows: pe.count, values: parallelism, of: mean}
  - {name: later, rows: pe.count, values: parallelism, where: firings > 0}
figures:
  - {name: pes, pe: busy, by: pe.count}
  - {name: each, pe: busy, by: [pe.count, inputs.n]}
  - {name: series, series: live_tokens, by: inputs.n}
TEXT
cat >windows.yaml <<'TEXT'
program: fib.df
grid:
  inputs.n: [5, 6]
  window: [..30, 30..60]
tables:
  - {name: window, rows: window, values: firings}
  - {name: windows, rows: [inputs.n, window], values: firings}
TEXT
expect 2 sweep run parts.yaml
err_has 'parts.yaml:8:12: error: `ratio`: a number would be the mean over `inputs.n` (5, 6)'
err_has 'parts.yaml:13:12: error: `pes`: a number would be the mean over `inputs.n` (5, 6)'
err_has 'parts.yaml:15:12: error: `series`: a number would be the mean over `pe.count` (1, 4)'
[ "$(grep -c error err)" -eq 3 ] || fail "other views are refused: $(cat err)"
[ ! -e parts.db ] || fail 'a run began'
expect 2 sweep run windows.yaml
err_has 'windows.yaml:6:12: error: `window`: a number would be the mean over `inputs.n` (5, 6)'
[ "$(grep -c error err)" -eq 1 ] || fail "other views are refused: $(cat err)"
[ ! -e windows.db ] || fail 'a run began'
sed -e '/name: ratio,/d' -e '/name: pes,/d' -e '/name: series,/d' parts.yaml >whole.yaml
expect 0 sweep run -q whole.yaml
for name in ratios asked each; do
    expect 0 results csv whole.db $name
done

# A base is like its run in each parameter, shown or not: one PE is as fast as itself.
expect 0 results csv tiny.db --rows pe.count --values cycles --relative 'pe.count == 1' --as speedup --of geomean
silent
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { c[$at["inputs.n"], $at["pe.count"], $at["repetition"]] = $at["cycles"] }
    END {
        for (n = 5; n <= 8; n += 3) for (i = 1; i <= 3; i++) sum += log(c[n, 1, i] / c[n, 4, i])
        printf "1,1\n4,%.9g\n", exp(sum / 6)
    }' tiny.csv >by_awk
[ "$(head -n 1 out)" = 'pe.count,"cycles (speedup, geometric mean over n, repetition)"' ] || fail "$(cat out)"
awk -F, 'NR > 1 { printf "%d,%.9g\n", $1, $2 }' out >by_hiaton
same by_awk by_hiaton
# Values per a number of their run, before they are compared: 3 repetitions of each.
expect 0 results csv tiny.db --rows inputs.n,pe.count --values cycles --per pe.count --where 'repetition == 2' --relative 'pe.count == 1' --as speedup
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "inputs.n,pe.count,cycles per pe.count (speedup)"; next }
    $at["repetition"] == 2 { n = $at["inputs.n"]; p = $at["pe.count"]; all[n, p] = $at["cycles"] / p }
    END { for (n = 5; n <= 8; n += 3) for (p = 1; p <= 4; p += 3) printf "%d,%d,%.15g\n", n, p, all[n, 1] / all[n, p] }' tiny.csv >wanted
awk -F, -v OFS=, 'NR > 1 { $3 = sprintf("%.15g", $3) } { print }' out >found
same wanted found
expect 0 results show tiny.db --rows pe.count --columns inputs.n --values cycles --per pe.count --where 'repetition == 1' --digits 6
out_has 'cycles per pe.count'
expect 0 results csv tiny.db --rows pe.count --values cycles --per repetition --of max
out_has 'pe.count,"cycles per repetition (greatest over n, repetition)"'
expect 2 results csv tiny.db --rows pe.count --values cycles --per program
err_has 'expected a column of numbers, found `program`, of text'
expect 2 results csv tiny.db --rows pe.count --values cycles --per 'pe.count,inputs.n'
err_has 'there is no column `pe.count,inputs.n`'
# A second experiment in one database: the first is kept under its name, with other inputs and columns.
cat >one.yaml <<'TEXT'
program: fib.df
inputs.n: [3, 5]
settings.pe.count: [1, 2]
tables: [{name: cycles, rows: inputs.n, columns: pe.count, values: cycles}]
figures: [{name: cycles, x: inputs.n, y: cycles, by: pe.count}]
TEXT
cat >two.yaml <<'TEXT'
program: tak.df
inputs: {x: [5, 6], y: 4, z: 2}
tables: [{name: calls, rows: inputs.x, values: calls}]
TEXT
cp "$SRCDIR/programs/examples/tak.df" .
expect 0 sweep run -q one.yaml -o both.db
expect 0 results csv both.db cycles
mv out one.csv
expect 0 results csv both.db
mv out one.all
expect 0 sweep run -q two.yaml -o both.db
expect 0 results csv both.db calls
mv out two.csv
expect 0 results csv both.db cycles --experiment one
same one.csv out
expect 0 results csv both.db --experiment one
same one.all out
expect 0 results show both.db
out_has '--experiment             one'
expect 0 results show both.db --experiment one
out_has '4 of 4 runs: 4 completed'
expect 0 results all both.db --experiment one -o of_one
same one.csv of_one/cycles.csv
[ -s of_one/cycles.dat ] || fail "no figure of the first experiment"
expect 0 results csv both.db --rows inputs.n,pe.count --values cycles --experiment one
[ "$(grep -c . out)" -eq 5 ] || fail "not the four runs of the first experiment"
expect 2 results csv both.db cycles --experiment nowhere
err_has 'both.db keeps no experiment `nowhere`, and there is no such file'
# The first one again: nothing is run, and the second one is kept.
expect 0 sweep run one.yaml -o both.db
err_has '4 runs, 0 of them new'
expect 0 results csv both.db cycles
same one.csv out
expect 0 results csv both.db calls --experiment two
same two.csv out
expect 2 results csv both.db cycles --experiment one
# Formulas: of each run, before it is compared; the same as by awk.
expect 0 results csv tiny.db --rows inputs.n,pe.count --values 'cycles,(tokens - local_tokens) / (2 * cycles) + -1' --where 'repetition == 2'
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "inputs.n,pe.count,cycles,(tokens - local_tokens) / (2 * cycles) + -1"; next }
    $at["repetition"] == 2 { c = $at["cycles"]; all[$at["inputs.n"], $at["pe.count"]] = sprintf("%d,%.15g", c, ($at["tokens"] - $at["local_tokens"]) / (2 * c) - 1) }
    END { for (n = 5; n <= 8; n += 3) for (p = 1; p <= 4; p += 3) print n, p, all[n, p] }' tiny.csv >wanted
awk -F, -v OFS=, 'NR > 1 { $4 = sprintf("%.15g", $4) } { print }' out >found
same wanted found
expect 0 results csv tiny.db --rows inputs.n,pe.count --values cycles --per pe.count --where 'repetition == 2' --relative 'pe.count == 1' --as speedup
sed 1d out >wanted
expect 0 results csv tiny.db --rows inputs.n,pe.count --values 'cycles / pe.count' --where 'repetition == 2' --relative 'pe.count == 1' --as speedup
sed 1d out >found
same wanted found
expect 0 results csv tiny.db --rows pe.count --values 'cycles / (repetition - repetition)' --where 'inputs.n == 8'
[ "$(sed 1d out | tr '\n' ' ')" = '1, 4, ' ] || fail 'a division by 0 has a number'
expect 2 results csv tiny.db --rows pe.count --values 'cycels / 2'
err_has 'there is no `cycels`; did you mean `cycles`?'
expect 2 results csv tiny.db --rows pe.count --values 'cycles / program'
err_has 'expected a number, found a text'
expect 2 results csv tiny.db --rows pe.count --values 'cycles / 2 == 1'
err_has 'expected a number, found'
expect 2 results csv tiny.db --rows 'cycles / 2' --values cycles
err_has 'there is no column `cycles / 2`'
expect 2 results plot tiny.db --kind heat --x pe.count --y 'cycles / 2' --z cycles
err_has '`y` of a heat map is a column; only `z` may be computed'
expect 0 results plot tiny.db --x pe.count --y 'cycles / inputs.n' --by inputs.n -o computed
[ -s computed/results.dat ] || fail "no figure of a formula"
expect 0 results plot tiny.db --kind heat --x pe.count --y inputs.n --z 'cycles / inputs.n' -o computed
expect 0 results csv tiny.db --rows pe.count --values cycles --relative 'pe.count == 1' \
    --where 'inputs.n == 8'
silent
# What its condition names may differ, and what goes with that: inputs are named at the number.
cat >weak.yaml <<'TEXT'
program: fib.df
zip: {pe.count: [1, 4], inputs.n: [5, 8], network.latency: [1, 2]}
settings.queue.capacity: [0, 64]
TEXT
expect 0 sweep run -q weak.yaml
expect 0 results csv weak.db --rows pe.count --columns queue.capacity --values utilisation --relative 'pe.count == 1'
[ "$(head -n 1 out)" = 'pe.count,"utilisation (ratio, across n)[queue.capacity=0]","utilisation (ratio, across n)[queue.capacity=64]"' ] || fail "$(cat out)"
grep -q '^1,1,1$' out || fail "no base: $(cat out)"
expect 0 results csv tiny.db --rows pe.count,inputs.n --values cycles --relative 'pe.count == 1 and inputs.n == 5'
silent
grep -q '^1,8,3.48' out || fail "another problem is no base: $(cat out)"

# Of seeds that are listed too; not where each run has its own.
cat >seeds.yaml <<'TEXT'
program: fib.df
inputs.n: 8
settings: {placement.policy: random, pe.count: 4, network.topology: [crossbar, mesh]}
seed: [1, 2, 3]
TEXT
expect 0 sweep run -q seeds.yaml
expect 0 results csv seeds.db --rows network.topology --values cycles --spread range \
    --relative "network.topology == 'crossbar'"
grep -qx 'crossbar,1,1,1' out || fail "a base is another one than its own: $(cat out)"
sed 's/^seed: .*/repeat: 3/' seeds.yaml >own.yaml
expect 0 sweep run -q own.yaml
expect 0 results csv own.db --rows network.topology --values cycles --spread range \
    --relative "network.topology == 'crossbar'"
silent
grep -qx 'crossbar,1,1,1' out || fail "no bases of other seeds: $(cat out)"

# Bases do not stand in cells of others, whose means they would pull to 0 %.
expect 0 results csv tiny.db --rows inputs.n --values cycles --relative 'pe.count == 1' --as percent
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { c[$at["inputs.n"], $at["pe.count"], $at["repetition"]] = $at["cycles"] }
    END { for (n = 5; n <= 8; n += 3) {
        s = 0
        for (i = 1; i <= 3; i++) s += 100 * (1 - c[n, 4, i] / c[n, 1, i])
        printf "%d,%.9g\n", n, s / 3 } }' tiny.csv >by_awk
awk -F, 'NR > 1 { printf "%d,%.9g\n", $1, $2 }' out >by_hiaton
same by_awk by_hiaton

# Rows below, of what each column has.
expect 0 results show tiny.db --rows inputs.n --columns pe.count --values cycles --where 'repetition == 1' \
    --below mean,geomean
shows <<'TEXT'
          cycles by pe.count
      inputs.n      1      4
             5    212    184
             8    738    373

          mean    475  278.5
geometric mean  395.5  262.0
TEXT
expect 0 results csv tiny.db --rows inputs.n,pe.count --values cycles,tokens --where 'repetition == 1' --below max
[ "$(tail -n 1 out | cut -d, -f1-3)" = greatest,,738 ] || fail "no row below: $(cat out)"
expect 0 results latex tiny.db --rows inputs.n --columns pe.count --values cycles --of min --below geomean
[ "$(grep -c '^ *.midrule' out)" -eq 2 ] || fail "no rule over the row below"
expect 2 results show tiny.db --rows inputs.n --values cycles --relative 'pe.count == 1' --as percent --of geomean
err_has 'percents may be below 0, and have no geometric mean'
expect 2 results show tiny.db --rows inputs.n --values cycles --relative 'pe.count == 1' --as percent --below geomean
err_has 'percents may be below 0, and have no geometric mean'

# A base need not be among what is shown; percent is what is saved.
expect 0 results csv tiny.db --rows inputs.n --values cycles --of min --as percent \
    --where 'pe.count == 4 and repetition == 1' --relative 'pe.count == 1'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["repetition"] == 1 { c[$at["inputs.n"], $at["pe.count"]] = $at["cycles"] }
    END { for (n = 5; n <= 8; n += 3)
        printf "%d,%.9g\n", n, 100 * (c[n, 1] - c[n, 4]) / c[n, 1] }' tiny.csv >by_awk
awk -F, 'NR > 1 { printf "%d,%.9g\n", $1, $2 }' out >by_hiaton
same by_awk by_hiaton

# A base of several runs is their mean: here of one and four PEs.
expect 0 results csv tiny.db --rows inputs.n,pe.count --values cycles \
    --where 'repetition == 2' --relative 'pe.count >= 1'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["repetition"] == 2 { c[$at["inputs.n"], $at["pe.count"]] = $at["cycles"] }
    END { for (n = 5; n <= 8; n += 3) for (p = 1; p <= 4; p += 3)
        printf "%d,%d,%.9g\n", n, p, 2 * c[n, p] / (c[n, 1] + c[n, 4]) }' tiny.csv >by_awk
awk -F, 'NR > 1 { printf "%d,%d,%.9g\n", $1, $2, $3 }' out >by_hiaton
same by_awk by_hiaton

# Without a name: all tables.
expect 0 results latex tiny.db
[ "$(grep -c 'begin{tabular}' out)" -eq 2 ] || fail "not both tables"
expect 0 results latex tiny.db speedup
[ "$(grep -c 'begin{tabular}' out)" -eq 1 ] || fail "not one table"

# --- mistakes ------------------------------------------------------------------

expect 2 results show tiny.db --rows pe.cuont --values cycles
err_has '<options>:3:13: error: there is no column `pe.cuont`; did you mean `pe.count`?'
expect 2 results show tiny.db --rows pe.count --values status
err_has 'expected a column of numbers, found `status`'
expect 2 results show tiny.db --rows pe.count
err_has 'values'
expect 2 results show tiny.db --rows pe.count --values cycles --of maen
err_has 'did you mean `mean`?'
expect 2 results show tiny.db --rows pe.count --values cycles --where 'pe.count =='
expect 2 results show tiny.db --rows pe.count --values cycles --spread ci95 --of median
err_has 'the spread `ci95` is that of a mean, and `of` is `median`'
expect 2 results show tiny.db --x pe.count --y cycles
err_has '--x is an option of figures: plot'
expect 2 results plot tiny.db --rows pe.count
err_has '--rows is an option of tables: show, csv, latex'
expect 2 results show tiny.db cycels
err_has 'no table or figure `cycels`; it names cycles speedup line'
expect 2 results plot tiny.db cycles
err_has 'no figure `cycles`; it names line'
expect 2 results show tiny.db cycles --rows pe.count
err_has '`cycles` is described in the experiment'
expect 2 results all tiny.db cycles
expect 2 results shwo tiny.db
err_has 'did you mean `show`?'
expect 2 results show
expect 2 results show none.db
err_has 'none.db'
expect 2 results show fib.df
err_has 'fib.df'
: >empty.db
expect 2 results show empty.db
err_has 'empty.db'

# Databases of another layout: the version is the four bytes from byte 60 on.
cp tiny.db newer.db
printf '\000\000\000\143' | dd of=newer.db bs=1 seek=60 conv=notrunc 2>/dev/null
expect 2 results show newer.db
err_has 'newer.db'
cp tiny.db other.db
printf '\000\000\000\002' | dd of=other.db bs=1 seek=68 conv=notrunc 2>/dev/null
expect 2 results show other.db
err_has 'not one of results'

# Folders and files that cannot be.
expect 2 results csv tiny.db -o none/x.csv
expect 2 results plot tiny.db -o none/x
err_has 'none/x'

# --- what is left out ------------------------------------------------------------

cat >'50%_div.df' <<'TEXT'
input n = 10
result = 100 / (n - 4)
TEXT
cat >failing.yaml <<'TEXT'
program: 50%_div.df
inputs.n: [3, 4, 5]
tables:
  - {name: all, rows: [program, inputs.n], values: cycles}
TEXT
expect 1 sweep run failing.yaml
expect 0 results show failing.db all
err_has '`all`: left out: 1 that failed'
shows <<'TEXT'
program  inputs.n  cycles
50%_div         3      27
                5      27
TEXT
expect 0 results show -q failing.db all
silent
expect 0 results latex -q failing.db all
grep -qF '50\%\_div & 3 & 27 \\' out || fail "a name is not escaped"
expect 2 results show failing.db --rows inputs.n --values cycles --where 'inputs.n == 4'
err_has 'there are no completed runs to show: left out: 1 that failed'
expect 0 results csv tiny.db --rows pe.count --values cycles --of mean \
    --relative 'pe.count == 1 and (repetition < 3 or inputs.n == 9)'
err_has 'left out: 4 that have nothing to be compared with'
expect 0 results csv tiny.db --rows pe.count,inputs.n --values cycles --relative 'pe.count == 1 and cycles < 300'
err_has 'left out: 6 that have nothing to be compared with (no base has their `inputs.n`)'
expect 2 results csv failing.db --rows inputs.n --values cycles --relative 'inputs.n == 9'
err_has 'that have nothing to be compared with'
expect 0 sweep run failing.yaml --shard 1/3 -o part.db
expect 0 results show part.db all
err_has 'left out: 2 that have not been run'

# --- figures ---------------------------------------------------------------------

cat >kinds.yaml <<'TEXT'
program: fib.df
settings: {placement.policy: random, pe.count: [1, 4, 16], queue.discipline: [fifo, lifo]}
inputs.n: [6, 8]
repeat: 3
figures:
  - {name: band, x: pe.count, y: cycles, by: queue.discipline, spread: ci95, panels: inputs.n}
  - {name: points, kind: points, x: peak_live_tokens, y: cycles, spread: range, of: mean}
  - {name: bars, kind: bars, x: queue.discipline, y: [cycles, tokens], spread: sd, of: mean}
  - {name: boxes, kind: boxes, x: pe.count, y: cycles, by: queue.discipline}
  - {name: heat, kind: heat, x: pe.count, y: inputs.n, z: cycles, of: mean}
  - {name: logs, x: pe.count, y: cycles, by: inputs.n, where: queue.discipline == 'fifo', scale: {x: log2, y: log10},
     labels: {x: "PEs_{x} @ \"50%\" \\ $", y: "it's"}}
TEXT
expect 0 sweep run kinds.yaml
mkdir empty_path
last="results all kinds.db, without gnuplot"
PATH=$scratch/empty_path "$HIATON" results all kinds.db -o undrawn >out 2>err
[ $? -eq 5 ] || fail "status is not 5"
err_has 'gnuplot is not found (Debian package gnuplot-nox)'
[ -s undrawn/band.gp ] || fail "no script"
[ -s undrawn/band.dat ] || fail "no data"
[ ! -e undrawn/band.pdf ] || fail "a figure without gnuplot"
last="results plot kinds.db, without a name"
PATH=$scratch/empty_path "$HIATON" results plot kinds.db -o every >out 2>err
for name in band points bars boxes heat logs; do
    same undrawn/$name.gp every/$name.gp
done

if command -v gnuplot >/dev/null; then
    expect 0 results all kinds.db -o one
    silent
    sleep 1 # a second later, in another folder, of another language
    last="results all kinds.db, again"
    mkdir elsewhere
    (cd elsewhere && TZ=Asia/Tokyo LC_ALL=en_US.UTF-8 "$HIATON" results all ../kinds.db \
        -o ../two) >out 2>err || fail "the second time fails"
    for name in band points bars boxes heat logs; do
        for ending in gp dat pdf svg; do
            same one/$name.$ending two/$name.$ending
        done
        same undrawn/$name.gp one/$name.gp
        same undrawn/$name.dat one/$name.dat
        # 8.5 cm are 240.9 points; fonts are embedded.
        grep -aqE 'MediaBox \[ 0 0 24[01]' one/$name.pdf || fail "$name.pdf is not 8.5 cm wide"
        grep -aq '/FontFile' one/$name.pdf || fail "$name.pdf has no fonts in it"
        grep -q 'width="321"' one/$name.svg || fail "$name.svg is not 8.5 cm wide"
        grep -q '</svg>' one/$name.svg || fail "$name.svg is not whole"
    done
    found=$(find one -type f | sed 's,^one/,,' | sort | tr '\n' ' ')
    [ "$found" = 'band.dat band.gp band.pdf band.svg bars.dat bars.gp bars.pdf bars.svg boxes.dat boxes.gp boxes.pdf boxes.svg heat.dat heat.gp heat.pdf heat.svg logs.dat logs.gp logs.pdf logs.svg points.dat points.gp points.pdf points.svg ' ] ||
        fail "the folder holds $found"
    # The script draws the figure by itself.
    last="gnuplot band.gp"
    (cd two && rm band.svg && gnuplot band.gp) >out 2>err || fail "the script fails"
    [ -s two/band.svg ] || fail "the script draws nothing"
else
    echo "gnuplot is not installed: figures are not drawn" >&2
fi
# Points over a statistic are runs, each of them.
PATH=$scratch/empty_path "$HIATON" results plot kinds.db --name each --kind points --x firings --y cycles \
    --where 'pe.count == 1' >out 2>err
[ "$(grep -c ' 1$' each.dat)" -eq 4 ] || fail "not every run is a point: $(cat each.dat err)"
expect 2 results plot kinds.db --x firings --y cycles --where 'pe.count == 1'
err_has 'a number would be the mean over `queue.discipline` (fifo, lifo); add them to `by` or `panels`'
expect 2 results plot kinds.db --x pe.count --y cycles --by queue.discipline,repetition,inputs.n,peak_live_tokens
err_has 'more than 16 cannot be told apart'
expect 2 results plot kinds.db --kind heat --x pe.count --y inputs.n
err_has 'z'

# --- with a sweep ------------------------------------------------------------------

expect 0 sweep run tiny.yaml --outputs made
for file in cycles.csv cycles.tex speedup.csv speedup.tex line.gp line.dat; do
    [ -s made/$file ] || fail "--outputs made no $file"
done
expect 0 results csv tiny.db cycles
same out made/cycles.csv

# --- the schema --------------------------------------------------------------------

expect 0 results schema
cp out schema.json
"$HIATON" settings --json | sed -n 's/^      "key": \("[a-z_.]*"\),$/\1/p' >keys
"$HIATON" settings --statistics --json | sed -n '/^  "pe"/q; s/^      "key": \("[a-z_.]*"\),$/\1/p' >>keys
[ "$(wc -l <keys)" -gt 50 ] || fail "few settings and statistics"
while read -r key; do
    grep -qF "        $key: {" schema.json || fail "$key is not in the schema"
done <keys

# --- files of settings ------------------------------------------------------------------

# They are named with a digest. Labels and conditions may say the name alone, and so do heads of
# groups.
echo one >one.net
echo two >two.net
cat >files.yaml <<'TEXT'
program: fib.df
inputs.n: 4
settings.network.file: [one.net, two.net]
labels: {network.file: {values: {one.net: the first}}}
tables:
  - {name: both, rows: program, columns: network.file, values: cycles}
  - {name: ratio, rows: network.file, values: cycles, where: network.file != 'one.net',
     relative: {to: network.file == 'one.net', as: ratio}}
TEXT
expect 0 sweep run files.yaml -q
silent
expect 0 results show files.db both
silent
shows <<'TEXT'
     cycles by network.file
program  the first  two.net
fib            166      166
TEXT
expect 0 results show files.db ratio
silent
grep -qx 'two.net@[0-9a-f]*  *1' out || fail "no ratio of two.net"
expect 2 results show files.db --rows network.file --values cycles --where "network.file == 'one'"

# --- the experiments that come with the program ----------------------------------------

has_metis=
"$HIATON" run "$SRCDIR/programs/examples/fib.df" n=3 -s pe.count=2 -s partition.machines=2 -s partition.by=metis \
    >out 2>err && has_metis=yes

for full in "$SRCDIR"/programs/experiments/*.full.yaml; do
    quick=${full%.full.yaml}.yaml
    expect 0 sweep list "$full"
    last="$quick"
    sed -n '/^tables:/,$p' "$quick" >one.outputs
    sed -n '/^tables:/,$p' "$full" >two.outputs
    same one.outputs two.outputs
    [ -s one.outputs ] || fail "no tables"
    # Without SimGrid nothing runs on platforms.
    if grep -q 'topology:.*simgrid' "$quick" && [ ! -e "${BUILDDIR:-$(dirname "$HIATON")}/hiaton-simgrid.so" ]; then
        echo "SKIPPED: ${quick##*/}, as this hiaton was built without SimGrid (Debian package libsimgrid-dev)" >&2
        continue
    fi
    if grep -q 'partition.by:.*metis' "$quick" && [ -z "$has_metis" ]; then
        echo "SKIPPED: ${quick##*/}, as this hiaton was built without METIS (Debian package libmetis-dev)" >&2
        continue
    fi
    expect 0 sweep run -q -j 2 "$quick" --csv run.csv
    silent
    name=${quick##*/}
    # Tables are made; the figures of all of them only where there is time to draw them.
    if [ -z "${HIATON_QUICK:-}" ] && command -v gnuplot >/dev/null; then
        expect 0 results all "${name%.yaml}.db" -o "${name%.yaml}"
        silent
    fi
done

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
