#!/bin/sh
# The tables of doc/studies/arrays.md, in Markdown:
#
#   doc/studies/arrays.sh
#
# HIATON is the program to run, build/hiaton if not given. STRANDS are the sizes of strands, and PES the PEs.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
strands=${STRANDS:-8 16 24 32 48 64 128}
pes=${PES:-1 4 16 64 256}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# values PROGRAM PES OPTION...: firings, cycles, live tokens and activations of a run, the latter two at their peak.
values() {
    program=$1
    shift
    "$hiaton" run --json "$program" -s pe.count="$@" |
        awk '/^  "(firings|cycles|peak_live_tokens|peak_tags)": / { gsub(/[",:]/, ""); value[$1] = $2 }
            END { print value["firings"], value["cycles"], value["peak_live_tokens"], value["peak_tags"] }'
}

cat >"$folder/elements.df" <<'END'
f(i) = i * i % 7
a = [f(i) | i <- 1 .. 4096]
result = a[4095]
END

echo '| elements of a strand | firings | 1 PE | 16 PEs | times | 256 PEs | times | live tokens | activations |'
echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|'
for strand in 0 $strands; do
    for count in 1 16 256; do
        if [ "$strand" = 0 ]; then
            values "$folder/elements.df" $count -s array.generator=chain
        else
            values "$folder/elements.df" $count -s array.generator=tree -s array.strand="$strand"
        fi
    done | awk -v strand="$strand" -v kept="$folder/chain" '
        { firings = $1; cycles[NR] = $2; live = $3; tags = $4 }
        END {
            if (strand == 0)
                print firings, cycles[2], cycles[3] >kept
            else
                getline <kept
            if (strand > 0)
                printf "| %d | %d | %d | %d | %.1f | %d | %.1f | %d | %d |\n", strand, firings, cycles[1], cycles[2],
                    $2 / cycles[2], cycles[3], $3 / cycles[3], live, tags
            else
                printf "| all (chain) | %d | %d | %d | | %d | | %d | %d |\n", firings, cycles[1], cycles[2], cycles[3],
                    live, tags
        }'
done

cat >"$folder/chosen.df" <<'END'
f(i) = i * i % 7
a = [i | i <- 1 .. 4096, f(i) > 2]
result = a[1000]
END

echo
echo '| | firings | 1 PE | 16 PEs | 256 PEs | live tokens |'
echo '|---|---:|---:|---:|---:|---:|'
for generator in chain tree; do
    for count in 1 16 256; do
        values "$folder/chosen.df" $count -s array.generator=$generator
    done | awk -v generator=$generator '
        { cycles[NR] = $2 }
        END { printf "| %s | %d | %d | %d | %d | %d |\n", generator, $1, cycles[1], cycles[2], cycles[3], $3 }'
done

echo
echo "| program | | firings | $(echo "$pes" | sed 's/ / | /g') | live tokens |"
echo "|---|---|---:|$(echo "$pes" | sed 's/[^ ]*/---:|/g; s/ //g')---:|"
while IFS='|' read -r name inputs; do
    for generator in chain tree; do
        for count in $pes; do
            # shellcheck disable=SC2086 # $inputs: words
            values "$examples/$name.df" "$count" -s array.generator=$generator $inputs
        done | awk -v name="$name" -v inputs="$inputs" -v generator=$generator '
            { firings = $1; cycles[NR] = $2; live = $3 }
            END {
                printf "| %s%s | %s | %d |", name, inputs == "" ? "" : ", " inputs, generator, firings
                for (i = 1; i <= NR; i++)
                    printf " %d |", cycles[i]
                printf " %d |\n", live
            }'
    done
done <<'END'
attention|
attention|n=40
blocks|
bloom|
conjugate|
conjugate|n=40
eigen|
fft|
fft|n=256
gauss|
gauss|n=40
gradient|
gradient|n=40
gram|
gram|n=200
heads|
histogram|
histogram|n=200
jacobi|
jacobi|n=100
lcs|
lcs|n=100
lstm|
matmul|
matmul|n=40
mergesort|
mergesort|n=256
mlp|
montecarlo|
montecarlo|n=2000
quicksort|
quicksort|n=256
quicksort|n=2000
sieve|
sieve|n=1000
wavefront|
wavefront|n=100
END
