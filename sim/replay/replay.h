/* Replay: a recorded run is made again, and compared with what was recorded. */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include "lib/findings.h"
#include "sim/replay/recording.h"

/* A statistic, or another key of the record, that is not the same. Texts, as people read them. */
struct sim_replay_change {
    const char *key, *recorded, *now;
};

struct sim_replay_changes {
    struct sim_replay_change *items;
    size_t count, capacity;
};

/* What is different. Owned by the arena that sim_replay_run was given; it starts as {0}. */
struct sim_replay_report {
    const struct sim_recording *recording;
    bool is_same;
    uint64_t cycles, rows,
        interval;        /* of the recorded run: rows of digests, and cycles apart */
    bool has_place;      /* of the first difference: the following are there */
    uint64_t from, to;   /* cycles `from` to `to` - 1 differ; there is no place where
                                        one run ends at `from`, and the other goes on */
    const uint32_t *pes; /* and these PEs, or workers, do there, */
    size_t pe_count;
    const char *const *functions; /* and these functions */
    size_t function_count;
    const struct sim_replay_change *changes; /* of what was measured */
    size_t change_count;
    const struct sim_replay_change
        *reasons; /* what ran, or where, is not the same either */
    size_t reason_count;
    bool is_unfinished; /* the recording was: `cycles` up to the last feed, and: */
    uint64_t feeds; /* elements that were fed, and ports that were closed, until then */
    uint64_t marks; /* places in which what the run had done was recorded */
};

/* Runs what `session` says, which is that of the recording or one like it, and compares. false: it
 * did not come to an end, as `watch` did not want more, or it could not run (`diags`). */
bool sim_replay_run(const struct sim_recording *recording,
                    const struct sim_session *session, const struct sim_watch *watch,
                    struct lib_arena *arena, struct sim_replay_report *report,
                    struct lib_diags *diags);

/* The same of a recording that was not finished, but says what ports were fed: compares wherever
 * its host fed them, up to the last time. */
bool sim_replay_unfinished(const struct sim_recording *recording,
                           const struct sim_session *session,
                           const struct sim_watch *watch, struct lib_arena *arena,
                           struct sim_replay_report *report, struct lib_diags *diags);

/* Adds what is not the same of two runs: what ran, and where. Texts live in the arena; give back
 * with LIB_VEC_FREE. */
void sim_replay_reasons(const struct sim_described_host *a, const struct sim_session *x,
                        const struct sim_described_host *b, const struct sim_session *y,
                        struct lib_arena *arena, struct sim_replay_changes *found);

/* Adds what was found; `report` is a struct sim_replay_report. */
void sim_replay_tell(const void *report, struct lib_findings *findings);

/* Adds a table of changes; a text has none where there is no change. */
void sim_replay_tell_changes(const char *key, const char *help,
                             const struct sim_replay_change *changes, size_t count,
                             struct lib_findings *findings);

#endif
