#!/bin/sh
# What is said of experiments that are wrong: of each tests/data/experiments/X.yaml, with place,
# what was expected and the nearest name, what X.expected says. UPDATE_GOLDEN=1 writes what
# is said now; read it before you believe it.
set -u
LC_ALL=C
export LC_ALL

SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)
HIATON=${HIATON:?the program}
found=$(mktemp)
trap 'rm -f "$found"' EXIT
trap 'exit 1' HUP INT TERM
status=0
count=0

cd "$SRCDIR/tests/data/experiments" || exit 1
for file in *.yaml; do
    name=${file%.yaml}
    count=$((count + 1))
    output=$("$HIATON" sweep list "$file" 2>"$found" </dev/null)
    ended=$?
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        cp "$found" "$name.expected"
    fi
    if [ "$ended" -ne 2 ] || [ -n "$output" ]; then
        echo "$file: status $ended, expected 2, and nothing on standard output"
        status=1
    fi
    if ! diff -u "$name.expected" "$found"; then
        echo "$file: other mistakes are told than $name.expected has"
        status=1
    fi
    # Something is said of a line of a file, and what it is; of a program, of its own.
    if ! grep -Eq '^[a-z_]+\.(yaml|yml|df):[0-9]+:[0-9]+: error: ' "$found"; then
        echo "$file: no mistake with its place"
        status=1
    fi
done
if [ "$count" -lt 30 ]; then
    echo "only $count experiments"
    status=1
fi
exit $status
