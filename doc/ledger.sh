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
# compared.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
HIATON=${HIATON:-$here/../build/hiaton}
export HIATON
ledger=$here/published.md
calls=${LEDGER_CALLS:-2600000}
rows=${LEDGER_ROWS:-}
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

## Other papers

These rows are not made by `make ledger`: the script beside each page makes them. A *property* is a shape or an order
that is compared, not a number.

"Paper 2" is Yu et al., *Dynamic Control Flow in Large-Scale Machine Learning* (2018). Ding and Koehn is
*Parallelizable Stack Long Short-Term Memory* (2019). The paper on DRAGNN's interface has no numbers of speed:
[dragnn](studies/dragnn.md).

| what | how | published | here | size here, and in the paper | page |
|---|---|---|---|---|---|
| Paper 2, table 1: length at which memory ends without swapping | calibrated, by `memory.capacity` | from 500 to 600 steps | from 500 to 600 | 8 units, 8 sequences; 512, 512 | [swapping](studies/swapping.md) |
| Paper 2, table 1: time per iteration, with swapping, from 100 to 1000 steps | property: flat | 5.72 to 5.77 ms | 1759 to 1780 cycles | the same | [swapping](studies/swapping.md) |
| Paper 2, section 1 and figure 12: iterations per second, in-graph over one at a time, 8 GPUs | property: grows with the iterations in flight | 5 times | 7.0 times from 1 to 16 in flight | 8 layers, simulated work; products of matrices on 8 GPUs | [distributed](studies/distributed.md#parallel-iterations) |
| Ding and Koehn: speed of 64 sentences over one | calibrated, by `unit.tensor.launch` | 60.8 | 60.8 at a launch of 4933 cycles | width 32; 200 | [stack-lstm](studies/stack-lstm.md#speed-of-training) |
| the same, the same launch, width of the paper | predicted | 60.8 | 44.9 | width 200; 200 | [stack-lstm](studies/stack-lstm.md#speed-of-training) |
| Ding and Koehn: share of work in parallel, by Amdahl's law at 64 | calibrated: it is 60.8 in other words | 99.92 % | 99.92 % | width 32; 200 | [stack-lstm](studies/stack-lstm.md#speed-of-training) |
| DyNet, as Ding and Koehn cite it: 64 over one, CPU | calibrated, by `tensor.batch.grouping` | 3.64 | 3.64 at 98 cycles per kernel, launch of 1000 | recursion, width 32; another parser | [stack-lstm](studies/stack-lstm.md#what-joining-costs) |
| the same, Tesla K80 | calibrated, by `tensor.batch.grouping` | 2.73 | 2.73 at 160 cycles per kernel, launch of 1000 | the same | [stack-lstm](studies/stack-lstm.md#what-joining-costs) |
TEXT
}

make_ledger >"$temp/made"
case ${1:-check} in
write)
    cp "$temp/made" "$ledger"
    ;;
check)
    if [ -n "$rows" ]; then # these rows stand in the ledger as they are
        grep '^| [a-z]' "$temp/made" >"$temp/lines" || :
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
