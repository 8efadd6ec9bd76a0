#!/bin/sh
# Random programs, and those that once failed, through everything that can run them
# (tests/random/compare.h); and the test of the test: with a mistake in the evaluator something is
# found, and made small. `make property' runs many more.
set -eu

property=$BUILDDIR/tests/random/property
number=1000 platforms=4
if [ -n "${HIATON_QUICK-}" ]; then # sanitizers: the same, smaller
    number=500 platforms=30
fi

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# Those with tensors, which its evaluator does not know, and those that a limit ends, which come to
# no result to compare, are for tests/shell/oracle.sh alone.
for file in "$SRCDIR"/tests/data/regressions/*.df; do
    grep -qe 'tensor(' -e '^-- settings:.* limits\.' "$file" || "$property" "$file" >"$temp/out" || {
        cat "$temp/out"
        failed=1
    }
done
"$property" --number "$number" --jobs 2 --platforms $platforms --coverage || failed=1
"$property" --number $((number / 2)) --seed 100001 --jobs 2 --platforms 0 --optimise || failed=1

# The mistakes as property lists them: each must be found and shown as a program of a few
# lines, which fails, when it was kept, and is right without the mistake.
mistakes=$("$property" --help | sed -n 's/^ *none //p')
[ -n "$mistakes" ] || { echo "self-test: no mistakes to make"; failed=1; }
[ -z "${HIATON_QUICK-}" ] || mistakes=${mistakes%%[!a-z]*} # the first
for mistake in $mistakes; do
    status=0
    "$property" --number 5000 --jobs 2 --platforms 0 --mistake "$mistake" --keep "$temp/small.df" \
        >"$temp/out" || status=$?
    if [ "$status" -ne 1 ] || [ ! -f "$temp/small.df" ]; then
        echo "self-test: the mistake $mistake was not found (status $status)"
        cat "$temp/out"
        failed=1
        continue
    fi
    lines=$(grep -vc '^--' "$temp/small.df")
    if [ "$lines" -gt 8 ]; then
        echo "self-test: the mistake $mistake is shown in $lines lines"
        failed=1
    fi
    status=0
    "$property" --mistake "$mistake" "$temp/small.df" >"$temp/out" || status=$?
    if [ "$status" -ne 1 ] || ! "$property" "$temp/small.df" >"$temp/out"; then
        echo "self-test: what was kept of the mistake $mistake is not what was found"
        cat "$temp/small.df" "$temp/out"
        failed=1
    fi
    rm -f "$temp/small.df"
done
exit $failed
