#!/bin/sh
# The measurements of doc/studies/strategies.md: its figures, and the numbers of its tables.
#
#   doc/studies/strategies.sh [OPTION...]    OPTIONs are those of `hiaton sweep run': -j 4, say
#
# Results are kept in the folder strategies.results of the current one. HIATON is the program to run.
# shellcheck source=doc/studies/study.sh
. "$(dirname "$0")/study.sh"

keep strategies
for name in pes network arguments bodies; do
    sweep strategies-$name "$@"
done

# table DATABASE WHERE OPTION...
table() {
    database=strategies-$1 where=$2
    shift 2
    show "$database" --where "$where" "$@"
}

saved() {
    table "$@" --values cycles --relative "strategy == 'expanding'" --as percent
}

table arguments "copy.node.latency == 0 and pe.count == 4" --rows inputs.m \
    --columns strategy --values firings,tokens
saved arguments "strategy == 'static'" --rows pe.count,inputs.m --columns copy.node.latency
saved pes "strategy == 'static' and copy.placement == 'placed'" --rows inputs.m,pe.count \
    --columns copy.node.latency
table pes "copy.placement == 'placed' and copy.node.latency == 1" --rows inputs.m,pe.count \
    --columns strategy --values peak_live_tokens,peak_tags,peak_graph_nodes,network_tokens
table network "strategy == 'expanding' or copy.placement == 'caller'" \
    --rows inputs.m,pe.count,network.latency --columns strategy,copy.placement --values cycles
for deadness in suppress propagate; do
    for executed in true false; do
        echo "# $deadness, executed: $executed"
        saved bodies "strategy == 'static' and deadness == '$deadness' and
            inputs.executed == $executed and copy.workers == pe.count" --rows pe.count,inputs.k \
            --columns copy.node.latency
        saved bodies "strategy == 'static' and deadness == '$deadness' and
            inputs.executed == $executed and pe.count == 4 and copy.node.latency == 1" \
            --rows inputs.k --columns copy.workers
    done
done
table bodies "pe.count == 256 and deadness == 'suppress'" --rows inputs.executed,inputs.k \
    --columns strategy,copy.node.latency --values cycles
