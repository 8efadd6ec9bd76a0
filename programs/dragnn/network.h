/* Runs of the components' programs, which are fed through ports.
 *
 * An element of the program's input port is one row of one step: a tuple of a tensor with one axis
 * for each channel, ints for the fixed channels, then reals for the linked ones, in the order of
 * the specification. For each, an output port has a pair of tensors: the scores of all actions, and
 * the row that links read.
 *
 * This is the only file that uses hiaton.h. */
#ifndef PROGRAMS_DRAGNN_NETWORK_H
#define PROGRAMS_DRAGNN_NETWORK_H

#include "programs/dragnn/spec.h"

/* Compiled programs of all components; immutable, for any number of threads. */
struct dragnn_networks;
/* Run of one component's program; may be begun again when it has ended. For one thread. */
struct dragnn_run;

/* Compiles the programs of a specification. Returns NULL with an error if one is wrong. */
struct dragnn_networks *dragnn_networks_new(const struct dragnn_spec *spec,
                                            struct dragnn_error *error);
void dragnn_networks_free(struct dragnn_networks *networks);

/* Work and traffic of runs. */
struct dragnn_tally {
    /* `rows`: elements that were fed to the input port. */
    uint64_t runs, rows;
    uint64_t numbers_in, numbers_out; /* tensor elements sent to programs, and received */
    uint64_t cycles, firings;         /* `cycles` is 0 with the interpreter */
    /* Max over all runs. `peak_bytes`: memory of tensors. */
    uint64_t peak_tokens, peak_tags, peak_bytes;
};

void dragnn_tally_add(struct dragnn_tally *sum, const struct dragnn_tally *tally);

/* Prepares runs of a component's program. Returns NULL with an error if it cannot run. */
struct dragnn_run *dragnn_run_new(const struct dragnn_networks *networks, int component,
                                  struct dragnn_error *error);
void dragnn_run_free(struct dragnn_run *run);

/* Begins a run, which reuses the memory of earlier ones. */
bool dragnn_run_begin(struct dragnn_run *run, struct dragnn_error *error);

/* Features of one state, and where its scores and its hidden row are written. */
struct dragnn_row {
    /* Features of the fixed channels, then of linked channels with is_number: indices of rows. */
    const int64_t *ids;
    const double *linked; /* hidden rows that all other linked channels read */
    double *scores;
    double *hidden; /* row that links read */
};

/* Feeds `count` rows of a step, and waits for their scores and hidden rows. */
bool dragnn_run_step(struct dragnn_run *run, const struct dragnn_row *rows, int count,
                     struct dragnn_error *error);

/* Closes the input port, lets the run end, and adds its work to the tally, which may be NULL.
 * Returns false with an error if the run does not complete. */
bool dragnn_run_end(struct dragnn_run *run, struct dragnn_tally *tally,
                    struct dragnn_error *error);

#endif
