#!/bin/sh
# A run that a host fed, from its recording: causes add up, with `host` among them; what-if
# questions have the feeds in their cycles; a diff names the feed that differs. HIATON is the
# program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >port.df <<'TEXT'
port in xs : [int]
squares = [x * x | x <- xs]
total(i) = if i == length(squares) then 0 else squares[i] + total(i + 1)
result = total(0)
port out ys = squares
TEXT
printf '0: 3\n40: 1\n40: 4\n41: 1\n700: 5\n2000: end\n' >one.txt
sed 's/^700: 5/700: 6/' one.txt >two.txt
sed 's/^41: 1/90: 1/' one.txt >late.txt

# number FILE KEY
number() { sed -n "s/^  \"$2\": \([0-9]*\),*\$/\1/p" "$1"; }

# sum FILE: of the object `causes'
sum() {
    sed -n '/^  "causes": {/,/^  }/s/^    "[a-z_]*": \([0-9]*\),*$/\1/p' "$1" |
        awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

for options in '' '-m ideal' '-m tf-executor' '--strategy=expanding' '-s deadness=propagate' \
    '-s pe.count=4 -s queue.capacity=30 -s network.capacity=8' '-s pe.count=16 -s network.topology=torus'; do
    # shellcheck disable=SC2086 # several words
    expect 0 run --json $options --port xs=one.txt --record one.rec port.df
    cp out run.json
    expect 0 analyse --json one.rec
    cp out recorded.json
    # shellcheck disable=SC2086 # several words
    expect 0 analyse --json $options --port xs=one.txt port.df
    same recorded.json out
    cp recorded.json out
    [ "$(sum out)" -eq "$(number run.json cycles)" ] || fail "$options: cycles are not the sum"
    least=1200
    [ "$options" != "-m tf-executor" ] || least=-1 # which takes longer than its host
    [ "$(sed -n 's/^    "host": \([0-9]*\),*$/\1/p' out)" -gt "$least" ] || fail "$options: no host"
    expect 0 analyse --json --end=result one.rec
    [ "$(sum out)" -eq "$(number run.json result_cycle)" ] || fail "$options: result_cycle is not the sum"
done

expect 0 run -q --port xs=one.txt --record one.rec --trace one.trace port.df
expect 0 analyse one.rec --what-if network.latency=0 --what-if 'opcode(index)=free' --what-if unit.alu.latency=9 \
    --what-if 'function(total)/2' --json
grep -o '"error": [-0-9.e]*' out | grep -vq ': 0.0$' && fail "not exact: $(grep -o '"error": [-0-9.e]*' out)"

cp out recorded.json
expect 0 analyse port.df --port xs=one.txt --what-if network.latency=0 --what-if 'opcode(index)=free' \
    --what-if unit.alu.latency=9 --what-if 'function(total)/2' --json
same recorded.json out
expect 2 analyse one.rec --port xs=one.txt
err_has 'a recording says what ports are fed'
expect 2 analyse port.df --port xs=-
err_has '--port xs: expected a regular file, as the run is made again, found -'
expect 2 analyse port.df --port xs=one.txt --port ys=out.txt
err_has '--port ys: expected a port in, found a port out'
expect 2 analyse port.df
err_has '--port xs=FILE says what it is fed'

for other in two late; do
    expect 0 run -q --port xs=$other.txt --trace $other.trace port.df
done
expect 1 trace diff one.trace two.trace
tr -s ' ' <out >words
grep -qx ' A 700 feed port 0, element 4, part 0, value 5' words || fail 'what A was fed'
grep -qx ' B 700 feed port 0, element 4, part 0, value 6' words || fail 'what B was fed'
expect 1 trace diff one.trace late.trace
grep -q '^  A ' out || fail 'no event of A'
tr -s ' ' <out | grep -q ' 41 feed .*port 0, element 3, part 0, value 1$' || fail 'the feed at 41'
exit $((failures > 0))
