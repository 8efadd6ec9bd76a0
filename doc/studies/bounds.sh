#!/bin/sh
# The measurements of doc/studies/bounds.md, as tables in Markdown:
#
#   doc/studies/bounds.sh
#
# HIATON is the program to run, build/hiaton if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"


# measure NAME VALUE OPTION... PROGRAM [INPUT]...: a row.
measure() {
    row="| $1 | $2 |"
    shift 2
    "$hiaton" run --json "$@" 2>/dev/null | awk -v row="$row" '
        /^  "(status|cycles|peak_live_tokens|peak_tags|peak_elements)": / {
            gsub(/[",:]/, "")
            value[$1] = $2
        }
        END {
            if (value["status"] != "completed")
                print row " " value["status"] " | | | |"
            else
                printf "%s %d | %d | %d | %d |\n", row, value["cycles"],
                       value["peak_live_tokens"], value["peak_tags"], value["peak_elements"]
        }' || true
}

head_of() {
    echo "| program | $1 | cycles | live tokens | activations | elements |"
    echo "|---|---:|---:|---:|---:|---:|"
}

# rows SETTING VALUES NAME PROGRAM [INPUT]...
rows() {
    setting=$1 values=$2 name=$3
    shift 3
    for value in $values; do
        shown=$value
        [ "$value" = 0 ] && shown=unlimited
        case $setting in
            tag.pool) measure "$name" "$shown" -s tag.scheme=pool -s tag.pool="$value" "$@" ;;
            *) measure "$name" "$shown" -s "$setting=$value" "$@" ;;
        esac
    done
}

bounds="1 2 3 4 8 16 32 0"
head_of loop.bound
rows loop.bound "$bounds" "jacobi, 40 steps" "$programs/examples/jacobi.df" steps=40
rows loop.bound "$bounds" "gauss, n = 12" "$programs/examples/gauss.df" n=12
rows loop.bound "$bounds" "sum-of-steps" "$programs/experiments/sum-of-steps.df"

echo
head_of loop.bound
for steps in 10 20 40 80 160; do
    for bound in 1 2 4 0; do
        rows loop.bound "$bound" "jacobi, $steps steps" "$programs/examples/jacobi.df" \
            steps="$steps"
    done
done

echo
pools="1 2 4 8 16 64 0"
head_of tag.pool
rows tag.pool "$pools" "jacobi, 40 steps" "$programs/examples/jacobi.df" steps=40
rows tag.pool "$pools" "gauss, n = 12" "$programs/examples/gauss.df" n=12
