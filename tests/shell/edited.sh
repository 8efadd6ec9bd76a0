#!/bin/sh
# Tables and figures that were edited after a sweep: those of --experiment are made, else those
# of the experiment beside the database, which is said; what was not edited changes nothing.
# shellcheck disable=SC2016 # backquotes are what messages have
set -u
about='results'
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >fib.df <<'TEXT'
input n = 8
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
mkdir work
cat >work/fib.yaml <<'TEXT'
program: ../fib.df
inputs.n: [4, 8]
tables:
  - name: all
    rows: inputs.n
    values: calls
figures:
  - {name: line, x: inputs.n, y: calls}
TEXT
cp work/fib.yaml kept.yaml
"$HIATON" sweep run -q work/fib.yaml -o work/fib.db || fail "no results"

kept='inputs.n,calls
4,9
8,67'
edited='inputs.n,firings
4,67
8,502'

# --- as it was ---------------------------------------------------------------------

expect 0 csv work/fib.db all
silent
out_is "$kept"
# Comments and layout are no edit, nor is what is not a table or a figure.
sed -e '1i # a comment' -e 's/^    rows: inputs.n$/    rows:    "inputs.n"/' \
    -e 's/^inputs.n:.*/inputs.n: [4, 8, 9]/' -e 's/^    values/   # more\n    values/' \
    kept.yaml >work/fib.yaml
expect 0 csv work/fib.db all
silent
out_is "$kept"

# --- edited beside the database -------------------------------------------------------

sed 's/values: calls/values: firings/' kept.yaml >work/fib.yaml
expect 0 csv work/fib.db all
out_is "$edited"
err_has 'work/fib.yaml'
err_has 'work/fib.db'
expect 0 csv -q work/fib.db all
silent
out_is "$edited"
expect 0 all work/fib.db -o made
err_has 'the tables and figures of work/fib.yaml are not those that work/fib.db keeps'
[ "$(cat made/all.csv)" = "$edited" ] || fail "the old column"
(cd work && "$HIATON" results csv -q fib.db all) >out || fail "beside, in its folder"
out_is "$edited"
# A new one, and none.
sed 's/name: all/name: new/' kept.yaml >work/fib.yaml
expect 0 show work/fib.db
grep -q '^table  new' out || fail "the new table is not there"
expect 2 csv work/fib.db all
err_has 'it names new line'
sed '/^tables/,$d' kept.yaml >work/fib.yaml
expect 2 csv work/fib.db all
err_has 'it names none'
# A mistake is told as in any experiment; all results do not depend on it.
sed 's/values: calls/values: cals/' kept.yaml >work/fib.yaml
expect 2 all work/fib.db -o made
err_has 'work/fib.yaml:6:13: error: there is no column `cals`; did you mean `calls`?'
expect 0 csv work/fib.db
silent
# What stands there by chance is no experiment.
echo 'pe.count: 4' >work/fib.yaml
expect 0 csv work/fib.db all
silent
out_is "$kept"
rm work/fib.yaml
expect 0 csv work/fib.db all
silent
out_is "$kept"

# --- named ----------------------------------------------------------------------------

sed 's/values: calls/values: firings/' kept.yaml >other.yaml
cp kept.yaml work/fib.yaml
expect 0 csv work/fib.db all --experiment other.yaml
silent
out_is "$edited"
expect 0 all work/fib.db -o named --experiment=other.yaml
silent
[ "$(cat named/all.csv)" = "$edited" ] || fail "the old column"
cp other.yaml work/fib.yaml
expect 0 csv work/fib.db all --experiment kept.yaml
silent
out_is "$kept"
expect 2 all work/fib.db --experiment missing.yaml
err_has 'missing.yaml'
expect 2 csv work/fib.db --experiment kept.yaml --rows inputs.n --values calls
err_has '--experiment: an option that describes a table or figure cannot be given with it'
expect 2 schema --experiment kept.yaml

# --- a sweep makes what it was asked for -------------------------------------------------

mkdir elsewhere
cp other.yaml elsewhere/fib.yaml
cp kept.yaml work/fib.yaml
about='sweep'
expect 0 run -q work/fib.yaml -o elsewhere/fib.db --outputs made
silent
[ "$(cat made/all.csv)" = "$kept" ] || fail "not what the sweep says"

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
