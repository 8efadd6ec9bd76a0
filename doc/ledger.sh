#!/bin/sh
# The ledger of published numbers, doc/published.md: each number that is reproduced or predicted here, with its error.
# Paper 1 is Kostopoulou, Charalambidis, Rondogiannis, Recursive Function Definitions in Static Dataflow Graphs and their
# Implementation in TensorFlow, 2024.
#
#   doc/ledger.sh            makes it again, and compares: status 1, and what differs, where a number has moved
#   doc/ledger.sh write      writes it anew
#
# Where a change has moved numbers on purpose, the commit that writes the ledger anew says why. HIATON is the program to
# run, build/hiaton if not given. LEDGER_CALLS is how many calls a run may have: rows with more are extrapolated, so
# that another number makes another ledger; with LEDGER_ROWS only so many calls are run at all, and only those rows are
# compared, and of other papers those that are soon made.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
HIATON=${HIATON:-$here/../build/hiaton}
export HIATON
ledger=$here/published.md
calls=${LEDGER_CALLS:-2600000}
rows=${LEDGER_ROWS:-}
hiaton=$HIATON
experiments=$here/../programs/experiments
# shellcheck source=doc/studies/stack-lstm-step.sh
. "$here/studies/stack-lstm-step.sh"
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM

# Each source of numbers prints rows: what | how | published | here, of the same unit.

# Its table 1, by the machine tf-executor (doc/studies/table1.md). Its six free numbers come from three rows.
table1() {
    grep -v '^#' "$here/../tests/data/table1.csv" >"$temp/table1.csv"
    if [ -n "$rows" ]; then
        awk -F, -v most="$rows" '$4 <= most' "$temp/table1.csv" >"$temp/few.csv"
        mv "$temp/few.csv" "$temp/table1.csv"
    fi
    ROWS=$temp/table1.csv MOST=$calls OUT=$temp sh "$here/studies/table1.sh" predict
    awk -F, 'NR > 1 {
        how = $7 == "run" ? "predicted" : "extrapolated"
        if (($1 == "fib" && $2 == "n=26") || ($1 == "ack" && $2 == "m=3 n=5") || ($1 == "primes" && $2 == "n=7500"))
            how = "calibrated"
        gsub(/[a-z]*=/, "", $2)
        gsub(/ /, ", ", $2)
        printf "%s(%s), %s|%s|%s|%.3f\n", $1, $2, $3, how, $5, $6
    }' "$temp/table1-predicted.csv"
}

# The speed-ups that its table 1 prints, beside those of the times that were made just before.
speedups() {
    cat >"$temp/printed" <<'PRINTED'
fib(24)|18.00
fib(25)|22.31
fib(26)|17.31
fib(27)|21.15
fib(28)|20.79
fib(29)|21.24
fib(30)|21.53
fib(31)|20.60
fib(32)|20.08
fib(33)|18.98
ack(3, 3)|24.76
ack(3, 4)|30.74
ack(3, 5)|27.88
ack(3, 6)|25.92
ack(3, 7)|23.10
ack(3, 8)|21.77
tak(24, 16, 8)|-17.46
tak(25, 16, 8)|-16.36
tak(26, 16, 8)|-16.78
tak(27, 16, 8)|-17.07
tak(27, 17, 8)|-17.98
primes(7500)|-0.33
primes(8000)|-0.35
primes(8500)|-1.19
primes(9000)|-1.20
primes(9500)|0.23
primes(10000)|-1.27
PRINTED
    printf '| speed-up of | how | published, %% | here, %% | difference, points |\n|---|---|---:|---:|---:|\n'
    awk -F'|' '
        FILENAME ~ /printed$/ { printed[$1] = $2; next }
        sub(/, static$/, "", $1) { time[$1] = $4; next }
        sub(/, dynamic$/, "", $1) && $1 in time {
            here = 100 * ($4 - time[$1]) / $4
            printf "| %s | %s | %s | %.2f | %+.2f |\n", $1, $2, printed[$1], here, here - printed[$1]
        }' "$temp/printed" "$temp/table1.rows"
}

# Its tables 2 and 3, by tf-executor with doc/studies/table2.settings (doc/studies/table2.md). With LEDGER_ROWS the rows
# that are soonest made.
table2() {
    grep -v '^#' "$here/../tests/data/table2.csv" >"$temp/table2.csv"
    if [ -n "$rows" ]; then
        awk -F, '$3 >= 25' "$temp/table2.csv" >"$temp/few.csv"
        mv "$temp/few.csv" "$temp/table2.csv"
    fi
    ROWS=$temp/table2.csv OUT=$temp sh "$here/studies/table2.sh" predict
    awk -F, 'NR > 1 { printf "%s, %s by %s|%s|%s|%s\n", $1, $2, $3, $6, $4, $5 }' "$temp/table2-predicted.csv"
}

# The rows of table 1 of paper 2 (Yu et al., "Dynamic Control Flow in Large-Scale Machine Learning", 2018): what | how | its
# ms | its ms over those of 100 steps | here, cycles | over those of 100 steps. `out of memory` and `store full` stand in
# place of numbers. The memory of the machine is between what 500 and 600 steps need, so that these two rows are
# calibrated, and longer ones cannot but follow.
lengths() {
    cat >"$temp/published" <<'PUBLISHED'
disabled 5.81 5.78 5.75 out out out out
enabled 5.76 5.76 5.73 5.72 5.77 5.74 5.74
PUBLISHED
    steps='100 200 500 600 700 900 1000'
    [ -z "$rows" ] || steps='100 200'
    LENGTHS=$steps PROGRAMS=rnn-loop sh "$here/studies/swapping.sh" >"$temp/lengths"
    awk -v steps="$steps" '
        FILENAME ~ /published$/ { for (i = 2; i <= NF; i++) published[$1, i - 1] = $i; next }
        /^[|] rnn/ {
            split($0, cell, / *[|] */)
            way = cell[2]
            sub(/.*, /, "", way)
            n = split(steps, step, " ")
            for (i = 1; i <= n; i++) {
                here = cell[i + 2]
                how = "predicted"
                if (i == 1) how = "base"
                else if (way == "disabled" && step[i] > 600) how = "follows"
                else if (way == "disabled" && step[i] >= 500) how = "calibrated"
                there = published[way, i]
                printf "%d steps, swapping %s|%s|%s|%s|%s|%s\n", step[i], way, how,
                    there == "out" ? "out of memory" : there,
                    there == "out" ? "" : sprintf("%.3f", there / published[way, 1]),
                    here == "store_full" ? "store full" : here,
                    here == "store_full" ? "" : sprintf("%.3f", here / cell[3])
            }
        }' "$temp/published" "$temp/lengths"
}

# The rows of one number each: what | how | published | here | size here; in the paper.
ratios() {
    "$HIATON" sweep run -q "$experiments/distributed-bounds.full.yaml" -o "$temp/bounds.db" --csv "$temp/bounds.csv" >&2
    awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $(column["loop.bound"]) == 1 { one = $(column["cycles"]) }
        $(column["loop.bound"]) == 32 { many = $(column["cycles"]) }
        END {
            printf "iterations per second, in-graph over one at a time (paper 2, sections 1 and 6.1)|property|5|%.2f|", one / many
            print "8 layers of simulated work on 8 nodes, 32 iterations in flight; products of matrices on 8 GPUs"
        }' "$temp/bounds.csv"
    # ratio WHAT HOW PUBLISHED ONE MANY SIZE; share: the same by the law of Amdahl.
    ratio() { echo "$4 $5" | awk -v text="$1|$2|$3" -v size="$6" '{ printf "%s|%.2f|%s\n", text, 64 * $1 / $2, size }'; }
    share() { echo "$4 $5" | awk -v text="$1|$2|$3" -v size="$6" '{ printf "%s|%.2f|%s\n", text, 100 * ($2 / (64 * $1) - 1) / (1 / 64 - 1), size }'; }
    one=$(cycles 1 1 4933) many=$(cycles 1 64 4933)
    ratio '64 sentences over one (Ding and Koehn)' 'calibrated, `unit.tensor.launch` 4933' 60.8 "$one" "$many" 'width 32; 200'
    share 'work in parallel at 64, % (Ding and Koehn)' 'calibrated: 60.8 in other words' 99.92 "$one" "$many" 'width 32; 200'
    if [ -z "$rows" ]; then
        one=$(cycles 1 1 4933 d=200) many=$(cycles 1 64 4933 d=200)
        ratio '64 sentences over one, by the same launch' predicted 60.8 "$one" "$many" 'width 200; 200'
        share 'work in parallel at 64, %, by the same launch' predicted 99.92 "$one" "$many" 'width 200; 200'
        for speed in 3.64:98:CPU 2.73:160:K80; do
            grouping=${speed#*:} processor=${speed##*:}
            grouping=${grouping%:*}
            set -- -s tensor.batch.gather=on -s tensor.batch.grouping="$grouping"
            ratio "64 sentences over one, DyNet on a $processor (as Ding and Koehn cite it)" \
                "calibrated, \`tensor.batch.grouping\` $grouping" "${speed%%:*}" "$(cycles 2 1 1000 "$@")" \
                "$(cycles 2 64 1000 "$@")" 'recursion, width 32, launch 1000; another parser'
        done
    fi
}

# section TITLE UNIT SOURCE: the rows of a source as a table, and a line that sums them up
section() {
    printf '\n## %s\n\n' "$1"
    "$3" >"$temp/rows"
    printf '| what | how | published, %s | here, %s | error |\n|---|---|---:|---:|---:|\n' "$2" "$2"
    awk -F'|' '{ printf "| %s | %s | %s | %s | %+.1f %% |\n", $1, $2, $3, $4, 100 * ($4 - $3) / $3 }' "$temp/rows"
    [ -n "$rows" ] || awk -F'|' '
        $2 != "calibrated" {
            n++
            e = ($4 - $3) / $3
            if (e < 0) e = -e
            sum += e
            if (e > worst) { worst = e; which = $1 }
        }
        END {
            printf "\n%d of %d numbers were not calibrated. Their errors: %.1f %% on average, %.1f %% at most (%s).\n",
                n, NR, 100 * sum / n, 100 * worst, which
        }' "$temp/rows"
}

make_ledger() {
    cat <<'TEXT'
# Published numbers, and what they are here

This page is made by `make ledger`, which fails where a change of the program has moved a number. *Calibrated* numbers
were used to find settings of the machine. *Predicted* ones were not. *Extrapolated* ones follow from the largest row
of the same function that was run, by calls.

"Paper 1" is Kostopoulou, Charalambidis, Rondogiannis, *Recursive Function Definitions in Static Dataflow Graphs and
their Implementation in TensorFlow* (2024).
TEXT
    section 'Paper 1, table 1: times of four functions' s table1
    cp "$temp/rows" "$temp/table1.rows"
    cat <<'TEXT'

By the machine `tf-executor`; its six free numbers are from three rows. [studies/table1.md](studies/table1.md) has the
model and the procedure, which was written down before it was run.

## Paper 1, table 1: the printed speed-ups

TEXT
    speedups
    cat <<'TEXT'

A speed-up is (dynamic - static) / dynamic. Three of the printed ones differ by more than 0.05 points from those of the
printed times: fib(25) (22.71), ack(3, 3) (24.58), ack(3, 4) (30.82).
TEXT
    section 'Paper 1, tables 2 and 3: trees per second, and trees in a batch' '1/s' table2
    cat <<'TEXT'

By the machine `tf-executor` with `doc/studies/table2.settings`. **This prediction failed**:
[studies/table2.md](studies/table2.md) has the procedure, which was written down before it was run, and says what is
missing and what differs from the authors' scripts.

## Yu et al., table 1: time of an iteration by the length of the sequence

"Paper 2" is Yu et al., *Dynamic Control Flow in Large-Scale Machine Learning* (2018). Milliseconds and cycles are
compared as parts of those of 100 steps.

TEXT
    lengths >"$temp/rows"
    printf '| what | how | published, ms | of 100 steps | here, cycles | of 100 steps | error |\n'
    printf '|---|---|---:|---:|---:|---:|---:|\n'
    awk -F'|' '{
        error = $4 != "" && $6 != "" ? sprintf("%+.1f %%", 100 * ($6 - $4) / $4) : $4 == $6 ? "" : "wrong"
        printf "| %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, error
    }' "$temp/rows"
    cat <<'TEXT'

Here 8 units and 8 sequences, in paper 2 512 and 512. `memory.capacity` is calibrated: it ends the run between 500 and
600 steps, and longer ones *follow*. No setting was found by the other rows, but they were not written down before they
were run. [studies/swapping.md](studies/swapping.md) has the machine.

## Paper 2; Ding and Koehn: ratios

Ding and Koehn is *Parallelizable Stack Long Short-Term Memory* (2019). A *property* is an order that is compared, not a
number: the machine is not that of the paper.

TEXT
    ratios >"$temp/rows"
    printf '| what | how | published | here | error | size here; in the paper |\n|---|---|---:|---:|---:|---|\n'
    awk -F'|' '{
        error = $2 == "property" ? "" : sprintf("%+.1f %%", 100 * ($4 - $3) / $3)
        printf "| %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, error, $5
    }' "$temp/rows"
    cat <<'TEXT'

The rows of width 200 were not written down before they were run. The launch and the cycles per kernel were found by
`doc/studies/stack-lstm.sh`. The pages are [distributed](studies/distributed.md#parallel-iterations) and
[stack-lstm](studies/stack-lstm.md#speed-of-training).

## Numbers that are not in the tables above

| what | why |
|---|---|
| Paper 2, figures 11, 12, 14 and 15 | the text at hand has no numbers of them; [distributed](studies/distributed.md) has loops of the same shape as figures 11 and 12 |
| Ding and Koehn, accuracy of parsers | the Penn Treebank was not at hand; [stack-lstm](studies/stack-lstm.md#a-parser-learns) has a parser on another treebank: one training of 300 s of a processor |
| Paper 1, accuracy of TreeRNNs | not in its text; [treernn](studies/treernn.md#they-learn) shows that they learn: `doc/studies/treernn.sh`, trainings of minutes |
| Kong et al. (DRAGNN) | the paper on its interface has no numbers of speed; [dragnn](studies/dragnn.md) has measurements of its programs |
TEXT
}

make_ledger >"$temp/made"
case ${1:-check} in
write)
    cp "$temp/made" "$ledger"
    ;;
check)
    if [ -n "$rows" ]; then # these rows stand in the ledger as they are
        grep '^| [a-z0-9]' "$temp/made" >"$temp/lines" || :
        moved=$(grep -vxF -f "$ledger" "$temp/lines" || :)
        grep -q '^| [a-z].* %' "$temp/lines" || moved='no row was made'
    else
        moved=$(diff "$ledger" "$temp/made" || :)
    fi
    [ -z "$moved" ] || {
        echo "doc/published.md: published numbers have moved ('doc/ledger.sh write' accepts that):" >&2
        echo "$moved" >&2
        exit 1
    }
    ;;
*)
    echo "usage: $0 [check|write]" >&2
    exit 2
    ;;
esac
