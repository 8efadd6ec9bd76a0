/* Workers: processes that simulate runs. Each is forked from the process that holds the experiment,
 * so nothing of it is read or compiled again, and a run that crashes ends no other.
 *
 *     parent --number of a run--> worker --outcome, as bytes--> parent
 *
 * A worker makes one run at a time. It ends when the parent does, and after a run on SimGrid, of
 * which a process can have few (machine/simgrid/library.h): another worker makes the next run. The
 * same holds for a run that needs another core of OpenBLAS than the worker can load
 * (isa/tensor/blas.h). A worker writes no file except the recording of its run. */
#ifndef SIM_SWEEP_WORKER_H
#define SIM_SWEEP_WORKER_H

#include "sim/sweep/outcome.h"

struct sim_workers;

/* The work of a worker: `make` makes run number `run`. The context must not change while there are
 * workers. */
struct sim_work {
    void (*make)(struct sim_outcome *outcome, size_t run, const void *context);
    const void *context;
};

/* Starts workers. Returns NULL, after an error, if the host gives no more processes. */
struct sim_workers *sim_workers_start(const struct sim_work *work, unsigned count,
                                      struct lib_diags *diags);

/* Returns true if a worker is free. */
bool sim_workers_is_free(const struct sim_workers *workers);

/* Gives a run, by its number, to a free worker. Returns false if the host gives no process. */
bool sim_workers_give(struct sim_workers *workers, size_t run, struct lib_diags *diags);

/* Waits for an outcome, for `seconds` at most, or until a signal comes. Calls `done` for each
 * outcome that has come. The run of a worker that died has crashed. */
void sim_workers_wait(struct sim_workers *workers, double seconds,
                      void (*done)(size_t run, const struct sim_outcome *outcome,
                                   void *context),
                      void *context);

/* A callback for progress, a few times per second and when outcomes come. Runs continue as long as
 * it returns true. */
struct sim_runs_watch {
    bool (*look)(size_t done, size_t failed, size_t all, void *context);
    void *context;
};

/* Callbacks for the outcomes of many runs. `goes_on`, called a few times per second, returns false
 * to stop. */
struct sim_work_taker {
    void (*done)(size_t run, const struct sim_outcome *outcome, void *context);
    bool (*goes_on)(void *context);
    void *context;
};

/* Makes the runs 0 to `count` - 1, `jobs` at a time, until it is stopped. Returns false if the host
 * gives no processes. */
bool sim_workers_make_all(const struct sim_work *work, size_t count, unsigned jobs,
                          const struct sim_work_taker *taker, struct lib_diags *diags);

/* Ends all workers at once. Their current runs are lost. NULL is allowed. */
void sim_workers_stop(struct sim_workers *workers);

#endif
