#!/bin/sh
# One PE of many did all the work: run, compare and sweeps say so, and which setting made it so;
# and nothing else is said to be so. hiaton compare --placement shows both.
# shellcheck disable=SC2016,SC1003 # backquotes are what messages have
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cat >fib.df <<'TEXT'
input n = 8
result = fib(n)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >loop.df <<'TEXT'
input n = 40
result = loop i = 0, s = 0 while i < n do i + 1, s + i * i return s
TEXT
cat >chain.df <<'TEXT'
input n = 30
result = f(n)
f(n) = if n < 2 then 1 else n % 3 + f(n - 1)
TEXT
caller='-s copy.placement=caller'
why='1 of 16 PEs did all the work, 67 calls and iterations (copy.placement=caller'

# --- run -------------------------------------------------------------------------

# By default copies are placed as activations are.
expect 0 run --strategy=expanding --json fib.df
silent
grep -q '^  "working_pes": 16,$' out || fail "not all PEs work"
grep -q '^  "settings": {},$' out || fail "placed is not the default"
# shellcheck disable=SC2086 # words
{
    expect 0 run --strategy=expanding $caller fib.df
    err_has "hiaton run: warning: $why"
    expect 0 run --strategy=expanding $caller --json fib.df
    err_has "$why"
    grep -q '^  "working_pes": 1,$' out || fail "more than one PE works"
    expect 0 run -q --strategy=expanding $caller fib.df
    silent
    # Nothing to share: few calls, one PE, no calls; static; workers of one queue.
    expect 0 run --strategy=expanding $caller fib.df n=3
    silent
    expect 0 run --strategy=expanding $caller -s pe.count=1 fib.df
    ! grep -qF "$why" err || fail "a warning of idle PEs where there is one"
    err_has 'copy.placement has no effect with pe.count=1'
    expect 0 run --strategy=expanding $caller loop.df
    silent
    expect 0 run $caller fib.df
    ! grep -qF "$why" err || fail "a warning of idle PEs where nothing is copied"
    err_has 'copy.placement has no effect with --strategy=static'
    expect 0 run --strategy=expanding $caller -s executor.workers=4 --json chain.df
    ! grep -qF "$why" err || fail "a warning of idle PEs where there are workers"
    err_has 'copy.placement has no effect with executor.workers=4'
    grep -q '^  "working_pes": 1,$' out || fail "more than one worker works"
}

# --- a sweep ---------------------------------------------------------------------

cat >placement.yaml <<'TEXT'
program: fib.df
strategy: [static, expanding]
inputs.n: [3, 8, 9]
settings.copy.placement: [caller, placed]
TEXT
expect 0 sweep run placement.yaml
err_has "warning: 2 runs used one PE of many; run 9: $why"
# Also of results that are there.
expect 0 sweep run placement.yaml --csv placement.csv
err_has '12 runs, 0 of them new'
err_has '2 runs used one PE of many'
expect 0 sweep run -q placement.yaml
silent
sed '/copy.placement/d' placement.yaml >default.yaml
expect 0 sweep run default.yaml
grep -q 'one PE of many' err && fail "by default one PE works"
# Each can be found.
expect 0 results show placement.db --rows strategy,copy.placement,inputs.n --values working_pes \
    --where "working_pes == 1 and inputs.n > 3"
[ "$(grep -c '^expanding *caller *8 ' out) $(grep -c '^ *9 ' out) $(wc -l <out)" = '1 1 3' ] || fail "not those two"

# --- both placements ----------------------------------------------------------------

about='compare'
shown='--columns cycles,speedup,calls'
# shellcheck disable=SC2086 # words
{
    expect 0 fib.df $shown
    silent
    expect 0 fib.df $shown $caller
    err_has "hiaton compare: warning: expanding: $why"
    expect 0 fib.df n=8,9,3,10 --placement=caller $shown
    err_has "warning: n=8: expanding: $why"
    err_has 'and so in 2 more runs'
    expect 0 fib.df n=8 --placement=caller $shown -q
    cp out by_option
    expect 0 fib.df n=8 $caller $shown -q
    same out by_option
    expect 0 fib.df n=8 $caller --placement=placed $shown
    silent
    cp out placed
    expect 0 fib.df n=8 $shown
    same out placed
    expect 0 fib.df n=8 --placement=both $shown
    err_has "warning: n=8: expanding, caller: $why"
    shows <<'TEXT'
n  strategy           result  cycles  speedup %  calls
8  static                 21     340                67
8  expanding, caller      21     717      52.58     67
8  expanding, placed      21     425      20.00     67

speedup: copying keeps no worker busy (copy.workers=0), so that a copy delays its own call only;
-s copy.workers=16 has one worker for each PE

n=8: static takes 20.00 % fewer cycles than expanding, placed: 340 instead of 425
  firings  static 502; expanding, placed 502; critical path of 63 and 63
  copies   expanding, placed makes 67, of 670 nodes in all; the graph of static has 14
  tokens   static 668 (67 control tokens of calls); expanding, placed 601; per PE 42 and 38
  opcodes  static has +67 merge, +67 call, +67 return, -67 param, -67 apply, -67 result
  causes   expanding, placed has +88 copy, -7 issue_slot, -4 port, +4 link, +4 others
TEXT
    expect 0 -q fib.df n=8 --placement=both $shown --csv
    silent
    shows <<'TEXT'
inputs.n,result,static.status,expanding.caller.status,expanding.placed.status,static.cycles,expanding.caller.cycles,expanding.placed.cycles,speedup.caller,speedup.placed,calls
8,"21",completed,completed,completed,340,717,425,52.58019525801953,20.0,67
TEXT
    expect 0 -q fib.df n=8 --placement=both $shown --latex
    grep -qF '8 & 21 & 67 & 340 & 717 & 425 &  & 52.58 & 20.00 \\' out || fail "another row"
    expect 0 -q fib.df n=8 --placement=both --json
    grep -q '^        "caller": {$' out || fail "no object of caller"
    grep -q '^        "placed": 20.0$' out || fail "no speedup of placed"
    [ "$(grep -c '"cycles":' out)" -eq 3 ] || fail "not three sides"
    expect 4 fib.df n=8,9 --placement=both $shown -s copy.capacity=60
    err_has 'n=8: expanding, caller (store_full): fib.df: store full'
    grep -q '^8  *expanding, placed  *21 ' out || fail "placed has no result"
}
expect 2 fib.df --placement=here
err_has '--placement: expected caller, placed or both, found `here`'

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
