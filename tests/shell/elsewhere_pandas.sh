#!/bin/sh
# The examples of doc/results.md in Python, and in pandas where it is installed. HIATON is the
# program.
set -u
# shellcheck source=tests/shell/elsewhere.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/elsewhere.sh"

command -v python3 >/dev/null || skip Python
examples 'Python, without pandas' python >plain.py
last='in Python'
python3 plain.py >out 2>err || fail "the example"
[ "$(grep -c '^[12] ' out)" -eq 8 ] || fail "not 8 runs"
cat >series.py <<'TEXT'
import sqlite3, sys
assert sqlite3.connect("speedup.db").execute(sys.stdin.read()).fetchall()
TEXT
examples Series sql >series.sql
python3 series.py <series.sql >out 2>err || fail "the query of series"
[ "$failures" -eq 0 ] || exit 1

# The one in the path may be another one than Debian's.
for python in python3 /usr/bin/python3 none; do
    [ "$python" != none ] || skip "pandas (Debian package python3-pandas)"
    if "$python" -c 'import pandas' 2>err; then break; fi
done

# Each example, then what it made.
examples pandas python | awk '/^import / { n++ } { print >("pandas" n ".py") }'
cat >check.py <<'TEXT'
assert list(runs["result"]) == ["9007199254740993", "89"] * 4, runs["result"]
for name in ["result", "value_digest", "timing_digest", "image_digest", "identity"]:
    assert str(runs[name].dtype) == "string", name
assert all(runs["image_digest"].str.len() == 32)
assert str(runs["cycles"].dtype).lower() == "int64"
assert int(runs["inputs.n"][0]) == 9007199254740993
assert runs["inputs.wide"].isna().sum() == 4
TEXT
cat >exact.py <<'TEXT'
assert str(runs["inputs.wide"].dtype) == "Int64" and int(runs["inputs.wide"][0]) == 9223372036854775807
assert str(runs["inputs.flag"].dtype) == "boolean" and bool(runs["inputs.flag"][0])
assert str(runs["utilisation"].dtype) == "Float64"
assert units.unit["cycles"] == "cycles"
TEXT
last='in pandas'
cat pandas1.py check.py exact.py >of_database.py
cat pandas2.py check.py >of_text.py
"$python" of_database.py >out 2>err || fail "the example with the database"
grep -q '^2 ' out || fail "no mean of 2 PEs"
"$python" of_text.py >out 2>err || fail "the example with comma-separated values"
grep -q '^2 ' out || fail "no mean of 2 PEs"
exit $((failures > 0))
