#!/bin/sh
# Every input of the corpus goes through its fuzz target, and breaks nothing; and the
# dictionaries have the words of the tables.
set -u
LC_ALL=C
export LC_ALL

SRCDIR=${SRCDIR:-$(dirname "$0")/../..}
BUILDDIR=${BUILDDIR:?where the targets are}
HIATON=${HIATON:?the program}
status=0

fail() {
    echo "$*"
    status=1
}

# --- the corpus ----------------------------------------------------------------

# libFuzzer, too, runs the files that it is given once each, and stops at a failure.
output=$(mktemp)
trap 'rm -f "$output"' EXIT
trap 'exit 1' HUP INT TERM
for target in assembly checkpoint compare conllu csv energy experiment image language network npy partition parts recording results settings trace trees; do
    set -- "$SRCDIR/tests/fuzz/corpus/$target"/*
    [ -f "$1" ] || fail "$target: there is no corpus"
    if ! "$BUILDDIR/tests/fuzz_$target" "$@" >"$output" 2>&1; then
        fail "$target: failed; the last input named here was too much for it:"
        tail -n 60 "$output"
    fi
done

# --- the dictionaries ------------------------------------------------------------

# words TARGET WORD...: each is in the dictionary, alone or with more in its entry.
words() {
    dictionary=$SRCDIR/tests/fuzz/$1.dict
    shift
    for word in "$@"; do
        grep -qF -e "$word" "$dictionary" || fail "$dictionary does not have '$word'"
    done
}

opcodes=$(sed -n 's/^[PURE_]*OP([A-Z_]*, *"\([a-z.]*\)".*/\1/p' "$SRCDIR/isa/ops.def")
keys=$("$HIATON" settings | sed -n 's/^\([a-z][a-z._]*\) = .*/\1/p')
choices=$("$HIATON" settings | sed -n 's/^[a-z][a-z._]* = [^ ]* (\(.* | .*\))$/\1/p' | tr -d '|')
keywords=$(sed -n 's/^ *WORD([A-Z]*, "\(.*\)").*/\1/p' "$SRCDIR/programs/syntax/lex.h")
builtins=$(sed -n 's/^BUILTIN([A-Z]*, *"\([a-z]*\)".*/\1/p' "$SRCDIR/programs/syntax/builtins.def"
    sed -n 's/^TENSOR_BUILTIN([A-Z_0-9]*, *"\([a-z_0-9]*\)".*/\1/p' "$SRCDIR/programs/syntax/tensors.def")
options=$(sed -n 's/^[A-Z]*([A-Z_]*, "[a-z.]*", "\([a-z-]\{1,\}\)", .*/\1/p' "$SRCDIR/analysis/view/outputs.def")
fields=$(find "$SRCDIR/sim/experiment" "$SRCDIR/sim/values" "$SRCDIR/analysis/view" -name "*.[ch]" -exec cat {} + |
    tr -d '\\\n' | grep -oE 'LIB_FIELD\( *"[a-z0-9.]*"' | cut -d'"' -f2
    sed -n '/^OPTION/d; s/^[A-Z]*([A-Z_]*, "\([a-z.]*\)", .*/\1/p' "$SRCDIR/analysis/view/outputs.def")
events=$("$HIATON" settings --energies | sed -n '1,/^pJ/d; s/ .*//p')
for list in "$events" "$options" "$opcodes" "$keys" "$choices" "$keywords" "$builtins" "$fields"; do
    [ -n "$list" ] || fail "a table has no words"
done
# shellcheck disable=SC2086 # lists of words
{
    words assembly $opcodes
    words energy title source pJ $events
    words experiment $fields
    words image $opcodes
    words results $options
    words settings $keys
    for word in $choices; do
        words settings "\"$word\"" # whole, as `on' is part of others
    done
    words language $keywords $builtins
}

exit $status
