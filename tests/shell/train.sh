#!/bin/sh
# Training: recursion, iteration and unrolling have the same losses, and stay together; params do not depend on threads
# or on how gradients are computed, are read back by `file`, and training goes on from its checkpoint; it learns.
# Checkpoints that are damaged or of something else are refused by name. HIATON is the program.
# shellcheck disable=SC2016 # backquotes are what messages have
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-.}/tests/shell/expect.sh"
cp "$SRCDIR"/programs/training/* .
chmod u+w ./*
steps=100
[ -z "${HIATON_QUICK-}" ] || steps=12

# --- trees -----------------------------------------------------------------------------------

expect 0 trees -o made.txt
expect 0 trees --seed 0
same made.txt out
expect 0 trees --seed 1
! cmp -s made.txt out || fail "another seed makes the same trees"
[ "$(tr -cd '(\n' <made.txt | awk '{ n += length } END { print NR, n }')" = '700 9416' ] ||
    fail "not 700 trees of 13.45 nodes on average"
grep -q '(1 not)' made.txt || fail "nothing is denied"

cat >five.txt <<'TEXT'
(0 (2 a) (0 b))
(4 (4 c) (2 d))
(2 e)
(4 f)
(0 (0 (2 g) (2 h)) (2 i))
TEXT
expect 0 trees --shortest 2 five.txt
shows <<'TEXT'
(0 (2 a) (0 b))
(4 f)
(0 (0 (2 g) (2 h)) (2 i))
(4 (4 c) (2 d))
TEXT
expect 2 trees --shortest 3 five.txt
err_has 'five.txt has only 2 trees of each of the labels 0 and 4'
expect 2 trees five.txt
err_has 'expected --shortest, --shuffle or --unroll for FILE'
expect 0 trees --shuffle --seed 2 five.txt
! cmp -s five.txt out || fail 'not shuffled'
sort five.txt >sorted
sort out >again
same sorted again
expect 2 trees --mean 0.5
err_has '--mean: expected a number from 1 to 10000, found `0.5`'
expect 2 trees --unroll treelstm-down.df trees.txt
err_has 'expected an equation `tree(n, x, base) = ...` that starts in column 1'

# --- three ways, the same losses -----------------------------------------------------------------

expect 0 trees --unroll treernn.df trees.txt -o treernn-unrolled.df
for way in treernn treernn-iteration treernn-unrolled; do
    for method in sgd adam; do
        expect 0 train -q $way.df --method $method --steps $steps --batch 4 --held 4 -s tensor.math=reference \
            -o $way-$method
    done
done

# together A B: their first losses are equal, and all are within 1e-9.
together() {
    paste -d, "$1/steps.csv" "$2/steps.csv" | awk -F, -v most=1e-9 -v steps=$steps '
        NR == 2 && $3 "" != $8 "" { bad = 1 }
        NR > 1 { d = $3 - $8; if (d > most || -d > most || $3 == "" || $8 == "") bad = 1 }
        END { exit bad || NR != steps + 1 }' || fail "$1 and $2 have other losses"
}
for method in sgd adam; do
    together treernn-$method treernn-iteration-$method
    together treernn-$method treernn-unrolled-$method
    expect 0 train -q treernn.df --method $method --steps $steps --batch 4 --held 4 -s tensor.math=reference \
        -s grad.mode=naive --threads 3 -o naive-$method
    for name in steps.csv e.npy w.npy b.npy u.npy training.checkpoint; do
        [ $name = training.checkpoint ] || same treernn-$method/$name naive-$method/$name
    done
done
! cmp -s treernn-sgd/w.npy treernn-adam/w.npy || fail "the method changes nothing"
! cmp -s treernn-sgd/w.npy treernn-iteration-sgd/w.npy || echo "note: iteration has even the same bits"

# And they are what plain C comes to, which knows nothing of the language: losses before each step, and the params in the end.
expect 0 trees --count 30 --seed 3 -o thirty.txt
expect 0 train -q treernn.df --trees thirty.txt --method sgd --rate 1e-300 --batch 30 --steps 1 -o start
for way in treernn treernn-iteration; do
    for method in sgd adam; do
        expect 0 train -q $way.df --trees thirty.txt --method $method --batch 30 --steps $steps --epochs $steps -o end-$way-$method
        "$BUILDDIR/tests/tensor/treernn" thirty.txt start $method 0.01 $steps >plain
        sed 1d end-$way-$method/steps.csv | cut -d, -f3 | paste - plain | awk -v steps=$steps '
            { d = $1 - $2; if (d > 1e-9 || -d > 1e-9 || $2 == "") bad = 1 }
            END { exit bad || NR != steps }' || fail "$way, $method: other losses than those of plain C"
        "$BUILDDIR/tests/tensor/treernn" thirty.txt start $method 0.01 $steps end-$way-$method >plain
        awk '{ exit !($1 < 1e-9) }' plain || fail "$way, $method: params differ by $(cat plain) from those of plain C"
    done
done

# What is run again has what a run from the start has: losses of all examples with the params of the start.
expect 0 train -q treelstm.df --method sgd --rate 1e-300 --batch 1 --epochs 1 -s tensor.math=reference -o still
expect 0 interp treelstm.df -s tensor.math=reference example=0
sed 's/^result = .*/result = [loss(i) | i <- 0 .. examples - 1]/' treelstm.df >all.df
expect 0 interp all.df -s tensor.math=reference
tr -d '[] ' <out | tr , '\n' | sort >fresh
cut -d, -f3 still/steps.csv | sed 1d | sort >again
same fresh again

# --- params ------------------------------------------------------------------------------------------

sed 's/^param \([a-z]*\) : \(.*\) = .*/param \1 : \2 = file("treernn-adam\/\1.npy")/
    s/\[words, d\]/[21, 35]/; s/\[2 \* d, d\]/[70, 35]/; s/: \[d/: [35/
    s/^result = .*/result = (loss(20) + loss(21) + loss(22) + loss(23)) \/ 4.0/' treernn.df >trained.df
expect 0 interp trained.df -s tensor.math=reference
out_is "$(sed -n '$p' treernn-adam/steps.csv | cut -d, -f4)"

# One step by hand: loss (w - 3)^2 at w = 1, whose derivative is -4.
cat >line.df <<'TEXT'
param w : [1] = ones
examples = 1
result = 0
loss(i) = let e = real(gather(w, 0)) - 3.0 in e * e + 0.0 * real(i)
TEXT
expect 0 train -q line.df --method sgd --rate 0.1 --steps 1 -o line-sgd
expect 0 train -q line.df --method adam --rate 0.1 --steps 1 -o line-adam
cat >read.df <<'TEXT'
a = file("line-sgd/w.npy")
b = file("line-adam/w.npy")
result = (a, b)
TEXT
expect 0 interp read.df
tr -d '()[]' <out | awk -F', ' '{ exit !($1 == 1.4 && $2 - 1.1 < 1e-9 && 1.1 - $2 < 1e-9) }' ||
    fail "a step is not what it should be"

# --- going on --------------------------------------------------------------------------------------------

expect 0 train -q treernn.df --steps 10 --batch 4 --held 4 --seed 3 -o whole
expect 0 train -q treernn.df --steps 4 --batch 4 --held 4 --seed 3 -o parts
expect 2 train -q treernn.df --steps 10 --batch 4 --held 4 --seed 3 -o parts
err_has 'parts/training.checkpoint is there: --resume goes on from it'
expect 0 train -q treernn.df --steps 10 --batch 4 --held 4 --seed 3 -o parts --resume --threads 2
for name in e w b u; do same whole/$name.npy parts/$name.npy; done
cut -d, -f1-3 whole/steps.csv >a
cut -d, -f1-3 parts/steps.csv >b
same a b

# refuses TEXT ARGUMENT...: the checkpoint of `parts' is none for this training.
refuses() {
    refused=$1
    shift
    expect 2 train -q --steps 10 --resume -o parts "$@"
    err_has "$refused"
}
refuses 'is of another training: there `method adam`, here `method sgd`' treernn.df --batch 4 --held 4 --seed 3 --method sgd
refuses 'there `batch 4`, here `batch 5`' treernn.df --batch 5 --held 4 --seed 3
refuses 'is of another training: there `program ' treernn.df --batch 4 --held 4 --seed 2
refuses 'is of another training: there `program ' treelstm.df --batch 4 --held 4 --seed 3
refuses 'is of another training: there `program ' treernn.df --batch 4 --held 4 --seed 3 d=34
refuses 'matrices multiplied by' treernn.df --batch 4 --held 4 --seed 3 -s tensor.math=reference
bytes=$(wc -c <parts/training.checkpoint)
cp parts/training.checkpoint good.checkpoint
for at in 3 30 100 $((bytes / 2)) $((bytes - 5)); do
    { head -c $at good.checkpoint; printf '\377\001'; tail -c +$((at + 3)) good.checkpoint; } >parts/training.checkpoint
    refuses training.checkpoint treernn.df --batch 4 --held 4 --seed 3
    head -c $at good.checkpoint >parts/training.checkpoint
    refuses training.checkpoint treernn.df --batch 4 --held 4 --seed 3
done

# --- mistakes ------------------------------------------------------------------------------------------------

# wrong TEXT: the program on standard input is refused, or fails, so.
wrong() {
    wrong_status=$1
    cat >wrong.df
    expect "$wrong_status" train -q wrong.df
    err_has "$2"
}
wrong 2 'wrong.df: error: training needs a function `loss(i)`' <<'TEXT'
param w : [1] = ones
examples = 3
result = 1
TEXT
wrong 2 'wrong.df: error: training needs `examples`' <<'TEXT'
param w : [1] = ones
loss(i) = real(i) * reduce_sum(w)
result = 1
TEXT
wrong 2 'wrong.df: error: training needs a param' <<'TEXT'
examples = 3
loss(i) = real(i)
result = 1
TEXT
wrong 2 'wrong.df:3:1: error: training calls `loss` with one argument, the number of an example; it has 2 parameters' <<'TEXT'
param w : [1] = ones
examples = 3
loss(i, j) = real(i + j) * reduce_sum(w)
result = 1
TEXT
wrong 2 '`examples` is 0: there is nothing to train on' <<'TEXT'
param w : [1] = ones
examples = 0
loss(i) = real(i) * reduce_sum(w)
result = 1
TEXT
wrong 2 '`examples` says how many examples there are: expected an int' <<'TEXT'
param w : [1] = ones
examples = 2.5
loss(i) = real(i) * reduce_sum(w)
result = 1
TEXT
wrong 2 '`correct(i)` says whether example i is told correctly: expected a bool' <<'TEXT'
param w : [1] = ones
examples = 3
loss(i) = real(i) * reduce_sum(w)
correct(i) = i % 2
result = 1
TEXT
wrong 2 '`loss(i)` takes the number of an example: expected an int, found real' <<'TEXT'
param w : [1] = ones
examples = 3
loss(i) = i % 3
result = 1
TEXT
wrong 3 'division by zero in loss' <<'TEXT'
param w : [1] = ones
examples = 5
loss(i) = real(12 / (i - 3)) * reduce_sum(w)
result = 1
TEXT
err_has 'of example 3'

# The first value that is not finite ends training, and the step is undone.
cat >far.df <<'TEXT'
param v : [2] = zeros
param w : [1] = ones
examples = 6
result = 0
loss(i) = let e = real(gather(w, 0)) - 3.0 in e * e + real(gather(v, 1)) * real(i)
TEXT
for method in sgd adam; do
    rate=5
    [ $method = sgd ] || rate=1e305
    expect 3 train -q far.df --method $method --rate $rate --batch 2 --steps 999 -o far-$method
    err_has 'far.df: error: step '
    taken=$(($(wc -l <far-$method/steps.csv) - 1))
    err_has "far-$method has the params after step $taken"
    expect 0 train -q far.df --method $method --rate $rate --batch 2 --steps $taken -o near-$method
    for name in v.npy w.npy steps.csv training.checkpoint; do same near-$method/$name far-$method/$name; done
    expect 3 train -q far.df --method $method --rate $rate --batch 2 --steps 999 -o far-$method --resume
    err_has "far.df: error: step $((taken + 1)): "
    for name in v.npy w.npy steps.csv training.checkpoint; do same near-$method/$name far-$method/$name; done
done
# no_number LOSS TEXT ARGUMENT...
no_number() {
    sed "s/^loss(i) = .*/loss(i) = $1/" far.df >no-number.df
    expect 3 train -q no-number.df --method sgd --batch 6 --steps 9 ${3+"$3"}
    err_has "no-number.df: error: step 1: $2"
}
no_number 'sqrt(real(gather(w, 0)) + 3.5 - real(i)) + reduce_sum(v)' 'the loss of example 5 is nan'
no_number 'sqrt(real(gather(w, 0)) + 3.5 - real(i)) + reduce_sum(v)' 'the loss of example 5, held out, is nan' --held=1
no_number 'real(gather(w, 0)) * sqrt(reduce_sum(v) + real(i))' 'the gradient of example 0 by `v` is inf'
no_number 'reduce_sum(w) * 1e307 + reduce_sum(v) * real(i)' '`w` after it is -inf' --rate=100
no_number 'reduce_sum(w) * 1e308 + reduce_sum(v) * real(i)' 'the mean loss of its examples is inf'

expect 2 train treernn.df --held 24
err_has '--held: expected fewer than the 24 examples that there are, found 24'
expect 2 train treernn.df --rate 0
expect 2 train treernn.df --resume
expect 2 train treernn.df d=x
expect 2 train treernn.df --trees none.txt
expect 2 train line.df --trees trees.txt
err_has 'the program reads no trees or sentences'
expect 0 compile treernn.df -o treernn.image
expect 2 train treernn.image

# --- a parser ----------------------------------------------------------------------------------------------------

expect 0 train -q parser.df d=12 m=12 --rate 0.02 --batch 4 --held 4 --epochs 16 -o parser -s tensor.math=reference
sed 's|^param \([a-z]*\) : .*|\1 = file("parser/\1.npy")|
    s/^result = .*/result = (words_of(trained), found_of(trained), held)\
words_of(n) = sum([size[order[k]] | k <- 0 .. n - 1])\
found_of(n) = sum([found(order[k]) | k <- 0 .. n - 1])/' parser.df >trained.df
expect 0 interp -q trained.df d=12 m=12
# It has learnt what it was trained on: so transitions that are guessed make the trees from which those of the file are.
tr -d '(,)' <out | awk '{ exit !($1 == 305 && $2 >= 0.95 * $1 && $3 == 4) }' || fail 'the parser did not learn'
awk '/^$/ { n++ } n < 20' sentences.conllu >twenty.conllu
expect 0 train -q parser.df d=4 m=4 --trees twenty.conllu --batch 9 --held 2 --epochs 1 -o twenty
[ "$(tail -n 1 out | awk '{ print $2 }')" = 2 ] || fail 'not 16 to 18 examples'

# --- it learns ---------------------------------------------------------------------------------------------------

# learns PROGRAM TREES HELD LEAST ARGUMENT...: the last accuracy
learns() {
    program=$1 trees=$2 held=$3 least=$4
    shift 4
    expect 0 train -q "$program" --trees "$trees" --held "$held" "$@"
    awk -v least="$least" '{ last = $5 } END { exit !(last >= least) }' out ||
        fail "held-out accuracy: $(sed -n '$p' out), expected $least"
}
if [ -z "${HIATON_QUICK-}" ]; then
    expect 0 trees --count 500 --words 24 --seed 4 -o many.txt
    learns treernn.df many.txt 100 0.8 --epochs 12 --batch 10 --rate 0.005
fi
treebank=$SRCDIR/../shared/data/sst/dev.txt
if [ ! -e "$treebank" ]; then
    echo "skipped: the trees of ../shared/data/sst/dev.txt: they are not here"
elif [ -z "${HIATON_QUICK-}" ]; then
    # Of those held out 0.59 are of one class.
    expect 0 trees --shuffle --seed 1 "$treebank" -o treebank.txt
    learns treernn.df treebank.txt 220 0.65 --epochs 4 --batch 5 --rate 0.002 -s tensor.math=reference
fi

exit $((failures > 0))
