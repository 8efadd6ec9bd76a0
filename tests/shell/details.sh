#!/bin/sh
# What an experiment keeps of each run beside its row: of PEs, of links, over time, of its
# parallelism. It is what `hiaton run' tells of the same run, on the way through shards, merges and
# older layouts.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

cp "$SRCDIR/programs/examples/fib.df" .
cat >all.yaml <<'TEXT'
program: fib.df
inputs.n: [7, 12]
settings:
  pe.count: [2, 3]
  placement.policy: random
  stats.interval: 20
  network.topology: mesh
repeat: 2
series: true
profile: true
pe: true
links: true
TEXT
files='--csv X.csv --series X.series --profile X.profile --pe X.pe --links X.links'
# to NAME: the options that write all of it
to() { echo "$files" | sed "s/X/$1/g"; }

# --- the same as of one run -----------------------------------------------------------

# shellcheck disable=SC2046 # lists of words
expect 0 sweep run all.yaml $(to all)
# row NUMBER COLUMN: a cell of all.csv
row() {
    awk -F, -v number="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        $1 == number { print $c }' all.csv
}
runs=0
# shellcheck disable=SC2013 # they are words
for number in $(sed '1d;s/,.*//' all.csv); do
    runs=$((runs + 1))
    expect 0 run fib.df n="$(row "$number" inputs.n)" -s pe.count="$(row "$number" pe.count)" \
        -s placement.policy=random -s stats.interval=20 -s network.topology=mesh --seed "$(row "$number" seed)" \
        --series one.series --profile --json
    # Its PEs, as the sweep writes them: the number of the run, that of the PE, its values.
    sed -n '/^  "pe": \[/,/^  \]/s/^    {\(.*\)},*$/\1/p' out |
        sed 's/"[a-z_]*": //g;s/, /,/g' | awk -v run="$number" '{ print run "," NR - 1 "," $0 }' >one
    grep "^$number," all.pe >many
    same one many
    [ "$(wc -l <many)" -eq "$(row "$number" pe.count)" ] || fail "run $number: other PEs"
    # Its links: all of them, of which `run' tells those that a token went through.
    sed -n '/^  "links": \[/,/^  \]/s/^    {\(.*\)},*$/\1/p' out |
        sed 's/"[a-z_]*": //g;s/null//g;s/, /,/g;s/"//g;s/,,*$/,/' >one
    grep "^$number," all.links >many
    [ "$(wc -l <many)" -eq $((2 * $(row "$number" pe.count) + 2 * ($(row "$number" pe.count) - 1))) ] ||
        fail "run $number: other links"
    awk -F, '$2 != NR - 1 { exit 1 }' many || fail "run $number: links in another order"
    awk -F, '$7 || $10' many | cut -d, -f3- >used
    same one used
    [ -s one ] || fail "no token went through a link"
    sed "1d;s/^/$number,/" one.series >one
    grep "^$number," all.series >many
    same one many
    # Its profile: name, place, width and firings, bin by bin; the last bin may be narrower.
    awk -v run="$number" -v cycles="$(row "$number" cycles)" -v span="$(row "$number" span)" '
        /^    "(actual|ideal)": \{/ { name = substr($1, 2, length($1) - 3) }
        name && /"width": / { width = $2 + 0 }
        name && /"firings": \[/ {
            gsub(/.*\[|\].*/, "")
            count = split($0, bin, ", ")
            whole = name == "actual" ? cycles : span
            for (i = 1; i <= count; i++) {
                from = (i - 1) * width
                print run "," name "," from "," (from + width > whole ? whole - from : width) "," bin[i]
            }
            name = ""
        }' out >one
    grep "^$number," all.profile >many
    same one many
    [ -s one ] || fail "no profile"
done
[ "$runs" -eq 8 ] || fail "$runs runs"
[ "$(head -n 1 all.pe)" = number,pe,firings,dead_firings,tokens,local_tokens,network_tokens,busy,turns,peak_queue,occupancy,utilisation ] ||
    fail "the columns of PEs are $(head -n 1 all.pe)"
[ "$(head -n 1 all.links)" = number,link,port,port_number,source,target,tokens,busy,bits,waits,load,mean_wait ] ||
    fail "the columns of links are $(head -n 1 all.links)"
[ "$(head -n 1 all.profile)" = number,name,place,width,firings ] || fail "$(head -n 1 all.profile)"

# On the ideal machine units are unlimited: ratios have no meaning.
expect 0 run fib.df -m ideal -s pe.count=2 --json
grep -q '"occupancy": null' out || fail "a ratio of what is unlimited"
printf 'program: fib.df\nmachine: ideal\npe: true\n' >ideal.yaml
expect 0 sweep run ideal.yaml --pe ideal.pe
sed 1d ideal.pe | grep -vq ',,$' && fail "a ratio of what is unlimited"

# --- however it was run ---------------------------------------------------------------

# shellcheck disable=SC2046
{
    expect 0 sweep run all.yaml -o two.db -j 2 $(to two)
    expect 0 sweep run all.yaml --shard 1/3
    expect 0 sweep run all.yaml --shard 2/3
    expect 0 sweep run all.yaml --shard 3/3
    expect 0 sweep merge -o merged.db all.2-of-3.db all.3-of-3.db all.1-of-3.db $(to merged)
}
for form in csv series profile pe links; do
    same all.$form two.$form
    same all.$form merged.$form
done
expect 0 sweep run all.yaml -o merged.db
err_has "0 of them new"
for detail in series profile pe links; do
    expect 0 results csv merged.db --detail $detail
    same out all.$detail
    expect 0 results csv merged.db --detail=$detail -o again
    same again all.$detail
done

# --- what asks for it -----------------------------------------------------------------

# What is kept is part of what a run is, and no part of its seed: other runs stay what they were.
sed '/^pe:/d;/^profile:/d;/^links:/d' all.yaml >less.yaml
expect 0 sweep run less.yaml -o two.db --csv less.csv
err_has "8 runs, 8 of them new"
expect 0 sweep run all.yaml -o two.db --csv again.csv
err_has "0 of them new"
# The identity stands before the last column.
sed 's/,[^,]*,[^,]*$//' all.csv >all.bare
sed 's/,[^,]*,[^,]*$//' less.csv >less.bare
same all.bare less.bare
expect 0 sweep run less.yaml -o less.db --pe less.pe
[ "$(wc -l <less.pe)" -eq 1 ] || fail "there are rows that nobody asked for"
expect 2 results csv less.db --detail pe
err_has "less.db keeps no \`pe\` of its runs; an experiment asks for it with \`pe: true\`"
expect 2 results csv less.db --detail pes
err_has "expected series, profile, pe, links or epochs, found \`pes\`"
expect 2 results show less.db --detail pe
err_has "--detail stands alone"
expect 2 results csv less.db --detail series --rows pe.count
err_has "--detail stands alone"

# A run that failed has what there is up to then; one that the host stopped has nothing.
printf 'input n = 1\nresult = loop i = n while i != 0 do i + 1\n' >endless.df
cat >fails.yaml <<'TEXT'
program: endless.df
limits: {wall: 0.2}
zip: {limits.cycles: [500, 0]}
pe: true
links: true
profile: true
settings: {network.topology: crossbar, pe.count: 2}
TEXT
expect 1 sweep run fails.yaml --pe fails.pe --profile fails.profile --links fails.links
[ "$(sed '1d;s/,.*//' fails.pe | sort -u)" = 1 ] || fail "$(cat fails.pe)"
[ "$(sed '1d;s/,.*//' fails.links | sort -u)" = 1 ] || fail "$(cat fails.links)"
[ "$(sed '1d;s/,.*//' fails.profile | sort -u)" = 1 ] || fail "a profile of run 2"

# --- older layouts --------------------------------------------------------------------

if command -v sqlite3 >/dev/null; then
    for shard in 1 2; do
        cp all.$shard-of-3.db old.$shard.db
        sqlite3 old.$shard.db 'DROP TABLE pe; DROP TABLE profile; DROP TABLE links; DROP TABLE epochs; DROP TABLE sources; PRAGMA user_version = 1'
    done
    expect 0 results csv old.1.db
    expect 0 results csv old.1.db --detail series
    expect 2 results csv old.1.db --detail profile
    expect 2 results csv old.1.db --detail links
    [ "$(sqlite3 old.1.db 'PRAGMA user_version')" = 1 ] || fail "a reader has written"
    # An old one and a new one, both ways round.
    expect 0 sweep merge -o a.db old.1.db all.2-of-3.db --pe a.pe --links a.links --series a.series
    expect 0 sweep merge -o b.db all.2-of-3.db old.1.db --pe b.pe --links b.links --series b.series
    expect 0 sweep merge -o c.db old.1.db old.2.db --series c.series
    same a.pe b.pe
    same a.links b.links
    [ "$(wc -l <a.links)" -gt 1 ] || fail "the links of the new one are lost"
    same a.series b.series
    same a.series c.series
    [ "$(wc -l <a.pe)" -gt 1 ] || fail "the PEs of the new one are lost"
    # Gone on with: what is there stays, and it is one of this version then.
    expect 0 sweep run all.yaml -o old.1.db --pe gone_on.pe
    err_has "8 runs, 5 of them new"
    [ "$(sqlite3 old.1.db 'PRAGMA user_version')" = 8 ] || fail "the version is not raised"
    [ "$(sqlite3 old.1.db 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ] ||
        fail "the database is not sound"
    # A statistic of PEs that an older hiaton did not know is a new column.
    cp all.1-of-3.db old.3.db
    sqlite3 old.3.db 'ALTER TABLE pe DROP COLUMN turns'
    expect 0 sweep merge -o d.db all.2-of-3.db old.3.db --pe d.pe
    expect 0 sweep merge -o e.db old.3.db all.2-of-3.db --pe e.pe
    same d.pe e.pe
    grep -q ',,' d.pe || fail "what was not kept is there"
    for version in 0 9; do
        sqlite3 old.2.db "PRAGMA user_version = $version"
        expect 2 results csv old.2.db
        err_has "hiaton"
    done
    for table in profile pe links epochs sources; do
        [ "$(sqlite3 all.db "SELECT strict FROM pragma_table_list('$table')")" = 1 ] ||
            fail "the table $table is not STRICT"
    done
fi

[ $failures -eq 0 ] || echo "$failures failed"
exit $((failures > 0))
