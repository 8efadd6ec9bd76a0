#!/bin/sh
# Every setting and statistic has an owner, which is there (machine/settings.def,
# programs/settings/settings.def, traces/stats.def, and the tables of parts that they include).
# The owner of a setting alone reads its field; machine/describe.c reads all, as it makes the
# description that others ask (traces/machine.h). Whoever makes settings may set a field.
# shellcheck disable=SC2086 # $tables: names without spaces
set -eu
SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)
cd "$SRCDIR"
found=$(mktemp)
trap 'rm -f "$found"' EXIT

tables=$(find machine programs/settings traces -name '*.def' | LC_ALL=C sort)

# readers FILE...: a line for each file and the setting of another owner that it reads.
readers() {
    awk '
        function is_owner(file, owners,    each, count, i) {
            count = split(owners, each, " ")
            for (i = 1; i <= count; i++) if (index(file, each[i]) == 1) return 1
            return 0
        }
        function is_set(rest) { return rest ~ /^[a-z0-9_]+ = / }
        function base(name) { return name == "settings" || (FILENAME, name) in is_settings }
        FILENAME ~ /\.def$/ {
            if (FNR == 1) owner = ""
            if (/^OWNER\(/) { split($0, parts, "\""); owner = parts[2] }
            if (/^(NUMBER|NUMBER_OF_PE|CHOICE|LIST|TEXT|PATH)\("/) {
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
                if (base(name) && field in owner_of && !is_owner(FILENAME, owner_of[field]) && !is_set(line) && !((FILENAME, field) in told)) {
                    told[FILENAME, field]
                    print FILENAME, key_of[field]
                }
            }
        }' $tables "$@" | LC_ALL=C sort
}

# shellcheck disable=SC2046 # names without spaces
readers $(find lib isa programs traces machine analysis sim -name '*.[ch]' ! -path 'machine/settings.[ch]' ! -path 'machine/describe.[ch]' ! -path 'programs/settings/*' | LC_ALL=C sort) >"$found"
status=0
# shellcheck disable=SC2013 # words
for owner in $(sed -n 's/^OWNER("\(.*\)")$/\1/p' $tables | tr ' ' '\n' | sort -u); do
    [ -n "$(find "${owner%/*}" -path "$owner*")" ] || {
        echo "owners.sh: there is no $owner"
        status=1
    }
done
[ ! -s "$found" ] || {
    cat "$found"
    echo 'owners.sh: a file reads a setting of another owner (machine/settings.def, programs/settings/settings.def): ask the description of the machine (traces/machine.h) or the owner'
    status=1
}
exit $status
