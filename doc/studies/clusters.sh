#!/bin/sh
# The measurements of doc/studies/clusters.md: its figures, and the numbers of its tables. The program must
# have been built with SimGrid.
#
#   doc/studies/clusters.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder clusters.results of the current one. HIATON is the program to run.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"

keep clusters
for name in clusters clusters-weak clusters-windows clusters-latency clusters-bounds clusters-models; do
    sweep $name "$@"
    tables $name
done

# Who sends to whom, on 16 nodes of a PE each.
traffic() {
    name=$1
    shift
    "$hiaton" analyse --figure="$here/clusters-traffic-$name.svg" --show=traffic "$@" \
        -s network.topology=simgrid -s network.platform="$experiments/cluster-fattree.xml" \
        -s network.model=native -s cluster.nodes=16 -s cluster.header=32 -s cluster.nic.messages=0
}
traffic fib "$examples/fib.df" n=20
traffic tak "$examples/tak.df" x=15 y=10 z=5
traffic matmul "$examples/matmul.df" n=16
traffic mergesort "$examples/mergesort.df" n=128
