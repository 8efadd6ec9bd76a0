/* Data of a program: the files that `file("PATH")`, `trees("PATH")` and `conllu("PATH")` name.
 * They are read when the program is compiled, so that a graph holds what it needs. A path is that
 * of the user, from the folder of the program. */
#ifndef PROGRAMS_TYPES_DATA_H
#define PROGRAMS_TYPES_DATA_H

#include "programs/syntax/ast.h"
#include "programs/types/known.h"

/* Reads all of them. Their bytes go to the arena `files`, which must live as long as `diags`; if
 * it is NULL, no files may be read, and each is an error. A file in `known` is taken from there,
 * and one that is read is added to it. `trees` is read in place of other trees and sentences.
 * `known` and `trees` may be NULL. Returns false if something was reported. The caller calls
 * programs_data_free in either case. */
bool programs_data_read(struct programs_ast *ast, struct lib_arena *files,
                        const char *trees, struct programs_known *known,
                        struct lib_diags *diags);
void programs_data_free(struct programs_ast *ast);

#endif
