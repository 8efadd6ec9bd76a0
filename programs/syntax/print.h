/* Trees as text: dumps, and programs made by programs. */
#ifndef PROGRAMS_SYNTAX_PRINT_H
#define PROGRAMS_SYNTAX_PRINT_H

#include "programs/syntax/ast.h"

/* Writes a program that programs_parse reads as the same tree: one equation per line (a
 * pragma, and what follows it, stand on lines of their own), in the order of the text, with
 * the fewest parentheses. Needs neither names bound nor types. */
void programs_print(const struct programs_ast *ast, struct lib_text *out);

#endif
