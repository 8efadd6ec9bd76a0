#!/bin/sh
# Where nothing is random, all repetitions and seeds of a combination are one run: that is said
# before it is made, it is made once, and nothing shows an interval of it. What draws has the
# repetitions that it was asked for.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >fib.df <<'TEXT'
input n = 8
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >fixed.yaml <<'TEXT'
program: fib.df
settings.pe.count: [1, 4]
repeat: 10
TEXT
cat >mixed.yaml <<'TEXT'
program: fib.df
settings:
  pe.count: [1, 4]
  placement.policy: [tag, random]
repeat: {times: 10, seed: per-repetition}
figures:
  - {name: band, x: pe.count, y: cycles, by: placement.policy, spread: ci95}
TEXT
sed 's/tag, random/random/' mixed.yaml >asked.yaml

# --- it is said ------------------------------------------------------------------

expect 0 sweep list fixed.yaml
err_has 'fixed.yaml:3:1: warning: repeat: nothing is random, so that all 10 repetitions are one run'
[ "$(wc -l <out)" -eq 21 ] || fail "not all 20 runs are listed"
expect 0 sweep list mixed.yaml
err_has 'warning: repeat: in 2 of 4 combinations nothing is random'
# One PE of several sizes is no mistake.
expect 0 sweep list asked.yaml
silent
expect 0 sweep list -q fixed.yaml
silent
printf 'program: fib.df\nseed: [1, 2, 3]\n' >seeds.yaml
expect 0 sweep list seeds.yaml
err_has 'seeds.yaml:2:1: warning: seed: nothing is random, so that all seeds are one run'
printf 'program: fib.df\nseed: 7\n' >seed.yaml
expect 0 sweep list seed.yaml
silent
sed '1a settings: {pe.count: 1, placement.policy: random}' seeds.yaml >one_pe.yaml
expect 0 sweep list one_pe.yaml
err_has 'nothing is random'
sed '1a settings: {executor.workers: 4, placement.policy: random}' seeds.yaml >workers.yaml
expect 0 sweep list workers.yaml
err_has 'nothing is random'

# --- it is one run -----------------------------------------------------------------

expect 0 sweep run fixed.yaml --csv fixed.csv
err_has 'warning: repeat: nothing is random'
err_has 'fixed.db: 20 runs, 2 of them new; 0 failed'
[ "$(wc -l <fixed.csv)" -eq 21 ] || fail "not all 20 results are there"
# Each has the seed that it was given.
[ "$(cut -d, -f6 fixed.csv | sort -u | wc -l)" -eq 21 ] || fail "not 20 seeds"
expect 0 sweep run fixed.yaml -o again.db --csv again.csv -j 2
same fixed.csv again.csv
expect 0 sweep run mixed.yaml
err_has 'mixed.db: 40 runs, 13 of them new; 0 failed'
# Shards share nothing, and have the same.
for i in 1 2 3; do
    expect 0 sweep run -q mixed.yaml --shard $i/3 --csv shard.$i.csv
done
expect 0 sweep run -q mixed.yaml --csv mixed.csv
expect 0 sweep merge -o merged.db mixed.1-of-3.db mixed.2-of-3.db mixed.3-of-3.db \
    --csv merged.csv
same mixed.csv merged.csv

# --- no interval --------------------------------------------------------------------

for spread in sd ci95 range; do
    expect 0 results show fixed.db --rows pe.count --values cycles --spread $spread
    shows <<'TEXT'
pe.count  cycles
       1     738
       4     400
TEXT
    expect 0 results csv fixed.db --rows pe.count --values cycles --spread $spread
    shows <<'TEXT'
pe.count,cycles,cycles.low,cycles.high
1,738,,
4,400,,
TEXT
    expect 0 results latex fixed.db --rows pe.count --values cycles --spread $spread
    grep -q 'pm' out && fail "an interval"
    grep -q '^    4 & 400 ' out || fail "no 400"
done
expect 0 results show fixed.db --rows pe.count --values cycles --of sum
shows <<'TEXT'
pe.count  cycles
       1     738
       4     400
TEXT
# By repetition there is a place for each.
expect 0 results csv fixed.db --rows repetition --values cycles --where 'pe.count == 4'
[ "$(grep -c ',400$' out)" -eq 10 ] || fail "not each repetition is shown"
# A figure says of how many runs each place is.
expect 0 results show mixed.db --rows placement.policy,pe.count --values cycles --spread ci95
grep -q '^  *4  *400\.0$' out || fail "an interval of what is not random"
grep -q '^  *4  *[0-9.]* ± [0-9.]*$' out || fail "no interval of what is random"
PATH=$scratch/no_gnuplot "$HIATON" results plot mixed.db band >out 2>err
last='results plot mixed.db band'
grep -v '^#' band.dat | awk 'NF == 5 { print $5 }' >counts
[ "$(tr '\n' ' ' <counts)" = '1 1 1 10 ' ] || fail "the runs of places: $(cat counts)"

# What is compared with something random has as many numbers as that.
expect 0 results csv mixed.db --rows pe.count --values cycles --spread ci95 \
    --where "placement.policy == 'tag'" --relative "placement.policy == 'random'"
grep -q '^1,1,,$' out || fail "an interval of one PE"
grep -qE '^4(,[0-9.]+){3}$' out || fail "no interval over what is random"

# A database whose points have no seeds, as they had before, is read, merged and gone on with.
if command -v sqlite3 >/dev/null; then
    for i in 1 2 3; do
        sqlite3 mixed.$i-of-3.db 'SELECT sql FROM sqlite_schema WHERE name = "results"' |
            sed 's/points."seed"/runs."seed"/' >view.sql
        sqlite3 mixed.$i-of-3.db 'DROP VIEW results; ALTER TABLE points DROP COLUMN seed' \
            "DELETE FROM experiment WHERE key = 'seal'; PRAGMA user_version = 7" '.read view.sql'
    done
    expect 0 results show mixed.1-of-3.db
    expect 0 sweep merge -o older.db mixed.1-of-3.db mixed.2-of-3.db mixed.3-of-3.db
    expect 0 sweep run mixed.yaml -o older.db --csv older.csv
    err_has 'older.db: 40 runs, 0 of them new; 0 failed'
    same mixed.csv older.csv
    # Of points with seeds and of some without.
    expect 0 sweep run -q mixed.yaml --shard 2/3
    expect 0 sweep merge -o newer.db mixed.2-of-3.db mixed.1-of-3.db mixed.3-of-3.db
fi

# Two programs that are the same were asked for apart.
cp fib.df bif.df
printf 'program: [fib.df, bif.df]\n' >twins.yaml
expect 0 sweep run twins.yaml
expect 0 results csv twins.db --rows pe.count --values cycles,calls --of sum
grep -q ',134$' out || fail "a program was left out"

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
