/* Dependences: which equations name which, and what follows from it.
 *
 * The nodes of the graph are the functions, the constants, the equations of lets, the
 * variables of loops, and the ends of the constants that are comprehensions, in this order.
 * Collected by programs/types/resolve.c while it binds names.
 *
 * A constant that is a comprehension is there when its ends are: its elements wait for
 * each other at run time. So its node has the text of the elements, and names the node of
 * the ends, which has theirs. A circle is then an error if it goes through any constant
 * that is no comprehension, or through any ends. */
#ifndef PROGRAMS_TYPES_DEPEND_H
#define PROGRAMS_TYPES_DEPEND_H

#include "programs/syntax/ast.h"

/* No node: an input, a parameter or an index. */
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

/* Of a variable of a loop: its initial value and what it becomes. */
uint32_t programs_depend_variable(const struct programs_depend *depend,
                                  const struct programs_binding *variable);

/* Of the ends of a constant that is a comprehension. */
uint32_t programs_depend_ends(const struct programs_depend *depend,
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
