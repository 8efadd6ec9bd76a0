#!/bin/sh
# Every column of every table of a database of results is changed in turn, and `results rerun` sees
# it: so what a table or figure is drawn from is verified. The tables and columns are those that the
# database has, so a new one cannot be forgotten: it is verified, or listed here with the reason.
# A quick check takes some columns of each table.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3"; exit 77; }

# What rerun does not see, and why.
cat >exempt <<'TEXT'
host.*              measured of the host, and other each time; never in a table or figure
runs.id             names the run in other tables; found by these
runs.seed           a copy; results have the seed of points
runs.version        who made the row: a reason why it may differ
sources.part        an order; the first is the program
TEXT

# is_exempt TABLE COLUMN
is_exempt() { grep -q -e "^$1\.\* " -e "^$1\.$2 " exempt; }

# columns_of DATABASE: a line "TABLE COLUMN TYPE KEYS" for each column.
columns_of() {
    sqlite3 -separator ' ' "$1" "SELECT m.name, c.name, c.type,
            (SELECT group_concat('\"' || name || '\"') FROM pragma_table_info(m.name) WHERE pk)
        FROM sqlite_schema m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.rowid, c.cid"
}

# some: of lines "TABLE COLUMN ...", those of columns that are not exempt; in a quick check the first
# of each table, and each ninth that follows.
some() {
    while read -r table column type keys; do
        is_exempt "$table" "$column" || echo "$table $column $type $keys"
    done | awk -v every="${HIATON_QUICK:+9}" 'every == "" || n[$1]++ % every == 0'
}

# has_runs TABLE: whether it has a row, or rows, for each run, which rerun compares one by one.
has_runs() {
    case $1 in runs | series | profile | pe | links | epochs) ;; *) return 1 ;; esac
}

# write HOW TABLE COLUMN TYPE KEYS CONDITION: the SQL that changes one row: a value to another one of
# its type (HOW is change), or nothing to a value (fill). Then the number of rows that it has changed.
write() {
    if [ "$1" = change ]; then
        value="CASE typeof(\"$3\") WHEN 'integer' THEN \"$3\" + 100000 WHEN 'real' THEN \"$3\" * 1.5 + 1
            WHEN 'text' THEN \"$3\" || 'x' WHEN 'blob' THEN zeroblob(8) END"
        which="\"$3\" IS NOT NULL"
    else
        value=7
        [ "$4" != TEXT ] || value="'seven'"
        which="\"$3\" IS NULL"
    fi
    echo "UPDATE \"$2\" SET \"$3\" = $value WHERE ($5) IN
        (SELECT $5 FROM \"$2\" WHERE $which AND $6 ORDER BY rank LIMIT 1); SELECT changes();" |
        sed "s/ ORDER BY rank/ ORDER BY $(echo "$5" | sed 's/,/ DESC, /g') DESC/"
}

# flush: makes the changes of a batch, each in another run, and checks that no such row holds.
flush() {
    [ -s batch.sql ] || return 0
    cp "$database" changed.db
    sqlite3 changed.db <batch.sql >changes 2>change.err
    last="results rerun, $how of $database"
    "$HIATON" results rerun changed.db --all >out 2>err </dev/null
    paste -d ' ' changes names | while read -r changed number name; do
        [ "$changed" = 1 ] || continue
        echo "$name" >>all_seen
        grep -q "^row $number, " out || echo "$name"
    done >unseen
    [ ! -s unseen ] || fail "$how: rerun does not see $(tr '\n' ' ' <unseen)"
    : >batch.sql
    : >names
}

# every_run DATABASE PATTERN: changes columns of runs and of their details, each in another run;
# PATTERN of grep says which.
every_run() {
    database=$1
    sqlite3 "$database" 'SELECT id FROM points JOIN runs USING (identity) ORDER BY number' >ids
    rows=$(wc -l <ids)
    columns_of "$database" | grep -e "$2" >columns
    for how in change fill; do
        : >batch.sql
        : >names
        number=0
        while read -r table column type keys; do
            has_runs "$table" && ! is_exempt "$table" "$column" || continue
            [ "$table.$column" != runs.identity ] || continue # then the row is missing
            number=$((number + 1))
            id=$(sed -n "${number}p" ids)
            [ "$table" = runs ] && of="id = $id" || of="run = $id"
            write "$how" "$table" "$column" "$type" "$keys" "$of" >>batch.sql
            echo "$number $table.$column" >>names
            [ $number -lt "$rows" ] || { flush && number=0; }
        done <columns
        flush
    done
}

# every_other DATABASE TABLES [OPTION...]: changes the columns of other tables one by one; TABLES is
# a pattern of grep.
every_other() {
    database=$1
    tables=$2
    shift 2
    expect 0 results rerun "$database" --all "$@"
    columns_of "$database" | grep -e "^$tables " | some >columns
    while read -r table column type keys; do
        for how in change fill; do
            cp "$database" changed.db
            changed=$(write $how "$table" "$column" "$type" "$keys" 1 | sqlite3 changed.db 2>change.err)
            [ "${changed:-0}" = 1 ] || continue
            echo "$table.$column" >>all_seen
            last="$how $table.$column of $database"
            "$HIATON" results rerun changed.db --all "$@" >out 2>err </dev/null &&
                fail "rerun sees nothing"
        done
    done <columns
}

# --- runs with all details -------------------------------------------------------------

cat >small.df <<'TEXT'
input x = 0.5
input n = 3
result = if x < 0.0 then 0 else f(n)
f(n) = if n < 2 then n else f(n - 1) + f(n - 2)
TEXT
cat >slow.yaml <<'TEXT'
network.latency: 3
TEXT
cat >net.yaml <<'TEXT'
pes: [0, 0, 1, 1]
links: [0-1]
TEXT
cp "$SRCDIR/analysis/energies/horowitz-45nm.yaml" own.yaml
cat >small.yaml <<'TEXT'
title: All that is kept
program: small.df
machine: [default, slow.yaml]
inputs: {n: [3, 4], x: -0.0}
settings: {network.topology: file, network.file: net.yaml, pe.count: 4}
energy: own.yaml
measure: [bounds, causes]
series: true
profile: true
pe: true
links: true
TEXT
sed 's/^settings: {.*/settings: {network.topology: file, network.file: net.yaml, pe.count: 4, queue.capacity: [0, 40, 41, 42]}/; s/n: \[3, 4\]/n: [1, 2, 3, 4, 5, 6, 7, 8]/' small.yaml >many.yaml
expect 0 sweep run small.yaml
expect 0 sweep run many.yaml
# Alone, where neither the program nor the machine is at hand; and where they are.
mkdir away
cp small.db many.db exempt away
cd away || exit 1
: >out
: >err
every_run many.db .
every_other small.db '.*'
cd .. || exit 1
cp away/all_seen .
[ -n "${HIATON_QUICK-}" ] || every_run many.db .
[ -n "${HIATON_QUICK-}" ] || [ "$(grep -c . all_seen)" -ge 250 ] || fail "only $(grep -c . all_seen) columns"

# Rows of a detail that are missing, or too many, or all gone.
for table in series profile pe links; do
    for sql in "DELETE FROM $table WHERE run = 1" "DELETE FROM $table" \
        "DELETE FROM $table WHERE (run, ROWS) IN (SELECT run, ROWS FROM $table LIMIT 1)"; do
        key=$(sqlite3 small.db "SELECT group_concat(name, ', ') FROM pragma_table_info('$table')
            WHERE pk > 1")
        sql=$(echo "$sql" | sed "s/ROWS/$key/g")
        cp small.db away/changed.db
        sqlite3 away/changed.db "$sql"
        last="$sql"
        "$HIATON" results rerun away/changed.db --all >out 2>err && fail "rerun sees nothing"
        out_has "$table ("
    done
done
# A difference is named: table, key, column, both values.
cp small.db changed.db
sqlite3 changed.db "UPDATE series SET value = value * 3 WHERE name = 'firings' AND value > 0"
expect 1 results rerun changed.db 1
grep -q '^  series (firings, [0-9]*), value ' out || fail "the series is not named"
cp small.db changed.db
sqlite3 changed.db "UPDATE links SET tokens = 12345 WHERE link = 1"
expect 1 results rerun changed.db 1
grep -q '^  links (1), tokens *12345 ' out || fail "the link is not named"

# --- trainings -------------------------------------------------------------------------

cp "$SRCDIR"/programs/training/treernn.df "$SRCDIR"/programs/training/trees.txt .
cat >train.yaml <<'TEXT'
program: treernn.df
train: {held: 4, batch: 5, steps: 3}
seed: [1, 2]
epochs: true
TEXT
expect 0 sweep run train.yaml
cp train.db away
cd away || exit 1
every_run train.db '^epochs \|^runs trained'
every_other train.db 'sources\|files\|images'
cat all_seen >>../all_seen
cd .. || exit 1

# --- points ----------------------------------------------------------------------------

cat >points.yaml <<'TEXT'
program: small.df
inputs.n: [3, 4]
settings.pe.count: [1, 4]
tables: [{name: t, rows: pe.count, columns: inputs.n, values: cycles}]
TEXT
expect 0 sweep run points.yaml
points() {
    cp points.db changed.db
    sqlite3 changed.db "$1"
    expect 1 results rerun changed.db --all
    out_has "$2"
    for words in 'show changed.db' 'show changed.db t' 'csv changed.db' 'latex changed.db t'; do
        # shellcheck disable=SC2086 # words
        expect 2 results $words
        err_has 'changed.db: damaged'
        [ ! -s out ] || fail "something is shown"
    done
    expect 2 sweep merge -o merged.db points.db changed.db
    err_has 'changed.db: damaged'
    expect 2 sweep merge -o merged.db changed.db points.db
    err_has 'changed.db: damaged'
    [ ! -e merged.db ] || fail "merged.db is there"
}
one='(SELECT identity FROM points WHERE number = 1)'
points "UPDATE points SET identity = $one WHERE number = 3" \
    'row 3, small: differs: it is the run that the experiment asks for at number 1'
points "UPDATE points SET identity = CASE number WHEN 3 THEN $one
    ELSE (SELECT identity FROM points WHERE number = 3) END WHERE number IN (1, 3)" \
    'row 1, small: differs: it is the run that the experiment asks for at number 3'
points 'DELETE FROM points WHERE number = 2' 'not those that were written'
points 'UPDATE points SET number = 5 WHERE number = 4' 'the experiment asks for 4 runs'
points "INSERT INTO points SELECT 5, identity, program, strategy, machine, repetition, seed,
    window, energy_table FROM points WHERE number = 1" 'the experiment asks for 4 runs'
points "UPDATE experiment SET value = replace(value, 'cycles', 'tokens') WHERE key = 'text'" \
    'not those that were written'
points "UPDATE units SET meaning = 'time' WHERE name = 'cycles'" 'not those that were written'
points "DELETE FROM experiment WHERE key = 'seal'" 'not those that were written'
# Without a seal, as in databases of older versions, the experiment's files are still asked.
cp points.db changed.db
sqlite3 changed.db "DELETE FROM experiment WHERE key = 'seal'; PRAGMA user_version = 7;
    UPDATE points SET identity = $one WHERE number = 3"
expect 1 results rerun changed.db --all
out_has 'it is the run that the experiment asks for at number 1, not at this number'
# A program that has changed since is no reason: the image is kept.
echo '-- changed' >>small.df
sed 's/n < 2/n <= 1/' small.df >other && mv other small.df
expect 0 results rerun points.db --all

# --- older experiments of a database ---------------------------------------------------

cat >next.yaml <<'TEXT'
program: small.df
inputs.n: [3, 5]
TEXT
expect 0 sweep run next.yaml -o points.db
expect 0 results rerun points.db --all
out_is '2 of 2 rows hold'
expect 0 results rerun points.db --all --experiment points
out_is '4 of 4 rows hold'
expect 2 results rerun points.db --all --experiment none
every_other points.db 'kept_.*' --experiment points
expect 0 results show points.db t --experiment points
cp points.db changed.db
sqlite3 changed.db "UPDATE kept_units SET unit = 's' WHERE name = 'cycles'"
expect 2 results show changed.db t --experiment points
err_has 'damaged'
cp points.db changed.db
sqlite3 changed.db "DELETE FROM kept_experiment WHERE key = 'seal'"
expect 2 results show changed.db t --experiment points
err_has 'damaged'
# A sweep seals no older experiment that has lost its seal.
cp points.db old.db
sqlite3 old.db "DELETE FROM experiment WHERE key = 'seal'"
expect 0 sweep run points.yaml -o old.db
cp points.db old.db
sqlite3 old.db "DELETE FROM kept_experiment WHERE key = 'seal'"
expect 0 sweep run next.yaml -o old.db
expect 2 results show old.db t --experiment points
err_has 'damaged'
# An older experiment of a database of an older version may have none. It gets one when a sweep or a
# merge makes the database one of this version.
sqlite3 changed.db 'PRAGMA user_version = 7'
expect 0 results show changed.db t --experiment points
cp changed.db old.db
expect 0 sweep merge changed.db points.db -o merged.db
expect 0 sweep run next.yaml -o old.db
for name in merged.db old.db; do
    expect 0 results show $name t --experiment points
    sqlite3 $name "UPDATE kept_units SET unit = 's' WHERE name = 'cycles'"
    expect 2 results show $name t --experiment points
done

# --- all tables ------------------------------------------------------------------------

# Each table has been met: with a row, and changed.
for table in $(sqlite3 points.db "SELECT name FROM sqlite_schema WHERE type = 'table'
    AND name NOT LIKE 'sqlite_%'"); do
    [ "$table" = host ] || grep -q "^$table\." all_seen || fail "no row of $table"
done

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
