/* Drawings' inside: what the modules that write DOT share. isa/format/draw_node.c draws a node,
 * isa/format/draw_dot.c the arcs and frames around it. */
#ifndef ISA_FORMAT_DRAW_INTERNAL_H
#define ISA_FORMAT_DRAW_INTERNAL_H

#include "isa/format/draw.h"

struct drawing {
    const struct isa_graph *graph;
    const struct isa_draw_plan *plan; /* NULL: everything is drawn */
    struct lib_text *out;
    uint32_t *depth; /* of each function: how many calls it is away from the top level */
    const char *
        *entered; /* of each MERGE where a parameter or variable enters a function: its
                             name; NULL: another node, or not known */
    uint64_t hottest;   /* the most heat of a node */
    uint32_t *receives; /* of each channel: its RECV */
};

/* What a run says of a node (`heat` of the plan). */
static inline bool isa_draw_is_hot(const struct drawing *d)
{
    return d->plan && d->plan->heat;
}

/* A SWITCH, or the copy of one: a box with two sides. */
static inline bool isa_draw_is_switch(enum isa_op op)
{
    return op == ISA_OP_SWITCH || op == ISA_OP_TRACK_SWITCH;
}

/* Adds the colour of so much: #rrggbb. */
void isa_draw_colour(struct drawing *d, uint64_t heat);

/* Adds the number under what stands in a label. */
void isa_draw_heat(struct drawing *d, uint64_t heat);

/* Text in an HTML-like label. */
void isa_draw_text(struct lib_text *out, const char *text);

/* A node, with the immediates of its operands. */
void isa_draw_node(struct drawing *d, uint32_t node);

/* Where the arc to an operand enters its node, and where one of an output list leaves it. */
void isa_draw_head(struct drawing *d, uint32_t node, uint32_t port);
void isa_draw_tail(struct drawing *d, uint32_t node, uint32_t output);

/* How many calls each function is away from the roots of a choice, up to its depth; UINT32_MAX:
 * it is not reached. `owners` says in whose place a function stands: mostly its own. */
void isa_draw_depths(const struct isa_graph *graph, const uint32_t *owners,
                     const struct isa_draw_choice *choice, uint32_t *depth);

#endif
