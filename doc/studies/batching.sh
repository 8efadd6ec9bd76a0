#!/bin/sh
# The measurements of doc/studies/batching.md: its figures, and the numbers of its tables.
#
#   doc/studies/batching.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder batching.results of the current one, so that a second time
# nothing is run again. HIATON is the program to run, build/hiaton if not given. The trees in the programs are
# what doc/studies/batching.awk prints.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../programs
hiaton=${HIATON:-$here/../../build/hiaton}
case $hiaton in */*) hiaton=$(cd "$(dirname "$hiaton")" && pwd)/${hiaton##*/} ;; esac
mkdir -p batching.results
cd batching.results

awk -f "$here/batching.awk" >trees
for name in rnn lstm; do
    grep -E '^(left|word|root) =' "$programs/experiments/batching-$name.df" | cmp trees -
done
for name in batching batching-window; do
    "$hiaton" sweep run "$@" "$programs/experiments/$name.full.yaml" -o $name.db --outputs $name
    cp $name/*.svg "$here"
    sed -n '/^tables:/,/^figures:/s/^  - name: //p' "$programs/experiments/$name.full.yaml" |
        while read -r table; do
            "$hiaton" results show $name.db "$table"
            echo
        done
done
