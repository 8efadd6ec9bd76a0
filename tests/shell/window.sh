#!/bin/sh
# Parts of runs and energies, as users ask for them: `hiaton run --window` and `--energy`, the same
# in machine files and in experiments. HIATON is the program. tests/unit/sim/window.c has the
# numbers.
# shellcheck disable=SC2016,SC2046 # backquotes are those of messages; words
# shellcheck disable=SC2086 # inputs are words
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
cp "$SRCDIR"/programs/examples/fib.df "$SRCDIR"/programs/examples/matmul.df .

# value KEY: of the object in out
value() { sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p" out; }

# --- hiaton run --window -------------------------------------------------------

expect 0 run fib.df n=6
cp out whole
expect 0 run fib.df n=6 --window=100..200
sed -n 1p whole >result
sed -n 1p out | cmp -s - result || fail "the result is not that of the run"
grep -q '^  window  *100\.\.200  cycles, of 251 in all$' out || fail "no window"
grep -q '^  cycles  *100$' out || fail "not 100 cycles"
! grep -q '^  span ' out || fail "a part has a span"

# Over the end, and the whole: only what is no part's differs.
expect 0 run fib.df n=6 --window=0..
grep -vE '^  (window|span|parallelism) ' out >part
grep -vE '^  (span|parallelism) ' whole | cmp -s - part || fail "the part 0.. is not the run"
expect 0 run fib.df n=6 --window=..99999
grep -vE '^  (window|span|parallelism) ' out | cmp -s - part || fail "..99999 is not the run"

# Statistics by what the table says of them; those that are null are null in all forms.
expect 0 settings --statistics --json
nulls=$(awk -F'"' '/"key"/ { key = $4 } /"part": "null"/ { print key }' out)
[ "$(echo "$nulls" | tr '\n' ' ')" = "result_cycle span parallelism " ] || fail "null in a part: $nulls"
expect 0 run fib.df n=6 --window=fib --json --stats stats.json
for key in $nulls; do
    [ "$(value "$key")" = null ] || fail "$key is not null"
done
[ "$(value window)" = '{"asked": "fib", "from": 1, "to": 239, "run_cycles": 251}' ] || fail "$(value window)"
[ "$(value result)" = '"13"' ] || fail "no result"
without_host out >object
without_host stats.json | cmp -s - object || fail "--stats is not --json"
expect 0 run fib.df n=6 --window=1..239 --json
without_host out | sed 's/1\.\.239/fib/' | cmp -s - object || fail "1..239 is not fib"

# The series is that of the run.
expect 0 run fib.df n=6 --series whole.csv
expect 0 run fib.df n=6 --window=fib --series part.csv
same whole.csv part.csv

# What there is not.
expect 2 run fib.df n=6 --window=251..
err_has 'hiaton run: --window=251..: the run ended at cycle 251, before the part began'
out_is ''
expect 0 run fib.df n=6 --window=250..
cat >unused.df <<'TEXT'
result = if 1 < 2 then 7 else unused(3)
unused(x) = x + 1
TEXT
expect 2 run unused.df --window unused --json
err_has '--window=unused: `unused` was never called in this run, which has '
out_is ''
expect 2 run fib.df --window=fob
err_has '--window: the program has no function `fob`; did you mean `fib`?'
expect 2 run fib.df --window=7..3
err_has '--window: `7..3` has no cycle: FROM is the first, TO the one behind the last'
expect 2 run fib.df --window=7
err_has '--window: expected cycles, FROM..TO, FROM.. or ..TO, or the name of a function, found `7`'
expect 2 run fib.df --window=
err_has 'found nothing'
expect 2 run fib.df --window=1..2 --profile
err_has '--profile is of a whole run: leave it or --window out'
expect 2 interp fib.df --window=1..2
err_has 'there is no option `--window'

# A run that fails in its window, behind it and before it.
expect 4 run fib.df n=12 -s limits.cycles=300 --window=200.. --json
[ "$(value window)" = '{"asked": "200..", "from": 200, "to": 304, "run_cycles": 304}' ] || fail "$(value window)"
[ "$(value cycles)" = 104 ] || fail "$(value cycles) cycles"
expect 4 run fib.df n=12 -s limits.cycles=300 --window=..200 --json
[ "$(value cycles)" = 200 ] || fail "$(value cycles) cycles"
expect 4 run fib.df n=12 -s limits.cycles=300 --window=304.. --json
[ "$(value window)" = '{"asked": "304..", "from": null, "to": null, "run_cycles": 304}' ] || fail "$(value window)"
[ "$(value firings)" = null ] || fail "firings of a part that was not reached"

# --- hiaton run --energy -------------------------------------------------------

expect 0 run matmul.df --json
[ "$(value energy)" = null ] || fail "energy without a table"
[ "$(value energy_delay)" = null ] || fail "energy-delay without a table"
without_host out | grep -v '^  "energy' >without
cat >table.yaml <<'TEXT'
title: made up
source: nobody
element: 0.5
pe.cycle: {pJ: 0.25, source: "somebody, 1999"}
TEXT
expect 0 run matmul.df --json --energy table.yaml
cycles=$(value cycles)
elements=448
awk -v cycles="$cycles" -v elements=$elements -v energy="$(value energy)" -v product="$(value energy_delay)" \
    'BEGIN { sum = elements / 2 + 16 * cycles / 4; exit !(energy == sum && product == sum * cycles) }' ||
    fail "energy $(value energy), energy-delay $(value energy_delay)"
grep -qF '{"event": "element", "count": 448, "pJ_each": 0.5, "pJ": 224.0, "source": "nobody"}' out ||
    fail "no row of elements"
tr -d ' \n' <out | grep -q '"without":\["unit.alu",.*"hop","bit"\]' || fail "JSON: nothing is missing"
without_host out | sed '/^  "energy_table": {$/,/^  }\(,\)*$/d' | grep -v '^  "energy' >observed
sed 's/^  ],$/  ]/' without >alone
sed 's/^  ],$/  ]/' observed | cmp -s - alone || fail "an energy changes the run"
expect 0 run matmul.df --energy table.yaml
grep -q '^energy by table.yaml, made up:$' out || fail "no table of energies"
grep -q '^  pe.cycle .*  somebody, 1999$' out || fail "no source"
# What is not in the sum, and happened: two networks are alike where it has no hops.
grep -q '^  energy  .* pJ, without unit.alu, .*, hop, bit$' out || fail "beside the sum: $(grep '^  energy' out)"
! grep '^  energy .*without' out | grep -q -e element -e pe.cycle -e unit.fdiv || fail "what it has, or did not happen"
expect 0 run matmul.df --energy horowitz-45nm -q
[ "$(wc -l <out)" -eq 1 ] || fail "not the result alone"

# Of parts that tile a run.
expect 0 run matmul.df --json --energy table.yaml
whole=$(value energy)
sum=0
for part in ..300 300..301 301..; do
    expect 0 run matmul.df --json --energy table.yaml --window=$part
    sum=$(awk -v a="$sum" -v b="$(value energy)" 'BEGIN { printf "%.17g", a + b }')
done
awk -v a="$sum" -v b="$whole" 'BEGIN { exit a != b }' || fail "parts have $sum pJ of $whole"

# By the machine; the command line wins. The interpreter has no hardware.
mkdir machines
cp table.yaml machines/mine.yaml
printf 'base: default\nenergy: mine.yaml\n' >machines/m.yaml
expect 0 run matmul.df --json -m machines/m.yaml
[ "$(value energy)" = "$whole" ] || fail "not the energy of the machine's table"
grep -qF '"name": "mine.yaml"' out || fail "not the name of the file"
expect 0 run matmul.df --json -m machines/m.yaml --energy horowitz-45nm
grep -qF '"name": "horowitz-45nm"' out || fail "not the table of the command line"
expect 0 interp matmul.df -m machines/m.yaml

expect 2 run matmul.df --energy horowitz
err_has '--energy: unknown table of energies `horowitz`, neither one of the program nor a file'
expect 2 run matmul.df --energy nowhere.yaml
err_has 'nowhere.yaml'
expect 2 run matmul.df --energy ''
err_has '--energy: expected the name of a file'
printf 'match: 3\n' >bare.yaml
expect 2 run matmul.df --energy bare.yaml
err_has 'bare.yaml:1:8: error: match: `source` is missing: where the number comes from'
printf 'title: nothing\n' >empty.yaml
expect 2 run matmul.df --energy empty.yaml
err_has 'there is no number in this table of energies'
printf 'energy: horowitz-45nm\nenergy: mine.yaml\n' >machines/twice.yaml
expect 2 run matmul.df -m machines/twice.yaml
err_has 'machines/twice.yaml:2:1: error: '

# Each table that comes with the program can be read, and is listed.
expect 0 settings --energies
sed -n '/^tables:/,/^$/s/^\([a-z0-9-]*\)  *.*/\1/p' out >tables
[ -s tables ] || fail "no tables"
while read -r table; do
    expect 0 run fib.df n=5 --energy "$table" --json
    [ "$(value energy)" != null ] || fail "no energy"
done <tables

# --- recordings ----------------------------------------------------------------

# A window may begin and end between digests and checkpoints, or with them; what is recorded is what
# was measured, and is measured again.
for machine in default tf-executor; do
    unit=1
    [ $machine = default ] || unit=1000
    for window in $((100 * unit))..$((200 * unit)) $((77 * unit)).. ..$((155 * unit)) fib 9999999..; do
        status=0
        [ $window != 9999999.. ] || status=2
        common="fib.df n=6 -m $machine --window=$window --energy=horowitz-45nm --json"
        expect $status run $common
        without_host out >once
        expect $status run $common --record part.rec --checkpoint $((20 * unit)) --interval $((7 * unit))
        without_host out | cmp -s - once || fail "recording changes $window on $machine"
        expect 0 replay part.rec
        # The recording has the window; another one may take its place.
        expect $status run --from part.rec@$((90 * unit)) --json
        without_host out | sed 's/"program": "part"/"program": "fib"/' | cmp -s - once ||
            fail "$window on $machine goes on otherwise"
    done
    expect 0 run $common --window=$((100 * unit))..
    without_host out >once
    expect 0 run --from part.rec@$((130 * unit)) --window=$((100 * unit)).. --json -v
    err_has 'from the checkpoint at cycle' # the last one before the window
    without_host out | sed 's/"program": "part"/"program": "fib"/' | cmp -s - once ||
        fail "another window on $machine"
done
expect 1 replay part.rec -s limits.cycles=100000
expect 0 run fib.df n=6 --record bare.rec --checkpoint 50
expect 0 run --from bare.rec@120 --energy=horowitz-45nm
err_has 'bare.rec was recorded without energies: from cycle 0'
expect 0 run --from bare.rec@120 --window=fib
err_has '--window=fib needs the start of the run: from cycle 0'
expect 2 run --from bare.rec@120 --window=fob
err_has '--window: the program has no function `fob`; did you mean `fib`?'
expect 2 run fib.df --window=..9 --by=line
err_has 'costs of functions, lines and opcodes are of a whole run, not of a part'

# --- experiments ---------------------------------------------------------------

# column NAME: of results.csv, a line each
column() {
    awk -F, -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        { print $at }' results.csv | tr '\n' ' '
}

cat >parts.yaml <<'TEXT'
program: fib.df
inputs: {n: 8}
settings: {pe.count: 4, placement.policy: random}
window: [0.., ..100, 100..200, 200.., fib, 99999..]
energy: machines/mine.yaml
repeat: 2
tables:
  - {name: phases, rows: window, values: [firings, energy, window_to]}
TEXT
expect 0 sweep run parts.yaml --csv results.csv
set -- $(column firings)
[ $(($3 + $5 + $7)) -eq "$1" ] || fail "the firings of parts are not those of the run: $*"
[ $(($4 + $6 + $8)) -eq "$2" ] || fail "the firings of parts are not those of the run: $*"
set -- $(column seed)
[ "$1/$1/yes" = "$3/$9/$([ "$1" = "$2" ] || echo yes)" ] || fail "parts are not of the same run: $*"
set -- $(column energy_table)
[ "$1 $#" = "machines/mine.yaml 12" ] || fail "no table of energies: $*"
[ "$(awk -F, 'NR > 1 { print $(NF - 1) }' results.csv | sort -u | wc -l)" -eq 12 ] ||
    fail "windows are one run" # identities, from behind: a reason has a comma
set -- $(column status)
[ "$*" = "completed completed completed completed completed completed completed completed completed completed completed completed" ] ||
    fail "$*"
grep -q 'window 99999..: the run ended at cycle [0-9]*.* before the part began' results.csv || fail "no reason"
expect 0 results csv parts.db phases -o phases.csv
[ "$(cut -d, -f1 phases.csv | sed -n 3p)" = ..100 ] || fail "no row of ..100"

# Another number is another run; another name is not.
sed -i 's/0\.5/0.75/' machines/mine.yaml
expect 0 sweep run parts.yaml
err_has '12 runs, 12 of them new'
cp machines/mine.yaml machines/same.yaml
sed -i 's,mine.yaml,same.yaml,' parts.yaml
expect 0 sweep run parts.yaml
err_has '12 runs, 0 of them new'

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
