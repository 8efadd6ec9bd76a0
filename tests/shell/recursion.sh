#!/bin/sh
# What is said of a recursion that does not end, of one that is too wide, and of a loop; and what
# exactly limits.depth allows. HIATON is the program.
# shellcheck disable=SC2016 # messages quote names in backquotes
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples

# --- recursion whose base case is never reached ----------------------------------

cat >chain.df <<'TEXT'
result = f(0)
f(n) = if n < 0 then 0
  else 1 + f(n + 1)
TEXT
cat >wide.df <<'TEXT'
result = fib(30)
fib(n) = fib(n - 1) + fib(n - 2)
TEXT
# `inner` ends all the time, and does not hide what happens.
cat >mutual.df <<'TEXT'
result = even(1)
inner(n) = if n == 0 then 0 else inner(n - 1)
even(n) = if inner(3) == 1 then true else odd(n + 2)
odd(n) = if n == 0 then false else even(n + 2)
TEXT

# endless FILE PLACE FUNCTIONS DEPTH CYCLES: it says this, whatever runs it.
endless() {
    while read -r command; do
        # shellcheck disable=SC2086 # words
        expect 4 $command "$1.df" -s limits.memory=3000000
        err_has "$1.df:$2"
        err_has ": error: "
        err_has ": recursion of $3, depth "
        err_has " and growing, "
        err_has " calls alive, and none has ended; is its base case ever reached? If so, "
        err_has " allow more with -s "
    done <<TEXT
run
run --json --profile
run -m ideal
run -m tf-executor
run --strategy=expanding
run --strategy=expanding -m tf-executor
run -s deadness=propagate
run -s deadness=propagate --strategy=expanding
run -s queue.discipline=lifo
run -s tag.scheme=pool -s tag.pool=5000
run -s limits.depth=$4
run -s limits.cycles=$5
run -s limits.tokens=60000
interp
interp --json
interp --json --strategy=expanding
interp -s limits.depth=$4
TEXT
}
endless chain 3:12: '`f`' 18 3000
endless wide 2: '`fib`' 15 3000
endless mutual '' '`even` and `odd`' 500 60000

# A store may be full long before the first call can end: the base case is not in doubt then.
for capacity in "match.capacity=64 $examples/fib.df n=14" 'match.capacity=2000 chain.df'; do
    # shellcheck disable=SC2086 # words
    expect 4 run -s pe.count=8 -s $capacity
    err_has ': recursion of `f'
    err_has '; `hiaton analyse --why-stopped` says what waits for what; allow more with -s match.capacity=N'
    ! grep -q 'base case' err || fail "a question about the base case"
done

# The advice for a recursion that is wide is another one.
expect 4 run wide.df -s limits.memory=3000000
err_has 'fewer are alive at once with -s queue.discipline=lifo; or allow more'
expect 4 run wide.df -s limits.memory=3000000 -s queue.discipline=lifo
! grep -q lifo err || fail "advice that was followed already"

# Calls that ended before: since when none has.
cat >late.df <<'TEXT'
result = f(9, true)
f(n, down) = if down and n == 0 then 0
  else if down then f(n - 1, true) + (if n == 9 then f(f(n - 1, true), false) else 0)
  else f(n + 1, false) + 1
TEXT
expect 4 run late.df -s limits.memory=3000000
err_has 'late.df:4:8: error: '
err_has ', and none has ended since cycle '
since=$(sed -n 's/.*since cycle \([0-9]*\);.*/\1/p' err)
[ "$since" -gt 100 ] || fail "since cycle $since"
expect 4 run late.df -s limits.cycles=100
! grep -q "recursion of" err || fail "a recursion whose calls end"

# Calls that end all the time, and of which too many are alive.
expect 4 run "$examples/fib.df" n=25 -s limits.memory=3000000
err_has 'fib.df:'
err_has ': recursion of `fib`, depth '
err_has ' calls alive at once; '
err_has ' have ended; fewer are alive at once with -s queue.discipline=lifo; or allow more'

# What is only short of cycles or tokens is no endless recursion.
expect 4 run "$examples/fib.df" n=20 -s limits.cycles=5000
! grep -q "recursion of" err || fail "a recursion whose calls end"
err_has ' activations alive; allow more with -s limits.cycles=N'

# --- meanwhile ------------------------------------------------------------------

# A warning comes after 5 seconds, once, and not under -q.
if [ -z "${HIATON_QUICK-}" ]; then
    last="run chain.df (stopped)"
    timeout -s INT 8 "$HIATON" run chain.df >out 2>err
    err_has 'chain.df:3:12: warning: in 5 seconds `f` was called '
    [ "$(grep -c warning: err)" -eq 1 ] || fail "not one warning"
    err_has "hiaton run: interrupted after "
    err_has ", in recursion of "
    timeout -s INT 8 "$HIATON" run -q chain.df >out 2>err
    ! grep -q warning: err || fail "a warning under -q"
fi

# --- loops -----------------------------------------------------------------------

cat >loop.df <<'TEXT'
result = g(2)
g(n) = loop i = 0, s = 0 while i >= 0
  do n - 1, s + i return s
TEXT
for command in 'run' 'run --strategy=expanding' 'run -m tf-executor' 'interp'; do
    # shellcheck disable=SC2086 # words
    expect 4 $command loop.df -s limits.tokens=100000
    err_has 'loop.df:2:8: error: limit reached: limits.tokens = 100000, after 10'
    err_has ' tokens delivered: the loop, in iteration '
    err_has '; does its condition ever become false? If so, '
done
expect 4 run loop.df -s limits.tokens=4000
! grep -q 'the loop' err || fail "a loop that has just begun"

# --- in a sweep ------------------------------------------------------------------

cat >rows.yaml <<'TEXT'
program: [chain.df, mutual.df]
strategy: [static, expanding]
limits: {memory: 3000000}
TEXT
expect 1 sweep run rows.yaml -o rows.db
for row in \
    '(limit): chain.df:3:12: limit reached: limits.memory = 3000000, .*: recursion of `f`, depth' \
    '(limit): mutual.df:[34]:4[0-9]: limit reached: .*: recursion of `even` and `odd`, depth'; do
    [ "$(grep -c "$row" err)" -eq 2 ] || fail "no rows like \`$row'"
done

# --- limits.depth ----------------------------------------------------------------

# It is exact: who goes no deeper is not touched, and nobody goes deeper.
statistics() { sed -n '/^  "value_digest"/,/^  "host"/p' out; }
depth_of() { sed -n 's/^  "peak_tag_depth": \([0-9]*\),$/\1/p' out; }
while read -r program; do
    while read -r command; do
        # shellcheck disable=SC2086 # words
        expect 0 $command "$examples"/$program --json
        statistics >free
        depth=$(depth_of)
        # shellcheck disable=SC2086 # words
        expect 0 $command "$examples"/$program --json -s "limits.depth=$depth"
        statistics >bound
        same free bound
        # shellcheck disable=SC2086 # words
        expect 4 $command "$examples"/$program --json -s "limits.depth=$((depth - 1))"
        err_has "limit reached: limits.depth = $((depth - 1)), after "
        # shellcheck disable=SC2086 # words
        expect 4 $command "$examples"/$program -s "limits.depth=$((depth - 1))"
    done <<'TEXT'
run
run --strategy=expanding
run -m tf-executor
run --strategy=expanding -m tf-executor
run -s deadness=propagate
run -s pe.count=3 -s tag.scheme=pool
interp
interp --strategy=expanding
TEXT
done <<'TEXT'
fib.df n=9
sieve.df n=20
matmul.df n=3
TEXT

exit $((failures > 0))
