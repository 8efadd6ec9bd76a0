#!/bin/sh
# What analyses find is a column of results: `measure' of an experiment. It is what hiaton analyse
# finds of the same run, part of the identity of a run, and found again.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cp "$SRCDIR/programs/examples/fib.df" .
cat >plain.yaml <<'TEXT'
program: fib.df
machine: [default, tf-executor]
grid: {inputs.n: [4, 7]}
settings: {pe.count: 4}
TEXT
{
    cat plain.yaml
    cat <<'TEXT'
measure: [tags, traffic, state]
tables:
  - {name: t, rows: [machine, inputs.n], values: [tags.made, traffic.network_share]}
figures:
  - {name: f, kind: bars, x: inputs.n, y: state.peak_live_tokens, by: machine}
TEXT
} >measured.yaml
expect 0 sweep run -q plain.yaml
expect 0 sweep run -q measured.yaml --jobs=2
expect 0 results csv measured.db --rows=machine,inputs.n --values=tags.made,traffic.network_tokens,state.mean_waiting
cp out rows

# each number is that of hiaton analyse
sed 1d rows | while IFS=, read -r machine n made network waiting; do
    "$HIATON" analyse --json --only=tags,traffic,state -m "$machine" -s pe.count=4 fib.df n="$n" >found
    for pair in "made $made" "network_tokens $network" "mean_waiting $waiting"; do
        grep -qE "\"${pair% *}\": ${pair#* }(\\.0)?,?\$" found || echo "$machine n=$n: $pair"
    done
done >wrong
[ -s wrong ] && fail "$(cat wrong)"
[ "$(sed 1d rows | wc -l)" -eq 4 ] || fail 'rows are missing'

# all numbers of an analysis; a table and a figure of them
expect 0 results csv measured.db
head -n 1 out | tr , '\n' | grep -cE '^(tags|traffic|state)\.' >count
[ "$(cat count)" -ge 18 ] || fail "only $(cat count) columns"
expect 0 results show measured.db t
out_has 'traffic.network_share'

# part of the identity, and of nothing else
for name in plain measured; do
    expect 0 results csv $name.db --rows=machine,inputs.n,identity --values=cycles
    cut -d, -f 1,2,4 out >$name.rest
    cut -d, -f 3 out | sed 1d | sort >$name.ids
done
same plain.rest measured.rest
[ -z "$(comm -12 plain.ids measured.ids)" ] || fail 'a run that is measured is the run that is not'

# found again; a number that was changed is noticed
expect 0 results rerun measured.db --all
out_is '4 of 4 rows hold'
if command -v sqlite3 >where; then
    sqlite3 measured.db 'UPDATE runs SET "tags.made" = "tags.made" + 1 WHERE id = 1'
    "$HIATON" results rerun measured.db --all >out 2>err && fail 'a change was not noticed'
    out_has 'tags.made'
fi

# with events of each run in files too
rm measured.db
expect 0 sweep run -q measured.yaml --trace
expect 0 results csv measured.db --rows=machine,inputs.n --values=tags.made,traffic.network_tokens,state.mean_waiting
same rows out

# The cycles of a run by cause: all causes, of each run the same as hiaton analyse finds, and cycles
# in sum.
{
    cat plain.yaml
    cat <<'TEXT'
measure: [causes, tags]
tables:
  - {name: t, rows: [machine, inputs.n], values: [cycles, causes.link]}
figures:
  - {name: f, kind: stacked, x: inputs.n, y: [causes.issue_slot, causes.lock], panels: machine}
TEXT
} >causes.yaml
expect 0 sweep run -q causes.yaml --jobs=2
causes=$("$HIATON" analyse --json --causes fib.df n=2 |
    sed -n '/^  "causes": {/,/^  }/s/^    "\(.*\)": .*/causes.\1/p' | paste -sd, -)
expect 0 results csv causes.db --rows=machine,inputs.n --values="cycles,tags.made,$causes"
cp out of_causes
sed 1d of_causes | awk -F, '
    { sum = 0; for (i = 5; i <= NF; i++) sum += $i }
    $3 == 0 || sum != $3 || NF < 30 { print }' >wrong
[ -s wrong ] && fail "causes do not add up: $(cat wrong)"
[ "$(sed 1d of_causes | wc -l)" -eq 4 ] || fail 'rows are missing'
sed 1d of_causes | while IFS=, read -r machine n rest; do
    "$HIATON" analyse --json --causes -m "$machine" -s pe.count=4 fib.df n="$n" |
        sed -n '/^  "causes": {/,/^  }/s/^    .*: \([0-9]*\),*$/\1/p' | paste -sd, - >found
    [ "${rest#*,*,}" = "$(cat found)" ] || echo "$machine n=$n: $rest"
done >wrong
[ -s wrong ] && fail "not those of hiaton analyse: $(cat wrong)"
expect 0 results csv causes.db --rows=machine,inputs.n,identity --values=cycles
cut -d, -f 1,2,4 out >causes.rest
cut -d, -f 3 out | sed 1d | sort >causes.ids
same plain.rest causes.rest
[ -z "$(sort plain.ids measured.ids | comm -12 - causes.ids)" ] || fail 'an identity without its causes'
expect 0 results show causes.db t
out_has 'causes.link'
expect 0 results plot causes.db f -o f.svg
expect 0 results rerun causes.db --all
out_is '4 of 4 rows hold'
if command -v sqlite3 >where; then
    cp causes.db changed.db
    sqlite3 changed.db 'UPDATE runs SET "causes.link" = "causes.link" + 1 WHERE id = 1'
    "$HIATON" results rerun changed.db --all >out 2>err && fail 'a change was not noticed'
    out_has 'causes.link'
fi

# Of a program that is divided, too: what is found names SENDs and RECVs.
cat >divided.yaml <<'TEXT'
program: fib.df
inputs: {n: 5}
settings: {pe.count: 4, partition.by: random}
grid: {partition.machines: [2, 4]}
measure: [causes, traffic]
TEXT
expect 0 sweep run -q divided.yaml
expect 0 results csv divided.db --rows=partition.machines --values="cycles,tokens,$causes"
sed 1d out | awk -F, '
    { sum = 0; for (i = 4; i <= NF; i++) sum += $i }
    sum != $2 || NF < 30 { print }' >wrong
[ -s wrong ] && fail "causes do not add up: $(cat wrong)"
expect 0 results rerun divided.db --all
out_is '2 of 2 rows hold'

# in shards, which are one afterwards
for shard in 1 2; do
    expect 0 sweep run -q causes.yaml --shard $shard/2 -o part$shard.db
done
expect 0 sweep merge -o all.db part1.db part2.db
expect 0 results csv all.db --rows=machine,inputs.n --values="cycles,tags.made,$causes"
same of_causes out

# a run whose causes take too long is interrupted as a whole
cat >long.yaml <<'TEXT'
program: fib.df
inputs.n: 19
settings: {pe.count: 4}
measure: causes
limits.wall: 0.001
TEXT
"$HIATON" sweep run -q long.yaml --csv=long.csv >out 2>err
grep -q ',interrupted,.*limit reached: limits.wall = 0.001, while its causes were followed' long.csv ||
    fail "it went on: $(sed 1d long.csv)"

# on networks of finite buffers, too
cat >buffers.yaml <<'TEXT'
program: fib.df
settings: {pe.count: 4, network.topology: mesh}
grid: {network.capacity: [0, 1, 8], inputs.n: [7]}
measure: [tags, causes]
TEXT
expect 0 sweep run -q buffers.yaml

# mistakes
wrong() {
    { cat plain.yaml; printf '%s\n' "$2"; } >wrong.yaml
    expect 2 sweep list wrong.yaml
    err_has "$1"
}
# shellcheck disable=SC2016 # backquotes of messages
{
wrong 'wrong.yaml:5:16: error: measure: expected one of' 'measure: [tags,trafic]'
wrong 'did you mean `traffic`?' 'measure: [tags,trafic]'
wrong '`tags` is there twice' 'measure: [tags, tags]'
wrong '`lines` finds tables alone' 'measure: lines'
wrong 'measure: an analysis is of a whole run, not of a part: leave out `window`' 'measure: tags
window: 0..10'
}

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
