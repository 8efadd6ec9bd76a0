/* What is the same in two images: instructions have common numbers, so that firings of two runs
 * can be told to be the same.
 *
 * An instruction is the same as one of the same function (by name), opcode, line and column; of
 * several such, in the order of the nodes. By another strategy a MERGE of a parameter is a PARAM,
 * the CALLs of a call are its APPLY, and its RETURNs are the RESULTs of the callee. Functions,
 * sites and cells are numbered alike by both. */
#ifndef ANALYSIS_DIFF_NODE_MAPPING_H
#define ANALYSIS_DIFF_NODE_MAPPING_H

#include "isa/graph.h"

/* An instruction of either image, or of both. */
struct analysis_node_mapping_find {
    uint32_t of[2]; /* its first node there; UINT32_MAX: there is none */
};

struct analysis_node_mapping {
    const struct isa_graph *graphs[2]; /* borrowed */
    bool strategies_differ; /* the static one, divided or not, and the expanding one */
    uint32_t *numbers[2];   /* of each node of a graph */
    uint32_t *calls;        /* of each site, where strategies differ: its CALLs */
    struct analysis_node_mapping_find *nodes; /* by number */
    uint32_t count;
};

struct analysis_node_mapping *analysis_node_mapping_new(const struct isa_graph *a,
                                                        const struct isa_graph *b);
void analysis_node_mapping_free(
    struct analysis_node_mapping *alike); /* NULL is allowed */

/* A node of an instruction, as an image has it: the expanding one, if it can be. `*graph` is that
 * image. */
const struct isa_node *
analysis_node_mapping_find(const struct analysis_node_mapping *alike, uint32_t number,
                           const struct isa_graph **graph);

/* Whether both images have it. */
static inline bool
analysis_node_mapping_in_both(const struct analysis_node_mapping *alike, uint32_t number)
{
    return alike->nodes[number].of[0] != UINT32_MAX &&
           alike->nodes[number].of[1] != UINT32_MAX;
}

#endif
