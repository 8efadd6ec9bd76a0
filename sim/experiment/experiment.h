/* Experiments: YAML files that describe runs (doc/experiments.md), read and checked.
 *
 * An experiment has parameters, each with its values; axes, which are parameters that vary
 * together; and conditions. A program can have its own parameters, which vary within its stretch of
 * the programs' axis (sim/experiment/suite.h). sim/experiment/expand.h makes the runs. All members
 * live in the arena of the experiment, or are owned by it. */
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

/* A parameter. The number of a value is the index of a program, machine, strategy, window, table of
 * energies or file of trees in the lists below; the seed; or the value of a setting that is a
 * number or a choice. For other settings the value is in the arena. For inputs it is 0, as their
 * meaning depends on their type in the program; and for other options of training, which are read
 * from their text. */
struct sim_param {
    enum sim_param_kind kind;
    const char *name; /* pe.count, inputs.n, program */
    const struct machine_setting *setting;
    const struct sim_training_option *option; /* for TRAIN */
    struct lib_pos pos;                       /* line 0 if it is not in the file */
    struct sim_values values;
    size_t axis;   /* axis of the experiment, or of the program for its own parameters */
    size_t stride; /* own parameter of a program: places of its stretch per value */
};

typedef LIB_VEC(struct sim_param) sim_param_list;

struct sim_axis {
    size_t length; /* number of values of each of its parameters */
};

extern const char *const sim_strategy_names[];
extern const size_t sim_strategy_count;

/* An image that runs execute. */
struct sim_image {
    struct isa_graph *graph;
    struct isa_digest digest;
};

enum { SIM_STRATEGIES = 2, SIM_FORMS = 8 };

/* Returns the form of an image for settings: a combination of loop.constants, grad.mode and
 * grad.params, with which a source is compiled. */
static inline unsigned sim_form_of(const struct machine_settings *settings)
{
    return settings->loop_constants + 2 * settings->grad_mode + 4 * settings->grad_params;
}

/* The data of a program for training, with trees or sentences of the experiment, or its own. */
struct sim_experiment_training {
    size_t trees;                /* index in the experiment; SIZE_MAX for its own */
    struct programs_known known; /* files that it reads; the list is owned */
    struct isa_digest digest;    /* digest of all data */
};

struct sim_experiment_program {
    const char *path; /* as in the experiment */
    const char *name; /* unique name in results */
    bool is_named;    /* the experiment gives the name */
    struct lib_pos pos;
    struct sim_program program; /* compiled to its first image; owned */

    /* By strategy of the experiment and sim_form_of. A program whose image is fixed has the same
     * one everywhere. Forms that do not differ are the same image. */
    struct sim_image images[SIM_STRATEGIES][SIM_FORMS];
    struct programs_training training; /* if runs are trainings */

    /* Trainings by the trees of its runs; owned. */
    LIB_VEC(struct sim_experiment_training) trainings;
};

struct sim_experiment_machine {
    const char *name; /* as in the experiment */
    struct lib_pos pos;
    struct sim_setup setup;
};

struct sim_experiment_window {
    struct sim_window window;
    struct lib_pos pos;
};

struct sim_experiment_energy {
    const char *name; /* as in the experiment */
    struct lib_pos pos;
    const struct analysis_energy *table; /* NULL after an error */
};

/* A value of train.trees: trees or sentences in place of those of a program. */
struct sim_experiment_trees {
    const char *name; /* as in the experiment */
    const char *path;
    const char *label; /* name in results: NAME@DIGEST */
};

/* An item of `program`: a stretch of the programs' axis, with a place per combination of the item's
 * own parameters. */
struct sim_entry {
    size_t first, length;
    size_t own, own_count; /* its parameters, in `own` of the experiment */
};

enum sim_seeds { SIM_SEED_PER_RUN, SIM_SEED_PER_REPETITION };

struct sim_experiment {
    struct lib_arena *arena;
    const struct lib_source *source;
    const char *name;                /* name of the file, without folder and ending */
    const char *folder;              /* folder of the file, with a final slash, or "" */
    const char *title, *description; /* "" if not given */
    const char *overridden;          /* "--set pe.count=4 --input n=5", or "" */

    /* For all programs; includes program, strategy, machine, seed. */
    sim_param_list params;
    LIB_VEC(struct sim_axis) axes; /* the first varies slowest */

    /* By value of the parameter `program`. Empty if no program has its own parameters: then each
     * has one place of the axis. */
    LIB_VEC(struct sim_entry) entries;
    sim_param_list own; /* parameters of single programs, in the order of the entries */
    LIB_VEC(struct sim_experiment_program) programs;
    LIB_VEC(struct sim_experiment_machine) machines;
    LIB_VEC(struct sim_experiment_window) windows;
    LIB_VEC(struct sim_experiment_energy) energies;
    LIB_VEC(struct sim_experiment_trees) trees;
    struct sim_setting_files files; /* files of settings and machines */
    LIB_VEC(struct analysis_condition *) conditions;
    struct lib_pos where; /* position of the conditions */

    uint32_t repetitions; /* 0: not repeated, with the given seed */
    struct lib_pos repeat;
    enum sim_seeds seeds;
    double wall_limit;               /* seconds; 0 without a limit */
    bool keeps[TRACES_DETAIL_COUNT]; /* details that are kept of each run */
    struct sim_measures measures;    /* analyses of each run */
    struct lib_pos measure;          /* position of `measure` */
    bool trains;                     /* runs are trainings (the key `train`) */
    struct lib_pos train;            /* position of `train` */
    struct lib_pos epochs;           /* position of `epochs` */

    struct traces_columns columns; /* columns of its results */
    struct analysis_view_specs outputs;
    struct sim_sites sites;
};

/* The keys of an experiment, and of all mappings in it. */
extern const struct lib_field_table sim_experiment_keys;

struct sim_overrides;

/* Reads and checks an experiment; source->name is the path of the file. `overrides`
 * (sim/experiment/override.h) may be NULL. Returns false after errors. Free the experiment with
 * sim_experiment_free in either case, after the diagnostics were reported. */
bool sim_experiment_read(struct sim_experiment *experiment,
                         const struct lib_source *source,
                         const struct sim_overrides *overrides, struct lib_diags *diags);
void sim_experiment_free(struct sim_experiment *experiment);

#endif
