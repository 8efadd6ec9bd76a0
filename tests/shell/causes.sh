#!/bin/sh
# hiaton analyse: the causes of cycles add up, in each form; why something waited, and why a run
# stopped; and command lines that are wrong. HIATON is the program.
# shellcheck disable=SC2016,SC2015 # backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples

add() { awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }

# sum FILE: of the object `causes'
sum() { sed -n '/^  "causes": {/,/^  }/s/^    "[a-z_]*": \([0-9]*\),*$/\1/p' "$1" | add; }

# number FILE KEY
number() { sed -n "s/^  \"$2\": \([0-9]*\),*\$/\1/p" "$1"; }

# column FILE TITLE NAME: of a table of comma-separated values
column() {
    awk -F, -v title="# $2" -v name="$3" '
        $0 == title { on = 1; next }
        on && $0 == "" { exit }
        on == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; on = 2; next }
        on { print $at }' "$1"
}

last='causes add up'
: >err
for options in '' '-m ideal' '-m tf-executor' '--strategy=expanding' '-s deadness=propagate' \
    '-s pe.count=4 -s queue.capacity=200 -s network.capacity=8' '-s tag.scheme=interned -s tag.bits=9' \
    '-s network.topology=torus -s network.bandwidth=32 -s network.router.latency=2' \
    '-s network.topology=torus -s pe.count=16 -s network.capacity=1 -s network.routing=valiant -s network.channels=4' \
    '-s network.topology=fattree -s pe.count=16 -s network.routing=adaptive -s queue.capacity=200' \
    '-s match.store=hash -s match.capacity=4 -s match.overflow.latency=30' '-s loop.bound=1'; do
    for program in fib matmul wavefront; do
        # shellcheck disable=SC2086 # several words
        "$HIATON" run --json $options "$examples/$program.df" n=4 >run.json || fail "run $options $program"
        for end in run result; do
            # shellcheck disable=SC2086
            "$HIATON" analyse --json --end=$end $options "$examples/$program.df" n=4 >out ||
                fail "analyse $options $program"
            key=cycles
            [ $end = run ] || key=result_cycle
            [ "$(sum out)" -eq "$(number run.json $key)" ] || fail "$options $program: $key is not the sum"
        done
        # shellcheck disable=SC2086
        "$HIATON" analyse --csv --by=line --chain $options "$examples/$program.df" n=4 >out || fail "--csv $options"
        cycles=$(number run.json cycles)
        [ "$(column out causes.causes cycles | add)" -eq "$cycles" ] || fail "--csv: $options $program"
        [ "$(column out causes.by_line cycles | add)" -eq "$cycles" ] || fail "--by: $options $program"
        sed -n '/^# causes.over_time/,/^$/p' out | awk -F, -v all="$cycles" '
            NR > 2 && NF { for (i = 3; i <= NF; i++) sum += $2 * $i; end = $1 + $2 }
            END { exit (sum - all) ^ 2 > 1e-6 || end < all }' || fail "--csv over time: $options $program"
        column out causes.chain from >begins
        column out causes.chain to >ends
        [ "$(head -1 begins)" -eq 0 ] && [ "$(tail -1 ends)" -eq "$cycles" ] || fail "--chain: $options $program"
        sed 1d begins >next
        sed '$d' ends | cmp -s - next || fail "--chain has a gap: $options $program"
    done
done

# Of an array the result is there when its last element is: neither when the array is, nor when all
# else is done.
last='the last element of the result'
printf 'input n = 4\nresult = (rows, long[0])\nrows = [[fib(i + j) | j <- 0 .. n] | i <- 0 .. n]\n%s\n%s\n' \
    'long = [if i < 1 then i else fib(12) | i <- 0 .. 3]' \
    'fib(k) = if k <= 1 then 1 else fib(k - 1) + fib(k - 2)' >rows.df
for options in '' '-s tag.scheme=interned' '-m tf-executor' '--strategy=expanding' '-s pe.count=4 -s match.store=hash'; do
    # shellcheck disable=SC2086
    "$HIATON" run --json $options --trace=rows.ev --level=queues --record=rows.rec --checkpoint=100 rows.df >run.json ||
        fail "run $options"
    cycle=$(number run.json result_cycle)
    # The last STORE into `rows`, by the events.
    formed=$("$HIATON" trace text rows.ev | sed -n 's/.* fired .* store *3:.* formed=\([0-9]*\).*/\1/p' | sort -n | tail -1)
    [ "$cycle" -eq "${formed:-0}" ] || fail "$options: the events say ${formed:-nothing}, not $cycle"
    [ "$cycle" -lt "$(number run.json cycles)" ] || fail "$options: the rest takes no time"
    for what in "$options rows.df" rows.ev rows.rec; do
        # shellcheck disable=SC2086
        "$HIATON" analyse --json --end=result $what >out || fail "analyse $what"
        [ "$(sum out)" -eq "$cycle" ] || fail "$options: $what: $cycle is not the sum"
        # shellcheck disable=SC2086
        "$HIATON" analyse --csv --why=result $what >out || fail "--why $what"
        column out causes.chain opcode | head -1 | grep -q '^store$' || fail "$options: $what ends with another firing"
    done
    "$HIATON" run --json --from=rows.rec@$((cycle - 1)) >out 2>err || fail "$options: --from"
    [ "$(number out result_cycle)" -eq "$cycle" ] || fail "$options: from a checkpoint it is another cycle"
done

last='why'
for target in result line:4 cycle:100 '[1,0]'; do
    expect 0 analyse --why="$target" "$examples/fib.df" n=8
    out_has 'causes.chain: what it waited for, the last first'
done
expect 2 analyse --why=line:99 "$examples/fib.df" n=8
err_has 'nothing of that kind has fired'
# A run that ended before its result was there says so, and what to ask instead.
printf 'result = f(1)\nf(n) = f(n + 1) + 1\n' >endless.df
"$HIATON" run -q --trace=endless.ev --level=queues -s limits.tokens=900 endless.df >out 2>&1
for what in '-s limits.tokens=900 endless.df' '-s limits.cycles=70 endless.df' endless.ev; do
    for option in '--causes --end=result' --why=result; do
        # shellcheck disable=SC2086
        expect 2 analyse $option $what
        err_has 'the run ended before its result was there (limit): --end=run follows what it did until then'
    done
    # shellcheck disable=SC2086
    expect 0 analyse --causes --end=run $what
done
expect 2 analyse --causes --end=result -s pe.count=4 -s queue.capacity=6 -s network.capacity=2 "$examples/fib.df" n=9
err_has '(store_full): --end=run follows what it did until then, --why-stopped what it waited for'
while read -r target wrong; do
    expect 2 analyse --why="$target" "$examples/fib.df" n=8
    err_has "--why: expected $wrong"
done <<'END'
line: the number of a line, found the end, character 6 of `line:`
line:x the number of a line, found `x`, character 6 of `line:x`
[1,0 `,` or `]`, found the end, character 5 of `[1,0`
[1,,0] the number of a site, found `,`, character 4 of `[1,,0]`
7 result, line:N, cycle:N or a whole tag such as `[1,0.2]`, found `7`
END

# The causes of parts of a run add up to those of the run, and each part has all its cycles.
last='causes of some cycles'
"$HIATON" run -q --record=part.rec --trace=part.ev --level=queues -s pe.count=4 "$examples/fib.df" n=8 >out
for what in "-s pe.count=4 $examples/fib.df n=8" part.rec part.ev; do
    # shellcheck disable=SC2086
    "$HIATON" analyse --csv --causes --by=line $what >whole || fail "$what"
    for cycles in 0..100 100..250 250..; do
        # shellcheck disable=SC2086
        "$HIATON" analyse --csv --causes --by=line --chain --cycles=$cycles $what >"part$cycles" || fail "$cycles of $what"
    done
    [ "$(column part0..100 causes.causes cycles | add)" -eq 100 ] || fail "$what: 0..100"
    [ "$(column part100..250 causes.causes cycles | add)" -eq 150 ] || fail "$what: 100..250"
    [ "$(column part100..250 causes.by_line cycles | add)" -eq 150 ] || fail "$what: 100..250 by line"
    [ "$(column part250.. causes.causes cycles | add)" -eq 164 ] || fail "$what: 250.."
    column whole causes.causes cycles >sums
    for cycles in 0..100 100..250 250..; do column "part$cycles" causes.causes cycles >"sums$cycles"; done
    paste sums sums0..100 sums100..250 sums250.. | awk '$1 != $2 + $3 + $4 { exit 1 }' || fail "$what: other sums"
    [ "$(column part100..250 causes.chain from | head -n 1)" -eq 100 ] || fail "$what: the path begins elsewhere"
    [ "$(column part100..250 causes.chain to | tail -n 1)" -eq 250 ] || fail "$what: the path ends elsewhere"
    sed -n '/^# causes.over_time/,/^$/p' part100..250 | awk -F, '
        NR > 2 && NF { share = 0; for (i = 3; i <= NF; i++) share += $i; sum += $2; bad += (share - 1) ^ 2 > 1e-9 }
        END { exit sum != 150 || bad }' || fail "$what: over time"
done
expect 0 analyse --causes --cycles=100..250 part.rec
out_has 'fib.df on default, pe.count=4, cycles 100..250: completed after 414 cycles'

# Of kernels on tensors, launches and what limits the work add up to their time.
last='the time of kernels'
for options in '' '-s unit.tensor.launch=100' '-s unit.tensor.bytes=0'; do
    # shellcheck disable=SC2086
    "$HIATON" analyse --csv --causes $options "$examples/mlp.df" >out || fail "$options"
    column out causes.causes cause >keys
    column out causes.causes cycles | paste keys - | sed -n 's/^"*computing_tensor"*\t//p' >computing
    [ "$(column out causes.tensor cycles | add)" -eq "$(cat computing)" ] || fail "$options: another sum"
done
column out causes.tensor part | grep -q operations || fail 'nothing is limited by operations'
"$HIATON" analyse --csv --causes "$examples/fib.df" n=5 >out
grep -q 'causes.tensor' out && fail 'fib.df has kernels'

# A path that is too long for the memory goes through a file, whole in both directions.
last='a long path'
printf 'input n = 1000\nresult = total(n)\ntotal(n) = loop i = 0, s = 0 while i < n do i + 1, s + i return s\n' >loop.df
"$HIATON" analyse --csv --chain -s pe.count=1 loop.df n=5000 >out || fail 'it failed'
column out causes.chain from >begins
column out causes.chain to >ends
[ "$(wc -l <begins)" -gt 50000 ] || fail "few rows: $(wc -l <begins)"
sed 1d begins >next
sed '$d' ends | cmp -s - next || fail 'it has a gap'
"$HIATON" analyse --csv --why=result -s pe.count=1 loop.df n=5000 >why || fail 'it failed'
column why causes.chain from | tac | cmp -s - begins || fail 'backwards it is another one'
"$HIATON" analyse --csv --chain -s pe.count=1 loop.df n=5000 -o file || fail '-o'
cmp -s out file || fail 'a file is another one'
"$HIATON" analyse --json --chain -s pe.count=1 loop.df n=5000 >long.json || fail '--json'
[ "$(grep -c '"no_room_in"' long.json)" -eq "$(wc -l <begins)" ] || fail '--json has other rows'
[ "$(tail -1 long.json)" = '}' ] || fail '--json is cut'
TMPDIR=/nonexistent "$HIATON" analyse --csv --chain -s pe.count=1 loop.df n=5000 >out 2>err
[ $? -eq 5 ] || fail 'there is no such folder'
grep -q 'cannot be kept in a file of the folder TMPDIR' err || fail "said: $(cat err)"

last='why it stopped'
: >err
expect 0 analyse --why-stopped "$examples/fib.df" n=8
out_has 'nothing was full, exhausted or deadlocked'
expect 0 analyse --why-stopped -s tag.scheme=pool -s tag.pool=3 "$examples/fib.df" n=6
out_has 'identifier of fib'
out_has 'tag.pool       3      11     completed'
expect 0 analyse --why-stopped --json -s pe.count=4 -s queue.capacity=6 -s network.capacity=2 "$examples/fib.df" n=9
out_has '"limit": "queue.capacity"'
out_has '"circle": "yes"'

printf 'result = a[0]\na = [if i < 2 then a[1 - i] else i | i <- 0 .. 4]\n' >circle.df
cat >many.df <<'TEXT'
input n = 4
f = [if i == n then f[0] else f[i + 1] + 1 | i <- 0 .. n]
result = f[0]
TEXT
expect 3 run many.df # not all that waits is listed
err_has '  and 2 more; `hiaton analyse --why-stopped` says what waits for what'
expect 0 analyse --why-stopped circle.df
out_has '  circle  yes  whether some wait for each other'
out_has '  18  fetch   result.array     2  [0.0]  element 1 of the array made at 2:5'
expect 0 analyse --why-stopped --json circle.df
out_has '"waits_for": "element 0 of the array made at 2:5"'

last='networks of routers'
expect 0 analyse --causes -s network.topology=mesh -s network.router.latency=3 "$examples/fib.df" n=8
out_has '  router '
finite='-s network.topology=hypercube -s network.capacity=1 -s network.arbitration=oldest -s network.channels=2 -s pe.count=16'
# shellcheck disable=SC2086 # options
expect 0 analyse --causes $finite "$examples/fib.df" n=14
out_has '  back_pressure '
mv out live
# shellcheck disable=SC2086
expect 0 run $finite "$examples/fib.df" n=14 --trace=finite.events --level=queues
expect 0 analyse --causes finite.events
same out live
expect 0 trace text --level=queues finite.events
out_has ' passes '
out_has ' is blocked '
expect 0 analyse --why-stopped -s pe.count=4 -s queue.capacity=9 -s network.topology=mesh -s network.capacity=1 \
    -s queue.discipline=lifo "$examples/fib.df" n=12
out_has 'buffer behind link 1, channel 0'
out_has 'circle              yes'

last='mistakes'
expect 2 analyse --by=colour "$examples/fib.df" n=8
err_has 'function, line, opcode or cause'
expect 2 analyse --end=never "$examples/fib.df" n=8

# the name of an analysis too
for format in '' --json --csv; do
    expect 0 analyse --causes --by=opcode $format "$examples/fib.df" n=8
    mv out by_option
    expect 0 analyse --only=causes --by=opcode $format "$examples/fib.df" n=8
    same by_option out
done
expect 0 analyse --only=tags,causes "$examples/fib.df" n=8
out_has 'tags.depth: '
out_has 'causes.causes: '
expect 2 analyse --only=cuases "$examples/fib.df" n=8
# shellcheck disable=SC2016 # backquotes of messages
err_has 'idleness or causes, found `cuases`; did you mean `causes`?'
expect 2 analyse --only=causes.chain "$examples/fib.df" n=8
err_has '--chain'
expect 2 analyse --why-stopped --cycles=1..9 "$examples/fib.df" n=8
err_has '--cycles: --why-stopped is of whole runs'
"$HIATON" run -q --trace coarse.trc --level=all "$examples/fib.df" n=5 >out || fail "run --trace"
expect 2 analyse --causes coarse.trc
err_has '`causes` needs `queues`'

exit $((failures > 0))
