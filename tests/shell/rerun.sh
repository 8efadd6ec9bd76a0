#!/bin/sh
# Rows of results are run again from the database alone, wherever the program is: they hold, until
# something in them is changed; older databases, shards and merges too.
# shellcheck disable=SC2016 # backquotes are meant
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cp "$SRCDIR"/programs/examples/fib.df "$SRCDIR"/programs/examples/newton.df .
cat >mixed.df <<'TEXT'
input up = true
input x = 0.5
input n = 4
result = if up then x * real(total(n)) else real(100 / (n - 4))
total(n) = if n <= 0 then 0 else n + total(n - 1)
TEXT
cat >other.df <<'TEXT'
input up = 3
input n = 5
result = up + n
TEXT
cat >slow.yaml <<'TEXT'
pe.count: 3
network.topology: crossbar
network.capacity: 8
TEXT
cat >rows.yaml <<'TEXT'
program:
  - file: fib.df
    inputs: {n: [3, 8]}
  - file: newton.df
    inputs: {a: [2.0, 0.1, 1e300]}
  - file: mixed.df
    inputs: {up: [true, false], x: [0.1, 0.0]}
  - file: other.df
    inputs: {up: [7, 1]}
strategy: [static, expanding]
machine: [default, slow.yaml]
settings:
  placement.policy: random
  loop.constants: [sticky, copies]
repeat: 2
TEXT
expect 1 sweep run rows.yaml # a division by zero
rows=$("$HIATON" results csv rows.db | sed 1d | wc -l)
[ "$rows" -ge 100 ] || fail "only $rows rows"
"$HIATON" results csv rows.db | grep -q ',trapped,.*mixed.df:' || fail "no row has trapped"

# --- from the database alone ----------------------------------------------------------

mkdir away
cp rows.db away
(
    cd away || exit 1
    "$HIATON" results rerun rows.db --all >all.out 2>all.err
    echo $? >all.status
)
[ "$(cat away/all.status)" = 0 ] || fail "status $(cat away/all.status): $(cat away/all.err)"
[ "$(cat away/all.out)" = "$rows of $rows rows hold" ] || fail "$(head -n 5 away/all.out)"
for jobs in 1 3; do
    expect 0 results rerun rows.db --all -j $jobs
    out_is "$rows of $rows rows hold"
    silent
done
expect 0 results rerun rows.db 2 7..9
shows <<'TEXT'
row 2, fib: holds
row 7, fib: holds
row 8, fib: holds
row 9, fib: holds
4 of 4 rows hold
TEXT
expect 0 results rerun rows.db 1 --json
out_has '"hold": 1'

# SQLite has one zero.
cat >zero.yaml <<'TEXT'
program: mixed.df
inputs.x: [-0.0, 0.0]
TEXT
expect 0 sweep run zero.yaml
expect 0 results rerun zero.db --all
out_is "2 of 2 rows hold"

# What was measured: parts of runs, energy; with the table in the database.
sed 's/^title: .*/title: Another one/' "$SRCDIR/analysis/energies/horowitz-45nm.yaml" >own.yaml
cat >parts.yaml <<'TEXT'
program: fib.df
inputs.n: 7
window: ['20..60', fib, '100000..']
energy: [horowitz-45nm, own.yaml]
settings: {pe.count: [1, 4]}
TEXT
expect 0 sweep run parts.yaml --record
mkdir parts
mv parts.db parts
(cd parts && "$HIATON" results rerun --all parts.db) >out 2>err || fail "parts of runs"
out_is "12 of 12 rows hold"
if command -v sqlite3 >/dev/null; then
    cp parts/parts.db changed.db
    sqlite3 changed.db 'UPDATE points SET window = NULL WHERE number = 1'
    expect 1 results rerun changed.db --all
    out_has '11 of 12 rows hold'
    # Where it is not kept, a table is looked for beside the database.
    sqlite3 parts/parts.db 'DROP TABLE energies'
    expect 1 results rerun parts/parts.db --all
    cp own.yaml parts
    expect 0 results rerun parts/parts.db --all
fi
for file in parts.rec/*; do
    expect 0 replay "$file"
done

# --- what is wrong --------------------------------------------------------------------

expect 2 results rerun rows.db 1000000
err_has 'unknown row 1000000'
expect 2 results rerun rows.db
err_has 'ROW is missing'
expect 2 results rerun rows.db 1 --all
expect 2 results rerun rows.db 7..3
expect 2 results rerun fib.df 1
err_has 'no database of results'
expect 2 results rerun none.db --all
expect 2 results -q rerun rows.db 1

# One image for each program, strategy and choice of loop.constants; each is a program.
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 rows.db 'SELECT count(*) FROM images')" -eq \
        "$(sqlite3 rows.db 'SELECT count(DISTINCT image_digest) FROM runs')" ] || fail "other images"
    sqlite3 rows.db "SELECT writefile('kept.image', bytes) FROM images LIMIT 1" >/dev/null
    expect 0 run kept.image

    # change SQL KEY: row 4 of a copy does not hold, and KEY is named.
    change() {
        cp rows.db changed.db
        sqlite3 changed.db "$1"
        expect 1 results rerun changed.db --all
        err_has 'not all rows of changed.db hold'
        grep -q "^  $2 " out || fail "$1: \`$2' is not named"
    }
    row="WHERE identity = (SELECT identity FROM points WHERE number = 4)"
    change "UPDATE runs SET cycles = cycles + 1 $row" cycles
    out_has "row 4, fib: differs"
    out_has "$((rows - 1)) of $rows rows hold; 1 not the same"
    change "UPDATE runs SET result = '1' $row" result
    change "UPDATE runs SET timing_digest = '0123456789abcdef' $row" timing_digest
    change "UPDATE runs SET occupancy = occupancy * 1.0000000001 $row" occupancy
    change "UPDATE runs SET occupancy = NULL $row" occupancy
    # A row that is not the run of its identity is not run.
    for sql in "UPDATE runs SET \"pe.count\" = 5 $row" "UPDATE runs SET \"inputs.n\" = 6 $row" \
        "UPDATE points SET seed = seed + 1 WHERE number = 4"; do
        cp rows.db changed.db
        sqlite3 changed.db "$sql"
        expect 1 results rerun changed.db --all
        out_has 'row 4, fib: differs: its settings, inputs, seed or strategy are not those of its identity'
    done
    change "UPDATE runs SET reason = 'nothing' WHERE status = 'trapped'" reason
    # What else is not the same is the reason.
    for what in model:4 features:none library:libc cpu:abacus; do
        change "UPDATE runs SET cycles = 1 $row; UPDATE host SET ${what%:*} = '${what#*:}'
            WHERE run = (SELECT id FROM runs $row)" cycles
        tr -s ' ' <out | grep -q "^ .* ${what#*:} " || fail "$what is no reason"
    done
    change "UPDATE runs SET version = '0.0', cycles = 1 $row" version
    # A damaged database is bad input to all commands.
    head -c 30000 rows.db >cut.db
    for words in 'results show cut.db' 'results csv cut.db' 'results rerun cut.db --all' \
        'sweep run rows.yaml -o cut.db'; do
        # shellcheck disable=SC2086 # words
        expect 2 $words
        err_has 'cut.db: database disk image is malformed'
    done
    # A damaged image is none.
    cp rows.db away/changed.db
    sqlite3 away/changed.db "UPDATE images SET bytes = zeroblob(100)"
    expect 1 results rerun away/changed.db 1
    out_has 'damaged'
    # A run that was interrupted has nothing to be compared.
    cp rows.db changed.db
    sqlite3 changed.db "UPDATE runs SET status = 'interrupted' $row"
    expect 1 results rerun changed.db 4 5
    out_has '1 of 2 rows hold; 1 interrupted before'
    sqlite3 changed.db "UPDATE runs SET status = 'crashed' $row"
    expect 1 results rerun changed.db 4 5
    out_has 'row 4, fib: had crashed'
    out_has '1 of 2 rows hold; 1 crashed before'
    # Rows that are missing: not all that the experiment asks for holds.
    sqlite3 changed.db "DELETE FROM runs $row"
    expect 2 results rerun changed.db 4
    err_has 'row 4 has not been run'
    expect 1 results rerun changed.db --all
    out_has "of the $rows of the experiment have not been run"

    # A row is the run of its identity, and has the labels of its experiment.
    cat >few.yaml <<'TEXT'
program: fib.df
inputs.n: [3, 4]
settings: {network.latency: [1, 2]}
series: true
measure: bounds
TEXT
    expect 0 sweep run few.yaml
    forge() {
        cp few.db forged.db
        sqlite3 forged.db "$1"
        expect 1 results rerun forged.db --all
        out_has "$2"
    }
    expect 0 results rerun few.db --all
    out_is '4 of 4 rows hold'
    forge 'UPDATE runs SET "match.ways" = 8' 'are not those of its identity'
    out_has '0 of 4 rows hold; 4 not the same'
    # What would run is not what was stored, and might take a million times as long.
    forge 'UPDATE runs SET "inputs.n" = 1000003' 'are not those of its identity'
    forge "UPDATE points SET strategy = 'expanding' WHERE number = 1" 'are not those of its identity'
    forge "UPDATE points SET machine = 'tf-executor' WHERE number = 1" \
        'row 1, fib: differs: its machine is `tf-executor`, but the experiment has `default`'
    forge "UPDATE points SET program = 'quicksort' WHERE number = 2" \
        'its program is `quicksort`, but the experiment has `fib`'

    # --- older layouts ----------------------------------------------------------------

    # older FILE: makes it one of layout 2.
    older() {
        sqlite3 "$1" 'DROP TABLE images; DROP TABLE links; DROP TABLE epochs; DROP TABLE files; DROP TABLE exact_inputs; DROP TABLE sources; DROP TABLE energies; PRAGMA user_version = 2;
            ALTER TABLE host DROP COLUMN features; ALTER TABLE host DROP COLUMN library;
            ALTER TABLE host DROP COLUMN model'
    }
    cp rows.db old.db
    older old.db
    expect 0 results rerun old.db --all
    out_is "$rows of $rows rows hold"
    cp old.db away
    expect 1 results rerun away/old.db 1
    out_has 'the database does not keep its image'
    expect 0 results rerun away/old.db 1 2 --program fib.df
    expect 1 results rerun away/old.db 1 --program newton.df
    out_has '--program makes another one'
    expect 0 results rerun away/old.db --all --program fib.df --program newton.df \
        --program mixed.df --program other.df
    [ "$(sqlite3 old.db 'PRAGMA user_version')" = 2 ] || fail "a reader has written"
    # Gone on with: it has the images then, also of the runs that were there.
    expect 1 sweep run rows.yaml -o old.db
    err_has ' 0 of them new'
    mv old.db away
    expect 0 results rerun away/old.db --all

    # --- shards -----------------------------------------------------------------------

    expect 0 sweep run rows.yaml --only "program == 'fib'" --shard 1/2
    expect 0 sweep run rows.yaml --only "program == 'fib'" --shard 2/2
    mv rows.1-of-2.db rows.2-of-2.db away
    expect 0 results rerun away/rows.2-of-2.db --all
    for order in '1 2' '2 1'; do
        for old in 1 2; do
            cp away/rows.?-of-2.db .
            older rows.$old-of-2.db
            # shellcheck disable=SC2046,SC2086 # words
            expect 0 sweep merge -q -o away/merged.db $(printf 'rows.%s-of-2.db ' $order)
            expect 1 results rerun away/merged.db --all
            out_has "32 of 32 rows hold; $((rows - 32)) of the $rows of the experiment have not been run"
            rm away/merged.db
        done
    done
fi

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
