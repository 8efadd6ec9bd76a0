#!/bin/sh
# Programs with inputs and settings of their own in one experiment: which runs they are, what stands
# in their columns, conditions and tables on what a program lacks, shards; and the names of
# programs.
set -u
about=
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >fib.df <<'TEXT'
input n = 6
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >sum.df <<'TEXT'
input last = 5
input scale = 2.0
result = scale * real(loop i = 1, s = 0 while i <= last do i + 1, s + i return s)
TEXT
cat >one.df <<'TEXT'
result = 1 + 0
TEXT

cat >suite.yaml <<'TEXT'
program:
  - {file: fib.df, inputs: {n: [5, 8]}}
  - one.df
  - file: sum.df
    name: loops
    strategy: [static, expanding]
    settings: {network.latency: 9}
    zip: {inputs.last: [3, 4], pe.units: [1, 2]}
settings: {pe.count: [1, 4], network.latency: 3}
TEXT
expect 0 sweep list suite.yaml
out_is "number  program   strategy  pe.count  pe.units  network.latency  inputs.n  inputs.last
     1      fib     static         1         1                3         5            -
     2      fib     static         4         1                3         5            -
     3      fib     static         1         1                3         8            -
     4      fib     static         4         1                3         8            -
     5      one     static         1         1                3         -            -
     6      one     static         4         1                3         -            -
     7    loops     static         1         1                9         -            3
     8    loops     static         4         1                9         -            3
     9    loops     static         1         2                9         -            4
    10    loops     static         4         2                9         -            4
    11    loops  expanding         1         1                9         -            3
    12    loops  expanding         4         1                9         -            3
    13    loops  expanding         1         2                9         -            4
    14    loops  expanding         4         2                9         -            4"

# A program lacks what it lacks, and has its default where nothing is given.
expect 0 sweep run suite.yaml --csv suite.csv --json suite.json
expect 0 results csv suite.db --rows number,program,inputs.n,inputs.last,inputs.scale --values calls
out_is "number,program,inputs.n,inputs.last,inputs.scale,calls
1,fib,5,,,15
2,fib,5,,,15
3,fib,8,,,67
4,fib,8,,,67
5,one,,,,0
6,one,,,,0
7,loops,,3,2.0,0
8,loops,,3,2.0,0
9,loops,,4,2.0,0
10,loops,,4,2.0,0
11,loops,,3,2.0,0
12,loops,,3,2.0,0
13,loops,,4,2.0,0
14,loops,,4,2.0,0"
grep -q '"inputs.n": null' suite.json || fail "what a program lacks is not null"
! grep -q '"inputs.scale": 0' suite.json || fail "an input that nobody gave has a value"
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 suite.db 'SELECT count(*) FROM results WHERE "inputs.n" IS NULL')" = 10 ] ||
        fail "what a program lacks is not NULL"
fi

# The runs are those that they are alone: nothing is run again.
printf 'program: sum.df\nsettings: {pe.count: 4, pe.units: 2, network.latency: 9}\ninputs.last: 4\n' \
    >alone.yaml
cp suite.db alone.db
expect 0 sweep run -o alone.db alone.yaml
err_has '1 runs, 0 of them new'

# Conditions: a comparison with nothing does not hold.
lists() { # EXPECTED CONDITION: the numbers of runs, which count anew
    printf 'where: "%s"\n' "$2" | cat suite.yaml - >where.yaml
    expect 0 sweep list where.yaml
    [ "$(($(wc -l <out) - 1))" -eq "$1" ] || fail "$2: $(wc -l <out) lines, expected $1 runs"
}
lists 2 'inputs.n == 5'
lists 2 'inputs.n != 5'
lists 12 'not inputs.n == 5'
lists 6 "inputs.n == 5 or program == 'one' or inputs.last < 4 and strategy == 'static'"
printf 'where: "program == %sloosp%s"\n' "'" "'" | cat suite.yaml - >where.yaml
expect 2 sweep list where.yaml
err_has "program is one of fib|one|loops, and never \`loosp\`; did you mean \`loops\`?"

# Tables: bases are found beside what is lacked.
expect 0 results show suite.db --rows program,strategy,inputs.n --values cycles --where 'inputs.last != 3' --of mean
expect 0 results csv suite.db --rows program,inputs.n,inputs.last,strategy,pe.count --values cycles \
    --relative 'pe.count == 1' --as speedup
[ "$(grep -c ',1,1$' out)" -eq 7 ] || fail "not every program has its base"
expect 0 results show suite.db
out_has 'inputs.n                 5 8'

expect 0 results show suite.db --rows pe.count --columns inputs.n --values cycles --where "program != 'loops'"
out_has 'without n'

# Shards, and work for them.
for i in 1 2 3; do
    expect 0 sweep run suite.yaml --shard $i/3
done
expect 0 sweep merge -o merged.db suite.1-of-3.db suite.2-of-3.db suite.3-of-3.db --csv merged.csv
same suite.csv merged.csv
expect 0 sweep emit make suite.yaml
out_has 'INPUTS = fib.df one.df sum.df'

# --- names ---------------------------------------------------------------------------

mkdir -p old new/deep deep
cp fib.df old
cp fib.df new/deep
cp fib.df deep
"$HIATON" compile fib.df -o fib.img || fail "compile"
cat >names.yaml <<'TEXT'
program: [old/fib.df, new/deep/fib.df, deep/fib.df, one.df, {file: old/fib.df, name: small, inputs.n: 3}]
TEXT
expect 0 sweep run names.yaml
expect 0 results csv names.db --rows program --values calls
out_is "program,calls
old/fib,25
new/deep/fib,25
deep/fib,25
one,0
small,5"
# Where folders do not tell them apart.
printf 'program: [fib.df, fib.img, old/fib.df]\n' >endings.yaml
expect 0 sweep list endings.yaml
out_is "number  program
     1   fib.df
     2  fib.img
     3  old/fib"
# In a figure and a table they are called the same.
expect 0 results latex names.db --rows program --values calls --where "program == 'old/fib'"
out_has 'old/fib & 25'
if command -v gnuplot >/dev/null; then
    expect 0 results plot names.db --kind bars --x program --y calls -o plots
    grep -q 'new/deep/fib' plots/results.* || fail "a figure has another name"
    expect 0 results plot suite.db --x pe.count --y cycles --by program,strategy,inputs.n,inputs.last -o plots
    ! grep -qE "n = ('|,|\$)" plots/results.gp plots/results.dat || fail "a legend names what a program lacks"
fi

# --- how long it takes ---------------------------------------------------------------

# A million runs of a suite are listed as fast as those of one program: within seconds.
cat >million.yaml <<'TEXT'
program:
  - {file: fib.df, inputs: {n: {range: [1, 500000]}}}
  - {file: sum.df, seed: {range: [1, 50000]}, inputs: {last: {range: [1, 10]}}}
TEXT
if [ -z "${HIATON_QUICK-}" ]; then
    # shellcheck disable=SC3045 # dash and bash have -t, and -v
    (
        ulimit -t 10
        ulimit -v 200000
        expect 0 sweep list million.yaml
        exit $failures
    ) || failures=$((failures + 1))
    [ "$(wc -l <out)" -eq 1000001 ] || fail "not a million runs"
    [ "$(tail -n 1 out)" = '1000000      sum  50000         -           10' ] ||
        fail "the last of a million runs is $(tail -n 1 out)"
fi

[ $failures -eq 0 ] || echo "$failures failed"
[ $failures -eq 0 ]
