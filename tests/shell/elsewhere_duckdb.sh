#!/bin/sh
# The examples of doc/results.md in DuckDB, where its program is installed. HIATON is the program.
set -u
# shellcheck source=tests/shell/elsewhere.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/elsewhere.sh"

command -v duckdb >/dev/null || skip DuckDB
last='in DuckDB'
examples DuckDB sql | awk 'BEGIN { n = 1 } $0 == "" { n++; next } { print >("example" n ".sql") }'
duckdb -batch -csv <example2.sql >out 2>err || fail "the example with comma-separated values"
grep -qE '^2,"?9007199254740993"?,"?[0-9a-f]{32}"?,' out || fail "no such run"
duckdb -batch -c 'INSTALL sqlite; LOAD sqlite' >load 2>&1 </dev/null ||
    { [ "$failures" -eq 0 ] && skip "the extension sqlite of DuckDB"; }
duckdb -batch -csv <example1.sql >out 2>err || fail "the example with the database"
grep -q '^2,' out || fail "no mean of 2 PEs"
exit $((failures > 0))
