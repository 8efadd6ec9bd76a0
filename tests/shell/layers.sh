#!/bin/sh
# The rooms of ARCHITECTURE.md hold: a room includes only from those it stands on, by
# "folder/room/file.h", and tables (*.def) from all; every file is listed in a local.mk, and so built
# and distributed; and every file of ours that a page or a comment names is there. Below the second
# storey of sim/ nothing prints or ends the process. No room of sim/ has more than 15 modules. No line
# of code has more than 100 columns, and names that were given up do not come back. The rooms of
# machine/ are in an order, and the state of a part is seen in its room alone.
# shellcheck disable=SC2016 # backquotes of Markdown
set -eu

SRCDIR=${SRCDIR:-$(dirname "$0")/../..}
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

# includes ROOT [ROOM...]: prints each violation as FILE:LINE: TEXT; fails if there is one. For the
# test of the test, the first ROOM may also include from the others.
includes() (
    cd "$1"
    shift
    files . c h def | awk -v also="$*" '
        # Each room, and the rooms that it may include from besides its own; X/* is X and all rooms
        # in it. The rooms of machine/ are shelves around machine/state.h; what is outside sees
        # machine/ itself, and no shelf.
        BEGIN {
            tops = "lib isa programs traces analysis machine sim tests"
            may["lib"] = ""
            may["isa"] = "lib isa/tensor"
            may["isa/tensor"] = "lib"
            may["isa/check"] = "lib isa isa/tensor"
            may["isa/format"] = "lib isa isa/check isa/tensor"
            may["isa/exec"] = "lib isa isa/tensor"
            may["isa/fire"] = "lib isa isa/exec"
            may["programs/syntax"] = "lib isa isa/tensor"
            may["programs/settings"] = "isa"
            may["programs/types"] = "lib isa isa/tensor programs/syntax"
            may["programs/form"] = "lib isa isa/tensor programs/settings"
            may["programs/gradient"] = "lib isa isa/tensor programs/settings programs/form"
            may["programs/optimise"] = "lib isa isa/exec isa/tensor programs/settings programs/form"
            may["programs/graph"] = "lib isa isa/tensor programs/settings programs/syntax programs/types programs/form programs/gradient"
            may["programs/partition"] = "lib isa isa/check isa/tensor"
            may["programs/dragnn"] = ""
            may["programs"] = "lib isa isa/check isa/tensor programs/*"
            may["traces"] = "lib isa"
            may["traces/exports"] = "lib isa traces traces/results"
            may["traces/files"] = "lib isa traces"
            may["traces/results"] = "lib isa traces"
            may["analysis"] = "lib isa traces"
            may["analysis/cost"] = "lib isa traces analysis"
            may["analysis/diff"] = "lib isa traces analysis/cost"
            may["analysis/causes"] = "lib isa traces analysis analysis/cost analysis/stream"
            may["analysis/stream"] = "lib isa traces analysis analysis/cost"
            may["analysis/whatif"] = "lib isa traces analysis analysis/stream"
            may["analysis/report"] = "lib isa traces analysis analysis/stream"
            may["analysis/condition"] = "lib traces/*"
            may["analysis/view"] = "lib traces/* analysis analysis/condition"
            may["analysis/table"] = "lib traces/* analysis analysis/view"
            may["analysis/figure"] = "lib isa traces/* analysis analysis/stream analysis/view"
            may["machine"] = "lib isa isa/tensor isa/exec isa/fire traces machine/*"
            may["machine/pe"] = may["machine"]
            may["machine/tokens"] = "lib isa isa/exec machine/tokens"
            may["machine/placement"] = may["machine"]
            may["machine/network"] = may["machine"]
            may["machine/nodes"] = may["machine"]
            may["machine/simgrid"] = may["machine"]
            may["machine/verify"] = may["machine"]
            may["machine/engine"] = may["machine"]
            below = "lib isa/* programs programs/settings programs/partition traces/* analysis analysis/cost analysis/causes analysis/diff analysis/stream analysis/whatif machine"
            may["sim"] = ""
            # Three storeys: what runs one program, what runs many and shows them, the command line.
            set_storey("sim", 1)
            set_storeys("loading ending session replay explain training library", 1)
            set_storeys("values experiment sweep compare network messages outputs report", 2)
            set_storeys("cli commands", 3)
            may["sim/loading"] = below
            may["sim/ending"] = below
            may["sim/session"] = below " sim/loading sim/ending"
            may["sim/replay"] = may["sim/session"] " sim/session"
            may["sim/explain"] = may["sim/replay"] " sim/replay machine/network machine/traffic"
            may["sim/training"] = may["sim/session"] " sim/session"
            may["sim/library"] = may["sim/replay"] " sim sim/replay"
            may["sim/values"] = below " sim/loading"
            may["sim/experiment"] = below " analysis/condition analysis/view sim/loading sim/session sim/training sim/values"
            may["sim/sweep"] = may["sim/experiment"] " machine/simgrid sim/ending sim/replay sim/explain sim/experiment"
            may["sim/compare"] = may["sim/sweep"] " analysis/table sim/sweep"
            may["sim/network"] = below " machine/network machine/traffic"
            may["sim/messages"] = below " sim sim/ending sim/session sim/library"
            may["sim/outputs"] = may["sim/experiment"] " analysis/table analysis/figure sim/experiment sim/network sim/messages"
            may["sim/report"] = below " isa/format sim/loading sim/session sim/replay sim/explain analysis/report analysis/figure sim/outputs"
            may["sim/cli"] = may["sim/sweep"] " sim sim/library sim/messages sim/outputs"
            may["sim/commands"] = may["sim/cli"] " analysis/table analysis/figure machine/network sim/cli sim/compare sim/network sim/report sim/sweep"
            may["tests"] = "lib isa/* programs/* traces/* analysis/* machine/* sim/* tests/*"
            if (split(also, words, " ") > 1)
                may[words[1]] = may[words[1]] substr(also, length(words[1]) + 1)
            check_storeys()
        }
        function set_storey(room, number) { storey[room] = number }
        function set_storeys(rooms, number, words, i, n) {
            n = split(rooms, words, " ")
            for (i = 1; i <= n; i++)
                set_storey("sim/" words[i], number)
        }
        # The table itself allows no arrow upward.
        function check_storeys(from, words, i, n) {
            for (from in may) {
                if (from !~ /^sim/)
                    continue
                if (!(from in storey))
                    say_table(from "/ is in no storey")
                n = split(may[from], words, " ")
                for (i = 1; i <= n; i++)
                    if (words[i] ~ /^sim/ && (!(words[i] in storey) || storey[words[i]] > storey[from]))
                        say_table(from "/ may not stand on " words[i] "/, which is a storey above it")
            }
        }
        function say_table(text) {
            print "the table of rooms: " text
            bad = 1
        }
        function room(path, folder) {
            sub(/\/[^\/]*$/, "", path)
            folder = path
            while (!(path in may) && sub(/\/[^\/]*$/, "", path))
                ;
            return path == "sim" ? folder : path # of sim/ itself there is hiaton.h alone
        }
        function stands_on(from, to, words, i, n) {
            if (from == to)
                return 1
            n = split(may[from], words, " ")
            for (i = 1; i <= n; i++)
                if (words[i] == to || (words[i] ~ /\/\*$/ &&
                    index(to "/", substr(words[i], 1, length(words[i]) - 1)) == 1))
                    return 1
            return 0
        }
        function has(list, word) { return index(" " list " ", " " word " ") > 0 }
        # A table is data, and each file takes the kinds of its rows that it needs (machine/rows.def).
        function is_table(text) { return text ~ /[.]def$/ }
        # The second simulator shares with the engines what a graph is, and nothing else.
        function alone(name) {
            return name ~ /^tests\/oracle\// && name !~ /\/(main\.c|(compare|feeding)\.[ch])$/
        }
        function shared(text) {
            return text ~ /^lib\// || text ~ /^tests\/oracle\/(oracle|routers|state|ways|why)\.h$/ ||
                text ~ /^isa\/(graph|kernel_use|op|type|value)\.h$/ ||
                text ~ /^isa\/tensor\//
        }
        # Commands that stand on hiaton.h, and the files that add to it what the library does not
        # offer: windows, energies, series, profiles, costs, sinks and files of events.
        function embeds(name) { return name ~ /^sim\/commands\/cmd_(interp|replay|run)\.c$/ }
        function adds(name) { return name ~ /^sim\/(cli\/(execute|open)|messages\/progress)\.c$/ || name ~ /^sim\/library\// ||
            name ~ /^tests\// }
        # The files of which a feature of the build decides what is in them.
        function has_feature(name) {
            return name == "programs/partition/metis.c" || name == "isa/tensor/blas.c"
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
            if (!(room(file) in may))
                say("it is in no room")
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
                    if (from != "sim" && from != "tests" && !has_feature(file))
                        say("only sim/ and files that ask for a feature of the build include config.h")
                } else if (quoted && !has(tops, to))
                    say("\"" text "\" is included without its folder")
                else if (!quoted && has(tops, to))
                    say("<" text "> is ours: include it in quotes")
                else if (quoted && alone(file) && !shared(text))
                    say("the second simulator includes \"" text "\"")
                else if (quoted && embeds(file) && text ~ /^sim\/(library|replay|session)\//)
                    say("a command that stands on hiaton.h includes \"" text "\"")
                else if (quoted && text ~ /^sim\/library\// && !adds(file))
                    say("what hiaton.h hides is included: \"" text "\"")
                else if (quoted && !is_table(text) && !stands_on(room(file), room(text)))
                    say(room(file) "/ does not stand on " room(text) "/, but includes \"" text "\"")
            }
            close(file)
        }
        END { exit bad }'
)

# ordered ROOT: prints each include of machine/ from a room to one above it that is not in
# tests/data/machine_rooms.tbl, and each row of that table without such an include; fails if there is
# one. So the table may only become shorter.
ordered() (
    cd "$1"
    files . c h def | grep '^machine/' | awk '
        # From below to above. The headers of machine/ are below most rooms; its other files, above.
        BEGIN {
            n = split("tokens headers placement pe network nodes simgrid traffic verify engine others", rooms, " ")
            for (i = 1; i <= n; i++)
                rank[rooms[i]] = i
            table = "tests/data/machine_rooms.tbl"
            while ((getline text < table) > 0)
                if (text !~ /^#/)
                    known[text]
        }
        function room(path, parts) {
            if (split(path, parts, "/") > 2)
                return parts[2]
            return path ~ /[.]c$/ || path == "machine/checkpoint.h" ? "others" : "headers"
        }
        {
            file = $0
            while ((getline text < file) > 0) {
                if (text !~ /^[ \t]*#[ \t]*include[ \t]*"machine\/.*[.]h"/)
                    continue
                split(text, parts, "\"")
                row = file " " parts[2]
                if (rank[room(file)] >= rank[room(parts[2])])
                    continue
                if (!(row in known)) {
                    print file ": it includes " parts[2] ", which is in a room above"
                    bad = 1
                }
                seen[row]
            }
            close(file)
        }
        END {
            for (row in known)
                if (!(row in seen)) {
                    print table ": take out this row: " row
                    bad = 1
                }
            exit bad
        }'
)

# hidden ROOT: the state of a part (machine/parts.def: STATE, and the networks) is seen in its room
# alone. Prints each include of a header of machine/ROOM that defines one, from elsewhere in machine/;
# fails if there is one.
hidden() (
    cd "$1"
    files . def h c | awk '
        function each(name, pattern, text) {
            while ((getline text < name) > 0)
                if (text ~ pattern)
                    found[++count] = name " " text
            close(name)
        }
        BEGIN { type["crossbar"]; type["fabric"]; type["grid"] }
        /^machine\// {
            if ($0 ~ /[.]def$/)
                each($0, "^STATE[(]")
            else if ($0 ~ /[.]h$/ && split($0, parts, "/") > 2)
                each($0, "^struct machine_[a-z_]* [{]$")
            if ($0 !~ /[.]def$/)
                each($0, "^#include \"machine/")
        }
        END {
            for (i = 1; i <= count; i++)
                if (match(found[i], / STATE[(][a-z_]*/))
                    type[substr(found[i], RSTART + 7, RLENGTH - 7)]
            for (i = 1; i <= count; i++)
                if (split(found[i], words, / (struct machine_)?/) && found[i] ~ / [{]$/ && words[2] in type)
                    state[words[1]]
            for (i = 1; i <= count; i++) {
                file = found[i]
                sub(/ .*/, "", file)
                if (split(found[i], words, "\"") < 2 || !(words[2] in state))
                    continue
                sub(/[^\/]*$/, "", file)
                sub(/[^\/]*$/, "", words[2])
                if (file == words[2])
                    continue
                sub(/#include /, "it sees the state of a part in another room: ", found[i])
                print found[i]
                bad = 1
            }
            exit bad
        }'
)

# quiet ROOT: prints each place below the second storey of sim/ that prints or ends the process;
# fails if there is one. Of others there may be: a broken invariant, what keeps other libraries from
# printing, and the ends of child processes (_exit).
quiet() (
    cd "$1"
    loud=0
    for file in $(files . c h cpp def | grep -E '^(lib|isa|programs|traces|machine|analysis)/|^sim/(loading|ending|session|replay|explain|training|library)/' |
        grep -vE '^(programs/dragnn/.*|lib/tool.c|programs/partition/metis.c|machine/verify/verify.c)$'); do
        ! grep -nE '(^|[^A-Za-z0-9_])(exit|printf|vprintf|puts|putchar|perror) ?\(|(^|[^A-Za-z0-9_/])std(out|err)([^A-Za-z0-9_]|$)' "$file" |
            sed "s|^|$file:|" | grep . || loud=1
    done
    exit $loud
)

# sizes ROOT: prints each room of sim/ with more than 15 modules, a .c with its .h and its
# _internal.h, the files of sub-commands aside; and each file of 600 lines, but for the header that
# others include. Fails if there is one.
sizes() (
    cd "$1"
    files . c h | grep '^sim/' | awk '
        {
            room = module = $0
            sub(/\/[^\/]*$/, "", room)
            sub(/(_internal)?[.][ch]$/, "", module)
            if (module !~ /\/cmd_[a-z0-9_]*$/ && !(module in seen))
                modules[room] += seen[module] = 1
            lines = 0
            while ((getline text < $0) > 0)
                lines++
            close($0)
            if (lines >= 600 && $0 != "sim/hiaton.h")
                problem[++count] = $0 ": it has " lines " lines; expected fewer than 600"
        }
        END {
            for (room in modules)
                if (modules[room] > 15)
                    problem[++count] = room "/: it has " modules[room] " modules; expected at most 15"
            for (i = 1; i <= count; i++)
                print problem[i]
            exit count > 0
        }'
)

# written ROOT: prints each line of code with more than 100 columns, and each with a name that was
# given up for a better one; fails if there is one.
written() (
    cd "$1"
    files . c h cpp | xargs awk '
        function found(what) { print FILENAME ":" FNR ": " what; bad = 1 }
        length > 100 { found("it has " length " columns; expected at most 100") }
        match($0, /machine_tell_|machine_found|machine_offer|machine_pace|_inside[.]h|let_go|LET_GO|causes_odd|causes_stamp|lib_aside|ISA_SLOT_AWAY|isa_again|sim_circle|sim_sieve|sim_voice|analysis_cone|analysis_alike|programs_foreign/) {
            found("the name " substr($0, RSTART, RLENGTH) " was given up")
        }
        END { exit bad }'
)

# listed ROOT: prints each file that no local.mk names, itself, by a pattern or, under tests/, by its folder;
# fails if there is one.
listed() (
    cd "$1"
    names=$(cat Makefile.am ./*/local.mk | tr -cs "[:alnum:]_./*-" "\n")
    status=0
    for file in $(files . c h def df sh yaml) $(find doc -name '*.scd'); do
        name=$file
        case $file in
        tests/unit/*/*.c) name=${file%.c} ;;
        doc/*.scd) name=${file%.scd} ;;
        esac
        ! printf '%s\n' "$names" | grep -qxF "${file%/*}/*.${file##*.}" || continue
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

# named ROOT FILE...: prints each path below the folders, and on pages each `name.c`, that a FILE
# names and ROOT does not have; fails if there is one. NAME, ROOM and X stand for any word.
named() (
    cd "$1"
    shift
    present=$(mktemp)
    trap 'rm -f "$present"' EXIT
    for folder in $folders doc; do
        [ ! -d "$folder" ] || find "$folder"
    done >"$present"
    awk '
        function pattern(path) {
            gsub(/\./, "[.]", path)
            gsub(/NAME|ROOM|X/, "*", path)
            gsub(/\*/, "[^/]*", path)
            return "^" path "([.]c)?$"
        }
        # An exact path, or that of a program without its .c, is looked up; others are tried.
        function is_there(path, name, wanted) {
            if (path in names || (path ".c") in names)
                return 1
            if (path in seen)
                return seen[path]
            wanted = pattern(path)
            seen[path] = 0
            for (name in names)
                if (name ~ wanted)
                    return seen[path] = 1
            return 0
        }
        function check(path) {
            if (is_there(path))
                return
            printf "%s:%d: there is no %s\n", FILENAME, FNR, path
            bad = 1
        }
        NR == FNR {
            names[$0]
            sub(/.*\//, "")
            names["`" $0 "`"]
            next
        }
        {
            before = "/"
            text = $0
            while (match(text, /(lib|isa|programs|traces|machine|analysis|sim|tests|doc)\/[][A-Za-z0-9_.\/*-]*/)) {
                before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
                path = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                if (path !~ /\[/)
                    sub(/\].*/, "", path) # of a link
                sub(/[.\/*-]+$/, "", path)
                if (before !~ /[A-Za-z0-9_.\/$<-]/)
                    check(path)
            }
            text = FILENAME ~ /[.]md$/ ? $0 : ""
            while (match(text, /`[A-Za-z0-9_*]+[.](c|h|def|\[ch\])`/)) {
                check(substr(text, RSTART, RLENGTH))
                text = substr(text, RSTART + RLENGTH)
            }
        }
        END { exit bad }' "$present" "$@"
)

# texts ROOT: pages and sources, but this file, whose self-test names what is not there.
texts() (
    cd "$1"
    printf '%s\n' *.md
    find doc -name '*.md' -o -name '*.scd'
    files . c h def sh yaml | grep -vx tests/shell/layers.sh
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

mkdir -p "$scratch/lib" "$scratch/isa" "$scratch/machine" "$scratch/sim/commands" "$scratch/doc"
printf 'libinternal_a_SOURCES += lib/a.h isa/b.c machine/c.c \\\n  sim/commands/d.c\n' >"$scratch/lib/local.mk"
: >"$scratch/Makefile.am"
: >"$scratch/lib/a.h"
printf '#include "isa/b.h"\n#include "lib/a.h"\n' >"$scratch/isa/b.c"
printf '#include <math.h>\n\n  # include "isa/b.h"\n#include "analysis/rows.def"\n' >"$scratch/machine/c.c"
printf '#include "config.h"\n#include "machine/c.h"\n' >"$scratch/sim/commands/d.c"
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

mkdir -p "$scratch/isa/check" "$scratch/isa/format" "$scratch/sim/session" "$scratch/sim/attic"
printf '#include "isa/check/r.h"\n#include "isa/g.h"\n' >"$scratch/isa/format/w.c"
printf '#include "isa/check/r.h"\n#include "machine/m.h"\n' >"$scratch/sim/session/s.c"
includes "$scratch" || { echo "self-test: rooms that may be included were refused"; exit 1; }
printf '#include "isa/g.h"\n#include "isa/format/w.h"\n' >"$scratch/isa/check/r.h"
expect "a room that stands above" \
    'isa/check/r.h:2: isa/check/ does not stand on isa/format/, but includes "isa/format/w.h"' \
    includes "$scratch"
: >"$scratch/isa/check/r.h"
printf '#include "machine/pe/q.h"\n' >"$scratch/sim/session/s.c"
expect "a shelf of the machine seen from outside" \
    'sim/session/s.c:1: sim/session/ does not stand on machine/pe/, but includes "machine/pe/q.h"' \
    includes "$scratch"
: >"$scratch/sim/session/s.c"
: >"$scratch/sim/attic/x.c"
expect "a file in no room" 'sim/attic/x.c:0: it is in no room' includes "$scratch"
rm -r "$scratch/isa/check" "$scratch/isa/format" "$scratch/sim/session" "$scratch/sim/attic"
expect "an arrow upward in the table" \
    'the table of rooms: sim/session/ may not stand on sim/sweep/, which is a storey above it' \
    includes "$scratch" sim/session sim/replay sim/sweep
printf '#include "sim/hiaton.h"\n#include "sim/session/session.h"\n' >"$scratch/sim/commands/cmd_run.c"
expect "a command that goes around hiaton.h" \
    'sim/commands/cmd_run.c:2: a command that stands on hiaton.h includes "sim/session/session.h"' includes "$scratch"
rm "$scratch/sim/commands/cmd_run.c"
printf '#include "sim/library/library_internal.h"\n' >"$scratch/sim/commands/d.c"
expect "a command that looks inside" \
    'sim/commands/d.c:1: what hiaton.h hides is included: "sim/library/library_internal.h"' includes "$scratch"
: >"$scratch/sim/commands/d.c"

mkdir -p "$scratch/sim/session"
printf 'void f(FILE *out) { fprintf(out, "x"); _exit(0); } /* /dev/stdout */\n' >"$scratch/sim/session/s.c"
printf 'void g(void) { fputs("x", stdout); }\n' >"$scratch/sim/commands/d.c"
quiet "$scratch" || { echo "self-test: what prints nothing was refused"; exit 1; }
printf 'void f(void)\n{\n    exit(1);\n}\n' >"$scratch/sim/session/s.c"
expect "an exit below" 'sim/session/s.c:3:    exit(1);' quiet "$scratch"
printf '{ fputs("x", stderr); }\n' >"$scratch/sim/session/s.c"
expect "a message from below" 'sim/session/s.c:1:{ fputs("x", stderr); }' quiet "$scratch"
for module in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 s; do
    : >"$scratch/sim/session/$module.c"
    : >"$scratch/sim/session/$module.h"
    : >"$scratch/sim/session/${module}_internal.h"
    : >"$scratch/sim/session/cmd_$module.c"
done
sizes "$scratch" || { echo "self-test: a room with 15 modules was refused"; exit 1; }
: >"$scratch/sim/session/16.h"
yes | head -n 600 >"$scratch/sim/commands/d.c"
expect "a large room and a long file" 'sim/commands/d.c: it has 600 lines; expected fewer than 600
sim/session/: it has 16 modules; expected at most 15' sizes "$scratch"
rm -r "$scratch/sim/session"
: >"$scratch/sim/commands/d.c"

: >"$scratch/isa/b"
: >"$scratch/isa/e.def"
expect "an unlisted file" 'isa/e.def: in no local.mk' listed "$scratch"

mkdir -p "$scratch/tests/data" "$scratch/machine/pe"
printf '#include "machine/checkpoint.h"\n#include "machine/state.h"\n' >"$scratch/machine/pe/q.c"
printf '#include "machine/pe/q.h"\n' >"$scratch/machine/c.c"
echo 'machine/pe/q.c machine/checkpoint.h' >"$scratch/tests/data/machine_rooms.tbl"
ordered "$scratch" || { echo "self-test: rooms of machine/ in order were refused"; exit 1; }
printf '#include "machine/engine/e.h"\n' >"$scratch/machine/pe/q.c"
expect "a room above in machine/" \
    'machine/pe/q.c: it includes machine/engine/e.h, which is in a room above
tests/data/machine_rooms.tbl: take out this row: machine/pe/q.c machine/checkpoint.h' ordered "$scratch"
printf 'struct machine_q {\n};\n' >"$scratch/machine/pe/q.h"
echo '#include "machine/pe/q.h"' >"$scratch/machine/pe/q.c"
echo 'STATE(r, q)' >"$scratch/machine/pe/q.def"
hidden "$scratch" || { echo "self-test: a header without a state was refused"; exit 1; }
echo 'STATE(q, q)' >"$scratch/machine/pe/q.def"
expect "a state that is seen elsewhere" \
    'machine/c.c it sees the state of a part in another room: "machine/pe/q.h"' hidden "$scratch"
rm -r "$scratch/machine/pe" "$scratch/tests"
: >"$scratch/machine/c.c"

mkdir -p "$scratch/tests/oracle"
printf '#include "lib/a.h"\n#include "isa/graph.h"\n#include "isa/exec/activation.h"\n' \
    >"$scratch/tests/oracle/x.c"
printf '#include "isa/exec/activation.h"\n#include "machine/c.h"\n' >"$scratch/tests/oracle/main.c"
expect "an engine in the second simulator" \
    'tests/oracle/x.c:3: the second simulator includes "isa/exec/activation.h"' includes "$scratch"
rm -r "$scratch/tests"

written "$scratch" || { echo "self-test: a line of code was refused"; exit 1; }
printf '%s\n' "$(printf '/* %097d */' 1)" 'struct sim_voice *v;' >"$scratch/lib/a.h"
expect "a long line and an old name" 'lib/a.h:1: it has 103 columns; expected at most 100
lib/a.h:2: the name sim_voice was given up' written "$scratch"
: >"$scratch/lib/a.h"

mkdir -p "$scratch/isa/exec"
: >"$scratch/isa/exec/code.c"
printf '%s\n' 'In `isa/exec/` (isa/exec/code.c, `isa/exec/*.[ch]`).' '`isa/exec/code` and `code.c`' \
    'as isa/exec/NAME.c and [that](isa/b.c), xisa/y or a/lib/z' >"$scratch/page.md"
named "$scratch" page.md || { echo "self-test: a file that is there was not found"; exit 1; }
printf '%s\n' 'see `isa/code.c`.' >>"$scratch/page.md"
expect "a path that is gone" 'page.md:4: there is no isa/code.c' named "$scratch" page.md
printf '%s\n' '' '' '`lost.c` and `isa/exec/NAME.h`' >"$scratch/page.md"
expect "files that are gone" 'page.md:3: there is no isa/exec/NAME.h
page.md:3: there is no `lost.c`' named "$scratch" page.md

# --- the test ----------------------------------------------------------------

status=0
includes "$SRCDIR" || status=1
ordered "$SRCDIR" || status=1
hidden "$SRCDIR" || status=1
quiet "$SRCDIR" || status=1
sizes "$SRCDIR" || status=1
written "$SRCDIR" || status=1
listed "$SRCDIR" || status=1
# shellcheck disable=SC2046 # names without spaces
named "$SRCDIR" $(texts "$SRCDIR") || status=1
exit $status
