/* Workers: processes that simulate runs. Each is forked from the parent process, which has read the
 * experiment and compiled its programs. A run that crashes ends no other run.
 *
 *     memory that they share: who has taken a run --> worker --outcomes, as bytes--> parent
 *
 * A worker takes the next run by itself, so that it need not wait while the parent writes results,
 * and makes one run at a time. It ends when all runs are taken, or when the parent ends. It also
 * ends after a run on SimGrid, as a process can make few of them (machine/simgrid/library.h); a new
 * worker goes on. If a run needs a core of OpenBLAS that its worker cannot load
 * (isa/tensor/blas.h), a new worker makes the run again. A worker writes no files except the
 * recording and the event file of its run. */
#ifndef SIM_SWEEP_WORKER_H
#define SIM_SWEEP_WORKER_H

#include "sim/sweep/outcome.h"

/* Task of the workers: `make` makes the outcome of the run with index `run`. What `context` points
 * to must not change, for `make`, while workers exist. */
struct sim_work {
    void (*make)(struct sim_outcome *outcome, size_t run, const void *context);
    const void *context;
};

/* Callback for progress. `look` gets how many runs are done, how many of these failed, and how many
 * there are in `all`. It is called a few times per second and for each outcome, and returns false
 * to stop. */
struct sim_runs_watch {
    bool (*look)(size_t done, size_t failed, size_t all, void *context);
    void *context;
};

/* Receiver of outcomes. `goes_on` is called a few times per second and returns false to stop the
 * runs. */
struct sim_work_taker {
    void (*done)(size_t run, const struct sim_outcome *outcome, void *context);
    bool (*goes_on)(void *context);
    void *context;
};

/* Makes the runs 0 to `count` - 1, at most `jobs` at a time, until taker->goes_on returns false:
 * then current runs are lost. Calls taker->done for each outcome, as they arrive. The run of a
 * worker that died counts as crashed. Returns false and adds a diagnostic if the host has no more
 * processes. */
bool sim_workers_make_all(const struct sim_work *work, size_t count, unsigned jobs,
                          const struct sim_work_taker *taker, struct lib_diags *diags);

#endif
