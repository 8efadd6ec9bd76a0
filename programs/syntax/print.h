/* Trees as text: dumps, and programs made by programs. */
#ifndef PROGRAMS_SYNTAX_PRINT_H
#define PROGRAMS_SYNTAX_PRINT_H

#include "programs/syntax/ast.h"

/* Adds a program that programs_parse reads as the same tree: one equation per line (a pragma, and
 * the text after it, are on lines of their own), in the order of the text, with the fewest
 * parentheses. Bindings and types are not needed. */
void programs_print(const struct programs_ast *ast, struct lib_text *out);

#endif
