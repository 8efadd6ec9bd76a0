#!/bin/sh
# What people who begin do wrong, and exactly what they are told: tests/data/mistakes.tbl. Nothing
# of it may end otherwise than with status 2.
set -u
table=mistakes.tbl
# shellcheck source=tests/shell/table.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/table.sh"
check_table

# What makes the files that a mistake needs has status 0.
made='^[$] hiaton compile fib.df -o fib.img && hiaton disasm'
grep '^[$=] ' "$scratch/found" | paste - - | grep -v "$made" | grep -v '= 2$' &&
    flaw "these do not end with status 2"
mistakes=$(grep -c '^# [0-9]*\. ' "$scratch/found")
[ "$mistakes" -ge 30 ] || flaw "$mistakes mistakes"
exit $failures
