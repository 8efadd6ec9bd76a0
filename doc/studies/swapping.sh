#!/bin/sh
# The tables of doc/studies/swapping.md that no sweep makes, in Markdown:
#
#   doc/studies/swapping.sh            the lengths of sequences
#   doc/studies/swapping.sh tracks     computing and copying at the same time
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

# tracks BYTES-PER-CYCLE: cycles of a gradient on one tensor unit, and how far computing and copying overlap; 0: with
# unlimited memory.
tracks() {
    swap=
    [ "$1" = 0 ] || swap="-s memory.capacity=300000 -s swap.threshold=150000 -s swap.smallest=100
        -s swap.latency=10 -s swap.bandwidth=$1 -s swap.prefetch=64"
    # shellcheck disable=SC2086 # words
    "$hiaton" analyse --json --only=utilisation "$experiments/rnn-loop.df" steps=100 \
        -s pe.count=1 -s pe.units=0 -s grad.mode=paired -s tensor.unit.count=1 $swap 2>/dev/null |
        awk -v rate="$1" '
            /^ *"(cycles|computing|copying|overlap)": / { gsub(/[",:]/, ""); value[$1] = $2 }
            END {
                if (rate)
                    printf "| %d | %d | %.1f | %.1f | %.1f |\n", rate, value["cycles"],
                        100 * value["computing"] / value["cycles"],
                        100 * value["copying"] / value["cycles"], 100 * value["overlap"] / value["copying"]
                else
                    printf "| unlimited memory | %d | %.1f | 0.0 | |\n", value["cycles"],
                        100 * value["computing"] / value["cycles"]
            }'
}

if [ "${1-}" = tracks ]; then
    echo '| bytes per cycle of the store | cycles | computing, % | copying, % | of this, beside computing, % |'
    echo '|---:|---:|---:|---:|---:|'
    for rate in 0 16 4 2 1; do
        tracks $rate
    done
    exit 0
fi
echo "| cycles per iteration | $(echo "$lengths" | sed 's/ / | /g') |"
echo "|---|$(echo "$lengths" | sed 's/[^ ]*/---:|/g; s/ //g')"
for program in ${PROGRAMS:-rnn-loop rnn-calls}; do
    row "$program, disabled" $program 0
    row "$program, enabled" $program 1200000
done
