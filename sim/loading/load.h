/* Loads the programs that users name, and reads values of their inputs. A program is a source, an
 * assembly text or an image, as its content shows. */
#ifndef SIM_LOADING_LOAD_H
#define SIM_LOADING_LOAD_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "programs/compile.h"
#include "sim/loading/setting.h"

enum sim_kind { SIM_SOURCE, SIM_ASSEMBLY, SIM_IMAGE, SIM_KIND_COUNT };

/* Loaded program. Owns its arena and its graph. */
struct sim_program {
    struct lib_arena *arena;
    const struct lib_source *file; /* content of the program's file */
    enum sim_kind kind;
    /* program of a recording; file->name is the name of the recording */
    bool is_recorded;
    struct lib_text *report; /* to which the optimiser's report is appended; or NULL */
    const char *params;      /* folder with values for the params of a source; or NULL */
    struct isa_graph *graph;
};

/* Checks that the first argument of a command may be a program. Returns false and adds a diagnostic
 * if it looks like an input. */
bool sim_program_is_named(const char *argument, struct lib_diags *diags);

/* Returns the options for compiling a source with settings (NULL: defaults). `files` becomes
 * options.files. */
struct programs_options sim_program_options(const struct sim_settings *settings,
                                            struct lib_arena *files);

/* Reads the program at `path` ("-": standard input) and finds its kind. Returns false and adds a
 * diagnostic on failure. */
bool sim_program_open(struct sim_program *program, const char *path,
                      struct lib_diags *diags);

/* Like sim_program_open, for the bytes of a file, which are copied with the name. */
bool sim_program_open_bytes(struct sim_program *program, const char *name,
                            const void *bytes, size_t length, struct lib_diags *diags);

/* Compiles a program up to a stage, with settings (NULL: defaults). ISA_STAGE_COUNT means the stage
 * static, or if an image or assembly text is at a later stage, that one. Returns false and adds a
 * diagnostic if the program is already at a later stage than the requested one, or has errors. */
bool sim_program_bring(struct sim_program *program, const struct sim_settings *settings,
                       enum isa_stage stage, struct lib_diags *diags);

/* Whether a program has a loop, or had one that a gradient made a function that calls itself. */
bool sim_graph_has_loops(const struct isa_graph *graph);

/* Warns of settings without effect on a program: loop.bound if it has no loop; classes of PEs. */
void sim_program_warn_of_effects(const struct isa_graph *graph,
                                 const struct sim_settings *settings,
                                 struct lib_diags *diags);

/* Compiles a program to the executable stage of `strategy` (isa_strategy_find). If that is
 * ISA_STAGE_COUNT, the user gave none: a source is compiled as `static`, an executable image or
 * assembly text keeps its stage. Returns false and adds diagnostics on errors. */
bool sim_program_finish(struct sim_program *program, const struct sim_settings *settings,
                        enum isa_stage strategy, struct lib_diags *diags);

void sim_program_free(struct sim_program *program);

/* Returns a kind of program in words: "a source", "an assembly text", "an image". */
const char *sim_kind_text(enum sim_kind kind);

/* Returns the source to which positions in the graph refer, or NULL for assembly and images. */
const struct lib_source *sim_program_source(const struct sim_program *program);

/* Returns the program's name to begin diagnostics about a run: the path of a source; for assembly
 * and images the name of their source, or if that is unknown their own path. */
const char *sim_program_name(const struct sim_program *program);

/* Returns the program's name to begin the reason why a run ended: the name of its source without
 * folder, even for an image; of its file if the source is unknown. */
const char *sim_program_title(const struct sim_program *program);

/* Returns the program's name in results: its file name without folder and suffix. If the program
 * came from standard input or a recording, the name of its source is used instead. The string lives
 * as long as the program. */
const char *sim_program_stem(const struct sim_program *program);

#endif
