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
figures:
  - {name: some, series: [live_tokens, firings, waiting], where: number == 1}
  - {name: long, series: [live_tokens, firings, waiting], where: number == 15}
  - {name: greatest, series: [live_tokens, firings, waiting], where: number == 15, thin: max}
  - {name: both, series: live_tokens, where: inputs.n == 13 and pe.count == 2 and stats.interval == 16}
  - {name: profile, profile: [actual, ideal], where: number == 15}
  - {name: pes, pe: [firings, utilisation], where: number == 6}
  - {name: by, pe: busy, kind: lines, by: pe.count, where: inputs.n == 7 and stats.interval == 1}
  - {name: heat, pe: occupancy, kind: heat, y: inputs.n}
  - {name: time, series: waiting, by: pe.count, panels: inputs.n}
TEXT
expect 0 sweep run all.yaml --series all.series --profile all.profile --pe all.pe --csv all.csv

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
width=$(((longest + 500 * 16 - 1) / (500 * 16) * 16))
for number; do
    rows "$number" | cut -d, -f1-3 | thinned $width mean >run.$number
done
awk -F, '{ sum[$1] += $2 } END { for (i = 0; i * '"$width"' in sum; i++)
    printf "%d,%.6g\n", i * '"$width"', sum[i * '"$width"'] / 2 }' run."$1" run."$2" >expected
same expected found
[ "$(wc -l <run."$1")" -ne "$(wc -l <run."$2")" ] || fail "both are as long"
expect 0 results csv all.db by
sed 1d out >found
# PE 2 is that of three PEs alone.
[ "$(grep -c '^2,,[0-9]' found)" -eq 1 ] && [ "$(wc -l <found)" -eq 3 ] || fail "$(cat found)"

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

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
