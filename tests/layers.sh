#!/bin/sh
# The layers of ARCHITECTURE.md hold: a folder includes only from those it stands on, by
# "folder/file.h"; and every file is listed in a local.mk, and so built and distributed.
set -eu

SRCDIR=${SRCDIR:-$(dirname "$0")/..}
folders="lib isa programs traces machine analysis sim tests"

# files ROOT EXTENSION...: the files of the folders, by name relative to ROOT.
files() (
    cd "$1"
    shift
    for folder in $folders; do
        [ -d "$folder" ] || continue
        for extension in "$@"; do
            find "$folder" -name "*.$extension" -type f
        done
    done | LC_ALL=C sort
)

# includes ROOT: prints each violation as FILE:LINE: TEXT; fails if there is one.
includes() (
    cd "$1"
    files . c h def | awk '
        BEGIN {
            all = "lib isa programs traces machine analysis sim tests"
            may["lib"] = "lib"
            may["isa"] = "isa lib"
            may["programs"] = "programs isa lib"
            may["traces"] = "traces isa lib"
            may["machine"] = "machine traces isa lib"
            may["analysis"] = "analysis traces isa lib"
            may["sim"] = all
            may["tests"] = all
        }
        function has(list, word) { return index(" " list " ", " " word " ") > 0 }
        # The second simulator shares with the engines what a graph is, and nothing else.
        function alone(name) {
            return name ~ /^tests\/oracle\// && name !~ /\/(main\.c|compare\.[ch])$/
        }
        function shared(text) {
            return text ~ /^lib\// || text ~ /^tests\/oracle\/(oracle|state)\.h$/ ||
                text ~ /^isa\/(graph|op|type|value)\.h$/
        }
        function say(text) {
            printf "%s:%d: %s\n", file, line, text
            bad = 1
        }
        {
            file = $0
            from = file
            sub(/\/.*/, "", from)
            line = 0
            while ((getline text < file) > 0) {
                line++
                if (text !~ /^[ \t]*#[ \t]*include[ \t]*["<]/)
                    continue
                sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
                quoted = substr(text, 1, 1) == "\""
                text = substr(text, 2)
                sub(/[">].*/, "", text)
                to = text
                if (!sub(/\/.*/, "", to))
                    to = ""
                if (quoted && text == "config.h") {
                    if (from != "sim" && from != "tests")
                        say("only sim/ includes config.h")
                } else if (quoted && !has(all, to))
                    say("\"" text "\" is included without its folder")
                else if (!quoted && has(all, to))
                    say("<" text "> is ours: include it in quotes")
                else if (quoted && alone(file) && !shared(text))
                    say("the second simulator includes \"" text "\"")
                else if (quoted && !has(may[from], to))
                    say(from "/ does not stand on " to "/, but includes \"" text "\"")
            }
            close(file)
        }
        END { exit bad }'
)

# listed ROOT: prints each file that no local.mk names, itself or, under tests/, by its folder;
# fails if there is one.
listed() (
    cd "$1"
    names=$(cat Makefile.am ./*/local.mk | tr -cs "[:alnum:]_./-" "\n")
    status=0
    for file in $(files . c h def df sh yaml) $(find doc -name '*.scd' -o -name '*.scd.in'); do
        name=$file
        case $file in
        tests/unit_*.c | tests/unit/*/*.c) name=${file%.c} ;;
        doc/*.scd.in) name=${file%.scd.in} ;;
        doc/*.scd) name=${file%.scd} ;;
        esac
        while ! printf '%s\n' "$names" | grep -qxF "$name"; do
            case $name in
            tests/*/*) name=${name%/*} ;;
            *)
                echo "$file: in no local.mk"
                status=1
                break
                ;;
            esac
        done
    done
    exit $status
)

# --- the test of the test ----------------------------------------------------

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# expect WHAT OUTPUT COMMAND...: COMMAND fails and prints exactly OUTPUT.
expect() {
    what=$1
    wanted=$2
    shift 2
    if found=$("$@"); then
        echo "self-test: $what was not caught"
        exit 1
    elif [ "$found" != "$wanted" ]; then
        printf 'self-test: %s:\nexpected: %s\nfound:    %s\n' "$what" "$wanted" "$found"
        exit 1
    fi
}

mkdir "$scratch/lib" "$scratch/isa" "$scratch/machine" "$scratch/sim" "$scratch/doc"
printf 'libhiaton_a_SOURCES += lib/a.h isa/b.c machine/c.c \\\n  sim/d.c\n' >"$scratch/lib/local.mk"
: >"$scratch/Makefile.am"
: >"$scratch/lib/a.h"
printf '#include "isa/b.h"\n#include "lib/a.h"\n' >"$scratch/isa/b.c"
printf '#include <math.h>\n\n  # include "isa/b.h"\n' >"$scratch/machine/c.c"
printf '#include "config.h"\n#include "machine/c.h"\n' >"$scratch/sim/d.c"
includes "$scratch" || { echo "self-test: what is right was refused"; exit 1; }
listed "$scratch" || { echo "self-test: a listed file was not found"; exit 1; }

printf '/* */\n#include "isa/b.h"\n' >"$scratch/lib/a.h"
expect "an upward include" \
    'lib/a.h:2: lib/ does not stand on isa/, but includes "isa/b.h"' includes "$scratch"
: >"$scratch/lib/a.h"

printf '#include "analysis/x.h"\n' >"$scratch/machine/c.c"
expect "a sideways include" \
    'machine/c.c:1: machine/ does not stand on analysis/, but includes "analysis/x.h"' \
    includes "$scratch"
printf '#include "c.h"\n' >"$scratch/machine/c.c"
expect "a bare include" \
    'machine/c.c:1: "c.h" is included without its folder' includes "$scratch"
: >"$scratch/machine/c.c"

: >"$scratch/isa/b"
: >"$scratch/isa/e.def"
expect "an unlisted file" 'isa/e.def: in no local.mk' listed "$scratch"

mkdir -p "$scratch/tests/oracle"
printf '#include "lib/a.h"\n#include "isa/graph.h"\n#include "isa/exec/activation.h"\n' \
    >"$scratch/tests/oracle/x.c"
printf '#include "isa/exec/activation.h"\n#include "machine/c.h"\n' >"$scratch/tests/oracle/main.c"
expect "an engine in the second simulator" \
    'tests/oracle/x.c:3: the second simulator includes "isa/exec/activation.h"' includes "$scratch"
rm -r "$scratch/tests"

# --- the test ----------------------------------------------------------------

status=0
includes "$SRCDIR" || status=1
listed "$SRCDIR" || status=1
exit $status
