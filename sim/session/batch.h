/* A batch: one program on one machine, run with many inputs by several threads.
 *
 * Each thread has one simulation, which is reset for each run (sim_simulation_reset). What a run
 * comes to depends on its inputs and seed alone: not on the number of threads, nor on the order
 * in which runs end. It prints nothing. */
#ifndef SIM_SESSION_BATCH_H
#define SIM_SESSION_BATCH_H

#include "sim/session/simulation.h"

/* Called by the thread that ran it when run number `number` has ended: once for each number, in
 * no order, by several threads at once. So who wants results in order puts them at place
 * `number` of an array. `simulation` is asked what is wanted of the run, or left
 * (sim_simulation_leave); it must not advance or be closed. */
typedef void sim_batch_taker(void *context, size_t number,
                             struct sim_simulation *simulation);

/* All is borrowed while the batch runs. */
struct sim_batch {
    /* Of all runs; its inputs and seed are those of runs that have no others. Code that it has
     * is shared; else each thread makes its own. Whoever watches is called by all threads, and
     * its sinks are told only by a batch of one thread. */
    struct sim_simulation_config config;
    const isa_value
        *inputs; /* one per input of the graph, run by run; NULL: the config's */
    const uint64_t *seeds; /* of each run; NULL: that of the config for all */
    size_t count;          /* of runs */
    unsigned threads;      /* that run them, the caller's among them; 0: one */
    sim_batch_taker *take;
    void *context;
};

/* Runs all. Returns false if a simulation cannot be opened, which `diags` then says, or if
 * whoever watches has stopped a run: then no other run begins, and the runs that were stopped
 * have been taken too, as interrupted ones. A thread that the host does not give is done
 * without. */
bool sim_batch_run(const struct sim_batch *batch, struct lib_diags *diags);

/* A taker that puts what each run leaves behind at its place of `context`, an array of struct
 * sim_ending, which the caller gives back with sim_ending_free. */
sim_batch_taker sim_batch_take_ending;

#endif
