#!/bin/sh
# The measurements of doc/studies/distributed.md: its figures, and the numbers of its tables.
#
#   doc/studies/distributed.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder distributed.results of the current one, so that a second time
# nothing is run again. HIATON is the program to run, build/hiaton if not given.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../programs
hiaton=${HIATON:-$here/../../build/hiaton}
case $hiaton in */*) hiaton=$(cd "$(dirname "$hiaton")" && pwd)/${hiaton##*/} ;; esac
mkdir -p distributed.results
cd distributed.results

for name in distributed distributed-loops distributed-bounds; do
    "$hiaton" sweep run "$@" "$programs/experiments/$name.full.yaml" -o $name.db --outputs $name
    cp $name/*.svg "$here"
    sed -n '/^tables:/,/^figures:/s/^  - name: //p' "$programs/experiments/$name.full.yaml" |
        while read -r table; do
            "$hiaton" results show $name.db "$table"
            echo
        done
done
