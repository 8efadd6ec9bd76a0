#!/bin/sh
# Sweeps and comparisons are recorded, a file for each run: the results are those of a sweep that is
# not, and each recording is replayed; a sweep that goes on makes those that are missing.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cp "$SRCDIR"/programs/examples/fib.df .
cat >div.df <<'TEXT'
input n = 3
result = 100 / (n - 4)
TEXT
echo 'pe.count: 3' >three.yaml
cat >many.yaml <<'TEXT'
program:
  - {file: fib.df, inputs: {n: [3, 9]}}
  - {file: div.df, inputs: {n: [3, 4]}}
strategy: [static, expanding]
machine: [default, three.yaml, tf-executor]
settings: {placement.policy: random}
series: true
profile: true
pe: true
repeat: 2
TEXT

# replays COUNT FILE...: there are so many, and each is replayed.
replays() {
    wanted=$1
    shift
    last="$*"
    [ $# -eq "$wanted" ] || fail "$# recordings, expected $wanted"
    for file; do
        expect 0 replay "$file"
        out_has 'the same run'
    done
}

expect 1 sweep run many.yaml -o plain.db --csv plain.csv --series plain.series
expect 1 sweep run many.yaml --record --checkpoint 50 --csv many.csv --series many.series
same plain.csv many.csv
same plain.series many.series
sed 1d many.csv | sed 's/.*,"\([0-9a-f]*\)","[^"]*"$/\1/' | sort -u >identities
runs=$(wc -l <identities)
all=$(sed 1d many.csv | wc -l)
err_has "many.rec: $all of $all runs are recorded"
replays "$runs" many.rec/*.rec
mkdir elsewhere
mv many.rec elsewhere
(cd elsewhere && "$HIATON" replay "$(find many.rec -type f | sort | head -n 1)" >../out) || fail "elsewhere"
mv elsewhere/many.rec .
# They are named by the identities of the runs.
while read -r identity; do
    [ -f "many.rec/$identity.rec" ] || fail "$identity is not recorded"
done <identities
expect 0 results show many.db
out_has 'many.rec/IDENTITY.rec'
expect 0 results show plain.db
! grep -q IDENTITY out || fail "what was not recorded is said to be"
expect 0 results rerun many.db --all

# What is there stays; what is missing is made.
kept=$(find many.rec -type f | sort | head -n 1)
cp "$kept" kept.rec
touch -t 200001010000 "$kept"
find many.rec -type f | sort | sed 1d | xargs rm
expect 1 sweep run many.yaml --record --csv again.csv
err_has " $((runs - 1)) of them new"
same many.csv again.csv
[ -n "$(find many.csv -newer "$kept")" ] || fail "what was there is made again"
same "$kept" kept.rec
replays "$runs" many.rec/*.rec
expect 1 sweep run many.yaml --record
err_has ' 0 of them new'

# A run that was stopped leaves none.
cat >long.yaml <<'TEXT'
program: fib.df
inputs.n: 60
limits.wall: 0.2
TEXT
expect 1 sweep run long.yaml --record
err_has 'long.rec: 0 of 1 runs are recorded'
[ -z "$(ls long.rec)" ] || fail "a recording of a run that was stopped: $(ls long.rec)"

# The events of each run, those that were asked for, in a folder of their own.
expect 1 sweep run many.yaml -o told.db --trace --level firings --pe 0,1 --csv told.csv
same plain.csv told.csv
err_has "told.events: $all of $all runs have their events there"
[ "$(find told.events -type f | wc -l)" -eq "$runs" ] || fail "not a file for each run"
for file in told.events/*.hev; do
    expect 0 replay "$file"
done
expect 0 results show told.db
out_has 'told.events/IDENTITY.hev'
rm "$file"
expect 1 sweep run many.yaml -o told.db --trace --level firings --pe 0,1
err_has ' 1 of them new'
[ -e "$file" ] || fail "what is missing is not made again"
expect 2 sweep run many.yaml -o told.db --level firings
err_has 'say which events --trace writes; --trace is missing'
expect 2 sweep run many.yaml -o wrong.db --trace --function nobody
err_has 'runs could not be written'

# What cannot be recorded is said, and has its results.
: >stuck.rec
expect 2 sweep run many.yaml -o stuck.db --record
err_has stuck.rec
if [ "$(id -u)" != 0 ]; then
    mkdir closed.rec
    chmod a-w closed.rec
    expect 2 sweep run many.yaml -o closed.db --record --csv closed.csv
    err_has 'could not be recorded'
    same closed.csv many.csv
fi
mkdir -p full.rec
while read -r identity; do
    mkdir -p "full.rec/$identity.rec.part"
done <identities
expect 2 sweep run many.yaml -o full.db --record --csv full.csv
err_has "$runs runs could not be recorded"
same full.csv many.csv
expect 2 sweep run many.yaml --interval 3
err_has 'nothing without --record'

# --- comparisons ------------------------------------------------------------------------

expect 0 compare fib.df n=8
cp out plain
expect 0 compare fib.df n=8 --record side.rec --interval 7
same plain out
replays 2 side.*.rec
expect 0 replay side.expanding.rec --json
out_has '"interval": 7'
mkdir all
expect 0 compare fib.df n=5..8 --placement=both -j 2 --record all/x --json
out_has '"recording": "all/x.4.expanding.placed"'
replays 12 all/*
expect 0 compare fib.df n=8 --trace side.hev --level queues --record side.rec --checkpoint 100
same plain out
replays 2 side.*.hev
for side in static expanding; do
    expect 0 trace text side.$side.hev --level queues
    mv out told
    expect 0 trace text side.$side.rec --level queues
    same told out
done
expect 0 compare fib.df n=8,9 --trace few.hev --function fib --json
out_has '"events": "few.2.expanding.hev"'
replays 4 few.*.hev
expect 2 compare fib.df n=8 --level all
expect 2 compare fib.df n=8 --trace none/x.hev
expect 2 compare fib.df n=8 --trace same --record same
expect 2 compare fib.df n=8 --record none/x.rec
mkdir -p there.static.rec.part
expect 2 compare fib.df n=8 --record there.rec
err_has 'there.static.rec'
[ ! -s out ] || fail "a table is printed, though not all was written"

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
