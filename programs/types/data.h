/* Data of a program: the files that `file("PATH")`, `trees("PATH")` and `conllu("PATH")` name. They are
 * read when the program is compiled, so that a graph holds what it needs. A path is that of the user,
 * from the folder of the program. */
#ifndef PROGRAMS_TYPES_DATA_H
#define PROGRAMS_TYPES_DATA_H

#include "programs/syntax/ast.h"

/* Reads them all. Their bytes go to the arena `files`, which lives as long as `diags`; NULL: no files may be
 * read, and each is an error. `trees`: a file
 * that is read in place of those that `trees` and `conllu` name; or NULL. false: something was reported. What was read is to
 * be given back, whatever became of it. */
bool programs_data_read(struct programs_ast *ast, struct lib_arena *files,
                        const char *trees, struct lib_diags *diags);
void programs_data_free(struct programs_ast *ast);

#endif
