/* Replay: a recorded run is simulated again, and compared with the recording. */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include "lib/findings.h"
#include "sim/replay/recording.h"

/* A statistic, or another key of a record, that differs between two runs. Values as strings for
 * people. */
struct sim_replay_change {
    const char *key, *recorded, *now;
};

struct sim_replay_changes {
    struct sim_replay_change *items;
    size_t count, capacity;
};

/* Differences between a recording and its replay. Lives in the arena given to sim_replay_run;
 * starts as {0}. */
struct sim_replay_report {
    const struct sim_recording *recording;
    bool is_same;
    uint64_t cycles, rows,
        interval;   /* the recorded run: digests, and cycles between them */
    bool has_place; /* the place of the first difference is known */
    /* Cycles `from` to `to` - 1 differ first. Without a place: one run ends at `from`. */
    uint64_t from, to;
    const uint32_t *pes; /* PEs, or workers, that differ in these cycles */
    size_t pe_count;
    const char *const *functions; /* functions that differ in these cycles */
    size_t function_count;
    const struct sim_replay_change *changes; /* differences of statistics */
    size_t change_count;
    const struct sim_replay_change *reasons; /* differences of program, settings, host */
    size_t reason_count;
    bool is_unfinished; /* the recording is: `cycles` counts to the last equal mark */
    uint64_t feeds;     /* recorded elements and closes */
    uint64_t marks;     /* marks that were compared */
};

/* Runs the session, which is that of the recording or a similar one, and compares. Returns false if
 * `watch` stops the run, or if it cannot start, which adds a diagnostic. */
bool sim_replay_run(const struct sim_recording *recording,
                    const struct sim_session *session, const struct sim_watch *watch,
                    struct lib_arena *arena, struct sim_replay_report *report,
                    struct lib_diags *diags);

/* Like sim_replay_run, for an unfinished recording with feeds: compares the marks, one for each
 * time that the host fed ports. */
bool sim_replay_unfinished(const struct sim_recording *recording,
                           const struct sim_session *session,
                           const struct sim_watch *watch, struct lib_arena *arena,
                           struct sim_replay_report *report, struct lib_diags *diags);

/* Adds the differences between what ran, and where, of two runs. Strings live in the arena; the
 * caller frees the list with LIB_VEC_FREE. */
void sim_replay_reasons(const struct sim_described_host *a, const struct sim_session *x,
                        const struct sim_described_host *b, const struct sim_session *y,
                        struct lib_arena *arena, struct sim_replay_changes *found);

/* Adds what was found; `report` is a struct sim_replay_report. */
void sim_replay_findings(const void *report, struct lib_findings *findings);

/* Adds a table of changes; a text has none where there is no change. */
void sim_replay_add_changes(const char *key, const char *help,
                            const struct sim_replay_change *changes, size_t count,
                            struct lib_findings *findings);

#endif
