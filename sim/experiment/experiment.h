/* Experiments: YAML files that describe many runs (doc/experiments.md), read and checked.
 *
 * An experiment has parameters, each with a list of values; axes, which are groups of parameters
 * that vary together; and conditions on values. Programs can have parameters of their own
 * (sim/experiment/suite.h). sim/experiment/expand.h makes the runs. All members are owned, or live
 * in the arena; only the source is borrowed. */
#ifndef SIM_EXPERIMENT_EXPERIMENT_H
#define SIM_EXPERIMENT_EXPERIMENT_H

#include "analysis/condition/condition.h"
#include "analysis/view/view_spec.h"
#include "isa/format/image.h"
#include "sim/experiment/measures.h"
#include "sim/experiment/site.h"
#include "sim/loading/load.h"
#include "sim/loading/setup.h"
#include "sim/session/window.h"
#include "sim/training/grafts.h"
#include "sim/training/options.h"
#include "sim/values/values.h"
#include "traces/results/detail.h"

enum sim_param_kind {
    SIM_PARAM_PROGRAM,
    SIM_PARAM_STRATEGY,
    SIM_PARAM_MACHINE,
    SIM_PARAM_SEED,
    SIM_PARAM_WINDOW,
    SIM_PARAM_ENERGY,
    SIM_PARAM_SETTING,
    SIM_PARAM_INPUT,
    SIM_PARAM_TRAIN,
};

/* A parameter with its values. sim_value.number is
 * - of a program, machine, strategy, window, energy table or file of examples: its index in its
 *   list,
 * - of a seed, and of a setting that is a number or a choice: its value,
 * - of inputs and other training options: 0; their text is parsed later.
 * Other settings have their value in sim_value.field, in the arena. */
struct sim_param {
    enum sim_param_kind kind;
    const char *name;
    const struct lib_setting *setting;
    const struct sim_training_option *option; /* NULL unless `kind` is SIM_PARAM_TRAIN */
    /* Position of the parameter in the experiment file; line 0: not in the file. */
    struct lib_pos pos;
    struct sim_values values;
    /* Axis of the parameter: an index in sim_experiment.axes. For a parameter of one program only:
     * an index among the axes of this program. */
    size_t axis;
    /* For a parameter of one program only: how many adjacent combinations of values of the
     * program's own parameters have the same value of this one (sim_suite_value). */
    size_t stride;
};

typedef LIB_VEC(struct sim_param) sim_param_list;

struct sim_axis {
    size_t length; /* number of positions on the axis */
};

extern const char *const sim_strategy_names[];
extern const size_t sim_strategy_count;

/* A compiled program, as a graph and its digest. Its key is what it was compiled for. */
struct sim_image {
    enum isa_stage stage;              /* of the strategy */
    struct programs_settings settings; /* those that its stage depends on */
    struct isa_graph *graph;
    struct isa_digest digest;
};

/* Files that one program reads when it is trained on its own files of examples, or on one file that
 * the experiment names (train.trees) in place of these. */
struct sim_experiment_training {
    /* Index in sim_experiment.trees of the file of examples; SIZE_MAX: the program's own files. */
    size_t trees;
    struct programs_known known; /* files that the program reads; the list is owned */
    struct isa_digest digest;    /* digest of program, data and initial params */
};

struct sim_experiment_program {
    const char *path; /* path of the program, as in the experiment file */
    const char *name; /* unique name of the program in results */
    bool is_named;    /* `name` is from the experiment file, not made from `path` */
    struct lib_pos pos;
    /* owned; its graph is the one that was compiled first */
    struct sim_program program;

    /* Owned. Compiled programs (sim_files_find_image), one per key that a run has. Those with equal
     * digests share a graph. */
    LIB_VEC(struct sim_image *) images;
    /* What the program defines for training; used if the experiment trains. */
    struct programs_training training;

    /* Owned. One per file of examples that runs of the program train on, of those that the
     * experiment names; and one for the program's own files, if runs train on these. */
    LIB_VEC(struct sim_experiment_training) trainings;
};

struct sim_experiment_machine {
    const char *name; /* name of the machine, as in the experiment file */
    struct lib_pos pos;
    struct sim_setup setup;
};

struct sim_experiment_window {
    struct sim_window window;
    struct lib_pos pos;
};

struct sim_experiment_energy {
    const char *name; /* name of the energy table, as in the experiment file */
    struct lib_pos pos;
    /* The energy table; NULL if it could not be read. */
    const struct analysis_energy *table;
};

/* A file of examples (trees or sentences) to train on, in place of those that a program names. */
struct sim_experiment_trees {
    const char *name; /* name of the file, as in the experiment file */
    const char *path;
    const char *label; /* what results call the file: NAME@DIGEST */
};

/* A value of the parameter `program`: a program with the parameters that only it has. `length`
 * counts the combinations of their values; `first` is the sum of the lengths of all entries
 * before. */
struct sim_entry {
    size_t first, length;
    /* Parameters that only this program has: `own_count` items of sim_experiment.own, from index
     * `own`. */
    size_t own, own_count;
};

enum sim_seeds { SIM_SEED_PER_RUN, SIM_SEED_PER_REPETITION };

/* A value of an input that is an array or a tensor, for the program that has the input. */
struct sim_experiment_given {
    const struct sim_experiment_program *program;
    const char *input, *text;
    const struct isa_given *given;
};

struct sim_givens {
    struct sim_setting_files files; /* all runs have the bytes that were read first */
    LIB_VEC(struct sim_experiment_given) list;
};

struct sim_experiment {
    struct lib_arena *arena;
    const struct lib_source *source;
    const char *name;   /* name of the experiment file, without folder and extension */
    const char *folder; /* folder of the experiment file, with a final slash, or "" */
    const char *title, *description; /* "" if the file has none */
    /* Command-line options that override the file, as "--set pe.count=4 --input n=5", or "". */
    const char *overridden;

    /* Parameters of all programs, including program, strategy, machine and seed. */
    sim_param_list params;
    LIB_VEC(struct sim_axis) axes; /* axes of `params`; the first varies slowest */

    /* One entry per value of the parameter `program`. Empty if no program has parameters of its
     * own. */
    LIB_VEC(struct sim_entry) entries;
    sim_param_list own; /* parameters of one program only, in the order of `entries` */
    LIB_VEC(struct sim_experiment_program) programs;
    LIB_VEC(struct sim_experiment_machine) machines;
    LIB_VEC(struct sim_experiment_window) windows;
    LIB_VEC(struct sim_experiment_energy) energies;
    LIB_VEC(struct sim_experiment_trees) trees;
    struct sim_setting_files files; /* files that settings and machines name */
    /* Inputs that are arrays or tensors; filled when a run with such a value is settled first. */
    struct sim_givens *givens;
    LIB_VEC(struct analysis_condition *) conditions;
    struct lib_pos where; /* position of the key `where` in the file */

    /* Runs per combination of values; 0: one run, with the configured seed. */
    uint32_t repetitions;
    struct lib_pos repeat;
    enum sim_seeds seeds;
    /* Limit per run, in seconds of the host's time; 0: none. */
    double wall_limit;
    bool keeps[TRACES_DETAIL_COUNT]; /* details of each run to store */
    struct sim_measures measures;    /* analyses that measure each run */
    struct lib_pos measure;
    bool trains; /* the runs are trainings */
    struct lib_pos train;
    struct lib_pos epochs;

    struct traces_columns columns;
    struct analysis_view_specs outputs;
    struct sim_sites sites;
};

extern const struct lib_field_table sim_experiment_keys;

struct sim_overrides;

/* Reads and checks an experiment. source->name is the path of its file. `overrides`
 * (sim/experiment/override.h) may be NULL. Returns false and adds diagnostics on errors. Free the
 * experiment in either case, after the diagnostics are reported. */
bool sim_experiment_read(struct sim_experiment *experiment,
                         const struct lib_source *source,
                         const struct sim_overrides *overrides, struct lib_diags *diags);
void sim_experiment_free(struct sim_experiment *experiment);

#endif
