/* The graph builder: from the typed syntax tree to function graphs (paper 1, section 2.4 and
 * figure 2). */
#ifndef PROGRAMS_GRAPH_BUILD_H
#define PROGRAMS_GRAPH_BUILD_H

#include "isa/graph.h"
#include "programs/graph/build_options.h"
#include "programs/syntax/ast.h"

/* Builds the graph of all used definitions: function 0 is the top level, whose constants are in
 * cells; the functions of the source follow in its order. The tree must have passed
 * programs_resolve, programs_infer and programs_shapes. The form of each definition goes through
 * the passes. The caller owns the graph. Returns NULL and adds diagnostics after errors. */
struct isa_graph *programs_build(const struct programs_ast *ast,
                                 const struct programs_options *options,
                                 const struct programs_pass *passes,
                                 struct lib_diags *diags);

#endif
