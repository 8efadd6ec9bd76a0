#!/bin/sh
# Every example of the manual does what the manual says. From README.md and the pages of doc/:
#
#   ```console             `$ COMMAND', then what it prints, on standard output and standard
#                          error together; a line `...' stands for any number of lines;
#                          blanks at the end of a line do not count
#   ```LANGUAGE file=NAME  makes a file NAME
#
# A page that compiles programs with pkg-config, or runs python3, finds the library in an installed
# tree, if BUILDDIR has a build. A page that runs python3 is passed over where there is none. The
# blocks of one document are run in order, in a directory of their own, in which examples/ holds the
# examples, and README.md's paths work as in the source tree.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)
: "${HIATON:?the program to run}"
case $HIATON in */*) HIATON=$(cd "$(dirname "$HIATON")" && pwd)/${HIATON##*/} ;; esac

# --- from documents to commands ----------------------------------------------

# split DOCUMENT DIRECTORY: writes the contents of files and the commands with what they
# print as DIRECTORY/N.in and N.out, and the order in which they come as DIRECTORY/plan:
# `file N NAME' and `run N LINE'.
split() {
    awk -v dir="$2" '
        function say(text) {
            printf "%s:%d: %s\n", FILENAME, FNR, text
            bad = 1
        }
        function begin(step) {
            in_file = dir "/" (++count) ".in"
            out_file = dir "/" count ".out"
            printf "" > in_file
            printf "" > out_file
            print step >> plan
        }
        function end() {
            if (count) {
                close(in_file)
                close(out_file)
            }
        }
        BEGIN { plan = dir "/plan"; printf "" > plan }
        /^```/ && kind == "" {
            opened = FNR
            started = 0
            kind = "other"
            if ($0 == "```console") {
                kind = "console"
            } else if ($2 ~ /^file=/) {
                name = substr($2, 6)
                if (name !~ /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/)
                    say("`" name "'\'' cannot be the name of a file")
                kind = "file"
                begin("file " (count + 1) " " name)
            }
            next
        }
        /^```/ {
            if (kind == "console" && !started)
                say("a block of console without a command")
            kind = ""
            end()
            next
        }
        kind == "file" { print > in_file }
        kind == "console" && continued {
            print > in_file
            continued = /\\$/
            next
        }
        kind == "console" && /^\$ / {
            end()
            begin("run " (count + 1) " " FNR)
            started = 1
            print substr($0, 3) > in_file
            continued = /\\$/
            next
        }
        kind == "console" {
            if (!started) {
                say("a block of console starts with a command: `$ ...'\''")
                started = 1
                begin("run " (count + 1) " " FNR)
            }
            print > out_file
        }
        END {
            if (kind != "") {
                FNR = opened
                say("this block has no end")
            }
            exit bad
        }' "$1"
}

# matches EXPECTED FOUND: whether the lines are the same; `...' matches any lines. The
# lines between two of these are looked for where they come first, which is enough.
matches() {
    awk '
        { sub(/[ \t\r]+$/, "") }
        FNR == NR { want[++wants] = $0; next }
        { have[++haves] = $0 }
        END {
            at = 1
            for (i = 1; i <= wants; i = next_i) {
                # The run of lines from i up to the next `...'\'', which may be empty.
                free = want[i] == "..."
                first = free ? i + 1 : i
                for (next_i = first; next_i <= wants && want[next_i] != "..."; )
                    next_i++
                length_ = next_i - first
                last = next_i > wants
                from = free && last ? haves - length_ + 1 : at
                if (from < at)
                    exit 1
                for (place = from; place <= haves - length_ + 1; place++) {
                    for (k = 0; k < length_ && have[place + k] == want[first + k]; )
                        k++
                    if (k == length_ || !free)
                        break
                }
                if (place > haves - length_ + 1 || k < length_)
                    exit 1
                at = place + length_
            }
            exit wants && want[wants] == "..." ? 0 : at != haves + 1
        }' "$1" "$2"
}

# run_document DOCUMENT: prints what differs; fails if anything does. Sets `commands'.
commands=0
run_document() {
    document=$1
    steps=$(mktemp -d "$scratch/steps.XXXXXX")
    place=$(mktemp -d "$scratch/place.XXXXXX")
    mkdir "$place/build" "$place/programs"
    ln -s "$HIATON" "$place/build/hiaton"
    cp -R "$SRCDIR/programs/examples" "$place/examples"
    cp -R "$SRCDIR/programs/examples" "$place/programs/examples"
    cp -R "$SRCDIR/programs/training" "$place/training"
    cp -R "$SRCDIR/programs/dragnn" "$SRCDIR/programs/training" "$place/programs"
    chmod -R u+w "$place"
    commands=0
    split "$document" "$steps" || return 1
    wrong=0
    while read -r what number rest; do
        if [ "$what" = file ]; then
            cp "$steps/$number.in" "$place/$rest"
            continue
        fi
        commands=$((commands + 1))
        (cd "$place" && PATH=$place/build:$PATH sh "$steps/$number.in") \
            >"$steps/found" 2>&1 </dev/null || true
        if ! matches "$steps/$number.out" "$steps/found"; then
            echo "$document:$rest: $(cat "$steps/$number.in")"
            echo "--- the document says"
            cat "$steps/$number.out"
            echo "--- found"
            cat "$steps/found"
            echo "---"
            wrong=1
        fi
    done <"$steps/plan"
    return $wrong
}

# --- the test of the test ----------------------------------------------------

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
unset NO_COLOR
LC_ALL=C
export LC_ALL

# good|bad WHAT: the document on standard input passes, or does not.
good() {
    cat >"$scratch/self.md"
    run_document "$scratch/self.md" >"$scratch/self.log" && return
    echo "self-test: $1: refused"
    cat "$scratch/self.log"
    exit 1
}
bad() {
    cat >"$scratch/self.md"
    ! run_document "$scratch/self.md" >"$scratch/self.log" && return
    echo "self-test: $1: not caught"
    exit 1
}

good "what is right" <<'TEXT'
Text.
```sh
false
```
```txt file=here
one
two
```
```console
$ cat here
one
two
$ cat \
  here >&2; ls examples/fib.df
one
...
examples/fib.df
$ cat here
...
two
$ cat here
...
$ :
$ printf '1\n2\n1\n2\n3\n1\n'
1
...
2
3
...
$ printf '1  \n'
1
```
TEXT
[ "$commands" -eq 7 ] || { echo "self-test: $commands commands, expected 7"; exit 1; }
for wrong in 'one' 'one two three' 'two one' '... one' 'two ...' '... one ... one' \
    'one two ... two' '... x ...' ''; do
    {
        printf '```console\n$ echo one; echo two\n'
        for line in $wrong; do echo "$line"; done
        echo '```'
    } | bad "the output \`$wrong'"
done
bad "a block without an end" <<'TEXT'
```console
$ :
TEXT
bad "a block without a command" <<'TEXT'
```console
output
```
TEXT
bad "an empty block" <<'TEXT'
```console
```
TEXT
bad "a file elsewhere" <<'TEXT'
```df file=../x
```
TEXT

# --- the test ----------------------------------------------------------------

# shellcheck disable=SC2086 # a list of pages
if [ -n "${BUILDDIR:-}" ] && (cd "$SRCDIR" && grep -q -e '^\$ cc .*pkg-config' -e '^\$ python3' ${PAGES:-doc/*.md}); then
    prefix=$scratch/prefix
    make -s -C "$BUILDDIR" install-library prefix="$prefix" made_folders="$scratch/made" >"$scratch/make.log" 2>&1 ||
        cat "$scratch/make.log"
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    LD_LIBRARY_PATH=$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    PYTHONPATH=$prefix/share/hiaton/python${PYTHONPATH:+:$PYTHONPATH}
    export PKG_CONFIG_PATH LD_LIBRARY_PATH PYTHONPATH
fi

status=0
all=0
cd "$SRCDIR"
# shellcheck disable=SC2086 # a list of pages
for page in ${PAGES:-README.md doc/*.md doc/model/*.md doc/studies/*.md}; do
    document=$SRCDIR/$page
    if grep -q '^\$ python3' "$page" && ! command -v python3 >/dev/null; then
        echo "SKIPPED: $page: there is no python3"
        continue
    fi
    run_document "$document" || status=1
    echo "${document#"$SRCDIR"/}: $commands commands"
    all=$((all + commands))
done
[ "$all" -gt 0 ] || { echo "no document has a command"; status=1; }
exit $status
