/* Experiments: a YAML file that says what to run (doc/experiments.md), read and checked.
 *
 * An experiment is parameters, each with its values; axes, which are parameters that vary
 * in step; and conditions. A program may have parameters of its own, which vary within its
 * stretch of the programs' axis (sim/experiment/suite.h). sim/experiment/expand.h makes runs
 * of it. What it holds lives in its arena or is owned by it. */
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

/* The number of a value is the place of a program, machine, strategy, window, table of energies or
 * file of trees in the lists below, the seed, or the value of a setting that is a number or a
 * choice; of another setting the value's field is in the arena. An input's is 0: what it means
 * depends on the type that the program gives it. So is that of another option of training, which is
 * read from its text. */
struct sim_param {
    enum sim_param_kind kind;
    const char *name; /* pe.count, inputs.n, program */
    const struct machine_setting *setting;
    const struct sim_training_option *option; /* TRAIN */
    struct lib_pos pos;                       /* line 0: not in the file */
    struct sim_values values;
    size_t axis;   /* of the experiment; of a program's own: of that program's, from 0 */
    size_t stride; /* of a program's own: how many places of its stretch a value lasts */
};

typedef LIB_VEC(struct sim_param) sim_param_list;

struct sim_axis {
    size_t length; /* of the values of each of its parameters */
};

extern const char *const sim_strategy_names[];
extern const size_t sim_strategy_count;

/* What a run executes. */
struct sim_image {
    struct isa_graph *graph;
    struct isa_digest digest;
};

enum { SIM_STRATEGIES = 2, SIM_FORMS = 8 };

/* Which image settings ask for, of those that a source is compiled to: by loop.constants,
 * grad.mode and grad.params. */
static inline unsigned sim_form_of(const struct machine_settings *settings)
{
    return settings->loop_constants + 2 * settings->grad_mode + 4 * settings->grad_params;
}

/* What a program has for training, with some trees or sentences, or its own. */
struct sim_experiment_training {
    size_t trees;                /* their place in the experiment; SIZE_MAX: its own */
    struct programs_known known; /* the files that it reads; the list is owned */
    struct isa_digest digest;    /* of all of it */
};

struct sim_experiment_program {
    const char *path; /* as in the experiment */
    const char *name; /* in results: no two programs have the same */
    bool is_named;    /* the experiment gives the name */
    struct lib_pos pos;
    struct sim_program program; /* owned; brought to its first image */
    /* By strategy, of those that the experiment names, and sim_form_of; where these are
     * decided already, all are the first. Forms that do not differ are the same. */
    struct sim_image images[SIM_STRATEGIES][SIM_FORMS];
    struct programs_training
        training; /* where runs are trainings: what it has for them */
    LIB_VEC(struct sim_experiment_training)
    trainings; /* owned; by the trees of its runs */
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
    const char *label; /* NAME@DIGEST: what results call them */
};

/* An item of `program`: a stretch of the programs' axis, which has a place for each
 * combination of the item's own parameters. */
struct sim_entry {
    size_t first, length;
    size_t own, own_count; /* its parameters, in `own` of the experiment */
};

enum sim_seeds { SIM_SEED_PER_RUN, SIM_SEED_PER_REPETITION };

struct sim_experiment {
    struct lib_arena *arena;
    const struct lib_source *source;
    const char *name;                /* of the file, without folder and ending */
    const char *folder;              /* of the file, with a slash at its end, or "" */
    const char *title, *description; /* "" if not given */
    const char *overridden;          /* "--set pe.count=4 --input n=5"; "" if it is not */

    sim_param_list
        params; /* of all programs; program, strategy, machine, seed are there */
    LIB_VEC(struct sim_axis) axes; /* the first varies slowest */
    /* By value of the parameter `program`; none where no program has own parameters, so that
     * each is one place of its axis. */
    LIB_VEC(struct sim_entry) entries;
    sim_param_list own; /* of single programs, in the order of the entries */
    LIB_VEC(struct sim_experiment_program) programs;
    LIB_VEC(struct sim_experiment_machine) machines;
    LIB_VEC(struct sim_experiment_window) windows;
    LIB_VEC(struct sim_experiment_energy) energies;
    LIB_VEC(struct sim_experiment_trees) trees;
    struct sim_setting_files files; /* that settings and machines name */
    LIB_VEC(struct analysis_condition *) conditions;
    struct lib_pos where; /* they stand there */

    uint32_t repetitions; /* 0: not repeated, and the seed is the one given */
    struct lib_pos repeat;
    enum sim_seeds seeds;
    double wall_limit;               /* seconds; 0: none */
    bool keeps[TRACES_DETAIL_COUNT]; /* of each run */
    struct sim_measures measures;    /* and what it is measured by */
    struct lib_pos measure;          /* stands there */
    bool trains;                     /* runs are trainings (the key `train`) */
    struct lib_pos train;            /* stands there */
    struct lib_pos epochs;           /* the key stands there */

    struct traces_columns columns; /* of its results */
    struct analysis_view_specs outputs;
    struct sim_sites sites;
};

/* The keys of an experiment, and of all that stands in it. */
extern const struct lib_field_table sim_experiment_keys;

struct sim_overrides;

/* Reads and checks all of an experiment; source->name is the path of the file. `overrides`
 * (sim/experiment/override.h) may be NULL. false after errors. Give back with
 * sim_experiment_free in either case, and not before the diagnostics were told. */
bool sim_experiment_read(struct sim_experiment *experiment,
                         const struct lib_source *source,
                         const struct sim_overrides *overrides, struct lib_diags *diags);
void sim_experiment_free(struct sim_experiment *experiment);

#endif
