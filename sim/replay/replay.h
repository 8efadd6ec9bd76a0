/* Replay: simulates a recorded run again and compares it with the recording. */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include "lib/findings.h"
#include "sim/replay/recording.h"

/* A statistic or other property with different values in two runs, as text. */
struct sim_replay_change {
    const char *key, *recorded, *now;
};

struct sim_replay_changes {
    struct sim_replay_change *items;
    size_t count, capacity;
};

/* Result of a replay. Lives in the arena given to sim_replay_run. Start with {0}. */
struct sim_replay_report {
    const struct sim_recording *recording;
    bool is_same;
    /* Numbers of cycles and digests of the recording, and cycles between two digests. */
    uint64_t cycles, rows, interval;
    bool has_place; /* the interval `from` to `to` of the first difference is known */
    /* First difference: cycles `from` to `to` - 1. If not `has_place`, one run ends at `from`. */
    uint64_t from, to;
    const uint32_t *pes; /* PEs or workers whose digests differ in the interval */
    size_t pe_count;
    /* functions whose digests differ in the interval */
    const char *const *functions;
    size_t function_count;
    /* Statistics that differ between recording and replay. */
    const struct sim_replay_change *changes;
    size_t change_count;
    /* Possible causes of differences: program, settings, host. */
    const struct sim_replay_change *reasons;
    size_t reason_count;
    /* The recording is incomplete; `cycles` is then the cycle up to which the runs agree. */
    bool is_unfinished;
    uint64_t feeds; /* number of recorded feeds and closes of ports */
    uint64_t marks; /* number of states (struct sim_recorded_mark) that were compared */
};

/* Simulates `session`, which was recorded or is similar, and compares it with the recording.
 * Returns false and adds a diagnostic if the run cannot start; returns false if `watch` stops
 * it. */
bool sim_replay_run(const struct sim_recording *recording,
                    const struct sim_session *session, const struct sim_watch *watch,
                    struct lib_arena *arena, struct sim_replay_report *report,
                    struct lib_diags *diags);

/* Variant of sim_replay_run for the recording of an interrupted run. Compares the states that were
 * recorded when the host fed ports (struct sim_recorded_mark). */
bool sim_replay_unfinished(const struct sim_recording *recording,
                           const struct sim_session *session,
                           const struct sim_watch *watch, struct lib_arena *arena,
                           struct sim_replay_report *report, struct lib_diags *diags);

/* Compares two runs: of session `x` on host `a`, and of session `y` on host `b`. Adds to `found`
 * what differs in program, inputs, settings, seed and host. Strings live in `arena`; the caller
 * frees the list with LIB_VEC_FREE. */
void sim_replay_reasons(const struct sim_described_host *a, const struct sim_session *x,
                        const struct sim_described_host *b, const struct sim_session *y,
                        struct lib_arena *arena, struct sim_replay_changes *found);

/* Adds the result of a replay; `report` is a struct sim_replay_report. */
void sim_replay_findings(const void *report, struct lib_findings *findings);

/* Adds a table of changes, named `key` and described by `help`. An empty table is omitted if the
 * findings are printed for people. */
void sim_replay_add_changes(const char *key, const char *help,
                            const struct sim_replay_change *changes, size_t count,
                            struct lib_findings *findings);

#endif
