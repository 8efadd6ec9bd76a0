#!/bin/sh
# Long chains and deep nesting on a small stack of the host, 256 kB: programs that are read,
# compiled, drawn, printed and run, or refused with the place where they nest too deeply.
set -u
about=
# shellcheck source=tests/shell/expect.sh
. "${SRCDIR:-$(dirname "$0")/../..}/tests/shell/expect.sh"

# shellcheck disable=SC3045 # dash and bash have -s
ulimit -s 256 || exit 77

# program COUNT BEFORE PIECE MIDDLE CLOSING: BEFORE, COUNT times PIECE, MIDDLE, and as often
# CLOSING; # is the number of the piece, from 0, and @ that of the next.
program() {
    awk -v count="$1" -v before="$2" -v piece="$3" -v middle="$4" -v closing="$5" 'BEGIN {
        printf "%s", before
        for (i = 0; i < count; i++) { p = piece; gsub("#", i, p); gsub("@", i + 1, p); printf "%s", p }
        printf "%s", middle
        for (i = count; i-- > 0;) { p = closing; gsub("#", i, p); gsub("@", i + 1, p); printf "%s", p }
        print ""
    }' >deep.df
}

# all [RESULT]: everything that looks at deep.df does, and what was printed of it means the
# same; without a result, what recurses.
all() {
    expect 0 interp deep.df
    [ -z "$1" ] || out_is "$1"
    expect 0 graph --stage=parse deep.df
    mv out again.df
    expect 0 interp again.df
    [ -z "$1" ] || out_is "$1"
    expect 0 interp --strategy=expanding -s loop.constants=copies deep.df
    expect 0 run deep.df
    [ -n "$1" ] || return
    expect 0 compile deep.df -o deep.dfi
    expect 0 disasm deep.dfi -o deep.dfa
    expect 0 asm deep.dfa -o same.dfi
    expect 0 graph deep.df --stage=functions --format=text -o deep.txt
    expect 0 graph deep.df --stage=static --format=dot -o deep.dot
}

# nested COUNT BEFORE PIECE MIDDLE CLOSING: it nests as deeply as may be, but not once more.
nested() {
    program "$@"
    all ''
    count=$1
    shift
    program $((count + 1)) "$@"
    expect 2 interp deep.df
    grep -Eq '^deep\.df:[0-9]+:[0-9]+: error: expressions are nested more than 250 deep' err ||
        fail "no place where it nests too deeply"
}

x='input x = 1
input t = true
result = '

# --- chains: of any length -------------------------------------------------------------

n=10000
program $n "$x" 'x + ' x ''
all $((n + 1))
program $n "$x" '2 * x - x % 7 + ' 0 ''
all "$n"
program $n "$x" 'x == 1 and t or ' false ''
all true
program $n "$x" 'if x == -# then # else ' 'x + 6' ''
all 7
program $n "$x" '' 'x
' '  + x
'
all $((n + 1))
program $n 'input x = 1
result = c0
' 'c# = c@ + 1
' "c$n = x" ''
all $((n + 1))
program $n 'input x = 1
result = f0(x)
' 'f#(y) = f@(y) + 1
' "f$n(y) = y" ''
all $((n + 1))

# --- nesting: up to the bound ------------------------------------------------------------

nested 249 "$x" '(' x ')'
nested 124 "$x" 'x + (' x ')'
nested 248 "$x" '(' x ' + x)'
nested 249 "$x" '- ' x ''
nested 249 "$x" 'not ' t ''
nested 249 "$x" 'if t then ' x ' else 0'
nested 249 "$x" 'if true then ' x ' else 0'
nested 249 "$x" 'if ' t ' then t else t'
nested 248 "$x" 'let a = ' x ' in a + 1'
nested 248 "$x" 'let a# = x + 1 in ' x ''
nested 249 "$x" 'max(x, ' x ')'
nested 249 "$x" '(x, ' x ')'
nested 249 "a = [0]
$x" 'a[' 0 ']'
nested 124 "$x" 'length([x | i <- 0 .. ' 1 '])'
nested 124 "$x" 'sum([' x '])'
nested 248 "$x" 'loop i# = ' x ' while i# < 3 do i# + 1'
nested 124 "$x" 'loop i# = 0 while i# < 1 do if true then ' x ' else 0'
nested 35 "$x" 't or t and 1 == 1 + 1 * (if ' t ' then 1 else 0)'

# --- chains that grow with the square of their length --------------------------------------

# On an input, or on a literal, each choice goes through all conditionals before: what grows so is
# refused as soon as it has more nodes than a graph may have, wherever the chain is.
for chain in 'if true then # else ' 'if t then (1, #) else '; do
    case $chain in *\(*) end='(0, 1)' ;; *) end=0 ;; esac
    program 8000 "$x(" "$chain" "$end)" ''
    last=deep.df
    (
        [ "${HIATON_SANITIZERS:-no}" != no ] || ulimit -v 2000000
        "$HIATON" interp deep.df >out 2>err
    )
    [ $? -eq 2 ] || fail "status is not 2"
    grep -Eq '^deep\.df:3:[0-9]+: error: [0-9]+ nodes are too many' err || fail "no place of too many nodes"
done
# Others are linear, in time too.
program 30000 'input n = 27777
result = f(n)
f(n) = ' 'if n == # then # + n else ' 1 ''
last=deep.df
timeout 60 "$HIATON" interp -q deep.df >out 2>err || fail "a chain of 30000 takes too long"
out_is 55554

# The place is that of the first token beyond.
program 250 "$x" '(' x ')'
expect 2 interp deep.df
err_has "deep.df:3:260: error: expressions are nested more than 250 deep; name parts of them"

# A chain of things that depend on each other is a circle however long it is.
awk 'BEGIN { print "result = c0"; for (i = 0; i < 10000; i++) printf "c%d = c%d + 1\n", i, (i + 1) % 10000 }' >deep.df
expect 2 interp deep.df
err_has "depends on itself: c0 -> c1 -> c2"

[ $failures -eq 0 ] || echo "$failures failed"
[ $failures -eq 0 ]
