/* Syntax trees printed as programs. */
#ifndef PROGRAMS_SYNTAX_PRINT_H
#define PROGRAMS_SYNTAX_PRINT_H

#include "programs/syntax/ast.h"

/* Adds the text of a tree, which programs_parse reads as the same tree: one equation per line,
 * in the order of the text, with the fewest parentheses. A pragma, and the text after it, are on
 * lines of their own. Names need not be bound, nor types inferred. */
void programs_print(const struct programs_ast *ast, struct lib_text *out);

#endif
