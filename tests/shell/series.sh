#!/bin/sh
# hiaton run --series and --profile: what they write agrees with the statistics of the same
# run, is the same every time, and changes nothing else. HIATON is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
examples=$SRCDIR/programs/examples
runs=0

# statistic KEY: from the object in out
statistic() { sed -n "s/^  \"$1\": \\([0-9]*\\),\$/\\1/p" out; }

header=cycle,firings,dead_firings,busy,live_tokens,waiting,tags,graph_nodes,link_busy,greatest_link_busy

# check_series FILE: against the object in out.
check_series() {
    [ "$(head -n 1 "$1")" = $header ] || fail "the columns are $(head -n 1 "$1")"
    awk -F, -v cycles="$(statistic cycles)" -v firings="$(statistic firings)" \
        -v dead="$(statistic dead_firings)" -v live="$(statistic peak_live_tokens)" \
        -v waiting="$(statistic peak_waiting)" -v tags="$(statistic peak_tags)" \
        -v nodes="$(statistic peak_graph_nodes)" '
        function wrong(what) { print "    " what; bad = 1 }
        NR == 1 { next }
        NF != 10 || /[^0-9,]/ || /(^|,)(,|$)/ { wrong("row " NR ": " $0) }
        NR == 2 { interval = $1 }
        NR > 2 && short { wrong("a short row in the middle") }
        NR > 2 && $1 - at > interval { wrong("a row is too long") }
        NR > 2 && $1 <= at { wrong("time does not go on") }
        { short = $1 - at < interval; at = $1; sum += $2; sum_dead += $3; busy += $4 }
        $5 > live || $6 > waiting || $7 > tags || $8 > nodes { wrong("row " NR " is beyond a peak: " $0) }
        END {
            if (NR < 2) wrong("no rows")
            if (at != cycles) wrong("the last row is at " at " of " cycles " cycles")
            if (sum != firings) wrong("sum of firings " sum ", firings " firings)
            if (sum_dead != dead) wrong("sum of dead firings " sum_dead ", of " dead)
            if (busy != firings + dead) wrong("sum of busy cycles " busy)
            exit bad
        }' "$1" || fail "$1 is not the run's"
}

# check_profile KEY LENGTH: of the object in out; its bins cover that many places.
check_profile() {
    awk -v key="\"$1\": {" -v length_="$2" -v firings="$(statistic firings)" '
        index($0, key) { inside = 1 }
        inside && /"width": / { width = $2 + 0 }
        inside && /"firings": \[/ {
            gsub(/.*\[|\].*/, "")
            bins = split($0, bin, ", ")
            for (i = 1; i <= bins; i++)
                sum += bin[i]
            inside = 0
            found = 1
        }
        END {
            bad = !found || sum != firings || bins > 4096 || bins * width < length_ ||
                (bins - 1) * width >= length_
            if (bad)
                print "    " bins " bins of " width ", " sum " firings; expected " firings
            exit bad
        }' out || fail "the profile $1 is not the run's"
}

# check STATUS ARGUMENT...: a run, and all that must hold for what it leaves.
check() {
    status=$1
    shift
    runs=$((runs + 1))
    rm -f first.csv second.csv
    expect "$status" run --json "$@"
    without_host out >plain
    expect "$status" run --json --series first.csv --profile "$@"
    check_series first.csv
    check_profile actual "$(statistic cycles)"
    check_profile ideal "$(statistic span)"
    without_host out >first
    expect "$status" run --json --profile --series second.csv "$@"
    same first.csv second.csv
    without_host out >second
    same first second
    sed '/^  "profile": {$/,/^  }\(,\)*$/d' first >rest # observing changes nothing
    same plain rest
}

# --- runs that complete --------------------------------------------------------

for program in "fib.df n=12" "tak.df x=9 y=6 z=3" "hanoi.df discs=6" "newton.df" \
    "parity.df n=400" "calendar.df" "factorial.df"; do
    for settings in "-m ideal" "-s queue.discipline=lifo" "-s network.latency=3000" \
        "-s deadness=propagate -s pe.count=3" "-s stats.interval=1" \
        "-s stats.interval=250 -s pe.units=0" "-s stats.interval=18446744073709551615"; do
        # shellcheck disable=SC2086 # words
        check 0 "$examples/"$program $settings
    done
done

# --- the interval --------------------------------------------------------------

# rows FILE, interval FILE
rows() { echo $(($(wc -l <"$1") - 1)); }
interval() { sed -n '2s/,.*//p' "$1"; }
for n in 5 9 13 16 18; do
    expect 0 run "$examples/fib.df" n=$n --json --series chosen.csv
    cycles=$(statistic cycles)
    if [ "$cycles" -lt 500 ]; then
        [ "$(rows chosen.csv)" -eq "$cycles" ] || fail "not a row per cycle"
    else
        [ "$(rows chosen.csv)" -ge 500 ] || fail "less than 500 rows"
        [ "$(rows chosen.csv)" -le 1000 ] || fail "more than 1000 rows"
    fi
    expect 0 run "$examples/fib.df" n=$n --series given.csv \
        -s stats.interval="$(interval chosen.csv)"
    same chosen.csv given.csv
done

# --- runs that fail ------------------------------------------------------------

cat >trap.df <<'TEXT'
result = f(100) + fib(12)
f(n) = if n == 0 then 1 / n else f(n - 1)
fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)
TEXT
cat >at_once.df <<'TEXT'
input n = 0
result = 1 / n
TEXT
cat >stuck.s <<'TEXT'
hiaton assembly 1
stage image
input c bool = true
function result () -> (int)
in result
  %a const.int 1       -> %s.0
  %b const.bool $c     -> %s.1
  %s switch.int _, _   -> %add.0 | %add.1
  %add add.int _, _    -> %o.0
  %o output.int _, part 0
TEXT
check 3 trap.df
check 3 trap.df -s stats.interval=10
check 3 at_once.df
check 3 stuck.s
check 3 stuck.s -s stats.interval=2
for cycles in 1 2 100 101 2000; do
    check 4 "$examples/fib.df" -s limits.cycles=$cycles
    check 4 "$examples/fib.df" -s limits.cycles=$cycles -s stats.interval=100
done
check 4 "$examples/fib.df" -s limits.tokens=5000
[ $runs -ge 60 ] || fail "only $runs runs"

# --- what is printed -----------------------------------------------------------

expect 0 run "$examples/fib.df" n=15
cp out plain
expect 0 run "$examples/fib.df" n=15 --profile --series files.csv
head -n "$(wc -l <plain)" out >table
same plain table
sed "1,$(wc -l <plain)d" out >profile
[ "$(grep -c '^[a-z]* profile: [0-9.]* firings per [a-z]* on average, ' profile)" -eq 2 ] ||
    fail "not two profiles"
[ "$(wc -l <profile)" -le 86 ] || fail "more than 40 rows each"
! grep -q '.\{81\}' profile || fail "a line is too long"
awk -v firings="$(awk '$1 == "firings" { print $2 }' plain)" '
    / profile: / { sum = 0; tables++ }
    /^ *[0-9]/ { sum += $3; last[tables] = sum; marks = $5; gsub(/#/, "", marks) }
    marks != "" { print "    not a bar: " $0; bad = 1 }
    END { exit bad || last[1] != firings || last[2] != firings }' profile ||
    fail "the rows are not the firings"
expect 0 run "$examples/fib.df" n=15 --profile -q --series files.csv
[ "$(cat out)" = 987 ] || fail "-q prints more than the result"
expect 3 run trap.df --profile
[ ! -s out ] || fail "something on standard output"
expect 0 run "$examples/fib.df" n=15 --profile --stats stats.json
[ "$(grep -c '^  "profile": {$' stats.json)" -eq 1 ] || fail "no profile in --stats"

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
