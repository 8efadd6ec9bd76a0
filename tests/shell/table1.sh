#!/bin/sh
# The rows of paper 1's table 1 up to some millions of calls: value and calls, by the
# interpreter and, up to a million, on the default machine. The numbers are the project's own copy
# (tests/data/table1.csv); where the table it was copied from lies beside the project, the two
# are compared.
set -eu

interp_most=12000000
run_most=1000000
if [ -n "${HIATON_QUICK-}" ]; then # sanitizers: the same, smaller
    interp_most=500000
    run_most=50000
fi

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failed=0

# value KEY: of the JSON object in $temp/out
value() {
    sed -n "s/^ *\"$1\": \"*\\([^\",]*\\)\"*,*\$/\\1/p" "$temp/out"
}

# check COMMAND FUNCTION INPUTS RESULT CALLS
check() {
    # shellcheck disable=SC2086 # inputs are words
    if ! "$HIATON" "$1" --json "$SRCDIR/programs/examples/$2.df" $3 >"$temp/out"; then
        echo "$1 $2 $3: failed"
        failed=1
    elif [ "$(value result)" != "$4" ] || [ "$(value calls)" != "$5" ]; then
        echo "$1 $2 $3: $(value result) in $(value calls) calls, expected $4 in $5"
        failed=1
    fi
}

rows=0
while IFS=, read -r function inputs result calls _; do
    case $function in \#*) continue ;; esac
    rows=$((rows + 1))
    [ "$calls" -gt "$interp_most" ] || check interp "$function" "$inputs" "$result" "$calls"
    [ "$calls" -gt "$run_most" ] || check run "$function" "$inputs" "$result" "$calls"
done <"$SRCDIR/tests/data/table1.csv"
[ "$rows" -eq 27 ] || { echo "table1.csv: $rows rows, expected 27"; failed=1; }

original=$SRCDIR/../shared/reference/table1.csv
if [ -f "$original" ]; then
    sed 1d "$original" | sort >"$temp/original"
    grep -v '^#' "$SRCDIR/tests/data/table1.csv" | sed 's/[a-z]=//g' | sort >"$temp/copy"
    diff "$temp/original" "$temp/copy" || failed=1
else
    echo "not compared with $original, which is not there"
fi
exit $failed
