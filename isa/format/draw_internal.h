/* Declarations that the files that write DOT share: isa/format/draw_node.c draws a node,
 * isa/format/draw_dot.c the arcs and frames around it. */
#ifndef ISA_FORMAT_DRAW_INTERNAL_H
#define ISA_FORMAT_DRAW_INTERNAL_H

#include "isa/format/draw.h"

struct drawing {
    const struct isa_graph *graph;
    const struct isa_draw_plan *plan; /* NULL: all functions are drawn */
    struct lib_text *out;
    uint32_t *depth; /* per function: number of calls from the top level to it */
    /* Per node: for a MERGE that a parameter or loop variable enters, its name; else NULL. */
    const char **entered;
    uint64_t hottest;   /* max work of a node in a run */
    uint32_t *receives; /* node of the RECV of each channel between machines */
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

/* Adds the colour for an amount of work, as #rrggbb. */
void isa_draw_colour(struct drawing *d, uint64_t heat);

/* Adds the work of a node in a run, as the last line of its label. */
void isa_draw_heat(struct drawing *d, uint64_t heat);

/* Adds text of an HTML-like label, escaped. */
void isa_draw_text(struct lib_text *out, const char *text);

void isa_draw_node(struct drawing *d, uint32_t node);

/* Add the end of an arc at an operand, and its start at an output list. */
void isa_draw_head(struct drawing *d, uint32_t node, uint32_t port);
void isa_draw_tail(struct drawing *d, uint32_t node, uint32_t output);

/* Sets depth[f] to the number of calls from the nearest root of `choice` to function f, or to
 * UINT32_MAX if it is more than choice->depth. A call in a loop counts as one of its function,
 * owners[loop]. */
void isa_draw_depths(const struct isa_graph *graph, const uint32_t *owners,
                     const struct isa_draw_choice *choice, uint32_t *depth);

#endif
