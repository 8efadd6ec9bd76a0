#!/bin/sh
# A program with types of data through everything that looks at runs: divided programs, recordings,
# replay, costs, causes, flame graphs, diagnostics. The texts are those of tests/data/data; with
# UPDATE_GOLDEN=1 they are written. HIATON is the program.
# shellcheck disable=SC2016 # backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
golden=$(cd "$SRCDIR" && pwd)/tests/data/data
cp "$golden"/*.df .
chmod u+w ./*.df

# golden NAME: standard output is that text.
golden() {
    [ -z "${UPDATE_GOLDEN-}" ] || cp out "$golden/$1"
    same "$golden/$1" out
}

# digests FILE: what does not depend on the machine, of a run in JSON.
digests() { grep -E '^  "(result|value_digest|firings|calls|loop_iterations)":' "$1"; }

set -- -s pe.count=4 -s network.topology=ring
expect 0 run "$@" tree.df
golden run.txt
expect 0 run --json "$@" tree.df
cp out whole.json
digests whole.json >whole
for way in function random metis; do
    for receive in match scheduled; do
        expect 0 run --json "$@" tree.df -s partition.by=$way -s partition.machines=2 \
            -s partition.receive=$receive -s deadness=propagate
        digests out >divided
        same whole divided
    done
done
for options in '-m ideal' '-m tf-executor' '-s deadness=propagate' '-s pe.count=64' \
    '-s match.store=hash -s match.capacity=8 -s match.overflow.latency=9' '-s memory.capacity=4096' \
    '-s structure.placement=interleaved' '-s loop.bound=1'; do
    # shellcheck disable=SC2086 # words
    expect 0 run --json $options tree.df
    digests out >other
    same whole other
done

# --- recordings --------------------------------------------------------------------------------

expect 0 run -q "$@" --record=tree.rec --checkpoint=100 tree.df
expect 0 replay tree.rec
golden replay.txt
expect 0 run --json --from=tree.rec@300
digests out >resumed
same whole resumed
expect 0 trace text tree.rec --cycles=100..104
golden trace.txt

# --- costs, causes, flames --------------------------------------------------------------------

for by in function line opcode; do
    expect 0 run "$@" --by=$by tree.df
    golden by_$by.txt
done
expect 0 analyse --causes "$@" tree.df
golden causes.txt
expect 0 analyse --causes --by=line "$@" tree.df
golden causes_by_line.txt
expect 0 trace export tree.rec --to collapsed -o flames.txt
cp flames.txt out
golden flames.txt
expect 0 report "$@" tree.df -o report.html
grep -q 'class="flame"' report.html || fail 'no flame graph in the report'
# --- diagnostics of runs ----------------------------------------------------------------------

expect 3 run -q wrong.df
err_has 'wrong.df:4:15: error: data of another constructor (field `key` of `Node`, found `Leaf`)'
exit $((failures > 0))
