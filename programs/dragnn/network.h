/* The border between host and graph: runs of the components' programs, which are fed through
 * ports.
 *
 * The program of a component has a port in whose elements are tuples of a tensor with one axis
 * for each channel: ints for the fixed ones, then reals for the linked ones, in the order of the
 * specification. An element is one row of one step. A port out has for each of them a pair of
 * tensors: the scores of all actions, and the row that links read.
 *
 * This is the only file that uses hiaton.h. */
#ifndef PROGRAMS_DRAGNN_NETWORK_H
#define PROGRAMS_DRAGNN_NETWORK_H

#include "programs/dragnn/spec.h"

struct
    dragnn_networks; /* the programs of all components; immutable; any number of threads */
struct dragnn_run;   /* runs of one of them, one after the other; one thread at a time */

/* Compiles the programs of a specification. Returns NULL with an error if one is wrong. */
struct dragnn_networks *dragnn_networks_new(const struct dragnn_spec *spec,
                                            struct dragnn_error *error);
void dragnn_networks_free(struct dragnn_networks *networks); /* after its runs */

/* Work and traffic of runs. */
struct dragnn_tally {
    uint64_t runs, rows;              /* rows: elements that were fed */
    uint64_t numbers_in, numbers_out; /* elements of tensors that crossed the border */
    uint64_t cycles, firings;         /* cycles: 0 with the interpreter */
    uint64_t peak_tokens, peak_tags,
        peak_bytes; /* greatest of all runs; bytes of tensors */
};

/* Adds the work of other runs. */
void dragnn_tally_add(struct dragnn_tally *sum, const struct dragnn_tally *tally);

/* Makes a place for runs of a component's network. Returns NULL with an error if it cannot run. */
struct dragnn_run *dragnn_run_new(const struct dragnn_networks *networks, int component,
                                  struct dragnn_error *error);
void dragnn_run_free(struct dragnn_run *run);

/* Begins the next run, with the memory of those before. */
bool dragnn_run_begin(struct dragnn_run *run, struct dragnn_error *error);

/* Features of one row, and where its scores and its hidden row go. */
struct dragnn_row {
    const int64_t *ids;   /* fixed channels, then linked ones that are fed as numbers */
    const double *linked; /* all other linked channels */
    double *scores;       /* [actions] */
    double *hidden;       /* [width of the component] */
};

/* Feeds the rows of a step, and waits for what comes of them. */
bool dragnn_run_step(struct dragnn_run *run, const struct dragnn_row *rows, int count,
                     struct dragnn_error *error);

/* Closes the port, lets the run end, and adds its work to the tally, which may be NULL. Returns
 * false with an error if the run does not complete. */
bool dragnn_run_end(struct dragnn_run *run, struct dragnn_tally *tally,
                    struct dragnn_error *error);

#endif
