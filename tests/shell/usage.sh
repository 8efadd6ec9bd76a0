#!/bin/sh
# Wrong command lines, and exactly what is said about each: tests/data/usage.tbl has the command
# line after `$ ', then its standard error, then `= ' and its exit status. With
# UPDATE_GOLDEN=1 the table is written anew. HIATON is the program.
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR ARGP_HELP_FMT POSIXLY_CORRECT

HIATON=${HIATON:?the program to test}
table=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)/tests/data/usage.tbl
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/bin" "$scratch/work"
ln -s "$HIATON" "$scratch/bin/hiaton"
PATH=$scratch/bin:$PATH
cd "$scratch/work" || exit 1

# --- the files that the table names --------------------------------------------

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
while [ $i -le 25 ]; do
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
sed 's/mul\.int/mlu.int/' fact.s >wrong.s

# --- the table -----------------------------------------------------------------

failures=0
count=0
found=$scratch/found
: >"$found"
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
        if [ -s "$scratch/out" ]; then
            echo "FAILED: ${line#??}: something on standard output" >&2
            failures=$((failures + 1))
        fi
        ;;
    '#'* | '')
        printf '%s\n' "$line"
        ;;
    esac >>"$found"
done <"$table"

for file in *; do
    case $file in
    *.df | *.s | *.img | *.yaml | *.csv | *.json | *.png | *.txt | *.db | program.o | folder) ;;
    *)
        echo "FAILED: $file was made"
        failures=$((failures + 1))
        ;;
    esac
done
[ "$count" -ge 40 ] || { echo "FAILED: $count command lines"; failures=$((failures + 1)); }

if [ -n "${UPDATE_GOLDEN-}" ]; then
    cp "$found" "$table" && echo "written: $table"
elif ! diff -u "$table" "$found"; then
    echo "FAILED: what is said differs (-: expected); if it is better now: UPDATE_GOLDEN=1"
    failures=$((failures + 1))
fi
exit $((failures > 0))
