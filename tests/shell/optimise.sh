#!/bin/sh
# The passes of the optimiser (doc/optimising.md): results and failures stay, firings are saved,
# none is what there was before, and the report says what was done. Random programs with random
# passes are in tests/shell/property.sh.
set -u

about=
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
: >out
: >err
passes=$("$HIATON" settings | sed -n 's/^optimise.passes = none (\(.*\))$/\1/p' | tr -d '|')
[ "$(echo "$passes" | wc -w)" -ge 5 ] || fail "only the passes $passes"

# --- results ---------------------------------------------------------------------

# unchanged FILE PASSES STRATEGY: the result of a program, or how it fails, is what it is as
# written.
unchanged() {
    "$HIATON" interp --strategy="$3" "$1" >written 2>/dev/null && written=0 || written=$?
    "$HIATON" interp --strategy="$3" --optimise="$2" "$1" >optimised 2>/dev/null &&
        optimised=0 || optimised=$?
    [ "$written" -eq "$optimised" ] && cmp -s written optimised ||
        fail "$1, $3, --optimise=$2: another result (status $optimised)"
}
for file in "$SRCDIR"/programs/examples/*.df; do
    unchanged "$file" all static
    unchanged "$file" all expanding
done
for pass in $passes; do
    for name in gauss interpreter regex sieve; do
        unchanged "$SRCDIR/programs/examples/$name.df" "$pass" static
        unchanged "$SRCDIR/programs/examples/$name.df" "$pass" expanding
    done
done

# --- each pass saves firings -------------------------------------------------------

# count NAME PASSES FILE [OPTION..]: a statistic of the run.
count() {
    count_name=$1 count_passes=$2
    shift 2
    "$HIATON" run --json --optimise="$count_passes" "$@" |
        sed -n "s/^ *\"$count_name\": \([0-9]*\),*\$/\1/p" | head -n 1
}
firings() { count firings "$@"; }
calls() { count calls "$@"; }
# saves PASS LINE..: of the program with these lines, the pass saves firings.
saves() {
    saves_pass=$1
    shift
    printf '%s\n' "$@" >saves.df
    [ "$(firings "$saves_pass" saves.df)" -lt "$(firings none saves.df)" ] ||
        fail "$saves_pass saves nothing: $*"
    unchanged saves.df "$saves_pass" static
    unchanged saves.df "$saves_pass" expanding
}
saves fold 'input n = 3' 'result = if 2 > 1 then n + 3 * 4 else n'
saves fold 'k = 2 + 3' 'input n = 3' 'result = f(n) + k' 'f(n) = if n == 0 then k else f(n - 1) + k'
saves copies 'input n = 3' 'result = n * 1 + 0'
saves copies 'input n = 3' 'result = let b = if n > 2 then true else false in if b then n else 0'
saves copies 'input n = 9' 'result = loop i = 0, c = n while i < c do i + 1, c return i'
saves share 'input n = 3' 'result = (n * n + 1) * (n * n + 1)'
saves share 'input n = 3' 'result = f(n) * f(n)' 'f(n) = if n == 0 then 1 else f(n - 1) + 1'
saves hoist 'input n = 9' 'result = loop i = 0 while i < n * 2 do i + 1 return i'
saves hoist 'input x = 2.0' 'result = sum([sqrt(x) * real(i) | i <- 0 .. 9])'
saves dead 'input n = 3' 'result = let (a, b) = (if n > 1 then (n, n > 2) else (1, false)) in a'

saves inline 'input n = 3' 'result = f(n) + f(n + 1)' 'f(x) = x * x + 1'
saves inline 'input n = 3' 'result = f(n, 2.5)' \
    'f(x, y) = g((y, x))' 'g(p) = let (y, x) = p in x + 1'
printf '%s\n' 'input n = 12' 'result = fib(n)' \
    'fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)' >fib.df
before=$(calls none fib.df)
for unroll in 1 2 3; do
    now=$(calls inline fib.df -s optimise.unroll=$unroll)
    [ "$now" -lt "$before" ] ||
        fail "unrolling $unroll times makes $now calls, not fewer than $before"
    before=$now
    expect 0 interp --optimise=all -s optimise.unroll=$unroll fib.df
    out_is 144
done

# --- what must not be done --------------------------------------------------------

# ends STATUS LINE..: with all passes a program ends as without.
ends() {
    ends_status=$1
    shift
    printf '%s\n' "$@" >ends.df
    for strategy in static expanding; do
        expect "$ends_status" interp --strategy=$strategy ends.df
        expect "$ends_status" interp --strategy=$strategy --optimise=all ends.df
    done
}
ends 3 'input n = 0' 'result = let x = 1 / n in if n > 1 then x else 2'
ends 3 'result = let x = 1 / 0 in if false then x else 2'
ends 0 'input n = 0' 'result = loop i = 0, s = 0 while i < n do i + 1, s + 10 / n return s'
ends 3 'input n = 0' 'result = loop i = 0, s = 0 while i < 10 / n do i + 1, s + 1 return s'
ends 0 'input n = 0' 'result = sum([1 / n | i <- 1 .. n])'
ends 0 'result = let a = [if i == 0 then 1 else a[i - 1] * 2 | i <- 0 .. 9] in a[9]'
ends 3 'result = let a = [a[i] * 0 | i <- 0 .. 1] in 3 + a[0] * 0'
ends 3 'result = let a = [1, 2] in let x = a[2] in if false then x else 0'

# A call waits for arguments that it ignores.
ends 3 'input n = 0' 'result = one(1 / n)' 'one(x) = 1'
ends 3 'result = let a = [one(a[i]) | i <- 0 .. 1] in a[0] + a[1]' 'one(x) = 1'
ends 3 'result = let a = [real(one(a[i])) | i <- 0 .. 1] in sum(a)' 'one(x) = 1'
ends 3 'result = let a = [first(0.5, a[i]) | i <- 0 .. 1] in sum(a)' 'first(x, y) = x * 2.0'
ends 3 'result = let a = [some(true, a[i]) | i <- 0 .. 1] in a' 'some(x, y) = not x'
ends 3 'result = let a = [(pick(2, a[i]))[0] | i <- 0 .. 1] in sum(a)' 'pick(x, y) = [x, x]'

# Gradients know the parts of a tensor by the scalars beside them.
alike() {
    printf '%s\n' "$@" >alike.df
    for pass in $passes; do
        unchanged alike.df "$pass" static
    done
    expect 0 interp --optimise=all alike.df
}
alike 'f(y) = sum([reduce_sum(tensor([y, y])) | j <- 0 .. 2])' 'result = grad(f, 1.2)'
alike 'f(y) = let t = tensor([y, 1.0]) in reduce_sum(t) + sum([g(y, t) | j <- 0 .. 2])' \
    'g(y, t) = reduce_sum(tensor([y, 2.0]) * t)' 'result = grad(f, 1.2)'

# --- none, and the report -----------------------------------------------------------

cat >report.df <<'END'
input n = 3
result = (n + 1) * (n + 1) + 2 * 3
END
expect 0 compile report.df -o plain.img
expect 0 compile --optimise=none report.df -o none.img
cmp plain.img none.img || fail "--optimise=none changes an image"
expect 0 compile --optimise=share,fold --optimise-report=report.txt report.df -o shared.img
expect 0 compile -s optimise.passes=fold+share report.df -o fold.img
cmp shared.img fold.img || fail "the order of passes matters"
! cmp -s plain.img shared.img || fail "passes do not change an image"
cat >wanted.txt <<'END'
2:32: fold: mul.int is 6
2:23: share: add.int of line 2, column 13 is used again
END
cmp report.txt wanted.txt || fail "another report"
expect 0 run --json --optimise=all report.df
out_has '"optimise.passes": "fold+copies+share+hoist+dead+inline"'
expect 0 run --json shared.img
expect 2 run --optimise=folds report.df
err_has 'did you mean `fold`?'
err_has '`none`, or `all`'

exit $((failures > 0))
