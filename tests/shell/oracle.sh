#!/bin/sh
# The engines against a second simulator, which was written from doc/model.md alone
# (tests/oracle/oracle.h): random programs and machines, and the examples. And the test of the
# test: with a rule of the second simulator wrong, something is found, and made small. `make
# oracle' runs many more.
set -eu

oracle=$BUILDDIR/tests/oracle_compare
number=1200
calls=600
file_machines=200
tries_mistakes=yes
if [ -n "${HIATON_QUICK-}" ]; then
    number=150
    calls=60
    file_machines=24
    if [ "${HIATON_SANITIZERS-}" = yes ]; then # what they look for needs no test of the test
        number=30
        calls=20
        file_machines=4
        tries_mistakes=
    fi
fi

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

coverage=--coverage
[ -z "${HIATON_QUICK-}" ] || coverage=
# shellcheck disable=SC2086 # an option, or nothing
"$oracle" --number "$number" --examples "$SRCDIR" --calls "$calls" \
    --file-machines "$file_machines" $coverage \
    "$SRCDIR"/tests/oracle/*.asm "$SRCDIR"/tests/oracle/*.df || failed=1

# What was found once, on the machine where it was.
for file in "$SRCDIR"/tests/data/regressions/*.df; do
    settings=$(sed -n 's/^-- settings: //p' "$file")
    [ -z "$settings" ] || "$oracle" --number 0 --settings "$settings" "$file" || failed=1
done

# The mistakes as it lists them: each must be found and shown as a program of a few lines.
mistakes=$("$oracle" --help | sed -n 's/^ *none //p')
[ -n "$mistakes" ] || { echo "self-test: no mistakes to make"; failed=1; }
[ -z "${HIATON_QUICK-}" ] || mistakes=${mistakes%%[!a-z]*} # the first
[ -n "$tries_mistakes" ] || mistakes=
for mistake in $mistakes; do
    status=0
    "$oracle" --number 8000 --mistake "$mistake" >"$temp/out" || status=$?
    lines=$(sed '1,/^seed /d' "$temp/out" | wc -l)
    if [ "$status" -ne 1 ] || [ "$lines" -gt 12 ]; then
        echo "self-test: the mistake $mistake was not found, or in $lines lines (status $status)"
        cat "$temp/out"
        failed=1
    fi
done
exit $failed
