/* Workers: processes that simulate runs. Each is forked from the parent process, which has read the
 * experiment and compiled its programs. A run that crashes ends no other run.
 *
 *     parent --number of a run--> worker --outcome, as bytes--> parent
 *
 * A worker makes one run at a time. It ends when the parent does. It also ends after a run on
 * SimGrid, as a process can make few of them (machine/simgrid/library.h), and when a run needs
 * another core of OpenBLAS than it can load (isa/tensor/blas.h); a new worker makes the next run. A
 * worker writes no file except the recording of its run. */
#ifndef SIM_SWEEP_WORKER_H
#define SIM_SWEEP_WORKER_H

#include "sim/sweep/outcome.h"

struct sim_workers;

/* The task of workers: `make` makes run number `run`. The context must not change while workers
 * exist. */
struct sim_work {
    void (*make)(struct sim_outcome *outcome, size_t run, const void *context);
    const void *context;
};

/* Starts `count` workers. Returns NULL and adds a diagnostic if the host has no more processes. */
struct sim_workers *sim_workers_start(const struct sim_work *work, unsigned count,
                                      struct lib_diags *diags);

/* Whether a worker has no run. */
bool sim_workers_is_free(const struct sim_workers *workers);

/* Gives a run to a worker that has none. Returns false and adds a diagnostic if the host has no
 * more processes. */
bool sim_workers_give(struct sim_workers *workers, size_t run, struct lib_diags *diags);

/* Waits for outcomes, for `seconds` at most, or until a signal arrives. Calls `done` for each
 * outcome that has arrived. If a worker died, its run counts as crashed. */
void sim_workers_wait(struct sim_workers *workers, double seconds,
                      void (*done)(size_t run, const struct sim_outcome *outcome,
                                   void *context),
                      void *context);

/* A callback for progress, called a few times per second and for outcomes, with counts of runs. The
 * runs stop if it returns false. */
struct sim_runs_watch {
    bool (*look)(size_t done, size_t failed, size_t all, void *context);
    void *context;
};

/* Receiver of the outcomes of runs. `goes_on` is called a few times per second; it returns false to
 * stop. */
struct sim_work_taker {
    void (*done)(size_t run, const struct sim_outcome *outcome, void *context);
    bool (*goes_on)(void *context);
    void *context;
};

/* Makes the runs 0 to `count` - 1, `jobs` at a time, until `taker` stops. Returns false and adds a
 * diagnostic if the host has no more processes. */
bool sim_workers_make_all(const struct sim_work *work, size_t count, unsigned jobs,
                          const struct sim_work_taker *taker, struct lib_diags *diags);

/* Ends all workers at once. Their current runs are lost. `workers` may be NULL. */
void sim_workers_stop(struct sim_workers *workers);

#endif
