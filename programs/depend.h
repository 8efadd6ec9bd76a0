/* Dependences: which equations name which, and what follows from it.
 *
 * The nodes of the graph are the functions, the constants and the equations of lets, in
 * this order. Collected by programs/names.c while it binds names. */
#ifndef PROGRAMS_DEPEND_H
#define PROGRAMS_DEPEND_H

#include "programs/ast.h"

/* No node: an input or a parameter. */
#define PROGRAMS_DEPEND_NONE UINT32_MAX

struct programs_depend;

/* An empty graph over the equations of a program. */
struct programs_depend *programs_depend_new(const struct programs_ast *ast);
void programs_depend_free(struct programs_depend *depend);

uint32_t programs_depend_function(const struct programs_depend *depend,
                                  const struct programs_function *function);

/* Of a constant or an equation of a let. */
uint32_t programs_depend_equation(const struct programs_depend *depend,
                                  const struct programs_equation *equation);

/* Notes that the text of node `from` names a function, or a value. */
void programs_depend_on_function(struct programs_depend *depend, uint32_t from,
                                 struct programs_function *function);
void programs_depend_on_binding(struct programs_depend *depend, uint32_t from,
                                struct programs_binding *binding);

/* Marks what is reachable from `result` as used. */
void programs_depend_mark(struct programs_depend *depend, struct programs_ast *ast);

/* Sets the order of the program's items, and reports each circle of constants once. */
void programs_depend_order(struct programs_depend *depend, struct programs_ast *ast,
                           struct lib_diags *diags);

#endif
