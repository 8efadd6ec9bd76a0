/* Data of a program: the files named by `file("PATH")`, `trees("PATH")` and `conllu("PATH")`.
 * They are read at compile time and become part of the graph. Paths are relative to the folder
 * of the program. */
#ifndef PROGRAMS_TYPES_DATA_H
#define PROGRAMS_TYPES_DATA_H

#include "programs/syntax/ast.h"
#include "programs/types/known.h"

/* Makes the file NAME.npy in `folder`, unless NULL, the initial value of each param NAME. Called
 * before names are resolved. Returns false and adds a diagnostic if the program has no params. */
bool programs_data_take_params(struct programs_ast *ast, const char *folder,
                               struct lib_diags *diags);

/* Reads all files of a program into the arena `files`, which must live as long as `diags`; NULL:
 * each file is an error. Files in `known` are not read again; new ones are added to it. `trees`,
 * a path, replaces each file of trees or sentences. `known` and `trees` may be NULL. Returns
 * false and adds diagnostics after errors. The caller calls programs_data_free in any case. */
bool programs_data_read(struct programs_ast *ast, struct lib_arena *files,
                        const char *trees, struct programs_known *known,
                        struct lib_diags *diags);
void programs_data_free(struct programs_ast *ast);

#endif
