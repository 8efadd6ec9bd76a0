/* Recording a run while it goes, and taking its digests (traces/digests.h). */
#ifndef SIM_REPLAY_RECORDER_H
#define SIM_REPLAY_RECORDER_H

#include "sim/replay/recording.h"

struct sim_recorder;

struct sim_recorder_config {
    const char *path;    /* of the recording; NULL: only digests are taken */
    uint64_t interval;   /* of digests, in cycles; 0: it is chosen */
    uint64_t checkpoint; /* a checkpoint whenever so many cycles are over; 0: none */
    FILE *stream;        /* in place of a path: an open stream, which is taken; or NULL */
};

/* Of a simulation of `session`, which has been opened with `config` and has not advanced. NULL: the
 * file cannot be made, and why is in `diags`. Borrows all until it is ended by _finish, _leave or
 * _abandon. */
struct sim_recorder *sim_recorder_new(const struct sim_recorder_config *recorder_config,
                                      const struct sim_session *session,
                                      struct sim_simulation *simulation,
                                      struct lib_diags *diags);

/* The host feeds, or closes, a port: the file has it before the simulation advances. */
void sim_recorder_feed(struct sim_recorder *recorder, const struct machine_feed *feed);

/* Advances the simulation to its end, or until whoever watches does not want more. */
enum sim_advanced sim_recorder_advance(struct sim_recorder *recorder);

/* The same as far as `until` says (NULL: to the end), and no window is looked at. */
enum sim_advanced sim_recorder_advance_until(struct sim_recorder *recorder,
                                             const struct sim_until *until);

/* The digests so far; complete when the simulation has come to its end. Borrowed. */
const struct traces_digests *sim_recorder_digests(const struct sim_recorder *recorder);

/* Writes the rest: the digests, and how the run ended. The simulation was left or closed already.
 * false: the file could not be written, which is in `diags`. */
bool sim_recorder_finish(struct sim_recorder *recorder, const struct sim_record *record,
                         struct lib_diags *diags);

/* The run was interrupted: what was recorded of it stays, as PATH.part. */
void sim_recorder_leave(struct sim_recorder *recorder);

/* Nobody wants the recording. */
void sim_recorder_abandon(struct sim_recorder *recorder);

#endif
