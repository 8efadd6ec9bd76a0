#!/bin/sh
# Nothing that a file says is run: labels, titles, names of programs, experiments, columns, groups
# and functions hold commands for gnuplot, the shell, make, Slurm and SQL, and markup for dot, HTML
# and LaTeX. No command makes the file `pwned', and the texts are shown as they are.
# shellcheck disable=SC2016 # the texts are what no shell expands
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

unharmed() {
    [ -z "$(find . -name 'pwned*')" ] || fail "a text was run as a command"
    find . -name 'pwned*' -exec rm -f {} +
}
with() { command -v "$1" >/dev/null 2>&1; }

bad='`touch pwned` $(touch pwned) '\'' ; touch pwned ; "@touch" <img src=x onerror=1> \write18{touch pwned} & % # ~ ^ _'
name='`touch pwned`$(touch pwned)'\'';touch pwned;'\'
cat >"$name.df" <<'TEXT'
input n = 10
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cp "$name.df" fib.df

# A text in single quotes of YAML.
yaml() { printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"; }

# --- figures and tables, from a sweep and then from its database alone -----------------

cat >bad.yaml <<TEXT
title: $(yaml "$bad")
description: $(yaml "$bad")
program:
  - $(yaml "$name.df")
  - {name: $(yaml "$bad"), file: fib.df}
inputs.n: [3, 4, 5]
labels:
  cycles: $(yaml "run $bad")
  inputs.n: $(yaml "input $bad")
  program: $(yaml "program $bad")
  parallelism: $(yaml "y $bad")
tables:
  - {name: tab, caption: $(yaml "$bad"), rows: [program, inputs.n], values: [cycles, parallelism]}
figures:
  - {name: lines, caption: $(yaml "$bad"), x: inputs.n, y: cycles, by: program}
  - {name: bars, kind: bars, x: program, y: cycles, by: inputs.n}
  - {name: panels, x: inputs.n, y: parallelism, panels: program}
  - {name: heat, kind: heat, x: inputs.n, y: program, z: cycles}
TEXT
expect 0 sweep run -q bad.yaml -o bad.db --csv results.csv
unharmed
grep -qF 'touch pwned' results.csv || fail "the names are not in the results"
mkdir reviewer && cp bad.db reviewer
if with gnuplot; then
    (cd reviewer && "$HIATON" results all -q bad.db -o bad >/dev/null 2>../err) ||
        fail "results all fails: $(cat err)"
    unharmed
    for figure in lines bars panels heat; do
        [ -s "reviewer/bad/$figure.svg" ] || fail "$figure is not drawn"
        grep -qF 'touch' "reviewer/bad/$figure.svg" || fail "$figure does not show the label"
    done
    expect 0 results plot -q bad.db --x inputs.n --y cycles --by program --y-label "$bad" \
        -o plot.svg
    unharmed
    grep -qF 'touch' plot.svg || fail "the label is not shown"
    expect 0 analyse "$name.df" n=5 --figure a.svg -q
    expect 0 network -s network.topology=mesh -s pe.count=4 --figure net.svg -q
    unharmed
fi
expect 0 results latex -q bad.db --rows program --of mean --values cycles
out_has '\textbackslash{}write18\{touch pwned\}'
expect 0 results csv -q bad.db
same out results.csv
expect 0 sweep run -q bad.yaml -o bad.db --csv again.csv
same again.csv results.csv

# --- reports and drawings ---------------------------------------------------------------

expect 0 report -q "$name.df" n=4 -o page.html
grep -q '<img src=x' page.html && fail "a name is markup in a report"
if with dot; then
    for form in svg pdf; do
        expect 0 graph "$name.df" --format=$form -o g.$form
        unharmed
    done
fi
expect 0 compare -q "$name.df" n=4 --csv
expect 0 run -q "$name.df" n=4 --record "$name.rec" --series "$name.csv" --stats "$name.json"
expect 0 replay -q "$name.rec"
expect 0 trace export -q "$name.rec" --to sqlite -o "$name.sqlite"
unharmed

# --- jobs ---------------------------------------------------------------------------------

job=$name
cat >"$job.yaml" <<TEXT
program: fib.df
inputs.n: [3, 4]
sites: {s: {shards: 2, hiaton: $HIATON, account: $(yaml 'a b;`touch pwned`$(touch pwned)')}}
TEXT
expect 2 sweep emit make "$job.yaml"
err_has 'make cannot use the name'
expect 0 sweep emit slurm "$job.yaml"
cp out job.sh
grep '^#SBATCH' job.sh | grep -v '^#SBATCH --[a-z-]*=\([^ "]*\|"[^"]*"\)$' &&
    fail "a line of #SBATCH has a value of several words"
SLURM_ARRAY_TASK_ID=1 sh job.sh >/dev/null 2>&1 || fail "the job fails"
unharmed
[ -s "$job.1-of-2.db" ] || fail "the job has no results"
expect 0 sweep emit parallel "$job.yaml"
if with parallel; then
    cp out jobs.sh
    sh jobs.sh >/dev/null 2>&1 || fail "the jobs fail"
    unharmed
    [ -s "$job.db" ] || fail "the jobs have no results"
fi
for path in '-x.yaml' 'a b.yaml' '{a,b}.yaml' 'a%b.yaml' 'a$b.yaml' 'a"b.yaml' 'a\b.yaml'; do
    cp "$job.yaml" "./$path"
    "$HIATON" sweep emit make -- "$path" >out 2>err && fail "make takes $path"
done
expect 0 sweep emit slurm 'a b.yaml'
out_has '#SBATCH --job-name="a b"'
out_has '#SBATCH --output="a b.%a.log"'
expect 0 sweep emit slurm 'a%b.yaml'
out_has '#SBATCH --output=a%%b.%a.log'
expect 2 sweep emit slurm 'a"b.yaml'
err_has 'Slurm cannot use the name `a"b`, for its `"`'
"$HIATON" sweep emit slurm -- -x.yaml >job.sh 2>err
rm -f ./-x.1-of-2.db
SLURM_ARRAY_TASK_ID=1 sh job.sh >/dev/null 2>&1
[ -s ./-x.1-of-2.db ] || fail "a name that begins with - is not run"
for key in time memory partition account qos options setup hiaton; do
    printf 'program: fib.df\nsites: {s: {shards: 2, %s: "short\\ntouch pwned"}}\n' $key >line.yaml
    expect 2 sweep emit slurm line.yaml
    err_has "sites.s.$key: expected one line of text"
done

# --- the terminal ------------------------------------------------------------------------

# `script' gives the command a terminal; in a pipe the text is as it was.
cat >escape.yaml <<'TEXT'
program: fib.df
inputs.n: [3, 4]
labels: {inputs.n: {name: "in\e]0;put\a", values: {3: "th\u009bree\r", 4: four}}}
tables: [{name: t, caption: "cap\e[2J", rows: inputs.n, values: cycles}]
TEXT
last='results show escape.db t'
"$HIATON" sweep run -q escape.yaml >out 2>err || fail "no sweep"
"$HIATON" results show escape.db t >out
grep -qF "$(printf 'cap\033[')" out || fail "a pipe gets another text"
if with script; then
    script -qec "$HIATON results show escape.db t" /dev/null </dev/null >out 2>err
    tr -d '\r' <out | LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]\|\302\233')" && fail "a text commands the terminal"
    for text in 'cap?\[2J' 'in?]0;put?' 'th?ree?'; do
        grep -q "$text" out || fail "no $text"
    done
fi

exit $((failures > 0))
