#!/bin/sh
# A few quick rows of paper 1's table 1 on the machine tf-executor (doc/studies/table1.md): both
# strategies have the same result and calls, the times are within 10 % of those published, and the
# faster strategy is the one that was faster.
set -eu

most=160000
if [ -n "${HIATON_QUICK-}" ]; then # sanitizers: the same, smaller
    most=11000
fi

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
failed=0
rows=0

# value KEY: of the JSON object in $temp/out
value() {
    sed -n "s/^ *\"$1\": \"*\\([^\",]*\\)\"*,*\$/\\1/p" "$temp/out"
}

# check STRATEGY FUNCTION INPUTS RESULT CALLS SECONDS
check() {
    # shellcheck disable=SC2086 # inputs are words
    if ! "$HIATON" run --json -m tf-executor --strategy "$1" \
        "$SRCDIR/programs/examples/$2.df" $3 >"$temp/out"; then
        echo "$1 $2 $3: failed"
        failed=1
    elif [ "$(value result)" != "$4" ] || [ "$(value calls)" != "$5" ]; then
        echo "$1 $2 $3: $(value result) in $(value calls) calls, expected $4 in $5"
        failed=1
    elif ! awk -v t="$(value cycles)" -v m="$6" 'BEGIN {
            e = (t / 1e9 - m) / m
            exit !(e > -0.1 && e < 0.1) }'; then
        echo "$1 $2 $3: $(value cycles) ns, published $6 s"
        failed=1
    fi
    value cycles >"$temp/$1"
}

while IFS=, read -r function inputs result calls static dynamic; do
    case $function in \#*) continue ;; esac
    [ "$calls" -le "$most" ] || continue
    rows=$((rows + 1))
    check static "$function" "$inputs" "$result" "$calls" "$static"
    check expanding "$function" "$inputs" "$result" "$calls" "$dynamic"
    if [ "$(cat "$temp/static")" -gt "$(cat "$temp/expanding")" ]; then
        echo "$function $inputs: static should be the faster one"
        failed=1
    fi
done <"$SRCDIR/tests/data/table1.csv"
[ "$rows" -ge 2 ] || { echo "only $rows rows of table1.csv"; failed=1; }
exit $failed
