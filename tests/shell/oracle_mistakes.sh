#!/bin/sh
# The test of oracle.sh: with a rule of the second simulator wrong, something is found, and shown as
# a program of a few lines. Quick tests try the first of the mistakes.
set -eu

oracle=$BUILDDIR/tests/oracle_compare
[ "${HIATON_SANITIZERS-}" != yes ] || { echo 'a test of a test needs no sanitizers'; exit 77; }

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# first_seed MISTAKE: where a mistake was found that few programs show. A search that begins there
# is short, until another generator draws other programs; then it only takes longer.
first_seed() {
    case $1 in
    port) echo 364 ;;
    overtake) echo 222 ;;
    last) echo 113 ;;
    further) echo 79 ;;
    *) echo 1 ;;
    esac
}

# The mistakes as oracle_compare lists them.
mistakes=$("$oracle" --help | sed -n 's/^ *none //p')
[ -n "$mistakes" ] || { echo "self-test: no mistakes to make"; failed=1; }
[ -z "${HIATON_QUICK-}" ] || mistakes=${mistakes%%[!a-z]*} # the first
for mistake in $mistakes; do
    status=0
    "$oracle" --number 8000 --seed "$(first_seed "$mistake")" --mistake "$mistake" \
        >"$temp/out" || status=$?
    lines=$(sed '1,/^seed /d' "$temp/out" | wc -l)
    if [ "$status" -ne 1 ] || [ "$lines" -gt 12 ]; then
        echo "self-test: the mistake $mistake was not found, or in $lines lines (status $status)"
        cat "$temp/out"
        failed=1
    fi
done
exit $failed
