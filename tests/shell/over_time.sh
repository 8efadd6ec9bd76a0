#!/bin/sh
# Figures of what is beside the rows of runs: series and profiles over time, and PEs. What they show
# is what the files of --series, --profile and --pe have, thinned as is said.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cp "$SRCDIR/programs/examples/fib.df" .
cat >all.yaml <<'TEXT'
program: fib.df
inputs.n: [7, 13]
settings:
  pe.count: [2, 3]
  placement.policy: random
  stats.interval: [16, 1]
repeat: 2
series: true
profile: true
pe: true
links: true
figures:
  - {name: some, series: [live_tokens, firings, waiting], where: number == 1}
  - {name: long, series: [live_tokens, firings, waiting], where: number == 15}
  - {name: greatest, series: [live_tokens, firings, waiting], where: number == 15, thin: max}
  - {name: both, series: live_tokens, where: inputs.n == 13 and pe.count == 2 and stats.interval == 16}
  - {name: profile, profile: [actual, ideal], where: number == 15}
  - {name: pes, pe: [firings, utilisation], where: number == 6}
  - {name: by, pe: busy, kind: lines, by: pe.count, where: inputs.n == 7 and stats.interval == 1}
  - {name: heat, pe: occupancy, kind: heat, y: inputs.n, of: mean}
  - {name: links, links: [busy, load], where: number == 6}
  - {name: time, series: waiting, by: pe.count, panels: inputs.n, axes: own, of: mean, labels: {waiting: "operands [tokens]"}}
TEXT
printf '%s\n' 'program: fib.df' 'inputs.n: 10' 'pe: true' \
    'settings: {pe.count: 32, queue.discipline: [fifo, lifo]}' >wide.yaml
expect 0 sweep run all.yaml --series all.series --profile all.profile --pe all.pe --links all.links --csv all.csv

# thinned NUMBER WIDTH WHICH FILE COLUMNS: the rows `number,from,width,value...' of standard input
# as steps of that width, means or greatest values, and the step behind the end.
thinned() {
    awk -F, -v width="$1" -v which="$2" '
        { for (c = 3; c <= NF; c++) {
              for (p = $1; p < $1 + $2; p++) {
                  i = int(p / width)
                  sum[i, c] += $c
                  n[i, c]++
                  if (n[i, c] == 1 || $c > most[i, c]) most[i, c] = $c
                  if (i > last) last = i
              }
          }
          columns = NF }
        END {
            for (i = 0; i <= last + 1; i++) {
                printf "%d", i * width
                for (c = 3; c <= columns; c++)
                    printf ",%.6g", !n[i, c] ? 0 : which == "max" ? most[i, c] : sum[i, c] / n[i, c]
                print ""
            }
        }'
}
# rounded: the rows of standard input but for the first, as `thinned' writes them.
rounded() {
    awk -F, 'NR > 1 { printf "%d", $1; for (c = 2; c <= NF; c++) printf ",%.6g", $c; print "" }'
}
# rows NUMBER: of a series, `from,width,live_tokens,firings per cycle,waiting'.
rows() {
    awk -F, -v number="$1" '$1 == number {
        print at + 0 "," $2 - at "," $6 "," $3 / ($2 - at) "," $7
        at = $2 }' all.series
}

# --- one run ----------------------------------------------------------------------------

# A row is a step, where there are few.
expect 0 results csv all.db some
[ "$(head -n 1 out)" = "cycle,live_tokens,firings,waiting" ] || fail "$(head -n 1 out)"
rounded <out >found
rows 1 | thinned 16 mean >expected
same expected found
# A row for each cycle, of many: so many of them are a step that there are 500 at most.
cycles=$(awk -F, '$1 == 15 { at = $2 } END { print at }' all.series)
width=$(((cycles + 499) / 500))
[ "$width" -gt 1 ] || fail "nothing is thinned"
for which in mean max; do
    figure=long
    [ $which = max ] && figure=greatest
    expect 0 results csv all.db $figure
    rounded <out >found
    rows 15 | thinned $width $which >expected
    same expected found
done
expect 0 results csv all.db profile
rounded <out >found
# The width of a bin is a power of two, and a step is so many bins.
bin=$(awk -F, '$1 == 15 { print $4; exit }' all.profile)
# shellcheck disable=SC2017 # a multiple
step=$(((cycles + 500 * bin - 1) / (500 * bin) * bin))
for name in actual ideal; do
    awk -F, -v name=$name '$1 == 15 && $2 == name { print $3 "," $4 "," $5 / $4 }' all.profile |
        thinned $step mean >$name
done
# The ideal one is shorter, and 0 behind its end.
awk -F, -v OFS=, 'NR == FNR { ideal[$1] = $2; next } { print $1, $2, ideal[$1] + 0 }' ideal actual >expected
same expected found
expect 0 results csv all.db pes
sed 1d out >found
awk -F, -v OFS=, '$1 == 6 { print $2, $3, $12 }' all.pe >expected
same expected found
expect 0 results csv all.db links
sed 1d out >found
awk -F, -v OFS=, '$1 == 6 { print $2, $8, $11 }' all.links >expected
same expected found
[ -s found ] || fail "no links"

# --- several runs -----------------------------------------------------------------------

# Of two repetitions the mean; one that has ended counts as 0.
expect 0 results csv all.db both
rounded <out >found
numbers=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["inputs.n"] == 13 && $at["pe.count"] == 2 && $at["stats.interval"] == 16 {
        printf "%s ", $1 }' all.csv)
# shellcheck disable=SC2086 # words
set -- $numbers
[ $# -eq 2 ] || fail "$# repetitions"
longest=$(awk -F, -v a="$1" -v b="$2" '($1 == a || $1 == b) && $2 > most { most = $2 } END { print most }' all.series)
# shellcheck disable=SC2017 # a multiple
width=$(((longest + 500 * 16 - 1) / (500 * 16) * 16))
for number; do
    rows "$number" | cut -d, -f1-3 | thinned $width mean >run."$number"
done
awk -F, '{ sum[$1] += $2 } END { for (i = 0; i * '"$width"' in sum; i++)
    printf "%d,%.6g\n", i * '"$width"', sum[i * '"$width"'] / 2 }' run."$1" run."$2" >expected
same expected found
[ "$(wc -l <run."$1")" -ne "$(wc -l <run."$2")" ] || fail "both are as long"
expect 0 results csv all.db by
sed 1d out >found
# PE 2 is that of three PEs alone.
[ "$(grep -c '^2,,[0-9]' found)/$(wc -l <found)" = 1/3 ] || fail "$(cat found)"

# --- as they are drawn ------------------------------------------------------------------

# A gnuplot that keeps what it is given, and draws nothing.
mkdir bin kept
cat >bin/gnuplot <<'TEXT'
#!/bin/sh
for last; do :; done
cp "$last" "${last%.gp}.dat" "$KEPT"
for form in $(sed -n 's/^do for .*"\(.*\)".*/\1/p' "$last"); do echo "$form" >"${last%.gp}.$form"; done
TEXT
chmod +x bin/gnuplot
KEPT=$PWD/kept
export KEPT
path=$PATH
PATH=$PWD/bin:$PATH
# block NUMBER FILE: a curve of the data, its points alone.
block() {
    awk -v wanted="$1" '/^# x / { next } /^#/ { n++; next } NF && n == wanted { print $1 "," $2 }' "$2"
}

expect 0 results plot all.db time -o .
grep -q 'index 0 using 1:2 with steps lt 1' time.gp || fail "not drawn as steps"
grep -q '.cycle, in steps of [0-9]* (means).' time.gp || fail "the axis does not say what a step is"
grep -q '.operands \[tokens\],.' time.gp || fail "not its label"
# A curve comes down where its last run ends, and ends there.
[ "$(block 1 time.dat | tail -n 2 | awk -F, '{ print ($2 > 0) }' | tr '\n' ' ')" = '1 0 ' ] ||
    fail "the curve does not end at 0: $(block 1 time.dat | tail -n 2)"
expect 0 results plot all.db some -o .
grep -q '.cycle, in steps of 16.' some.gp || fail "means, where a row is a step"
expect 0 results plot all.db greatest -o .
grep -q '.cycle, in steps of [0-9]* (greatest).' greatest.gp || fail "not the greatest"
expect 0 results plot all.db pes -o .
grep -q "'PE'" pes.gp || fail "the axis is not of PEs"

# labels TEXT...: figure.gp has these.
labels() {
    for word in "$@"; do
        grep -qF "set label '$word'" figure.gp || fail "no \`$word\`: $(grep 'set label' figure.gp)"
    done
}
# drawn OPTION...: a figure that options describe.
drawn() {
    expect 0 results plot all.db -o . --name figure --where 'stats.interval == 16 and inputs.n == 13 and repetition == 1' "$@"
}
drawn --profile ideal --by pe.count
labels 'firings per depth' depth
drawn --profile actual --by pe.count
labels 'firings per cycle'
drawn --profile actual,ideal --by pe.count
labels 'firings per cycle or depth'
# A unit that all have stands at the axis, and not behind each name; a name may say its unit.
drawn --series live_tokens,waiting --by pe.count
labels tokens
grep -q '.pe.count = [0-9]*, live tokens.' figure.gp || fail "$(grep live figure.gp)"
drawn --series live_tokens --by pe.count
labels 'live tokens'
drawn --x pe.count --y local_tokens,network_tokens
grep -q '.tokens\( \[10^{3}\]\)*.' figure.gp || fail "local and network tokens are tokens"
drawn --x pe.count --y cycles,peak_tags
grep -q '.cycles, peak tags' figure.gp || fail "cycles and tags have one unit"
# Heat: anything may go up, texts from the top down; time and PEs begin at 0, and PEs end at the
# last.
drawn --kind heat --series waiting --y program --of max
labels 'waiting [tokens],' 'greatest over pe.count'
grep -q '^set xtics (.0. -0.5, ' figure.gp || fail "$(grep xtics figure.gp)"
expect 0 sweep run -q wide.yaml
expect 0 results plot wide.db -o . --name figure --kind heat --pe busy --y queue.discipline
grep -q '^set ytics scale 0 (.lifo. 0, .fifo. 1)' figure.gp || fail "$(grep ytics figure.gp)"
grep -q '^set xtics scale 0 (.0. 0, .4. 4, .*.31. 31)' figure.gp || fail "$(grep xtics figure.gp)"
expect 2 results plot all.db --x pe.count --y program --kind bars
err_has "expected a column of numbers, found \`program\`, of text"

# golden NAME FILE: against tests/data/figures, which UPDATE_GOLDEN=1 writes.
golden() {
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        cp "$2" "$SRCDIR/tests/data/figures/$1.gp"
    else
        cmp -s "$SRCDIR/tests/data/figures/$1.gp" "$2" ||
            fail "$(diff "$SRCDIR/tests/data/figures/$1.gp" "$2"; echo '(UPDATE_GOLDEN=1 writes it)')"
    fi
}
golden over_time time.gp

# Of one run: without more said four panels, each with axes of its own.
expect 0 run fib.df n=13 -s pe.count=3 -s stats.interval=1 --series fib.series --profile --json
expect 0 analyse fib.df n=13 -s pe.count=3 -s stats.interval=1 --figure fib.png --thin mean
[ "$(cat fib.png)" = png ] || fail "no fib.png"
expect 0 run fib.df n=13 -s pe.count=3 -s stats.interval=1 --json
grep -q '"profile"' out && fail "a profile that nobody asked for"
cp kept/figure.gp default.gp
golden run default.gp
for words in depth 'cycle, in steps of [0-9]* (means)' 'ideal firings per depth' \
    'actual firings per cycle' 'live tokens' waiting tokens 'tags \[activations\]'; do
    grep -q "^set label '$words'" default.gp || fail "there is no \`$words\`"
done
[ "$(grep -c '^plot' default.gp)" -eq 4 ] || fail "not four panels"
# Its third panel is that of the series: 500 steps at most.
cycles=$(sed -n '$s/,.*//p' fib.series)
width=$(((cycles + 499) / 500))
for column in 5 6; do
    awk -F, -v OFS=, -v c=$column 'NR > 1 { print at + 0, $1 - at, $c; at = $1 }' fib.series |
        thinned $width mean | sed '$d' >expected
    echo "$cycles,0" >>expected
    block $column kept/figure.dat | awk -F, '{ printf "%d,%.6g\n", $1, $2 }' >found
    same expected found
done
# What is shown is said; the files of --series and --profile are not needed for it.
expect 0 analyse fib.df n=10 --figure two.svg --show busy,firings --show waiting --thin max
[ ! -s out ] || fail "something is printed"
[ "$(cat two.svg)" = svg ] || fail "no two.svg"
[ "$(grep -c '^plot' kept/figure.gp)" -eq 2 ] || fail "not two panels"
[ "$(grep -c -e '.busy \[units\].' -e '.firings \[per cycle\].' kept/figure.gp)" -eq 2 ] ||
    fail "not both units"
[ "$(find . -name '.figure*')" = '' ] || fail "something is left behind"
# A run that fails is drawn up to its end; and a recording is drawn as the run is.
expect 0 analyse fib.df -s limits.cycles=200 --figure fails.pdf --show busy
[ "$(cat fails.pdf)" = pdf ] || fail "a run that failed is not drawn"
cp kept/figure.dat failed.dat
expect 4 run fib.df -q -s limits.cycles=200 --record fails.rec
expect 0 analyse fails.rec --figure again.pdf --show busy
same failed.dat kept/figure.dat

# Without gnuplot, or where it fails.
printf '#!/bin/sh\nexit 1\n' >bin/gnuplot
expect 5 analyse fib.df n=10 --figure none.pdf --show busy
err_has "gnuplot failed: none.pdf is not drawn"
[ ! -e none.pdf ] || fail "there is a figure"
[ "$(find . -name '.figure*')" = '' ] || fail "something is left behind"
PATH=$path
if command -v gnuplot >/dev/null; then
    for form in pdf svg png; do
        expect 0 analyse fib.df n=12 --figure drawn.$form --show busy
        silent
        [ "$(wc -c <drawn.$form)" -gt 5000 ] || fail "drawn.$form is empty"
        cp drawn.$form again.$form
        expect 0 analyse fib.df n=12 --figure drawn.$form --show busy
        same again.$form drawn.$form
    done
    head -c 4 drawn.pdf | grep -q '%PDF' || fail "no PDF"
    head -c 4 drawn.png | grep -q PNG || fail "no PNG"
    expect 0 results all all.db -o all.figures
fi

# --- mistakes ---------------------------------------------------------------------------

expect 2 results csv all.db --series live_tokens
err_has "--series is an option of figures: plot"
sed '/^series/d' all.yaml >less.yaml
expect 2 sweep run less.yaml
err_has "the figure \`some\` shows \`series\`, which the experiment does not keep: say \`series: true\`"
expect 2 results show all.db nothing
sed 's/^series: true/series: false/;/^figures/,$d' all.yaml >less.yaml
expect 0 sweep run less.yaml
expect 2 results csv less.db some --experiment all.yaml
err_has "\`some\`: less.db keeps no \`series\` of its runs; an experiment asks for it with \`series: true\`"

expect 2 analyse fib.df --figure fib.gif
err_has "--figure: expected a name that ends with .pdf, .svg or .png, found \`fib.gif\`"
expect 2 analyse fib.df --show waiting
err_has "--show says what a figure shows: --figure FILE is missing"
expect 2 analyse fib.df --thin max
expect 2 analyse fib.df --figure fib.pdf --thin least
err_has "--thin: expected mean or max, found \`least\`"
expect 2 analyse fib.df --figure fib.pdf --show wating
err_has "--show: there is no figure of \`wating\`; did you mean \`waiting\`?"
expect 2 analyse fib.df --figure fib.pdf --show busy,wating --thin max
err_has "--show: there is no \`wating\` over time; did you mean \`waiting\`?"
expect 2 analyse fib.df --figure fib.pdf --show firings --cycles 5..9
err_has "--cycles: the figure shows what is of whole runs"
expect 2 analyse fib.df --figure none/fib.pdf
expect 2 interp fib.df --figure fib.pdf
for line in 'series: wating' 'series: cycle' 'series: program' 'series: waiting, x: pe.count' 'series: waiting, y: cycles' \
    'series: waiting, pe: busy' 'series: waiting, relative: {to: pe.count == 2, as: ratio}' \
    'series: [waiting, tags], kind: heat, y: pe.count' 'series: waiting, thin: least' \
    'series: waiting, spread: sd' 'profile: real' 'pe: turn'; do
    {
        sed '/^figures/,$d' all.yaml
        echo "figures: [{name: wrong, $line}]"
    } >wrong.yaml
    expect 2 sweep run wrong.yaml
    sed -n '1s/^wrong.yaml:[0-9]*:[0-9]*: error: //p' err
done >found
cat >expected <<'TEXT'
there is no `wating` in the `series` of a run; did you mean `waiting`?
there is no `cycle` in the `series` of a run; expected one of firings|dead_firings|busy|live_tokens|waiting|tags|graph_nodes|link_busy|greatest_link_busy
there is no `program` in the `series` of a run; expected one of firings|dead_firings|busy|live_tokens|waiting|tags|graph_nodes|link_busy|greatest_link_busy (for a line of each value of `program`: `by`)
with `series` the x axis is `cycle`: leave out `x`
`series` says what is shown: leave out `y`
a figure shows `series` or `pe`, not both
what `series` shows cannot be relative
`series` says what the colours show: one column, and no `z`
figures.thin: expected one of mean|max, found `least`
steps have no spread; `kind: lines` has
there is no `real` in the `profile` of a run; expected one of actual|ideal
there is no `turn` in the `pe` of a run; did you mean `turns`?
TEXT
diff expected found || fail "not these mistakes"

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
