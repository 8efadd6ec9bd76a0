#!/bin/sh
# Writes the programs of strategies-bodies.yaml and strategies-arguments.yaml, beside them:
#
#   programs/experiments/bodies.sh
#
# A tree of calls, as of fib, whose function has k instructions more: executed by every call
# (body-executed-K.df), or in a branch that no call takes (body-skipped-K.df); or m arguments
# (body-arguments-M.df). The inputs k, executed and m say which it is, and are read nowhere else.
set -eu
cd "$(dirname "$0")"

# chain K: a sum of K + 1 terms, in lines.
chain() {
    awk -v k="$1" 'BEGIN {
        line = "n"
        for (i = 0; i < k; i++) {
            if (length(line) > 70) { print "    " line; line = "" }
            line = line (line == "" ? "+ 1" : " + 1")
        }
        print "    " line
    }'
}

tree='(if n < 2 then 0 else f(n - 1) + f(n - 2))'

for k in 0 8 16 32 64 128 256 512; do
    cat >body-executed-$k.df <<TEXT
-- A tree of calls, each of which executes $k instructions more (bodies.sh).
input n = 12
input k = $k
input executed = true
result = f(n)
f(n) = $tree +
    (
$(chain $k)
    )
TEXT
    cat >body-skipped-$k.df <<TEXT
-- A tree of calls, each with $k instructions more in a branch that is not taken (bodies.sh).
input n = 12
input k = $k
input executed = false
result = f(n)
f(n) = $tree + (if n < 1000000 then 1 else
$(chain $k)
    )
TEXT
done

for m in 1 2 3 4 6 8; do
    others=$(awk -v m=$m 'BEGIN { for (i = 2; i <= m; i++) printf ", a%d", i }')
    zeros=$(awk -v m=$m 'BEGIN { for (i = 2; i <= m; i++) printf ", 0" }')
    sum=$(awk -v m=$m 'BEGIN { printf "1"; for (i = 2; i <= m; i++) printf " + a%d", i }')
    cat >body-arguments-$m.df <<TEXT
-- A tree of calls of a function with $m arguments (bodies.sh).
input n = 12
input m = $m
result = f(n$zeros)
f(n$others) = if n < 2 then $sum else f(n - 1$others) + f(n - 2$others)
TEXT
done
