# Tables of command lines, and exactly what is said about each: read by tests with `.'. Behind
#
#   table=NAME      of tests/data
#
# they make the files that the table names, call check_table, and end with: exit $failures. A
# line of the table is
#
#   $ COMMAND       a command line for a shell; behind it its standard error, then
#   = STATUS
#   > FILE          begins a file, of the lines
#   | TEXT          in which \t is a tab
#   # ...           for readers, as empty lines are
#
# With UPDATE_GOLDEN=1 the table is written anew. HIATON is the program.
# shellcheck shell=sh
# shellcheck disable=SC2034 # some use what others do not
LC_ALL=C
export LC_ALL
unset NO_COLOR ARGP_HELP_FMT POSIXLY_CORRECT

HIATON=${HIATON:?the program to test}
case $HIATON in */*) HIATON=$(cd "$(dirname "$HIATON")" && pwd)/${HIATON##*/} ;; esac
table=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)/tests/data/${table:?its name}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/bin" "$scratch/work"
ln -s "$HIATON" "$scratch/bin/hiaton"
PATH=$scratch/bin:$PATH
cd "$scratch/work" || exit 1
failures=0
count=0

flaw() {
    echo "FAILED: $*" >&2
    failures=1
}

# The table as it would be now.
what_is_said() {
    while IFS= read -r line; do
        case $line in
        '$ '*)
            count=$((count + 1))
            # The table is ours, and its command lines are for a shell.
            (eval "${line#??}") >"$scratch/out" 2>"$scratch/err" </dev/null
            status=$?
            printf '%s\n' "$line"
            cat "$scratch/err"
            printf '= %s\n' "$status"
            [ ! -s "$scratch/out" ] || flaw "${line#??}: something on standard output"
            ;;
        '> '*)
            file=${line#> }
            : >"$file"
            printf '%s\n' "$line"
            ;;
        '|'*)
            text=${line#|}
            printf '%s\n' "${text# }" | sed 's/\\t/	/g' >>"$file"
            printf '%s\n' "$line"
            ;;
        '#'* | '')
            printf '%s\n' "$line"
            ;;
        esac
    done <"$table" >"$scratch/found"
}

check_table() {
    what_is_said
    if [ -n "${UPDATE_GOLDEN-}" ]; then
        cp "$scratch/found" "$table" && echo "written: $table"
    elif ! diff -u "$table" "$scratch/found"; then
        flaw "what is said differs (-: expected); if it is better now: UPDATE_GOLDEN=1"
    fi
}
