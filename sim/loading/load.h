/* Programs as the user names them: a source, an assembly text or an image, told apart by
 * content; and the values given for their inputs. */
#ifndef SIM_LOADING_LOAD_H
#define SIM_LOADING_LOAD_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "machine/settings.h"
#include "programs/compile.h"

enum sim_kind { SIM_SOURCE, SIM_ASSEMBLY, SIM_IMAGE, SIM_KIND_COUNT };

/* Owns its arena and its graph. */
struct sim_program {
    struct lib_arena *arena;
    const struct lib_source *file; /* what was read */
    enum sim_kind kind;
    bool is_recorded; /* out of a recording, after which the file is named */
    struct isa_graph *graph;
};

/* Whether the first argument of a command may be a program, and not an input before it. */
bool sim_program_is_named(const char *argument, struct lib_diags *diags);

/* How settings have a source compiled; NULL: the standard. `files`: see there. */
struct programs_options sim_program_options(const struct machine_settings *settings,
                                            struct lib_arena *files);

/* Reads the file at `path` ("-": standard input) and finds out what it is. */
bool sim_program_open(struct sim_program *program, const char *path,
                      struct lib_diags *diags);

/* The same with the bytes of such a file, which are copied with the name. */
bool sim_program_open_bytes(struct sim_program *program, const char *name,
                            const void *bytes, size_t length, struct lib_diags *diags);

/* Brings it to a stage; an error if it is beyond that stage already. Settings decide how a
 * source is compiled; NULL: the standard ones. */
bool sim_program_bring(struct sim_program *program,
                       const struct machine_settings *settings, enum isa_stage stage,
                       struct lib_diags *diags);

/* Brings it to what is executed: by a strategy (isa_strategy_find), or, where none is given
 * (ISA_STAGE_COUNT), by that of an image or of an assembly text, else static. */
bool sim_program_finish(struct sim_program *program,
                        const struct machine_settings *settings, enum isa_stage strategy,
                        struct lib_diags *diags);

void sim_program_free(struct sim_program *program);

/* "a source", "an assembly text", "an image". */
const char *sim_kind_text(enum sim_kind kind);

/* The text that positions in the graph point into; NULL where it is not at hand, because
 * the program was read from assembly or an image. */
const struct lib_source *sim_program_source(const struct sim_program *program);

/* The name that diagnostics about a run begin with. */
const char *sim_program_name(const struct sim_program *program);

/* What the reason of an ending begins with: the source, without its folder, so that it is the
 * same for the source and for its image, wherever they lie. */
const char *sim_program_title(const struct sim_program *program);

/* What results call the program: the name of its file without folder and ending, or of its source
 * where it came from standard input or out of a recording. It lives as long as the program. */
const char *sim_program_stem(const struct sim_program *program);

/* Values of inputs. */
struct sim_inputs {
    isa_value *values; /* one per input of the graph: given, or the program's own */
    bool *given;
};

/* Reads NAME=VALUE arguments for the inputs of a graph; what it returns lives in the
 * arena. false after errors. */
bool sim_inputs_read(struct sim_inputs *inputs, struct lib_arena *arena,
                     const struct isa_graph *graph, const char *const *arguments,
                     size_t count, struct lib_diags *diags);

#endif
