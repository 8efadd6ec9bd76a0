#!/bin/sh
# hiaton run --by: rows that are the run's, in text and JSON; it changes nothing else. HIATON is the
# program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples

# same FILE FILE: but for what the host takes
same() {
    sed '/^  "host": {/,$d' "$1" >a
    sed '/^  "host": {/,$d' "$2" >b
    cmp -s a b || fail "$1 and $2 differ"
}

# rows KEY: from the object in FILE
rows() { sed -n "/^  \"$1\": \\[/,/^  \\]/p" "$2" | grep '^    {'; }

for by in function line opcode; do
    last="run --by $by"
    for options in '' '-m ideal' '-m tf-executor' '--strategy=expanding' '-s deadness=propagate'; do
        # shellcheck disable=SC2086 # several words
        "$HIATON" run --json $options "$examples/integrate.df" >plain || fail "run $options"
        # shellcheck disable=SC2086
        "$HIATON" run --json --stats=stats --by "$by" $options "$examples/integrate.df" >out ||
            fail "run $options"
        same out stats
        rows "by_$by" out >each
        [ "$(wc -l <each)" -ge 4 ] || fail "too few rows: $(cat each)"
        sed "/^  \"by_$by\": \\[/,/^  \\]/d" out >without
        same without plain
        for key in firings dead_firings tokens calls; do
            sum=$(sed "s/.*\"$key\": \\([0-9]*\\).*/\\1/" each | awk '{ s += $1 } END { print s }')
            grep -q "^  \"$key\": $sum,\$" plain || fail "$options: $key is $sum in the rows"
        done
    done
done

last='run --by: lines'
"$HIATON" run --by=line "$examples/fib.df" n=10 >out || fail 'run'
grep -q '^  [0-9]* .* fib(n) = ' out || fail "no text of the line: $(cat out)"
firings=$(awk '$1 == "firings" { print $2; exit }' out)
tail -n 1 out | grep -q "^  all  *100\\.0 %  *$firings " || fail "the last row: $(tail -n 1 out)"
"$HIATON" compile -o fib.img "$examples/fib.df" || fail 'compile'
"$HIATON" run --by=line --json fib.img n=10 >out || fail 'run of an image'
rows by_line out | grep -qv '"text": null' && fail "an image has text: $(cat out)"
"$HIATON" run --by=line fib.img n=10 >out || fail 'run of an image'
firings=$(awk '$1 == "firings" { print $2; exit }' out)
tail -n 1 out | grep -q "^  all  *100\\.0 %  *$firings " || fail "the last row: $(tail -n 1 out)"

# Who writes an image chooses its numbers.
"$HIATON" disasm fib.img | sed 's/@4:/@4000000000:/' >far.txt || fail 'disasm'
"$HIATON" run --by=line far.txt n=10 >out || fail 'a large number of a line'
grep -q '^  4000000000 ' out || fail "no such line: $(cat out)"

last='run --by: columns'
"$HIATON" run --by=function "$examples/fib.df" n=10 | grep -q ' dead ' && fail 'a column of zeros'
"$HIATON" run --by=function -s deadness=propagate "$examples/fib.df" n=10 | grep -q ' dead ' ||
    fail 'no dead firings'

last='run --by: a run that fails'
"$HIATON" run --json --by=function -s limits.cycles=100 "$examples/fib.df" >out 2>err
[ $? -eq 4 ] || fail 'its status'
rows by_function out | grep -q '"function": "fib"' || fail 'no rows'

last='run --by: mistakes'
"$HIATON" run --by=lines "$examples/fib.df" >out 2>err
[ $? -eq 2 ] || fail 'status of a wrong value'
grep -q 'expected function, line or opcode, found .lines.' err || fail "$(cat err)"
"$HIATON" interp --by=line "$examples/fib.df" >out 2>err
[ $? -eq 2 ] || fail 'the interpreter takes --by'

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
