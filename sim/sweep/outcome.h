/* The outcome of a run of an experiment. The process that simulates the run sends it, as bytes, to
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

/* A range of one of the histograms of a profile: 0 is the first one. */
struct sim_outcome_range {
    uint64_t histogram;
    struct traces_range range;
};

/* A number that an analysis found. `measure` is the number of its column. */
struct sim_outcome_number {
    unsigned measure;
    bool is_real;
    uint64_t count;
    double real;
};

struct sim_outcome {
    bool crashed;      /* the process ended before the run did, or could not make it */
    bool is_last;      /* its process makes no other run */
    bool is_elsewhere; /* another process can make it (isa_blas_has_refused) */
    enum isa_end end;  /* its end, unless it crashed */
    struct lib_text result; /* result of a completed run; owned */
    /* One line, if not completed or with an empty window; owned. */
    struct lib_text reason;
    struct lib_text lost;            /* reason why a wanted file is missing; owned */
    struct traces_stats stats;       /* with PEs, if the experiment keeps them; owned */
    uint64_t window_from, window_to; /* if the statistics are for a part */
    double wall_seconds;             /* host time */
    uint64_t peak_rss_bytes;         /* memory of the host; 0 if unknown */
    LIB_VEC(struct traces_sample) series;      /* rows of traces_series_row; owned */
    bool thinned;                              /* rows are further apart than requested */
    LIB_VEC(struct sim_outcome_range) profile; /* owned */
    LIB_VEC(struct sim_outcome_number) measured; /* owned */
    LIB_VEC(struct traces_epoch) epochs;         /* epochs of a training; owned */
};

/* Returns the status: "completed", ..., "crashed". */
const char *sim_outcome_status(const struct sim_outcome *outcome);

/* Returns true if an outcome has statistics; else the run is to be repeated. */
bool sim_outcome_is_final(const struct sim_outcome *outcome);

/* Files of a run in addition to its outcome; all borrowed. */
struct sim_outcome_files {
    struct sim_recorder_config record; /* path NULL without a recording */
    const char *trace;                 /* path of the file of events, or NULL */
    struct sim_recorded_events events; /* events in that file */
};

/* Simulates a run to its end, or to the limit of the wall clock. `files` may be NULL. A run that
 * was stopped leaves no files. */
void sim_outcome_make(struct sim_outcome *outcome,
                      const struct sim_experiment *experiment, const struct sim_run *run,
                      const struct sim_outcome_files *files);

/* Makes the outcome of a run from its ending, and takes over what that owns. `title` is that of the
 * program. Measurements of PEs and links are kept if `keeps` has their details. */
void sim_outcome_take(struct sim_outcome *outcome, struct sim_ending *ending,
                      const char *title, const struct sim_window *window,
                      const bool *keeps);
void sim_outcome_free(struct sim_outcome *outcome);

/* Adds an outcome as bytes that the same program can read in another process. */
void sim_outcome_write(const struct sim_outcome *outcome, struct lib_text *out);

/* Reads an outcome, if it is complete. Returns its number of bytes, or 0. */
size_t sim_outcome_read(struct sim_outcome *outcome, const char *bytes, size_t length);

/* Returns the cell of a status, reason, result or statistic, which may be NULL. Text is borrowed,
 * or lives in the arena. */
struct traces_cell sim_outcome_cell(const struct sim_outcome *outcome,
                                    const struct traces_column *column,
                                    struct lib_arena *arena);

#endif
