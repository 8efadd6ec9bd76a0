#!/bin/sh
# Every setting and statistic has an owner, which is there (machine/settings.def,
# programs/settings/settings.def, traces/stats.def).
# The owner of a setting alone reads its field: a file that reads those of others is in
# tests/data/settings_readers.tbl with their keys. That table may become shorter: what is no longer
# read must go. machine/describe.c reads all, as it makes the description that others ask
# (traces/machine.h).
#
#   owners.sh write     writes the table
set -eu
SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)
table=$SRCDIR/tests/data/settings_readers.tbl
cd "$SRCDIR"
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# readers FILE...: a line for each file and the setting of another owner that it reads.
readers() {
    awk '
        function base(name) { return name == "settings" || (FILENAME, name) in is_settings }
        FILENAME ~ /settings\.def$/ {
            if (FNR == 1) owner = ""
            if (/^OWNER\(/) { split($0, parts, "\""); owner = parts[2] }
            if (/^(NUMBER|CHOICE|LIST|TEXT|PATH)\("/) {
                split($0, parts, "\"")
                field = parts[3]
                gsub(/[ ,]/, "", field)
                if (owner == "") { print FILENAME ": " parts[2] " has no owner"; exit }
                key_of[field] = parts[2]
                owner_of[field] = owner
            }
            next
        }
        {
            line = $0
            if (in_comment && !sub(/^.*\*\//, "", line)) next
            in_comment = 0
            while (match(line, /\/\*/)) {
                before = substr(line, 1, RSTART - 1)
                rest = substr(line, RSTART + 2)
                if (!match(rest, /\*\//)) { in_comment = 1; line = before; break }
                line = before substr(rest, RSTART + 2)
            }
            gsub(/settings(\.|->)(machine|compile)\./, "settings.", line)
            rest = line
            while (match(rest, /struct (machine|programs)_settings \*?[a-z_]+/)) {
                name = substr(rest, RSTART, RLENGTH)
                sub(/^struct [a-z]*_settings \*?/, "", name)
                is_settings[FILENAME, name]
                rest = substr(rest, RSTART + RLENGTH)
            }
            while (match(line, /[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])?(->|\.)[a-z]/)) {
                name = substr(line, RSTART, RLENGTH - 1)
                line = substr(line, RSTART + RLENGTH - 1)
                sub(/(\[[^]]*\])?(->|\.)$/, "", name)
                field = line
                sub(/[^a-z0-9_].*/, "", field)
                if (base(name) && field in owner_of && index(FILENAME, owner_of[field]) != 1 && !((FILENAME, field) in told)) {
                    told[FILENAME, field]
                    print FILENAME, key_of[field]
                }
            }
        }' machine/settings.def programs/settings/settings.def "$@" | LC_ALL=C sort
}

# shellcheck disable=SC2046 # names without spaces
readers $(find lib isa programs traces machine analysis sim -name '*.[ch]' ! -path 'machine/settings.[ch]' ! -path 'machine/describe.[ch]' ! -path 'programs/settings/*' | LC_ALL=C sort) >"$found"
if [ "${1:-}" = write ]; then
    {
        echo '# Settings that a file reads without being their owner (tests/shell/owners.sh): a file and a key a line.'
        cat "$found"
    } >"$table"
    exit
fi
status=0
# shellcheck disable=SC2013 # words
for owner in $(sed -n 's/^OWNER("\(.*\)")$/\1/p' machine/settings.def programs/settings/settings.def traces/stats.def | sort -u); do
    [ -n "$(find "${owner%/*}" -path "$owner*")" ] || {
        echo "owners.sh: there is no $owner"
        status=1
    }
done
grep -v '^#' "$table" | LC_ALL=C sort | diff - "$found" || {
    echo 'owners.sh: > a file reads a setting of another owner (machine/settings.def, programs/settings/settings.def): ask the owner; < it does so no longer:' \
        'take it out of tests/data/settings_readers.tbl'
    status=1
}
exit $status
