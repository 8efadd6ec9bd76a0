#!/bin/sh
# Classes of PEs: one spelling in files, on the command line and in experiments; wrong ones are refused
# with their place; columns, identities, recordings, replay, differences, causes, bounds and questions
# know them. What machines with classes do is compared with a second simulator (tests/oracle/).
# shellcheck disable=SC2016 # backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cp "$SRCDIR"/programs/examples/fib.df .
run='run fib.df n=10 --json'

# number KEY FILE: the first value of a key of JSON.
number() {
    sed -n "s/^ *\"$1\": \\([^,]*\\),*\$/\\1/p" "$2" | head -n 1
}

# measured FILE: the statistics, without the machine and its host.
measured() {
    sed -n '/^  "value_digest\|^  "[a-z_]*": /p' "$1" | grep -v '"machine\|"host\|"settings\|"classes\|"image_digest'
}

# --- what they mean -----------------------------------------------------------------

# A class of all PEs is the machine with these values.
expect 0 $run -s pe.units=2 -s unit.alu.latency=5 -s stage.form.latency=0
measured out >uniform
expect 0 $run -s class.all.pes=0-15 -s class.all.pe.units=2 -s class.all.unit.alu.latency=5 \
    -s class.all.stage.form.latency=0
measured out >all
cmp -s uniform all || fail "a class of all PEs is not the uniform machine: $(diff uniform all)"

# Nothing happens at PEs that cannot do what fires, and the result is the same.
expect 0 $run -s class.a.pes=0-3 -s class.a.units='control  tag'
grep -q '{"class": "a", "pes": 4, "firings": 0,' out || fail "PEs without alu run fib"
[ "$(number class.a.units out)" = '"control tag"' ] || fail "units are not written with single blanks"
[ "$(number value_digest out)" = "$(sed -n 's/.*"value_digest": \([^,]*\).*/\1/p' all | head -n 1)" ] ||
    fail "capabilities change the value"

# Functions are where placement.functions has them; all others, such as the top level, are anywhere.
expect 0 $run -s class.a.pes=0-3 -s class.b.pes=4-15 -s placement.functions=fib:a,result:b
sed -n 's/.*{"class": "b".*"firings": \([0-9]*\),.*/\1/p' out | head -n 1 >others
[ "$(cat others)" -lt 8 ] || fail "fib is not on class a: $(cat others) firings elsewhere"

# So they are by --# on, which placement.functions overrides.
cat >on.df <<'TEXT'
input n = 10
--# on a
fib(n) = if n < 2 then n else
    fib(n - 1) + fib(n - 2)
--# on b
result = fib(n)
TEXT
mkdir -p without && grep -v '^--# on' on.df >without/on.df
of_a='s/.*{"class": "a".*"firings": \([0-9]*\),.*/\1/p'
by_source='run on.df --json -s class.a.pes=0-3 -s class.b.pes=4-15'
expect 0 $by_source
measured out >said
expect 0 run without/on.df --json -s class.a.pes=0-3 -s class.b.pes=4-15 -s placement.functions=fib:a,result:b
measured out >set
cmp -s said set || fail "--# on is not placement.functions: $(diff said set)"
expect 0 $by_source --strategy=expanding
[ "$(sed -n "$of_a" out | head -n 1)" -gt 500 ] || fail 'copies are not on class a'
expect 0 $by_source -s placement.functions=fib:b,result:b
[ "$(sed -n "$of_a" out | head -n 1)" = 0 ] || fail 'placement.functions does not override --# on'
expect 0 run on.df -s class.b.pes=4-15 -s placement.functions=fib:b,result:b # without a class a
"$HIATON" compile on.df -o on.hi && "$HIATON" disasm on.hi >on.asm && "$HIATON" asm on.asm -o on2.hi
cmp -s on.hi on2.hi || fail 'the text of the image is another image'
grep -q '^function 1 fib (int) -> (int) on a ' on.asm || fail "no class in assembly: $(grep ^function on.asm)"
expect 0 run on.hi --json -s class.a.pes=0-3 -s class.b.pes=4-15
measured out >of_image
cmp -s said of_image || fail 'the image runs elsewhere'
"$HIATON" graph on.df --stage=parse >again.df
[ "$(grep -c '^--# on [ab]$' again.df)" = 2 ] || fail "classes in a tree: $(cat again.df)"
"$HIATON" graph on.df --format=json >graph.json && grep -q '"on": "a"' graph.json || fail 'no class in JSON'
"$HIATON" graph on.df --format=dot >graph.dot && grep -q 'fib</i>.* on a<' graph.dot || fail 'no class in dot'
expect 0 interp on.df
expect 0 run on.df -m tf-executor

# Rows of classes add up to the run.
expect 0 $run -s class.fast.pes=0,1 -s class.fast.pe.units=4 -s class.b.pes=7
[ "$(grep -c '{"class": ' out)" = 3 ] || fail "three rows of classes"
grep -q '{"class": "b", "pes": 1,' out || fail "no row of the class b"
grep -q '{"class": null, "pes": 13,' out || fail "no row of PEs in no class"
sum=$(sed -n 's/.*{"class".*"firings": \([0-9]*\),.*/\1/p' out | awk '{ s += $1 } END { print s }')
[ "$sum" = "$(number firings out)" ] || fail "firings of classes: $sum"
[ "$(number class.fast.pes out)" = '"0-1"' ] || fail "0,1 is not written as 0-1"
expect 0 $run -s class.fast.pes=0-14 -s class.fast.pe.units=4
fast=$(number cycles out)
expect 0 $run
[ "$fast" -lt "$(number cycles out)" ] || fail "units of a class have no effect"
grep -q '"class' out && fail "classes on a machine without"

# Stores of a class have their own size: with frames for few tokens elsewhere, more is on the class.
expect 0 $run -s match.capacity=64
alone=$(number cycles out)
expect 0 $run -s match.capacity=64 -s class.a.pes=3 -s class.a.match.capacity=64
[ "$(number cycles out)" = "$alone" ] || fail 'a class with the same stores is another machine'
expect 4 $run -s match.capacity=4
expect 0 $run -s match.capacity=4 -s class.a.pes=3 -s class.a.match.capacity=0
[ "$(sed -n "$of_a" out | head -n 1)" -gt 1000 ] || fail 'frames are not at the PE with room'
expect 0 $run -s match.store=hash -s match.capacity=16 -s class.a.pes=0-15 -s class.a.match.capacity=1024
[ "$(number match_overflows out)" = 0 ] || fail 'large stores of a class overflow'
expect 0 $run -s match.store=hash -s match.capacity=1024 -s class.a.pes=0-15 -s class.a.match.capacity=16 \
    -s class.a.match.ways=4
measured out >of_class
expect 0 $run -s match.store=hash -s match.capacity=16 -s match.ways=4
measured out >uniform
cmp -s uniform of_class || fail "stores of a class of all PEs: $(diff uniform of_class)"

# With counted units a class has issue slots of its own.
expect 0 $run -s match.bandwidth=4 -s pe.units=2 -s unit.alu.count=1 -s unit.alu.interval=2
measured out >uniform
expect 0 $run -s match.bandwidth=4 -s pe.units=1 -s unit.alu.count=1 -s unit.alu.interval=2 \
    -s class.all.pes=0-15 -s class.all.pe.units=2
measured out >of_class
cmp -s uniform of_class || fail "issue slots of a class of all PEs: $(diff uniform of_class)"

# Counted units of a class are those of the machine with its values; so are queues, and the slower store.
for values in 'unit.alu.count=2 unit.alu.interval=3 unit.tag.count=1' 'match.bandwidth=1 pe.units=2' \
    'queue.capacity=64 network.capacity=16' \
    'match.store=hash match.capacity=16 match.overflow.latency=7 match.overflow.bandwidth=1'; do
    all=class.all.pes=0-15
    of_machine=''
    for value in $values; do
        of_machine="$of_machine -s $value"
        case $value in
        network.* | match.store=*) all="$all $value" ;;
        *) all="$all class.all.$value" ;;
        esac
    done
    expect 0 $run $of_machine
    measured out >uniform
    expect 0 $run $(printf -- '-s %s ' $all)
    measured out >of_class
    cmp -s uniform of_class || fail "$values of a class of all PEs: $(diff uniform of_class)"
done

# --- one spelling -------------------------------------------------------------------

cat >nested.yaml <<'TEXT'
base: default
class:
  fast:
    pes: 0-1
    pe: {units: 4}
  slow: {pes: "4,6-7", unit.alu.latency: 9}
TEXT
expect 0 run -m nested.yaml fib.df n=10 --json
measured out >of_file
expect 0 $run -s class.fast.pes=0-1 -s class.fast.pe.units=4 -s class.slow.pes=7,6,4 \
    -s class.slow.unit.alu.latency=9
measured out >of_line
cmp -s of_file of_line || fail 'a file and -s differ'
"$HIATON" machines nested.yaml >printed.yaml
grep -q '^  slow.pes: 4,6-7 ' printed.yaml || fail "$(tail -n 6 printed.yaml)"
expect 0 run -m printed.yaml fib.df n=10 --json
measured out >of_printed
cmp -s of_file of_printed || fail 'the printed machine is another one'

# --- what is refused ----------------------------------------------------------------

# refused TEXT ARGUMENT...
refused() {
    text=$1
    shift
    expect 2 run fib.df "$@"
    grep -qF -e "$text" err || fail "expected $text"
}
refused 'class.a.pes is missing' -s class.a.pe.units=2
refused 'class.a.pes: expected PEs from 0 to 15, found 16' -s class.a.pes=3-16
refused 'class.a.pes and class.b.pes: PE 3 is in both' -s class.a.pes=0-3 -s class.b.pes=3
refused 'not in placement.policy' -s class.a.placement.policy=random
refused 'class.a.pes: 1 is in the list twice, found `0,1,1`' -s class.a.pes=0,1,1 -s class.a.pe.units=2
refused 'class.a.pes: 2 is in the list twice' -s class.a.pes=2-4,0-2 -s class.a.pe.units=2
refused 'unknown setting `pe.unit`; did you mean `pe.units`?' -s class.a.pe.unit=3
refused 'class.a.pe.units: expected a number of units' -s class.a.pe.units=x
refused 'class.a.pes: expected 1 to 16 PEs or ranges of them' -s class.a.pes=3-1
refused 'workers of a class differ in executor.*.latency alone' -m tf-executor -s class.a.pes=0 -s class.a.pe.units=2
refused 'at most 8 classes' -s class.a.pes=0 -s class.b.pes=1 -s class.c.pes=2 -s class.d.pes=3 \
    -s class.e.pes=4 -s class.f.pes=5 -s class.g.pes=6 -s class.h.pes=7 -s class.i.pes=8
refused 'have one latency on all PEs' -s tensor.unit.count=1 -s class.a.pes=0 \
    -s class.a.unit.tensor.latency=3
refused 'is a group of settings' -s class.a=3
refused 'class.a.units: expected words of alu|mul|' -s class.a.units=' '
refused 'did you mean `alu`?' -s class.a.units='tag ali control'
refused 'fib.df:' -s class.a.pes=0-15 -s class.a.units='tag control'
refused 'no PE can do all that function `fib` fires: class.a.units lacks alu for' \
    -s class.a.pes=0-15 -s class.a.units='tag control'
refused 'class.a.units lacks tag for return.int at 3:10, class.b.units lacks alu for' \
    -s class.a.pes=0-7 -s class.a.units='alu control' -s class.b.pes=8-15 -s class.b.units='tag control'
refused 'no PE of node 1 can' -s cluster.nodes=2 -s cluster.pes_per_node=8 -s copy.placement=node \
    --strategy=expanding -s class.a.pes=8-15 -s class.a.units='tag control'
refused 'placement.functions: the machine has no class `a`' -s placement.functions=fib:a
refused 'the program has no function `fub`; did you mean `fib`?' -s class.a.pes=0 -s placement.functions=fub:a
refused 'as in `fact:fast,fib:slow`, found `fib:`' -s class.a.pes=0 -s placement.functions=fib:
refused '`fib` has two classes' -s class.a.pes=0 -s placement.functions=fib:a,fib:a
refused 'no PE of class a can do all that function `fib` fires: class.a.units lacks alu' -s class.a.pes=0 \
    -s class.a.units='tag control' -s placement.functions=fib:a
refused 'on machine 1 needs a PE with the same number within its machine' -s partition.by=random \
    -s partition.machines=2 -s class.a.pes=0-3,12-15 -s placement.functions=fib:a
refused 'on machine 0' -s partition.by=function -s partition.machines=2 -s class.a.pes=0-7 \
    -s class.a.units=alu
expect 2 run on.df -s class.a.pes=0 -s class.c.pes=1
grep -qF 'on.df:6:1: error: the top level, with all constants, is on class `b`, which the machine does not have; it has `a`, `c`' err ||
    fail "$(cat err)"
expect 2 run on.hi
grep -qF 'on.df:6:1: the top level' err || fail 'an image has no place'
expect 2 run on.df -s class.b.pes=0
grep -qF 'on.df:3:1: error: function `fib` is on class `a`, which the machine does not have; it has `b`' err ||
    fail "$(cat err)"
printf 'class:\n  a:\n    pes: 0\n    network.latency: 3\n' >wrong.yaml
refused 'wrong.yaml:4:5: ' -m wrong.yaml
printf 'class:\n  a:\n    pes: 0\n    pe.units: many\n' >wrong.yaml
refused 'wrong.yaml:4:15: ' -m wrong.yaml
printf 'class:\n  a: {pes: 0, pe.units: 2}\nclass.a.pe.units: 3\n' >wrong.yaml
refused '`class.a.pe.units` is set twice; first in line 2' -m wrong.yaml

# warned TEXT ARGUMENT...: runs with this warning; without a text with none.
warned() {
    text=$1
    shift
    expect 0 run fib.df n=10 "$@"
    if [ -n "$text" ]; then
        grep -qF -e "$text" err || fail "expected $text, not $(cat err)"
    elif grep -q warning err; then
        fail "$(cat err)"
    fi
}
warned 'class.a.pes has an effect on statistics alone' -s class.a.pes=0
warned '' -s class.a.pes=0 -s placement.functions=fib:a
warned '' -s class.a.pes=0 -s class.a.match.capacity=900
warned 'class.a.unit.alu.latency has no effect: class.a.units lacks alu' -s class.a.pes=0 \
    -s class.a.units='tag control' -s class.a.unit.alu.latency=3
warned 'class.a.match.ways has no effect with match.store=frames' -s class.a.pes=0 -s class.a.match.ways=3
warned 'class.a.unit.alu.interval has no effect with unit.alu.count=0' -s class.a.pes=0 \
    -s class.a.unit.alu.interval=3
warned '' -s class.a.pes=0 -s class.a.unit.alu.count=1 -s unit.alu.interval=3
warned '' -m printed.yaml
"$HIATON" machines default >printed.yaml
warned '' -m printed.yaml

# --- experiments --------------------------------------------------------------------

cat >sweep.yaml <<'TEXT'
program: {file: fib.df, inputs: {n: 9}}
machine: [default, nested.yaml]
grid:
  class.fast.pes: [0-1, 0-3]
  class.fast.pe.units: [1, 2, 4]
TEXT
expect 0 sweep run sweep.yaml
"$HIATON" results csv sweep.db >rows.csv
head -n 1 rows.csv | tr , '\n' | grep -n '^class' >columns
[ "$(cut -d: -f 2 columns | tr '\n' ' ')" = \
    'class.fast.pes class.fast.pe.units class.slow.pes class.slow.unit.alu.latency ' ] ||
    fail "columns: $(cat columns)"
[ "$(sed 1d rows.csv | wc -l)" = 12 ] || fail "rows: $(wc -l <rows.csv)"
at=$(sed -n 's/:class.fast.pe.units//p' columns)
[ "$(sed 1d rows.csv | cut -d, -f "$at" | sort | uniq -c | tr -s ' \n' ' ')" = ' 4 1 4 2 4 4 ' ] ||
    fail 'values of class.fast.pe.units'
name=$(head -n 1 rows.csv | tr , '\n' | grep -n '^identity$' | cut -d: -f 1)
[ "$(sed 1d rows.csv | cut -d, -f "$name" | sort -u | wc -l)" = 12 ] || fail 'identities are not 12'
expect 0 results rerun sweep.db --all
grep -q '12 of 12 rows hold' out || fail 'rows do not hold'
expect 0 results show sweep.db --rows class.fast.pe.units,machine --columns class.fast.pes --values cycles
grep -q '0-3' out || fail 'columns of a table'
printf 'program: fib.df\ngrid: {class.fast.tag.bits: [1, 2]}\n' >wrong.yaml
expect 2 sweep run wrong.yaml
grep -q 'wrong.yaml:2:8: .*not in tag.bits' err || fail 'no place'

# --- recordings and questions -------------------------------------------------------

expect 0 run -m nested.yaml fib.df n=12 --record a.hi --json
cycles=$(number cycles out)
expect 0 replay a.hi
expect 0 run fib.df n=12 -s class.fast.pes=0-1 --record b.hi
expect 1 trace diff a.hi b.hi
grep -q 'class.slow.unit.alu.latency' out || fail 'the difference does not name the class'
expect 0 analyse a.hi --causes --json
sum=$(sed -n '/"causes": /,/\]/s/.*"cycles": \([0-9]*\).*/\1/p' out | awk '{ s += $1 } END { print s }')
[ "$sum" = "$cycles" ] || fail "causes add up to $sum, not to $cycles"
expect 0 analyse a.hi --bounds --json
sed -n 's/.*"bound": .*"cycles": \([0-9]*\).*/\1/p' out >bounds
awk -v most="$cycles" '$1 > most || !($1 >= 0) { exit 1 } END { exit NR < 5 }' bounds ||
    fail "bounds of $cycles cycles"

# Tables by class add up to those of the run, over time too.
expect 0 run -m nested.yaml fib.df n=12 --json
sed -n '/{"class": /p' out | tr -d ' ' >of_run
expect 0 analyse a.hi --only=utilisation.classes --json
sed -n '/{"class": /p' out | tr -d ' ' >of_events
cmp -s of_run of_events || fail "classes of a run and of its events: $(diff of_run of_events)"
firings=$(awk -F '"firings":' '{ s += $2 } END { print s }' of_run)
expect 0 analyse a.hi --only=profile.classes --csv
[ "$(awk -F, 'NR > 1 { s += $4 } END { print s }' out)" = "$firings" ] || fail 'firings of classes over time'
expect 0 analyse a.hi --only=utilisation.classes_over_time --csv
[ "$(awk -F, 'NR > 1 { s += $4 } END { print s }' out)" = "$firings" ] || fail 'busy cycles of classes over time'
[ "$(awk -F, 'NR > 1 && NR < 5 { print $3 }' out | tr '\n' ' ')" = 'fast slow  ' ] || fail 'names of classes over time'
expect 0 analyse fib.df n=12 --json
grep -q '"classes' out && fail 'classes of a machine without'
expect 0 analyse a.hi --what-if=class.slow.unit.alu.latency=1 --json
expect 2 analyse a.hi --what-if='unit(alu)*2'
grep -q 'PEs that differ have none (class)' err || fail 'a question is not refused'

exit $((failures > 0))
