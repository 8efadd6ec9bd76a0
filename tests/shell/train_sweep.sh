#!/bin/sh
# Experiments whose runs are trainings: what results have is what hiaton train comes to, whatever
# -j; options are axes, and part of what a run is; so is what a program has for training. What is
# wrong is told before anything runs, or is the reason of the run. HIATON is the program.
# shellcheck disable=SC2016 # backquotes are what messages have
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-.}/tests/shell/expect.sh"
cp "$SRCDIR"/programs/training/* .
chmod u+w ./*

cat >rates.yaml <<'YAML'
program: spirals.df
settings: {tensor.math: reference}
inputs: {points: [43, 60]}
train:
  method: [sgd, adam]
  rate: [0.01, 0.1]
  batch: 7
  held: 3
  epochs: 4
repeat: {times: 2, seed: per-repetition}
tables:
  - {name: losses, rows: [train.method, train.rate], columns: inputs.points, values: trained.held_loss, spread: sd}
figures:
  - {name: by-rate, x: train.rate, y: trained.held_loss, by: train.method, panels: inputs.points, scale: {x: log10, y: linear}}
YAML
expect 0 sweep run -q rates.yaml --jobs 3
values=trained.steps,trained.epochs,trained.loss,trained.held_loss,trained.held_accuracy,trained.rate
expect 0 results csv rates.db --rows number,inputs.points,train.method,train.rate,seed --values $values
sed '1d; s/\.0,/,/g' out >rows
[ "$(wc -l <rows)" -eq 16 ] || fail 'not 16 rows'
while IFS=, read -r number points method rate seed steps epochs loss held accuracy final; do
    rm -rf one
    expect 0 train -q spirals.df points="$points" --method "$method" --rate "$rate" --batch 7 --held 3 --epochs 4 --seed "$seed" \
        -s tensor.math=reference -o one
    [ "$(sed -n '$p' one/epochs.csv | cut -d, -f1-6 | sed 's/\.0,/,/g')" = "$steps,$epochs,$loss,$held,$accuracy,$final" ] ||
        fail "run $number: $(sed -n '$p' one/epochs.csv)"
done <rows
expect 0 results show rates.db losses
out_has 'train.method'
out_has '±'
if command -v gnuplot >/dev/null; then
    expect 0 results plot rates.db by-rate -o figures
    grep -q 'trained.held' figures/*.svg || fail 'no axis of losses'
fi

# Nothing runs twice; one thread or several are the same; each option, the program and the seed are
# part of a run.
expect 0 sweep run rates.yaml
err_has '16 runs, 0 of them new'
expect 0 sweep run -q rates.yaml -o other.db --jobs 1 --csv other.csv
expect 0 results csv rates.db -o rates.csv
same rates.csv other.csv
sed 's/epochs: 4/epochs: 5/' rates.yaml >more.yaml
expect 0 sweep run more.yaml -o rates.db
err_has '16 runs, 16 of them new'
for option in 'momentum: 0' 'form: auto' 'warmup: 0'; do
    sed "s/epochs: 4/epochs: 4\n  $option/" rates.yaml >more.yaml
    expect 0 sweep run more.yaml -o other.db
    err_has '16 runs, 0 of them new'
done
for option in 'decay: 0.1' 'form: loss' 'warmup: 2' 'halve: 1' 'clip: 0.5'; do
    sed "s/epochs: 4/epochs: 4\n  $option/" rates.yaml >more.yaml
    expect 0 sweep run more.yaml -o other.db --only 'number <= 2'
    err_has '2 runs, 2 of them new'
done
echo '-- another line' >>spirals.df
expect 0 sweep run rates.yaml -o other.db --only 'number <= 2'
err_has '2 runs, 0 of them new'
sed 's/tanh(matmul/relu(matmul/' spirals.df >kept && cp kept spirals.df
expect 0 sweep run rates.yaml -o other.db --only 'number <= 2'
err_has '2 runs, 2 of them new'

# Rows are trained again from the database alone, to the same numbers; until something in them is
# changed.
mkdir away
cp other.db away
(cd away && "$HIATON" results rerun other.db --all) >out 2>err && fail "rerun: $(cat out err)"
out_is '2 of 2 rows hold; 14 of the 16 of the experiment have not been run'
if command -v sqlite3 >/dev/null; then
    # change SQL KEY: row 1 of a copy does not hold, and KEY is named.
    change() {
        cp other.db changed.db
        sqlite3 changed.db "$1"
        expect 1 results rerun changed.db 1
        grep -q "^  $2 " out || fail "$1: \`$2' is not named"
    }
    row="WHERE identity = (SELECT identity FROM points WHERE number = 1)"
    change "UPDATE runs SET \"trained.held_loss\" = 1.5 $row" trained.held_loss
    change "UPDATE runs SET \"train.rate\" = 0.02 $row" trained.held_loss
    change "UPDATE runs SET \"inputs.points\" = 44 $row" trained.held_loss
    change "UPDATE points SET seed = seed + 1 WHERE number = 1" trained.held_loss
    # What a database does not keep, or no longer has as it was, is told.
    cp other.db changed.db
    sqlite3 changed.db "UPDATE files SET bytes = zeroblob(10)"
    expect 1 results rerun changed.db 1
    out_has 'cannot be run again: its file spirals.df is damaged in the database, or missing'
    cp other.db old.db
    sqlite3 old.db 'DROP TABLE sources; PRAGMA user_version = 6'
    expect 1 results rerun old.db 1
    out_has 'cannot be run again: it is a training, and the database does not keep the source of its program'
    expect 0 sweep run -q rates.yaml -o old.db --only 'number <= 2'
fi

# Epochs are kept where the experiment says so, are those of hiaton train, and go with shards;
# figures show them.
{ cat rates.yaml && printf '  - {name: curves, epochs: [loss, held_loss], by: train.rate, panels: train.method, where: inputs.points == 43}\nepochs: true\n'; } >epochs.yaml
expect 0 sweep run epochs.yaml --epochs all.epochs
err_has '16 runs, 16 of them new'
expect 0 sweep run epochs.yaml
err_has '16 runs, 0 of them new'
[ "$(head -n 1 all.epochs)" = number,epoch,step,loss,held_loss,held_accuracy,rate,gradient_norm ] ||
    fail "the columns of epochs are $(head -n 1 all.epochs)"
[ "$(wc -l <all.epochs)" -eq 65 ] || fail 'not 4 epochs of 16 runs'
while IFS=, read -r number points method rate seed rest; do
    [ "$number" -le 2 ] || continue
    rm -rf one
    expect 0 train -q spirals.df points="$points" --method "$method" --rate "$rate" --batch 7 --held 3 --epochs 4 --seed "$seed" \
        -s tensor.math=reference -o one
    awk -F, -v OFS=, 'NR > 1 { t = $1; $1 = $2; $2 = t; print }' one/epochs.csv | sed 's/\.0,/,/g; s/\.0$//' >wanted
    sed -n "s/^$number,//p" all.epochs | sed 's/\.0,/,/g; s/\.0$//' >found
    same wanted found
done <rows
for shard in 1 2; do expect 0 sweep run -q --shard $shard/2 epochs.yaml -o shard.$shard.db; done
expect 0 sweep merge -q -o merged.db shard.1.db shard.2.db --epochs merged.epochs
same all.epochs merged.epochs
expect 0 results csv epochs.db --detail epochs
same all.epochs out
expect 0 results csv epochs.db curves
[ "$(sed '1d; s/,.*//' out | tr '\n' ' ')" = '1 2 3 4 ' ] || fail 'other epochs in the figure'
expect 2 results csv rates.db --detail epochs
err_has 'epochs'
printf 'program: line.df\nepochs: true\n' >none.yaml
cp "$SRCDIR/tests/data/experiments/line.df" .
expect 2 sweep run none.yaml
err_has 'none.yaml:2:1: error: epochs: only trainings have epochs'
printf 'program: line.df\ntrain: {}\nfigures: [{name: f, epochs: loss}]\n' >none.yaml
expect 2 sweep run none.yaml
err_has 'say `epochs: true` beside `figures`'

# Trees, forms and steps; what a training is not.
cat >forms.yaml <<'YAML'
program: [treernn.df, {file: spirals.df, inputs: {points: 40}, zip: {train.form: [loss, losses]}}]
grid: {train.steps: 3}
train: {held: 4, batch: 5}
settings.tensor.math: reference
YAML
expect 0 sweep run -q forms.yaml
expect 0 results csv forms.db --rows program,train.form,train.steps --values trained.steps,trained.held_loss
sed 's/,[^,]*$//' out >kept
[ "$(cat kept)" = 'program,train.form,train.steps,trained.steps
treernn,auto,3,3
spirals,loss,3,3
spirals,losses,3,3' ] || fail 'other rows'
expect 0 results csv forms.db
sed -n 2p out | grep -q ',completed,,' || fail 'a training has a result'

# Files of trees and sentences are an axis too. A program that reads none has none.
head -n 8 trees.txt >few.txt
mkdir more && cp few.txt more
cat >trees.yaml <<'YAML'
program:
  - {file: treernn.df, zip: {train.trees: [trees.txt, few.txt, more/few.txt]}}
  - {file: spirals.df, inputs: {points: 40}}
train: {held: 2, batch: 3, steps: 2}
settings.tensor.math: reference
YAML
expect 0 sweep run -q trees.yaml
expect 0 results csv trees.db --rows number,train.trees --values trained.loss
[ "$(sed 's/@[0-9a-f]*//; s/,[^,]*$//; 1d' out | tr '\n' ' ')" = '1,trees.txt 2,few.txt 3,few.txt 4, ' ] ||
    fail "other trees: $(cat out)"
for trees in 1,trees.txt 2,few.txt 3,more/few.txt; do
    expect 0 results csv trees.db --rows number --values trained.loss --where "number == ${trees%%,*}"
    loss=$(sed 1d out | cut -d, -f2)
    expect 0 train -q treernn.df --trees "${trees#*,}" --held 2 --batch 3 --steps 2 -s tensor.math=reference --json
    out_has "\"loss\": $loss"
done
expect 0 sweep list trees.yaml --only "train.trees == 'few.txt'"
[ "$(wc -l <out)" -eq 3 ] || fail "other rows have few.txt: $(cat out)"
# The bytes are part of what a run is, not their name; results keep them.
cp few.txt same.txt
sed 's/, few.txt/, same.txt/' trees.yaml >same.yaml
expect 0 sweep run same.yaml -o trees.db
err_has '4 runs, 0 of them new'
tail -n 8 trees.txt >few.txt
expect 0 sweep run trees.yaml
err_has '4 runs, 1 of them new'
mv trees.db away
(cd away && "$HIATON" results rerun trees.db --all) >out 2>err || fail "rerun of trees: $(cat out err)"
out_is '4 of 4 rows hold'
sed 's/few.txt/none.txt/' trees.yaml >none.yaml
expect 2 sweep run none.yaml
err_has 'none.yaml:2:55: error: train.trees: '
err_has 'none.txt'
printf 'program: spirals.df\ntrain.trees: trees.txt\n' >none.yaml
expect 2 sweep run none.yaml
err_has 'the program reads no trees or sentences'
printf 'program: treernn.df\ntrain.trees: "-"\n' >none.yaml
expect 2 sweep run none.yaml
err_has 'none.yaml:2:15: error: train.trees: expected the name of a file, found `-`'

# A run that fails has its reason, and the others go on.
cat >line.df <<'TEXT'
param slope : [1] = zeros
input n = 8
examples = n
at(i) = real(i) / 4.0
loss(i) = let e = real(gather(slope, 0)) * at(i) - 3.0 * at(i) in e * e + 0.0 * real(1 / (i - 9))
result = 0
TEXT
cat >fails.yaml <<'YAML'
program: line.df
train: {method: sgd, rate: [0.1, 30], steps: 300}
YAML
expect 1 sweep run fails.yaml
err_has 'run 2 (trapped): line.df: step '
expect 0 results csv fails.db --rows train.rate --values trained.steps
[ "$(wc -l <out)" -eq 2 ] || fail 'the one that failed is shown'
sed 's/rate: .*300/held: [1, 8, 9], steps: 3/' fails.yaml >held.yaml
expect 1 sweep run held.yaml
err_has 'run 2 (trapped): line.df: train.held: expected fewer than the 8 examples that there are, found 8'
printf 'program: line.df\ninputs.n: [8, 10, 0]\ntrain.steps: 3\n' >traps.yaml
expect 1 sweep run traps.yaml
err_has 'run 2 (trapped): line.df:5:88: division by zero in loss'
err_has 'run 3 (trapped): line.df:3:1: `examples` is 0: there is nothing to train on'
printf 'program: line.df\ntrain.epochs: 100000000\nlimits.wall: 0.2\n' >long.yaml
expect 1 sweep run long.yaml
err_has '(interrupted): limit reached: limits.wall = 0.2, after step '
printf 'program: line.df\ntrain.steps: 300\nrepeat: 2\n' >seeds.yaml
expect 0 sweep run seeds.yaml
err_has 'seeds.db: 2 runs, 2 of them new; 0 failed'

# Conflicts that no single value has.
printf 'program: line.df\ngrid: {train.method: [sgd, adam], train.momentum: [0, 0.9]}\n' >clash.yaml
expect 2 sweep run clash.yaml
err_has 'clash.yaml:2:35: error: train.momentum: expected 0, as adam keeps'
printf "where: train.method == 'sgd' or train.momentum == 0\n" >>clash.yaml
expect 0 sweep run -q clash.yaml
printf 'program: line.df\ntrain: {halve: 1}\n' >halve.yaml
expect 2 sweep run halve.yaml
err_has 'halve.yaml:2:9: error: train.halve: expected examples held out'
printf 'program: line.df\ntrain: {form: [loss, losses]}\n' >form.yaml
expect 2 sweep run form.yaml
err_has 'form.yaml:2:9: error: train.form: line has no function `losses`'
printf 'program: wrong.df\ntrain: {}\n' >wrong.yaml
printf 'param w : [1] = ones\nexamples = 2\nresult = 1\n' >wrong.df
expect 2 sweep run wrong.yaml
err_has 'wrong.df: error: training needs a function `loss(i)`'
printf 'loss(i) = reduce_sum(w) + real(i)\ncorrect(i) = i %% 2\n' >>wrong.df
expect 2 sweep run wrong.yaml
err_has '`correct(i)` says whether example i is told correctly: expected a bool'
expect 0 compile line.df -o line.image
printf 'program: line.image\ntrain: {}\n' >image.yaml
expect 2 sweep run image.yaml

exit $((failures > 0))
