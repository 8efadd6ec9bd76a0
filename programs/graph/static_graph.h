/* The static strategy: function graphs become one graph (paper 1, section 3). */
#ifndef PROGRAMS_GRAPH_STATIC_GRAPH_H
#define PROGRAMS_GRAPH_STATIC_GRAPH_H

#include "isa/graph.h"

/* Makes a graph of stage FUNCTIONS one of stage STATIC. What both have stays where it is.
 *
 * Call site i of function f becomes one CALL_i per parameter and one RETURN_i per result. Each
 * parameter becomes a MERGE of its CALLs. The node that makes a result of f feeds the RETURNs of
 * that result of all calls of f. The control outputs of the CALL_i, joined by JOINs, feed every
 * RETURN_i; only those of the early parameters feed the RETURN_i of early results (early_params of
 * struct isa_function). Tuples were flattened, so that each parameter and result is one value. */
void programs_static(struct isa_graph *graph);

#endif
