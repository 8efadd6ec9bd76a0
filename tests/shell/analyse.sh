#!/bin/sh
# hiaton analyse: of a program that runs and of its recording it tells the same, whole and of a
# part, in every form; and command lines that are wrong. HIATON is the program.
# shellcheck disable=SC2016 # backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
inputs=

# live, recorded and told: the words that analyse is given
alike() {
    # shellcheck disable=SC2086 # several words
    "$HIATON" analyse "$@" $options "$program" $inputs >live || fail "analyse $* $options $program"
    for file in run.rec run.trc; do
        "$HIATON" analyse "$@" $file >recorded || fail "analyse $* of $file"
        cmp -s live recorded || fail "analyse $*: $program $options: $file tells something else"
    done
}

# all analyses, by name
all=$("$HIATON" analyse --help | sed -n 's/^  \([a-z]*\) \[\([a-z]*\)\]:.*/\1 \2/p')
[ "$(printf '%s\n' "$all" | wc -l)" -ge 9 ] || fail "few analyses: $all"

# Of tests/data/examples.tbl one run of each example, of few calls: fewer of them where all is
# slower.
only=.
[ -z "${HIATON_QUICK:-}" ] || only='^(fib|parity|wavefront)$'
awk -F'|' -v only="$only" '!/^#/ && $4 <= 300 && $1 ~ only && !seen[$1]++ { print $1 " " $2 }' \
    "$SRCDIR/tests/data/examples.tbl" >rows
[ "$(wc -l <rows)" -ge 3 ] || fail "few rows: $(cat rows)"
last='live and recorded'
: >err
while read -r name inputs; do
    program=$examples/$name.df
    for options in '' '-m ideal' '-m tf-executor' '--strategy=expanding' '-s deadness=propagate'; do
        # shellcheck disable=SC2086 # several words
        "$HIATON" run -q --record run.rec --checkpoint 500 --trace run.trc --level=queues $options "$program" $inputs >out ||
            fail "run $options"
        alike --json
    done
done <rows

program=$examples/fib.df
options=
inputs=n=10
"$HIATON" run -q --record run.rec --checkpoint 50 --trace run.trc --level=queues "$program" n=10 >out || fail 'run'
for form in --json --csv --quiet; do
    for only in '' --only=state --only=traffic,profile.actual,utilisation; do
        # shellcheck disable=SC2086 # none, or one
        alike $form --cycles=100..230 $only
    done
done

# A part: no events of other cycles.
last='analyse --cycles'
for form in --json --csv; do
    "$HIATON" analyse $form --cycles=100..230 --only=profile.actual run.rec >out || fail "$form"
done
awk -F, 'NR > 1 { s += $3; if ($1 < 100 || $1 >= 230) exit 1 } END { exit s == 0 }' out || fail "$(cat out)"

# What is chosen, in the order of the table.
last='analyse --only'
"$HIATON" analyse --csv --only=tags.depth,summary,tags.depth run.rec >out || fail 'it failed'
[ "$(grep '^#' out | tr '\n' ' ')" = '# summary # tags.depth ' ] || fail "$(grep '^#' out)"
"$HIATON" analyse --csv --only=tags.depth run.rec | head -n 1 | grep -qx 'depth,width,activations' ||
    fail 'one table does not stand alone'
"$HIATON" analyse --json --only=tags.depth,tags.lifetime run.rec >out || fail 'it failed'
[ "$(grep -c '"tags"' out)" -eq 1 ] || fail 'an object is there twice'
"$HIATON" analyze --only=tags,tags.depth -o file run.rec >out || fail 'another spelling'
[ ! -s out ] || fail "something on standard output"
grep -q "^tags.functions: " file || fail "the file"

# Between nodes of a cluster there goes what goes between their PEs.
last='analyse --only=traffic of a cluster'
"$HIATON" analyse --csv --only=traffic -s cluster.nodes=3 -s cluster.pes_per_node=2 "$program" n=9 >out || fail 'it failed'
table_of() { sed -n "/^# traffic.$1/,/^\$/p" out | sed '1,2d;/^$/d'; }
table_of matrix | awk -F, '{ sum[int($1 / 2) "," int($2 / 2)] += $3 } END { for (pair in sum) print pair "," sum[pair] }' |
    LC_ALL=C sort >pes
table_of nodes | LC_ALL=C sort >node_sums
{ [ "$(wc -l <node_sums)" -eq 9 ] && cmp -s pes node_sums; } || fail "other sums: $(paste pes node_sums)"
"$HIATON" analyse --only=traffic.nodes -s cluster.nodes=3 "$program" n=9 >out || fail 'it failed'
grep -q '^  from  *0  *1  *2$' out || fail "no square: $(cat out)"
"$HIATON" analyse --csv --only=traffic -s pe.count=6 "$program" n=9 >out || fail 'it failed'
grep -q 'traffic.nodes' out && fail 'nodes without a cluster'

# Where functions have one name, as loops of a function have, their table has lines.
last='analyse: functions of one name'
cat >twins.df <<'TEXT'
input n = 3
result = f(n)
f(n) = (loop i = 0 while i < n do i + 1) +
       (loop i = n while i > 0 do i - 1)
TEXT
"$HIATON" analyse --csv --only=bounds.state twins.df >out || fail 'it failed'
{ head -n 1 out | grep -q ',line$' && [ "$(grep -c 'loop.*,[34]$' out)" -eq 2 ]; } || fail "no lines: $(cat out)"
"$HIATON" analyse --csv --only=bounds.state "$program" n=4 >out || fail 'it failed'
head -n 1 out | grep -q ',line$' && fail 'lines where names differ'

# The text of a line is in the recording, also where the program has changed or gone; of an image
# there is none.
last='analyse --only=lines'
cp "$program" fib.df
"$HIATON" run -q --record text.rec fib.df >out || fail 'run'
"$HIATON" compile fib.df -o fib.img || fail 'compile'
"$HIATON" run -q --record image.rec fib.img >out || fail 'run'
rm fib.df
"$HIATON" analyse --only=lines text.rec >out 2>err
{ grep -q 'fib(n) = if' out && [ ! -s err ]; } || fail "no text: $(cat err)"
"$HIATON" analyse --only=lines image.rec >out 2>err
grep -q 'fib(n) = if' out && fail 'a text from nowhere'
[ "$(grep -c 'the source of fib.df is not at hand, so that lines have no text' err)" -eq 1 ] || fail "said: $(cat err)"

# A file that is too coarse: refused, by the name of the level.
printf '%s\n' "$all" >table
for level in summary firings all; do
    "$HIATON" run -q --trace coarse.trc --level=$level "$program" n=5 >out || fail "run --level=$level"
    while read -r name needs; do
        last="analyse --only=$name of the level $level"
        case $level-$needs in
        summary-summary | firings-summary | firings-firings | all-summary | all-firings | all-all)
            "$HIATON" analyse --only="$name" coarse.trc >out 2>err || fail "said: $(cat err)" ;;
        *)
            "$HIATON" analyse --only="$name" coarse.trc >out 2>err
            [ $? -eq 2 ] || fail 'it was not refused'
            grep -qF "coarse.trc has events of the level \`$level\`; \`$name\` needs \`$needs\`" err || fail "said: $(cat err)" ;;
        esac
    done <table
done

# Without --only it tells what the file has the events for, and what it left out.
last='analyse: of all, what a file has the events for'
"$HIATON" analyse coarse.trc >out 2>err || fail "said: $(cat err)"
grep -qF 'coarse.trc has events of the level `all`; left out: `' err || fail "said: $(cat err)"
awk '$2 == "queues" { print "`" $1 "` needs `queues`" }' table | while read -r words; do
    grep -qF "$words" err || echo "$words"
done >missing
[ -s missing ] && fail "not told: $(cat missing)"

# A run that fails is analysed up to its end.
last='analyse: a run that does not complete'
"$HIATON" analyse --json -s limits.cycles=100 "$program" >out || fail 'its status'
grep -q '^  "status": "limit"' out || fail "$(cat out)"
[ "$(sed -n 's/.*"alive_at_end": \([0-9]*\).*/\1/p' out)" -gt 0 ] || fail 'nothing is alive'

# Causes: the run is made again, the bytes are those of the recording.
last='analyse --causes'
"$HIATON" analyse --causes "$program" n=10 >live || fail 'it failed'
for from in run.rec run.trc; do
    "$HIATON" analyse --causes $from | cmp -s - live || fail "not what it tells of $from"
done
"$HIATON" analyse --only=causes -s limits.cycles=100 "$program" >out 2>err
grep -q '^causes.causes: ' out || fail 'of a run that does not complete'
"$HIATON" analyse --only=causes.chain "$program" >out 2>err
[ $? -eq 2 ] || fail 'a table was not refused'

# wrong TEXT WORD...: refused, with this text
wrong() {
    wrong_text=$1
    shift
    last="analyse $*"
    "$HIATON" analyse "$@" >out 2>err
    wrong_status=$?
    [ $wrong_status -eq 2 ] || fail "its status is $wrong_status"
    [ ! -s out ] || fail 'something on standard output'
    grep -qF "$wrong_text" err || fail "said: $(cat err)"
}
# shellcheck disable=SC2016 # backquotes of messages
{
wrong 'found `trafic`; did you mean `traffic`?' --only=trafic run.rec
wrong '`traffic` has no table `matrx`; did you mean `matrix`?' --only=traffic.matrx run.rec
wrong '`tags` is of whole runs' --only=tags --cycles=5..9 run.rec
wrong '`9..5` has no cycle: FROM is the first, TO the one behind the last; did you mean `5..9`?' --cycles=9..5 run.rec
wrong 'where TO is the cycle behind the last one, found `fib`' --cycles=fib run.rec
wrong 'only one of --csv and --json' --csv --json run.rec
wrong 'unexpected argument `n=3`' run.rec n=3
wrong 'a recording says on which machine' -m ideal run.rec
wrong 'FILE or PROGRAM is missing'
wrong 'no input `m`' "$program" m=3
}
head -c 100 run.rec >cut.rec
"$HIATON" analyse cut.rec >out 2>err && fail 'a damaged recording'

[ $failures -eq 0 ] || echo "$failures failed"
# In text the table of causes over time has the largest causes of spans that cover the run, once.
last='analyse --only=causes fib.df'
"$HIATON" analyse --only=causes "$SRCDIR/programs/examples/fib.df" n=10 >out 2>err || fail 'no causes'
awk '/completed after/ { sub(/.*after /, ""); cycles = $1 } /^causes.over_time/ { inside = 1 }
    inside && $1 ~ /^[0-9]+$/ { if ($1 != sum || !/ %/) exit 1; sum += $2 } END { exit sum == 0 || sum != cycles }' out ||
    fail 'the spans of causes over time do not cover the run'

# Tracks of devices are what the run measured, and add up over time; recordings have the same. Memory
# and units change no value.
last='tracks of devices'
program=$SRCDIR/programs/experiments/rnn-loop.df
set -- "$program" steps=8 -s pe.count=1 -s grad.mode=paired -s tensor.unit.count=1
"$HIATON" run --json "$@" >plain || fail 'a tensor unit'
set -- "$@" -s memory.capacity=24000 -s swap.threshold=12000 -s swap.latency=10
"$HIATON" run --json "$@" --record run.rec >run || fail 'a tensor unit and a memory'
# of_run KEY [FILE]
of_run() { sed -n "s/^  \"$1\": \([^,]*\).*/\1/p" "${2:-run}"; }
[ "$(of_run value_digest)" = "$(of_run value_digest plain)" ] || fail 'moves change values'
[ "$(of_run swap_out_bytes)" -gt 100000 ] || fail 'nothing moves'
"$HIATON" analyse --csv --only=utilisation.devices,utilisation.devices_over_time "$@" >live || fail 'no tracks'
"$HIATON" analyse --csv --only=utilisation.devices,utilisation.devices_over_time run.rec >recorded || fail 'no tracks'
cmp -s live recorded || fail 'a recording has other tracks'
awk -F, '/^#/ { over = /over_time/ } $1 == "compute" && $3 { print "compute", $5 } $1 == "out" || $1 == "in" { print $1, $4 }
    over && /^[0-9]/ { busy[$3] += $5 } !over && /^[a-z]/ && $1 != "track" { whole[$1] = $5 }
    END { for (t in whole) if (whole[t] != busy[t]) print t, "over time", busy[t] }' live >found
printf '%s\n' "compute $(of_run tensor_unit_busy)" "out $(of_run swap_out_bytes)" "in $(of_run swap_in_bytes)" >wanted
cmp -s wanted found || fail "tracks: $(diff wanted found)"

exit $((failures > 0))
