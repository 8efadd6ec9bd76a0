#!/bin/sh
# Figures and labels: the scripts for gnuplot against tests/data/figures/NAME.gp, which
# UPDATE_GOLDEN=1 writes; labels in tables, LaTeX and CSV; fonts; what gnuplot draws of them.
# shellcheck disable=SC2016,SC1003,SC2015,SC2012 # backquotes and backslashes are what is looked for; names are plain
set -u
about='results'
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >fib.df <<'TEXT'
input n = 10
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >labels.yaml <<'TEXT'
program: fib.df
settings:
  pe.count: [1, 2, 4, 8]
  queue.discipline: [fifo, lifo]
  network.latency: [1, 10]
inputs.n: [6, 8]
labels:
  cycles: run time [cycles]
  pe: {count: {name: PEs, values: {8: eight}}}
  queue.discipline: {name: order, values: {fifo: oldest first, lifo: newest_first}}
  program.values: {fib: Fibonacci}
tables:
  - name: cycles
    rows: [program, pe.count]
    columns: queue.discipline
    values: [cycles, tokens]
    where: inputs.n == 6 and network.latency == 1
    labels: {tokens: moved}
  - name: labelled
    rows: [program, pe.count]
    columns: [network.latency, queue.discipline]
    values: cycles
    where: inputs.n == 6
    csv: labels
figures:
  - name: direct
    x: pe.count
    y: cycles
    by: inputs.n
    panels: [queue.discipline, network.latency]
    scale: {x: log2}
    range: {y: [0, auto]}
  - name: inside
    x: pe.count
    y: cycles
    by: inputs.n
    where: queue.discipline == 'fifo' and network.latency == 1
    relative: {to: pe.count == 1, as: speedup}
    references: [{line: y = x, label: linear}, {line: y = 2, label: twice}, x = 4]
    range: {y: [0, 8]}
    legend: inside
  - name: below
    kind: bars
    x: pe.count
    y: cycles
    by: [queue.discipline, network.latency]
    where: inputs.n == 8
    references: y = 500
  - name: heat
    kind: heat
    x: pe.count
    y: inputs.n
    z: cycles
    where: queue.discipline == 'lifo'
    panels: network.latency
    labels: {z: "time"}
TEXT
"$HIATON" sweep run -q labels.yaml >out 2>err || fail "the sweep fails"

# --- labels in tables -------------------------------------------------------------

expect 0 show labels.db cycles
shows <<'TEXT'
                                        order
                        oldest first              newest_first
program    PEs    run time [cycles]  moved  run time [cycles]  moved
Fibonacci  1                    315    248                323    248
           2                    270    248                309    248
           4                    252    248                254    248
           eight                229    248                242    248
TEXT
expect 0 latex labels.db cycles
grep -qF '& & \multicolumn{4}{c}{order} \\' out && grep -qF '   \cmidrule(lr){3-6}' out ||
    fail "no name over the columns"
grep -qF '& & \multicolumn{2}{c}{oldest first} & \multicolumn{2}{c}{newest\_first} \\' out ||
    fail "no labels of values"
grep -qF '    Fibonacci & 1 & 315 & 248 & 323 & 248 \\' out && grep -qF '     & 2 & 270 & 248 & 309 & 248 \\' out ||
    fail "a head is repeated: $(cat out)"
grep -qF 'program & PEs & run time [cycles] & moved & run time [cycles] & moved \\' out ||
    fail "no labels of columns"
expect 0 csv labels.db cycles
[ "$(head -n 1 out)" = 'program,pe.count,cycles[queue.discipline=fifo],tokens[queue.discipline=fifo],cycles[queue.discipline=lifo],tokens[queue.discipline=lifo]' ] ||
    fail "labels in CSV that were not asked for"
[ "$(sed -n 5p out | cut -d, -f1,2)" = fib,8 ] || fail "labels in CSV"
expect 0 csv labels.db labelled
[ "$(head -n 1 out | cut -d, -f1-2)" = 'program,PEs' ] || fail "no labels in CSV"
grep -qF '"run time [cycles] [network.latency = 10, newest_first]"' out || fail "no labels in CSV"
[ "$(sed -n 5p out | cut -d, -f1,2)" = Fibonacci,eight ] || fail "no labels of values in CSV"

# Of one value the name stands over the columns, and so do the names of their parameters.
expect 0 show labels.db labelled
shows <<'TEXT'
                       run time [cycles] by network.latency, order
                              1                           10
program    PEs    oldest first  newest_first  oldest first  newest_first
Fibonacci  1               315           323           315           323
           2               270           309           286           311
           4               252           254           324           350
           eight           229           242           334           346
TEXT
expect 0 latex labels.db labelled
grep -qF '& & \multicolumn{4}{c}{run time [cycles] by network.latency, order} \\' out || fail "no title: $(cat out)"
grep -qF '& & \multicolumn{2}{c}{1} & \multicolumn{2}{c}{10} \\' out || fail "groups are not joined"
grep -qF '    \cmidrule(lr){3-4} \cmidrule(lr){5-6}' out || fail "no rules under groups"
grep -qF 'program & PEs & oldest first & newest\_first & oldest first & newest\_first \\' out || fail "no heads"

# Labels are texts, or LaTeX; what has no label is a text in either case.
cat >raw.yaml <<'TEXT'
program: fib.df
settings: {pe.count: [1, 2], queue.discipline: [fifo, lifo]}
labels:
  cycles: '$T_{\mathrm{p}}$'
  pe.count: {values: {2: $2^1$}}
  queue.discipline: {values: {fifo: '\emph{first}'}}
tables:
  - {name: raw, caption: Times $T$ of a_b, rows: pe.count, columns: queue.discipline, values: [cycles, peak_tags], latex: raw}
  - {name: escaped, rows: pe.count, columns: queue.discipline, values: cycles}
TEXT
"$HIATON" sweep run -q raw.yaml >out 2>err || fail "the sweep of raw labels fails"
expect 0 latex raw.db raw
grep -qF '\caption{Times $T$ of a_b}' out || fail "the caption is no LaTeX"
grep -qF 'multicolumn{2}{c}{\emph{first}} & \multicolumn{2}{c}{lifo}' out || fail "a label of a value is no LaTeX"
grep -qF '    pe.count & $T_{\mathrm{p}}$ & peak\_tags & $T_{\mathrm{p}}$ & peak\_tags \\' out ||
    fail "heads are wrong: $(cat out)"
grep -qF '    $2^1$ & ' out || fail "a label of a row is no LaTeX"
expect 0 show raw.db raw
grep -qF '$T_{\mathrm{p}}$' out || fail "a label is not as it is in a text"
expect 0 latex raw.db escaped
grep -qF '\$T\_\{\textbackslash{}mathrm' out || fail "a label is not escaped"

# Labels of the experiment hold for options; and are taken where they were edited.
expect 0 show labels.db --rows pe.count --values cycles --where 'inputs.n == 6' --of max
[ "$(head -n 1 out)" = 'PEs    run time [cycles] (greatest over order, network.latency)' ] || fail "no labels for options"
expect 0 csv labels.db --rows pe.count --values cycles --csv labels --of min
[ "$(head -n 1 out)" = 'PEs,"run time [cycles] (least over order, network.latency, n)"' ] || fail "no labels for --csv"
"$HIATON" sweep run -q labels.yaml -o part.db --only 'pe.count == 1' >out 2>err || fail "a part"
sed -i 's/name: PEs/name: processors/; s/{fib: /{fig: /' labels.yaml
expect 0 show labels.db cycles
err_has 'the tables and figures of labels.yaml are not those that labels.db keeps'
err_has 'labels: no run has the program `fig`; did you mean `fib`?'
grep -q '^program  processors' out || fail "edited labels are not taken"
# Not where runs are still to be made: they may have it.
expect 0 show part.db cycles
err_has 'left out: '
grep 'no run has' err && fail "a label of runs to come"
sed -i 's/{fig: /{fib: /' labels.yaml

# --- figures ---------------------------------------------------------------------

if ! command -v gnuplot >/dev/null; then
    echo "gnuplot is not installed: figures are not drawn" >&2
    [ "$failures" -eq 0 ] || exit 1
    exit 77
fi
expect 0 all labels.db --experiment labels.yaml -o made
silent
for name in direct inside below heat; do
    golden=$SRCDIR/tests/data/figures/$name.gp
    last="results all, $name.gp"
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        cp made/$name.gp "$golden"
    else
        cmp -s "$golden" made/$name.gp ||
            fail "$(diff "$golden" made/$name.gp; echo '(UPDATE_GOLDEN=1 writes it)')"
    fi
    # All four panels have one scale.
    [ "$(grep -c '^set yrange' made/$name.gp)" -eq "$(grep -c '^set xrange' made/$name.gp)" ] ||
        fail "an axis without a range"
    [ "$(grep '^set yrange' made/$name.gp | sort -u | wc -l)" -eq 1 ] || fail "scales differ"
    # The names of fonts that the reader may have are in the SVG.
    grep -q 'font-family="Helvetica&#44;Arial&#44;sans-serif"' made/$name.svg ||
        fail "other fonts in the SVG"
    if command -v pdffonts >/dev/null; then
        pdffonts made/$name.pdf | awk 'NR > 2 && $(NF - 4) != "yes" { bad = 1 }
            NR > 2 { some = 1 } END { exit !some || bad }' || fail "fonts are not embedded"
    else
        grep -aq '/FontFile' made/$name.pdf || fail "no fonts in $name.pdf"
    fi
done
[ "$(grep '^set cbrange' made/heat.gp | sort | uniq -c | awk '{ print $1, $4 }')" = "2 [200:800]" ] ||
    fail "colours differ"
[ "$(grep -c "^set label 'n' " made/direct.gp)" -eq 1 ] || fail "a name stands more than once"
grep -q "'processors'" made/direct.gp || fail "no label of an axis"
grep -q '.oldest first, network.latency = 10.' made/direct.gp ||
    fail "no label of a panel"

# The same by options.
expect 0 plot labels.db --name options --x pe.count --y cycles --by inputs.n \
    --where "queue.discipline == 'fifo' and network.latency == 1" --relative 'pe.count == 1' \
    --as speedup --references 'y = x,y = 2' --y-range 0,8 --x-range auto,9 --legend right
grep -q '^set yrange \[0:8\]' options.gp || fail "no range"
grep -q '^set xrange \[.*:9\]' options.gp || fail "no range of x"
grep -q 'x\*1/1 with lines' options.gp || fail "no y = x"

# --- pictures -----------------------------------------------------------------------------

# A file is a picture, and nothing beside it; of several figures each has its name in it.
mkdir pictures
expect 0 plot labels.db inside -o pictures/one.svg
[ "$(ls pictures)" = one.svg ] || fail "other files than the picture: $(ls pictures)"
grep -q 'Produced by GNUPLOT' pictures/one.svg || fail "it is no picture"
expect 0 plot labels.db all -o pictures/pic.png
[ "$(ls pictures | tr '\n' ' ')" = 'one.svg pic-below.png pic-direct.png pic-heat.png pic-inside.png ' ] ||
    fail "not a picture of each figure: $(ls pictures)"
head -c 8 pictures/pic-heat.png | grep -aq PNG || fail "it is no PNG"
expect 0 plot labels.db --name described --x pe.count --y cycles --by inputs.n --of mean -o pictures/two.pdf
head -c 5 pictures/two.pdf | grep -q '%PDF-' || fail "options make no picture"
expect 2 all labels.db -o pictures/pic.png
err_has '`plot labels.db -o pictures/pic.png` makes pictures'
mkdir folder.png
expect 0 plot labels.db inside -o folder.png
[ -s folder.png/inside.gp ] || fail "a folder that is there is not used"

# --- widths, panels side by side, axes of their own ---------------------------------------

cat >sides.yaml <<'TEXT'
program:
  - {file: fib.df, inputs: {n: [6, 8]}}
  - {file: fib.df, name: again, inputs: {n: [7, 9]}}
settings: {pe.count: [1, 2]}
figures:
  - {name: wide, kind: bars, x: inputs.n, y: cycles, by: pe.count, panels: program, width: page, beside: 2, axes: own_x}
  - {name: log, kind: heat, x: pe.count, y: inputs.n, z: cycles, where: program == 'fib', scale: {z: log2}, width: 6}
TEXT
"$HIATON" sweep run -q sides.yaml --outputs sides >out 2>err || fail "the sweep of panels fails"
grep -q 'size 17.50cm' sides/wide.gp || fail "it is not as wide as a page"
[ "$(grep '^set xtics scale' sides/wide.gp | tr '\n' ';')" = \
    "set xtics scale 0 ('6' 0, '8' 1);set xtics scale 0 ('7' 0, '9' 1);" ] || fail "no x axes of their own"
[ "$(grep '^set yrange' sides/wide.gp | sort -u | wc -l)" -eq 1 ] || fail "axes: own_x changes y"
grep -q 'size 6.00cm' sides/log.gp && grep -q '^set logscale cb 2' sides/log.gp || fail "no log scale of colours"
expect 0 plot sides.db --name log2 --kind heat --x pe.count --y inputs.n --z cycles --where "program == 'fib'" \
    --z-scale log2 --width 6
sed 's/^set output.*//; /^#/d; s/log2/log/g' log2.gp >options
sed 's/^set output.*//; /^#/d' sides/log.gp | sed 's/log2/log/g' >file
cmp -s options file || fail "options make another figure: $(diff options file)"
expect 2 plot sides.db --x pe.count --y cycles --width 3
err_has 'expected column, page, or 4 to 60 cm'
expect 2 plot sides.db --x pe.count --y cycles --z-scale log2
err_has 'scale.z: only a heat map (kind: heat) has a `z`'

# --- two keys, and causes ----------------------------------------------------------------

# The first key is the colour, the second one the dash and the point, or the hatching.
expect 0 plot labels.db --name two --x pe.count --y cycles --by inputs.n,queue.discipline \
    --where 'network.latency == 1' --legend below
grep -q '^set linetype 2 lc rgb "#1A4AB7" lw 1.5 dt (10,3) pt 5 ' two.gp || fail "the second key is no dash"
grep -q '^set linetype 3 lc rgb "#D1812A" lw 1.5 dt 1 pt 7 ' two.gp || fail "the first key is no colour"
[ "$(grep -c -e '.n:.' -e '.order:.' two.gp)" -eq 2 ] || fail "no names of two keys: $(grep 'set label' two.gp)"
grep -q 'fs transparent pattern' made/below.gp || fail "bars of the second key are not hatched"

# Where combinations are missing, the legend names those that there are.
expect 0 plot labels.db --name three --x pe.count --y cycles --by inputs.n,queue.discipline \
    --where "network.latency == 1 and (inputs.n == 6 or queue.discipline == 'fifo')" --legend below
grep -q '^set label .n, order:.' three.gp && grep -q '^set label .6, newest\\_first.' three.gp ||
    fail "the legend names no curves: $(grep 'set label' three.gp)"
grep -q '^set linetype 2 lc rgb "#1A4AB7" lw 1.5 dt (10,3) pt 5 ' three.gp || fail "the second key is no dash"

# Causes are words in the figure, and columns in its data.
cat >causes.yaml <<'TEXT'
program: fib.df
settings: {pe.count: [1, 2]}
measure: causes
figures:
  - {name: causes, kind: stacked, x: pe.count, y: [causes.issue_slot, causes.link], whole: cycles}
TEXT
"$HIATON" sweep run -q causes.yaml --outputs causes >out 2>err || fail "the sweep of causes fails"
grep -q '^set label .issue slots. at' causes/causes.gp || fail "a cause is no word"
grep -q '^# causes.issue slot$' causes/causes.dat || fail "other names in the data: $(cat causes/causes.dat)"
grep -q 'fs transparent pattern 5' causes/causes.gp || fail "parts are not hatched"

# --- runs that failed ----------------------------------------------------------------

# Of 2 and 8 PEs runs end early: their line has a gap, and marks over the axis, which goes to 8 all
# the same.
cat >failing.yaml <<'TEXT'
program: fib.df
inputs.n: [6, 8]
zip: {pe.count: [1, 2, 4, 8], limits.cycles: [0, 300, 0, 10]}
figures:
  - {name: gap, x: pe.count, y: cycles, by: inputs.n, scale: {x: log2}}
  - {name: cells, kind: heat, x: pe.count, y: inputs.n, z: cycles}
  - {name: beside, kind: bars, x: pe.count, y: cycles, by: inputs.n}
TEXT
"$HIATON" sweep run -q failing.yaml >out 2>err
[ $? -eq 1 ] || fail "the sweep does not fail"
expect 0 all failing.db -o gaps
err_has '`gap`: left out: 3 that failed'
sed -n '/^# n: 8/,$p' gaps/gap.dat | grep -v '^#' | grep . | cut -d' ' -f1,2,5 | tr '\n' ';' >found
[ "$(cat found)" = "1 738 1;2 NaN 0;4 $(sed -n '/^# n: 8/,$p' gaps/gap.dat | awk '$1 == 4 { print $2 }') 1;8 NaN 0;" ] ||
    fail "no gap in the data: $(cat gaps/gap.dat)"
[ "$(grep -c '^[0-9]' gaps/cells.dat) $(grep -c '^[0-9]* [0-9]* NaN ' gaps/cells.dat)" = "8 3" ] ||
    fail "rows of a heat map are not whole: $(cat gaps/cells.dat)"
[ "$(grep -c '^set label "" at first 8, graph .* point pt 2' gaps/gap.gp)" -eq 4 ] || fail "no marks of both at 8 PEs"
[ "$(grep -c '^set label "" at first 2, graph .* point pt 2' gaps/gap.gp)" -eq 2 ] || fail "no mark at 2 PEs"
grep -q '^set xrange .*:8\.5' gaps/gap.gp || fail "the axis ends where runs failed"
grep -q '×: failed' gaps/gap.gp || fail "the mark is not explained"
[ "$(grep -c '^set label "" at first 3, first [01] ' gaps/cells.gp)" -eq 4 ] || fail "no marks in cells"
[ "$(grep -c '^set label "" at first 2.8, graph ' gaps/beside.gp)" -eq 2 ] || fail "no mark in the place of a bar"
expect 0 csv failing.db gap
grep -q '^8,' out && fail "a row of nothing but runs that failed"

# --- mistakes ----------------------------------------------------------------------

expect 2 plot labels.db --x pe.count --y cycles --y-range 8,0
err_has 'expected [least, greatest], found [8, 0]'
expect 2 plot labels.db --x pe.count --y cycles --references 'y = 2x'
err_has 'expected `y = x`, `y = NUMBER` or `x = NUMBER`, found `y = 2x`'
expect 2 plot labels.db --x pe.count --y cycles --legend insde
err_has 'did you mean `inside`?'

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
