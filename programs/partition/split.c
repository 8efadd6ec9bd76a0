/* Makes the partitioned graph: SENDs and RECVs replace arcs between machines. */
#include "programs/partition/partition_internal.h"
#include "programs/partition/track.h"
#include "isa/parts.h"
#include "lib/memory.h"

static void push_end(struct programs_partition_ends *out, struct isa_dest to)
{
    *LIB_VEC_PUSH(out) = to;
}

void programs_partition_dests(const struct isa_graph *image, uint32_t node,
                              uint32_t output, struct programs_partition_ends *out)
{
    const struct isa_node *n = &image->nodes[node];
    const struct isa_dests *list = &n->outputs[output];
    for (uint32_t k = 0; k < list->count; k++) {
        const struct isa_dest to = list->items[k];
        if (to.node != ISA_TO_RETURN) {
            push_end(out, to);
            continue;
        }
        const uint32_t function = isa_node_output_frame(image, n);
        for (uint32_t i = 0; i < image->node_count; i++) {
            const struct isa_node *back = &image->nodes[i];
            if (back->op == ISA_OP_RETURN && back->index == to.port &&
                image->sites[back->site].callee == function)
                push_end(out, (struct isa_dest){i, 0});
        }
    }
}

/* Channels of one output list: one per machine, and one for each result that it makes. */
#define NO_RESULT UINT32_MAX
struct channel {
    uint32_t machine, receive;
    uint32_t result; /* result that the channel carries, or NO_RESULT */
};

struct channels {
    struct channel *items;
    size_t count, capacity;
    /* Number of nodes before the SENDs and RECVs. */
    uint32_t whole;
    const struct programs_tracker *tracker; /* NULL: RECVs are not scheduled */
};

static uint32_t add_carrier(struct isa_graph *g, enum isa_op op, const struct isa_node *n,
                            enum isa_type type, uint32_t function, uint32_t channel,
                            uint32_t machine)
{
    const uint32_t node = isa_graph_add_node(g, op, type, function, 0, channel, n->pos);
    g->nodes[node].machine = machine;
    return node;
}

/* Returns the RECV on a machine for tokens of an output list, made with its SEND the first time. */
static uint32_t find_receive(struct isa_graph *g, struct channels *channels,
                             uint32_t node, uint32_t output, uint32_t machine,
                             uint32_t result)
{
    for (size_t i = 0; i < channels->count; i++)
        if (channels->items[i].machine == machine && channels->items[i].result == result)
            return channels->items[i].receive;
    const struct isa_node n = g->nodes[node];
    const enum isa_type type = isa_node_output_type(g, &n, output);
    const uint32_t function = isa_node_output_frame(g, &n);
    const uint32_t channel = (g->node_count - channels->whole) / 2;
    const uint32_t send = add_carrier(g, ISA_OP_SEND, &n, type, function, channel,
                                      n.machine);
    const uint32_t receive = add_carrier(g,
                                         channels->tracker ? ISA_OP_AWAIT : ISA_OP_RECV,
                                         &n, type, function, channel, machine);
    isa_graph_connect(g, node, output, (struct isa_dest){send, 0});
    if (channels->tracker)
        isa_graph_connect(g,
                          programs_tracker_schedule(channels->tracker, node, machine,
                                                    result != NO_RESULT),
                          0, (struct isa_dest){receive, 0});
    *LIB_VEC_PUSH(channels) = (struct channel){machine, receive, result};
    return receive;
}

struct isa_graph *programs_partition_split_as(const struct isa_graph *image,
                                              const uint32_t *machine_of,
                                              uint32_t machines,
                                              const struct programs_tracker *tracker)
{
    struct isa_graph *g = isa_graph_copy(image);
    struct programs_partition_ends to = {0};
    struct channels channels = {.whole = image->node_count, .tracker = tracker};
    g->stage = ISA_STAGE_PARTITIONED;
    g->machine_count = machines;
    g->placing_count = 0; /* machines are now members of nodes */
    for (uint32_t i = 0; i < image->node_count; i++) {
        g->nodes[i].machine = machine_of[i];
        for (uint32_t o = 0; o < image->nodes[i].output_count; o++)
            g->nodes[i].outputs[o].count = 0;
    }
    for (uint32_t i = 0; i < image->node_count; i++)
        for (uint32_t o = 0; o < image->nodes[i].output_count; o++) {
            to.count = 0;
            channels.count = 0;
            programs_partition_dests(image, i, o, &to);
            for (size_t k = 0; k < to.count; k++) {
                const struct isa_dest dest = to.items[k];
                const uint32_t machine = machine_of[dest.node];
                if (machine == machine_of[i]) {
                    isa_graph_connect(g, i, o, dest);
                    continue;
                }
                const uint32_t result = isa_graph_is_result_arc(image, dest)
                                            ? image->nodes[dest.node].index
                                            : NO_RESULT;
                const uint32_t receive = find_receive(g, &channels, i, o, machine,
                                                      result);
                isa_graph_connect(g, receive, 0, dest);
            }
        }
    LIB_VEC_FREE(&to, &channels);
    return g;
}
