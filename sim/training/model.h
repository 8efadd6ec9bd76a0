/* A model: a program with params that are trained. Its params are in the model's hands, one behind the other.
 * It computes the losses of examples and their gradients by the untimed interpreter, in as many threads as are
 * wanted.
 *
 * Each thread runs the program again and again over code of its own (isa/exec/again.h), so that constants which
 * depend neither on params nor on the example, as trees that were read, are computed once. What an example gives
 * depends on the params and on its number alone, and not on threads. */
#ifndef SIM_TRAINING_MODEL_H
#define SIM_TRAINING_MODEL_H

#include "programs/training.h"
#include "sim/session/load.h"
#include "sim/session/setup.h"
#include "isa/exec/exec.h"
#include "isa/format/image.h"

struct sim_model_request {
    const char *program;       /* a path */
    const char *const *inputs; /* NAME=VALUE */
    size_t input_count;
    const char *const *sets; /* KEY=VALUE */
    size_t set_count;
    const char *trees; /* read in place of what `trees` names; or NULL */
    uint64_t seed;
    unsigned threads;
};

/* What an example gives. */
struct sim_sample {
    double loss;
    bool is_right;
    double *gradient; /* by all params, one behind the other: the model's */
};

struct sim_evaluator; /* sim/training/model.c */

struct sim_model {
    struct lib_arena *arena;
    const struct lib_source *source;
    struct sim_setup setup;
    struct programs_training says;
    struct isa_tensor_memory memory;
    struct isa_tensor **shapes; /* each param, as it began; owned */
    double *params;             /* all of them; */
    size_t size;                /* so many */
    uint64_t examples;
    unsigned threads;
    struct isa_digest digest; /* of the program, its data, and what params begin with */
    const char *math;         /* who multiplies matrices */
    enum isa_end end;         /* how the last run of it ended that is known */
    struct isa_graph *learns,
        *judges; /* loss and gradients; loss, and whether it is right */
    struct sim_evaluator *learners, *judgers; /* one per thread */
};

/* Loads and compiles it, and finds what its params begin with. false after errors. Give back with
 * sim_model_close in either case, after the diagnostics were told. */
bool sim_model_open(struct sim_model *model, const struct sim_model_request *request,
                    struct lib_diags *diags);
void sim_model_close(struct sim_model *model);

/* Of so many examples with the params that there are now: losses and gradients, or (`judges`) losses and which are
 * right. false: the program failed, and why is in `diags`. */
bool sim_model_evaluate(struct sim_model *model, bool judges, const uint64_t *examples,
                        size_t count, struct sim_sample *samples,
                        struct lib_diags *diags);

/* The name of the param to which a place in `params` belongs. */
const char *sim_model_param_of(const struct sim_model *model, size_t place);

/* Adds a param as a file .npy. */
void sim_model_write(const struct sim_model *model, size_t param, struct lib_text *out);

#endif
