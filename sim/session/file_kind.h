/* What a file is that was given where another kind was wanted, told by its content. */
#ifndef SIM_SESSION_FILE_KIND_H
#define SIM_SESSION_FILE_KIND_H

#include "lib/diag.h"

enum sim_file_kind {
    SIM_FILE_OTHER, /* nothing that is known; a source may be anything */
    SIM_FILE_SOURCE,
    SIM_FILE_ASSEMBLY,
    SIM_FILE_IMAGE,
    SIM_FILE_EXPERIMENT,
    SIM_FILE_MACHINE,
    SIM_FILE_DATABASE,
    SIM_FILE_JSON,
    SIM_FILE_DRAWING,
};

enum sim_file_kind sim_file_kind(const struct lib_source *file);

/* Whether a file can be what is `wanted` ("a program"), which is one of two kinds. If it is
 * known to be another, says so, and what takes it: "this is an experiment, not a program;
 * `hiaton sweep run` runs it". */
bool sim_file_check(const struct lib_source *file, const char *wanted,
                    enum sim_file_kind kind, struct lib_diags *diags);

#endif
