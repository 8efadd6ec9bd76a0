#!/bin/sh
# The measurements of doc/studies/whatif.md, as a table in Markdown:
#
#   doc/studies/whatif.sh
#
# HIATON is the program to run, build/hiaton if not given.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
cd "$experiments"

echo '| | program | machine | change | cycles before | predicted | simulated | error |'
echo '|---|---|---|---|---|---|---|---|'
grep -v '^#' "$programs/../tests/data/whatif.tbl" |
    while IFS='|' read -r kind program inputs settings change; do
        set --
        for setting in $settings; do
            case $setting in
                strategy=*) set -- "$@" "--$setting" ;;
                *) set -- "$@" -s "$setting" ;;
            esac
        done
        change=$(echo "$change" | tr -d ' ')
        # shellcheck disable=SC2086 # several words
        "$hiaton" analyse --csv --what-if "$change" "$@" "$examples/$(echo "$program" | tr -d ' ')" $inputs |
            awk -F, -v kind="$(echo "$kind" | tr -d ' ')" -v program="$(echo $program $inputs)" \
                -v settings="$(echo $settings)" -v change="$change" '
                $1 == "cycles" { before = $2 }
                END {
                    predicted = $2 == "" ? "-" : sprintf("%.1f", $2)
                    error = $4 == "" ? "-" : sprintf("%+.2f %%", 100 * $4)
                    printf "| %s | %s | %s | `%s` | %s | %s | %.1f | %s |\n", kind, program, settings,
                           change, before, predicted, $3, error
                }'
    done
