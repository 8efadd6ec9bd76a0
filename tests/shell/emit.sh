#!/bin/sh
# Scripts for engines that run shards: a Makefile and a line of GNU parallel that are run, a
# job array that is read by sh, and run as Slurm would (tests/shell/slurm.sh has a real one).
# shellcheck disable=SC2016 # backquotes are what messages have
set -u
about='sweep emit'
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

has() { grep -qxF -e "$1" out || fail "no line \`$1'"; }
attempt() { "$@" >out 2>err || fail "failed: $*"; }

cat >fib.df <<'TEXT'
input n = 10
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
# One run fails: match.capacity is too small for it.
cat >work.yaml <<TEXT
program: fib.df
settings:
  pe.count: [1, 2, 4]
  match.capacity: [0, 8]
inputs.n: [2, 3, 6]
tables:
  - {name: cycles, rows: pe.count, values: cycles, of: mean}
sites:
  here: {shards: 3, jobs: 2, hiaton: $HIATON}
  cluster:
    shards: 4
    time: 02:00:00
    memory: 200M
    partition: short
    account: it's
    options: [--constraint=avx2, --exclusive]
    setup: [set -x, set +x]
    hiaton: $HIATON
TEXT
"$HIATON" sweep run work.yaml -o direct.db --csv direct.csv >out 2>err
[ $? -eq 1 ] || fail "no run of the experiment fails, and so nothing is tested of that"

# --- make --------------------------------------------------------------------------

expect 0 make work.yaml --site here
cp out Makefile
has 'SHARDS = 3'
has 'INPUTS = fib.df'
attempt make -j3
same_as_direct() {
    "$HIATON" results csv work.db >work.csv 2>err
    same work.csv direct.csv
}
same_as_direct
[ -s work/cycles.tex ] || fail "no tables were made"
attempt make
[ "$(grep -c 'sweep run' out)" -eq 0 ] || fail "make runs again what is done"
# A shard that lost its results runs again, alone; a program that changed runs all again.
rm work.2-of-3.db work.2-of-3.done
attempt make
[ "$(grep -c 'sweep run' out)" -eq 1 ] || fail "not one shard is run again"
same_as_direct
sleep 1
touch fib.df
attempt make
[ "$(grep -c 'sweep run' out)" -eq 3 ] || fail "not all shards are looked at again"
same_as_direct
rm -f work.db work.*-of-*

# --- GNU parallel ------------------------------------------------------------------

expect 0 parallel work.yaml --site here --shards 2 -j 1 -o parallel.sh
[ ! -s out ] || fail "something on standard output"
attempt sh -n parallel.sh
if command -v parallel >/dev/null; then
    attempt sh parallel.sh --jobs 2
    same_as_direct
    attempt sh parallel.sh
    same_as_direct
    rm -f work.db work.*-of-*
else
    echo "GNU parallel is not installed: its script is not run" >&2
fi

# --- Slurm, played ------------------------------------------------------------------

expect 0 slurm work.yaml --site cluster
cp out work.slurm
for line in '#SBATCH --job-name=work' '#SBATCH --array=1-4' '#SBATCH --cpus-per-task=1' \
    '#SBATCH --time=02:00:00' '#SBATCH --mem=200M' '#SBATCH --partition=short' \
    '#SBATCH --account="it'"'s\"" '#SBATCH --constraint=avx2' '#SBATCH --exclusive'; do
    has "$line"
done
attempt sh -n work.slurm
for task in 1 2 3 4 0; do
    SLURM_ARRAY_TASK_ID=$task
    export SLURM_ARRAY_TASK_ID
    attempt sh work.slurm
done
same_as_direct
# The shards of another number are not taken for these.
cp direct.db work.1-of-44.db
attempt sh work.slurm
same_as_direct

# --- names that need quotes -----------------------------------------------------------

mkdir "a b"
cp fib.df "a b"
sed "/^tables/,/^  - /d; s/^inputs.*/inputs.n: [2, 3]/" work.yaml >"a b/it's \$x.yaml"
expect 2 make "a b/it's \$x.yaml" --site here
err_has 'make cannot use the name'
expect 0 slurm "a b/it's \$x.yaml" --site here --shards 1
cp out quoted.slurm
for task in 1 0; do
    SLURM_ARRAY_TASK_ID=$task
    attempt sh quoted.slurm
done
[ -s "it's \$x.db" ] || fail "no results of an experiment whose name needs quotes"

# --- mistakes -------------------------------------------------------------------------

expect 2 slurm work.yaml
err_has 'several sites; name one with --site'
expect 2 slurm work.yaml --site clustre
err_has 'did you mean `cluster`?'
expect 2 slrum work.yaml
err_has 'did you mean `slurm`?'
expect 2 make work.yaml --site here --shards 0
err_has '--shards: expected a number from 1 to 100000'
expect 2 make none.yaml
expect 2 make
printf 'program: fib.df\nstrange: 1\n' >wrong.yaml
expect 2 make wrong.yaml
err_has 'wrong.yaml:2:1: error:'
printf 'program: fib.df\n' >plain.yaml
expect 0 make plain.yaml
has 'SHARDS = 1'
expect 2 make plain.yaml -o none/Makefile
err_has 'none/Makefile'

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
