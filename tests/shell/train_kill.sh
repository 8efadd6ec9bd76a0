#!/bin/sh
# Training that is killed, again and again, wherever it is, and goes on each time, comes to the
# params and losses that nothing has disturbed, to the last bit: with what adam, momentum and a rate
# that is halved remember. One that is interrupted leaves a checkpoint. HIATON is the program.
set -u
about=train
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-.}/tests/shell/expect.sh"
cp "$SRCDIR"/programs/training/* .
chmod u+w ./*
kills=10
epochs=60
[ -z "${HIATON_QUICK-}" ] || { kills=3; epochs=10; }
program=treernn.df
how="--epochs $epochs --batch 5 --held 4 --every 3 --seed 7"

# Moments are drawn, always the same, but what a process has done by then is not: some die while
# they compile, others after many steps, and some while they write.
random=20261123

# hunt NAME ARGUMENT...: trains without disturbance, and killed.
hunt() {
    name=$1
    shift
    killed=0
    round=0
    start=$(date +%s%N)
    # shellcheck disable=SC2086 # words
    expect 0 -q $program $how "$@" -o "calm-$name"
    milliseconds=$((($(date +%s%N) - start) / 1000000))
    while [ $round -lt $kills ]; do
        round=$((round + 1))
        random=$(((random * 1103515245 + 12345) % 2147483648))
        # shellcheck disable=SC2086
        "$HIATON" train -q $program $how "$@" -o "hunted-$name" --resume --threads $((1 + round % 2)) >out 2>err &
        hunted=$!
        sleep "$(awk "BEGIN { print ($random % 1000) / 1000 * $milliseconds / 2500 }")"
        if kill -KILL $hunted 2>/dev/null; then
            wait $hunted 2>/dev/null
            [ $? -eq 137 ] && killed=$((killed + 1))
        else
            wait $hunted || fail "training failed by itself"
        fi
        # A whole one begins anew, so that each kill has something to hit.
        [ ! -e "hunted-$name/steps.csv" ] || mv "hunted-$name" "whole-$name-$round"
    done
    # shellcheck disable=SC2086
    expect 0 -q $program $how "$@" -o "hunted-$name" --resume
    for folder in "hunted-$name" whole-"$name"-*; do
        [ -d "$folder" ] || continue
        for file in "calm-$name"/*.csv "calm-$name"/*.npy; do same "$file" "$folder/${file##*/}"; done
    done
    [ "$killed" -gt 0 ] || fail "nothing was killed"
    echo "$name: $killed of $kills killed"
}
hunt adam --decay 0.01 --rate 0.05 --halve 1
hunt sgd --method sgd --momentum 0.9 --decay 0.01 --clip 1 --warmup 10 --rate 0.3 --halve 1
program=spirals.df
hunt batches --rate 0.1 --halve 1
# What is dropped depends on the number of the step.
program=parser.df
kept=$how
how="--epochs $((epochs / 5)) --batch 4 --held 4 --every 3 --seed 7"
hunt parser d=8 m=8 --rate 0.01 --clip 5 --warmup 10 --halve 1
program=spirals.df
how=$kept

# What a checkpoint has to keep has had an effect.
for name in adam sgd; do
    [ "$(cut -d, -f6 "calm-$name/epochs.csv" | sort -u | wc -l)" -gt 2 ] || fail "$name: the rate was never halved"
done

# Interrupted: it says after which step, and goes on.
# shellcheck disable=SC2086
"$HIATON" train -q $program $how -o stopped --epochs 100000 >out 2>err &
stopped=$!
while [ ! -e stopped/training.checkpoint ] && kill -0 $stopped 2>/dev/null; do sleep 0.05; done
kill -INT $stopped
wait $stopped
[ $? -eq 130 ] || fail "an interrupted training has another status"
err_has '; --resume goes on'
# shellcheck disable=SC2086
expect 0 -q $program $how -o stopped --resume --steps 5

exit $((failures > 0))
