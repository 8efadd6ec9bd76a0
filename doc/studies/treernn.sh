#!/bin/sh
# The measurements of doc/studies/treernn.md:
#
#   doc/studies/treernn.sh learn     trains, writes treernn-learning.csv: some minutes
#   doc/studies/treernn.sh figure    draws it: treernn-learning.svg (needs gnuplot)
#   doc/studies/treernn.sh ways      prints the table on recursion, iteration and unrolling
#   doc/studies/treernn.sh machine   prints what they take on a machine
#   doc/studies/treernn.sh all       all of it
#
# HIATON is the program to run, build/hiaton if not given; OUT the folder for the files, the present one if not
# given; SST the trees of the Stanford Sentiment Treebank's development set, without which their rows are left out.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
programs=$programs/training
sst=${SST:-$here/../../../shared/data/sst/dev.txt}
out=${OUT:-.}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM

"$hiaton" trees --count 900 --seed 1 -o "$temp/made.txt"
cp "$programs"/*.df "$programs/trees.txt" "$temp"
chmod u+w "$temp"/*

# train NAME PROGRAM TREES HELD RATE EPOCHS: rows name, epoch, loss, held loss, held accuracy
train() {
    "$hiaton" train -q "$temp/$2.df" --trees "$3" --held "$4" --rate "$5" --epochs "$6" --batch 5 \
        -s tensor.math=reference |
        awk -v name="$1" 'NR > 1 { print name "," $1 "," $3 "," $4 "," $5 }'
}

learn() {
    {
        echo network,epoch,loss,held_loss,held_accuracy
        train 'TreeRNN; made' treernn "$temp/made.txt" 200 0.005 16
        train 'RNTN; made' rntn "$temp/made.txt" 200 0.005 16
        train 'TreeLSTM; made' treelstm "$temp/made.txt" 200 0.005 16
        if [ -e "$sst" ]; then
            "$hiaton" trees --shuffle --seed 1 "$sst" -o "$temp/sst.txt"
            train 'TreeRNN; SST' treernn "$temp/sst.txt" 220 0.002 8
        else
            echo "skipped: the trees of $sst: they are not here" >&2
        fi
    } >"$out/treernn-learning.csv"
    # The share of the greater class among those held out: what who always says it comes to.
    for trees in "made.txt 200" "sst.txt 220"; do
        # shellcheck disable=SC2086 # words
        set -- $trees
        [ -e "$temp/$1" ] || continue
        tail -n "$2" "$temp/$1" | cut -c 2 | awk -v trees="$1" '
            $1 > 2 { more++ }
            END { if (2 * more < NR) more = NR - more; printf "%s: greater class %.4f\n", trees, more / NR }'
    done
}

figure() {
    cat >"$temp/plot" <<TEXT
set terminal svg size 680,420 font "sans,13" background "white"
set output "$out/treernn-learning.svg"
set datafile separator ","
set key outside right top
set xlabel "epoch"
set ylabel "accuracy on trees held out"
set yrange [0.4:1]
set xrange [0:16.5]
set grid ytics lc rgb "#dddddd"
set arrow from 0,0.575 to 16.5,0.575 nohead dt 3 lc rgb "#0072b2"
set arrow from 0,0.5909 to 16.5,0.5909 nohead dt 3 lc rgb "#d55e00"
plot \\
TEXT
    colour=0
    for name in 'TreeRNN; made' 'RNTN; made' 'TreeLSTM; made' 'TreeRNN; SST'; do
        grep -q "^$name," "$out/treernn-learning.csv" || continue
        colour=$((colour + 1))
        rgb=$(echo '#0072b2 #009e73 #cc79a7 #d55e00' | cut -d ' ' -f $colour)
        printf '"< grep %s %s/treernn-learning.csv" using 2:5 with linespoints pt %d ps 0.5 lw 1.5 lc rgb "%s" title "%s", \\\n' \
            "'^$name,'" "$out" $((colour + 4)) "$rgb" "$(echo "$name" | tr ';' ',')" >>"$temp/plot"
    done
    echo 'NaN notitle' >>"$temp/plot"
    gnuplot "$temp/plot"
}

ways() {
    "$hiaton" trees --count 120 --seed 2 -o "$temp/few.txt"
    "$hiaton" trees --unroll "$programs/treernn.df" "$temp/few.txt" -o "$temp/treernn-unrolled.df"
    echo '| way | first loss | loss after 100 steps | greatest difference | held-out loss |'
    echo '|---|---:|---:|---:|---:|'
    for way in treernn treernn-iteration treernn-unrolled; do
        "$hiaton" train -q "$temp/$way.df" --trees "$temp/few.txt" --steps 100 --batch 5 --held 20 \
            -s tensor.math=reference -o "$temp/$way" >/dev/null
        paste -d , "$temp/treernn/steps.csv" "$temp/$way/steps.csv" | awk -F, -v way="$way" '
            NR == 2 { first = $10 }
            NR > 1 { d = $3 - $10; if (d < 0) d = -d; if (d > most) most = d; last = $10; held = $11 }
            END { printf "| `%s` | %s | %s | %.1e | %s |\n", way, first, last, most, held }'
    done
}

# Makes the call of `loss` wait for the arrays that the trees are and for the params, so that its window has nothing of these.
begin_with_all_read() {
    sed 's/^result = .*/result = rounded(loss(example + 0 * made))/' "$1"
    echo 'made = sum(sizes) + sum(ends) + sum(label) + words + int(reduce_sum(e) + reduce_sum(w) + reduce_sum(b) + reduce_sum(u))'
}

machine() {
    echo '| way | nodes | firings | cycles, ideal | cycles, 16 PEs |'
    echo '|---|---:|---:|---:|---:|'
    for mean in 13 27 53; do
        "$hiaton" trees --count 1 --mean $mean --seed 2 -o "$temp/trees.txt"
        "$hiaton" trees --unroll "$programs/treernn.df" "$temp/trees.txt" -o "$temp/treernn-unrolled.df"
        for way in treernn treernn-iteration treernn-unrolled; do
            begin_with_all_read "$temp/$way.df" >"$temp/once-$way.df"
            # The part of the run that is the call of loss: reading the tree and making the params is not in it.
            for machine in ideal default; do
                "$hiaton" run -q -m $machine --window loss --stats "$temp/$machine" "$temp/once-$way.df" >/dev/null
            done
            awk -v way="$way" -v nodes=$mean '
                /^  "(firings|cycles)"/ { gsub(/[",:]/, ""); v[NR == FNR, $1] = $2 }
                END {
                    printf "| `%s` | %d | %d | %d | %d |\n", way, nodes, v[0, "firings"], v[1, "cycles"], v[0, "cycles"]
                }' "$temp/ideal" "$temp/default"
        done
    done
}

case ${1:-all} in
learn | figure | ways | machine) "$1" ;;
all)
    learn
    figure
    ways
    machine
    ;;
*)
    echo "usage: $0 learn|figure|ways|machine|all" >&2
    exit 2
    ;;
esac
