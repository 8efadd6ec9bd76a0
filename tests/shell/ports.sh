#!/bin/sh
# Ports on the command line: files with and without cycles, pipes, recordings, events, what is
# wrong.
# shellcheck disable=SC2016 # names stand in backquotes
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# begins TEXT: the first line of what was printed.
begins() { [ "$(head -n 1 out)" = "$1" ] || fail "it does not begin with \`$1'"; }

cat >body <<'TEXT'
squares = [x * x | x <- xs]
total(i) = if i == length(squares) then 0 else squares[i] + total(i + 1)
result = total(0)
TEXT
{ echo 'port in xs : [int]'; echo 'port out ys = squares'; cat body; } >port.df
{ echo 'xs = [3, 1, 4, 1, 5]'; cat body; } >literal.df

# Without cycles: all is there at the start.
printf '3\n1\n\n# two more\n4 # one\n1\n5\n' >plain.txt
expect 0 run port.df --port xs=plain.txt
begins 52
out_has 'ys: 16'
grep -q '^  feeds  *5 ' out || fail 'no feeds'
expect 0 interp port.df --port xs=plain.txt
begins 52
out_has 'ys: 25'
expect 0 run -q literal.df
begins 52

# With cycles; the outputs go to a file.
printf '0: 3\n40: 1\n40: 4\n41: 1\n700: 5\n2000: end\n' >timed.txt
expect 0 run port.df --port xs=timed.txt --port ys=ys.txt --json --series=series.csv \
    -s stats.interval=10 --record timed.rec --checkpoint 500 --trace timed.trace
cp out timed.json
cp series.csv timed.csv
printf '9\n1\n16\n1\n25\n' >expected
same expected ys.txt
expect 0 replay timed.rec
out_has 'the same run'
expect 0 replay timed.trace
out_has 'the same'
expect 0 run --from timed.rec@1500 --json --port ys=again.txt
grep -q '"cycles": ' out || fail 'no cycles'
expect 0 trace text timed.trace --level summary
out_has 'port=0  element=4  part=0  value=5'
out_has 'port=0  elements=5'

# What is fed is written by its type.
printf 'port in ps : [(int, real, bool)]\nresult = length(ps)\n' >typed.df
printf '(-1, 2.5, true)\n(7, nan, false)\n' >typed.txt
expect 0 run -q typed.df --port ps=typed.txt --trace typed.trace
expect 0 trace text typed.trace --level summary
out_has 'part=0  value=-1'
out_has 'part=1  value=2.5'
out_has 'part=2  value=true'
out_has 'part=1  value=nan'
expect 0 trace text typed.trace --level summary --json
out_has '"part": 0, "value": -1'
out_has '"part": 1, "value": 2.5'
out_has '"part": 1, "value": "nan"'
out_has '"part": 2, "value": false'
expect 0 trace export typed.trace --to csv -o typed.csv
sed -n '1s/,.*value.*//p; 1q' typed.csv | grep -q seq || fail 'no column of values'
for value in -1 2.5 true 7 nan false; do
    grep '^[0-9]*,0,feed,' typed.csv | grep -q ",$value," || fail "typed.csv: no $value"
done

# A pipe is read while the run waits, and its recording is replayed without it.
printf '3\n1\n4\n1\n5\n' | "$HIATON" run port.df --port xs=- --port ys=ys2.txt --record pipe.rec \
    --trace pipe.trace >out 2>err || fail "a pipe: $(cat err)"
begins 52
same expected ys2.txt
expect 0 replay pipe.rec
out_has 'the same run'
expect 0 replay pipe.trace

# A co-process: the next value follows from the last one taken.
mkfifo to from
"$HIATON" run port.df --port xs=to --port ys=from >out 2>err &
(
    exec 3>to 4<from
    x=2
    for _ in 1 2 3; do
        echo "$x" >&3
        read -r x <&4
    done
)
wait $! || fail "a co-process: $(cat err)"
begins 276 # 2*2 + 4*4 + 16*16

# A pipe that says what is wrong leaves what was recorded before.
printf '3\nx\n' | "$HIATON" run port.df --port xs=- --record broken.rec >out 2>err
[ $? -eq 3 ] || fail 'a wrong line of a pipe is taken'
err_has '<stdin>:2:1: error: port `xs`: expected an int, found `x`'
printf '50: 3\n\n4: 1\n' | "$HIATON" run port.df --port xs=- >out 2>err
[ $? -eq 3 ] || fail 'a cycle that has gone by is taken'
err_has '<stdin>:3:1: error: port `xs`: expected a cycle from'
expect 0 replay broken.rec.part
out_has ': 1 feeds'
expect 130 run --from broken.rec.part@0
err_has 'it waits for port `xs` to be fed or closed'

# An output that cannot be written ends the run, and nothing of it stays.
if [ -w /dev/full ]; then
    for command in run interp; do
        expect 5 $command -q port.df --port xs=plain.txt --port ys=/dev/full
        err_has 'cannot write /dev/full: No space left on device'
        [ ! -s out ] || fail 'a result is printed'
        last="$command --port ys=- >/dev/full"
        "$HIATON" $command -q port.df --port xs=plain.txt --port ys=- >/dev/full 2>err
        [ $? -eq 5 ] || fail 'the status is not 5'
        [ "$(cat err)" = "hiaton $command: cannot write standard output: No space left on device" ] ||
            fail 'what is said'
    done
fi
expect 2 run -q port.df --port xs=plain.txt --port ys=none/ys.txt
err_has 'cannot write none/ys.txt: No such file or directory; the folder `none` does not exist'

# What is wrong.
expect 2 run port.df
err_has 'port in, `xs`: --port xs=FILE'
expect 2 run port.df --port zs=plain.txt
err_has 'unknown port `zs`'
expect 2 run port.df --port xs
err_has 'expected NAME=FILE, found `xs`'
expect 2 run port.df --port xs=none.txt
err_has 'none.txt'
printf '3\nx\n' >wrong.txt
expect 2 run port.df --port xs=wrong.txt
err_has 'wrong.txt:2:1: error: port `xs`: expected an int, found `x`'
printf '5: 3\n4: 1\n' >wrong.txt
expect 2 run port.df --port xs=wrong.txt
err_has 'wrong.txt:2:1: error: port `xs`: expected a cycle that is not before'
printf '3\nend\n4\n' >wrong.txt
expect 2 run port.df --port xs=wrong.txt
err_has 'wrong.txt:3:1'
expect 2 run port.df --port xs=plain.txt -s cluster.nodes=2 -s cluster.termination=counted
err_has 'cluster.termination: a machine with it has no ports in'
# What has no room ends the run, and is no event.
expect 4 run port.df --port xs=timed.txt -s pe.count=1 -s memory.capacity=40 --trace small.trace
err_has 'limit reached: memory.capacity = 40'
err_has 'at least 48'
expect 4 run port.df --port xs=plain.txt -s port.capacity=2
err_has 'limit reached: port.capacity = 2'
expect 2 compare port.df
err_has 'nobody feeds'
exit $((failures > 0))
