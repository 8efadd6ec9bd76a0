#!/bin/sh
# The measurements of doc/studies/fifo-lifo.md, as comma-separated values:
#
#   doc/studies/fifo-lifo.sh > fifo-lifo.csv         some minutes
#   awk -f doc/studies/fifo-lifo.awk fifo-lifo.csv > doc/studies/fifo-lifo.svg
#
# HIATON is the program to run, build/hiaton if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"


# measure NAME PES LATENCY DISCIPLINE PROGRAM [INPUT]...: a row.
measure() {
    row=$1,$2,$3,$4
    pes=$2 latency=$3 discipline=$4 program=$examples/$5
    shift 5
    "$hiaton" run --json -s pe.count="$pes" -s network.latency="$latency" \
        -s queue.discipline="$discipline" "$program" "$@" | awk -v row="$row" '
        /^  "[a-z_]*": [0-9.]+,?$/ {
            gsub(/[",:]/, "")
            value[$1] = $2
        }
        END {
            printf "%s,%s,%s,%s,%s,%s,%s,%s\n", row, value["cycles"], value["tokens"],
                   value["span"], value["peak_live_tokens"], value["peak_waiting"],
                   value["peak_tags"], value["utilisation"]
        }'
}

# both NAME PES LATENCY PROGRAM [INPUT]...: a row for each discipline.
both() {
    name=$1 pes=$2 latency=$3
    shift 3
    measure "$name" "$pes" "$latency" fifo "$@"
    measure "$name" "$pes" "$latency" lifo "$@"
}

echo program,pes,latency,discipline,cycles,tokens,span,peak_live_tokens,peak_waiting,peak_tags,utilisation
for pes in 1 16 64 256; do
    for latency in 1 4 10; do
        for n in 20 21 22 23 24 25 26 27; do
            both "fib($n)" "$pes" "$latency" fib.df n="$n"
        done
        both "tak(18;12;6)" "$pes" "$latency" tak.df x=18 y=12 z=6
    done
done
