/* The outcome of a run of an experiment. The process that simulates the run sends it as bytes to
 * the one that writes results. */
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

/* A range of a histogram of the parallelism profile; 0 is the first. */
struct sim_outcome_range {
    uint64_t histogram;
    struct traces_range range;
};

/* A number that an analysis found. `measure` identifies its column. */
struct sim_outcome_number {
    unsigned measure;
    bool is_real;
    uint64_t count;
    double real;
};

struct sim_outcome {
    bool crashed;           /* the process ended before the run, or could not make it */
    bool is_last;           /* its process can make no further run */
    bool is_elsewhere;      /* a new process can make the run (isa_blas_has_refused) */
    enum isa_end end;       /* how the run ended; unset if it crashed */
    struct lib_text result; /* owned; result of a completed run */
    /* Owned; one line, if it did not complete or the window is empty. */
    struct lib_text reason;
    struct lib_text lost; /* owned; reason why a recording or event file is missing */
    struct traces_stats stats;       /* owned; with PEs, if the experiment keeps them */
    uint64_t window_from, window_to; /* part of the run that `stats` cover */
    double wall_seconds;             /* time on the host */
    uint64_t peak_rss_bytes;         /* peak memory on the host; 0 if unknown */
    LIB_VEC(struct traces_sample) series; /* owned; rows of traces_series_row */
    bool thinned;                         /* samples are further apart than requested */
    LIB_VEC(struct sim_outcome_range) profile;   /* owned */
    LIB_VEC(struct sim_outcome_number) measured; /* owned */
    LIB_VEC(struct traces_epoch) epochs;         /* owned; epochs of a training run */
};

/* Returns the status as a word: "completed", ..., "crashed". */
const char *sim_outcome_status(const struct sim_outcome *outcome);

/* Whether an outcome has statistics; else the run is to be repeated. */
bool sim_outcome_is_final(const struct sim_outcome *outcome);

/* Files to write during a run; all borrowed. */
struct sim_outcome_files {
    struct sim_recorder_config record; /* its `path` is NULL if no recording is wanted */
    const char *trace;                 /* path of the event file, or NULL */
    struct sim_recorded_events events; /* events to write into that file */
};

/* Simulates a run to its end, or to the limit of the host's time. `files` may be NULL. A run that
 * was stopped leaves no files. */
void sim_outcome_make(struct sim_outcome *outcome,
                      const struct sim_experiment *experiment, const struct sim_run *run,
                      const struct sim_outcome_files *files);

/* Makes the outcome of a run from its ending, and takes over what that owns. `title` names the
 * program. `keeps` decides whether measurements of PEs and links are kept. */
void sim_outcome_take(struct sim_outcome *outcome, struct sim_ending *ending,
                      const char *title, const struct sim_window *window,
                      const bool *keeps);
void sim_outcome_free(struct sim_outcome *outcome);

/* Adds an outcome as bytes, which another process of the same executable can read. */
void sim_outcome_write(const struct sim_outcome *outcome, struct lib_text *out);

/* Reads an outcome. Returns its number of bytes, or 0 if it is incomplete. */
size_t sim_outcome_read(struct sim_outcome *outcome, const char *bytes, size_t length);

/* Returns the value of status, reason, result or a statistic, which may be NULL. Strings are
 * borrowed, or live in the arena. */
struct traces_cell sim_outcome_cell(const struct sim_outcome *outcome,
                                    const struct traces_column *column,
                                    struct lib_arena *arena);

#endif
