#!/bin/sh
# Experiments: the runs that they are, what is run and what is not run again, exit statuses,
# results in all forms, shards, runs that fail, crash and take too long.
set -u
about='sweep'
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# column NAME FILE.csv: its cells, on one line; no cell here has a comma or a newline.
# Results and digests stand in quotes: they are texts.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        { printf "%s%s", n++ ? " " : "", $c } END { print "" }' "$2"
}
column_is() {
    found=$(column "$1" "$2")
    [ "$found" = "$3" ] || fail "$2: column $1 is \`$found', expected \`$3'"
}

cat >fib.df <<'TEXT'
input n = 10
input scale = 0.5
input on = true
result = if on then fib(n) else 0
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >divide.df <<'TEXT'
input n = 10
result = 100 / n
TEXT
cat >endless.df <<'TEXT'
input n = 1
result = loop i = n while i != 0 do i + 1
TEXT

# --- which runs ------------------------------------------------------------------

cat >grid.yaml <<'TEXT'
program: fib.df
grid:
  network.latency: [1, 10]
zip:
  pe.count: [4, {log2: [8, 16]}]
  inputs.n: {range: [3, 5]}
seed: [7]
where: pe.count * 2 < 32 or network.latency != 1
TEXT
expect 0 list grid.yaml
out_is "number  program  pe.count  network.latency  inputs.n
     1      fib         4                1         3
     2      fib         8                1         4
     3      fib         4               10         3
     4      fib         8               10         4
     5      fib        16               10         5"
expect 0 list --shard 2/2 grid.yaml
out_is "number  program  pe.count  network.latency  inputs.n
     2      fib         8                1         4
     4      fib         8               10         4"
expect 0 run grid.yaml --csv grid.csv
column_is number grid.csv "1 2 3 4 5"
column_is result grid.csv '"2" "3" "2" "3" "5"'
column_is pe.count grid.csv "4 8 4 8 16"
column_is seed grid.csv "7 7 7 7 7"
column_is inputs.scale grid.csv "0.5 0.5 0.5 0.5 0.5"
column_is inputs.on grid.csv "true true true true true"
column_is status grid.csv "completed completed completed completed completed"

# A run of an experiment is that of `hiaton run', to the last statistic.
"$HIATON" run --json -s pe.count=8 -s network.latency=10 --seed 7 fib.df n=4 >one.json
for key in cycles firings span tokens network_bits calls peak_waiting graph_nodes \
    parallelism utilisation mean_waiting value_digest timing_digest image_digest; do
    one=$(sed -n "s/^  \"$key\": \"*\([^\",]*\).*/\1/p" one.json)
    many=$(column "$key" grid.csv | cut -d' ' -f4 | tr -d '"')
    if [ -z "$one" ] || [ "$one" != "$many" ]; then
        fail "$key is $many in a sweep, and $one alone"
    fi
done

# Ranges of reals, downwards, lists in lists.
cat >values.yaml <<'TEXT'
program: fib.df
grid:
  inputs.scale: [{range: [1, 0, -0.25]}, 1e300]
  inputs.on: [false, true]
inputs.n: 3
TEXT
expect 0 run values.yaml --csv values.csv
column_is inputs.scale values.csv "1.0 1.0 0.75 0.75 0.5 0.5 0.25 0.25 0.0 0.0 1e+300 1e+300"
column_is result values.csv '"0" "2" "0" "2" "0" "2" "0" "2" "0" "2" "0" "2"'

# Strategies: an image for each, and one result.
cat >strategies.yaml <<'TEXT'
program: fib.df
strategy: [static, expanding]
grid:
  loop.constants: [sticky, copies]
  copy.workers: [0, 1]
where: strategy == 'expanding' or copy.workers == 0
inputs.n: 5
TEXT
expect 0 run strategies.yaml --csv strategies.csv
column_is strategy strategies.csv "static static expanding expanding expanding expanding"
column_is result strategies.csv '"5" "5" "5" "5" "5" "5"'
column_is status strategies.csv "completed completed completed completed completed completed"
[ "$(column calls strategies.csv)" = "$(column copies strategies.csv | sed 's/^0 0/15 15/')" ] ||
    fail "copies: $(column copies strategies.csv), calls: $(column calls strategies.csv)"
"$HIATON" compile --strategy=expanding fib.df -o fib.img
printf 'program: fib.img\nstrategy: [static, expanding]\n' >image.yaml
expect 2 run image.yaml
err_has "this was made for the strategy expanding, and cannot be run by static"

# --- what is there is not run again ------------------------------------------------

expect 0 run grid.yaml --csv again.csv
err_has "5 runs, 0 of them new"
same grid.csv again.csv
# One line more, one value less: only what is new is run; the rest is not shown.
sed 's/\[1, 10\]/[10, 20]/' grid.yaml >changed.yaml
expect 0 run -o grid.db changed.yaml --csv changed.csv
err_has "6 runs, 3 of them new"
column_is network.latency changed.csv "10 10 10 20 20 20"
expect 0 run grid.yaml --csv again.csv
err_has "5 runs, 0 of them new"
same grid.csv again.csv
# A comment, or another order, changes no run.
{
    echo '# the same'
    cat grid.yaml
} >commented.yaml
expect 0 run -o grid.db commented.yaml
err_has "0 of them new"
# The image is part of what a run is: another program, or the same under another name.
sed 's/program: fib.df/program: copy.df/' grid.yaml >copy.yaml
cp fib.df copy.df
expect 0 run -o grid.db copy.yaml --csv copy.csv
err_has "5 of them new"
column_is program copy.csv "copy copy copy copy copy"
sed 's/n < 2/n <= 1/' fib.df >copy.df
expect 0 run -o grid.db copy.yaml
err_has "5 of them new"

# Two machines that are the same: two rows, one run.
echo 'base: default' >same.yaml
cat >twins.yaml <<'TEXT'
program: fib.df
machine: [default, same.yaml, ideal]
TEXT
expect 0 run twins.yaml --csv twins.csv
err_has "3 runs, 2 of them new"
column_is machine twins.csv "default same.yaml ideal"

# --- whatever the number of processes and shards -------------------------------------

cat >many.yaml <<'TEXT'
program: [fib.df, copy.df]
machine: [default, ideal]
inputs: {n: {range: [0, 5]}}
settings: {placement.policy: random, stats.interval: 100}
repeat: {times: 3, seed: per-repetition}
series: true
TEXT
publish='--csv X.csv --json X.json --series X.series'
# published NAME: the options that write all there is
published() { echo "$publish" | sed "s/X/$1/g"; }
# shellcheck disable=SC2046 # lists of words
{
    expect 0 run -o one.db many.yaml $(published one)
    expect 0 run -o two.db many.yaml $(published two) -j 2
    for i in 1 2 3 4; do
        expect 0 run many.yaml --shard $i/4 -j 2
    done
    expect 0 merge -o four.db many.3-of-4.db many.1-of-4.db many.2-of-4.db many.4-of-4.db \
        $(published four)
}
for form in csv json series; do
    same one.$form two.$form
    same one.$form four.$form
done
[ "$(wc -l <one.csv)" -eq 73 ] || fail "one.csv has $(wc -l <one.csv) lines, expected 73"
[ "$(column seed one.csv | tr ' ' '\n' | sort -u | wc -l)" -eq 3 ] ||
    fail "there are other than 3 seeds per repetition"
sed 's/per-repetition/per-run/' many.yaml >perrun.yaml
expect 0 run perrun.yaml --csv perrun.csv
[ "$(column seed perrun.csv | tr ' ' '\n' | sort -u | wc -l)" -eq 72 ] ||
    fail "there are other than 72 seeds per run"
# The merged results are as good as those of one sweep.
expect 0 run -o four.db many.yaml
err_has "0 of them new"
# Parts of another experiment, or with other results, are not merged.
expect 2 merge -o wrong.db many.1-of-4.db grid.db
err_has "another experiment"
if command -v sqlite3 >/dev/null; then
    cp many.2-of-4.db forged.db
    sqlite3 forged.db 'UPDATE runs SET cycles = cycles + 1 WHERE id = 1'
    expect 1 merge -o wrong.db many.2-of-4.db forged.db
    err_has "forged.db: 1 runs have other results"
    for table in experiment units points runs series host; do
        [ "$(sqlite3 one.db "SELECT strict FROM pragma_table_list('$table')")" = 1 ] ||
            fail "the table $table is not STRICT"
    done
    [ "$(sqlite3 one.db 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ] ||
        fail "the database is not sound"
    [ "$(sqlite3 one.db 'SELECT count(*) FROM host')" -eq \
        "$(sqlite3 one.db 'SELECT count(*) FROM runs')" ] || fail "host has other rows"
    sqlite3 four.db 'SELECT id FROM runs WHERE NOT EXISTS (SELECT 1 FROM host WHERE run = id)
        OR NOT EXISTS (SELECT 1 FROM series WHERE run = id)' >out
    [ ! -s out ] || fail "merging has lost rows of host or series"
fi
[ ! -e wrong.db ] || fail "a merge that failed has left a file"
expect 2 merge -o four.db many.1-of-4.db
err_has "is there already"
# `host' is nowhere unless asked for.
! grep -q wall_seconds one.json one.csv || fail "host is in the results"
expect 0 run -o one.db many.yaml --json host.json --host
grep -q wall_seconds host.json || fail "host is not in the results"

# --- runs that fail ----------------------------------------------------------------

cat >fails.yaml <<'TEXT'
program: divide.df
inputs: {n: [5, 0, 10]}
TEXT
expect 1 run fails.yaml --csv fails.csv
err_has "run 2 (trapped): divide.df:2:14: division by zero"
err_has "3 runs, 3 of them new; 1 failed"
column_is status fails.csv "completed trapped completed"
expect 1 run fails.yaml
err_has "3 runs, 0 of them new; 1 failed"
cat >limit.yaml <<'TEXT'
program: fib.df
limits: {cycles: [100, 1000000]}
TEXT
expect 1 run limit.yaml --csv limit.csv
err_has "run 1 (limit): fib.df: limit reached: limits.cycles = 100"
column_is status limit.csv "limit completed"

# The wall clock: recorded, without statistics, and run again.
cat >wall.yaml <<'TEXT'
program: endless.df
limits: {wall: 0.1}
inputs: {n: [0, 1]}
TEXT
for again in 2 1; do
    expect 1 run wall.yaml --csv wall.csv -j 2
    err_has "run 2 (interrupted): limit reached: limits.wall = 0.1"
    err_has "2 runs, $again of them new"
    column_is status wall.csv "completed interrupted"
    [ "$(column cycles wall.csv | wc -w)" -eq 1 ] || fail "an interrupted run has statistics"
done

# A process that dies is a run that failed, and no other.
cat >crash.yaml <<'TEXT'
program: endless.df
inputs: {n: [0, 1]}
settings: {pe.count: [1, 2]}
limits: {wall: 100}
TEXT
"$HIATON" sweep run crash.yaml -j 1 >out 2>err </dev/null &
sweep=$!
last='run crash.yaml'
# The endless runs: those whose process has worked for a while.
children=/proc/$sweep/task/$sweep/children
if [ -e $children ]; then
    killed=none
    for run in 1 2; do
        tries=0
        worker=
        while [ $tries -lt 600 ]; do
            read -r worker _ <$children
            ticks=$(awk "{ print \$14 }" "/proc/$worker/stat" 2>/dev/null)
            [ "${worker:-none}" != "$killed" ] && [ "${ticks:-0}" -ge 30 ] && break
            sleep 0.1
            tries=$((tries + 1))
        done
        kill -KILL "$worker" || fail "there is no process to kill, at $run"
        killed=$worker
    done
    wait $sweep
    [ $? -eq 1 ] || fail "the status of a sweep with crashes is not 1"
    err_has "run 3 (crashed): killed by signal 9"
    err_has "4 runs, 4 of them new; 2 failed"
else
    echo "skipped: the children of a process are not told here"
    kill -KILL $sweep
    wait $sweep
fi

# --- machines that are none -----------------------------------------------------------

# What `run` refuses is refused before the first run begins: with its message, and its place. Each
# row has settings, and the value at fault.
while IFS='|' read -r settings column; do
    sets=$(echo "$settings" | sed 's/: /=/g; s/, / -s /g; s/^/-s /')
    # shellcheck disable=SC2086 # words
    "$HIATON" run fib.df -q $sets 2>&1 | sed -n '1s/^hiaton run: //p' >refused
    [ -s refused ] || fail "run takes $sets"
    printf 'program: fib.df\nsettings: {%s}\n' "$settings" >none.yaml
    expect 2 run none.yaml
    err_has "none.yaml:2:$column: error: $(cat refused)"
    [ ! -e none.db ] || fail "$settings: a database was begun"
    about=
    # shellcheck disable=SC2086 # words
    expect 2 compare fib.df n=3 $sets
    err_has "$(cat refused)"
    # shellcheck disable=SC2086 # words
    expect 2 analyse fib.df n=3 $sets
    err_has "$(cat refused)"
    echo "$settings" | sed 's/, /\n/g' >none-machine.yaml
    expect 2 machines none-machine.yaml
    err_has "$(cat refused)"
    about=sweep
done <<'TEXT'
pe.count: 3, network.topology: hypercube|43
network.topology: omega, pe.count: 5|47
pe.count: 12, network.topology: omega, network.dims: 2x2x2|44
pe.count: 4, network.topology: mesh, network.dims: 3x3|63
pe.count: 16, network.topology: torus, network.channels: 1, network.capacity: 2|90
cluster.nodes: 4, pe.count: 10|40
pe.count: 4, network.topology: simgrid|43
pe.count: 4, fault.loss: 1|37
pe.count: 4, partition.by: random|39
memory.capacity: 1000, executor.workers: 2|53
TEXT

# What varies is said; what is not asked for is not looked at.
cat >none.yaml <<'TEXT'
program: fib.df
inputs: {n: [3, 4]}
grid:
  network.topology: [crossbar, hypercube]
  pe.count: [2, 3, 4]
TEXT
expect 2 run none.yaml
err_has 'none.yaml:5:17: error: '
err_has 'found 3 (where network.topology=hypercube, pe.count=3)'
expect 0 run none.yaml --only 'pe.count != 3'
err_has '8 runs, 8 of them new; 0 failed'

# One process has several cores of OpenBLAS, each in a copy of its own.
printf 'program: %s\nsettings: {tensor.core: [haswell, sandybridge, prescott]}\n' \
    "$SRCDIR/programs/examples/mlp.df" >cores.yaml
expect 0 run -j 1 cores.yaml
err_has '3 runs, 3 of them new; 0 failed'

# --- how many at once, and how far -----------------------------------------------------

# Without -j one process for each processor; with -v a line says how far it is.
cat >all.yaml <<'TEXT'
program: endless.df
settings: {pe.count: {range: [1, 300]}}
TEXT
processes() { # [COMMAND...]: how many simulate at once, under the command; err has what was said
    : >err # before the sweep does: what an earlier one said is not to be found
    timeout -s KILL 300 "$@" "$HIATON" sweep run -v all.yaml -o all.db >out 2>err </dev/null &
    timer=$!
    tries=0
    while [ $tries -lt 2500 ] && ! grep -q left err; do
        sleep 0.1
        tries=$((tries + 1))
    done
    read -r sweep _ </proc/$timer/task/$timer/children
    wc -w <"/proc/$sweep/task/$sweep/children"
    kill -INT "$sweep"
    wait $timer
}
last='run -v all.yaml'
if [ -e /proc/$$/task/$$/children ]; then
    found=$(processes env)
    most=$(nproc)
    [ "$most" -le 300 ] || most=300
    [ "$found" -eq "$most" ] || fail "$found processes on $(nproc) processors"
    err_has 'hiaton sweep run: 0 done, 0 failed, 300 left'
    if command -v taskset >/dev/null; then
        found=$(processes taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')")
        [ "$found" -eq 1 ] || fail "$found processes on one processor"
    fi
fi

# --- interrupted -----------------------------------------------------------------------

cat >long.yaml <<'TEXT'
program: fib.df
inputs: {n: 14}
settings: {placement.policy: random}
repeat: 15000
TEXT
"$HIATON" sweep run long.yaml -j 2 >out 2>err </dev/null &
sweep=$!
last='run long.yaml'
sleep 0.7
kill -INT $sweep
wait $sweep
ended=$?
[ $ended -eq 130 ] || fail "status $ended, expected 130"
err_has "the same command goes on"

# --- read while it is written -------------------------------------------------------------

if command -v sqlite3 >/dev/null; then
    "$HIATON" sweep run long.yaml -o long.db >out 2>err </dev/null &
    sweep=$!
    reads=0
    while kill -0 $sweep 2>/dev/null; do
        sqlite3 -cmd '.timeout 10000' long.db 'SELECT count(*) FROM results' >count 2>why ||
            { kill -0 $sweep 2>/dev/null && fail "cannot read: $(cat why)"; }
        reads=$((reads + 1))
        sleep 0.05
    done
    wait $sweep || fail "a sweep failed while it was read"
    [ $reads -gt 1 ] || fail "it was not read"
fi

# --- command lines -----------------------------------------------------------------------

expect 2
err_has "a command is missing"
expect 2 rnu grid.yaml
err_has "did you mean \`run\`?"
expect 2 grid.yaml
err_has "did you mean \`run grid.yaml\`?"
expect 2 run
err_has "EXPERIMENT.yaml is missing"
expect 2 run missing.yaml
err_has "cannot read missing.yaml"
expect 2 run --shard 3/2 grid.yaml
err_has "expected I/N with I from 1 to N, found \`3/2\`"
expect 2 run -j 0 grid.yaml
err_has "--jobs: expected a number"
expect 2 run grid.yaml --csv -
err_has "--csv: expected the name of a file"
expect 0 run -q grid.yaml
[ ! -s err ] || fail "not quiet"
sed 's/input n = 10/input n = 10.5/; s/n < 2/n < 2.0/; s/n - \([12]\)/n - \1.0/g; s/then fib(n) else 0/then fib(n) else 0.0/' fib.df >real.df
echo 'program: real.df' >real.yaml
expect 2 run -o grid.db real.yaml
err_has "\`inputs.n\` is INTEGER there, and REAL in the experiment"
expect 2 run -o fib.df grid.yaml
err_has "would overwrite the program"
expect 2 run -o none/grid.db grid.yaml
err_has "none/grid.db: unable to open database file"
expect 2 merge many.1-of-4.db
err_has "--output is missing"
expect 0 --help
expect 0 run --help

# --- what it costs ---------------------------------------------------------------------

cat >fact.df <<'TEXT'
input n = 5
result = fact(n)
fact(n) = if n == 1 then n else n * fact(n - 1)
TEXT

# Many runs of one program are as many new results; how long they take, `make bench' asks.
runs=10000
[ -z "${HIATON_QUICK-}" ] || runs=1000
printf 'program: fact.df\nsettings: {placement.policy: random}\nrepeat: %s\n' $runs >thousands.yaml
expect 0 run thousands.yaml
err_has "$runs runs, $runs of them new; 0 failed"
expect 0 run thousands.yaml
err_has "$runs runs, 0 of them new; 0 failed"

# Refused before anything of it is made: within a second of the processor.
printf 'program: fact.df\nseed: {range: [1, 99999999999999999999999, 4]}\n' >huge.yaml
(
    # shellcheck disable=SC3045 # dash and bash have -t, and -v
    ulimit -t 1
    expect 2 list huge.yaml
    err_has "has about 2.5e+22 values; a parameter has at most 1000000"
    exit $failures
) || failures=$((failures + 1))

# A million runs are listed in 100 MB.
if [ -z "${HIATON_QUICK-}" ]; then
    printf 'program: fact.df\nseed: {range: [1, 1000000]}\n' >million.yaml
    (
        # shellcheck disable=SC3045
        ulimit -v 140000 # of addresses: libraries, and the room that stays unused
        expect 0 list million.yaml
        exit $failures
    ) || failures=$((failures + 1))
    [ "$(tail -n 1 out)" = '1000000     fact  1000000' ] || fail "the last of a million runs"
    [ "$(wc -l <out)" -eq 1000001 ] || fail "not a million runs"
fi

# Results of 50,000 runs, 48 MB, are written row by row. A failure keeps the older file.
if [ -z "${HIATON_QUICK-}" ] && [ "${HIATON_SANITIZERS:-no}" = no ]; then
    printf 'program: fact.df\nsettings: {limits.cycles: {range: [10001, 60000]}}\n' >csv.yaml
    expect 0 run csv.yaml -o csv.db
    (
        # shellcheck disable=SC3045
        ulimit -v 60000
        for to in --csv --json; do
            expect 0 run csv.yaml -o csv.db $to csv.out
            [ "$(wc -c <csv.out)" -gt 40000000 ] || fail "$to of 50,000 runs"
        done
        exit $failures
    ) || failures=$((failures + 1))
fi

# --- two at once ---------------------------------------------------------------------------

"$HIATON" sweep run wall.yaml -o busy.db >/dev/null 2>&1 </dev/null &
first=$!
sed -i 's/wall: 0.1/wall: 3/' wall.yaml
"$HIATON" sweep run wall.yaml -o both.db >/dev/null 2>&1 </dev/null &
second=$!
sleep 1
expect 2 run wall.yaml -o both.db
err_has "is writing it"
wait $first
wait $second

[ $failures -eq 0 ] || echo "$failures failed"
[ $failures -eq 0 ]
