#!/bin/sh
# The measurements of doc/studies/stack-lstm.md: its figures, and its tables as Markdown.
#
#   doc/studies/stack-lstm.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder stack-lstm.results of the current one, so that a second time
# little is run again. HIATON is the program to run, build/hiaton if not given. The sentences beside
# the program are what doc/studies/stack-lstm-sentences.awk prints.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
# shellcheck source=doc/studies/stack-lstm-step.sh
. "$here/stack-lstm-step.sh"
keep stack-lstm

for mixed in 0 1; do
    name=equal
    [ $mixed = 0 ] || name=mixed
    awk -v mixed=$mixed -f "$here/stack-lstm-sentences.awk" | cmp - "$experiments/stack-lstm-$name.csv"
done
for name in stack-lstm stack-lstm-speed stack-lstm-grouping stack-lstm-tags; do
    sweep $name "$@"
done

# --- three forms ---------------------------------------------------------------------------

"$hiaton" results csv stack-lstm.db --rows inputs.training,tensor.batch.until,inputs.form,inputs.count \
    --values cycles,batched_kernels,tensor_batches >forms.csv
awk -F, '
    function what() { return $1 ? "gradient" : "loss" }
    function form() { return $3 == 0 ? "one step on tensors" : $3 == 1 ? "one step on rows" : "recursion" }
    BEGIN {
        until["none"] = "no batches"
        until["window"] = "until the unit is free"
        until["idle"] = "until the machine is idle"
        print "| cycles | | 1 sentence | 8 | 64 | each of 64 |"
        print "|---|---|---:|---:|---:|---:|"
    }
    NR == 1 { next }
    $4 == 1 { printf "| %s, %s | %s |", what(), until[$2], form() }
    { printf " %d |", $5 }
    $4 == 64 { printf " %d |\n", $5 / 64 + 0.5 }' forms.csv
echo
awk -F, '
    NR == 1 { next }
    { kernels[$1, $3, $4] = $6; launches[$1, $2, $3, $4] = $7 }
    END {
        print "| | | kernels, 1 sentence | 64 | launches, `window`, 1 sentence | 64 | `idle`, 1 sentence | 64 |"
        print "|---|---|---:|---:|---:|---:|---:|---:|"
        for (t = 0; t <= 1; t++)
            for (f = 0; f <= 2; f++)
                printf "| %s | %s | %d | %d | %d | %d | %d | %d |\n", t ? "gradient" : "loss",
                       f == 0 ? "one step on tensors" : f == 1 ? "one step on rows" : "recursion", kernels[t, f, 1],
                       kernels[t, f, 64], launches[t, "window", f, 1], launches[t, "window", f, 64], launches[t, "idle", f, 1],
                       launches[t, "idle", f, 64]
    }' forms.csv
echo

# --- bytes ---------------------------------------------------------------------------------

# megabytes MODE FORM PARAMS: of the gradient of 64 sentences.
megabytes() {
    "$hiaton" run --json "$experiments/stack-lstm.df" form="$2" count=64 training=1 -s pe.count=16 -s pe.units=4 \
        -s unit.tensor.flops=4096 -s unit.tensor.bytes=512 -s unit.tensor.launch=1000 -s tensor.unit.count=4 \
        -s tensor.unit.of=node -s tensor.math=reference -s tensor.batch.until=idle -s grad.mode="$1" -s grad.params="$3" 2>/dev/null |
        sed -n 's/^  "\(tensor_bytes\|tensor_batch_bytes\|peak_tensor_bytes\|firings\)": \([0-9]*\),/\1 \2/p' |
        awk -v mode="$1" -v form="$2" -v params="$3" '{ print mode, form, params, $1, $2 }'
}
for mode in naive paired; do
    for form in 0 1 2; do
        megabytes $mode $form dense
        megabytes $mode $form deferred
    done
done >bytes.txt
awk '
    { n[$1, $2, $3, $4] = $5 }
    END {
        split("naive paired", modes)
        split("dense deferred", params)
        split("tensor_bytes tensor_batch_bytes", stats)
        form[0] = "one step on tensors"
        form[1] = "one step on rows"
        form[2] = "recursion"
        print "| megabytes, `tensor_bytes` | | dense | rows | dense, `tensor_batch_bytes` | rows |"
        print "|---|---|---:|---:|---:|---:|"
        for (m = 1; m <= 2; m++) {
            for (f = 0; f <= 2; f++) {
                printf "| %s | %s |", modes[m], form[f]
                for (s = 1; s <= 2; s++)
                    for (p = 1; p <= 2; p++)
                        printf " %.1f |", n[modes[m], f, params[p], stats[s]] / 1e6
                print ""
            }
            printf "| %s | recursion by one step on rows |", modes[m]
            for (s = 1; s <= 2; s++)
                for (p = 1; p <= 2; p++)
                    printf " %.2f |", n[modes[m], 2, params[p], stats[s]] / n[modes[m], 1, params[p], stats[s]]
            print ""
        }
    }' bytes.txt
echo

# --- speed ---------------------------------------------------------------------------------

# By Amdahl's law a batch of b takes (1 - p) + p / b of the time of b batches of one, for each sentence. So p at 64 is what the
# paper computed, and the fit is that of least squares over all batches.
"$hiaton" results csv stack-lstm-speed.db --rows unit.tensor.launch,inputs.form,inputs.count --values cycles,tensor_batches >speed.csv
awk -F, '
    NR == 1 { next }
    $3 == 1 { one = $4 }
    {
        key = $1 "," $2
        if ($3 == 1) keys[++count] = key
        y = $4 / $3 / one - 1
        x = 1 / $3 - 1
        xy[key] += x * y
        xx[key] += x * x
        if ($3 == 64) {
            at64[key] = 64 * one / $4
            p64[key] = y / x
        }
        at256[key] = $3 * one / $4
        launches[key, $3] = $5
    }
    END {
        print "| launch | form | launches of a step, 1 sentence | 64 | speed, 64 sentences | 256 | share *p*, from 64 | fitted |"
        print "|---:|---|---:|---:|---:|---:|---:|---:|"
        for (i = 1; i <= count; i++) {
            split(keys[i], part, ",")
            printf "| %d | %s | %d | %d | %.1f | %.1f | %.2f %% | %.2f %% |\n", part[1],
                   part[2] == 1 ? "one step on rows" : "recursion", launches[keys[i], 1], launches[keys[i], 64],
                   at64[keys[i]], at256[keys[i]], 100 * p64[keys[i]], 100 * xy[keys[i]] / xx[keys[i]]
        }
    }' speed.csv
echo

# The cost of a launch at which 64 sentences are 60.8 times as fast as one: cycles are nearly linear in it, so that a line
# through two launches gives the next one.
least=10000
launch=20000
until [ "$launch" = "$least" ]; do
    next=$(echo "$least $(cycles 1 1 "$least") $(cycles 1 64 "$least") $launch $(cycles 1 1 "$launch") $(cycles 1 64 "$launch")" |
        awk '{
            one = ($5 - $2) / ($4 - $1); many = ($6 - $3) / ($4 - $1)
            printf "%d", (60.8 * ($3 - many * $1) - 64 * ($2 - one * $1)) / (64 * one - 60.8 * many) + 0.5
        }')
    least=$launch
    launch=$next
done
echo "| at a launch of $launch cycles | speed, 64 sentences | 256 | cycles of a step, 1 sentence | 64 | 256 | share of launches, 1 sentence | 64 | 256 |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
for form in 1 2; do
    for count in 1 64 256; do
        # Launches one after the other: what a step takes longer for each cycle of a launch.
        echo "$form $count $(cycles $form $count "$launch") $(cycles $form $count $((launch + 1000)))"
    done
done | awk -v launch="$launch" '
    { cycles[$2] = $3; share[$2] = 100 * ($4 - $3) / 1000 * launch / $3 }
    $2 == 256 {
        printf "| %s | %.1f | %.1f | %d | %d | %d | %.1f %% | %.1f %% | %.1f %% |\n", $1 == 1 ? "one step on rows" : "recursion",
               64 * cycles[1] / cycles[64], 256 * cycles[1] / cycles[256], cycles[1], cycles[64], cycles[256], share[1], share[64],
               share[256]
    }'
echo

# --- what joining costs -----------------------------------------------------------------------

"$hiaton" results csv stack-lstm-grouping.db --rows inputs.form,tensor.batch.gather,tensor.batch.grouping,unit.tensor.launch \
    --values cycles --per inputs.count --relative 'inputs.count == 1' --as speedup | awk -F, '
    NR == 1 { next }
    {
        key = ($1 == 1 ? "one step on rows" : "recursion") " | " ($2 == "on" ? "yes" : "no") " | " $3
        if (!(key in row)) keys[++count] = key
        row[key] = row[key] sprintf(" %.2f |", $5)
    }
    END {
        print "| form | copies | cycles per kernel | launch of 10 | 100 | 1000 | 10000 |"
        print "|---|---|---:|---:|---:|---:|---:|"
        for (i = 1; i <= count; i++)
            print "| " keys[i] " |" row[keys[i]]
    }'
echo

# The cycles for each kernel of a batch at which recursion comes to the speed of DyNet, to 2 digits.
grouping() {
    low=0
    high=4096
    while [ $((high - low)) -gt 1 ] && [ $((100 * (high - low))) -gt $high ]; do
        middle=$(((low + high) / 2))
        one=$(cycles 2 1 "$1" -s tensor.batch.gather=on -s tensor.batch.grouping=$middle)
        many=$(cycles 2 64 "$1" -s tensor.batch.gather=on -s tensor.batch.grouping=$middle)
        if awk "BEGIN { exit !(64 * $one / $many > $2) }"; then low=$middle; else high=$middle; fi
    done
    echo $low
}
echo "| cycles per kernel for | launch of 1000 | 10000 |"
echo "|---|---:|---:|"
for speed in 3.64 2.73; do
    echo "| $speed | $(grouping 1000 $speed) | $(grouping 10000 $speed) |"
done
echo

# --- tags -----------------------------------------------------------------------------------

"$hiaton" results csv stack-lstm-tags.db --rows inputs.training,inputs.mixed,inputs.count,inputs.form \
    --values cycles,batched_kernels,tensor_batches,tensor_batch_bytes,tensor_unit_busy,peak_tags,peak_tensor_bytes | awk -F, '
    NR == 1 {
        print "| | words | sentences | form | cycles | kernels | launches | bytes moved | units idle | activations | bytes alive |"
        print "|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|"
        next
    }
    {
        printf "| %s | %s | %d | %s | %d | %d | %d | %.0f | %.0f %% | %d | %d |\n", $1 ? "training" : "loss", $2 ? "4 to 20" : 12,
               $3, $4 == 1 ? "one step on rows" : "recursion", $5, $6, $7, $8, 100 - 100 * $9 / (4 * $5), $10, $11
    }'
echo

# What of the steps for all sentences is of a sentence that has not ended.
awk -F, '
    { all += $1; if ($1 > longest) longest = $1 }
    NR == 1 || NR == 8 || NR == 64 || NR == 256 {
        printf "%d sentences: %d operations in %d steps, %.0f %%\n", NR, all, longest, 100 * all / longest / NR
    }' "$experiments/stack-lstm-mixed.csv"
