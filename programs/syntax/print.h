#ifndef PROGRAMS_SYNTAX_PRINT_H
#define PROGRAMS_SYNTAX_PRINT_H

#include "programs/syntax/ast.h"

/* Prints a syntax tree as a program that programs_parse reads as the same tree: types of data,
 * then one equation per line, in source order, with the fewest parentheses. Pragmas are on lines of
 * their own. Names need not be bound, nor types inferred. */
void programs_print(const struct programs_ast *ast, struct lib_text *out);

/* Prints the left side of an equation, or a parameter. */
void programs_print_pattern(const struct programs_pattern *pattern, struct lib_text *out);

/* Prints an expression as a text that is parsed as the same expression. */
void programs_print_expr(const struct programs_expr *e, struct lib_text *out);

#endif
