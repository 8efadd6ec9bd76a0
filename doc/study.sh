#!/bin/sh
# The figures and tables of doc/study.md, from doc/study.yaml alone:
#
#   doc/study.sh            makes the tables again, and compares: status 1, and what differs, where a number has moved
#   doc/study.sh write      writes them into the page, and its figures beside it
#
# A table of the page stands behind a comment with its name. HIATON is the program to run, build/hiaton if not given.
# With STUDY_ONLY, a condition, only such runs are made, and only the rows that they make are compared.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
hiaton=${HIATON:-$here/../build/hiaton}
hiaton=$(cd "$(dirname "$hiaton")" && pwd)/${hiaton##*/}
page=$here/study.md
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$temp"

# Of a few runs some tables have no rows, which it says.
"$hiaton" sweep run -q "$here/study.yaml" -o study.db ${STUDY_ONLY:+--only "$STUDY_ONLY"} --outputs made >log 2>&1 </dev/null ||
    [ "${STUDY_ONLY-}" ] || {
    cat log >&2
    exit 1
}

# Each of these prints the rows of a table, with a program in each.
speedup() {
    awk -F, 'NR > 1 { printf "| %d |", $1; for (i = 2; i <= NF; i++) printf " %.2f |", $i; print "" }' made/speedup.csv
}
bounds() {
    awk -F, 'NR > 1 { printf "| %s | %d | %d | %d | %d | %d | %.3f |\n", $1, $2, $3, $4, $5, $6, $7 }' made/bounds.csv
}
gains() { # heads have commas in quotes
    awk 'function percent(x) {
             size = x < 0 ? -x : x
             return size < 0.05 ? "0" : sprintf(size < 9.95 ? "%.1f" : "%.0f", x)
         }
         NR == 1 {
             count = split($0, heads, "\"")
             for (i = 2; i < count; i += 2) {
                 head = heads[i]
                 what = head ~ /match.latency=0/ ? "stages" : "network"
                 if (head ~ /latency=1,pe.units=2/) what = "all"
                 else if (head ~ /units=2/) what = "units"
                 else if (head ~ /torus/) what = "torus"
                 at[what] = 2 + i / 2
             }
             next
         }
         {
             split($0, cells, ",")
             printf "| %s | %d | %s | %s | %s | %s | %s |\n", cells[1], cells[2], percent(cells[at["units"]]),
                    percent(cells[at["stages"]]), percent(cells[at["network"]]), percent(cells[at["all"]]),
                    percent(cells[at["torus"]])
         }' made/gains.csv
}
causes() { # a program in each column
    "$hiaton" results csv study.db --rows program --values \
        cycles,causes.issue_slot,causes.link,causes.matching,causes.fetching,causes.forming \
        --where "pe.count == 256 and network.latency == 4 and pe.units == 1 and stage.match.latency == 1 and network.topology == 'crossbar'" |
        awk -F, 'NR > 1 {
                slots = slots sprintf(" %.0f %% |", 100 * $3 / $2)
                network = network sprintf(" %.0f %% |", 100 * $4 / $2)
                stages = stages sprintf(" %.0f %% |", 100 * ($5 + $6 + $7) / $2)
            }
            END {
                print "| issue slots |" slots
                print "| network |" network
                print "| matching, fetching and forming |" stages
            }'
}

# of_page NAME: the rows of its table on the page, without heads, with a program in each.
of_page() {
    awk -F' *[|] *' -v mark="<!-- table: $1 -->" '
        $0 == mark { inside = 1; next }
        inside && /^[|]/ { if (++row > 2) { if ($2 != "") name = $2; sub(/^[|] *[^|]*/, "| " name " "); print } next }
        inside && row { exit }' "$page"
}

tables='speedup bounds causes gains'
differs=0
for name in $tables; do
    if [ "$name" = causes ] || [ -e "made/$name.csv" ]; then
        $name >"$name.made"
    else
        : >"$name.made"
    fi
    of_page "$name" >"$name.page"
    [ -s "$name.page" ] || {
        echo "doc/study.md has no table $name" >&2
        exit 1
    }
    if [ "${STUDY_ONLY-}" ]; then
        grep -vFxf "$name.page" "$name.made" >"$name.diff" || true
    else
        diff "$name.page" "$name.made" >"$name.diff" || true
    fi
    [ ! -s "$name.made" ] || [ ! -s "$name.diff" ] || {
        [ "${1-}" = write ] || sed "s/^/$name: /" "$name.diff"
        differs=1
    }
done
[ "${1-}" = write ] || exit $differs

# The name of a program stands once.
awk '
    /^<!-- table: / { name = $3; row = 0 }
    name != "" && /^[|]/ {
        if (++row <= 2) { print; next }
        next
    }
    name != "" && row {
        last = ""
        while ((getline line < (name ".made")) > 0) {
            split(line, cells, " *[|] *")
            if (cells[2] == last) sub(/^[|] *[^|]*/, "| ", line)
            last = cells[2]
            print line
        }
        name = ""
    }
    { print }' "$page" >written
cp written "$page"
cp made/*.svg "$here"
