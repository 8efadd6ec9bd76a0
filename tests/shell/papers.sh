#!/bin/sh
# A paper that is called by its number is said by name - authors, title, year - where it is first
# used, on each page and in each output. (In comments of C sources the numbers are those of
# ARCHITECTURE.md.) HIATON is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# unnamed FILE: prints the first use of each number that the file does not explain up to the end of
# that paragraph; fails if there is one. Words are looked at without marks and ends of lines.
unnamed() {
    awk -v file="$2" '
        BEGIN {
            name[1] = "kostopoulou.*recursive function definitions in static dataflow graphs.*2024"
            name[2] = "yu.*dynamic control flow in large-scale machine learning.*2018"
        }
        function look(  number, rest) {
            gsub(/[*_"`#>|]|--/, " ", paragraph)
            gsub(/[ \t]+/, " ", paragraph)
            all = all " " paragraph
            rest = paragraph
            while (match(rest, /paper [0-9]+/)) {
                number = substr(rest, RSTART + 6, RLENGTH - 6)
                rest = substr(rest, RSTART + RLENGTH)
                if (number in seen)
                    continue
                seen[number] = 1
                if (!(number in name) || all !~ name[number]) {
                    printf "%s:%d: paper %s is not said by name up to here\n", file, NR, number
                    bad = 1
                }
            }
            paragraph = ""
        }
        { paragraph = paragraph " " tolower($0) }
        /^[ \t]*(#|--)?[ \t]*$/ { look() }
        END { look(); exit bad }' "$1"
}

printf 'As paper 1 says.\n' >page
unnamed page page >out && fail "self-test: a paper without a name is not found"
printf 'Paper 1 is\n"Kostopoulou, Charalambidis, *Recursive Function\nDefinitions in Static Dataflow Graphs* (2024).\n\nPaper 1.\n' >page
unnamed page page >out || fail "self-test: a paper with a name"
printf 'By paper 7.\n' >page
unnamed page page >out && fail "self-test: a number that stands for none"

cd "$SRCDIR" || exit 1
pages=$(find . -path './build*' -prune -o -path './.git' -prune -o -path './hiaton-*' -prune -o -path ./dev -prune -o \
    -path ./tests -prune -o \( -name '*.md' -o -name '*.scd' -o -name '*.yaml' -o -name '*.df' \
    -o -name '*.sh' -o -name '*.svg' -o -name quickstart \) -print | sort)
cd "$scratch" || exit 1
count=0
for page in $pages; do
    count=$((count + 1))
    unnamed "$SRCDIR/$page" "${page#./}" || failures=$((failures + 1))
done
[ "$count" -ge 60 ] || { failures=$((failures + 1)); echo "FAILED: only $count pages"; }

# output ARGUMENT...: what the program prints.
output() {
    expect 0 "$@"
    unnamed out "hiaton $*" || failures=$((failures + 1))
}
output --help
for command in $("$HIATON" --complete '' | sed '1d; s/	.*//' | grep -vx help); do output "$command" --help; done
for command in $("$HIATON" --complete sweep '' | sed '1d; s/	.*//' | grep -vx help); do output sweep "$command" --help; done
output machines
for machine in $("$HIATON" machines | sed 's/ .*//'); do output machines "$machine"; done
output settings
output settings --statistics
output ops
output sweep keys
exit $((failures > 0))
