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
    cat <<'TEXT'

By the machine `tf-executor`; its six free numbers are from three rows. [studies/table1.md](studies/table1.md) has the model
and the procedure, which was written down before it was run.
TEXT
    section 'Paper 1, tables 2 and 3: trees per second, and trees in a batch' '1/s' table2
    cat <<'TEXT'

By the machine `tf-executor` with `doc/studies/table2.settings`. **This prediction failed**: [studies/table2.md](studies/table2.md) has
the procedure, which was written down before it was run, and says what is missing.
TEXT
}

make_ledger >"$temp/made"
case ${1:-check} in
write)
    cp "$temp/made" "$ledger"
    ;;
check)
    if [ -n "$rows" ]; then # these rows stand in the ledger as they are
        grep '^| [a-z].*%' "$temp/made" >"$temp/lines" || :
        moved=$(grep -vxF -f "$ledger" "$temp/lines" || :)
        [ -s "$temp/lines" ] || moved='no row was made'
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
