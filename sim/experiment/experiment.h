/* Experiments: YAML files that describe many runs (doc/experiments.md), read and checked.
 *
 * An experiment has parameters, each with its values; axes, which are parameters that vary
 * together; and conditions. A program can have parameters of its own (sim/experiment/suite.h).
 * sim/experiment/expand.h makes the runs. All members are owned, or live in the arena. */
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

/* A parameter and its values. sim_value.number is an index in the lists below (of a program,
 * machine, strategy, window, energy table or file of trees), the seed, or the value of a setting
 * that is a number or a choice. Other settings are in the arena (sim_value.field). Inputs and other
 * training options have 0: their text is parsed later. */
struct sim_param {
    enum sim_param_kind kind;
    const char *name; /* as "pe.count", "inputs.n" or "program" */
    const struct machine_setting *setting;
    const struct sim_training_option *option; /* for kind TRAIN */
    struct lib_pos pos; /* line 0 if the parameter is not in the file */
    struct sim_values values;
    /* index of its axis, or of the program's for own parameters */
    size_t axis;
    size_t stride; /* own parameter: places of the programs' axis per value */
};

typedef LIB_VEC(struct sim_param) sim_param_list;

struct sim_axis {
    size_t length; /* number of values that each parameter of the axis has */
};

extern const char *const sim_strategy_names[];
extern const size_t sim_strategy_count;

/* A compiled program, as a graph and its digest. */
struct sim_image {
    struct isa_graph *graph;
    struct isa_digest digest;
};

enum { SIM_STRATEGIES = 2, SIM_FORMS = 8 };

/* Returns the form of an image: an index for settings that the compiler depends on. */
static inline unsigned sim_form_of(const struct machine_settings *settings)
{
    return settings->loop_constants + 2 * settings->grad_mode + 4 * settings->grad_params;
}

/* Files that a program reads for training, with trees or sentences of its own or of the
 * experiment. */
struct sim_experiment_training {
    size_t trees; /* index in sim_experiment.trees; SIZE_MAX: the program's own */
    struct programs_known known; /* files that the program reads; the list is owned */
    struct isa_digest digest;    /* digest of all files of the training */
};

struct sim_experiment_program {
    const char *path; /* as the experiment file spells it */
    const char *name; /* unique name in results */
    bool is_named;    /* the experiment file has the name */
    struct lib_pos pos;
    struct sim_program program; /* owned; has the graph that was compiled first */

    /* Compiled graphs by strategy and sim_form_of. An image is the same for all; equal forms share
     * one graph. */
    struct sim_image images[SIM_STRATEGIES][SIM_FORMS];
    struct programs_training training; /* if the experiment trains */

    /* Owned; one for each file of trees that its runs use. */
    LIB_VEC(struct sim_experiment_training) trainings;
};

struct sim_experiment_machine {
    const char *name; /* as the experiment file spells it */
    struct lib_pos pos;
    struct sim_setup setup;
};

struct sim_experiment_window {
    struct sim_window window;
    struct lib_pos pos;
};

struct sim_experiment_energy {
    const char *name; /* as the experiment file spells it */
    struct lib_pos pos;
    const struct analysis_energy *table; /* NULL if it could not be read */
};

/* A value of train.trees: a file of trees or sentences to use instead of a program's own. */
struct sim_experiment_trees {
    const char *name; /* as the experiment file spells it */
    const char *path;
    const char *label; /* name in results: NAME@DIGEST */
};

/* A value of the parameter `program`: its places on the axis of programs, one per combination of
 * the program's own parameters. */
struct sim_entry {
    size_t first, length;
    size_t own, own_count; /* its own parameters: a range in sim_experiment.own */
};

enum sim_seeds { SIM_SEED_PER_RUN, SIM_SEED_PER_REPETITION };

struct sim_experiment {
    struct lib_arena *arena;
    const struct lib_source *source;
    const char *name;   /* name of the experiment file, without folder and ending */
    const char *folder; /* folder of that file, with a final slash, or "" */
    const char *title, *description; /* "" if not given */
    const char *overridden; /* overrides: "--set pe.count=4 --input n=5", or "" */

    /* Parameters of all programs, including program, strategy, machine and seed. */
    sim_param_list params;
    LIB_VEC(struct sim_axis) axes; /* the first axis varies slowest */

    /* One per value of `program`. Empty if no program has own parameters; then each has one
     * place. */
    LIB_VEC(struct sim_entry) entries;
    sim_param_list own; /* own parameters of programs, in the order of `entries` */
    LIB_VEC(struct sim_experiment_program) programs;
    LIB_VEC(struct sim_experiment_machine) machines;
    LIB_VEC(struct sim_experiment_window) windows;
    LIB_VEC(struct sim_experiment_energy) energies;
    LIB_VEC(struct sim_experiment_trees) trees;
    struct sim_setting_files files; /* files that settings and machines name */
    LIB_VEC(struct analysis_condition *) conditions;
    struct lib_pos where; /* position of the key `where` */

    uint32_t repetitions; /* 0: no repetitions; the given seed is used */
    struct lib_pos repeat;
    enum sim_seeds seeds;
    double wall_limit;               /* seconds of the host's time; 0: no limit */
    bool keeps[TRACES_DETAIL_COUNT]; /* details to store of each run */
    struct sim_measures measures;    /* analyses that measure each run */
    struct lib_pos measure;          /* position of the key `measure` */
    bool trains;                     /* the runs train programs (key `train`) */
    struct lib_pos train;            /* position of the key `train` */
    struct lib_pos epochs;           /* position of the key `epochs` */

    struct traces_columns columns; /* columns of the experiment's results */
    struct analysis_view_specs outputs;
    struct sim_sites sites;
};

/* All keys of experiment files. */
extern const struct lib_field_table sim_experiment_keys;

struct sim_overrides;

/* Reads and checks an experiment; source->name is the path of its file. `overrides`
 * (sim/experiment/override.h) may be NULL. Returns false and adds diagnostics on errors. Free the
 * experiment with sim_experiment_free in either case, after the diagnostics are reported. */
bool sim_experiment_read(struct sim_experiment *experiment,
                         const struct lib_source *source,
                         const struct sim_overrides *overrides, struct lib_diags *diags);
void sim_experiment_free(struct sim_experiment *experiment);

#endif
