/* Workers: processes that simulate runs. Each is forked from the parent process, which has read the
 * experiment and compiled its programs. A run that crashes ends no other run.
 *
 *     parent --index of a run--> worker --outcome, as bytes--> parent
 *
 * A worker makes one run at a time, and ends when the parent ends. It also ends after a run on
 * SimGrid, as a process can make few of them (machine/simgrid/library.h); a new worker makes the
 * next run. If a run needs a core of OpenBLAS that its worker cannot load (isa/tensor/blas.h), a
 * new worker makes the run again. A worker writes no files except the recording and the event file
 * of its run. */
#ifndef SIM_SWEEP_WORKER_H
#define SIM_SWEEP_WORKER_H

#include "sim/sweep/outcome.h"

struct sim_workers;

/* Task of the workers: `make` makes the outcome of the run with index `run`. What `context` points
 * to must not change while workers exist. */
struct sim_work {
    void (*make)(struct sim_outcome *outcome, size_t run, const void *context);
    const void *context;
};

/* Starts `count` workers. Returns NULL and adds a diagnostic if the host has no more processes. */
struct sim_workers *sim_workers_start(const struct sim_work *work, unsigned count,
                                      struct lib_diags *diags);

/* Whether some worker has no run. */
bool sim_workers_is_free(const struct sim_workers *workers);

/* Gives run number `run` to a worker that has none. Returns false and adds a diagnostic if the host
 * has no more processes. */
bool sim_workers_give(struct sim_workers *workers, size_t run, struct lib_diags *diags);

/* Waits until bytes of outcomes arrive, `seconds` have passed, or a signal arrives. Calls `done`
 * for each outcome that is complete. The run of a worker that died counts as crashed. */
void sim_workers_wait(struct sim_workers *workers, double seconds,
                      void (*done)(size_t run, const struct sim_outcome *outcome,
                                   void *context),
                      void *context);

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

/* Makes the runs 0 to `count` - 1, `jobs` at a time, until taker->goes_on returns false. Returns
 * false and adds a diagnostic if the host has no more processes. */
bool sim_workers_make_all(const struct sim_work *work, size_t count, unsigned jobs,
                          const struct sim_work_taker *taker, struct lib_diags *diags);

/* Kills all workers. Their current runs are lost. `workers` may be NULL. */
void sim_workers_stop(struct sim_workers *workers);

#endif
