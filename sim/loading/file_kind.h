/* Finds the kind of a file by its content, for messages about files of the wrong kind. */
#ifndef SIM_LOADING_FILE_KIND_H
#define SIM_LOADING_FILE_KIND_H

#include "lib/diag.h"

enum sim_file_kind {
    SIM_FILE_OTHER, /* unknown; may be a source, which can begin with anything */
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
    SIM_FILE_BINARY, /* has a NUL byte and is of no known kind */
};

/* Returns the kind of a file. Its first bytes suffice. */
enum sim_file_kind sim_file_kind(const struct lib_source *file);

/* Returns a kind of file in words: "an experiment". NULL for SIM_FILE_OTHER. */
const char *sim_file_kind_name(enum sim_file_kind kind);

/* Checks that a file may be of a kind, which messages call `wanted` ("a program"). If not, returns
 * false and adds a diagnostic: "this is an experiment, not a program; ...". */
bool sim_file_check(const struct lib_source *file, const char *wanted,
                    enum sim_file_kind kind, struct lib_diags *diags);

#endif
