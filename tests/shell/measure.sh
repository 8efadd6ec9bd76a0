#!/bin/sh
# What analyses find is a column of results: `measure' of an experiment. It is what hiaton analyse finds
# of the same run, part of the identity of a run, and found again.
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
