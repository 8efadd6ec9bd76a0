/* Declarations shared by the files that write DOT: isa/format/draw_node.c draws nodes,
 * isa/format/draw_dot.c arcs and frames. */
#ifndef ISA_FORMAT_DRAW_INTERNAL_H
#define ISA_FORMAT_DRAW_INTERNAL_H

#include "isa/format/draw.h"

struct drawing {
    const struct isa_graph *graph;
    const struct isa_draw_plan *plan; /* NULL if all functions are drawn */
    struct lib_text *out;
    /* per function: min number of calls from the top level to the function */
    uint32_t *depth;
    /* Per node: name of the parameter or loop variable that enters a MERGE; NULL for others. */
    const char **entered;
    uint64_t hottest;   /* max work of a node in a run */
    uint32_t *receives; /* per channel between machines: RECV node */
};

/* Whether nodes are coloured by their work in a run (`heat` of the plan). */
static inline bool isa_draw_is_hot(const struct drawing *d)
{
    return d->plan && d->plan->heat;
}

/* Whether an opcode is drawn with two sides: SWITCH, and TRACK_SWITCH, a copy of one. */
static inline bool isa_draw_is_switch(enum isa_op op)
{
    return op == ISA_OP_SWITCH || op == ISA_OP_TRACK_SWITCH;
}

/* Appends the colour for an amount of work, as #rrggbb. */
void isa_draw_colour(struct drawing *d, uint64_t heat);

/* Appends the work of a node in a run, as last line of the node's label. */
void isa_draw_heat(struct drawing *d, uint64_t heat);

/* Appends text to an HTML-like label, with HTML's special characters escaped. */
void isa_draw_text(struct lib_text *out, const char *text);

void isa_draw_node(struct drawing *d, uint32_t node);

/* Append the end of an arc at an operand, and the start of an arc at an output list. */
void isa_draw_head(struct drawing *d, uint32_t node, uint32_t port);
void isa_draw_tail(struct drawing *d, uint32_t node, uint32_t output);

/* Sets depth[f] to the number of calls from the nearest root of `choice` to function f, or to
 * UINT32_MAX if this number is greater than choice->depth. A call inside a loop counts as a call by
 * the function that contains the loop, owners[loop]. */
void isa_draw_depths(const struct isa_graph *graph, const uint32_t *owners,
                     const struct isa_draw_choice *choice, uint32_t *depth);

#endif
