#!/bin/sh
# The first table of doc/studies/swapping.md, in Markdown:
#
#   doc/studies/swapping.sh
#
# HIATON is the program to run, build/hiaton if not given. LENGTHS are the steps, and PROGRAMS the programs.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
lengths=${LENGTHS:-100 200 500 600 700 900 1000}

# cell PROGRAM THRESHOLD STEPS: cycles per iteration, or how the run ended.
cell() {
    "$hiaton" run --json "$experiments/$1.df" steps="$3" \
        -s pe.count=1 -s pe.units=0 -s grad.mode=paired \
        -s memory.capacity=2400000 -s swap.threshold="$2" -s swap.smallest=100 \
        -s swap.latency=10 -s swap.bandwidth=16 -s swap.prefetch=64 2>/dev/null |
        awk -v steps="$3" '
            /^  "(status|cycles)": / { gsub(/[",:]/, ""); value[$1] = $2 }
            END {
                if (value["status"] == "completed")
                    printf " %d |", value["cycles"] / steps + 0.5
                else
                    printf " %s |", value["status"]
            }' || true
}

# row NAME PROGRAM THRESHOLD
row() {
    printf '| %s |' "$1"
    for steps in $lengths; do
        cell "$2" "$3" "$steps"
    done
    echo
}

echo "| cycles per iteration | $(echo "$lengths" | sed 's/ / | /g') |"
echo "|---|$(echo "$lengths" | sed 's/[^ ]*/---:|/g; s/ //g')"
for program in ${PROGRAMS:-rnn-loop rnn-calls}; do
    row "$program, disabled" $program 0
    row "$program, enabled" $program 1200000
done
