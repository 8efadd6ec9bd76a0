#!/bin/sh
# hiaton trace export: what each format holds, counted; windows, levels, the same bytes; what is
# wrong is said, and nothing is left of a file that is not whole. The formats are read by programs
# of others in trace_export_read.sh.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
formats='csv sqlite perfetto konata vcd paje chakra speedscope'

# is WHAT FOUND WANTED
is() { [ "$2" -eq "$3" ] || fail "$1: $2, expected $3"; }

# of KEY: a statistic of the run in stats.
of() { sed -n "s/^  \"$1\": \([0-9]*\),.*/\1/p" stats; }

# rows EVENT FILE: how many there are.
rows() { grep -c "^[0-9]*,[0-9]*,$1," "$2"; }

# --- what was counted -----------------------------------------------------------------

# check_konata FILE FIRINGS: the log keeps the rules of its format, and so many instructions fired.
check_konata() {
    awk -F '\t' -v firings="$2" '
        function wrong(text) { print FILENAME ":" NR ": " text; bad = 1; exit 1 }
        NR == 1 { if ($0 != "Kanata\t0004") wrong("the first line"); next }
        /^C\t/ { if ($2 <= 0) wrong("time stands still") }
        /^I\t/ { if ($2 != ids++) wrong("the number of an instruction") }
        /^[LSERW]\t/ { if ($2 >= ids || $2 in retired) wrong("no such instruction") }
        /^W\t/ { if ($3 >= ids || !($3 in executed)) wrong("no such producer") }
        /^S\t.*X/ { executed[$2]; }
        /^E\t.*X/ { if (!($2 in executed)) wrong("ends before it begins") }
        /^R\t/ { retired[$2]; fired += $4 == 0 }
        END { if (!bad && fired != firings) { print fired " of " firings " fired"; bad = 1 }; exit bad }
    ' "$1" >out || fail "$1"
}

count() {
    expect 0 run "$@" --json --record run.rec
    cp out stats
    firings=$(($(of firings) + $(of dead_firings)))
    expect 0 trace export run.rec --to csv -o run.csv
    silent
    is 'fired' "$(rows fired run.csv)" "$(of firings)"
    is 'dead' "$(rows dead run.csv)" "$(of dead_firings)"
    is 'end' "$(rows end run.csv)" 1
    is 'fields of a row' "$(sed 's/"[^"]*"//g' run.csv | awk -F, '{ print NF }' | sort -u | wc -l)" 1
    sent=$(grep -cE '^[0-9]*,[0-9]*,sent( dead)?,' run.csv)
    expect 0 trace export run.rec --to konata -o run.kanata --arrows 1000000
    check_konata run.kanata "$firings"
    expect 0 trace export run.rec --to collapsed -o run.stacks
    is "firings in stacks" "$(awk "{ sum += \$NF } END { print sum + 0 }" run.stacks)" "$firings"
    expect 0 trace export run.rec --to speedscope -o run.speedscope
    is "their sum" "$(sed -n "s/^ *.endValue.: \([0-9]*\),/\1/p" run.speedscope)" "$firings"
    is "a sample for each stack" "$(grep -c "^ *\[[0-9]" run.speedscope)" "$(wc -l <run.stacks)"
    for format in $formats; do
        expect 0 trace export run.rec --to "$format" -o once -q
        expect 0 trace export run.rec --to "$format" -o twice -q
        same once twice
        rm -f once twice
    done
}
count "$examples/fib.df" n=11
is 'calls' "$(rows call run.csv)" "$(of calls)"
[ "$(grep -c "^result;fib;fib;fib [0-9]*$" run.stacks)" -eq 1 ] || fail "calls of calls are no stack"
is 'arrows' "$(grep -c '^W' run.kanata)" "$sent"
count "$examples/jacobi.df" n=4 --strategy expanding
is 'copies' "$(rows copy run.csv)" "$(of calls)"
count "$examples/sieve.df" n=20 -s deadness=propagate
count "$examples/queens.df" n=4 -m tf-executor
count "$examples/fib.df" n=9 -m ideal

# --- windows and levels ---------------------------------------------------------------

expect 0 run "$examples/fib.df" n=11 --record run.rec --checkpoint 100
for format in $formats; do
    expect 0 trace export run.rec --to "$format" -o whole -q --cycles 0..
    expect 0 trace export run.rec --to "$format" -o bare -q
    same whole bare
    for cycles in ..51 100..201 300.. 7..8 5000..; do
        expect 0 trace export run.rec --to "$format" -o part -q --cycles "$cycles" --level queues
        [ -s part ] || fail 'the file is empty'
    done
done
expect 0 trace export run.rec --to csv -o whole.csv
expect 0 trace export run.rec --to csv -o first.csv --cycles ..100
expect 0 trace export run.rec --to csv -o second.csv --cycles 100..
for event in fired sent taken call gone; do
    is "$event in two windows" "$(cat first.csv second.csv | grep -c "^[0-9]*,[0-9]*,$event,")" \
        "$(rows $event whole.csv)"
done
for level in summary firings all queues; do
    expect 0 trace export run.rec --to csv -o level.csv --level $level
    case $level in
    summary) none='fired sent entered' ;;
    firings) none='sent entered' ;;
    all) none='entered' ;;
    *) none= ;;
    esac
    for event in $none; do
        is "$event at $level" "$(rows "$event" level.csv)" 0
    done
done

# --- filters ---------------------------------------------------------------------------

# What passes is what `hiaton trace text` prints; the arrows are those between firings that pass.
expect 0 run "$examples/jacobi.df" n=4 --record grid.rec
set -f
for filter in '--pe 0-3' '--pe 2,5 --cycles 200..901' '--line 10-15' '--function relaxed' '--below [0]' \
    '--below [0] --pe 1 --level queues'; do
    # shellcheck disable=SC2086 # several words
    expect 0 trace text grid.rec --present $filter
    mv out text
    # shellcheck disable=SC2086 # several words
    expect 0 trace export grid.rec --to collapsed -o part.stacks $filter
    # shellcheck disable=SC2086 # several words
    expect 0 trace export grid.rec --to csv -o part.csv $filter
    silent
    is "events of $filter" "$(($(wc -l <part.csv)))" "$(($(wc -l <text)))"
    fired=$(($(rows fired part.csv) + $(rows dead part.csv)))
    is "firings in stacks of $filter" "$(awk "{ sum += \$NF } END { print sum + 0 }" part.stacks)" "$fired"
    for format in $formats; do
        # shellcheck disable=SC2086 # several words
        expect 0 trace export grid.rec --to "$format" -o part --arrows 1000000 -v $filter
        err_has ", $fired firings"
        [ "$format" != konata ] || check_konata part "$fired"
    done
done
set +f
expect 2 trace export grid.rec --to csv -o x --function relaxd
# shellcheck disable=SC2016 # backquotes
err_has 'did you mean `relaxed`?'
# A file that has only some firings does not tell who sent a token.
expect 0 run "$examples/jacobi.df" n=4 -q --trace some.hev --function relaxed
expect 0 trace export some.hev --to konata -o some.kanata
err_has 'there are no arrows'
is 'arrows' "$(grep -c '^W' some.kanata)" 0
expect 0 run "$examples/jacobi.df" n=4 -q --trace some.hev --level firings
expect 0 trace export some.hev --to csv -o some.csv
is 'tokens' "$(rows sent some.csv)" 0
expect 2 trace export some.hev --to csv -o some.csv --level all
# shellcheck disable=SC2016 # backquotes
err_has 'has the events of level `firings`, and not those of `all`'

# --- arrows ---------------------------------------------------------------------------

expect 0 trace export run.rec --to konata -o few --arrows 10
arrows=$(grep -c '^W' few)
err_has "$arrows of $(rows sent whole.csv); --arrows N draws up to N"
{ [ "$arrows" -ge 5 ] && [ "$arrows" -le 10 ]; } || fail "$arrows arrows"
expect 0 trace export run.rec --to konata -o none --arrows 0
silent
is 'arrows' "$(grep -c '^W' none)" 0

# --- what goes wrong ------------------------------------------------------------------

rm -rf ./*.part
echo before >kept
for format in $formats; do
    expect 2 trace export run.rec --to "$format" -o no/such
    err_has 'no/such'
    echo nothing >damaged
    expect 2 trace export damaged --to "$format" -o kept
done
# The disk is full, as far as they can see: a file may have so many blocks.
expect 0 run "$examples/fib.df" n=19 -q -s pe.count=1 --record long.rec
"$HIATON" trace export run.rec --to otf2 -o folder -q 2>err && formats_on_disk='csv sqlite perfetto otf2'
for format in ${formats_on_disk:-csv sqlite perfetto}; do
    last="trace export --to $format, with a file that cannot grow"
    (
        trap '' XFSZ
        ulimit -f 100
        # The library of OTF2 frees twice what it could not write; so it is not asked to.
        [ "$format" != otf2 ] || export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
        "$HIATON" trace export long.rec --to "$format" -o big -q >out 2>err
    )
    found=$?
    [ "$found" -eq 5 ] || fail "status $found, expected 5"
    [ "$(wc -l <err)" -eq 1 ] || fail 'not one line is said'
    err_has 'big: '
    if [ -e big ] || [ -e big.part ]; then fail 'something is left'; fi
done
expect 2 trace export run.rec --to sqlite -o /dev/null
err_has '/dev/null: it is there, and is no regular file'
expect 5 trace export run.rec --to csv -o /dev/full
err_has 'cannot write /dev/full: No space left on device'
ln -s aim link
echo before >aim
expect 0 trace export run.rec --to csv -o link
[ -L link ] || fail 'the link is gone'
same aim whole.csv
"$HIATON" trace export run.rec --to csv -o /dev/stdout | cmp - whole.csv || fail 'a pipe gets something else'
[ "$(cat kept)" = before ] || fail 'what was there is gone'
mkdir full && : >full/file
expect 2 trace export run.rec --to otf2 -o full
[ -f full/file ] || fail 'what was there is gone'
expect 2 trace export run.rec -o x
err_has 'say with --to which format'
expect 2 trace export run.rec --to csv
err_has 'say with -o where to write'
expect 2 trace export run.rec --to perfeto -o x
# shellcheck disable=SC2016 # backquotes
err_has 'did you mean `perfetto`?'
expect 2 trace export run.rec --to csv -o x --level firing
# shellcheck disable=SC2016 # backquotes
err_has 'did you mean `firings`?'
expect 2 trace export run.rec --to csv -o x --cycles 5..3
# shellcheck disable=SC2016 # backquotes
err_has '--cycles: `5..3` has no cycle: FROM is the first, TO the one behind the last; did you mean `3..5`?'
for cycles in '' 1-2 7; do
    expect 2 trace export run.rec --to csv -o x --cycles "$cycles"
    err_has '--cycles: expected FROM..TO, FROM.. or ..TO, where TO is the cycle behind the last one, found '
done
for cycles in 5..3 5..5; do
    expect 2 trace export run.rec --to csv -o x --cycles "$cycles"
    err_has "--cycles: \`$cycles\` has no cycle: FROM is the first, TO the one behind the last"
done
expect 2 trace export run.rec --to csv -o x --cycles 1..b
# shellcheck disable=SC2016 # backquotes
err_has '--cycles: expected the end, found `b`, character 4 of `1..b`'
for left in ./*.part; do
    [ ! -e "$left" ] || fail "$left is left"
done

# --- interrupted -------------------------------------------------------------------

# Nothing is left of an export that is interrupted, nor of one whose reader goes.
expect 0 run "$examples/fib.df" n=25 -q --record endless.rec
rm -rf folder
for format in csv ${formats_on_disk:+otf2}; do
    last="trace export --to $format, interrupted"
    timeout --preserve-status -s INT 0.5 "$HIATON" trace export endless.rec --to "$format" -o folder \
        --arrows 0 >out 2>err
    found=$?
    [ "$found" -eq 130 ] || fail "status $found, expected 130"
    if [ -e folder ] || [ -e folder.part ]; then fail 'something is left'; fi
done
last='trace export --to csv, into a pipe that is closed'
timeout 60 "$HIATON" trace export endless.rec --to csv -o /dev/stdout 2>err | head -n 1 >out
out_has 'seq,cycle,event'

# --- on a terminal ---------------------------------------------------------------

# A file of events has no simulation whose progress could be shown.
expect 0 run "$SRCDIR/programs/examples/fib.df" n=19 -q --trace long.trc
if script -qec true /dev/null >out 2>err </dev/null; then
    for words in 'analyse long.trc' 'trace export long.trc --to csv -o long.csv' 'replay long.trc'; do
        last=$words
        script -qec "'$HIATON' $words" /dev/null >out 2>err </dev/null || fail "status $?"
    done
fi
exit $((failures > 0))
