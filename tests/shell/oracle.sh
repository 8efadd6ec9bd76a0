#!/bin/sh
# The engines against a second simulator, which was written from doc/model.md alone
# (tests/oracle/oracle.h): random programs and machines, and the examples. oracle_mistakes.sh is the
# test of the test; `make oracle' runs many more.
set -eu

oracle=$BUILDDIR/tests/oracle_compare
number=300
calls=200
file_machines=60
if [ -n "${HIATON_QUICK-}" ]; then
    number=150
    calls=60
    file_machines=24
    if [ "${HIATON_SANITIZERS-}" = yes ]; then
        number=30
        calls=20
        file_machines=4
    fi
fi

failed=0

coverage=--coverage
[ -z "${HIATON_QUICK-}" ] || coverage=
# shellcheck disable=SC2086 # an option, or nothing
"$oracle" --number "$number" --examples "$SRCDIR" --calls "$calls" \
    --file-machines "$file_machines" $coverage \
    "$SRCDIR"/tests/oracle/*.asm "$SRCDIR"/tests/oracle/*.df || failed=1

# What was found once, on the machines where it was.
for file in "$SRCDIR"/tests/data/regressions/*.df "$SRCDIR"/tests/oracle/*.asm; do
    while read -r settings; do
        [ -z "$settings" ] || "$oracle" --number 0 --settings "$settings" "$file" || failed=1
    done <<TEXT
$(sed -n -e 's/^-- settings: //p' -e 's/^# settings: //p' "$file")
TEXT
done

exit $failed
