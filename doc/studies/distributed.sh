#!/bin/sh
# The measurements of doc/studies/distributed.md: its figures, and the numbers of its tables.
#
#   doc/studies/distributed.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder distributed.results of the current one. HIATON is the program to run.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"

keep distributed
for name in distributed distributed-loops distributed-bounds; do
    sweep $name "$@"
    tables $name
done
