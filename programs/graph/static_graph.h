/* The static strategy: function graphs become one graph (paper 1, section 3). */
#ifndef PROGRAMS_GRAPH_STATIC_GRAPH_H
#define PROGRAMS_GRAPH_STATIC_GRAPH_H

#include "isa/graph.h"

/* A new graph of stage STATIC from one of stage FUNCTIONS, which is left as it is.
 *
 * Call site i of f becomes one CALL_i per parameter and one RETURN_i per result; each
 * parameter becomes a MERGE of its CALLs; the node that makes a result of f feeds that
 * RETURN of every call of f; the control outputs of the CALL_i, joined two by two, feed
 * every RETURN_i. Parameters and results are scalars here: tuples were flattened. */
struct isa_graph *programs_static(const struct isa_graph *functions);

#endif
