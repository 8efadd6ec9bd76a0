#!/bin/sh
# The command line: exit statuses, what goes to standard output and what to standard
# error, help, misspellings, bad inputs, output files. HIATON is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

commands="run interp compare sweep results replay trace analyse report network partition graph compile asm disasm machines settings ops"

# --- how it is checked ---------------------------------------------------------

# refuse ARGUMENT...: bad usage or bad input.
refuse() {
    expect 2 "$@"
    [ ! -s out ] || fail "something on standard output"
}

out_starts() { [ "$(head -n 1 out)" = "$1" ] || fail "the first line is not \`$1'"; }
out_lacks() { ! grep -qF -e "$1" out || fail "\`$1' is on standard output"; }
out_silent() { [ ! -s out ] || fail "something on standard output"; }

escape=$(printf '\033')

# --- programs ------------------------------------------------------------------

cat >fact.df <<'TEXT'
input n = 3
result = fact(n) + 5
fact(n) = if n == 1 then n else n * fact(n - 1)
TEXT
cat >sum.df <<'TEXT'
result = total(9)
total(n) = loop i = 0, s = 0 while i < n do i + 1, s + i return s
TEXT
cat >types.df <<'TEXT'
input count = 10
input scale = 2.5
input flag = true
result = (if flag then count / (count - 10) else 0, scale)
TEXT
cat >fib.df <<'TEXT'
input n = 60
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >forever.df <<'TEXT'
result = f(1)
f(n) = f(n + 1) + 1
TEXT
cat >bad.df <<'TEXT'
result = unknown + 1
f(n) = n +
g(n) = m
TEXT
cat >deadlock.s <<'TEXT'
hiaton assembly 1
stage image
source "deadlock.df"
function 0 result () -> (int)
in result
%0 const.int 5 -> %1.0
%1 add.int _, _ -> %2.0  @7:3+2
%2 add.int _, 1 -> %1.1, %3.0
%3 output.int _, part 0
TEXT

# --- help ----------------------------------------------------------------------

expect 0 --help
silent
cp out help.out
for command in $commands train trees platform; do
    grep -qw "$command" out || fail "\`$command' is missing"
done
[ "$(wc -l <out)" -lt 24 ] || fail "it does not fit a screen of 24 lines"
awk 'length > 80 { exit 1 }' out || fail "it does not fit a screen of 80 columns"
for group in run study look make; do
    grep -q "^$group  *[a-z]" out || fail "no group \`$group'"
done
for command in explore publish; do
    out_lacks "  $command "
done
expect 0 --version
silent
grep -q '^hiaton [0-9]' out || fail "no version"
grep -qxE 'simgrid: (yes|no), metis: (yes|no), openblas: (yes|no), otf2: (yes|no)' out || fail "no optional parts"
grep -qE '^model [0-9]+, of tensors [0-9]+, of training [0-9]+$' out || fail "no version of the model"
grep -qE '^files: image [0-9]+, results [0-9]+, recording [0-9]+, events [0-9]+, training [0-9]+$' out ||
    fail "no versions of files"
version=$(sed -n 's/^hiaton //p' out)
grep -qx "version: $version" "$SRCDIR/CITATION.cff" || fail "CITATION.cff has another version"
grep -qx "## ${version%.*}" "$SRCDIR/CHANGELOG.md" || fail "CHANGELOG.md does not have ${version%.*}"
# doc/artifact.md has a row for each kind of file, with its version.
for kind in image:image 'results:database of results' recording:recording 'events:file of events' \
    'training:checkpoint of a training'; do
    number=$(sed -n "s/^files: .*${kind%%:*} \([0-9]*\).*/\1/p" out)
    grep -qE "^\| ${kind#*:}[^|]*\|[^|]*\| $number \|" "$SRCDIR/doc/artifact.md" ||
        fail "doc/artifact.md does not say version $number of ${kind#*:}"
done
for command in help -h '-?'; do
    "$HIATON" --help >help.out
    expect 0 "$command"
    same help.out out
done
for command in $commands 'sweep run' 'sweep keys'; do
    # shellcheck disable=SC2086 # words
    set -- $command
    expect 0 "$@" --help
    silent
    out_has "Usage: hiaton $command"
    mv out help.out
    for option in -h '-?'; do
        expect 0 "$@" "$option"
        silent
        same help.out out
    done
    expect 0 help "$@"
    silent
    same help.out out
done
expect 0 help sweep
out_has "Usage: hiaton sweep COMMAND"
expect 0 sweep help
out_has "Usage: hiaton sweep COMMAND"
refuse help rnu
err_has "did you mean \`run\`?"
refuse help sweep rnu
err_has "did you mean \`run\`?"
expect 0 run --usage
out_has "Usage: hiaton run ["
for command in $commands; do
    expect 0 "$command" --version
    grep -q '^hiaton [0-9]' out || fail "no version"
    refuse "$command" --no-such-option
    err_has "hiaton $command: there is no option \`--no-such-option\`"
    err_has "hiaton $command --help"
done
expect 0 run --help

# --- bad usage -----------------------------------------------------------------

refuse
err_has "hiaton: a command is missing"
err_has "hiaton --help"
refuse rnu
err_has "did you mean \`run\`?"
refuse xyzzy
err_has "there is no command \`xyzzy\`"
refuse --jsn run fact.df
refuse trace info x
for command in run interp graph compile asm disasm; do
    refuse "$command" -o x.out
    refuse "$command" no-such-file -o x.out
done
refuse run
err_has "hiaton run: PROGRAM is missing"
refuse run no-such-file
err_has "hiaton run: cannot read no-such-file: No such file"
refuse run .
refuse run fact.df --strategy expnading
err_has "expected static or expanding"
refuse graph fact.df --stage partitioned
err_has 'nothing says how the program is divided among machines'
refuse graph fact.df --format gif
refuse compile fact.df --dump=everything -o x.out
refuse settings x y
refuse ops x
for seed in x -1 1.5 18446744073709551616 ''; do
    refuse run fact.df --seed "$seed"
done
expect 0 run fact.df --seed 18446744073709551615

# --- results -------------------------------------------------------------------

expect 0 run fact.df
silent
out_starts 11
for key in cycles firings span parallelism calls tokens local_tokens network_tokens \
    network_bits utilisation peak_live_tokens image_digest value_digest timing_digest; do
    out_has "  $key "
done
cp out fact.out
expect 0 run fact.df
same out fact.out
expect 0 run fact.df -q
silent
out_is 11
expect 0 run -v fact.df
same out fact.out
[ -s err ] || fail "-v says nothing"
expect 0 interp fact.df
silent
out_is 11
expect 0 interp fact.df n=5
out_is 125
mkdir -p "a folder"
cp fact.df "a folder/fact.df"
expect 0 run "a folder/fact.df"
same out fact.out
last="run -"
"$HIATON" run - <fact.df >out 2>err || fail "status $?"
out_starts 11
"$HIATON" interp - n=4 <fact.df >out 2>err || fail "status $?"
out_is 29

# --- the expanding strategy ------------------------------------------------------

for command in run interp; do
    expect 0 $command -q --strategy=expanding fact.df
    out_is 11
    expect 0 $command -q --strategy static fact.df n=5
    out_is 125
done
expect 0 graph --stage expanding fact.df
cp out expanding.s
expect 0 graph --strategy=expanding fact.df
same expanding.s out
expect 0 graph --strategy=expanding --stage=image fact.df
same expanding.s out
expect 0 graph --strategy=expanding --stage=image fact.df
same expanding.s out
expect 0 compile --strategy=expanding fact.df -o expanding.img
expect 0 disasm expanding.img
same expanding.s out
expect 0 asm expanding.s -o again.img
same expanding.img again.img
expect 0 graph --stage functions fact.df
cp out functions.s
expect 0 asm --strategy=expanding functions.s -o again.img
same expanding.img again.img
for program in expanding.img expanding.s; do
    expect 0 interp "$program" n=5
    out_is 125
    expect 0 run --json "$program"
    out_has '"strategy": "expanding",'
    out_has '"copies": 3,'
    expect 0 run -q --strategy=expanding "$program"
    out_is 11
    refuse run --strategy=static "$program"
    err_has "this was made for the strategy expanding, and cannot be run by static"
done
expect 0 run --json fact.df
out_has '"strategy": "static",'
out_has '"copies": 0,'

# --- inputs --------------------------------------------------------------------

expect 0 run -q types.df count=20 scale=3 flag=true
out_is '(2, 3.0)'
expect 0 run -q types.df count=-20 flag=false scale=-1e300
out_is '(0, -1e+300)'
refuse run types.df count=3.5
err_has "input \`count\`: expected int, found \`3.5\`"
refuse run types.df count=99999999999999999999
refuse run types.df count=
refuse run types.df scale=big
err_has "expected real"
refuse run types.df flag=1
err_has "expected bool"
refuse run types.df cuont=1
err_has "did you mean \`count\`?"
err_has "scale (real)"
refuse run types.df count=1 count=1
err_has "given twice"
refuse run types.df count
err_has "expected NAME=VALUE, found \`count\`"
refuse run types.df count=x flag=x zzz
[ "$(grep -c '^hiaton run: ' err)" -eq 3 ] || fail "not all that is wrong was told"

# --- what is wrong with a program ----------------------------------------------

refuse run bad.df
err_has "bad.df:2:"
grep -q '^bad.df:[0-9]*:[0-9]*: error: ' err || fail "no position"
grep -q '^ *| *^' err || fail "no caret"
for command in interp graph compile; do
    refuse "$command" bad.df -q
done
: >empty.df
refuse run empty.df
head -c 3000 "$HIATON" >binary.df
refuse run binary.df

# --- failures, limits ----------------------------------------------------------

for command in run interp; do
    expect 3 "$command" types.df
    out_silent
    err_has "types.df:4:30: error: division by zero in result, tag []"
    grep -q '^ *| *^' err || fail "no caret"
    expect 3 "$command" fact.df n=30
    err_has "fact.df:3:35: error: integer overflow in fact, tag [1,"
    expect 3 "$command" deadlock.s
    out_silent
    err_has "deadlock.df: error: deadlock: nothing moves any more, and 1 token waits"
    err_has "add.int at 7:3 in result, tag []"
    expect 4 "$command" fib.df -s limits.tokens=1000
    out_silent
    err_has "limits.tokens = 1000"
    expect 4 "$command" forever.df -s limits.memory=1000000
    out_silent
    err_has "limits.memory=N"
    expect 3 "$command" types.df --json
    out_has '"result": null,'
    out_has '"status": "trapped",'
    expect 3 "$command" deadlock.s --json
    out_has '"status": "deadlocked",'
    expect 4 "$command" fib.df --json -s limits.tokens=1000
    out_has '"status": "limit",'
done
expect 4 run fib.df -s limits.cycles=100
err_has "limits.cycles = 100"

# --- forms of a program --------------------------------------------------------

expect 0 compile fact.df -o fact.img
out_silent
silent
expect 0 disasm fact.img -o fact.s
expect 0 asm fact.s -o again.img
same fact.img again.img
expect 0 compile "a folder/fact.df" -o again.img
same fact.img again.img
expect 0 compile fact.df -o -
same fact.img out
expect 0 graph --stage image fact.df
same fact.s out
"$HIATON" run - <fact.img >out 2>err || fail "status $?"
same out fact.out
expect 0 run --json fact.df n=4 -s pe.count=3
without_host out >fact.json
for stage in functions static image; do
    expect 0 graph --stage "$stage" fact.df -o "$stage.s"
    out_silent
    expect 0 graph --stage "$stage" "$stage.s"
    same out "$stage.s"
    expect 0 graph --stage "$stage" --format dot fact.df
    grep -q '^digraph' out || fail "not dot"
    expect 0 graph --stage "$stage" --format json fact.df
    out_has "\"stage\": \"$stage\""
done
# The name of a program is that of its file; all else is the same.
for form in fact.img functions.s static.s image.s; do
    expect 0 run "$form"
    same out fact.out
    expect 0 run --json "$form" n=4 -s pe.count=3
    out_has "\"program\": \"${form%.*}\","
    without_host out | sed 's/"program": .*/"program": "fact",/' >other.json
    same fact.json other.json
done
"$HIATON" run --json - n=4 -s pe.count=3 <fact.img >out 2>err || fail "status $?"
without_host out >other.json
same fact.json other.json
cp fact.df .hidden.v2.df
expect 0 run --json .hidden.v2.df
out_has '"program": ".hidden.v2",'

# What is decided when a source is compiled, and not later.
expect 0 graph sum.df -s loop.constants=copies
out_lacks hold.int
cp out copies.s
expect 0 graph sum.df
out_has hold.int
expect 0 graph copies.s -s loop.constants=sticky
same out copies.s
echo 'loop.constants: copies' >copies.yaml
expect 0 graph --stage=static sum.df -s loop.constants=copies
same out copies.s
expect 0 graph sum.df -m copies.yaml
same out copies.s
expect 0 compile sum.df -o sum.img
expect 0 compile sum.df -o copies.img -s loop.constants=copies
cmp -s sum.img copies.img && fail "the setting changes nothing"
expect 0 run --json copies.img
grep -E '_digest|"firings"' out >sum.txt
expect 0 run --json sum.df -s loop.constants=copies
grep -E '_digest|"firings"' out >again.txt
same sum.txt again.txt
refuse compile sum.df -o x.out -s loop.constants=some
err_has "sticky|copies"

expect 0 graph --stage=forms fact.df
out_has 'form "fact" routine 0'
out_has ' compute op=SUB_I '
refuse graph --stage=forms fact.img
expect 0 graph --stage=parse fact.df
cp out parsed.df
expect 0 interp -q parsed.df
out_is 11
refuse graph --stage=parse fact.img
refuse graph --stage functions fact.img
err_has "stage image already"
expect 3 run fact.img n=30
err_has "fact.df:3:35: error: integer overflow"
refuse asm fact.df -o x.out
err_has "this is a source, not an assembly text"
refuse asm fact.img -o x.out
refuse disasm fact.s
err_has "this is an assembly text, not an image"
refuse disasm fact.df
head -c 100 fact.img >cut.img
refuse run cut.img
refuse disasm cut.img
sed 's/^%4 .*/%4 nonsense/; s/call/clal/' fact.s >wrong.s
refuse run wrong.s
grep -q '^wrong.s:[0-9]*:[0-9]*: error: ' err || fail "no position"

# --- JSON ----------------------------------------------------------------------

keys() { sed -n 's/^  "\([a-z_]*\)": .*/\1/p' "$1"; }

{
    printf '%s\n' result status program strategy machine seed version settings inputs \
        image_digest
    "$HIATON" settings --statistics | sed -n '/^$/q; s/ .*//p'
    printf '%s\n' pe links host
} >keys.expected
expect 0 run --json fact.df
silent
keys out >keys.found
same keys.expected keys.found
out_has '"result": "11",'
out_has '"program": "fact",'
out_has '"machine": "default",'
[ "$(grep -c '^    {"firings"' out)" -eq 16 ] || fail "not a row per PE"
without_host out >one.json
expect 0 run --json fact.df
without_host out >two.json
same one.json two.json
expect 0 run --json "a folder/fact.df" -s pe.count=16 --seed 0
without_host out >two.json
same one.json two.json
expect 0 run --json types.df count=20 scale=inf flag=true -s pe.count=4 \
    -s queue.discipline=lifo --seed 7
out_has '"pe.count": 4,'
out_has '"queue.discipline": "lifo"'
out_has '"count": 20,'
out_has '"scale": "inf",'
out_has '"flag": true'
out_has '"seed": 7,'
expect 0 interp --json types.df count=20 scale=0.1
out_has '"scale": 0.1'
expect 0 interp --json fact.df
out_has '"machine": null,'
out_lacks '"cycles"'
for key in value_digest firings span calls image_digest; do
    [ "$(grep "^  \"$key\"" out)" = "$(grep "^  \"$key\"" one.json)" ] ||
        fail "$key differs from run"
done

# --- machines and settings -----------------------------------------------------

expect 0 machines
silent
names=$(sed 's/ .*//' out)
for name in $names; do
    expect 0 machines "$name"
    silent
    cp out "$name.yaml"
    expect 0 machines "$name.yaml"
    sed 1d "$name.yaml" >one.yaml
    sed 1d out >two.yaml
    same one.yaml two.yaml
    expect 0 machines "$name" --json
    out_has "\"machine\": \"$name\""
    expect 0 run -q fact.df -m "$name"
    out_is 11
    expect 0 run -q fact.df -m "./$name.yaml"
    out_is 11
done
refuse machines idael
err_has "did you mean \`ideal\`?"
refuse run fact.df -m no-such-machine
err_has "hiaton machines"
refuse run fact.df -m no-such.yaml
err_has "cannot read no-such.yaml"
expect 0 run --json -m ideal fact.df
[ "$(sed -n 's/^  "cycles": //p' out)" = "$(sed -n 's/^  "span": //p' out)" ] ||
    fail "cycles are not the span"

cat >mine.yaml <<'TEXT'
# mine: both ways of writing keys.
pe: {count: 4}
pe.units: 2
unit:
  alu.latency: 2
  mul: {latency: "5"}
network.topology: crossbar
base: ideal
TEXT
expect 0 run --json -m mine.yaml -s pe.units=3 -s pe.units=5 fact.df
out_has '"machine": "mine.yaml",'
out_has '"pe.count": 4,'
out_has '"pe.units": 5,'
out_has '"unit.mul.latency": 5,'
out_has '"stage.match.latency": 0,'
out_lacks '"network.topology"'

# yaml TEXT FOUND...: the file TEXT is refused, and the words FOUND are said.
yaml() {
    printf '%b' "$1" >wrong.yaml
    shift
    refuse run fact.df -m wrong.yaml
    for text in "$@"; do
        err_has "$text"
    done
}
yaml 'pe:\n  cuont: 4\n' 'wrong.yaml:2:3: error: ' "did you mean \`pe.count\`?"
yaml 'uint: {alu.latency: 1}\n' 'wrong.yaml:1:1: error: ' "did you mean \`unit\`?"
yaml 'pe.count: 0\nunit: {alu: {latency: x}}\n' 'wrong.yaml:1:11: ' 'wrong.yaml:2:23: '
yaml 'pe: {count: 4}\npe.count: 5\n' 'wrong.yaml:2:1: ' "is set twice; first in line 1"
yaml 'pe: {count: 4}\npe: {units: 5}\n' 'wrong.yaml:2:1: ' "duplicate key"
yaml 'pe: 4\n' "expected a mapping of settings, found a value"
yaml 'pe.count: [4]\n' 'wrong.yaml:1:11: ' "expected a value, found a sequence"
yaml 'pe.count: {x: 4}\n' "expected a value, found a mapping"
yaml '[1, 2]\n' "expected a mapping, found a sequence"
yaml 'base: idael\n' 'wrong.yaml:1:7: ' "did you mean \`ideal\`?"
yaml 'pe: {count: 4\nb: [}\n' 'wrong.yaml:2:2: error: '
yaml 'pe.count: 4\n---\npe.count: 5\n' "expected one document"
yaml '\0377\0376a' 'wrong.yaml:1:1: error: ' "UTF-8"
yaml 'pe.count: 4 # \0341x\n' 'wrong.yaml:1:15: error: ' "UTF-8"
yaml '%YAML 1.2\n---\npe.count: 4\n' 'wrong.yaml:1:1: error: ' "directives"
printf '# nothing\n' >nothing.yaml
expect 0 run fact.df -m nothing.yaml
same out fact.out

refuse run fact.df -s pe.cuont=4 -s pe.count=many -s x
err_has "did you mean \`pe.count\`?"
err_has "expected a number of PEs from 1 to 65536, found \`many\`"
err_has "expected KEY=VALUE, found \`x\`"
refuse run fact.df -s deadness=no
err_has "suppress|propagate"

expect 0 settings
silent
for key in pe.count pe.units unit.alu.latency queue.discipline placement.policy \
    network.topology network.latency network.bandwidth deadness limits.cycles \
    limits.tokens limits.memory; do
    out_has "$key = "
done
expect 0 settings --json
out_has '"key": "pe.count",'
expect 0 settings --statistics --json
out_has '"key": "value_digest",'
expect 0 ops
out_has 'add.int '
out_has 'switch.TYPE '
expect 0 ops --json
out_has '"opcode": "add.int",'
if command -v scdoc >/dev/null; then
    for table in settings "settings --statistics" ops; do
        # shellcheck disable=SC2086 # two words
        expect 0 $table --scdoc
        { printf 'table(7)\n\n# TABLE\n\n'; cat out; echo; } | scdoc >page 2>err ||
            fail "scdoc refuses it"
    done
fi

# --- output files --------------------------------------------------------------

mkdir files
expect 0 run fact.df --stats files/stats.json
same out fact.out
without_host files/stats.json >two.json
same one.json two.json
expect 3 run types.df --stats files/failed.json
grep -q '"status": "trapped"' files/failed.json || fail "no statistics of a failure"
echo before >files/kept
ln files/kept kept
refuse run bad.df --stats files/kept
refuse compile bad.df -o files/kept
refuse compile bad.df -o files/new
[ "$(cat files/kept)" = before ] || fail "a file was touched"
for name in files/none/x files; do
    refuse run fact.df --stats "$name"
    err_has "cannot write $name"
    refuse compile fact.df -o "$name"
    refuse disasm fact.img -o "$name"
    refuse graph fact.df -o "$name"
done
refuse run fact.df --stats -
refuse compile fact.df -o fact.df
err_has "would overwrite"
refuse compile fact.df
err_has "-o IMAGE is missing"
[ "$(ls files)" = "failed.json
kept
stats.json" ] || fail "files were left behind: $(ls files)"
umask 027
expect 0 compile fact.df -o files/mode.img
case $(ls -l files/mode.img) in
-rw-r-----*) ;;
*) fail "the mode of a new file is not that of the umask" ;;
esac
umask 022

# Standard output that cannot be written is told, whatever it was for.
for arguments in "run fact.df" "interp fact.df" "run --help" "--help" "--version" \
    "graph fact.df" "settings" "machines"; do
    last="$arguments >/dev/full"
    : >out
    if [ -w /dev/full ]; then
        # shellcheck disable=SC2086 # words
        "$HIATON" $arguments >/dev/full 2>err
        [ $? -eq 5 ] || fail "status is not 5"
        err_has "cannot write standard output"
    fi
    # shellcheck disable=SC2086 # words
    "$HIATON" $arguments >&- 2>err
    [ $? -eq 5 ] || fail "status is not 5 when closed"
done
last="run bad.df 2>&-"
"$HIATON" run bad.df >out 2>&-
[ $? -eq 2 ] || fail "status is not 2 without standard error"
out_silent
[ "$("$HIATON" settings | head -n 1)" = "$("$HIATON" settings 2>&1 | sed -n 1p)" ] ||
    fail "a closed pipe is not taken quietly"

# --- interruption --------------------------------------------------------------

# interrupt SIGNAL ARGUMENT...
interrupt() {
    signal=$1
    shift
    last="$* (and SIG$signal)"
    "$HIATON" "$@" -v >out 2>err </dev/null &
    pid=$!
    tries=0
    until grep -q 'ready in' err || [ $tries -eq 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.2
    kill -s "$signal" $pid
    wait $pid
    found=$?
    [ $found -eq 130 ] || fail "status $found, expected 130"
    err_has "interrupted after"
}
interrupt TERM run fib.df -s queue.discipline=lifo
out_silent
interrupt INT interp fib.df
out_silent
interrupt INT run fib.df -s queue.discipline=lifo --json --stats stopped.json
out_has '"result": null,'
same out stopped.json

# --- terminals -----------------------------------------------------------------

# Without a terminal there is neither progress nor colour.
TERM=xterm expect 4 run fib.df -s limits.tokens=10000000 -s queue.discipline=lifo
[ "$(wc -l <err)" -eq 1 ] || fail "more than the message"
! grep -q "$escape" err || fail "colour without a terminal"

# on_terminal COMMAND: runs it on one, its output in out. A line of progress is cut at the width, and
# is longer the faster the host is: so the terminal is wide.
on_terminal() {
    last="$1 (on a terminal)"
    TERM=xterm script -qec "stty cols 132; $1" /dev/null >out 2>err </dev/null
}
if command -v script >/dev/null && script -qec true /dev/null >out 2>err </dev/null; then
    on_terminal "'$HIATON' run types.df"
    out_has "${escape}[1;31merror:"
    on_terminal "NO_COLOR=1 '$HIATON' run types.df"
    out_has "error: division by zero"
    out_lacks "$escape"
    long="fib.df -s queue.discipline=lifo -s limits.tokens"
    on_terminal "'$HIATON' run $long=20000000"
    out_has "tokens/s"
    out_has "% of limits.tokens, "
    out_has " left  cycle "
    out_has "  alive "
    out_has "  depth "
    printf 'result = f(1)\nf(n) = 1 + f(n + 1)\n' >chain.df
    on_terminal "'$HIATON' run chain.df -s limits.memory=500000000"
    out_has "% of limits.memory, "
    on_terminal "'$HIATON' run -q $long=10000000"
    out_lacks "tokens/s"
fi

# The table has the tensor units where they are counted, and only there.
printf 'input n = 2\nresult = reduce_sum(tanh(ones([n, 2])))\n' >kernels.df
expect 0 run kernels.df -s tensor.unit.count=1
out_has '  tensor_unit_busy '
out_has '  tensor_batches '
expect 0 run kernels.df
out_lacks 'tensor_'

[ $failures -eq 0 ] || echo "$failures failed"
[ $failures -eq 0 ]
