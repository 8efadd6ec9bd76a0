#!/bin/sh
# The tables of doc/study.md are those that doc/study.yaml makes: all of them, or with HIATON_QUICK
# those of some runs. And where page and tables differ, doc/study.sh says so. HIATON is the program.
set -u
about=''
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"
base="network.latency == 4 and pe.units == 1 and stage.match.latency == 1 and network.topology == 'crossbar'"
few="pe.count == 1 and program == 'fib' or (pe.count == 1 or pe.count == 16 or pe.count == 256) and $base"
: >err

# study DIRECTORY CONDITION
study() {
    last="doc/study.sh of $1"
    STUDY_ONLY=$2 sh "$1/study.sh" >out 2>err
}
if [ -n "${HIATON_QUICK-}" ]; then
    study "$SRCDIR/doc" "$few" || fail "a table of the page is not what is made: $(head -n 1 out)"
else
    study "$SRCDIR/doc" '' || fail "a table of the page is not what is made: $(head -n 1 out)"
fi

# A page with another number, and one that lacks a table.
mkdir -p copy/doc copy/programs
ln -s "$SRCDIR/programs/examples" copy/programs/examples
cp "$SRCDIR/doc/study.sh" "$SRCDIR/doc/study.yaml" copy/doc
# differs EXPRESSION TEXT: so the page is changed by sed; so it is said.
differs() {
    sed "$1" "$SRCDIR/doc/study.md" >copy/doc/study.md
    study copy/doc "(pe.count == 1 or pe.count == 256) and program == 'fib' and $base" && fail "not found: $1"
    grep -qF -- "$2" out err || fail "$1: it says $(cat out err)"
}
differs 's/^\(| fib | 1 | 569\)02/\103/' 'bounds: | fib | 1 | 56902 |'
differs 's/^<!-- table: gains -->$//' 'doc/study.md has no table gains'
exit $((failures > 0))
