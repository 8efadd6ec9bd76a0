/* Writing the events of a run to a file while it goes (traces/files/event_file.h). */
#ifndef SIM_REPLAY_TRACER_H
#define SIM_REPLAY_TRACER_H

#include "sim/replay/recording.h"

struct sim_tracer;

/* A file for the events of a session that is about to run with series and profile, or without.
 * NULL: it cannot be made, or the filter is wrong, and why is in `diags`. Borrows all until it is
 * ended. */
struct sim_tracer *sim_tracer_new(const char *path,
                                  const struct sim_recorded_events *events,
                                  const struct sim_session *session,
                                  struct lib_diags *diags);

/* What the simulation tells its events to. */
struct traces_event_sink sim_tracer_sink(struct sim_tracer *tracer);

/* A host feeds, or closes, a port: the file has it behind the events. */
void sim_tracer_feed(struct sim_tracer *tracer, const struct machine_feed *feed);

/* The simulation is closed, and has told END. false: the file could not be written. */
bool sim_tracer_finish(struct sim_tracer *tracer, struct lib_diags *diags);

/* The run was interrupted: what was written of it stays, as PATH.part. */
void sim_tracer_leave(struct sim_tracer *tracer);

/* Nobody wants the file. */
void sim_tracer_abandon(struct sim_tracer *tracer);

#endif
