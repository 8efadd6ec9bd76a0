#!/bin/sh
# How fast Hiaton is: races with bare prototypes of its engine, tables of programs and
# machines, and the goals. `make bench' and `make bench-count' run it; see --help.
set -eu
LC_ALL=C
export LC_ALL

usage() {
    cat <<'TEXT'
usage: tests/bench/bench.sh [--count | --parts] [--against PROGRAM] [--out FILE] [--quick]
                            [--rounds N]

Measures how fast Hiaton is, and prints tables of it, the goals among them. A goal that is
missed is no failure: timings are noisy. The last line counts them.

--count      instructions per token in the races, counted by callgrind, instead of times
--parts      what the parts of a token's way cost, of eight programs on several machines
--against PROGRAM
             times per token as shares of those of another hiaton, in turn with it; with
             --count instructions while the machine advances, of smaller inputs
--out FILE   write the tables to FILE too, in Markdown
--quick      3 rounds, and what takes long only once
--rounds N   runs of which the median is taken (default 7); long ones are run 3 times

environment:
HIATON       the program
SRCDIR       the source tree (default: the one in which this script lies)
STUDY        folder of the prototypes, engine/*.c (default: SRCDIR/../shared/study);
             if it is not there, the races are skipped
BENCH_DIR    where the prototypes are built (default: bench)
BUILT_WITH   compiler and flags of the program, for the description of the machine
OUT, QUICK, ROUNDS   as the options: FILE, 1, N

exit status: 0 all was measured or skipped; 1 something failed; 2 bad usage
TEXT
}

# --- small things ------------------------------------------------------------

complain() { printf '%s\n' "bench: $*" >&2; }

die() {
    progress_end
    complain "$*"
    exit 1
}

misuse() {
    complain "$*"
    echo "Try \`tests/bench/bench.sh --help' for more information." >&2
    exit 2
}

progress() { [ ! -t 2 ] || printf '\r\033[K%s' "bench: $*" >&2; }
progress_end() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

# calc FORMAT EXPRESSION: of numbers
calc() { awk "BEGIN { printf \"$1\", ($2) }" </dev/null; }

# median FILE, least FILE, most FILE: of the numbers in it, one a line
median() {
    sort -n "$1" | awk '
        { value[NR] = $1 }
        END { print NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2 }'
}
least() { sort -n "$1" | head -n 1; }
most() { sort -n "$1" | tail -n 1; }

# --- what is printed: as text, and in Markdown to $temp/markdown ---------------

# say LINE...: words between the tables
say() {
    progress_end
    printf '%s\n' "$@" ''
    printf '%s\n' "$@" '' >>"$temp/markdown"
}

# fact NAME TEXT: a line on the machine
fact() {
    printf '%-12s %s\n' "$1" "$2"
    printf -- '- %s: %s\n' "$1" "$2" >>"$temp/markdown"
}

# row CELL...: of the next table. The first row is the heads; `<' before a head makes its
# column one of words.
row() {
    separator=
    for cell in "$@"; do
        printf '%s%s' "$separator" "$cell"
        separator='	'
    done >>"$temp/table"
    echo >>"$temp/table"
}

# table TITLE: prints the rows
table() {
    progress_end
    printf '%s\n\n' "$1"
    awk -F '\t' '
        NR == 1 {
            for (i = 1; i <= NF; i++)
                words[i] = sub(/^</, "", $i)
        }
        {
            for (i = 1; i <= NF; i++) {
                cell[NR, i] = $i
                if (length($i) > width[i])
                    width[i] = length($i)
            }
        }
        END {
            for (line = 1; line <= NR; line++) {
                text = ""
                for (i = 1; i <= NF; i++)
                    text = text "  " sprintf("%" (words[i] ? "-" : "") width[i] "s", cell[line, i])
                sub(/ +$/, "", text)
                print text
            }
            print ""
        }' "$temp/table"
    {
        printf '### %s\n\n' "$1"
        awk -F '\t' '
            {
                text = "|"
                rule = "|"
                for (i = 1; i <= NF; i++) {
                    rule = rule (sub(/^</, "", $i) ? "---|" : "---:|")
                    text = text " " $i " |"
                }
                print text
            }
            NR == 1 { print rule }
            END { print "" }' "$temp/table"
    } >>"$temp/markdown"
    : >"$temp/table"
}

# --- goals ---------------------------------------------------------------------

met=0
missed=0
skipped=0

# judge VALUE GOAL [AIM]: whether VALUE, as it is printed, is at most GOAL; sets `verdict'
judge() {
    if [ "$2" = - ]; then
        verdict=-
    elif [ "$(calc %d "$1 <= $2")" -eq 1 ]; then
        met=$((met + 1))
        verdict=met
        [ -z "${3-}" ] || [ "$(calc %d "$1 <= $3")" -eq 1 ] || verdict="met, not the aim"
    else
        missed=$((missed + 1))
        verdict=missed
    fi
}

# --- runs ------------------------------------------------------------------------

# measure COMMAND...: its output is in $temp/out; `wall' is the time from before its start
# until after its end, in nanoseconds, with that of reading the clock (some 1 ms).
measure() {
    begun=$(date +%s%N)
    "$@" >"$temp/out" 2>"$temp/err" </dev/null || {
        cat "$temp/err" >&2
        die "failed: $*"
    }
    ended=$(date +%s%N)
    wall=$((ended - begun))
}

# value KEY: of the JSON object in $temp/out
value() {
    sed -n "s/^ *\"$1\": \"*\\([^\",]*\\)\"*,*\$/\\1/p" "$temp/out" | head -n 1
}

# The machine of the races and goals, but for the number of PEs and the queues.
wires="-s network.topology=crossbar -s network.latency=10"

# simulate SETTINGS PROGRAM [INPUT]...: settings are words; leaves a JSON object
simulate() {
    words=$1
    example=$2
    shift 2
    # shellcheck disable=SC2086 # settings are words
    measure "$HIATON" run --json $words "$examples/$example.df" "$@"
}

interpret() { measure "$HIATON" interp "$examples/fib.df" "n=$1"; }

ns_per_token() { calc '%.4f\n' "$(value wall_seconds) * 1e9 / $(value tokens)"; }

# bytes_per_live_token SETTINGS: of the run before, more than a run of next to nothing
bytes_per_live_token() {
    live=$(value peak_live_tokens)
    bytes=$(value peak_rss_bytes)
    simulate "$1" factorial
    calc %.0f "($bytes - $(value peak_rss_bytes)) / $live"
}

# --- races -------------------------------------------------------------------------

# build NAME SOURCE FLAG...: a prototype, as NAME
build() {
    name=$1
    source=$2
    shift 2
    # shellcheck disable=SC2086 # flags are words
    gcc $prototype_flags -w "$@" -o "$BENCH_DIR/$name" "$STUDY/engine/$source.c" ||
        die "$STUDY/engine/$source.c: cannot be built"
}

# Builds all prototypes; fails if there are none.
build_all() {
    if [ ! -d "$STUDY/engine" ]; then
        reason="there are no prototypes in $STUDY/engine"
    elif ! command -v gcc >/dev/null; then
        reason="gcc is not installed"
    else
        mkdir -p "$BENCH_DIR"
        progress "building the prototypes"
        build df3-lifo df3 -DLIFO -DXBAR
        build df3-fifo df3 -DXBAR
        build df2-lifo df2 -DLIFO -DXBAR
        build func2 func2
        return 0
    fi
    complain "races skipped: $reason"
    say "Races: skipped, for $reason."
    return 1
}

# ours_run SETTINGS, ours_interp N, theirs NAME ARGUMENT...: ns per token, in `taken'
ours_run() {
    simulate "$1" fib n=27
    taken=$(ns_per_token)
}
ours_interp() {
    interpret "$1"
    taken=$(calc %.4f "($wall - $interp_start) / $interp_tokens")
}
theirs() {
    name=$1
    shift
    measure "$BENCH_DIR/$name" "$@"
    taken=$(sed -n 's/.*[ (]\([0-9.]*\) ns\/tok.*/\1/p' "$temp/out")
    [ -n "$taken" ] || die "$name does not say how long a token took: $(cat "$temp/out")"
}

# race TITLE GOAL AIM OURS THEIRS: a row; OURS and THEIRS are words as above, which take
# turns, so that both have their share of what else happens on this machine.
race() {
    : >"$temp/ours"
    : >"$temp/theirs"
    : >"$temp/ratios"
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        progress "race: $1, round $round of $rounds"
        # shellcheck disable=SC2086 # words
        $4
        ours=$taken
        # shellcheck disable=SC2086
        theirs $5
        echo "$ours" >>"$temp/ours"
        echo "$taken" >>"$temp/theirs"
        calc '%.4f\n' "$ours / $taken" >>"$temp/ratios"
    done
    ours=$(median "$temp/ours")
    other=$(median "$temp/theirs")
    ratio=$(calc %.2f "$(median "$temp/ratios")")
    judge "$ratio" "$2" "${3#-}"
    row "$1" "$(calc %.1f "$ours")" "$(calc %.1f "$(least "$temp/ours")")" \
        "$(calc %.1f "$other")" "$(calc %.1f "$(least "$temp/theirs")")" "$ratio" \
        "$2" "$3" "$verdict"
}

run_64_lifo() { ours_run "-s pe.count=64 $wires -s queue.discipline=lifo"; }
run_64_fifo() { ours_run "-s pe.count=64 $wires -s queue.discipline=fifo"; }
run_1_lifo() { ours_run "-s pe.count=1 $wires -s queue.discipline=lifo"; }

# Without digests there is no JSON, so the interpreter is timed from outside: with an n that
# takes long enough, and less what it takes for n=1.
prepare_interp() {
    progress "race: the interpreter, choosing n"
    : >"$temp/start"
    for round in 1 2 3 4 5 6 7; do
        interpret 1
        echo "$wall" >>"$temp/start"
    done
    interp_start=$(median "$temp/start")
    interpret 27
    # fib(n + 1) takes the golden ratio of fib(n).
    interp_n=$(awk -v wall="$((wall - interp_start))" -v aim="$interp_aim" -v n="$interp_least" '
        BEGIN {
            for (wall *= 1.618 ^ (n - 27); wall < aim && n < 40; n++)
                wall *= 1.618
            print n
        }' </dev/null)
    measure "$HIATON" interp --json "$examples/fib.df" "n=$interp_n"
    interp_tokens=$(value tokens)
}

races() {
    if ! build_all; then
        skipped=$((skipped + 3))
        return
    fi
    prepare_interp
    row '<race' 'Hiaton' 'fastest' 'prototype' 'fastest' 'ratio' 'goal' 'aim' '<verdict'
    race "fib(27), 64 PEs, LIFO; df3" 1.65 1.40 run_64_lifo "df3-lifo 27 64 10"
    race "fib(27), 1 PE, LIFO; df2" 1.70 - run_1_lifo "df2-lifo 27 1 10"
    race "fib($interp_n), untimed; func2" 1.80 1.30 "ours_interp $interp_n" "func2 $interp_n"
    race "fib(27), 64 PEs, FIFO; df3" 0.85 - run_64_fifo "df3-fifo 27 64 10"
    table "Races: ns per token, and how many times the prototype's"
    say "Hiaton and the prototype run in turn; the ratio is the median of those of the rounds. The timed ones" \
        "are on a crossbar of latency 10, with statistics and digests; the untimed one is" \
        "hiaton interp without digests. A call of fib is 11 tokens here, and 8 in the prototypes."
}

# --- instruction counts ----------------------------------------------------------------

# count COMMAND...: `counted' is the instructions it executes
count() {
    measure "$VALGRIND" --tool=callgrind --callgrind-out-file=/dev/null "$@"
    counted=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$temp/err")
    [ -n "$counted" ] || die "callgrind counted nothing: $*"
}

# count_race TITLE HIATON-ARGUMENTS PROTOTYPE [ARGUMENTS]: instructions per token of fib(20),
# less those of fib(1), which are the start.
count_race() {
    progress "counting: $1"
    for n in 20 1; do
        # shellcheck disable=SC2086 # arguments are words
        measure "$HIATON" $2 --json "$examples/fib.df" "n=$n"
        tokens=$(value tokens)
        digests=--json
        [ "$2" != interp ] || digests=
        # shellcheck disable=SC2086
        count "$HIATON" $2 $digests "$examples/fib.df" "n=$n"
        echo "$counted $tokens"
        # shellcheck disable=SC2086
        count "$BENCH_DIR/$3" "$n" ${4-}
        echo "$counted $(sed -n 's/.* tokens=\([0-9]*\).*/\1/p' "$temp/out")"
    done >"$temp/counts"
    # shellcheck disable=SC2046 # three words
    row "$1" $(awk '
        { instructions[NR] = $1; tokens[NR] = $2 }
        END {
            ours = (instructions[1] - instructions[3]) / (tokens[1] - tokens[3])
            theirs = (instructions[2] - instructions[4]) / (tokens[2] - tokens[4])
            printf "%.1f %.1f %.2f\n", ours, theirs, ours / theirs
        }' "$temp/counts")
}

counts() {
    [ -n "$VALGRIND" ] || {
        complain "counts skipped: valgrind is not installed"
        say "Counts: skipped, for valgrind is not installed."
        return
    }
    build_all || return 0
    row '<race' 'Hiaton' 'prototype' 'ratio'
    count_race "fib(20), 64 PEs, LIFO; df3" \
        "run -s pe.count=64 $wires -s queue.discipline=lifo" df3-lifo "64 10"
    count_race "fib(20), 1 PE, LIFO; df2" \
        "run -s pe.count=1 $wires -s queue.discipline=lifo" df2-lifo "1 10"
    count_race "fib(20), untimed; func2" interp func2
    count_race "fib(20), 64 PEs, FIFO; df3" \
        "run -s pe.count=64 $wires -s queue.discipline=fifo" df3-fifo "64 10"
    table "Instructions per token, and how many times the prototype's"
}

# --- the parts of a token's way -----------------------------------------------------------

# of_parts TITLE SETTINGS PROGRAM [INPUT]...: instructions per token by part, the rest behind; and
# the least time of so many rounds
of_parts() {
    title=$1
    settings=$2
    shift 2
    progress "parts: $1, $title"
    : >"$temp/seconds"
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        simulate "$settings" "$@"
        value wall_seconds >>"$temp/seconds"
    done
    tokens=$(value tokens)
    cycles=$(value cycles)
    shift
    # shellcheck disable=SC2086 # settings are words
    measure "$VALGRIND" --tool=callgrind --callgrind-out-file="$temp/lines" --compress-strings=no \
        --compress-pos=no --cache-sim=yes --branch-sim=yes --toggle-collect=machine_advance_to \
        "$HIATON" run --json $settings "$examples/$example.df" "$@"
    counted=$(awk -v tokens="$tokens" -f "$SRCDIR/tests/bench/parts.awk" \
        "$SRCDIR/tests/bench/parts.tbl" "$temp/lines")
    # shellcheck disable=SC2086 # a number per column
    row "$example" "$title" "$(calc %.2f "$tokens / $cycles")" \
        "$(calc %.0f "$(least "$temp/seconds") * 1e9 / $tokens")" $counted
}

parts() {
    [ -n "$VALGRIND" ] || {
        complain "parts skipped: valgrind is not installed"
        say "Parts: skipped, for valgrind is not installed."
        return
    }
    row '<program' '<PEs' 'tokens/cycle' 'ns' 'instructions' unloading ports selection sorting issue sending \
        account cycles rest mispredicted missed
    while read -r program; do
        # shellcheck disable=SC2086 # a program and its inputs
        for pes in 1 4 16 64 256; do
            of_parts "$pes" "-s pe.count=$pes" $program
        done
        # shellcheck disable=SC2086
        of_parts "64, mesh" "-s pe.count=64 -s network.topology=mesh" $program
        # shellcheck disable=SC2086
        of_parts "16, finite" "-s pe.count=16 -s queue.capacity=100000 -s network.capacity=64" $program
    done <<'ROWS'
tak x=10 y=6 z=3
ack m=2 n=8
primes n=100
matmul n=8
wavefront n=20
jacobi n=8 steps=4
sieve n=200
mergesort n=64
ROWS
    table "Parts of a token's way: instructions per token"
    say "The time is the least of $rounds runs, of short ones; branches predicted wrong and accesses that miss" \
        "the first cache are those of callgrind's model, per token."
}

# --- against another hiaton ------------------------------------------------------------------

# share SETTINGS PROGRAM [INPUT]...: the time of a run as a share of that of $against, the median of
# the rounds
share() {
    : >"$temp/ratios"
    ours=$HIATON
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        simulate "$@"
        seconds=$(value wall_seconds)
        HIATON=$against
        simulate "$@"
        calc '%.4f\n' "$seconds / $(value wall_seconds)" >>"$temp/ratios"
        HIATON=$ours
    done
    median "$temp/ratios"
}

# count_run PROGRAM SETTINGS EXAMPLE [INPUT]...: sets `counted' to the instructions while the
# machine advances; on a host that is in use this is what can be compared
count_run() {
    counted_program=$1
    words=$2
    example=$3
    shift 3
    # shellcheck disable=SC2086 # settings are words
    measure "$VALGRIND" --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=machine_advance_to \
        "$counted_program" run --json $words "$examples/$example.df" "$@"
    counted=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$temp/err")
    [ -n "$counted" ] || die "callgrind counted nothing: $example"
}

# count_share SETTINGS PROGRAM [INPUT]...: as share, of instructions
count_share() {
    count_run "$HIATON" "$@"
    ours=$counted
    count_run "$against" "$@"
    calc '%.4f\n' "$ours / $counted"
}

# mean FILE: the geometric one, of the numbers in it
mean() { awk '{ sum += log($1) } END { printf "%.2f\n", exp(sum / NR) }' "$1"; }

shares() {
    machines='1 4 16 64 256 finite'
    rm -f "$temp"/share-*
    one_share=share
    what_is='Time per token'
    how="Medians of $rounds rounds, in turn with it."
    if [ "$what" = counts ]; then
        one_share=count_share
        what_is='Instructions while the machine advances'
        how='Counted by callgrind.'
        cat >"$temp/programs" <<'ROWS'
tak x=10 y=6 z=3
ack m=2 n=16
primes n=300
matmul n=8
wavefront n=24
jacobi n=8 steps=4
sieve n=300
mergesort n=60
ROWS
    else
        cat >"$temp/programs" <<'ROWS'
tak x=14 y=8 z=3
ack m=2 n=60
primes n=2000
matmul n=20
wavefront n=80
jacobi n=20 steps=10
sieve n=2000
mergesort n=400
ROWS
    fi
    row '<program' '1 PE' 4 16 64 256 '16, finite queues'
    while read -r program; do
        cells=
        for pes in $machines; do
            settings="-s pe.count=$pes"
            [ "$pes" != finite ] ||
                settings='-s pe.count=16 -s queue.capacity=100000 -s network.capacity=64'
            progress "against: $program, $pes PEs"
            # shellcheck disable=SC2086 # a program and its inputs
            one=$($one_share "$settings" $program)
            echo "$one" >>"$temp/share-$pes"
            cells="$cells $(calc %.2f "$one")"
        done
        # shellcheck disable=SC2086 # a number per column
        row "$program" $cells
    done <"$temp/programs"
    cells=
    for pes in $machines; do
        cells="$cells $(mean "$temp/share-$pes")"
    done
    # shellcheck disable=SC2086
    row 'geometric mean' $cells
    table "$what_is as a share of that of $against"
    cat "$temp"/share-[0-9]* >"$temp/all"
    say "$how Of all rows with unlimited queues the geometric mean is" \
        "$(mean "$temp/all"), and the greatest $(calc %.2f "$(most "$temp/all")")."
}

# --- programs and machines ---------------------------------------------------------------

programs() {
    row '<program' PEs tokens 'million firings/s' 'ns per token' 'live tokens' \
        'bytes per live token'
    while read -r program inputs; do
        for pes in 1 4 16 64 256; do
            settings="-s pe.count=$pes"
            : >"$temp/seconds"
            round=0
            while [ $((round += 1)) -le "$rounds" ]; do
                progress "programs: $program $inputs, $pes PEs, round $round of $rounds"
                # shellcheck disable=SC2086 # inputs are words
                simulate "$settings" "$program" $inputs
                value wall_seconds >>"$temp/seconds"
            done
            seconds=$(median "$temp/seconds")
            tokens=$(value tokens)
            firings=$(value firings)
            live=$(value peak_live_tokens)
            bytes=-
            [ "$live" -lt 100000 ] || bytes=$(bytes_per_live_token "$settings")
            arguments=$(echo "$inputs" | sed 's/[a-z]*=//g; s/ /,/g')
            row "$program($arguments)" "$pes" "$tokens" "$(calc %.1f "$firings / $seconds / 1e6")" \
                "$(calc %.1f "$seconds * 1e9 / $tokens")" "$live" "$bytes"
        done
    done <<'ROWS'
fib n=24
tak x=18 y=12 z=6
ack m=3 n=5
primes n=1000
matmul n=30
wavefront n=128
jacobi n=32 steps=20
sieve n=4000
ROWS
    table "Programs on the default machine with other numbers of PEs"
    say "Bytes per live token: the peak of memory, less that of a run of next to nothing, for each" \
        "token at the peak of live tokens; - where these are too few to tell (below 100,000)."
}

# --- goals ---------------------------------------------------------------------------------

# cpu COMMAND...: sets `taken' to the milliseconds of processors that it takes, with its children
cpu() {
    taken=$({
        "$@" >"$temp/out" 2>"$temp/err" </dev/null || die "failed: $*"
        times
    } | awk 'NR == 2 {
        split($1, u, /[ms]/)
        split($2, s, /[ms]/)
        print 1000 * (60 * (u[1] + s[1]) + u[2] + s[2])
    }')
    [ -n "$taken" ] || exit 1
}

# Milliseconds of the processor that a sweep of 10000 runs takes, results and all.
time_of_sweep() {
    progress "goals: a sweep"
    mkdir "$temp/sweep"
    cat >"$temp/sweep/fact.df" <<'TEXT'
result = fact(5)
fact(n) = if n == 1 then n else n * fact(n - 1)
TEXT
    cat >"$temp/sweep/fact.yaml" <<'TEXT'
program: fact.df
settings: {placement.policy: random}
repeat: 10000
TEXT
    cpu "$HIATON" sweep run "$temp/sweep/fact.yaml" -o "$temp/sweep/fact.db"
    echo "$taken"
}

goals() {
    settings="-s pe.count=64 $wires -s queue.discipline=lifo"

    : >"$temp/rates"
    : >"$temp/seconds"
    : >"$temp/bytes"
    : >"$temp/ratios"
    # All sizes in turn, so that what else happens on this machine does not hit only one.
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        for n in 20 24 27 30 33; do
            [ "$n" -lt 30 ] || [ "$round" -le "$long_rounds" ] || continue
            progress "goals: fib($n), 64 PEs, round $round of $rounds"
            simulate "$settings" fib "n=$n"
            value tokens >"$temp/tokens-$n"
            ns_per_token >>"$temp/ns-$n"
            [ "$n" -ne 33 ] || {
                calc '%.4f\n' "$wall / 1e9" >>"$temp/seconds"
                value peak_rss_bytes >>"$temp/bytes"
                [ ! -x "$BENCH_DIR/df3-lifo" ] || {
                    ours=$wall
                    measure "$BENCH_DIR/df3-lifo" 33 64 10
                    calc '%.4f\n' "$ours / $wall" >>"$temp/ratios"
                }
            }
        done
    done
    row 'n' tokens 'million tokens/s' 'ns per token' fastest
    for n in 20 24 27 30 33; do
        ns=$(median "$temp/ns-$n")
        echo "$ns" >>"$temp/rates"
        row "$n" "$(cat "$temp/tokens-$n")" "$(calc %.1f "1e3 / $ns")" "$(calc %.1f "$ns")" \
            "$(calc %.1f "$(least "$temp/ns-$n")")"
    done
    table "The rate of fib(n), 64 PEs, crossbar, LIFO"

    row '<what' measured fastest goal '<unit' '<verdict'
    seconds=$(calc %.2f "$(median "$temp/seconds")")
    judge "$seconds" 5
    row "fib(33), 64 PEs, LIFO: time" "$seconds" \
        "$(calc %.2f "$(least "$temp/seconds")")" 5.00 s "$verdict"

    [ ! -s "$temp/ratios" ] || {
        ratio=$(calc %.2f "$(median "$temp/ratios")")
        judge "$ratio" 2.40
        row "fib(33), 64 PEs, LIFO: time, times df3's" "$ratio" \
            "$(calc %.2f "$(least "$temp/ratios")")" 2.40 "" "$verdict"
    }

    gigabytes=$(calc %.2f "$(most "$temp/bytes") / 1e9")
    judge "$gigabytes" 1
    row "fib(33), 64 PEs, LIFO: peak of memory" "$gigabytes" - 1.00 GB "$verdict"

    spread=$(calc %.2f "$(most "$temp/rates") / $(least "$temp/rates")")
    judge "$spread" 1.20
    row "rates of fib(20) to fib(33): fastest / slowest" "$spread" - 1.20 "" "$verdict"

    progress "goals: fib(30), 64 PEs, FIFO"
    settings="-s pe.count=64 $wires -s queue.discipline=fifo"
    simulate "$settings" fib n=30
    bytes=$(bytes_per_live_token "$settings")
    judge "$bytes" 96
    row "fib(30), 64 PEs, FIFO: memory per live token" "$bytes" - 96 bytes "$verdict"

    : >"$temp/firings"
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        progress "goals: a loop, round $round of $rounds"
        measure "$HIATON" run --json -s pe.count=1 "$temp/loop.df"
        calc '%.4f\n' "$(value wall_seconds) * 1e9 / $(value firings)" >>"$temp/firings"
    done
    firing=$(calc %.1f "$(median "$temp/firings")")
    judge "$firing" 125
    row "a loop of 1,000,000 iterations, 1 PE: time per firing" "$firing" \
        "$(calc %.1f "$(least "$temp/firings")")" 125 ns "$verdict"

    : >"$temp/clock"
    : >"$temp/start"
    round=0
    while [ $((round += 1)) -le 50 ]; do
        progress "goals: start to exit, $round of 50"
        measure :
        echo "$wall" >>"$temp/clock"
        measure "$HIATON" run "$examples/factorial.df"
        echo "$wall" >>"$temp/start"
    done
    # The least that the clock takes: its median can be that of a moment when others ran.
    clock=$(least "$temp/clock")
    start=$(calc %.2f "($(median "$temp/start") - $clock) / 1e6")
    judge "$start" 5
    row "fact(3), start to exit of hiaton run" "$start" \
        "$(calc %.2f "($(least "$temp/start") - $clock) / 1e6")" 5.00 ms "$verdict"

    per_run=$(calc %.2f "$(time_of_sweep) / 10000")
    judge "$per_run" 2
    row "a sweep of 10,000 runs of fact(5): processor time per run" "$per_run" - 2.00 ms "$verdict"
    table "Goals"
}

# --- recordings and files of events -----------------------------------------------------------

# What is written, its option, and what it may take against the run without.
written() {
    cat <<'TEXT'
record 1.05 --record
firings 1.60 --level firings --trace
all 4.00 --level all --trace
queues 8.00 --level queues --trace
TEXT
}

# The whole command, with what it writes, against the same without: one after the other, so that
# both meet the same machine.
recordings() {
    row '<what' '<written' plain with ratio least goal bytes '<verdict'
    : >"$temp/events"
    while read -r program input; do
        round=0
        rm -f "$temp"/took-* "$temp"/ratio-*
        while [ $((round += 1)) -le "$rounds" ]; do
            progress "recordings: $program $input, round $round of $rounds"
            measure "$HIATON" run "$examples/$program.df" "$input"
            plain=$wall
            echo "$wall" >>"$temp/took-plain"
            written | while read -r name _ options; do
                # shellcheck disable=SC2086 # options are words
                measure "$HIATON" run "$examples/$program.df" "$input" $options "$temp/run.$name"
                echo "$wall" >>"$temp/took-$name"
                calc '%.4f\n' "$wall / $plain" >>"$temp/ratio-$name"
            done
        done
        while read -r name goal options; do
            ratio=$(calc %.2f "$(median "$temp/ratio-$name")")
            bytes=$(wc -c <"$temp/run.$name")
            judge "$ratio" "$goal"
            row "$program $input, default machine" "$name" \
                "$(calc %.2f "$(median "$temp/took-plain") / 1e9") s" \
                "$(calc %.2f "$(median "$temp/took-$name") / 1e9") s" "$ratio" \
                "$(calc %.2f "$(least "$temp/took-$name") / $(least "$temp/took-plain")")" \
                "$goal" "$bytes" "$verdict"
            [ "$name" = record ] || echo "$program $input $name $bytes \
                $("$HIATON" trace info --json "$temp/run.$name" | sed -n 's/.*"events": \([0-9]*\).*/\1/p')" \
                >>"$temp/events"
        done <<TEXT
$(written)
TEXT
    done <<'TEXT'
fib n=27
matmul n=40
TEXT
    table "Recordings and files of events: --record and --trace against the plain run"
    say "The least is that of the least times. A trace is written by a thread of its own: on one" \
        "processor, or where others use them, it takes longer than the ratios say."

    row '<what' '<level' events bytes 'bytes per event' goal '<verdict'
    while read -r program input name bytes events; do
        each=$(calc %.2f "$bytes / $events")
        judge "$each" 4.5
        row "$program $input, default machine" "$name" "$events" "$bytes" "$each" 4.50 "$verdict"
    done <"$temp/events"
    table "Files of events: bytes per event"
}

# peak COMMAND...: `megabytes' is the most memory that it had, looked at every 50 ms
peak() {
    "$@" >/dev/null 2>"$temp/err" </dev/null &
    peak_pid=$!
    kilobytes=0
    while seen=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$peak_pid/status" 2>/dev/null) &&
        [ -n "$seen" ]; do
        kilobytes=$seen
        sleep 0.05
    done
    wait "$peak_pid" || {
        cat "$temp/err" >&2
        die "failed: $*"
    }
    megabytes=$(calc %.0f "$kilobytes * 1024 / 1e6")
}

# 109 million events, with up to 820,000 activations alive: all of them are read.
long_traces() {
    [ -r /proc/self/status ] || {
        skipped=$((skipped + 3))
        return
    }
    progress "long traces: writing"
    measure "$HIATON" run "$examples/fib.df" n=29 --level queues --trace "$temp/long.hev"
    row '<what' 'MB of memory' goal '<verdict'
    while read -r arguments; do
        progress "long traces: $arguments"
        # shellcheck disable=SC2086 # arguments are words
        peak "$HIATON" $arguments "$temp/long.hev"
        judge "$megabytes" 200
        row "$arguments" "$megabytes" 200 "$verdict"
    done <<'TEXT'
trace info
trace text --pe 3 --below [1,0,0]
analyse
TEXT
    rm "$temp/long.hev"
    table "Reading a file of 109 million events: fib n=29, level queues"
}

# --- networks ------------------------------------------------------------------------------------

# kept NAME: what is kept of each round of one of those that take turns
kept() { printf '%s\n' "$temp/network.$1"; }

# in_turn PES N: fib N on a crossbar, a mesh and a torus of so many PEs, and the prototype, one
# after the other, so that each has its share of what else happens on this machine. Of each round
# the wall time in ns; of the prototype that of a token; of each network its `tokens' and `hops'.
in_turn() {
    for name in crossbar mesh torus df3; do
        : >"$(kept $name)"
    done
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        for topology in crossbar mesh torus; do
            progress "networks: $topology, $1 PEs, round $round of $rounds"
            simulate "-s pe.count=$1 -s network.topology=$topology -s network.latency=10 -s queue.discipline=lifo" \
                fib "n=$2"
            calc '%.0f\n' "$(value wall_seconds) * 1e9" >>"$(kept $topology)"
            echo "$(value tokens) $(value hops)" >"$(kept $topology).sizes"
        done
        [ -x "$BENCH_DIR/df3-lifo" ] || continue
        theirs df3-lifo 27 64 10
        echo "$taken" >>"$(kept df3)"
    done
}

# of_rounds FORM: the median over the rounds of what FORM, in awk, makes of these times of one
# round: `crossbar', `mine', `df3'; and of `tokens' and `hops'
of_rounds() {
    paste "$(kept crossbar)" "$(kept "$topology")" "$(kept df3)" |
        awk -v tokens="$tokens" -v hops="$hops" "{ crossbar = \$1; mine = \$2; df3 = \$3; print $1 }" >"$temp/rounds"
    median "$temp/rounds"
}

# network NAME GOAL HOP-GOAL: a row of `topology', after in_turn
network() {
    read -r tokens hops <"$(kept "$topology").sizes"
    ratio=$(calc %.2f "$(of_rounds 'mine / crossbar')")
    judge "$ratio" "$2"
    of_crossbar=$verdict
    hop=-
    goal=$3
    if [ -s "$(kept df3)" ]; then
        hop=$(calc %.2f "$(of_rounds '(mine - crossbar) / hops / df3')")
    elif [ "$3" != - ]; then
        goal=-
        skipped=$((skipped + 1))
    fi
    judge "$hop" "$goal"
    row "$1" "$(calc %.1f "$(of_rounds 'mine / tokens')")" "$(calc %.2f "$hops / $tokens")" "$ratio" "$2" \
        "$of_crossbar" "$(calc %.1f "$(of_rounds '(mine - crossbar) / hops')")" "$hop" "$3" "$verdict"
}

# alone NAME SETTINGS GOAL: cycles per second of a network with traffic alone, at load 0.1
alone() {
    progress "networks: $1 alone"
    # shellcheck disable=SC2086 # settings are words
    measure "$HIATON" network $2 --load=0.1 --warm-up=1000 --cycles=100000 --precision=0.000001 --csv
    rate=$(calc %.0f "101000 / ($wall / 1e9) / 1000")
    judge "$(calc %.6f "1 / $rate")" "$(calc %.6f "1 / $3")"
    row "$1" "$rate" "$3" "$verdict"
}

networks() {
    row '<fib on' 'ns/token' 'hops/token' 'crossbars' goal '<verdict' 'ns/hop' 'df3 tokens' goal '<verdict'
    for pes in 64 65536; do
        n=25
        ratio_goal=2.00
        hop_goal=1.50
        if [ "$pes" -ne 64 ]; then
            n=18
            ratio_goal=-
            hop_goal=6.00
        fi
        in_turn "$pes" "$n"
        topology=mesh
        network "mesh, $pes PEs" "$ratio_goal" "$hop_goal"
        topology=torus
        network "torus, $pes PEs" "$ratio_goal" -
    done
    table "Networks: times that of the crossbar, and what a hop costs"
    say "All take turns, and a ratio is the median of those of the rounds. A hop is what a run takes longer than on the" \
        "crossbar, divided by its hops; df3 is the prototype of the first race, of which a token is one here too."
    grid="-s pe.count=64 -s network.topology=mesh -s network.latency=1 -s network.router.latency=3"
    row '<8x8 mesh at load 0.1' 'thousand cycles/s' goal '<verdict'
    alone "unlimited queues" "$grid" 260
    alone "8 channels of 8 tokens" \
        "$grid -s network.capacity=8 -s network.iterations=2 -s network.speedup=2" 65
    table "Networks alone"
}

# --- platforms -----------------------------------------------------------------------------------

# carried PROGRAM ARGUMENT...: microseconds per message, added to FILE $temp/NAME; `sum' is that of
# its dates
carried() {
    name=$1
    shift
    measure "$@"
    sed -n 's/ us.*//p' "$temp/out" >>"$temp/$name"
    sum=$(sed -n 's/.*sum //p' "$temp/out")
}

# SimGrid's module against a prototype on the same sends, in turn; and the native model.
platforms() {
    carrier=$(dirname "$HIATON")/tests/bench/carrier
    if [ ! -e "$(dirname "$HIATON")/hiaton-simgrid.so" ] || [ ! -e "$STUDY/simgrid/sgshim.cpp" ]; then
        say "Platforms: skipped, for there is no SimGrid, or no prototype in $STUDY/simgrid."
        skipped=$((skipped + 2))
        return
    fi
    mkdir -p "$BENCH_DIR"
    HIATON_MODULES=$(dirname "$HIATON")
    export HIATON_MODULES
    g++ -O2 -w -I"$STUDY/simgrid" -o "$BENCH_DIR/shim" "$SRCDIR/tests/bench/shim.cpp" "$STUDY/simgrid/sgshim.cpp" \
        -lsimgrid || die "tests/bench/shim.cpp: cannot be built"
    "$HIATON" platform star --bandwidth 10GBps --latency 100ns -o "$temp/star.xml"
    row '<64 bytes, at once' 'SimGrid' 'prototype' 'ratio' goal '<verdict' 'native' 'of SimGrid' goal '<verdict'
    for at_once in 1 10 100 1000; do
        messages=50000
        [ "$at_once" -lt 1000 ] || messages=5000
        "$carrier" make "$temp/star.xml" "$temp/sends" $at_once $messages 64 || die "no sends can be made"
        : >"$temp/ours"
        : >"$temp/theirs"
        : >"$temp/native"
        round=0
        while [ $((round += 1)) -le "$rounds" ]; do
            progress "platforms: $at_once at once, round $round of $rounds"
            carried ours "$carrier" simgrid "$temp/star.xml" "$temp/sends"
            ours_sum=$sum
            carried theirs "$BENCH_DIR/shim" "$temp/star.xml" "$temp/sends"
            [ "$sum" = "$ours_sum" ] || die "SimGrid's module and the prototype differ in their dates"
            carried native "$carrier" native "$temp/star.xml" "$temp/sends"
        done
        ours=$(median "$temp/ours")
        ratio=$(calc %.2f "$ours / $(median "$temp/theirs")")
        judge "$ratio" 1.20
        verdict_of_simgrid=$verdict
        part=$(calc %.3f "$(median "$temp/native") / $ours")
        judge "$part" 0.100
        row "$at_once" "$(calc %.2f "$ours")" "$(calc %.2f "$(median "$temp/theirs")")" "$ratio" 1.20 \
            "$verdict_of_simgrid" "$(calc %.3f "$(median "$temp/native")")" "$part" 0.100 "$verdict"
    done
    table "Platforms: microseconds per message"
}

# --- analyses ------------------------------------------------------------------------------------

# events PROGRAM WORD...: of a run, of all levels
events() {
    "$HIATON" run -q --trace "$temp/run.trc" --level=queues "$@" >"$temp/out" ||
        die "failed: run --trace $*"
    "$HIATON" trace info "$temp/run.trc" | sed -n 's/^events  *\([0-9]*\).*/\1/p'
}

# user COMMAND...: its user time in ns; its output is in $temp/out
user() {
    (
        "$@" >"$temp/out" 2>"$temp/err" </dev/null && times
    ) | awk 'END { split($1, part, /[ms]/); printf "%.0f\n", (part[1] * 60 + part[2]) * 1e9 }'
}

# All analyses at once, and the causes of cycles, which make the run twice, beyond the run itself in
# user time: one after the other, so that they meet the same machine. Of the loop, which is long,
# the events of a short one tell how many there are.
analyses() {
    names=$("$HIATON" analyse --help | sed -n 's/^  \([a-z]*\) \[[a-z]*\]:.*/\1/p' | tr '\n' ',')
    names=${names%,}
    total=$(events -s pe.count=16 "$examples/fib.df" n=24)
    : >"$temp/ratio"
    : >"$temp/ratio-causes"
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        progress "analyses: fib(24), round $round of $rounds"
        plain=$(user "$HIATON" run --json -s pe.count=16 "$examples/fib.df" n=24)
        analysed=$(user "$HIATON" analyse --json --only="$names" -s pe.count=16 "$examples/fib.df" n=24)
        calc '%.4f\n' "($analysed - $plain) / $total" >>"$temp/ratio"
        analysed=$(user "$HIATON" analyse --causes -s pe.count=16 "$examples/fib.df" n=24)
        calc '%.4f\n' "($analysed - $plain) / $total" >>"$temp/ratio-causes"
    done
    row '<what' measured least goal '<unit' '<verdict'
    ns=$(calc %.1f "$(median "$temp/ratio")")
    judge "$ns" 100
    row "fib(24), 16 PEs, $total events, all analyses: time per event beyond the run" "$ns" \
        "$(calc %.1f "$(least "$temp/ratio")")" 100 ns "$verdict"
    ns=$(calc %.1f "$(median "$temp/ratio-causes")")
    judge "$ns" 100
    row "the same, causes: time per event beyond the run" "$ns" \
        "$(calc %.1f "$(least "$temp/ratio-causes")")" 100 ns "$verdict"

    iterations=1700000
    [ -z "$quick" ] || iterations=170000
    few=$(events -s pe.count=1 "$temp/loop.df" n=1000)
    more=$(events -s pe.count=1 "$temp/loop.df" n=2000)
    total=$(calc %.0f "$few + ($more - $few) * ($iterations / 1000 - 1)")
    progress "analyses: a loop of $total events"
    measure "$HIATON" run --json -s pe.count=1 "$temp/loop.df" "n=$iterations"
    plain=$(value peak_rss_bytes)
    measure "$HIATON" analyse --json --only="$names" -s pe.count=1 "$temp/loop.df" "n=$iterations"
    megabytes=$(calc %.1f "($(value peak_rss_bytes) - $plain) / 1e6")
    judge "$megabytes" 64
    row "a loop of $iterations iterations, $total events, all analyses: memory beyond the run" \
        "$megabytes" - 64.0 MB "$verdict"
    if [ -r /proc/self/status ]; then
        progress "causes: a loop of $total events"
        peak "$HIATON" run -s pe.count=1 "$temp/loop.df" "n=$iterations"
        plain=$megabytes
        peak "$HIATON" analyse --causes -s pe.count=1 "$temp/loop.df" "n=$iterations"
        megabytes=$(calc %.1f "$megabytes - $plain")
        judge "$megabytes" 64
        row "the same, causes: memory beyond the run" "$megabytes" - 64.0 MB "$verdict"
    else
        skipped=$((skipped + 1))
    fi
    table "Analyses, against the plain run"
    growing
}

# busy COMMAND...: its user and system time in ns; its output is in $temp/out
busy() {
    (
        "$@" >"$temp/out" 2>"$temp/err" </dev/null && times
    ) | awk 'END {
        split($1, user, /[ms]/)
        split($2, kernel, /[ms]/)
        printf "%.0f\n", ((user[1] + kernel[1]) * 60 + user[2] + kernel[2]) * 1e9
    }'
}

# Whole commands on the default machine, with the runs that they make: the time of an event should
# not depend on how many there are.
growing() {
    row '<analyse, fib on the default machine' events 'ns per event' fastest goal '<verdict' MB goal '<verdict'
    while read -r n; do
        [ -z "$quick" ] || [ "$n" -lt 26 ] || continue
        total=$(events "$examples/fib.df" "n=$n")
        turns=$rounds
        [ "$n" -lt 29 ] || turns=$long_rounds
        while read -r goal options; do
            : >"$temp/each"
            round=0
            while [ $((round += 1)) -le "$turns" ]; do
                progress "analyses: fib($n) $options, round $round"
                # shellcheck disable=SC2086 # options are words
                calc '%.1f\n' "$(busy "$HIATON" analyse $options "$examples/fib.df" "n=$n") / $total" >>"$temp/each"
            done
            ns=$(calc %.0f "$(median "$temp/each")")
            judge "$ns" "$goal"
            fast_enough=$verdict
            # shellcheck disable=SC2086
            peak "$HIATON" analyse $options "$examples/fib.df" "n=$n"
            judge "$megabytes" 300
            row "fib($n), ${options#--only=}" "$total" "$ns" "$(calc %.0f "$(least "$temp/each")")" "$goal" \
                "$fast_enough" "$megabytes" 300 "$verdict"
        done <<'TEXT'
200 --only=causes
120 --only=bounds
350 --json
TEXT
    done <<'TEXT'
23
26
29
TEXT
    table "Analyses: user and system time of the command per event, and its memory (--json: all analyses)"
}

# --- tensors -------------------------------------------------------------------

# tensor_row NAME TITLE GOAL: of what chain printed
tensor_row() {
    # shellcheck disable=SC2046 # three words
    set -- "$2" "$3" $(sed -n "s/^$1 //p" "$temp/out")
    judge "$5" "$2"
    row "$1" "$(calc %.2f "$3")" "$(calc %.2f "$4")" "$(calc %.2f "$5")" "$2" "$verdict"
}

# whole_chain NAME TITLE GOAL: a row of whole processes, for 100 products
whole_chain() {
    ratio=$(median "$temp/$1-ratio")
    judge "$(calc %.2f "$ratio")" "$3"
    row "$2" "$(calc %.2f "$(median "$temp/$1-ms") / 100")" "$(calc %.2f "$(least "$temp/$1-ms") / 100")" \
        "$(calc %.2f "$ratio")" "$3" "$verdict"
}

# The same as programs, from the start of the process to its end, in turns.
whole_chains() {
    program=$SRCDIR/tests/bench/chain.df
    for file in plain run interp; do
        : >"$temp/$file-ms"
        : >"$temp/$file-ratio"
    done
    round=0
    while [ "$round" -lt "$rounds" ]; do
        progress "tensors: whole programs, round $((round + 1))"
        measure "$chain" 512 100 plain
        plain=$wall
        calc '%.3f\n' "$wall / 1e6" >>"$temp/plain-ms"
        echo 1 >>"$temp/plain-ratio"
        for way in run interp; do
            measure "$HIATON" "$way" -q "$program" products=100
            calc '%.3f\n' "$wall / 1e6" >>"$temp/$way-ms"
            calc '%.4f\n' "$wall / $plain" >>"$temp/$way-ratio"
        done
        round=$((round + 1))
    done
    row '<100 products, 512x512, whole processes' 'ms each' fastest ratio goal '<verdict'
    whole_chain plain "plain C over cblas_dgemm" -
    whole_chain interp "hiaton interp, without digests" 1.05
    whole_chain run "hiaton run, with digests" 1.08
    table "Tensors: programs, with all that a process does"
}

# per COUNT LESS MORE COMMAND...: the user time in ms that one of COUNT more adds, with MORE in place
# of LESS as last argument; the median of the rounds
per() {
    count=$1
    less=$2
    more=$3
    shift 3
    : >"$temp/added"
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        progress "tensors: $*, round $round of $rounds"
        few=$(user "$@" "$less")
        calc '%.4f\n' "($(user "$@" "$more") - $few) / 1e6 / $count" >>"$temp/added"
    done
    median "$temp/added"
}

# Small matrices, and much else than products.
networks_of_tensors() {
    row '<one thread' 'ms of user time'
    row "treernn.df, d=100: an epoch of training" \
        "$(per 40 --epochs=20 --epochs=60 "$HIATON" train -q "$SRCDIR/programs/training/treernn.df" d=100 --threads=1)"
    row "lstm.df, 256 cells: a step" \
        "$(per 4000 steps=10 steps=4010 "$HIATON" interp -q "$examples/lstm.df" cells=256)"
    table "Tensors: a tree network and an LSTM"
}

tensors() {
    progress "tensors: a chain of products"
    chain=$(dirname "$HIATON")/tests/tensor/chain
    if ! [ -x "$chain" ] || ! "$chain" 16 1 1 >"$temp/out" 2>"$temp/err"; then
        skipped=$((skipped + 4))
        say "Tensors: skipped, for there is no OpenBLAS, or $chain was not built (make bench does)."
        return
    fi
    measure "$chain" 512 20 $((2 * rounds + 1))
    row '<chain of products, 512x512' 'ms each' fastest ratio goal '<verdict'
    tensor_row plain "plain C over cblas_dgemm" -
    tensor_row blas "kernels with OpenBLAS, without digests" 1.05
    tensor_row blas-words "kernels with OpenBLAS, with digests" 1.08
    tensor_row reference "kernels with the reference, with no BLAS" -
    table "Tensors: times of the plain C loop, with one thread and the core Haswell"
    whole_chains
    networks_of_tensors
}

# --- growth ------------------------------------------------------------------------------------

# chain_of PES TOPOLOGY N: a chain of N calls, in which one PE at a time has something to do; sets
# `taken' to the ns per token, or on a mesh per hop
chain_of() {
    measure "$HIATON" run --json -s "pe.count=$1" -s "network.topology=$2" "$temp/calls.df" "n=$3"
    per=tokens
    [ "$2" != mesh ] || per=hops
    taken=$(calc '%.4f\n' "$(value wall_seconds) * 1e9 / $(value "$per")")
}

# growth_row TITLE GOAL TOPOLOGY N: a chain on 65,536 PEs as a multiple of one on 64
growth_row() {
    : >"$temp/ratio"
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        progress "growth: $1, round $round of $rounds"
        chain_of 64 "$3" "$4"
        few=$taken
        chain_of 65536 "$3" "$4"
        calc '%.4f\n' "$taken / $few" >>"$temp/ratio"
    done
    ratio=$(calc %.2f "$(median "$temp/ratio")")
    judge "$ratio" "$2"
    row "$1" "$ratio" "$(calc %.2f "$(least "$temp/ratio")")" "$2" times "$verdict"
}

growth() {
    row '<what' measured fastest goal '<unit' '<verdict'
    : >"$temp/calls"
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        progress "growth: interp, round $round of $rounds"
        interpret 1
        start=$wall
        interpret 33
        calc '%.4f\n' "($wall - $start) / 11405773" >>"$temp/calls"
    done
    ns=$(calc %.1f "$(median "$temp/calls")")
    judge "$ns" 40
    row "interp, fib(33): time of a call" "$ns" "$(calc %.1f "$(least "$temp/calls")")" 40 ns "$verdict"
    growth_row "a chain of calls, 65,536 PEs, crossbar: time per token, of that on 64 PEs" 1.50 crossbar 30000
    growth_row "the same, mesh: time per hop, of that on 64 PEs" 2.00 mesh 300
    table "Growth"
}

# --- many runs, and what is written ---------------------------------------------------------

# many_row TITLE GOAL UNIT COMMAND...: a row of processor time, in milliseconds
many_row() {
    title=$1
    goal=$2
    unit=$3
    shift 3
    : >"$temp/taken"
    round=0
    while [ $((round += 1)) -le "$long_rounds" ]; do
        progress "many: $title, round $round of $long_rounds"
        cpu "$@"
        echo "$taken" >>"$temp/taken"
    done
    ms=$(calc %.0f "$(median "$temp/taken")")
    judge "$ms" "$goal"
    row "$title" "$ms" "$(calc %.0f "$(least "$temp/taken")")" "$goal" "$unit" "$verdict"
}

# json_runs N: so many runs, whose times are too short for the clock of processors
json_runs() {
    seq "$1" | while read -r _; do
        "$HIATON" run --json -s pe.count=1024 "$examples/fib.df" n=16 </dev/null || return 1
    done
}

many() {
    runs=100000
    [ -z "$quick" ] || runs=10000
    cat >"$temp/many.df" <<'TEXT'
result = fact(5)
fact(n) = if n == 1 then n else n * fact(n - 1)
TEXT
    cat >"$temp/many.yaml" <<TEXT
program: many.df
settings: {limits.cycles: {range: [10000, $((9999 + runs))]}}
TEXT
    awk 'BEGIN {
        for (i = 0; i < 4000; i++)
            printf "f%d(x, y) = if x <= %d and y == 3 then f%d(x - 1, y * 2 + x) else [x, y][0]\n", \
                i, i, (i + 1) % 4000
        print "result = f0(3, 4)"
    }' </dev/null >"$temp/functions.df"
    row '<what' measured fastest goal '<unit' '<verdict'
    for jobs in 1 2; do
        : >"$temp/taken"
        round=0
        unpin
        while [ $((round += 1)) -le "$long_rounds" ]; do
            progress "many: a sweep, $jobs workers, round $round of $long_rounds"
            rm -f "$temp/many.db"
            measure "$HIATON" sweep run -q -j "$jobs" "$temp/many.yaml" -o "$temp/many.db"
            calc '%.2f\n' "$wall / 1000 / $runs" >>"$temp/taken"
        done
        pin
        each=$(calc %.1f "$(median "$temp/taken")")
        goal=-
        [ "$jobs" -eq 1 ] || goal=83.3
        judge "$each" "$goal"
        row "a sweep of $runs runs of fact(5), $jobs at once: time per run" "$each" \
            "$(calc %.1f "$(least "$temp/taken")")" "$goal" us "$verdict"
    done
    many_row "results show of $runs runs: processor time" - ms "$HIATON" results show "$temp/many.db"
    peak "$HIATON" results show "$temp/many.db"
    row "the same: peak of memory" "$megabytes" - - MB -
    many_row "20 times run --json of fib(16) on 1,024 PEs: processor time" - ms json_runs 20
    many_row "4,000 functions compiled and printed: processor time" - ms \
        "$HIATON" graph --stage=image "$temp/functions.df"
    table "Many runs, and what is written"
}

# --- the processor -----------------------------------------------------------------------------

# Two runs in turn on different processors are not comparable.
# pin, unpin: keep this script and its commands on one processor, or on all of before
processors=
one=
pin() {
    command -v taskset >/dev/null || return 0
    processors=$(taskset -cp $$ | sed 's/.*: *//')
    one=${processors##*[,-]}
    taskset -cp "$one" $$ >/dev/null || processors=
}
unpin() { [ -z "$processors" ] || taskset -cp "$processors" $$ >/dev/null; }

# --- the machine -----------------------------------------------------------------------------

# version COMPILER: what it calls itself
version() { "$1" --version 2>/dev/null | head -n 1; }

describe() {
    processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
    fact processor "${processor:-unknown}"
    fact cores "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)"
    fact pinned "${processors:+processor }${one:-no}"
    pages=/sys/kernel/mm/transparent_hugepage/enabled
    fact "large pages" "$(sed -n 's/.*\[\(.*\)\].*/\1/p' "$pages" 2>/dev/null || echo unknown)"
    if [ -n "${BUILT_WITH-}" ]; then
        fact Hiaton "$(version "${BUILT_WITH%% *}"); $BUILT_WITH"
    else
        fact Hiaton "$("$HIATON" --version | head -n 1)"
    fi
    if [ -d "$STUDY/engine" ] && command -v gcc >/dev/null; then
        fact prototypes "$(version gcc); gcc $prototype_flags"
    fi
    [ "$what" = counts ] || fact rounds "$rounds"
    say
}

# --- the script -------------------------------------------------------------------------------

what='times'
out=${OUT-}
rounds=${ROUNDS-}
quick=${QUICK-}
against=
while [ $# -gt 0 ]; do
    case $1 in
    --count) what=counts ;;
    --parts) what=parts ;;
    --help)
        usage
        exit 0
        ;;
    --out | --rounds | --against)
        [ $# -gt 1 ] || misuse "$1 needs a value"
        case $1 in
        --out) out=$2 ;;
        --rounds) rounds=$2 ;;
        --against)
            [ -n "$2" ] || misuse "--against needs another hiaton"
            against=$2
            ;;
        esac
        shift
        ;;
    --quick) quick=1 ;;
    *) misuse "there is no option or argument \`$1'" ;;
    esac
    shift
done

interp_aim=1200000000 # ns
interp_least=33
long_rounds=3
[ "${quick:-0}" != 0 ] || quick=
if [ -n "$quick" ]; then
    interp_aim=500000000
    interp_least=27
    long_rounds=1
fi
rounds=${rounds:-${quick:+3}}
rounds=${rounds:-7}
case $rounds in '' | *[!0-9]* | 0*) misuse "\`$rounds' is no number of rounds" ;; esac

HIATON=${HIATON:?the program to measure}
SRCDIR=${SRCDIR:-$(dirname "$0")/../..}
STUDY=${STUDY:-$SRCDIR/../shared/study}
BENCH_DIR=${BENCH_DIR:-bench}
case $BENCH_DIR in /*) ;; *) BENCH_DIR=$PWD/$BENCH_DIR ;; esac
VALGRIND=${VALGRIND-$(command -v valgrind || :)}
examples=$SRCDIR/programs/examples
for program in "$HIATON" ${against:+"$against"}; do
    [ -x "$program" ] || misuse "there is no program $program"
done
case $(date +%s%N) in *[!0-9]*) die "this \`date' has no nanoseconds (%N)" ;; esac

prototype_flags="-O3 -march=native"
if [ "$what" = counts ]; then
    # Not the newest instructions, which valgrind may not know.
    prototype_flags=-O3
fi

temp=$(mktemp -d)
trap 'rm -rf "$temp" ${out:+"$out.tmp"}' EXIT
trap 'progress_end; exit 130' INT
trap 'exit 1' HUP TERM
: >"$temp/table"
: >"$temp/markdown"
[ -z "$out" ] || (: >"$out.tmp") 2>/dev/null || die "cannot write $out"

cat >"$temp/loop.df" <<'TEXT'
input n = 1000000
result = total(n)
total(n) = loop i = 0, s = 0 while i < n do i + 1, s + i return s
TEXT

cat >"$temp/calls.df" <<'TEXT'
input n = 1000
result = f(n)
f(n) = if n == 0 then 0 else 1 + f(n - 1)
TEXT

[ "$what" != 'times' ] || pin
describe
if [ -n "$against" ]; then
    shares
elif [ "$what" = counts ]; then
    counts
elif [ "$what" = parts ]; then
    parts
else
    load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo 0)
    [ "${load%%.*}" -eq 0 ] ||
        complain "others use this machine (load average $load): expect noise"
    races
    programs
    goals
    growth
    many
    unpin # writers of traces have threads of their own
    recordings
    pin
    networks
    platforms
    analyses
    unpin
    long_traces
    pin
    tensors
    last="$met goals met, $missed missed"
    [ "$skipped" -eq 0 ] || last="$last, $skipped not measured"
    printf '%s\n' "$last"
    printf '%s\n\n' "$last" >>"$temp/markdown"
fi

if [ -n "$out" ]; then
    { sed '$d' "$temp/markdown" >"$out.tmp" && mv "$out.tmp" "$out"; } || die "cannot write $out"
fi
