#!/bin/sh
# The measurements of doc/studies/distributed.md: its figures, and the numbers of its tables. The program must have been built
# with SimGrid and METIS.
#
#   doc/studies/distributed.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# It also makes what is in programs/experiments/maps/: profiles of programs, and the maps of machines that searches find. Results
# are kept in the folder distributed.results of the current one. HIATON is the program to run.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"
keep distributed

# search PROGRAM [INPUT]...: what each line does, and the best maps for 2 to 64 machines, each from the one before.
search() {
    program=$1
    shift
    [ ! -e "maps/$program-64.yaml" ] || return 0
    {
        echo '{'
        "$hiaton" run -m tf-cluster "$examples/$program.df" "$@" --by=line --json |
            sed -n '/^  "by_line": \[/,/^  \]/p' | sed 's/^  \],$/  ]/'
        echo '}'
    } >"maps/$program.json"
    before=none
    for machines in 2 4 8 16 32 64; do
        "$hiaton" partition -m tf-cluster "$examples/$program.df" "$@" --runs=400 -o "maps/$program-$machines.yaml" \
            -s cluster.nodes=$machines -s network.latency=10 -s partition.profile="maps/$program.json" \
            -s partition.file="$before"
        before=maps/$program-$machines.yaml
    done
}
mkdir -p maps
search fib n=16
search tak x=12 y=8 z=4
search queens n=5
search matmul n=8
cp maps/*.yaml maps/*.json "$experiments/maps"

# tracked PROGRAM [INPUT]...: the same where RECVs are scheduled. The heads of the maps are the numbers of the page.
tracked() {
    program=$1
    shift
    for machines in 2 8; do
        [ -e "$program-tracked-$machines.yaml" ] || "$hiaton" partition -m tf-cluster "$examples/$program.df" "$@" \
            --runs=200 -o "$program-tracked-$machines.yaml" -s cluster.nodes=$machines -s network.latency=10 \
            -s partition.profile="maps/$program.json" -s partition.file="maps/$program-$machines.yaml" \
            -s deadness=propagate -s partition.receive=scheduled
        grep '^#' "$program-tracked-$machines.yaml"
    done
}
tracked fib n=16
tracked tak x=12 y=8 z=4
tracked queens n=5
tracked matmul n=8

for name in distributed distributed-partitions distributed-windows distributed-loops distributed-bounds; do
    sweep $name "$@"
    tables $name
done
