#!/bin/sh
# No output of a command overwrites a file that the command reads, by whatever path; two outputs are
# not one file; two commands do not write one place at once, and what a killed one left does not
# block.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >f.df <<'TEXT'
input n = 4
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >e.yaml <<'TEXT'
program: f.df
inputs.n: [2, 3]
machine: m.yaml
sites: {s: {shards: 2}}
tables: [{name: t, rows: inputs.n, values: cycles}]
TEXT
echo 'pe.count: 2' >m.yaml
cat >data.df <<'TEXT'
w = file("w.csv")
result = sum(w)
TEXT
printf '1.0\n2.0\n' >w.csv
cat >p.df <<'TEXT'
port in a : [int]
port out b = [x + 1 | x <- a]
result = 0
TEXT
printf '1\n2\n' >feed.txt
"$HIATON" run -q f.df --record r.rec --trace t.ev >/dev/null 2>err || fail 'no recording'
"$HIATON" sweep run -q e.yaml -o d.db 2>err || fail 'no database'
"$HIATON" compile f.df -o f.img 2>err || fail 'no image'
mkdir keep sub
cp ./*.* keep
ln -s f.df link.df
ln f.df hard.df

# refuses 'INPUT WHAT' ARGUMENT...: status 2, the message, and no input is changed.
refuses() {
    what=$1
    shift
    expect 2 "$@"
    err_has "would overwrite $what"
    for file in keep/*; do
        cmp -s "$file" "${file#keep/}" || fail "${file#keep/} is overwritten"
    done
    [ -z "$(find . -name '*.part' -o -name '*.lock')" ] || fail "something is left behind"
}

for to in f.df ./f.df sub/../link.df hard.df; do
    refuses 'the program' run -q f.df --stats $to
    refuses 'the program' compile f.df -o $to
done
for option in --series --record --trace; do
    refuses 'the program' run -q f.df $option f.df
    refuses 'the machine' run -q f.df -m m.yaml $option m.yaml
done
refuses 'the program' run -q link.df --stats f.df
refuses 'the program' graph f.df -o f.df --format=text
refuses 'the program' graph f.img -o f.img
refuses 'the program' disasm f.img -o f.img
refuses 'the program' compare -q f.df -o f.df
refuses 'the program' compare -q f.df --record f.df
refuses 'the program' report -q f.df -o f.df
refuses 'the recording' report -q r.rec -o r.rec
refuses 'the recording' analyse -q r.rec -o r.rec
refuses 'the recording' trace export r.rec --to csv -o r.rec
refuses 'the recording' trace export t.ev --to sqlite -o t.ev
refuses 'a file of the program' run -q data.df --stats w.csv
refuses 'a file of the program' run -q data.df --record w.csv
refuses 'the experiment' sweep run -q e.yaml -o x.db --csv e.yaml
refuses 'the program' sweep run -q e.yaml -o x.db --csv f.df
refuses 'the machine' sweep run -q e.yaml -o x.db --json m.yaml
refuses 'the experiment' sweep run -q e.yaml -o e.yaml
refuses 'the program' sweep run -q e.yaml -o link.df
refuses 'the experiment' sweep emit make e.yaml -o e.yaml
refuses 'the database' results csv d.db -o d.db
refuses 'the database' results latex d.db --rows inputs.n --values cycles -o d.db
refuses 'the database' sweep merge -o y.db --csv d.db d.db
refuses 'what a port is fed' run -q p.df --port a=feed.txt --port b=feed.txt
refuses 'the program' run -q p.df --port a=feed.txt --port b=p.df
refuses 'what a port is fed' run -q p.df --port a=feed.txt --stats feed.txt
[ ! -e x.db ] && [ ! -e y.db ] || fail 'a database is written before an output is refused'
if command -v gnuplot >/dev/null; then
    cp f.df f.svg
    cp f.df keep/f.svg
    refuses 'the program' analyse -q f.svg --figure f.svg
fi

# A file that is written aside is not an input either.
cp f.df s.part
expect 2 run -q s.part --record s
err_has 's.part would overwrite the program'
same f.df s.part

# Two outputs of one command.
expect 2 run -q f.df --stats a.out --series ./a.out
err_has '--stats and --series name the same file'
expect 2 run -q f.df --stats a.out --record sub/../a.out
err_has '--stats and --record name the same file'
expect 2 sweep run -q e.yaml -o x.db --csv sub/../x.db
err_has 'name the same file'
expect 2 sweep run -q e.yaml --csv e.db
err_has '--csv e.db would overwrite the database'
expect 0 run -q f.df --stats /dev/null --record /dev/null

# Standard output is a file: nothing that it has, or that is printed, is lost.
for option in --stats --series --record --trace; do
    echo before >all
    "$HIATON" run -q f.df $option /dev/stdout >>all 2>err || fail "$option /dev/stdout: $(cat err)"
    [ "$(head -c 6 all)" = before ] || fail "$option /dev/stdout replaces the file"
    [ "$(tail -c 2 all)" = 3 ] || fail "$option /dev/stdout: the result is lost"
    "$HIATON" run -q f.df $option all >all 2>err || fail "$option FILE >FILE: $(cat err)"
    [ "$(tail -c 2 all)" = 3 ] || fail "$option FILE >FILE: the result is lost"
    [ "$(wc -c <all)" -gt 100 ] || fail "$option FILE >FILE is not written"
done

# Files that an option names by itself.
mkdir made
expect 2 sweep run -q e.yaml -o made/t.csv --outputs made
err_has '-o and --outputs name the same file: made/t.csv'
expect 2 sweep run -q e.yaml -o x.db --csv made/t.csv --outputs sub/../made
err_has '--csv and --outputs name the same file'
[ ! -e x.db ] || fail 'a database is written before an output is refused'
expect 2 sweep merge -q d.db -o made/t.csv --outputs made
err_has 'name the same file'
expect 2 compare -q f.df --record made/x.rec -o made/x.static.rec
err_has '-o and --record name the same file: made/x.static.rec'
cp f.df made/x.static.rec
expect 2 compare -q made/x.static.rec --trace made/x.rec
err_has '--trace made/x.static.rec would overwrite the program'
[ ! -e made/x.expanding.rec ] || fail 'an output is written before another is refused'
cp w.csv made
ln -s ../w.csv made/epochs.csv
cat >train.df <<'TEXT'
param w : [1] = normal(1.0)
y = file("w.csv")
examples = 4
loss(i) = reduce_sum(w) * reduce_sum(y) + (if i == 0 then 0.0 else 1.0)
result = loss(0)
TEXT
expect 2 train -q train.df -o made
err_has 'made/epochs.csv would overwrite a file of the program'
[ ! -e made/steps.csv ] || fail 'a training begins before an output is refused'

# What a command writes it may read, and write again.
expect 0 sweep run -q e.yaml -o d.db --outputs o --csv all.csv
expect 0 sweep run -q e.yaml -o d.db --outputs o --csv all.csv
expect 0 run -q f.df --stats all.csv
[ -z "$(find . -name '*.lock')" ] || fail 'a lock is left behind'

# --- two at once --------------------------------------------------------------------------

# A run that waits for what it is fed, with its outputs open.
mkfifo pipe
"$HIATON" run -q p.df --port a=pipe --port b=b.txt --record two.rec >/dev/null 2>first <pipe &
waiting=$!
exec 3>pipe
for try in 1 2 3 4 5 6 7 8 9 10; do
    [ -e two.rec.part ] && [ -e b.txt ] && break
    sleep 0.$try
done
expect 2 run -q f.df --record two.rec
err_has 'cannot write two.rec: another command (process '
expect 2 run -q p.df --port a=feed.txt --port b=b.txt
err_has 'cannot write b.txt: another command (process '
kill -9 $waiting
wait $waiting 2>/dev/null
exec 3>&-
[ -e two.rec.part ] || fail 'nothing is left of the killed run'
expect 0 run -q f.df --record two.rec
expect 0 replay -q two.rec

# Files of locks that a killed command left.
: >d.db.lock
: >o/.hiaton.lock
expect 0 sweep run -q e.yaml -o d.db --outputs o
[ ! -e d.db.lock ] && [ ! -e o/.hiaton.lock ] || fail 'a lock is left behind'
echo mine >d.db.lock
expect 0 sweep run -q e.yaml -o d.db
[ "$(cat d.db.lock)" = mine ] || fail 'a file of the user is removed'
rm d.db.lock

exit $((failures > 0))
