#!/bin/sh
# The programs of doc/studies/table2.md: recursion, iteration and unrolling compute the same, by
# themselves and in a batch, whatever an executor takes for it. HIATON is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-.}/tests/shell/expect.sh"

# numbers FILE: the numbers of a result, a line each
numbers() {
    tr -c '0-9e.+\n-' '\n' <"$1" | sed '/[0-9]/!d'
}

# made WAY TASK: the program of the trees in the file `trees'
made() {
    awk -v way="$1" -v task="$2" -f "$SRCDIR/doc/studies/table2.awk" trees >"$1-$2.df"
}

"$HIATON" trees --count 3 --mean 9 --seed 5 -o trees
for task in inference training; do
    for way in recursion iteration unrolling; do
        made $way $task
        "$HIATON" run -q -m tf-executor -s grad.mode=paired -s loop.bound=1 -s tensor.math=reference \
            -s executor.handoff.latency=50000 $way-$task.df >out 2>err || fail "$way, $task: $(cat err)"
        cp out $task.out
        numbers out >$way
    done
    [ "$(wc -l <recursion)" -ge 6 ] || fail "$task: recursion has no numbers"
    for way in iteration unrolling; do
        paste recursion $way | awk '{ d = $1 - $2 } d > 1e-9 || d < -1e-9 { n++ } END { exit n > 0 || NR < 6 }' ||
            fail "$task: $way is not what recursion is"
    done
done

# A step gives the params, and what Adam remembers of each.
numbers training.out >step
[ "$(wc -l <step)" -eq $((3 * (41 * 35 + 70 * 35 + 35 + 35 * 2))) ] || fail "a step has $(wc -l <step) numbers"

exit $((failures > 0))
