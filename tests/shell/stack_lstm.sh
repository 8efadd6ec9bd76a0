#!/bin/sh
# Stack LSTMs: the step that is the same for every operation, on tensors and on rows, and recursion,
# come to the same loss and gradients, for one sentence and for a batch, on the interpreter and on a
# machine with batches. What POP writes is never read. A stack that is full is named.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
cp "$SRCDIR/programs/experiments/stack-lstm.df" .
counts='1 5 8 16'
[ -z "${HIATON_QUICK-}" ] || counts='1 8'

# with RESULT FILE: the program with another result.
with() { sed "s/^result = .*/result = $1/" stack-lstm.df >"$2"; }
with 'loss(form)' loss.df
with 'grad(loss, form; w, b, u, x)' gradient.df

# numbers FILE: those of a result, one a line.
numbers() { tr -d '[]() ' <"$1" | tr ',' '\n'; }

# close FILE FILE: as many numbers, the same but for rounding, and not all 0.
close() {
    numbers "$1" >a
    numbers "$2" >b
    paste a b | awk 'NF != 2 || $1 == "nan" || $2 == "nan" { bad++; next }
        { d = $1 - $2; if (d * d > 1e-24 * (1 + $1 * $1)) bad++; sum += $1 * $1 }
        END { exit bad > 0 || sum == 0 }' || fail "$1 and $2 differ"
}

for count in $counts; do
    for what in loss gradient; do
        for form in 0 1 2; do
            expect 0 interp -q "$what.df" form=$form count="$count" d=3 -s tensor.math=reference
            cp out "$what-$form"
        done
        close "$what-2" "$what-0"
        close "$what-2" "$what-1"
        # Observation 2: to the last bit, even in gradients.
        for form in 0 1; do
            expect 0 interp -q "$what.df" form=$form count="$count" d=3 poison=1 -s tensor.math=reference
            same "$what-$form" out
        done
    done
done

# What is poisoned can be seen: where PUSH writes it instead, all is lost.
sed 's/slice(op, 0, 1, 1)/slice(op, 2, 1, 1)/' loss.df >push.df
expect 0 interp -q push.df form=1 count=2 d=3 poison=1
out_is nan
expect 0 interp -q push.df form=0 count=8 d=3 -s tensor.math=reference
cp out clean
expect 0 interp -q push.df form=0 count=8 d=3 poison=1 -s tensor.math=reference
! cmp -s clean out || fail 'what PUSH writes is not read'

# A machine, with kernels in batches across tags.
for form in 0 1 2; do
    expect 0 run -q loss.df form=$form count=8 d=3 -s pe.count=4 -s tensor.unit.count=1 -s tensor.unit.of=node \
        -s tensor.batch.until=idle -s tensor.math=reference
    cp out machine
    expect 0 interp -q loss.df form=$form count=8 d=3 -s tensor.math=reference
    same machine out
done

# Sentence 0 has 6 words in its stack at most, sentences 6 and 7 have 7.
for form in 0 1; do
    expect 0 run -q stack-lstm.df form=$form count=1 d=3 size=6
    expect 3 run -q stack-lstm.df form=$form count=8 d=3 size=6
    err_has 'index out of range (7, of 7 elements) in stack_height'
done
expect 0 run -q stack-lstm.df form=2 count=8 d=3 size=6

# --- a step of training ---------------------------------------------------------------------

# Sentences are what the study's script makes. Both forms come to the same loss, and to the same
# params after a step of SGD, for sentences of one length and of mixed lengths, on the interpreter
# and on a machine.
cp "$SRCDIR"/programs/experiments/stack-lstm-steps.df "$SRCDIR"/programs/experiments/stack-lstm-*.csv .
for mixed in 0 1; do
    name=equal
    [ $mixed = 0 ] || name=mixed
    awk -v mixed=$mixed -f "$SRCDIR/doc/studies/stack-lstm-sentences.awk" >made.csv
    same made.csv stack-lstm-$name.csv
done
with_steps() { sed "s/^result = .*/result = $1/" stack-lstm-steps.df >"$2"; }
with_steps 'loss(form)' loss.df
with_steps '(let (gx, gw, gb, gu) = grad(loss, form; x, w, b, u) in (reduce_sum(x), reduce_sum(w), reduce_sum(u), reduce_sum(gx) + reduce_sum(gw) + reduce_sum(gb) + reduce_sum(gu)))' sums.df
for batch in 'mixed=0 count=1' 'mixed=0 count=6' 'mixed=1 size=20 count=1' 'mixed=1 size=20 count=6'; do
    for form in 1 2; do
        # shellcheck disable=SC2086 # words
        expect 0 interp -q loss.df form=$form $batch d=3 -s tensor.math=reference
        cp out loss-$form
        # shellcheck disable=SC2086
        expect 0 interp -q stack-lstm-steps.df form=$form $batch d=3 training=1 -s tensor.math=reference
        cp out step-$form
        # shellcheck disable=SC2086
        expect 0 run -q stack-lstm-steps.df form=$form $batch d=3 training=1 -s pe.count=4 -s tensor.unit.count=1 \
            -s tensor.unit.of=node -s tensor.batch.until=idle -s tensor.math=reference -s grad.mode=paired
        same "step-$form" out
    done
    close loss-1 loss-2
    same step-1 step-2
    # All params less a tenth of the mean gradient of a sentence.
    # shellcheck disable=SC2086
    expect 0 interp -q sums.df form=2 $batch d=3 -s tensor.math=reference
    numbers out | awk -v count="${batch##*=}" -v step="$(cat step-2)" '{ n[NR] = $1 }
        END { d = n[1] + n[2] + n[3] - 0.1 / count * n[4] - step; exit !(d * d < 1e-11) }' || fail "another step: $batch"
done

exit $((failures > 0))
