#!/bin/sh
# The measurements of doc/studies/growth.md, as tables in Markdown, each with its fit:
#
#   doc/studies/growth.sh [tokens] [pes] [live] [runs] [sources]
#   doc/studies/growth.sh figure        draws growth.svg beside the page, from the tables that the page has
#
# Without an argument all are measured, in some 10 minutes. Times are the processor's, user and system, of the whole
# command, the least of ROUNDS (3). HIATON is the program to run, build/hiaton if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"

rounds=${ROUNDS:-3}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 130' INT TERM

# seconds COMMAND...: the least processor time of the rounds, in `taken'; its output is in $temp/out.
seconds() {
    taken=
    round=0
    while [ $((round += 1)) -le "$rounds" ]; do
        # The second line of `times' is of the commands that the shell waited for.
        now=$(sh -c '"$@" >"$0/out" 2>"$0/err" </dev/null || exit 1; times' "$temp" "$@" | awk '
            function of(text, part) { split(text, part, "[ms]"); return 60 * part[1] + part[2] }
            NR == 2 { print of($1) + of($2) }')
        if [ -z "$now" ]; then
            cat "$temp/err" >&2
            exit 1
        fi
        taken=$(printf '%s\n' "$taken" "$now" | awk 'NF && (!n++ || $1 < least) { least = $1 } END { print least }')
    done
}

# value KEY: of the JSON object in $temp/out
value() { sed -n "s/^ *\"$1\": \"*\\([^\",]*\\)\"*,*\$/\\1/p" "$temp/out" | head -n 1; }

# point X Y [CELL...]: a row of the table, and a point of its fit
point() {
    echo "$1 $2" >>"$temp/points"
    row=
    for cell in "$@"; do
        row="$row| $cell "
    done
    echo "$row|"
}

# fit NAME-OF-X UNIT-OF-Y [FROM]: y = a x^b by least squares of the logarithms, over the points with x >= FROM,
# and the greatest factor between a point and the fit.
fit() {
    awk -v x_is="$1" -v unit="$2" -v from="${3-0}" '
        $1 >= from && $2 > 0 { n++; x[n] = log($1); y[n] = log($2); sx += x[n]; sy += y[n] }
        END {
            for (i = 1; i <= n; i++) {
                xx += (x[i] - sx / n) ^ 2
                xy += (x[i] - sx / n) * (y[i] - sy / n)
            }
            b = xy / xx
            a = exp(sy / n - b * sx / n)
            for (i = 1; i <= n; i++) {
                off = y[i] - log(a) - b * x[i]
                off = off < 0 ? -off : off
                most = off > most ? off : most
            }
            printf "\nFit: %.3g %s x %s^%.3f", a, unit, x_is, b
            if (from > 0)
                printf ", from %s = %d on", x_is, from
            printf "; no point is off by more than %.2f times.\n\n", exp(most)
        }' "$temp/points"
    : >"$temp/points"
}

# heads CELL...: of a table
heads() {
    : >"$temp/points"
    row='' rule=''
    for cell in "$@"; do
        row="$row| $cell "
        rule="$rule|---:"
    done
    printf '%s|\n%s|\n' "$row" "$rule"
}

calc() { awk "BEGIN { printf \"$1\", ($2) }" </dev/null; }

# --- tokens ----------------------------------------------------------------------

of_tokens() {
    for discipline in lifo fifo; do
        heads tokens seconds "ns per token, $discipline" "peak of live tokens" MB
        for n in 18 23 28 33 37; do
            [ "$discipline$n" != fifo37 ] || continue # its live tokens would take 15 GB
            [ "$n" -lt 33 ] || rounds=1
            seconds "$hiaton" run --json -s pe.count=64 -s network.latency=10 -s queue.discipline=$discipline \
                "$examples/fib.df" n=$n
            point "$(value tokens)" "$taken" "$(calc %.1f "$taken * 1e9 / $(value tokens)")" \
                "$(value peak_live_tokens)" "$(calc %.0f "$(value peak_rss_bytes) / 1e6")"
            rounds=${ROUNDS:-3}
        done
        fit tokens s 1000000
    done
}

# --- PEs -------------------------------------------------------------------------

of_pes() {
    heads PEs "seconds, fib(25)" "ns per token" "seconds, a chain of 30,000 calls" "ns per token of the chain" MB
    cat >"$temp/chain.df" <<'TEXT'
input n = 30000
result = chain(n)
chain(n) = if n == 0 then 0 else 1 + chain(n - 1)
TEXT
    for pes in 1 4 16 64 256 1024 4096 16384 65536; do
        seconds "$hiaton" run --json -s pe.count=$pes "$temp/chain.df"
        chain=$taken
        chain_ns=$(calc %.0f "$taken * 1e9 / $(value tokens)")
        seconds "$hiaton" run --json -s pe.count=$pes "$examples/fib.df" n=25
        point $pes "$taken" "$(calc %.1f "$taken * 1e9 / $(value tokens)")" "$chain" "$chain_ns" \
            "$(calc %.0f "$(value peak_rss_bytes) / 1e6")"
    done
    fit PEs s
}

# --- live activations ------------------------------------------------------------

of_live() {
    heads "live activations" MB "bytes per activation" seconds "ns per token"
    cat >"$temp/chain.df" <<'TEXT'
input n = 1
result = chain(n)
chain(n) = if n == 0 then 0 else 1 + chain(n - 1)
TEXT
    seconds "$hiaton" run --json "$temp/chain.df" n=1
    nothing=$(value peak_rss_bytes)
    for n in 1000 10000 100000 1000000 10000000; do
        seconds "$hiaton" run --json -s limits.cycles=0 "$temp/chain.df" n=$n
        bytes=$(($(value peak_rss_bytes) - nothing))
        point "$(value peak_tags)" "$(calc %.1f "$bytes / 1e6")" "$(calc %.0f "$bytes / $(value peak_tags)")" \
            "$taken" "$(calc %.0f "$taken * 1e9 / $(value tokens)")"
    done
    fit activations MB 100000
}

# --- runs ------------------------------------------------------------------------

of_runs() {
    cat >"$temp/fact.df" <<'TEXT'
input n = 5
result = fact(n)
fact(n) = if n == 1 then n else n * fact(n - 1)
TEXT
    heads runs "seconds of a processor" "us per run" "bytes per run in the database" "us per run to merge"
    for number in 100 1000 10000 100000; do
        cat >"$temp/runs.yaml" <<TEXT
program: fact.df
settings:
  pe.count: 16
  placement.policy: random
repeat: $number
TEXT
        # shellcheck disable=SC2016 # for the inner shell
        seconds sh -c 'rm -f "$1/runs.db"; "$0" sweep run -q -j1 "$1/runs.yaml" -o "$1/runs.db"' "$hiaton" "$temp"
        swept=$taken
        bytes=$(wc -c <"$temp/runs.db")
        for shard in 1 2; do
            "$hiaton" sweep run -q -j1 --shard=$shard/2 "$temp/runs.yaml" -o "$temp/$shard.db" >"$temp/out" 2>&1
        done
        # shellcheck disable=SC2016
        seconds sh -c 'rm -f "$1/all.db"; "$0" sweep merge -q "$1/1.db" "$1/2.db" -o "$1/all.db"' "$hiaton" "$temp"
        rm -f "$temp"/*.db
        point $number "$swept" "$(calc %.0f "$swept * 1e6 / $number")" "$(calc %.0f "$bytes / $number")" \
            "$(calc %.0f "$taken * 1e6 / $number")"
    done
    fit runs s 1000
}

# --- sizes of sources ------------------------------------------------------------

# functions N, lines N, literals N: a source of that size
functions() {
    awk -v n="$1" 'BEGIN {
        print "result = f1(1)"
        for (i = 1; i < n; i++)
            printf "f%d(x) = if x > 0 then x * %d + 1 else f%d(x + 1)\n", i, i, i + 1
        printf "f%d(x) = x\n", n
    }' </dev/null
}
lines() {
    awk -v n="$1" 'BEGIN {
        print "result = f(1)\nf(x0) = let"
        for (i = 1; i <= n; i++)
            printf "  x%d = x%d + %d%s\n", i, i - 1, i % 7, i < n ? ";" : ""
        printf "  in x%d\n", n
    }' </dev/null
}
literals() {
    awk -v n="$1" 'BEGIN {
        printf "a = ["
        for (i = 1; i < n; i++)
            printf "%d,%s", i % 1000, i % 20 ? " " : "\n  "
        print "0]\nresult = a[0]"
    }' </dev/null
}

of_sources() {
    for what in functions lines literals; do
        heads "$what" seconds "us per ${what%s}" MB
        for number in 1000 10000 30000 100000 300000; do
            $what $number >"$temp/source.df"
            seconds "$hiaton" compile "$temp/source.df" -o "$temp/image"
            compiled=$taken
            "$hiaton" run --json "$temp/source.df" >"$temp/out"
            point $number "$compiled" "$(calc %.1f "$compiled * 1e6 / $number")" \
                "$(calc %.0f "$(value peak_rss_bytes) / 1e6")"
        done
        fit "$what" s 10000
    done
}

# --- the figure ------------------------------------------------------------------

# column HEAD FACTOR [X]: columns X (1) of the page's table that has HEAD as a head of a column, and that column times
# FACTOR, one row a line
column() {
    awk -F ' *[|] *' -v head="$1" -v factor="$2" -v x="${3-1}" '
        !/^[|]/ { at = 0; next }
        !at { at = -1; for (i = 2; i < NF; i++) if ($i == head) at = i; next }
        at > 0 && $2 ~ /^[0-9]/ { print $(x + 1), $at * factor }' "$here/growth.md"
}

of_figure() {
    column "ns per token, LIFO" 1 >"$temp/lifo"
    column "ns per token, FIFO" 1 >"$temp/fifo"
    column "ns per token" 1 | awk '$1 < 100000' >"$temp/fib"
    column "ns per token of the chain" 1 >"$temp/chain"
    column "us per run" 1 >"$temp/runs"
    column "us per run to merge" 1 >"$temp/merge"
    for what in functions lines literals; do
        column "seconds, $what" 1e6 | awk '{ print $1, $2 / $1 }' >"$temp/$what"
    done
    for curve in lifo fifo fib chain runs merge functions lines literals; do
        [ -s "$temp/$curve" ] || {
            echo "growth.md has no table for $curve" >&2
            exit 1
        }
    done
    gnuplot - <<GNUPLOT
set terminal svg size 960,720 font "sans,13" background "white"
set output "$here/growth.svg"
set multiplot layout 2,2
set grid
set logscale xy
set format x "%.0s%c"
set style data linespoints
set pointsize 0.5
set key left top Left reverse
set xlabel "tokens"
set ylabel "ns per token"
set xrange [5e5:2e9]
set yrange [10:1000]
plot "$temp/lifo" title "LIFO, 64 PEs", "$temp/fifo" title "FIFO, 64 PEs"
set xlabel "PEs"
set xrange [0.7:1e5]
set xtics ("1" 1, "4" 4, "16" 16, "64" 64, "256" 256, "1k" 1024, "4k" 4096, "16k" 16384, "64k" 65536)
plot "$temp/fib" title "fib(25)", "$temp/chain" title "a chain of calls"
set xtics autofreq
set xlabel "runs"
set ylabel "us per run"
set xrange [500:2e5]
set yrange [10:100]
plot "$temp/runs" title "swept", "$temp/merge" title "merged"
set xlabel "functions, lines or literals"
set ylabel "us for each to compile"
set xrange [5e3:5e5]
set yrange [0.5:100]
plot "$temp/functions" title "functions", "$temp/lines" title "lines of one function", \
    "$temp/literals" title "literals of one list"
unset multiplot
GNUPLOT
}

[ $# -gt 0 ] || set -- tokens pes live runs sources
for curve; do
    "of_$curve"
done
