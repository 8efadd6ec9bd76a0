/* What came out of a run of an experiment; and its way from the process that simulated it
 * to the one that writes results, as bytes. */
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

/* A number that an analysis found: `measure` is that of its column. */
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
    enum isa_end end;  /* else: how it ended */
    struct lib_text result; /* owned; of a completed run */
    struct lib_text
        reason; /* owned; of any other, or of one that has nothing in its window:
                                  one line */
    struct lib_text lost;      /* owned; why a file of it is not there, though wanted */
    struct traces_stats stats; /* owned; of each PE where the experiment keeps it */
    uint64_t window_from, window_to;      /* where the statistics are of a part */
    double wall_seconds;                  /* of the host */
    uint64_t peak_rss_bytes;              /* of the host; 0: unknown */
    LIB_VEC(struct traces_sample) series; /* owned; rows as traces_series_row has them */
    bool thinned;                         /* further apart than was asked for */
    LIB_VEC(struct sim_outcome_range) profile;   /* owned */
    LIB_VEC(struct sim_outcome_number) measured; /* owned */
    LIB_VEC(struct traces_epoch) epochs;         /* owned; of a training */
};

/* "completed", ..., "crashed". */
const char *sim_outcome_status(const struct sim_outcome *outcome);

/* Whether it has statistics; what has none is to be run again. */
bool sim_outcome_is_final(const struct sim_outcome *outcome);

/* Files that a run leaves beside its outcome; all borrowed. */
struct sim_outcome_files {
    struct sim_recorder_config record; /* its path NULL: no recording */
    const char *trace;                 /* NULL: no file of events */
    struct sim_recorded_events events; /* which there are */
};

/* Simulates a run to its end, or to the limit of the wall clock. `files`: NULL for none; a run that
 * was stopped leaves none. */
void sim_outcome_make(struct sim_outcome *outcome,
                      const struct sim_experiment *experiment, const struct sim_run *run,
                      const struct sim_outcome_files *files);

/* What has come out of a run whose ending is `ending`; takes from it what it owns. `title` is that
 * of the program; of PEs and links it keeps what is measured where `keeps` says so. */
void sim_outcome_take(struct sim_outcome *outcome, struct sim_ending *ending,
                      const char *title, const struct sim_window *window,
                      const bool *keeps);
void sim_outcome_free(struct sim_outcome *outcome);

/* As bytes that the same program reads, in another process. */
void sim_outcome_write(const struct sim_outcome *outcome, struct lib_text *out);

/* Reads what was written, if it is all there: returns how many bytes it was, or 0. */
size_t sim_outcome_read(struct sim_outcome *outcome, const char *bytes, size_t length);

/* What stands in a status, reason, result or statistic; NULL where there is none. Text is
 * borrowed, or lives in the arena. */
struct traces_cell sim_outcome_cell(const struct sim_outcome *outcome,
                                    const struct traces_column *column,
                                    struct lib_arena *arena);

#endif
