#!/bin/sh
# The keys of experiments: each that a reader knows has a row in `hiaton sweep keys', and so in
# hiaton-experiment(5), which says what it is; doc/experiments.md names those of the top. Manual
# pages have the options of commands. HIATON is the program.
set -u
about='sweep'
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

expect 0 keys --json
sed -n 's/.*"key": "\([^"]*\)", "value": "\(.*\)", "help": "\(.*\)"}.*/\1|\2|\3/p' out >rows
[ "$(wc -l <rows)" -eq "$(grep -c '"key"' out)" ] || fail "rows of another form"
grep -E '\|\||\|$' rows >mute && fail "no value or no help: $(cut -d'|' -f1 mute | tr '\n' ' ')"
sort rows | cut -d'|' -f1 | uniq -d | grep . && fail "a key stands there twice"

# The last part of each key, as the tables of the readers have it: `relative.to' of
# `tables[].relative.to'.
sed 's/|.*//; s/.*\[\]\.//; s/^sites\.NAME\.//; s/^repeat\.//' rows | sort -u >listed

# A table of fields that no row leads to is missed here; those of energies and of networks are no
# part of experiments.
grep -rl --include='*.c' 'struct lib_field [a-z_]*\[\]' "$SRCDIR/sim/experiment" "$SRCDIR/analysis" "$SRCDIR/traces" \
    "$SRCDIR/machine" | grep -v -e /analysis/energy.c -e /topology_file.c >tables
# shellcheck disable=SC2002,SC2046 # several files; names without spaces
{
    paste -sd' ' $(cat tables) | grep -oE 'LIB_FIELD\( *"[a-z._]+"' | cut -d'"' -f2
    sed -n '/^OPTION/d; s/^[A-Z]*([A-Z_]*, "\([a-z._]\{1,\}\)".*/\1/p' "$SRCDIR/analysis/view/outputs.def"
} | sort -u >known
[ "$(wc -l <known)" -ge 30 ] || fail "the tables of the readers were not found"
comm -23 known listed >missing
[ ! -s missing ] || fail "read, and not listed: $(tr '\n' ' ' <missing)"

while IFS='|' read -r key value help; do
    case $key in *[.\[]*) continue ;; esac
    grep -q "\`$key\`" "$SRCDIR/doc/experiments.md" || fail "doc/experiments.md has no key \`$key' ($value: $help)"
done <rows

expect 0 keys
grep -q '^figures\[\]\.kind: lines' out || fail "no figures[].kind"
expect 0 keys --scdoc
[ "$(grep -c '^\*' out)" -eq "$(wc -l <rows)" ] || fail "other rows in the manual page"
awk -f "$SRCDIR/doc/man/page.awk" "$SRCDIR/doc/man/hiaton-experiment.5.scd" >page || fail "no manual page"
grep -qF "$(grep '^\*figures.*kind' out)" page || fail "the manual page has no table"

# The options of manual pages are those of the commands: each is there, and none that is not.
for source in "$SRCDIR"/doc/man/*.scd; do
    awk -f "$SRCDIR/doc/man/page.awk" "$source" >page 2>err || fail "${source##*/}: $(cat err)"
done
awk -f "$SRCDIR/doc/man/page.awk" "$SRCDIR/doc/man/hiaton-run.1.scd" >page
"$HIATON" --complete run -- | sed -n 's/^\(--[a-z-]*\).*/\1/p' | grep -vxE -e '--(help|usage|version)' |
    while read -r option; do grep -q "^\*.*$option\*" page || echo "$option"; done >missing
[ ! -s missing ] || fail "hiaton-run(1) lacks $(tr '\n' ' ' <missing)"
printf '@OPTIONS asm@\n--no-such\n\tText.\n@END@\n' >wrong.scd
awk -f "$SRCDIR/doc/man/page.awk" wrong.scd >page 2>err && fail "an option that is not there"
exit $((failures > 0))
