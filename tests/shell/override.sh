#!/bin/sh
# What the command line says instead of an experiment, for one call: --set, --input and --only;
# which runs they are, what they are in the database, and what stays when the next call says
# nothing.
# shellcheck disable=SC2016 # backquotes are what messages have
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
result = loop i = 1, s = 0 while i <= last do i + 1, s + i return s
TEXT
cat >divide.df <<'TEXT'
input n = 10
result = 100 / n
TEXT

cat >x.yaml <<'TEXT'
program: fib.df
settings: {pe.count: [1, 4], network.latency: 2}
inputs: {n: [5, 6, 7]}
repeat: 2
TEXT
# says OPTION... = EXPERIMENT-TEXT: the options make of x.yaml what the text says.
says() {
    options=
    while [ "$1" != = ]; do
        options="$options $1"
        shift
    done
    printf '%b' "$2" >said.yaml
    expect 0 sweep list -v said.yaml
    cp out said
    # shellcheck disable=SC2086 # words
    expect 0 sweep list -v ${3:-x.yaml} $options
    same said out
}
says --set pe.count=2,8 = 'program: fib.df\nsettings: {pe.count: [2, 8], network.latency: 2}\ninputs: {n: [5, 6, 7]}\nrepeat: 2\n'
says --input n=3..9:3 -s network.latency=5 = 'program: fib.df\nsettings: {pe.count: [1, 4], network.latency: 5}\ninputs: {n: [3, 6, 9]}\nrepeat: 2\n'
says -s pe.units=3 -s pe.units=1,2 = 'program: fib.df\nsettings: {pe.count: [1, 4], network.latency: 2}\ninputs: {n: [5, 6, 7]}\ngrid: {pe.units: [1, 2]}\nrepeat: 2\n'
says --set queue.discipline=lifo = 'program: fib.df\nsettings: {pe.count: [1, 4], network.latency: 2, queue.discipline: lifo}\ninputs: {n: [5, 6, 7]}\nrepeat: 2\n'
# In a zip one value holds for all places.
printf 'program: fib.df\nzip: {pe.count: [1, 2], inputs.n: [3, 4]}\n' >zip.yaml
says --set pe.count=8 = 'program: fib.df\nzip: {pe.count: [8, 8], inputs.n: [3, 4]}\n' zip.yaml
# What programs have of their own gives way; an input is that of those that have it.
cat >suite.yaml <<'TEXT'
program:
  - {file: fib.df, inputs: {n: [5, 8]}, settings: {pe.count: 2}}
  - sum.df
TEXT
says --set pe.count=1,3 --input n=4 = 'program: [{file: fib.df, inputs.n: 4}, sum.df]\ngrid: {pe.count: [1, 3]}\n' suite.yaml
says --input last=1..3 = 'program: [{file: fib.df, inputs: {n: [5, 8]}, settings: {pe.count: 2}}, {file: sum.df, inputs.last: [1, 2, 3]}]\n' suite.yaml
printf 'program: [fib.df, sum.df]\n' >plain.yaml
says --input last=1..3 = 'program: [fib.df, {file: sum.df, inputs.last: [1, 2, 3]}]\n' plain.yaml
says --input n=5 = 'program: fib.df\nsettings: {pe.count: [1, 4], network.latency: 2}\ninputs: {n: 5}\nrepeat: 2\n'

# The database: runs under their own identity, the points of the newest call, and what it said.
expect 0 sweep run -q x.yaml --csv x.csv
expect 0 sweep run x.yaml --input n=7,8 --csv overridden.csv
err_has '8 runs, 2 of them new'
expect 0 results show x.db
out_has 'as overridden: --input n=7,8'
expect 0 results csv x.db --rows number,inputs.n --values repetition
[ "$(wc -l <out)" -eq 9 ] || fail "the points are not those of the newest call"
printf 'program: fib.df\nsettings: {pe.count: [1, 4], network.latency: 2}\ninputs.n: [7, 8]\nrepeat: 2\n' >same.yaml
expect 0 sweep run -o x.db same.yaml --csv same.csv
err_has '8 runs, 0 of them new'
same same.csv overridden.csv
expect 0 sweep run x.yaml --csv again.csv --json again.json
err_has '12 runs, 0 of them new'
same x.csv again.csv
expect 0 results show x.db
! grep -q overridden out || fail "it is still overridden"
grep -q '"overridden": ""' again.json || fail "no word on what was overridden"

# --only: which runs are made, and nothing else.
expect 0 sweep list x.yaml --only 'inputs.n == 6 and pe.count > 1'
out_is "number  program  repetition  pe.count  inputs.n
     9      fib           1         4         6
    10      fib           2         4         6"
expect 0 sweep list x.yaml --only 'number >= 4 and number <= 6'
[ "$(awk 'NR > 1 { printf "%s ", $1 }' out)" = '4 5 6 ' ] || fail "not the runs 4 to 6"
expect 0 sweep list x.yaml --only 'number > 4' --shard 1/4
[ "$(awk 'NR > 1 { printf "%s ", $1 }' out)" = '5 9 ' ] || fail "not the runs 5 and 9"
expect 0 sweep run x.yaml -o only.db --only 'inputs.n == 6 and repetition == 1' --csv only.csv
err_has '2 runs, 2 of them new; 0 failed'
# (Nothing is random: the other repetition is the same run, and shows its results.)
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "inputs.n") n = i } NR == 1 || $n == 6' x.csv >six.csv
same six.csv only.csv
expect 0 sweep run x.yaml -o only.db --csv all.csv
err_has '12 runs, 4 of them new'
same x.csv all.csv
# Failures are those of the runs asked for.
printf 'program: divide.df\ninputs.n: [0, 1, 2]\n' >fails.yaml
expect 1 sweep run fails.yaml
expect 0 sweep run fails.yaml --only 'inputs.n > 0'
err_has '2 runs, 0 of them new; 0 failed'
expect 1 sweep run fails.yaml --only 'inputs.n == 0'
err_has 'run 1 (trapped): divide.df:2:14: division by zero'

# Mistakes.
wrong() { # TEXT OPTION...
    text=$1
    shift
    expect 2 sweep run x.yaml -o wrong.db "$@"
    err_has "$text"
    [ ! -e wrong.db ] || fail "a mistake has left a file"
}
wrong 'unknown setting `pe.cuont`; did you mean `pe.count`?' --set pe.cuont=1
wrong '--set: `pe` is a group of settings' --set pe=1
wrong '--set: pe.count: expected a number of PEs from 1 to 65536, found `x`' --set pe.count=1,x
wrong '--set: expected KEY=VALUE, found `pe.count`' --set pe.count
wrong '--set: `pe.count`: a value is missing beside a comma' --set pe.count=1,,2
wrong '--input: no program has an input `m`' --input m=3
wrong '--input: expected NAME=VALUES, found `n`' --input n
wrong '--input: input `n`: expected int, found `x`' --input n=x
wrong '--input: `n` is given twice; several values are a list' --input n=1 --input n=2
wrong '--only:1:1: error: there is no `n`' --only 'n == 3'
wrong '--only:1:1: error: there is no `cycles`' --only 'cycles == 3'
wrong '--only: the condition holds for none of 12 runs' --only 'inputs.n > 9'
expect 2 sweep list zip.yaml --set pe.count=1,2
err_has 'varies in step with others (zip): expected one value, found 2'
expect 2 sweep emit make x.yaml --set pe.count=2

[ $failures -eq 0 ] || echo "$failures failed"
[ $failures -eq 0 ]
