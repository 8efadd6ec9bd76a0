/* Name resolution: binds every name of a program to its definition, and finds the used definitions.
 *
 * Scopes nest: equations, then the parameters of a function, then lets, where each binding sees
 * the earlier ones. Inner names hide outer ones and built-in functions. The name `_` is never
 * bound: it discards a value, and may be defined any number of times. */
#ifndef PROGRAMS_TYPES_RESOLVE_H
#define PROGRAMS_TYPES_RESOLVE_H

#include "programs/syntax/ast.h"

/* Binds every name and call of a program, sets ast->result and ast->order, and marks the used
 * definitions. Reports unknown and duplicate names, calls of values, functions that are not
 * called, wrong numbers of arguments, and constants that depend on themselves. Returns false and
 * adds diagnostics after errors. */
bool programs_resolve(struct programs_ast *ast, struct lib_diags *diags);

#endif
