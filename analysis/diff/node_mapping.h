/* Maps nodes of two graphs to common numbers of instructions, by which firings of two runs can be
 * compared.
 *
 * An instruction corresponds to one of the same function (by name), opcode, line and column;
 * several such are paired in the order of nodes. Between strategies, a MERGE of a parameter
 * corresponds to a PARAM, the CALLs of a call to its APPLY, and its RETURNs to the RESULTs of the
 * callee. Functions, sites and cells have the same numbers in both graphs. */
#ifndef ANALYSIS_DIFF_NODE_MAPPING_H
#define ANALYSIS_DIFF_NODE_MAPPING_H

#include "isa/graph.h"

/* An instruction of one graph or of both. */
struct analysis_node_mapping_find {
    uint32_t of[2]; /* its first node in each graph, or UINT32_MAX */
};

struct analysis_node_mapping {
    const struct isa_graph *graphs[2]; /* borrowed */
    bool strategies_differ; /* one graph is expanding, the other static or partitioned */
    uint32_t *numbers[2];   /* instruction number of each node of a graph */
    uint32_t *calls;        /* number of CALLs of each site; NULL if strategies agree */
    struct analysis_node_mapping_find *nodes; /* indexed by instruction number */
    uint32_t count;
};

struct analysis_node_mapping *analysis_node_mapping_new(const struct isa_graph *a,
                                                        const struct isa_graph *b);
void analysis_node_mapping_free(
    struct analysis_node_mapping *alike); /* NULL is allowed */

/* Returns a node of an instruction, from the expanding graph if possible, and sets `*graph` to its
 * graph. */
const struct isa_node *
analysis_node_mapping_find(const struct analysis_node_mapping *alike, uint32_t number,
                           const struct isa_graph **graph);

/* Whether both graphs have an instruction. */
static inline bool
analysis_node_mapping_in_both(const struct analysis_node_mapping *alike, uint32_t number)
{
    return alike->nodes[number].of[0] != UINT32_MAX &&
           alike->nodes[number].of[1] != UINT32_MAX;
}

#endif
