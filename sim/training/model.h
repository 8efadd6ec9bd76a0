/* A model: a program with params that are trained. The model has the params in one array. It
 * computes losses of examples, and their gradients, with the untimed interpreter, in several
 * threads.
 *
 *     params, example --> interpreter --> loss, gradient of the params
 *
 * The examples of a batch are run one by one, each with its loss and gradient; or the batch is one
 * run of `losses`, with one loss and one gradient for all of them.
 *
 * Each thread runs the program repeatedly over its own code (isa/exec/reexec.h), so that constants
 * that depend neither on params nor on the example, such as trees, are computed once. The results
 * of an example depend only on the params and its number, not on threads. */
#ifndef SIM_TRAINING_MODEL_H
#define SIM_TRAINING_MODEL_H

#include "isa/exec/exec.h"
#include "isa/format/image.h"
#include "programs/training.h"
#include "sim/loading/load.h"
#include "sim/loading/setup.h"
#include "sim/training/gradient.h"
#include "sim/training/options.h"

struct sim_model_request {
    /* If NULL, the program is read from the path `program`. */
    const struct lib_source *source;
    const char *program;
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    const struct machine_settings *settings; /* used instead of `sets`, or NULL */
    const char *trees;            /* read in place of the file of `trees`; or NULL */
    struct programs_known *known; /* known files, which need not be read; or NULL */
    uint64_t seed;
    uint64_t batch;           /* examples of a run of `losses` */
    uint64_t held;            /* number of last examples, which no run of `losses` has */
    enum sim_batch_form form; /* function that computes the loss of a batch */
    unsigned threads;
};

/* The results of an example, or of a batch that is one run. */
struct sim_sample {
    double loss;
    bool is_right;
    struct sim_gradient gradient; /* owned by the caller */
};

struct sim_evaluator; /* sim/training/model.c */

struct sim_model {
    struct lib_arena *arena;
    const struct lib_source *source;
    struct sim_setup setup;
    struct programs_training says;
    struct isa_tensor_memory memory;
    struct isa_tensor **shapes; /* first value of each param; owned */
    bool is_batched;            /* a batch is one run; `shapes` ends with its examples */
    bool *given_rows;           /* per param: the program gives its gradient as rows */
    double *params;             /* all params */
    size_t size;                /* numbers in `params` */
    uint64_t examples;
    unsigned threads;
    struct isa_digest digest; /* digest of program, data, and first params */
    const char *math;         /* library of matrix products */
    enum isa_end end;         /* end of its last run */
    struct isa_graph *learns; /* image that computes loss and gradients */
    struct isa_graph *judges; /* image that computes loss, and whether it is right */
    struct sim_evaluator *learners,
        *judgers; /* one per thread; one learner for batches */
};

/* Loads and compiles a model, and computes its first params. Returns false after errors. Free the
 * model with sim_model_close in either case, after the diagnostics were reported. */
bool sim_model_open(struct sim_model *model, const struct sim_model_request *request,
                    struct lib_diags *diags);
void sim_model_close(struct sim_model *model);

/* Computes the losses and gradients of examples with the current params, for step `step`, from 1
 * on. For a batch that is one run, sets only the first sample. Returns false, after an error, if
 * the program failed. */
bool sim_model_learn(struct sim_model *model, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags);

/* Computes the losses of examples one by one, and which are right. */
bool sim_model_judge(struct sim_model *model, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags);

/* Returns the name of the param at an index of `params`. */
const char *sim_model_param_of(const struct sim_model *model, size_t place);

/* Adds a param as a file .npy. */
void sim_model_write(const struct sim_model *model, size_t param, struct lib_text *out);

#endif
