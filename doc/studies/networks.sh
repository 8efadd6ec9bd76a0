#!/bin/sh
# The measurements of doc/studies/networks.md: its figures, and the numbers of its tables.
#
#   doc/studies/networks.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder networks.results of the current one. HIATON is the program to run.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"

keep networks
for name in networks networks-clusters networks-tags; do
    sweep $name "$@"
done

show networks networks-speedup
show networks-clusters networks-clusters-time
show networks-clusters networks-clusters-load
show networks-tags networks-tags-bits
show networks-tags networks-tags-time

# Where the two bounds of the page are from: tokens through the network, and crossings on the critical
# path of 1024 PEs on the ideal network; what a network accepts, and its mean distance.
show networks --rows program --values cycles,network_tokens \
    --where "pe.count == 1024 and network.topology == 'ideal'"
show networks --rows program --columns network.topology --values cycles --where "pe.count == 1024"
# crossings PROGRAM [INPUT]...
crossings() {
    program=$1
    shift
    "$hiaton" analyse --causes "$examples/$program.df" "$@" -s pe.count=1024 \
        -s network.topology=ideal -s network.latency=1 |
        awk -v program="$program" '$1 == "link" { print program, $2, "crossings on the critical path" }'
}
crossings fib n=22
crossings tak x=18 y=12 z=6
crossings matmul n=24
crossings wavefront n=128
crossings fft n=512
crossings mergesort n=512
for count in 16 64 256 1024; do
    for topology in bus ring mesh torus hypercube omega fattree flatfly dragonfly; do
        "$hiaton" network -s network.topology=$topology -s pe.count=$count --show |
            grep -E '^(topology|dims|routers|links|diameter|mean_distance|most_load) '
    done
done
