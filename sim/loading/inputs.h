/* Values of the inputs of programs: read from arguments NAME=VALUE, written for results and
 * descriptions of runs, and compared.
 *
 * A scalar is written as in results. An array or a tensor is written `[4, 5]`, or `@PATH`: a file
 * in a format of isa/tensor/files/parts.h. Descriptions of runs name a file `@NAME@DIGEST`; the
 * recording or database has its bytes, unless they are more than SIM_INPUT_KEEP_MAX; then the
 * user's file must have this digest. */
#ifndef SIM_LOADING_INPUTS_H
#define SIM_LOADING_INPUTS_H

#include "lib/json.h"
#include "sim/loading/load.h"
#include "sim/loading/setting.h"

enum {
    SIM_INPUT_SHORT = 64, /* max scalars of a value that is written in full */
    SIM_INPUT_KEEP_MAX =
        1 << 24, /* max bytes of a file that recordings and databases hold */
};

struct sim_inputs {
    /* Per input of the graph: its value, or its default. Those of arrays and tensors
     * (isa/given.h) live in an arena. */
    isa_value *values;
    bool *given; /* per input of the graph: whether the user gave a value */
};

/* Where files of values are. */
struct sim_inputs_from {
    struct sim_setting_files
        *files;            /* files read before, and those of a recording; or NULL. What
                            * diagnostics point to lives in its arena */
    const char *folder;    /* to which paths are relative: "", or ends with a slash */
    uint64_t limit_memory; /* max bytes of the elements of a value; 0: unlimited */
};

/* Reads arguments NAME=VALUE for the inputs of a graph. The values live in the arena. `from` may be
 * NULL: paths are relative to the working folder. Returns false and adds diagnostics on errors. */
bool sim_inputs_read(struct sim_inputs *inputs, struct lib_arena *arena,
                     const struct isa_graph *graph, const char *const *arguments,
                     size_t count, const struct sim_inputs_from *from,
                     struct lib_diags *diags);

/* Like sim_inputs_read, but messages about wrong inputs also have hints that need the source of the
 * program. */
bool sim_program_read_inputs(const struct sim_program *program, struct sim_inputs *inputs,
                             struct lib_arena *arena, const char *const *arguments,
                             size_t count, const struct sim_inputs_from *from,
                             struct lib_diags *diags);

/* Returns a copy of a value that lives in the arena. `part_count` tensors are the parts; if they
 * have more than SIM_INPUT_SHORT scalars and no file, they become one that is called NAME.txt.
 * `like` has file, digest and source, or NULLs. */
const struct isa_given *sim_given_keep(struct lib_arena *arena, const char *name,
                                       const struct isa_tensor *const *parts,
                                       uint32_t part_count, const struct isa_given *like);

/* Returns the file whose bytes a recording or database has to hold for a value of an input, or NULL
 * if there is none. */
const struct isa_given *sim_input_file(const struct isa_input *input, isa_value value);

/* Appends a value as sim_inputs_read reads it. A long default value is written as its type and
 * extents, as no description has it. */
void sim_input_write(struct lib_text *out, const struct isa_input *input,
                     isa_value value);

/* Appends a text that is the same for equal values only, whatever file they came from. */
void sim_input_identify(struct lib_text *out, const struct isa_input *input,
                        isa_value value);

/* Adds a value as a member `input->name`: a scalar, arrays, or of a long value an object with its
 * type, its extents, and its file or else the digest of its elements. */
void sim_input_write_json(struct lib_json *json, const struct isa_input *input,
                          isa_value value);

#endif
