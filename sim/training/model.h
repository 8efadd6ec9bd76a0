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
    /* Text of the program; NULL: read the file `program`. */
    const struct lib_source *source;
    const char *program;
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    /* all settings, used instead of `sets`; or NULL */
    const struct machine_settings *settings;
    const char *trees; /* file of trees, used instead of the program's; or NULL */
    struct programs_known *known; /* contents of files that need not be read; or NULL */
    uint64_t seed;
    uint64_t batch; /* examples in a run of `losses`, at most */
    uint64_t held;  /* number of last examples, held out of training */
    enum sim_batch_form form;
    unsigned threads;
};

/* Results of an example, or of a batch in one run. */
struct sim_sample {
    double loss;
    bool is_right;
    struct sim_gradient gradient; /* owned by the caller */
};

struct sim_evaluator; /* interpreter of a thread; sim/training/model.c */

struct sim_model {
    struct lib_arena *arena;
    const struct lib_source *source;
    struct sim_setup setup;
    struct programs_training says;
    struct isa_tensor_memory memory;
    struct isa_tensor **shapes; /* initial value of each param; owned */
    bool is_batched;  /* a batch is one run; then `shapes` ends with its examples */
    bool *given_rows; /* per param: the program computes its gradient as rows */
    double *params;   /* elements of all params */
    size_t size;      /* number of elements in `params` */
    uint64_t examples;
    unsigned threads;
    struct isa_digest digest; /* digest of program, data and initial params */
    const char *math;         /* name of the library that multiplies matrices */
    enum isa_end end;         /* end of the last run */
    struct isa_graph *learns; /* graph that computes loss and gradients */
    /* graph that computes loss, and whether an example is correct */
    struct isa_graph *judges;
    struct sim_evaluator *learners,
        *judgers; /* interpreters, one per thread; one learner for batches */
};

/* Loads and compiles a model, and computes its initial params. Returns false and adds diagnostics
 * on errors. Free with sim_model_close in either case, after the diagnostics are reported. */
bool sim_model_open(struct sim_model *model, const struct sim_model_request *request,
                    struct lib_diags *diags);
void sim_model_close(struct sim_model *model);

/* Computes the losses and gradients of examples with the current params; `step` counts from 1. For
 * a batch that is one run, sets only the first sample. Returns false and adds a diagnostic if the
 * program failed. */
bool sim_model_learn(struct sim_model *model, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags);

/* Like sim_model_learn, but computes losses, and whether examples are classified correctly. */
bool sim_model_judge(struct sim_model *model, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags);

/* Returns the name of the param that has element `place` of `params`. */
const char *sim_model_param_of(const struct sim_model *model, size_t place);

/* Adds a param to `out` in NumPy's file format .npy. */
void sim_model_write(const struct sim_model *model, size_t param, struct lib_text *out);

#endif
