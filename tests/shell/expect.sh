# What tests of the command line share; read by them with `.', behind
#
#   about='sweep'   the words that each call of expect begins with, or none
#
# They then stand in an empty folder of their own, with the program in HIATON and the source
# tree in SRCDIR, and end with: exit $((failures > 0)).
# shellcheck shell=sh disable=SC2034 # some use what others do not
LC_ALL=C
export LC_ALL
unset NO_COLOR MAKEFLAGS MFLAGS MAKELEVEL

HIATON=${HIATON:?the program to test}
case $HIATON in */*) HIATON=$(cd "$(dirname "$HIATON")" && pwd)/${HIATON##*/} ;; esac
SRCDIR=$(cd "${SRCDIR:-$(dirname "$0")/../..}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch" || exit 1
failures=0
last=

fail() {
    failures=$((failures + 1))
    printf 'FAILED: hiaton %s\n    %s\n' "$last" "$*"
    sed 's/^/    stdout: /' out | head -n 40
    sed 's/^/    stderr: /' err | head -n 5
}

# expect STATUS ARGUMENT...: runs hiaton, keeping its output in the files out and err.
# Whatever fails says why on standard error.
expect() {
    wanted=$1
    shift
    last="${about:+$about }$*"
    # shellcheck disable=SC2086 # words
    "$HIATON" $about "$@" >out 2>err </dev/null
    found=$?
    [ "$found" -eq "$wanted" ] || fail "status $found, expected $wanted"
    [ "$wanted" -eq 0 ] || [ -s err ] || fail "nothing on standard error"
}

# shows: what was printed is standard input.
shows() {
    cat >golden
    cmp -s golden out || { fail "not what was expected:"; diff golden out | head -n 20; }
}

silent() { [ ! -s err ] || fail "something on standard error"; }
err_has() { grep -qF -e "$1" err || fail "\`$1' is not on standard error"; }
out_has() { grep -qF -e "$1" out || fail "\`$1' is not on standard output"; }
out_is() { [ "$(cat out)" = "$1" ] || fail "standard output is not \`$1'"; }
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# An object without its part `host', which differs from run to run.
without_host() { sed '/^  "host": {$/,/^  }$/d' "$1"; }
