#!/bin/sh
# Random calls of every sub-command, with random settings, options and files: each ends as the
# manual says, with no signal and nothing from sanitizers, and at least half of them simulate. N
# says how many there are, SEED from which they are drawn: a failure is made again with the same N
# and SEED, and ONLY=NUMBER makes one call alone. What each call prints is added to the file KEEP,
# where that is set.
# shellcheck disable=SC2034,SC2129,SC2317 # words of expect.sh; a table grows; calls are read from a file
set -u
about=
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
count=${N:-300}
[ -n "${N:-}" ] || [ -z "${HIATON_QUICK:-}" ] || count=100
seed=${SEED:-1}
examples=$SRCDIR/programs/examples

# --- files that calls name --------------------------------------------------------------
mkdir files
(
    cd files || exit 1
    for program in fib ack collatz gcd matmul mergesort power primes tak wavefront mlp lstm binomial attention; do
        cp "$examples/$program.df" .
    done
    for name in treernn.df treelstm.df parser.df spirals.df trees.txt sentences.conllu; do
        cp "$SRCDIR/programs/training/$name" .
    done
    cp "$SRCDIR/tests/data/calls"/*.df .
    "$HIATON" compile fib.df -o static.hi && "$HIATON" graph ack.df --format text -o text.dfa
    "$HIATON" compile gcd.df -o divided.hi -s partition.by=function -s partition.machines=2 --stage partitioned
    "$HIATON" compile primes.df -o expanding.hi --stage expanding
    "$HIATON" platform star --nodes 16 -o star.xml && "$HIATON" platform fattree --nodes 16 -o fattree.xml
    "$HIATON" run -q fib.df n=5 --record=run.rec --trace=run.hev --checkpoint=50 --json --stats=stats.json
    "$HIATON" run -q collatz.df n=6 -s pe.count=4 --record=other.rec --trace=other.hev
    printf 'program: fib.df\ngrid:\n  inputs.n: [3, 5]\n  pe.count: [2, 4]\n' >sweep.yaml
    printf 'program: [gcd.df, ack.df]\nstrategy: [static, expanding]\nseries: true\npe: true\nmeasure: [causes, profile]\n' >more.yaml
    printf 'base: ideal\nnetwork.latency: 3\n' >machine.yaml
    "$HIATON" sweep run -q sweep.yaml -o sweep.db && "$HIATON" sweep run -q more.yaml -o more.db --set=limits.cycles=3000
    printf 'node 0\nfib 1\n' >map.txt
    printf 'router 0 1\n' >network.txt
    head -c 300 run.rec >damaged
    head -c 900 run.hev >damaged.bad
    head -c 1500 sentences.conllu >short.conllu
    printf '\000\377garbage\n' >garbage
    : >empty.yaml
) >made 2>&1 </dev/null

# --- tables -----------------------------------------------------------------------------
# From the JSON object of `hiaton settings`: @setting KEY LEAST GREATEST CHOICES, or the kind of
# another value.
"$HIATON" settings --json | awk '
    function put() {
        if (key != "") print "@setting", key, least, most_of, kind != "" ? kind : list ? "LIST" : text ? "TEXT" : "-"
    }
    { value = $0; sub(/^[^:]*: */, "", value); sub(/,$/, "", value); gsub(/"/, "", value) }
    /"key":/ { put(); key = value; kind = ""; least = most_of = list = text = has_least = 0 }
    /"least":/ { least = value; has_least = 1 }
    /"greatest":/ { most_of = value }
    /"most":/ { if (has_least) list = 1; else text = 1 }
    /"file":/ { kind = "FILE" }
    /"choices":/ { gsub(/[][ ]/, "", value); gsub(/,/, "|", value); kind = value }
    END { put() }' >table
for name in files/*; do
    echo "@file ${name#files/}"
done >>table
for name in files/*.df; do
    awk -v name="${name#files/}" '$1 == "input" { sub(/[^a-z0-9_].*/, "", $2); print "@input", name, $2 }' "$name"
done >>table
"$HIATON" --complete analyse --only= | sed -n 's/^--only=\([a-z]*\).*/@analysis \1/p' >>table
tab=$(printf '\t')
# commands PREFIX...: those of a group, and what they say of themselves.
commands() {
    "$HIATON" --complete "$@" "" | sed -n "s,^\([a-z][a-z]*\)$tab.*,\1,p" | grep -v "^help$" >"group-$#"
    while read -r name; do
        if "$HIATON" --complete "$@" "$name" "" | grep -q "^help$tab"; then
            commands "$@" "$name"
        else
            echo "@command${*:+ $*} $name"
            "$HIATON" "$@" "$name" --help </dev/null
        fi
    done <"group-$#"
}
commands >>table
{
    echo "@command results rerun"
    "$HIATON" results rerun --help
} >>table
awk -v seed="$seed" -v count="$count" -f "$SRCDIR/tests/shell/calls.awk" table >calls

# --- calls ------------------------------------------------------------------------------
made=0
simulated=0
leaks=${ASAN_OPTIONS:-}
export ASAN_OPTIONS="$leaks"

# Calls may write over the files of others: they are made again now and then.
refresh() {
    cd "$scratch" && rm -rf work && cp -R files work && mkdir work/out && cd work || exit 1
}

# call NUMBER SIMULATES WORD...
call() {
    number=$1
    simulates=$2
    shift 2
    [ "${ONLY:-$number}" = "$number" ] || return 0
    made=$((made + 1))
    case $* in *simgrid* | *.xml*) ASAN_OPTIONS="${leaks:+$leaks:}detect_leaks=0" ;; esac # SimGrid frees not all
    timeout -k 5 "${LONGEST:-60}" "$HIATON" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    ASAN_OPTIONS=$leaks
    [ -z "${KEEP:-}" ] || { echo "== $*" && cat "$scratch/out" && sed 's/^/! /' "$scratch/err" && echo "== status $status"; } >>"$KEEP"
    # A run that crashes in a process of its own ends no sweep.
    [ "$status" -ne 1 ] || ! grep -q 'killed by signal\|ended with status\|Sanitizer' "$scratch/out" "$scratch/err" || status=crashed
    case $status in
    0 | 1 | 3 | 4) simulated=$((simulated + simulates)) ;;
    2 | 5) ;;
    *)
        failures=$((failures + 1))
        printf 'FAILED: call %s (N=%s SEED=%s), status %s: hiaton' "$number" "$count" "$seed" "$status"
        printf " '%s'" "$@"
        printf '\n'
        sed 's/^/    /' "$scratch/err" | head -n 12
        ;;
    esac
}

[ "$(grep -c '^call' calls)" -eq "$count" ] || { echo "not $count calls were drawn"; cat made; exit 1; }
# shellcheck source=/dev/null
. ./calls
cd "$scratch" || exit 1
echo "$made calls from seed $seed: $simulated simulated, $failures failed"
if [ -z "${ONLY:-}" ] && [ $((2 * simulated)) -lt "$count" ]; then
    echo "FAILED: fewer than half of the calls have simulated"
    failures=$((failures + 1))
fi
exit $((failures > 0))
