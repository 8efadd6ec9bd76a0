# A step of training of a stack LSTM (doc/studies/stack-lstm.md); read by scripts with `.', which set hiaton, the program to
# run, and experiments, the folder programs/experiments.
# shellcheck shell=sh disable=SC2154 # they set these

# cycles FORM COUNT LAUNCH [OPTION...]: prints the cycles of the step on the machine of the experiments.
cycles() {
    form=$1 count=$2 launch=$3
    shift 3
    "$hiaton" run --json "$experiments/stack-lstm-steps.df" form="$form" count="$count" training=1 -s pe.count=16 -s pe.units=4 \
        -s unit.tensor.flops=4096 -s unit.tensor.bytes=512 -s unit.tensor.launch="$launch" -s tensor.unit.count=4 \
        -s tensor.unit.of=node -s tensor.math=reference -s tensor.batch.until=idle -s grad.mode=paired "$@" 2>/dev/null |
        sed -n 's/^  "cycles": \([0-9]*\),/\1/p'
}
