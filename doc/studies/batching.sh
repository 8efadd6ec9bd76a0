#!/bin/sh
# The measurements of doc/studies/batching.md: its figures, and the numbers of its tables.
#
#   doc/studies/batching.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder batching.results of the current one, so that a second time
# nothing is run again. HIATON is the program to run, build/hiaton if not given. The trees in the programs are
# what doc/studies/batching.awk prints.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
keep batching

awk -f "$here/batching.awk" >trees
for name in rnn lstm; do
    grep -E '^(left|word|root) =' "$experiments/batching-$name.df" | cmp trees -
done
for name in batching batching-window; do
    sweep $name "$@"
    tables $name
done
