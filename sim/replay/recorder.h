/* Records a run while it advances: digests of its state (traces/digests.h), checkpoints, feeds. */
#ifndef SIM_REPLAY_RECORDER_H
#define SIM_REPLAY_RECORDER_H

#include "sim/replay/recording.h"

struct sim_recorder;

struct sim_recorder_config {
    const char *path;    /* file to write; NULL: only digests are made */
    uint64_t interval;   /* cycles between digests; 0: the recorder chooses */
    uint64_t checkpoint; /* cycles between checkpoints; 0: no checkpoints */
    /* Open stream that is written instead of a file at `path`; the recorder then owns it. NULL:
     * none. */
    FILE *stream;
};

/* Returns a recorder of a simulation of `session` that has not advanced yet. Returns NULL and adds
 * a diagnostic if the file cannot be created. Borrows its arguments until it is freed by _finish,
 * _leave or _abandon. */
struct sim_recorder *sim_recorder_new(const struct sim_recorder_config *recorder_config,
                                      const struct sim_session *session,
                                      struct sim_simulation *simulation,
                                      struct lib_diags *diags);

/* Notes that the host feeds or closes an input port. The feed is in the file before the simulation
 * advances. */
void sim_recorder_feed(struct sim_recorder *recorder, const struct machine_feed *feed);

/* Advances the simulation to its end, or until its callback `watch` stops it. If the simulation has
 * a window, a part of the run, statistics are restricted to it (sim_window_advance). */
enum sim_advanced sim_recorder_advance(struct sim_recorder *recorder);

/* Advances the simulation until it ends, or reaches a bound in `until`, if not NULL. Unlike
 * sim_recorder_advance, does not restrict statistics to a window of the run. */
enum sim_advanced sim_recorder_advance_until(struct sim_recorder *recorder,
                                             const struct sim_until *until);

/* Returns the digests of the run's states so far, borrowed. They are complete when the simulation
 * has ended. */
const struct traces_digests *sim_recorder_digests(const struct sim_recorder *recorder);

/* Writes the digests of the run's states and the outcome of the run, which is in `record`, and
 * frees the recorder. Call sim_simulation_leave or sim_simulation_close before. Returns false and
 * adds a diagnostic if the file cannot be written. */
bool sim_recorder_finish(struct sim_recorder *recorder, const struct sim_record *record,
                         struct lib_diags *diags);

/* Frees the recorder of an interrupted run. Keeps the recording so far as the file PATH.part. */
void sim_recorder_leave(struct sim_recorder *recorder);

/* Frees the recorder and deletes its file. */
void sim_recorder_abandon(struct sim_recorder *recorder);

#endif
