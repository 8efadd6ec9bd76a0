#!/bin/sh
# A sweep that is killed, again and again, wherever it is, goes on where it was: its results
# are, byte for byte, those of one that nothing has disturbed.
set -u
LC_ALL=C
export LC_ALL

HIATON=${HIATON:?the program to test}
kills=50
[ -z "${HIATON_QUICK-}" ] || kills=8
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch" || exit 1

fail() {
    echo "FAILED: $*"
    cat err
    exit 1
}

cat >fib.df <<'TEXT'
input n = 10
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >kill.yaml <<'TEXT'
program: fib.df
inputs: {n: {range: [1, 9]}}
settings: {placement.policy: random, pe.count: {log2: [1, 8]}}
repeat: 10
series: true
links: true
TEXT

start=$(date +%s%N)
"$HIATON" sweep run -j 2 -o calm.db kill.yaml --csv calm.csv --series calm.series --links calm.links 2>err || fail "the calm one"
milliseconds=$((($(date +%s%N) - start) / 1000000))
[ "$(wc -l <calm.csv)" -eq 361 ] || fail "$(wc -l <calm.csv) lines of results, expected 361"
[ "$(wc -l <calm.links)" -gt 361 ] || fail "no links are kept"

# Moments spread over what is left of a sweep, and over its start: they are drawn, always
# the same, but what a process has done by then is not.
random=20261120
killed=0
round=0
while [ $round -lt $kills ]; do
    round=$((round + 1))
    random=$(((random * 1103515245 + 12345) % 2147483648))
    # Up to a third of a whole sweep: some die at once, some after several commits.
    sleep "$(awk "BEGIN { print ($random % 1000) / 1000 * $milliseconds / 3000 }")" &
    clock=$!
    "$HIATON" sweep run -j $((1 + round % 2)) -o hunted.db kill.yaml >/dev/null 2>err &
    sweep=$!
    wait $clock
    if kill -KILL $sweep 2>/dev/null; then
        wait $sweep 2>/dev/null
        [ $? -eq 137 ] && killed=$((killed + 1))
    else
        wait $sweep || fail "a sweep failed by itself"
    fi
    # Whoever finishes a sweep starts another, so that the next one has work.
    if grep -q '0 failed' err; then
        "$HIATON" sweep run -o hunted.db kill.yaml --csv hunted.csv --series hunted.series --links hunted.links 2>err ||
            fail "the last one"
        cmp calm.csv hunted.csv || fail "the results differ, after $killed kills"
        cmp calm.series hunted.series || fail "the series differ, after $killed kills"
        cmp calm.links hunted.links || fail "the links differ, after $killed kills"
        rm -f hunted.db hunted.db-journal
    fi
done
"$HIATON" sweep run -o hunted.db kill.yaml --csv hunted.csv --series hunted.series --links hunted.links 2>err ||
    fail "the last one"
cmp calm.csv hunted.csv || fail "the results differ, after $killed kills"
cmp calm.series hunted.series || fail "the series differ, after $killed kills"
cmp calm.links hunted.links || fail "the links differ, after $killed kills"
[ $((killed * 2)) -ge $kills ] || fail "only $killed of $kills were killed"
# On one PE the ten repetitions are one run.
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 hunted.db 'PRAGMA integrity_check; SELECT count(*) FROM runs')" = "ok
279" ] || fail "the database is not sound"
fi
echo "$killed of $kills killed; a calm sweep takes $milliseconds ms"
