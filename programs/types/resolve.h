/* Names: what every name of a program means, and which equations matter.
 *
 * Scopes nest: equations, then the parameters of a function, then lets, where each binding
 * sees the earlier ones. Inner names hide outer ones and built-in functions. The name `_`
 * is never bound: it takes a value that nobody reads, any number of times. */
#ifndef PROGRAMS_TYPES_RESOLVE_H
#define PROGRAMS_TYPES_RESOLVE_H

#include "programs/syntax/ast.h"

/* Binds every name and call of the tree, sets `result` and `order`, and marks as `used`
 * what can be reached in the text from `result`. Reports unknown and doubly defined names,
 * values that are called and functions that are not, wrong numbers of arguments, and
 * constants that depend on themselves. false: there were errors. */
bool programs_resolve(struct programs_ast *ast, struct lib_diags *diags);

#endif
