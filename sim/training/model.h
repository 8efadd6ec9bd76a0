/* A model: a program with params (tensors) that are trained. The model has the elements of all
 * params in one array. It computes losses of examples, and their gradients, with the untimed
 * interpreter, in several threads.
 *
 *     params, example --> interpreter --> loss, gradient by the params
 *
 * The examples of a batch are run one by one; or, in sim_model_learn, the batch is one run of the
 * program's function `losses`, with one loss and one gradient for all of them.
 *
 * Each thread runs the program repeatedly over its own code (isa/exec/reexec.h), so that constants
 * that depend neither on params nor on the example or step, such as trees, are computed once. The
 * results of an example depend only on the model's seed and params, its number and the number of
 * the step, not on threads. */
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
    /* Text of the program; NULL: the file `program` is read. */
    const struct lib_source *source;
    const char *program;
    const char *const *inputs; /* each NAME=VALUE */
    size_t input_count;
    const char *const *sets; /* each KEY=VALUE */
    size_t set_count;
    /* Complete settings, used instead of `sets`, but with paired gradients; or NULL. Neither limits
     * tokens. */
    const struct sim_settings *settings;
    const char *trees; /* file of trees to use instead of the program's; or NULL */
    /* Files whose contents are known, and not read again; those read are added. NULL: none. */
    struct programs_known *known;
    uint64_t seed;
    /* Maximum number of examples per run of the program's function `losses`. */
    uint64_t batch;
    uint64_t held; /* number of last examples that are not trained on */
    enum sim_batch_form form;
    unsigned threads;
};

/* Results of one example, or of a batch that is one run. */
struct sim_sample {
    double loss;
    bool is_right;
    struct sim_gradient gradient; /* owned by the caller */
};

struct sim_evaluator; /* interpreter of one thread (sim/training/model.c) */

struct sim_model {
    struct lib_arena *arena;
    const struct lib_source *source;
    struct sim_setup setup;
    struct programs_training says;
    struct isa_tensor_memory memory;
    /* Owned; a tensor with the shape and initial value of each param. */
    struct isa_tensor **shapes;
    /* A batch is one run. `shapes` then ends with a tensor for the numbers of its examples. */
    bool is_batched;
    /* For each param: the program returns the gradient as a list of rows, not as a whole tensor. */
    bool *given_rows;
    double *params; /* elements of all params */
    size_t size;    /* number of elements in `params` */
    uint64_t examples;
    unsigned threads;
    struct isa_digest digest; /* digest of program, data and initial params */
    const char *math;         /* name of the library that multiplies matrices */
    /* how the last failed run ended; COMPLETED if none has failed */
    enum isa_end end;
    struct isa_graph *learns; /* graph that computes loss and gradient */
    /* Graph that computes loss, and whether an example is classified correctly. */
    struct isa_graph *judges;
    /* Interpreters, one per thread; only one learner if a batch is one run. */
    struct sim_evaluator *learners, *judgers;
};

/* Loads and compiles a model, and computes its initial params. Returns false and adds diagnostics
 * on errors. In either case free with sim_model_close, after the diagnostics are reported. */
bool sim_model_open(struct sim_model *model, const struct sim_model_request *request,
                    struct lib_diags *diags);
void sim_model_close(struct sim_model *model);

/* Computes the losses and gradients of examples with the current params. `step` counts steps of the
 * training from 1. If is_batched, sets only samples[0], for all examples together. Returns
 * false and adds a diagnostic if the program failed. */
bool sim_model_learn(struct sim_model *model, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags);

/* Computes the loss of each example, and whether it is classified correctly: one sample per
 * example, also if a batch is one run. In all else it is like sim_model_learn. */
bool sim_model_judge(struct sim_model *model, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags);

/* Returns the name of the param with element `place` of model->params. */
const char *sim_model_param_of(const struct sim_model *model, size_t place);

/* Appends a param in NumPy's file format .npy. */
void sim_model_write(const struct sim_model *model, size_t param, struct lib_text *out);

#endif
