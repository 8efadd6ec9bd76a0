/* The emitter: makes the nodes of a graph from forms, entry by entry in their order. */
#ifndef PROGRAMS_GRAPH_EMIT_H
#define PROGRAMS_GRAPH_EMIT_H

#include "programs/form/form.h"
#include "programs/graph/build_options.h"

struct emit_target {
    struct form_program *program;
    struct isa_graph *graph;
    const struct programs_options *options;
    /* Returns the index of the graph's function for a routine. */
    uint32_t (*link)(void *context, uint32_t routine);
    void *context;
};

/* Makes the nodes of a form: the body of function `function` of the graph, or a part of the body of
 * the top level. `pos` is the position of the results. */
void programs_emit(const struct emit_target *target, struct form *form, uint32_t function,
                   struct lib_pos pos);

#endif
