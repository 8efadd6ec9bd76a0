#!/bin/sh
# The measurements of doc/studies/fast-and-slow.md, as tables in Markdown:
#
#   doc/studies/fast-and-slow.sh
#
# HIATON is the program to run, build/hiaton if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"

# measure FUNCTIONS PROGRAM [INPUT]...: a row, for each place of the fast PEs: cycles, and the percentage of
# firings that were on the fast PEs.
measure() {
    functions=$1
    shift
    row="| $functions |"
    for pes in 0-1 5-6 14-15; do
        placed=none
        [ "$functions" = any ] || placed=$(echo "$functions" | sed 's/\([a-z_]*\),* */\1:fast,/g; s/,$//')
        row="$row$("$hiaton" run --json -s network.topology=mesh -s class.fast.pes="$pes" \
            -s class.fast.pe.units=4 -s class.fast.stage.match.latency=0 \
            -s class.fast.stage.fetch.latency=0 -s placement.functions="$placed" "$@" | awk '
            /^  "cycles": / { gsub(/[^0-9]/, ""); cycles = $0 }
            /^  "firings": / { gsub(/[^0-9]/, ""); firings = $0 }
            /"class": "fast"/ { sub(/.*"firings": /, ""); sub(/,.*/, ""); fast = $0 }
            END { printf " %d | %.1f |", cycles, 100 * fast / firings }')"
    done
    echo "$row"
}

# rows LIST PROGRAM [INPUT]...: a table; LIST has the functions of a row in each line.
rows() {
    list=$1
    shift
    echo '| on the fast PEs | 0-1: cycles | % | 5-6: cycles | % | 14-15: cycles | % |'
    echo '|---|---:|---:|---:|---:|---:|---:|'
    echo "$list" | while read -r functions; do
        measure "$functions" "$@"
    done
}

rows 'any
result
place
has
try
try, has' "$programs/examples/queens.df" n=6
echo
rows 'any
sorted
merged
next
is_left
next, is_left' "$programs/examples/mergesort.df" n=64
