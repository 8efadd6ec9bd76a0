/* A model: a program with params that are trained. Its params are in the model's hands, one
 * behind the other. It computes the losses of examples and their gradients by the untimed
 * interpreter, in as many threads as are wanted.
 *
 * A batch is examples that are run one by one, each of which has a loss and a gradient; or it is
 * one run, of `losses`, which has one loss and one gradient for all of them.
 *
 * Each thread runs the program again and again over code of its own (isa/exec/reexec.h), so that
 * constants which depend neither on params nor on the example, as trees that were read, are
 * computed once. What an example gives depends on the params and on its number alone, and not on
 * threads. */
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
    const struct lib_source
        *source; /* of the program; NULL: it is read from the path `program` */
    const char *program;
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    const struct machine_settings *settings; /* in the place of `sets`; or NULL */
    const char *trees;            /* read in place of what `trees` names; or NULL */
    struct programs_known *known; /* files that are not read; NULL: none */
    uint64_t seed;
    uint64_t batch,
        held; /* examples of a run of `losses`; the last of all, none of its */
    enum sim_batch_form form; /* which function gives the loss of a batch */
    unsigned threads;
};

/* What an example gives, or a batch that is one run. */
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
    struct isa_tensor **shapes; /* each param, as it began; owned */
    bool
        is_batched; /* a batch is one run; shapes then ends with the numbers of its examples */
    bool *given_rows; /* per param: the program gives its gradient as rows */
    double *params;   /* all of them; */
    size_t size;      /* so many */
    uint64_t examples;
    unsigned threads;
    struct isa_digest digest; /* of the program, its data, and what params begin with */
    const char *math;         /* who multiplies matrices */
    enum isa_end end;         /* how the last run of it ended that is known */
    struct isa_graph *learns,
        *judges; /* loss and gradients; loss, and whether it is right */
    struct sim_evaluator *learners, *judgers; /* one per thread; of batches one learner */
};

/* Loads and compiles it, and finds what its params begin with. false after errors. Give back with
 * sim_model_close in either case, after the diagnostics were told. */
bool sim_model_open(struct sim_model *model, const struct sim_model_request *request,
                    struct lib_diags *diags);
void sim_model_close(struct sim_model *model);

/* Learns from so many examples, in step `step`, from 1 on, with the params that there are now:
 * fills in their losses and gradients, or of a batch that is one run the first sample. Returns
 * false if the program failed, and why is in `diags`. */
bool sim_model_learn(struct sim_model *model, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags);

/* Judges examples in the same way, one by one: fills in their losses, and which are right. */
bool sim_model_judge(struct sim_model *model, uint64_t step, const uint64_t *examples,
                     size_t count, struct sim_sample *samples, struct lib_diags *diags);

/* The name of the param to which a place in `params` belongs. */
const char *sim_model_param_of(const struct sim_model *model, size_t place);

/* Adds a param as a file .npy. */
void sim_model_write(const struct sim_model *model, size_t param, struct lib_text *out);

#endif
