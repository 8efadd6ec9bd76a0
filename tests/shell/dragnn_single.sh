#!/bin/sh
# DRAGNN in one graph: every machine, both strategies and every bound of the loop over sentences
# come to the same tags, transitions and scores, which are those of each sentence alone. A greater
# bound takes fewer cycles and more live tokens. The components learn; params come back from files;
# training that was killed goes on to the same bits.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
mkdir programs
cp -r "$SRCDIR/programs/dragnn" "$SRCDIR/programs/training" programs
chmod -R u+w programs
cd programs/dragnn || exit 1
small='d=4 m=8 -s tensor.math=reference'

# --- the same on every machine -------------------------------------------------

golden='(46, 4, 12, 524910737, -100.9952960302755)'
many='first=0 every=1 count=6'
# shellcheck disable=SC2086 # words
{
    expect 0 interp -q single.df $many $small
    out_is "$golden"
    for machine in pe.count=1 pe.count=64 executor.workers=4 tensor.transport=reference tensor.batch.until=idle \
        unit.tensor.latency=100 structure.placement=interleaved loop.bound=1; do
        expect 0 run -q single.df $many $small -s $machine
        out_is "$golden"
    done
    expect 0 run -q --strategy expanding single.df $many $small
    out_is "$golden"
}

# What a sentence comes to does not depend on the others.
for sentence in 0 1 2 3 4 5; do
    # shellcheck disable=SC2086
    expect 0 interp -q single.df first=$sentence count=1 $small
    cat out
done >alone
tr -d '(,)' <alone | awk '{ words += $1; tags += $2; heads += $3; moves += $4; score += $5 }
    END { printf "(%d, %d, %d, %d, %.10f)\n", words, tags, heads, moves % 2147483647, score }' >sums
echo "$golden" | tr -d '(,)' | awk '{ printf "(%d, %d, %d, %d, %.10f)\n", $1, $2, $3, $4, $5 }' >whole
same sums whole

# --- the pool ------------------------------------------------------------------

for bound in 1 2 4 8; do
    # shellcheck disable=SC2086
    expect 0 run --json single.df first=0 every=1 count=8 $small -s loop.bound=$bound
    awk -F '[: ,]+' '/^  "(cycles|peak_live_tokens)"/ { printf "%s ", $3 } END { print "" }' out
done >pools
awk 'NR > 1 && ($1 >= cycles || $2 <= tokens) { exit 1 } { cycles = $1; tokens = $2 }' pools ||
    fail "a greater bound gains no cycles, or takes no more tokens: $(tr '\n' ';' <pools)"

# --- training ------------------------------------------------------------------

settings='d=8 m=16 -s tensor.math=reference'
learn="--rate 0.02 --batch 4 --held 4 --clip 5 --every 3 --epochs 16"
# shellcheck disable=SC2086
expect 0 train -q single.df $settings $learn -o calm
sed 's|^param \([a-z]*\) : .*|\1 = file("calm/\1.npy")|' single.df >trained.df
# shellcheck disable=SC2086
expect 0 interp -q trained.df $settings
cp out trained
# shellcheck disable=SC2086
expect 0 run -q trained.df $settings -s pe.count=4
same out trained
tr -d '(,)' <trained | awk '{ exit !($1 == 45 && $2 >= 40 && $3 >= 36) }' ||
    fail "the components did not learn: $(cat trained)"

# Killed once its first checkpoint is there.
# shellcheck disable=SC2086
"$HIATON" train -q single.df $settings $learn -o hunted >out 2>err &
hunted=$!
while [ ! -e hunted/training.checkpoint ] && kill -0 $hunted 2>/dev/null; do sleep 0.05; done
kill -KILL $hunted || fail 'training was over before it was killed'
wait $hunted 2>/dev/null
[ ! -e hunted/e.npy ] || fail 'training was whole before it was killed'
# shellcheck disable=SC2086
expect 0 train -q single.df $settings $learn -o hunted --resume --threads 1
for file in calm/*.npy calm/*.csv; do same "$file" "hunted/${file##*/}"; done

# --- what is shared ------------------------------------------------------------

# network NAME FILE: the network of a component, which the program of a host has too, byte by byte;
# there params come from files.
network() { sed -n "/^-- $1 {/,/^-- } $1/p" "$2" | sed 's|^param \([a-z]*\) : .*|\1 = file("\1.npy")|'; }
for name in tagger parser; do
    network $name single.df >"$name.network"
    [ "$(wc -l <"$name.network")" -ge 8 ] || fail "single.df has no network of the $name"
    for program in *.df; do
        case $program in single.df | trained.df) continue ;; esac
        grep -q "^-- $name {" "$program" || continue
        network $name "$program" >"$program.network"
        same "$program.network" "$name.network"
    done
done
exit $((failures > 0))
