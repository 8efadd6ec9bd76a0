/* The static strategy: function graphs become one graph (paper 1, section 3). */
#ifndef PROGRAMS_GRAPH_STATIC_GRAPH_H
#define PROGRAMS_GRAPH_STATIC_GRAPH_H

#include "isa/graph.h"

/* Makes a graph of stage STATIC from a graph of stage FUNCTIONS, which is not changed.
 *
 * Call site i of function f becomes one CALL_i per parameter and one RETURN_i per result. Each
 * parameter becomes a MERGE of its CALLs. The node that makes a result of f feeds the RETURNs of
 * that result of all calls of f. The control outputs of the CALL_i, joined by JOINs, feed every
 * RETURN_i. Tuples were flattened, so that each parameter and result is one value. */
struct isa_graph *programs_static(const struct isa_graph *functions);

#endif
