/* Workers: processes that simulate runs, each forked from the one that holds the
 * experiment, so that nothing of it is read or compiled again, and a run that crashes
 * ends no other.
 *
 * The parent gives a worker one run at a time by its number, and gets the outcome back. A worker
 * ends when the parent does, and after a run on SimGrid, of which a process holds few
 * (machine/simgrid/library.h): the next run has another worker. So has a run that needs another
 * core of OpenBLAS than the worker has room for (isa/tensor/blas.h). It touches no file but the
 * recording of its run, where that is asked for. */
#ifndef SIM_SWEEP_WORKER_H
#define SIM_SWEEP_WORKER_H

#include "sim/sweep/outcome.h"

struct sim_workers;

/* What is done, in a worker: run number `run` is made. What the context is does not change while
 * there are workers. */
struct sim_work {
    void (*make)(struct sim_outcome *outcome, size_t run, const void *context);
    const void *context;
};

/* false: the host gives no more processes; why is in `diags`. */
struct sim_workers *sim_workers_start(const struct sim_work *work, unsigned count,
                                      struct lib_diags *diags);

/* Whether a worker is free. */
bool sim_workers_is_free(const struct sim_workers *workers);

/* Gives a free one a run, by its place in the list. false: the host gives no process. */
bool sim_workers_give(struct sim_workers *workers, size_t run, struct lib_diags *diags);

/* Waits until an outcome is there, for `seconds` at most, or until a signal comes. Calls
 * `done` for each that is there; a worker that died has made a crash of its run. */
void sim_workers_wait(struct sim_workers *workers, double seconds,
                      void (*done)(size_t run, const struct sim_outcome *outcome,
                                   void *context),
                      void *context);

/* Looks on: is called a few times a second, and when outcomes come. The runs go on as long as
 * it returns true. */
struct sim_runs_watch {
    bool (*look)(size_t done, size_t failed, size_t all, void *context);
    void *context;
};

/* Who gets the outcomes of many runs, and says a few times a second whether there shall be more. */
struct sim_work_taker {
    void (*done)(size_t run, const struct sim_outcome *outcome, void *context);
    bool (*goes_on)(void *context);
    void *context;
};

/* Makes the runs 0 to `count` - 1, `jobs` at a time, until it is stopped. false where the host
 * gives no processes. */
bool sim_workers_make_all(const struct sim_work *work, size_t count, unsigned jobs,
                          const struct sim_work_taker *taker, struct lib_diags *diags);

/* Ends all of them at once; runs that are under way are lost. NULL is allowed. */
void sim_workers_stop(struct sim_workers *workers);

#endif
