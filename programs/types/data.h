/* Data of a program: the files that `file("PATH")`, `trees("PATH")` and `conllu("PATH")` name. They
 * are read when the program is compiled, so that its graph has all data. Paths are relative to the
 * folder of the program. */
#ifndef PROGRAMS_TYPES_DATA_H
#define PROGRAMS_TYPES_DATA_H

#include "programs/syntax/ast.h"
#include "programs/types/known.h"

/* Makes the file NAME.npy in a folder the initial value of each param; does nothing if the
 * folder is NULL. Called before the program is resolved. Returns false and adds a diagnostic if
 * the program has no params. */
bool programs_data_take_params(struct programs_ast *ast, const char *folder,
                               struct lib_diags *diags);

/* Reads all files of a program. Their bytes are in the arena `files`, which must live as long as
 * `diags`; if it is NULL, each file is an error. A file in `known` is not read again, and files
 * that are read are added to it. The file `trees` is read in place of each file of trees or
 * sentences. `known` and `trees` may be NULL. Returns false and adds diagnostics after errors.
 * The caller calls programs_data_free in either case. */
bool programs_data_read(struct programs_ast *ast, struct lib_arena *files,
                        const char *trees, struct programs_known *known,
                        struct lib_diags *diags);
void programs_data_free(struct programs_ast *ast);

#endif
