/* Gives the nodes of two graphs common numbers, called instruction numbers, by which firings of two
 * runs can be compared.
 *
 * Nodes correspond if their functions have the same name, and they have the same opcode, line and
 * column; several such nodes are paired in order. Between strategies, a MERGE of a parameter
 * corresponds to a PARAM, the CALLs of a call to its APPLY, and its RETURNs to the RESULTs of the
 * callee. Functions, sites and cells have the same numbers in both graphs. */
#ifndef ANALYSIS_DIFF_NODE_MAPPING_H
#define ANALYSIS_DIFF_NODE_MAPPING_H

#include "isa/graph.h"

/* The nodes that correspond to each other in two graphs: one instruction number. */
struct analysis_node_mapping_find {
    /* for each graph, the first node of the instruction; UINT32_MAX: none */
    uint32_t of[2];
};

struct analysis_node_mapping {
    const struct isa_graph *graphs[2]; /* borrowed */
    bool strategies_differ;            /* one graph is expanding, the other one is not */
    uint32_t *numbers[2];              /* instruction number of each node of a graph */
    /* number of CALLs of each call site; NULL if both graphs are of one strategy */
    uint32_t *calls;
    struct analysis_node_mapping_find *nodes; /* indexed by instruction number */
    uint32_t count;
};

struct analysis_node_mapping *analysis_node_mapping_new(const struct isa_graph *a,
                                                        const struct isa_graph *b);
void analysis_node_mapping_free(
    struct analysis_node_mapping *alike); /* NULL is allowed */

/* Returns a node with the instruction number `number`, and sets `*graph` to the graph that has it.
 * If both graphs have one, prefers the expanding graph. */
const struct isa_node *
analysis_node_mapping_find(const struct analysis_node_mapping *alike, uint32_t number,
                           const struct isa_graph **graph);

/* Whether both graphs have a node with the instruction number `number`. */
static inline bool
analysis_node_mapping_in_both(const struct analysis_node_mapping *alike, uint32_t number)
{
    return alike->nodes[number].of[0] != UINT32_MAX &&
           alike->nodes[number].of[1] != UINT32_MAX;
}

#endif
