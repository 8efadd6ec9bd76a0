#!/bin/sh
# The experiment of doc/studies/table2.md: the machine tf-executor against tables 2 and 3 of Kostopoulou,
# Charalambidis, Rondogiannis (2024): TreeRNN, instances per second.
#
#   doc/studies/table2.sh calibrate    finds the four free numbers, and prints them as table2.settings has them
#   doc/studies/table2.sh predict      writes table2-predicted.csv: all twelve
#   doc/studies/table2.sh table        prints that as a table in Markdown
#   doc/studies/table2.sh figure       draws it: table2.svg (needs gnuplot)
#   doc/studies/table2.sh table1       shows table 1 again, with the settings that are new
#   doc/studies/table2.sh afterwards   prints what the page says on why it failed
#   doc/studies/table2.sh all          all but calibrate
#
# HIATON is the program to run, build/hiaton if not given; OUT the folder for the files, the present one if not
# given; ROWS the published rows, tests/data/table2.csv if not given; SETTINGS what the machine is, table2.settings beside
# this if not given; TREES how many trees, 100 if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"

out=${OUT:-.}
rows=${ROWS:-$here/../../tests/data/table2.csv}
settings=${SETTINGS:-$here/table2.settings}
trees=${TREES:-100}
predicted=$out/table2-predicted.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"$hiaton" trees --count "$trees" --seed 1 -o "$work/trees"

# Settings of the machine, and what the client takes: `client.step' for each step, in ns; `client.node' for each node
# of a graph that it builds.
setting() {
    awk -v key="$1" '$1 == key { print $2 }' "$settings"
}
machine=$(awk '!/^#/ && NF && $1 !~ /^client\./ { printf " -s %s=%s", $1, $2 }' "$settings")

# programs WAY TASK BATCH: in a folder of that name, one for each step
programs() {
    folder=$work/$1-$2-$3
    [ -d "$folder" ] && return
    mkdir "$folder"
    awk -v folder="$folder" -v batch="$3" '{
        print >sprintf("%s/%05d.trees", folder, (NR - 1) / batch)
    }' "$work/trees"
    for batch in "$folder"/*.trees; do
        awk -v way="$1" -v task="$2" -f "$here/table2.awk" "$batch" >"${batch%.trees}.df"
    done
}

# measured WAY TASK BATCH [OPTION...]: steps, ns of all, and nodes of all
measured() {
    programs "$1" "$2" "$3"
    folder=$work/$1-$2-$3 part='--window step'
    [ "$1" != unrolling ] || part=''
    shift 3
    for program in "$folder"/*.df; do
        # shellcheck disable=SC2086 # options
        "$hiaton" run -q -m tf-executor $machine $part "$@" --stats "$work/stats" "$program" >"$work/result" ||
            exit 1
        cat "$work/stats"
    done | awk '
        /^  "(cycles|live_nodes)"/ { gsub(/[",:]/, ""); sum[$1] += $2; steps += $1 == "cycles" }
        END { print steps, sum["cycles"], sum["live_nodes"] }'
}

# seconds WAY TASK BATCH STEP NODE [OPTION...]: of a tree; the client takes STEP and NODE
seconds() {
    way=$1 task=$2 batch=$3 client_step=$4 client_node=$5
    shift 5
    [ "$way" = unrolling ] || client_node=0 # its graph is built once for all trees
    measured "$way" "$task" "$batch" "$@" | awk -v step="$client_step" -v node="$client_node" -v trees="$trees" '
        { printf "%.9f\n", ($1 * step + $2 + $3 * node) / trees / 1e9 }'
}

# --- calibrate ---------------------------------------------------------------------------------------

# published WAY TASK BATCH: per second
published() {
    awk -F, -v way="$1" -v task="$2" -v batch="$3" '$1 == way && $2 == task && $3 == batch { print $4 }' "$rows"
}

# The time of iteration gives what the client takes at each cost of a launch; that of recursion by fives the hand-off,
# by the rule of false position: time is nearly linear in it. Of all costs of a launch that is taken which is nearest to
# recursion one by one: whether a worker sleeps is a jump, so that none need be right. What is left of the time of
# unrolling is building the graph.
calibrate() {
    for launch in ${LAUNCHES:-2000 4000 6000 8000 10000 12000 14000 16000 20000}; do
        step=$(seconds iteration inference 1 0 0 -s unit.tensor.launch="$launch" |
            awk -v target="$(published iteration inference 1)" '{ printf "%d\n", (1 / target - $1) * 1e9 + 0.5 }')
        h0=50000 t0=$(by_fives $h0) handoff=150000
        for _ in 1 2 3; do
            now=$(by_fives "$handoff")
            new=$(echo "$h0 $t0 $handoff $now $(published recursion training 5)" | awk '
                { h = $4 == $2 ? $3 : $3 + (1 / $5 - $4) * ($3 - $1) / ($4 - $2); printf "%d\n", h < 0 ? 0 : h + 0.5 }')
            h0=$handoff t0=$now handoff=$new
        done
        now=$(by_fives "$handoff")
        one=$(seconds recursion training 1 "$step" 0 -s unit.tensor.launch="$launch" -s executor.handoff.latency="$handoff")
        echo "$launch $step $handoff $one $now" |
            awk -v one="$(published recursion training 1)" -v five="$(published recursion training 5)" '
                { printf "%d %d %d %.2f %.2f %.6f\n", $1, $2, $3, 1 / $4, 1 / $5, (1 / $4 / one - 1) ^ 2 + (1 / $5 / five - 1) ^ 2 }' |
            tee -a "$work/tried" >&2
    done
    sort -k 6,6g "$work/tried" | head -n 1 | while read -r l s h _; do
        node=$(measured unrolling inference 1 -s unit.tensor.launch="$l" -s executor.handoff.latency="$h" |
            awk -v step="$s" -v target="$(published unrolling inference 1)" -v trees="$trees" '
                { printf "%d\n", (trees / target * 1e9 - $1 * step - $2) / $3 + 0.5 }')
        printf 'client.step %s\nclient.node %s\nunit.tensor.launch %s\nexecutor.handoff.latency %s\n' "$s" "$node" \
            "$l" "$h"
    done
}

# by_fives HANDOFF: seconds of a tree, by recursion in batches of five
by_fives() {
    seconds recursion training 5 "$step" 0 -s unit.tensor.launch="$launch" -s executor.handoff.latency="$1"
}

# --- predict -----------------------------------------------------------------------------------------

predict() {
    {
        echo way,task,batch,published_per_s,here_per_s,use
        grep -v '^#' "$rows" | while IFS=, read -r way task batch published use; do
            [ "$batch" -le "${MOST:-25}" ] || continue
            time=$(seconds "$way" "$task" "$batch" "$(setting client.step)" "$(setting client.node)")
            echo "$way,$task,$batch,$published,$time,$use" |
                awk -F, '{ printf "%s,%s,%s,%s,%.2f,%s\n", $1, $2, $3, $4, 1 / $5, $6 }'
        done
    } >"$predicted.tmp"
    mv "$predicted.tmp" "$predicted"
}

table() {
    awk -F, '
        NR == 1 {
            print "| way | | batch | use | published, 1/s | here, 1/s | error |"
            print "|---|---|---:|---|---:|---:|---:|"
            next
        }
        { printf "| %s | %s | %s | %s | %s | %s | %+.1f %% |\n", $1, $2, $3, $6, $4, $5, 100 * ($5 - $4) / $4 }
        $6 == "predicted" {
            e = ($5 - $4) / $4
            n++
            near += e ^ 2 <= 0.0625
            if (e ^ 2 > worst ^ 2) { worst = e; which = $1 ", " $2 ", " $3 }
        }
        END { printf "\nwithin 25 %%: %d of the %d predicted; worst: %+.1f %% (%s)\n", near, n, 100 * worst, which }' "$predicted"
}

# rates WAY COLUMN: of training, by batch
rates() {
    awk -F, -v way="$1" -v column="$2" '$1 == way && $2 == "training" { print $3, $column }' "$predicted" >"$work/$1-$2"
}

figure() {
    for way in iteration recursion; do
        rates $way 4
        rates $way 5
    done
    gnuplot - <<GNUPLOT
set terminal svg size 640,400 font "sans,13" background "white"
set output "$out/table2.svg"
set grid ytics linecolor "#dddddd"
set xlabel "trees in a batch"
set ylabel "trees per second, training"
set xtics (1, 5, 10, 25)
set xrange [0:26]
set yrange [0:*]
set key outside right top
plot "$work/iteration-4" with linespoints pointtype 7 linecolor "#1f77b4" title "iteration, published", \
    "$work/iteration-5" with linespoints pointtype 6 dashtype 2 linecolor "#1f77b4" title "iteration, here", \
    "$work/recursion-4" with linespoints pointtype 5 linecolor "#d62728" title "recursion, published", \
    "$work/recursion-5" with linespoints pointtype 4 dashtype 2 linecolor "#d62728" title "recursion, here"
GNUPLOT
}

# --- afterwards --------------------------------------------------------------------------------------

# With half the hand-off, and with none: what a tree takes is nearly linear in it as long as workers do sleep.
afterwards() {
    handoff=$(setting executor.handoff.latency)
    echo '| way | | batch | published, ms a tree | here | with half the hand-off | with none | serial, ms a tree more |'
    echo '|---|---|---:|---:|---:|---:|---:|---:|'
    grep ',training,' "$rows" | grep -v unrolling | while IFS=, read -r way task batch published _; do
        for h in "$handoff" $((handoff / 2)) 0; do
            seconds "$way" "$task" "$batch" "$(setting client.step)" 0 -s executor.handoff.latency="$h"
        done | tr '\n' ' ' | awk -v way="$way" -v task="$task" -v batch="$batch" -v published="$published" '{
            t = 1 / published
            printf "| %s | %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f |\n", way, task, batch, 1e3 * t, 1e3 * $1,
                1e3 * $2, 1e3 * $3, 1e3 * (t - $3)
        }'
    done
    for task in inference training; do
        echo "unrolling, $task: steps, ns and nodes of all: $(measured unrolling $task 1)"
    done
}

# Table 1 with what is new here: its first row of each function. And how often a call of fib hands the lock over.
table1() {
    sleep=$(setting executor.sleep.latency) handoff=$(setting executor.handoff.latency)
    awk -F, '!/^#/ && !seen[$1]++' "$here/../../tests/data/table1.csv" >"$work/table1.csv"
    MORE="-s executor.sleep.latency=$sleep -s executor.handoff.latency=$handoff"
    export MORE
    ROWS=$work/table1.csv MOST=3000000 OUT=$work sh "$here/table1.sh" predict
    echo '| row | strategy | published, s | with what sleeps | error |'
    echo '|---|---|---:|---:|---:|'
    awk -F, 'NR > 1 {
        gsub(/[a-z]*=/, "", $2)
        gsub(/ /, ", ", $2)
        printf "| %s(%s) | %s | %.3f | %.3f | %+.0f %% |\n", $1, $2, $3, $5, $6, 100 * ($6 - $5) / $5
    }' "$work/table1-predicted.csv"
    for h in 0 1000; do
        "$hiaton" run --json -m tf-executor -s executor.handoff.latency=$h "$examples/fib.df" n=20
    done | awk '
        /^  "(cycles|calls)"/ { gsub(/[",:]/, ""); v[$1, n[$1]++] = $2 }
        END { printf "\nhand-overs in a call of fib: %.2f\n", (v["cycles", 1] - v["cycles", 0]) / 1000 / v["calls", 0] }'
}

case ${1-} in
    calibrate) calibrate ;;
    predict) predict ;;
    table) table ;;
    figure) figure ;;
    table1) table1 ;;
    afterwards) afterwards ;;
    all)
        predict
        table
        figure
        table1
        afterwards
        ;;
    *)
        sed -n '2,16s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
