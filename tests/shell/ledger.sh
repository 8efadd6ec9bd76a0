#!/bin/sh
# The ledger of published numbers says what the program comes to: the rows of few calls are made
# again, as `make ledger` does with all. One that moves is told. HIATON is the program.
# shellcheck disable=SC2016 # backquotes are what messages have
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-.}/tests/shell/expect.sh"
LEDGER_ROWS=160000
[ -z "${HIATON_QUICK-}" ] || LEDGER_ROWS=11000
export HIATON LEDGER_ROWS

sh "$SRCDIR/doc/ledger.sh" >out 2>err || fail "a published number has moved: $(cat err)"

# A number that is another one in the ledger is found.
mkdir -p copy/doc copy/tests/data copy/doc/studies copy/programs
cp "$SRCDIR/doc/ledger.sh" copy/doc
cp "$SRCDIR"/doc/studies/*.sh "$SRCDIR"/doc/studies/table2.awk "$SRCDIR"/doc/studies/table2.settings copy/doc/studies
cp "$SRCDIR"/tests/data/table[12].csv copy/tests/data
cp -R "$SRCDIR/programs/examples" "$SRCDIR/programs/experiments" copy/programs
sed '/^| ack(3, 4), static/s/ | [0-9.]* | [-+][0-9.]* % |$/ | 9.999 | +0.0 % |/' "$SRCDIR/doc/published.md" >copy/doc/published.md
! sh copy/doc/ledger.sh >out 2>err || fail "a number that moved is not told"
err_has 'published numbers have moved'
err_has '| ack(3, 4), static'
! grep -q recursion err || fail "a number that stands is told: $(cat err)"

# So is one that moves with the settings of the machine.
sed -i 's/^executor.handoff.latency .*/executor.handoff.latency 180000/' copy/doc/studies/table2.settings
cp "$SRCDIR/doc/published.md" copy/doc
! sh copy/doc/ledger.sh >out 2>err || fail "a setting that moves a number is not told"
err_has '| recursion, training by 25'
! grep -q 'steps, swapping\|sentences over' err || fail "a number that stands is told: $(cat err)"

# And those of the other papers.
cp "$SRCDIR"/doc/studies/table2.settings copy/doc/studies
sed -i 's/memory.capacity=2400000/memory.capacity=700000/' copy/doc/studies/swapping.sh
sed -i 's/unit.tensor.flops=4096/unit.tensor.flops=2048/' copy/doc/studies/stack-lstm-step.sh
sed -i 's/^inputs.work: .*/inputs.work: 40/' copy/programs/experiments/distributed-bounds.full.yaml
! sh copy/doc/ledger.sh >out 2>err || fail "a setting that moves a number is not told"
err_has '| 200 steps, swapping disabled | predicted | 5.78 | 0.995 | store full |'
err_has '| iterations per second'
err_has '| 64 sentences over one (Ding'
err_has '| work in parallel at 64'
! grep -q recursion err || fail "a number that stands is told: $(cat err)"

exit $((failures > 0))
