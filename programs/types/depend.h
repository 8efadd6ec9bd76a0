/* Dependences: which definitions of a program name which others. programs/types/resolve.c collects
 * them while it binds names.
 *
 * The nodes of the graph are the functions, the constants, the equations of lets, the variables
 * of loops, and the ranges of constants that are comprehensions, in this order. A constant that
 * is a comprehension is available as soon as its range is, because its elements wait for each
 * other at run time. So its range is a node of its own, on which the node of the constant
 * depends. A cycle is an error if it contains a range, or a constant that is not a
 * comprehension. */
#ifndef PROGRAMS_TYPES_DEPEND_H
#define PROGRAMS_TYPES_DEPEND_H

#include "programs/syntax/ast.h"

/* Node of names without dependences: inputs, parameters and indices. */
#define PROGRAMS_DEPEND_NONE UINT32_MAX

struct programs_depend;

struct programs_depend *programs_depend_new(const struct programs_ast *ast);
void programs_depend_free(struct programs_depend *depend);

uint32_t programs_depend_function(const struct programs_depend *depend,
                                  const struct programs_function *function);

/* Returns the node of a constant, or of an equation of a let. */
uint32_t programs_depend_equation(const struct programs_depend *depend,
                                  const struct programs_equation *equation);

/* Returns the node of a loop variable, which depends on its initial and next values. */
uint32_t programs_depend_variable(const struct programs_depend *depend,
                                  const struct programs_binding *variable);

/* Returns the node of the range of a constant that is a comprehension. */
uint32_t programs_depend_ends(const struct programs_depend *depend,
                              const struct programs_equation *equation);

/* Adds a dependence of node `from` on a function. */
void programs_depend_on_function(struct programs_depend *depend, uint32_t from,
                                 struct programs_function *function);
/* Adds a dependence of node `from` on a value. */
void programs_depend_on_binding(struct programs_depend *depend, uint32_t from,
                                struct programs_binding *binding);

void programs_depend_mark(struct programs_depend *depend, struct programs_ast *ast);

/* Sorts functions and constants into ast->order, each after the ones that it names. Reports each
 * cycle of constants once. */
void programs_depend_order(struct programs_depend *depend, struct programs_ast *ast,
                           struct lib_diags *diags);

#endif
