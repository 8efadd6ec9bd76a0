/* Replay: a recorded run is made again, and compared with what was recorded. */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include "sim/replay/recording.h"

/* A statistic, or another key of the record, that is not the same. Texts, as in JSON. */
struct sim_replay_change {
    const char *key, *recorded, *now;
};

/* What is different. Owned by the arena that sim_replay_run was given; it starts as {0}. */
struct sim_replay_report {
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
};

/* Runs what `session` says, which is that of the recording or one like it, and compares. false: it
 * did not come to an end, as `watch` did not want more, or it could not run (`diags`). */
bool sim_replay_run(const struct sim_recording *recording,
                    const struct sim_session *session, const struct sim_watch *watch,
                    struct lib_arena *arena, struct sim_replay_report *report,
                    struct lib_diags *diags);

/* Adds it as text, and as a JSON object. */
void sim_replay_write(const struct sim_replay_report *report,
                      const struct sim_recording *recording, struct lib_text *out);
void sim_replay_write_json(const struct sim_replay_report *report,
                           const struct sim_recording *recording, struct lib_text *out);

#endif
