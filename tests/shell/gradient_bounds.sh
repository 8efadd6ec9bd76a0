#!/bin/sh
# Bounds of loops under `grad`, which makes loops functions that call themselves: a bound has no
# effect there, and each loop that has one is warned of once, with its place. HIATON is the program.
# shellcheck disable=SC2016 # backquotes are what messages have
set -u
about=
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >bounded.df <<'TEXT'
input x = 0.5
result = grad(f, x) + g(x)
f(x) = g(x) * 2.0
g(x) =
  --# bound 2
  loop i = 0, y = x while i < 4 do i + 1, h(y) * x return y
h(x) = loop i = 0, y = x while i < 3 do i + 1, y * x return y
TEXT
cat >outside.df <<'TEXT'
input x = 0.5
result = grad(f, x) + g(x)
f(x) = x * x
g(x) =
  --# bound 2
  loop i = 0, y = x while i < 4 do i + 1, y * x return y
TEXT
cat >inside.df <<'TEXT'
input x = 0.5
result = grad(f, x)
f(x) = x * real(
  --# bound 2
  loop i = 0, y = 1 while i < 4 do i + 1, y * 2 return y)
TEXT

rest='has no effect on this loop in gradients, where it becomes a function that calls itself'

# warns COUNT: the last command has warned of so many bounds.
warns() {
    found=$(grep -c ' has no effect ' err)
    [ "$found" -eq "$1" ] || fail "$found warnings of bounds, expected $1"
}

for how in run 'run -s grad.mode=paired' 'run -s grad.params=dense' 'compile -o bounded.img' interp compare; do
    # shellcheck disable=SC2086 # a command and its options
    "$HIATON" $how bounded.df >out 2>err || fail "$how"
    last="$how bounded.df"
    grep -qF "bounded.df:6:3: warning: \`--# bound 2\` $rest" err || fail 'no warning of the pragma'
    warns 1
done
for how in run compare 'run --strategy=expanding'; do
    # shellcheck disable=SC2086
    "$HIATON" $how -s loop.bound=3 bounded.df >out 2>err || fail "$how"
    last="$how -s loop.bound=3 bounded.df"
    grep -qF "bounded.df:6:3: warning: \`--# bound 2\` $rest" err || fail 'no warning of the pragma'
    grep -qF "bounded.df:7:8: warning: loop.bound = 3 $rest" err || fail 'no warning of the setting'
    warns 2
done

# The bound indeed changes nothing: same cycles and tokens.
cat >alone.df <<'TEXT'
input x = 0.5
result = grad(f, x)
f(x) = loop i = 0, y = x while i < 4 do i + 1, y * x return y
TEXT
"$HIATON" run --json -s loop.bound=1 alone.df 2>err | grep -E '"(cycles|tokens|loop_iterations)"' >bounded
"$HIATON" run --json alone.df 2>err | grep -E '"(cycles|tokens|loop_iterations)"' >free
same free bounded

# A loop that is differentiated as two loops keeps its bound, and nothing is warned of.
for how in run 'run -s grad.mode=paired' 'run --strategy=expanding'; do
    # shellcheck disable=SC2086
    "$HIATON" $how -s grad.loop=loop -s loop.bound=1 --json bounded.df >out 2>err || fail "$how"
    last="$how -s grad.loop=loop"
    warns 0
    grep -q '"bound_stalls": [1-9]' out || fail "$how: the bound has no effect"
    grep '"result"' out >looped
    "$HIATON" $how --json bounded.df 2>err | grep '"result"' >called
    same called looped
done
expect 0 compile -s grad.loop=loop -o looped.img bounded.df
expect 0 run -s loop.bound=1 looped.img
warns 0

# A loop that no gradient reaches keeps its bound; one that a gradient computes again does not.
expect 0 run -s loop.bound=3 outside.df
warns 0
expect 0 run inside.df
warns 1
err_has 'inside.df:5:3: warning: '

# An image is warned of at its own place, once.
expect 0 run -s loop.bound=3 bounded.img
warns 1
err_has 'bounded.img: warning: loop.bound = 3 has no effect on the loop of '
expect 0 run bounded.img
warns 0

# A sweep warns as a run does, once for each loop, wherever the bound is from.
cat >sweep.yaml <<'TEXT'
title: bounds
program: bounded.df
strategy: [static, expanding]
settings: {loop.bound: [0, 3, 4]}
TEXT
sed '/^settings/d' sweep.yaml >plain.yaml
printf 'loop.bound: 3\n' >machine.yaml
sed 's/^settings.*/machine: .\/machine.yaml/' sweep.yaml >on.yaml
for how in 'sweep.yaml' 'plain.yaml -s loop.bound=3,5' 'on.yaml'; do
    # shellcheck disable=SC2086
    "$HIATON" sweep run $how -o bounds.db >out 2>err || fail "$how"
    last="sweep run $how"
    grep -qF "bounded.df:7:8: warning: loop.bound = 3 $rest" err || fail 'no warning of the setting'
    warns 2
    rm -f bounds.db
done
expect 0 sweep run plain.yaml -o bounds.db
warns 1

# So does a program without loops.
printf 'result = f(5)\nf(n) = if n == 0 then 0 else f(n - 1)\n' >none.df
for how in run compare; do
    "$HIATON" "$how" -s loop.bound=3 none.df >out 2>err || fail "$how"
    last="$how -s loop.bound=3 none.df"
    grep -q 'warning: loop.bound has no effect with a program that has no loop$' err || fail 'no warning'
    warns 1
done
sed 's/bounded/none/' sweep.yaml >none.yaml
expect 0 sweep run none.yaml -o none.db
warns 1
err_has 'none.yaml:4:12: warning: loop.bound has no effect in any run: with programs that have no loop it needs one'
# One of two programs with a loop is enough.
sed 's/bounded.df/[outside.df, none.df]/' sweep.yaml >both.yaml
expect 0 sweep run both.yaml -o both.db
warns 0

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
