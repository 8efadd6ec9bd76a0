/* The outcome of a run of an experiment. The process that simulates the run sends it as bytes to
 * the process that writes results. */
#ifndef SIM_SWEEP_OUTCOME_H
#define SIM_SWEEP_OUTCOME_H

#include "isa/exec/exec.h"
#include "sim/ending/ending.h"
#include "sim/experiment/expand.h"
#include "sim/replay/recorder.h"
#include "sim/replay/tracer.h"
#include "traces/profile.h"
#include "traces/results/epochs.h"
#include "traces/series.h"
#include "traces/stats.h"

/* One range of the parallelism profile. The profile has several histograms; `histogram` is the
 * index of the one that the range belongs to. */
struct sim_outcome_range {
    uint64_t histogram;
    struct traces_range range;
};

/* A value that an analysis or a training found: `real` if `is_real`, else `count`. `measure`
 * identifies its column (sim_measure_of, sim_trained_measure). */
struct sim_outcome_number {
    unsigned measure;
    bool is_real;
    uint64_t count;
    double real;
};

struct sim_outcome {
    bool crashed; /* the process died, or could not make or measure the run */
    bool is_last; /* SimGrid is loaded: the process should make no other run */
    /* The run crashed, but a new process can make it (isa_blas_has_refused). */
    bool is_elsewhere;
    enum isa_end end;       /* how the run ended; not valid if `crashed` */
    struct lib_text result; /* owned; result of a completed run */
    /* Owned. One line; why the run did not complete, or why its window is empty. */
    struct lib_text reason;
    struct lib_text lost; /* owned; why a recording or event file is missing */
    bool lost_by_host;    /* the host is to blame for that: its disk is full or broken */
    /* Owned; with rows of PEs and links if the experiment stores them. */
    struct traces_stats stats;
    /* Cycles that `stats` cover, if not the whole run. */
    uint64_t window_from, window_to;
    double wall_seconds;                  /* time on the host */
    uint64_t peak_rss_bytes;              /* peak memory of its worker; 0 if unknown */
    LIB_VEC(struct traces_sample) series; /* owned; the time series */
    bool thinned;                         /* `series` has fewer samples than requested */
    LIB_VEC(struct sim_outcome_range) profile; /* owned; histograms of parallelism */
    /* Owned; results of analyses or of a training. */
    LIB_VEC(struct sim_outcome_number) measured;
    /* Owned; measurements of the epochs of a training. */
    LIB_VEC(struct traces_epoch) epochs;
};

/* Returns the status of a run: "completed", ..., "crashed". */
const char *sim_outcome_status(const struct sim_outcome *outcome);

/* Whether a run neither crashed nor was interrupted. Otherwise the run is to be repeated. */
bool sim_outcome_is_final(const struct sim_outcome *outcome);

/* Files to write during a run. All pointers are borrowed. */
struct sim_outcome_files {
    /* Recording to write; its `path` is NULL for none. */
    struct sim_recorder_config record;
    const char *trace;                 /* path of the event file, or NULL */
    struct sim_recorded_events events; /* events to write into that file */
};

/* Makes a run: simulates it, or trains, to its end or to the limit of the host's time; measures it.
 * `files` may be NULL. An interrupted run leaves no files. */
void sim_outcome_make(struct sim_outcome *outcome,
                      const struct sim_experiment *experiment, const struct sim_run *run,
                      const struct sim_outcome_files *files);

/* Makes the outcome of a simulation from its ending, and takes over the statistics in `ending`.
 * `title` names the program in messages. `window` is the measured part; NULL: all. `keeps`, indexed
 * by enum traces_detail, says whether statistics of PEs and links are kept. */
void sim_outcome_take(struct sim_outcome *outcome, struct sim_ending *ending,
                      const char *title, const struct sim_window *window,
                      const bool *keeps);
void sim_outcome_free(struct sim_outcome *outcome);

/* Appends an outcome as bytes, for another process of the same executable. */
void sim_outcome_write(const struct sim_outcome *outcome, struct lib_text *out);

/* Reads an outcome from bytes. Returns the number of bytes read, or 0 if the outcome is
 * incomplete. */
size_t sim_outcome_read(struct sim_outcome *outcome, const char *bytes, size_t length);

/* Returns the cell of results for a column that the outcome decides: status, reason, result,
 * window, statistic, result of an analysis or a training. Empty for other columns, and for unknown
 * values. Strings are borrowed from the outcome, or live in `arena`. */
struct traces_cell sim_outcome_cell(const struct sim_outcome *outcome,
                                    const struct traces_column *column,
                                    struct lib_arena *arena);

#endif
