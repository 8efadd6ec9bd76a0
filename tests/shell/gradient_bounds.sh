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
    found=$(grep -c ' has no effect on ' err)
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

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
