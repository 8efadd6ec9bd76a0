/* Writes the events of a run to a file while the run advances (traces/files/event_file.h). */
#ifndef SIM_REPLAY_TRACER_H
#define SIM_REPLAY_TRACER_H

#include "sim/replay/recording.h"

struct sim_tracer;

/* Creates a file for selected events of a session that is about to run. Returns NULL and adds a
 * diagnostic if the file cannot be created or the filter is invalid. Borrows its arguments until it
 * is freed by _finish, _leave or _abandon. */
struct sim_tracer *sim_tracer_new(const char *path,
                                  const struct sim_recorded_events *events,
                                  const struct sim_session *session,
                                  struct lib_diags *diags);

/* Returns the sink to which the simulation is to send its events. */
struct traces_event_sink sim_tracer_sink(struct sim_tracer *tracer);

/* Notes that the host feeds or closes an input port. The file has all feeds after the events. */
void sim_tracer_feed(struct sim_tracer *tracer, const struct machine_feed *feed);

/* Completes the file and frees the tracer. The simulation must be closed, as that emits END.
 * Returns false and adds a diagnostic if the file cannot be written. */
bool sim_tracer_finish(struct sim_tracer *tracer, struct lib_diags *diags);

/* Frees the tracer of an interrupted run. Keeps the events so far as the file PATH.part. */
void sim_tracer_leave(struct sim_tracer *tracer);

/* Frees the tracer and removes the file. */
void sim_tracer_abandon(struct sim_tracer *tracer);

#endif
