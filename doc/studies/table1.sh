#!/bin/sh
# The experiment of doc/studies/table1.md: the machine tf-executor against table 1 of
# Kostopoulou, Charalambidis, Rondogiannis (2024).
#
#   doc/studies/table1.sh calibrate      finds the six free numbers of the preset, and prints them
#   doc/studies/table1.sh predict        writes table1-predicted.csv: all 54 times
#   doc/studies/table1.sh table          prints that as a table in Markdown, and the errors
#   doc/studies/table1.sh figure         draws it: table1.svg (needs gnuplot)
#   doc/studies/table1.sh claims         prints the tables on the paper's claims
#   doc/studies/table1.sh sensitivity    prints what the assumed settings do
#   doc/studies/table1.sh all            predict, table, figure, claims, sensitivity
#
# HIATON is the program to run, build/hiaton if not given; OUT the folder for the files, the present
# one if not given; ROWS the published rows, tests/data/table1.csv if not given.
# Rows with more than MOST calls, 30000000 if not given, are extrapolated. MORE: options of `hiaton run' more.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"

out=${OUT:-.}
most=${MOST:-30000000}
rows=${ROWS:-$here/../../tests/data/table1.csv}
predicted=$out/table1-predicted.csv

# value KEY: of the JSON object on standard input
value() {
    awk -v key="\"$1\":" '$1 == key { gsub(/[",]/, "", $2); print $2 }'
}

# seconds STRATEGY PROGRAM INPUTS [OPTION...]
seconds() {
    strategy=$1 program=$2 inputs=$3
    shift 3
    # shellcheck disable=SC2086 # inputs are words
    "$hiaton" run --json -m tf-executor --strategy "$strategy" ${MORE:-} "$@" "$program" $inputs |
        value cycles | awk '{ printf "%.9f\n", $1 / 1e9 }'
}

# --- calibrate -------------------------------------------------------------------------------

# published FUNCTION INPUTS STRATEGY: seconds
published() {
    awk -F, -v f="$1" -v i="$2" -v column="$(column_of "$3")" \
        '$1 == f && $2 == i { print $column }' "$rows"
}

column_of() {
    case $1 in static) echo 5 ;; *) echo 6 ;; esac
}

# three_times STRATEGY KEY VALUE KEY VALUE KEY VALUE [OPTION...]: those of the three rows
three_times() {
    of=$1 first=$2=$3 second=$4=$5 third=$6=$7
    shift 7
    set -- -s "$first" -s "$second" -s "$third" "$@"
    echo "$(seconds "$of" "$examples/fib.df" n=26 "$@")" \
        "$(seconds "$of" "$examples/ack.df" "m=3 n=5" "$@")" \
        "$(seconds "$of" "$examples/primes.df" n=7500 "$@")"
}

# A step of Newton's method. On standard input: the numbers, their steps, the targets, the times,
# and the times after a step of each number. Prints the new numbers.
newton() {
    awk '
        { for (i = 1; i <= 3; i++) v[NR, i] = $i }
        END {
            for (i = 1; i <= 3; i++) {
                for (j = 1; j <= 3; j++)
                    a[i, j] = (v[4 + j, i] - v[4, i]) / v[2, j]
                a[i, 4] = v[3, i] - v[4, i]
            }
            for (k = 1; k <= 3; k++) {
                p = k
                for (i = k; i <= 3; i++)
                    if (a[i, k] ^ 2 > a[p, k] ^ 2) p = i
                for (j = 1; j <= 4; j++) { x = a[k, j]; a[k, j] = a[p, j]; a[p, j] = x }
                for (i = 1; i <= 3; i++) {
                    if (i == k) continue
                    x = a[i, k] / a[k, k]
                    for (j = k; j <= 4; j++) a[i, j] -= x * a[k, j]
                }
            }
            for (k = 1; k <= 3; k++) {
                x = int(v[1, k] + a[k, 4] / a[k, k] + 0.5)
                printf "%d%s", x < 0 ? 0 : x, k < 3 ? " " : "\n"
            }
        }'
}

# fit STRATEGY KEY START KEY START KEY START [OPTION...]: prints KEY VALUE lines
fit() {
    strategy_of=$1 k1=$2 v1=$3 k2=$4 v2=$5 k3=$6 v3=$7
    shift 7
    target="$(published fib n=26 "$strategy_of") $(published ack "m=3 n=5" "$strategy_of") \
$(published primes n=7500 "$strategy_of")"
    for round in 1 2 3 4; do
        d1=$((v1 / 20 + 10)) d2=$((v2 / 20 + 10)) d3=$((v3 / 20 + 10))
        now=$(three_times "$strategy_of" "$k1" "$v1" "$k2" "$v2" "$k3" "$v3" "$@")
        echo "# round $round: $k1=$v1 $k2=$v2 $k3=$v3: seconds $now, published $target" >&2
        new=$({
            echo "$v1 $v2 $v3"
            echo "$d1 $d2 $d3"
            echo "$target"
            echo "$now"
            three_times "$strategy_of" "$k1" $((v1 + d1)) "$k2" "$v2" "$k3" "$v3" "$@"
            three_times "$strategy_of" "$k1" "$v1" "$k2" $((v2 + d2)) "$k3" "$v3" "$@"
            three_times "$strategy_of" "$k1" "$v1" "$k2" "$v2" "$k3" $((v3 + d3)) "$@"
        } | newton)
        v1=${new%% *} v3=${new##* } v2=${new#* } v2=${v2% *}
    done
    printf '%s: %s\n%s: %s\n%s: %s\n' "$k1" "$v1" "$k2" "$v2" "$k3" "$v3"
}

calibrate() {
    dynamic=$(fit expanding executor.live.latency 500 copy.latency 30000 \
        executor.copy.lock.latency 6000)
    echo "$dynamic"
    live=$(echo "$dynamic" | sed -n 's/^executor.live.latency: //p')
    fit static executor.tag.latency 500 executor.frame.latency 5000 \
        executor.lock.latency 1000 -s executor.live.latency="$live"
}

# --- predict ---------------------------------------------------------------------------------

# predict_strategy STRATEGY NAME: NAME is the paper's
predict_strategy() {
    known='' per_call=''
    grep -v '^#' "$rows" | while IFS=, read -r function inputs _ calls static dynamic; do
        case $1 in static) measured=$static ;; *) measured=$dynamic ;; esac
        if [ "$calls" -le "$most" ]; then
            time=$(seconds "$1" "$examples/$function.df" "$inputs")
            known=$function how=run
            per_call=$(echo "$time $calls" | awk '{ printf "%.15f", $1 / $2 }')
        else
            [ "$known" = "$function" ] || { echo "no row of $function to run" >&2; exit 1; }
            time=$(echo "$per_call $calls" | awk '{ printf "%.9f", $1 * $2 }')
            how=extrapolated
        fi
        echo "$function,$inputs,$2,$calls,$measured,$time,$how"
    done
}

predict() {
    {
        echo "function,inputs,strategy,calls,measured_s,predicted_s,how"
        predict_strategy static static
        predict_strategy expanding dynamic
    } >"$predicted.tmp"
    mv "$predicted.tmp" "$predicted"
}

# --- show ------------------------------------------------------------------------------------

table() {
    awk -F, '
        function percent(p, m) { return sprintf("%+.1f %%", 100 * (p - m) / m) }
        NR == 1 { next }
        {
            key = $1 "(" $2 ")"
            gsub(/[a-z]=/, "", key); sub(/^/, "", key); gsub(/ /, ", ", key)
            if (!(key in seen)) { seen[key] = 1; order[++count] = key }
            measured[key, $3] = $5; predicted[key, $3] = $6
            mark[key, $3] = $7 == "run" ? "" : " \\*"
            error = ($6 - $5) / $5
            used = key == "fib(26)" || key == "ack(3, 5)" || key == "primes(7500)"
            sum += error ^ 2; all++
            if (!used) { free_sum += error ^ 2; free++ }
            if (error ^ 2 > worst ^ 2) { worst = error; where = key ", " $3 }
            if ($1 == "tak" && error ^ 2 > tak ^ 2) tak = error
        }
        END {
            print "| row | static: measured s | predicted s | error | dynamic: measured s | predicted s | error | speed-up measured | predicted |"
            print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
            for (i = 1; i <= count; i++) {
                k = order[i]
                ms = measured[k, "static"]; ps = predicted[k, "static"]
                md = measured[k, "dynamic"]; pd = predicted[k, "dynamic"]
                um = 100 * (md - ms) / md; up = 100 * (pd - ps) / pd
                if (um > 2 || um < -2) { signs++; right += um * up > 0 }
                printf "| %s | %.3f | %.3f%s | %s | %.3f | %.3f%s | %s | %.1f %% | %.1f %% |\n",
                       k, ms, ps, mark[k, "static"], percent(ps, ms), md, pd,
                       mark[k, "dynamic"], percent(pd, md), um, up
            }
            printf "\nworst: %+.2f %% (%s); root mean square: %.2f %% of all %d, ", 100 * worst, where, 100 * sqrt(sum / all), all
            printf "%.2f %% of the %d that were not used; worst of tak: %+.2f %%; ", 100 * sqrt(free_sum / free), free, 100 * tak
            printf "sign of the speed-up right in %d of %d rows where it exceeds 2 %%\n", right, signs
        }' "$predicted"
}

# curves Y FOLDER: what gnuplot draws of each function and strategy; Y is a column, or a formula
curves() {
    while read -r function colour static dynamic; do
        echo "\"$2/$function-static\" using 1:$1 with points pointtype $static linecolor \"$colour\" title \"$function, static\","
        echo "\"$2/$function-dynamic\" using 1:$1 with points pointtype $dynamic linecolor \"$colour\" title \"$function, dynamic\","
    done <<CURVES | tr "\n" " " | sed "s/, *\$//"
fib #1f77b4 7 6
ack #d62728 5 4
tak #2ca02c 9 8
primes #9467bd 13 12
CURVES
}

figure() {
    data=$(mktemp -d)
    trap 'rm -rf "$data"' EXIT
    for function in fib ack tak primes; do
        for strategy in static dynamic; do
            awk -F, -v f="$function" -v s="$strategy" '$1 == f && $3 == s { print $5, $6 }' \
                "$predicted" >"$data/$function-$strategy"
        done
    done
    points=$(curves 2 "$data") errors=$(curves "(100 * (\$2 - \$1) / \$1)" "$data")
    gnuplot - <<GNUPLOT
set terminal svg size 960,480 font "sans,13" background "white"
set output "$out/table1.svg"
set multiplot layout 1,2
set grid
set logscale x
set xrange [0.05:300]
set xlabel "seconds in TensorFlow (Kostopoulou et al. 2024, table 1)"
set key left top Left reverse
set logscale y
set yrange [0.05:300]
set ylabel "predicted by the machine tf-executor, seconds"
plot x with lines linecolor "gray" title "equal", $points
unset logscale y
unset key
set yrange [-10:10]
set ylabel "error, %"
plot 0 with lines linecolor "gray", $errors
unset multiplot
GNUPLOT
}

# --- the paper's claims ----------------------------------------------------------------------

# per_call STRATEGY PROGRAM INPUTS [OPTION...]: microseconds per call
per_call() {
    strategy=$1 program=$2 inputs=$3
    shift 3
    # shellcheck disable=SC2086
    "$hiaton" run --json -m tf-executor --strategy "$strategy" "$@" "$program" $inputs |
        awk '{ gsub(/[",:]/, "") } $1 == "cycles" { t = $2 } $1 == "calls" { c = $2 }
             END { printf "%.2f", t / c / 1000 }'
}

# Programs that differ in one thing. The tree of calls is that of fib.
# with_parameters M: a function of M parameters, all passed on as they are
with_parameters() {
    awk -v m="$1" 'BEGIN {
        for (i = 1; i < m; i++) { p = p ", a" i; z = z ", " i }
        if (m > 1) { s = " + (a1"; for (i = 2; i < m; i++) s = s " + a" i; s = s ")" }
        print "input n = 18"
        print "result = f(n" z ")"
        print "f(n" p ") = if n <= 1 then 1 else f(n-1" p ") + f(n-2" p ")"
    }'
}

# with_body K WHERE: K additions more in each call; WHERE: taken, or not taken
with_body() {
    awk -v k="$1" -v w="$2" 'BEGIN {
        e = "n"
        for (i = 1; i <= k; i++) e = e " + " i
        print "input n = 18"
        print "result = f(n)"
        if (w == "taken")
            print "f(n) = if n <= 1 then (" e ") else f(n-1) + f(n-2)"
        else
            print "f(n) = if n <= 1 then 1 else if n > 1000 then (" e ") else f(n-1) + f(n-2)"
    }'
}

# in_line K WHERE: the same, of calls that come one after the other
in_line() {
    awk -v k="$1" -v w="$2" 'BEGIN {
        e = "n"
        for (i = 1; i <= k; i++) e = e " + " i
        print "input n = 1000"
        print "result = f(n)"
        if (w == "taken")
            print "f(n) = if n <= 0 then 0 else f(n - 1 + 0 * (" e "))"
        else
            print "f(n) = if n <= 0 then 0 else if n > 100000 then (" e ") else f(n - 1)"
    }'
}

row() {
    s=$(per_call static "$2" "$3") d=$(per_call expanding "$2" "$3")
    echo "$1 $s $d" | awk '{ printf "| %s | %.2f | %.2f | %+.1f %% |\n", $1, $2, $3, 100 * ($3 - $2) / $3 }'
}

head_of() {
    echo
    echo "| $1 | static, us per call | dynamic, us per call | speed-up |"
    echo "|---|---:|---:|---:|"
}

claims() {
    data=$(mktemp -d)
    head_of "calls (fib)"
    for n in 14 16 18 20 22 24; do
        row "n=$n" "$examples/fib.df" n=$n
    done
    head_of "parameters"
    for m in 1 2 3 4 6 8 12; do
        with_parameters "$m" >"$data/p.df"
        row "$m" "$data/p.df" n=18
    done
    head_of "additions in the branch of half of the calls"
    for k in 0 5 10 20 40 80; do
        with_body "$k" taken >"$data/p.df"
        row "$k" "$data/p.df" n=18
    done
    head_of "additions in a branch that is never taken"
    for k in 0 5 10 20 40 80 160 320; do
        with_body "$k" not >"$data/p.df"
        row "$k" "$data/p.df" n=18
    done
    head_of "additions in each call, calls one after the other"
    for k in 0 5 10 20 40 80 160; do
        in_line "$k" taken >"$data/p.df"
        row "$k" "$data/p.df" n=1000
    done
    head_of "additions in a branch that is never taken, calls one after the other"
    for k in 0 20 40 80 160 320 640; do
        in_line "$k" not >"$data/p.df"
        row "$k" "$data/p.df" n=1000
    done
    rm -rf "$data"
}

# --- what was assumed --------------------------------------------------------------------------

# varied NAME [OPTION...]: microseconds per call of four rows, static and dynamic
varied() {
    line="| $1 |"
    shift
    for strategy_of in static expanding; do
        line="$line $(per_call "$strategy_of" "$examples/fib.df" n=20 "$@") |"
        line="$line $(per_call "$strategy_of" "$examples/tak.df" "x=14 y=10 z=5" "$@") |"
        line="$line $(per_call "$strategy_of" "$examples/ack.df" "m=3 n=4" "$@") |"
        line="$line $(per_call "$strategy_of" "$examples/primes.df" n=1000 "$@") |"
    done
    echo "$line"
}

sensitivity() {
    echo
    echo "| | static: fib(20) | tak(14, 10, 5) | ack(3, 4) | primes(1000) | dynamic: fib(20) | tak(14, 10, 5) | ack(3, 4) | primes(1000) |"
    echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    varied "as calibrated"
    for workers in 1 2 4 8 12 32 64; do
        varied "$workers workers" -s executor.workers=$workers
    done
    varied "no locks" -s executor.lock.latency=0 -s executor.copy.lock.latency=0
    varied "queue first in, first out" -s queue.discipline=fifo
    varied "nothing inline" -s executor.inline=none
    varied "frames of dead calls" -s executor.dead_call_frame=on
    varied "dead nodes cost 100 ns" -s executor.dead.latency=100
    varied "no cost of copied nodes" -s copy.node.latency=0
}

case ${1-} in
    calibrate) calibrate ;;
    predict) predict ;;
    table) table ;;
    figure) figure ;;
    claims) claims ;;
    sensitivity) sensitivity ;;
    all)
        predict
        table
        figure
        claims
        sensitivity
        ;;
    *)
        sed -n '2,14s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
