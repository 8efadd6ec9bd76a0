/* What a file is that was given where another kind was wanted, told by its content. */
#ifndef SIM_LOADING_FILE_KIND_H
#define SIM_LOADING_FILE_KIND_H

#include "lib/diag.h"

enum sim_file_kind {
    SIM_FILE_OTHER, /* nothing that is known; a source may be anything */
    SIM_FILE_SOURCE,
    SIM_FILE_ASSEMBLY,
    SIM_FILE_IMAGE,
    SIM_FILE_EXPERIMENT,
    SIM_FILE_MACHINE,
    SIM_FILE_DATABASE,
    SIM_FILE_RECORDING,
    SIM_FILE_EVENTS,
    SIM_FILE_VALUES,
    SIM_FILE_JSON,
    SIM_FILE_PICTURE,
    SIM_FILE_BINARY, /* one with a NUL that is nothing of these */
};

/* Its first bytes are enough. */
enum sim_file_kind sim_file_kind(const struct lib_source *file);

/* "an experiment"; NULL of SIM_FILE_OTHER. */
const char *sim_file_kind_name(enum sim_file_kind kind);

/* Whether a file can be what is `wanted` ("a program"), which is one of two kinds. If it is
 * known to be another, says so, and what takes it: "this is an experiment, not a program;
 * `hiaton sweep run` runs it". */
bool sim_file_check(const struct lib_source *file, const char *wanted,
                    enum sim_file_kind kind, struct lib_diags *diags);

#endif
