#!/bin/sh
# The functions of table 1 in Kostopoulou, Charalambidis, Rondogiannis, "Recursive Function Definitions in Static
# Dataflow Graphs and their Implementation in TensorFlow" (2024), on the default machine: what they compute, in how
# many cycles, with how much parallelism and communication, one row of the paper each; and how far the paper's
# seconds are from those of the machine that models its system.
#   programs/table1.sh HIATON
set -eu

hiaton=${1:?usage: programs/table1.sh HIATON}
examples=$(dirname "$0")/examples
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# value KEY: of the JSON object in $temp/stats
value() {
    sed -n "s/^ *\"$1\": \"*\\([^\",]*\\)\"*,*\$/\\1/p" "$temp/stats" | head -n 1
}

cat <<'TEXT'
The functions of table 1 in Kostopoulou, Charalambidis, Rondogiannis, "Recursive Function
Definitions in Static Dataflow Graphs and their Implementation in TensorFlow" (arXiv 2410.20225,
2024), on 16 PEs with a crossbar (machine `default')
TEXT
echo
printf '%-16s %8s %9s %10s %11s %9s %12s %8s\n' \
    program result calls firings cycles parallel. utilisation network
while read -r program inputs; do
    # shellcheck disable=SC2086 # inputs are words
    "$hiaton" run -q --stats "$temp/stats" "$examples/$program.df" $inputs >"$temp/out"
    arguments=$(echo "$inputs" | sed 's/[a-z]*=//g; s/ /,/g')
    awk -v name="$program($arguments)" -v result="$(value result)" -v calls="$(value calls)" \
        -v firings="$(value firings)" -v cycles="$(value cycles)" \
        -v parallelism="$(value parallelism)" -v used="$(value utilisation)" \
        -v network="$(value network_tokens)" -v tokens="$(value tokens)" '
        BEGIN {
            printf "%-16s %8s %9s %10s %11s %9.1f %11.1f%% %7.1f%%\n", name, result,
                   calls, firings, cycles, parallelism, 100 * used,
                   100 * network / tokens
        }'
done <<'ROWS'
fib n=24
ack m=3 n=5
tak x=24 y=16 z=8
primes n=7500
ROWS
cat <<'TEXT'

parallel.    firings / critical path: how many instructions could run at once
utilisation  how much of the 16 function units was used
network      tokens that left their PE

The paper publishes seconds in TensorFlow. Machine `tf-executor' was calibrated on six of the
paper's times, those of fib(26), ack(3,5) and primes(7500); the others it predicts:

TEXT
printf '%-16s %10s %10s %8s %12s %10s %8s\n' program 'static, s' here error 'dynamic, s' here error
# seconds STRATEGY: of the program and inputs of the row; a cycle of this machine is a nanosecond
seconds() {
    # shellcheck disable=SC2086 # inputs are words
    "$hiaton" run -q -m tf-executor --strategy "$1" --stats "$temp/stats" "$examples/$program.df" $inputs >"$temp/out"
    value cycles
}
while read -r static dynamic program inputs; do
    arguments=$(echo "$inputs" | sed 's/[a-z]*=//g; s/ /,/g')
    echo "$program($arguments) $static $(seconds static) $dynamic $(seconds expanding)" | awk '
        {
            printf "%-16s %10.3f %10.3f %+7.1f%% %12.3f %10.3f %+7.1f%%\n", $1,
                   $2, $3 / 1e9, 100 * ($3 / 1e9 / $2 - 1), $4, $5 / 1e9, 100 * ($5 / 1e9 / $4 - 1)
        }'
done <<'ROWS'
0.812 0.990 fib n=24
1.511 2.095 ack m=3 n=5
18.881 16.075 tak x=24 y=16 z=8
13.502 13.458 primes n=7500
ROWS
echo
echo 'doc/published.md compares all rows of the table.'
