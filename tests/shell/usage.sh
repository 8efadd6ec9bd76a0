#!/bin/sh
# Wrong command lines, and exactly what is said about each: tests/data/usage.tbl.
set -u
table=usage.tbl
# shellcheck source=tests/shell/table.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/table.sh"

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
hiaton run -q --record fact.rec fact.df >/dev/null
sed 's/mul\.int/mlu.int/' fact.s >wrong.s

# --- the table -----------------------------------------------------------------

check_table

for file in *; do
    case $file in
    *.df | *.s | *.img | *.yaml | *.csv | *.json | *.png | *.txt | *.db | *.rec | program.o | folder) ;;
    *)
        flaw "$file was made"
        ;;
    esac
done
[ "$count" -ge 40 ] || flaw "$count command lines"
exit $failures
