#include "isa/parts.h"

#include "isa/op_columns.h"
#include "lib/memory.h"

uint32_t isa_node_output_frame(const struct isa_graph *graph, const struct isa_node *node)
{
    if (isa_op_brings_in(node->op) || node->op == ISA_OP_TRACK_CALL ||
        node->op == ISA_OP_TRACK_ENTER)
        return graph->sites[node->site].callee;
    if (isa_op_brings_out(node->op))
        return graph->sites[node->site].caller;
    return isa_node_frame(graph, node);
}

uint32_t isa_parts_whole(const struct isa_graph *graph)
{
    uint32_t count = graph->node_count;
    while (count > 0 && isa_op_divides(graph->nodes[count - 1].op))
        count--;
    return count;
}

uint32_t isa_parts_channels(const struct isa_graph *graph, uint32_t **sends,
                            uint32_t **receives)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (isa_op_carries(graph->nodes[i].op) && graph->nodes[i].index >= count)
            count = graph->nodes[i].index + 1;
    *sends = lib_mem_new(((size_t)count + 1) * sizeof **sends);
    *receives = lib_mem_new(((size_t)count + 1) * sizeof **receives);
    for (uint32_t c = 0; c < count; c++)
        (*sends)[c] = (*receives)[c] = UINT32_MAX;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        if (n->op == ISA_OP_SEND)
            (*sends)[n->index] = i;
        else if (isa_op_receives(n->op))
            (*receives)[n->index] = i;
    }
    return count;
}

bool isa_parts_is_result(const struct isa_graph *graph, uint32_t receive)
{
    const struct isa_dests *to = &graph->nodes[receive].outputs[0];
    return to->count > 0 && isa_graph_is_result_arc(graph, to->items[0]);
}

bool isa_parts_decides(const struct isa_graph *graph, uint32_t receive)
{
    const struct isa_dests *to = &graph->nodes[receive].outputs[0];
    bool all = to->count > 0;
    for (uint32_t k = 0; k < to->count; k++)
        all &= isa_op_tracks(graph->nodes[to->items[k].node].op);
    return all;
}

bool isa_parts_are_scheduled(const struct isa_graph *graph)
{
    for (uint32_t i = isa_parts_whole(graph); i < graph->node_count; i++)
        if (graph->nodes[i].op == ISA_OP_AWAIT)
            return true;
    return false;
}

/* Adds the arcs of an output list as they were before partitioning, without those to tag
 * tracking. */
static void join_list(const struct isa_graph *graph, struct isa_graph *whole,
                      const uint32_t *receives, uint32_t node, uint32_t output)
{
    const struct isa_dests *old = &graph->nodes[node].outputs[output];
    for (uint32_t k = 0; k < old->count; k++) {
        const struct isa_dest to = old->items[k];
        const struct isa_node *n = &graph->nodes[to.node];
        if (n->op == ISA_OP_SEND) {
            const struct isa_dests *far = &graph->nodes[receives[n->index]].outputs[0];
            for (uint32_t r = 0; r < far->count; r++)
                if (!isa_op_tracks(graph->nodes[far->items[r].node].op))
                    isa_graph_connect(whole, node, output, far->items[r]);
        } else if (!isa_op_tracks(n->op)) {
            isa_graph_connect(whole, node, output, to);
        }
    }
}

struct isa_graph *isa_parts_join(const struct isa_graph *graph)
{
    struct isa_graph *whole = isa_graph_copy(graph);
    uint32_t *sends, *receives;
    isa_parts_channels(graph, &sends, &receives);
    whole->stage = ISA_STAGE_STATIC;
    whole->machine_count = 0;
    whole->node_count = isa_parts_whole(graph);
    for (uint32_t i = 0; i < whole->node_count; i++) {
        whole->nodes[i].machine = 0;
        for (uint32_t o = 0; o < whole->nodes[i].output_count; o++) {
            whole->nodes[i].outputs[o].count = 0;
            join_list(graph, whole, receives, i, o);
        }
    }
    LIB_MEM_FREE(sends, receives);
    return whole;
}
