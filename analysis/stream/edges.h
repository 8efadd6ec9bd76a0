/* Counts tokens by function and by edge of the graph: from the instruction that sent them to an
 * operand of another. An event of a sent token does not name its sender. That is the instruction
 * that fired, or answered a read, last before the event (doc/model.md). */
#ifndef ANALYSIS_STREAM_EDGES_H
#define ANALYSIS_STREAM_EDGES_H

#include "analysis/stream/stream.h"

/* An edge from node `from` to operand `port` of node `to`, and counts of its tokens: all; those
 * between PEs; dead ones. */
struct analysis_edge {
    uint32_t from, to, port;
    uint32_t next; /* index into `list` of the next edge to the same operand; 0: none */
    uint64_t tokens, network, dead;
};

struct analysis_edges {
    const struct isa_graph *graph; /* borrowed */
    uint32_t sender;               /* the node that fired or answered a read last */
    /* owned; per node: index into `first` of its first operand */
    uint32_t *first_operand;
    /* owned; per operand: index into `list` of its first edge; 0: none */
    uint32_t *first;
    LIB_VEC(struct analysis_edge) list; /* owned; item 0 is unused */
};

void analysis_edges_start(struct analysis_edges *edges, const struct isa_graph *graph);
void analysis_edges_free(struct analysis_edges *edges);

/* Returns the edge from edges->sender to operand `port` of node `to`. Adds the edge if it is
 * new. */
struct analysis_edge *analysis_edges_find(struct analysis_edges *edges, uint32_t to,
                                          uint32_t port);

static inline void analysis_edges_note(struct analysis_edges *edges,
                                       const struct traces_event *e)
{
    if (e->kind == TRACES_EVENT_FIRED || e->kind == TRACES_EVENT_DEAD ||
        e->kind == TRACES_EVENT_ANSWERED)
        edges->sender = e->instr;
}

/* Counts a token that is sent. Ignores requests and messages for tensors. */
static inline void analysis_edges_count(struct analysis_edges *edges,
                                        const struct traces_event *e)
{
    if (e->kind == TRACES_EVENT_REQUEST || traces_event_is_message(e))
        return;
    const uint32_t at = edges->first[edges->first_operand[e->instr] + e->port];
    struct analysis_edge *edge = &edges->list.items[at];
    if (at == 0 || edge->from != edges->sender)
        edge = analysis_edges_find(edges, e->instr, e->port);
    edge->tokens++;
    edge->network += e->pe != e->to;
    edge->dead += e->kind == TRACES_EVENT_SENT_DEAD;
}

/* Add the tables `functions` and `edges` to findings. */
void analysis_edges_tell_functions(const struct analysis_edges *edges,
                                   struct lib_findings *findings);
void analysis_edges_tell(const struct analysis_edges *edges,
                         struct lib_findings *findings);

#endif
