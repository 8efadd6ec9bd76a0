#!/bin/sh
# The measurements of doc/studies/clusters.md: its figures, and the numbers of its tables. The program must
# have been built with SimGrid.
#
#   doc/studies/clusters.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder clusters.results of the current one, so that a second time
# nothing is run again. HIATON is the program to run, build/hiaton if not given.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../programs
hiaton=${HIATON:-$here/../../build/hiaton}
case $hiaton in */*) hiaton=$(cd "$(dirname "$hiaton")" && pwd)/${hiaton##*/} ;; esac
mkdir -p clusters.results
cd clusters.results

for name in clusters clusters-weak clusters-windows clusters-latency clusters-bounds clusters-models; do
    "$hiaton" sweep run "$@" "$programs/experiments/$name.full.yaml" -o $name.db --outputs $name
    cp $name/*.svg "$here"
    sed -n '/^tables:/,/^figures:/s/^  - name: //p' "$programs/experiments/$name.full.yaml" |
        while read -r table; do
            "$hiaton" results show $name.db "$table"
            echo
        done
done

# Who sends to whom, on 16 nodes of a PE each.
traffic() {
    name=$1
    shift
    "$hiaton" analyse --figure="$here/clusters-traffic-$name.svg" --show=traffic "$@" \
        -s network.topology=simgrid -s network.platform="$programs/experiments/cluster-fattree.xml" \
        -s network.model=native -s cluster.nodes=16 -s cluster.header=32
}
traffic fib "$programs/examples/fib.df" n=20
traffic tak "$programs/examples/tak.df" x=15 y=10 z=5
traffic matmul "$programs/examples/matmul.df" n=16
traffic mergesort "$programs/examples/mergesort.df" n=128
