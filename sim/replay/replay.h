/* Replay: simulates a recorded run again and compares it with the recording. */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include "lib/findings.h"
#include "sim/replay/recording.h"

/* A statistic or other key that differs between two runs, with both values as text. */
struct sim_replay_change {
    const char *key, *recorded, *now;
};

struct sim_replay_changes {
    struct sim_replay_change *items;
    size_t count, capacity;
};

/* Result of a replay. Lives in the arena given to sim_replay_run; starts as {0}. */
struct sim_replay_report {
    const struct sim_recording *recording;
    bool is_same;
    uint64_t cycles, rows,
        interval;   /* of the recording: cycles, digests, cycles between digests */
    bool has_place; /* the cycles of the first difference are known */
    /* Cycles of the first difference: `from` to `to` - 1. If unknown, one run ends at `from`. */
    uint64_t from, to;
    const uint32_t *pes; /* PEs or workers whose digests differ in these cycles */
    size_t pe_count;
    const char *const *functions; /* functions whose digests differ in these cycles */
    size_t function_count;
    const struct sim_replay_change *changes; /* statistics that differ */
    size_t change_count;
    /* possible causes: differences of program, settings, host */
    const struct sim_replay_change *reasons;
    size_t reason_count;
    /* recording incomplete: `cycles` counts to the last agreement */
    bool is_unfinished;
    uint64_t feeds; /* number of recorded feeds and closes of ports */
    uint64_t marks; /* number of compared marks (struct sim_recorded_mark) */
};

/* Simulates `session`, that of the recording or a similar one, and compares. Returns false and adds
 * a diagnostic if the run cannot start; returns false if `watch` stops it. */
bool sim_replay_run(const struct sim_recording *recording,
                    const struct sim_session *session, const struct sim_watch *watch,
                    struct lib_arena *arena, struct sim_replay_report *report,
                    struct lib_diags *diags);

/* Like sim_replay_run, for a recording of an interrupted run: compares the marks (struct
 * sim_recorded_mark), made when the host fed ports. */
bool sim_replay_unfinished(const struct sim_recording *recording,
                           const struct sim_session *session,
                           const struct sim_watch *watch, struct lib_arena *arena,
                           struct sim_replay_report *report, struct lib_diags *diags);

/* Adds differences between two runs in program, inputs, settings, seed and host to `found`. Strings
 * live in the arena; the caller frees the list with LIB_VEC_FREE. */
void sim_replay_reasons(const struct sim_described_host *a, const struct sim_session *x,
                        const struct sim_described_host *b, const struct sim_session *y,
                        struct lib_arena *arena, struct sim_replay_changes *found);

/* Adds the result to a report; `report` is a struct sim_replay_report. */
void sim_replay_findings(const void *report, struct lib_findings *findings);

/* Adds a table of changes to a report; for people only if there are any. */
void sim_replay_add_changes(const char *key, const char *help,
                            const struct sim_replay_change *changes, size_t count,
                            struct lib_findings *findings);

#endif
