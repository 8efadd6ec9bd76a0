#!/bin/sh
# Tables of command lines and exactly what each says on standard error: tests/data/mistakes.tbl has
# the mistakes of beginners, tests/data/usage.tbl wrong command lines, tests/data/warnings.tbl runs
# that go well and are warned about. A line of a table is
#
#   $ COMMAND       a command line for a shell; behind it its standard error, then
#   = STATUS
#   > FILE          begins a file, of the lines
#   | TEXT          in which \t is a tab
#   # ...           for readers, as empty lines are
#
# Each table has a folder of its own. files_of_TABLE makes the files that its commands name, and
# demands_on_TABLE says what must hold besides. With UPDATE_GOLDEN=1 the tables are written anew.
# HIATON is the program.
# shellcheck disable=SC2317 # check_table calls functions by the names of tables
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR ARGP_HELP_FMT POSIXLY_CORRECT

HIATON=${HIATON:?the program to test}
case $HIATON in */*) HIATON=$(cd "$(dirname "$HIATON")" && pwd)/${HIATON##*/} ;; esac
data=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)/tests/data
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/bin"
ln -s "$HIATON" "$scratch/bin/hiaton"
PATH=$scratch/bin:$PATH
failures=0

flaw() {
    echo "FAILED: $*" >&2
    failures=1
}

# --- the runner ----------------------------------------------------------------
# what_is_said TABLE: the table as it would be now, in $scratch/found. Counts the commands.
what_is_said() {
    count=0
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
    done <"$data/$1.tbl" >"$scratch/found"
}

# check_table TABLE
check_table() {
    mkdir "$scratch/$1" && cd "$scratch/$1" || exit 1
    "files_of_$1"
    what_is_said "$1"
    if [ -n "${UPDATE_GOLDEN-}" ]; then
        cp "$scratch/found" "$data/$1.tbl" && echo "written: $data/$1.tbl"
    elif ! diff -u "$data/$1.tbl" "$scratch/found"; then
        flaw "what is said differs (-: expected); if it is better now: UPDATE_GOLDEN=1"
    fi
    "demands_on_$1"
}

# --- mistakes of beginners -----------------------------------------------------

# The table has them.
files_of_mistakes() { :; }

# A mistake ends with status 2. Commands that make files for one have status 0.
demands_on_mistakes() {
    made='^[$] hiaton compile fib.df -o fib.img && hiaton disasm'
    grep '^[$=] ' "$scratch/found" | paste - - | grep -v "$made" | grep -v '= 2$' &&
        flaw "these do not end with status 2"
    mistakes=$(grep -c '^# [0-9]*\. ' "$scratch/found")
    [ "$mistakes" -ge 30 ] || flaw "$mistakes mistakes"
}

# --- wrong command lines -------------------------------------------------------

files_of_usage() {
    cat >fact.df <<'TEXT'
input n = 3
result = fact(n)
fact(n) = if n == 1 then n else n * fact(n - 1)
TEXT
    cat >mixed.df <<'TEXT'
input count = 10
input scale = 2.5
input flag = true
result = (if flag then count else 0, scale)
TEXT
    cat >wrong.df <<'TEXT'
result = fcat(3)
fact(n) = if n == 1 then n else n * fact(n - 1)
TEXT
    echo 'result = 3 + 4' >seven.df
    printf 'pe:\n  cuont: 4\nnetwork.topology: crossbr\n' >wrong.yaml
    printf 'pe.count: 4\n' >four.yaml
    printf 'base: [ideal]\npe.count: &four 4\npe.units: *four\n' >alias.yaml
    printf 'base: idael\n' >base.yaml
    i=1
    while [ "$i" -le 25 ]; do
        echo "e$i = nothing$i"
        i=$((i + 1))
    done >many.df
    sed -n '1,14s/e\(.*\) = .*/input e\1 = 1/p' many.df >inputs.df
    echo 'result = e1' >>inputs.df
    printf '\177ELF\002\001\001\000\000' >program.o
    : >empty.df
    printf 'program: fact.df\n' >calls.yaml
    printf 'number,program\n1,fact.df\n' >calls.csv
    printf '{"runs": []}\n' >calls.json
    printf '\211PNG\r\n\032\n' >calls.png
    printf 'To do.\n' >notes.txt
    mkdir folder
    hiaton compile fact.df -o fact.img
    hiaton disasm fact.img -o fact.s
    head -c 60 fact.img >cut.img
    hiaton sweep run -q calls.yaml -o kept.db
    hiaton run -q --record fact.rec fact.df >/dev/null
    sed 's/mul\.int/mlu.int/' fact.s >wrong.s
}

# A wrong command line makes no file.
demands_on_usage() {
    for file in *; do
        case $file in
        *.df | *.s | *.img | *.yaml | *.csv | *.json | *.png | *.txt | *.db | *.rec | program.o | folder) ;;
        *)
            flaw "$file was made"
            ;;
        esac
    done
    [ "$count" -ge 40 ] || flaw "$count command lines"
}

# --- warnings ------------------------------------------------------------------

files_of_warnings() { :; }

demands_on_warnings() {
    [ "$(grep -c 'warning: ' "$scratch/found")" -ge 10 ] || flaw "few warnings"
}

check_table mistakes
check_table usage
check_table warnings
exit $failures
