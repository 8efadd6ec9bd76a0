#!/bin/sh
# Function units that are counted, and the bandwidths of matching and of overflow stores: what they
# cost, what a recording, a checkpoint, the causes and the bounds of such a run say, and what cannot
# be combined with them.
set -eu

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$temp"
failed=0
fib=$SRCDIR/programs/examples/fib.df

fail() {
    echo "$*"
    failed=1
}

# count KEY SETTING...: a statistic of fib on a machine.
count() {
    key=$1
    shift
    args=
    for setting; do args="$args -s $setting"; done
    # shellcheck disable=SC2086 # several arguments
    "$HIATON" run --json $args "$fib" n=13 | sed -n "s/^  \"$key\": \([0-9]*\),*$/\1/p"
}

# check WHAT CONDITION
check() {
    what=$1
    shift
    test "$@" || fail "$what: $*"
}

# Matching that takes one token in a cycle is what one PE waits for; with two it takes half as long.
one=$(count cycles pe.count=1 match.bandwidth=1 pe.units=2)
two=$(count cycles pe.count=1 match.bandwidth=2 pe.units=2)
turns=$(count turns pe.count=1 match.bandwidth=1 pe.units=2)
check "each turn takes a cycle of matching" "$one" -ge "$turns"
check "half the bandwidth takes twice as long" "$((two * 2))" -le "$((one + one / 20))"
check "half the bandwidth takes twice as long" "$((two * 2))" -ge "$((one - one / 20))"

# Units are busy for their intervals.
set -- pe.count=2 unit.alu.count=1 unit.alu.interval=20
cycles=$(count cycles "$@")
busy=$(count unit_busy_cycles "$@")
check "two units take that long" "$((cycles + 20))" -ge "$((busy / 2))"
check "they are occupied nearly always" "$((busy * 10))" -ge "$((cycles * 2 * 8))"

# A bank begins one access in a cycle.
set -- pe.count=1 match.store=hash match.capacity=16
free=$(count cycles "$@")
accesses=$(count overflow_accesses "$@" match.overflow.bandwidth=1)
slow=$(count cycles "$@" match.overflow.bandwidth=1)
check "without a bandwidth nothing counts" "$(count overflow_accesses "$@")" -eq 0
check "operands are put into the store and found there" \
    "$accesses" -ge "$(count match_overflows "$@" match.overflow.bandwidth=1)"
check "a run takes as long as its accesses" "$slow" -ge "$((accesses - 1))"
check "or as long as without" "$slow" -ge "$free"
check "banks share them" "$(count cycles "$@" match.overflow.bandwidth=1 match.overflow.banks=8)" \
    -le "$slow"

# Results do not depend on it; causes add up to the cycles; bounds are below; replays are equal.
settings="-s pe.count=3 -s unit.alu.count=1 -s unit.alu.interval=9 -s issue.capacity=4"
settings="$settings -s match.store=hash -s match.capacity=16 -s match.overflow.bandwidth=1"
for discipline in fifo lifo; do
    # shellcheck disable=SC2086 # several arguments
    set -- $settings -s issue.discipline=$discipline
    [ "$("$HIATON" run -q "$@" "$fib" n=10)" = "$("$HIATON" run -q "$fib" n=10)" ] ||
        fail "another result"
    "$HIATON" run -q --record=run.rec "$@" "$fib" n=10 >/dev/null
    "$HIATON" replay run.rec >out 2>&1 || { fail "the replay differs"; cat out; }
    "$HIATON" analyse --causes --json run.rec >causes
    grep -q '"unit"' causes || fail "no cause says that units are waited for"
    "$HIATON" analyse --bounds --json run.rec >bounds
    grep -q '"counted_units"' bounds || fail "no bound by units"
done

# What leaves an issue queue needs room in finite queues.
set -- pe.count=3 unit.alu.count=1 unit.alu.interval=2 network.capacity=4
free=$(count cycles "$@")
stalls=$(count queue_stalls "$@" queue.capacity=200)
check "queues stall units" "$stalls" -gt 0
check "a queue that is never full costs nothing" "$(count cycles "$@" queue.capacity=1000000)" -eq "$free"
"$HIATON" run -q --record=run.rec $(printf -- '-s %s ' "$@" queue.capacity=200) "$fib" n=13 >/dev/null
"$HIATON" analyse --causes --json run.rec | grep -q '"back_pressure"' || fail "no cause is room"

# Nodes that count messages know that tokens before units are work; a node that stops issues nothing.
set -- unit.alu.count=1 unit.alu.interval=5 cluster.nodes=4 cluster.pes_per_node=2 network.topology=ring
free=$(count cycles "$@")
check "the end is known later" "$(count cycles "$@" cluster.termination=counted)" -gt "$free"
check "a stop takes its time" "$(count cycles "$@" fault.stop.start=50 fault.stop.cycles=100000)" -gt 100000

# refused WORD SETTING...: what does not fit is named.
refused() {
    word=$1
    shift
    args=
    for setting; do args="$args -s $setting"; done
    status=0
    # shellcheck disable=SC2086 # several arguments
    "$HIATON" run $args "$fib" n=3 >out 2>&1 || status=$?
    [ $status -eq 2 ] || fail "status $status: $*"
    grep -q -- "$word" out || { fail "$word is not named: $*"; cat out; }
}
refused memory.capacity match.bandwidth=1 memory.capacity=1000
refused tensor.unit.count unit.tensor.count=1 tensor.unit.count=1
exit $failed
