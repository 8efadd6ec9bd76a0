/* The part of a stream of events that somebody asked for: some cycles, and of these what a filter
 * lets pass (traces/window.h, traces/filter.h). */
#ifndef SIM_REPLAY_EVENT_FILTER_H
#define SIM_REPLAY_EVENT_FILTER_H

#include "sim/replay/recording.h"
#include "traces/window.h"

struct sim_event_filter {
    const struct sim_session *session;
    struct sim_recorded_events events;
    struct traces_window window;
    struct traces_filter filter;
};

/* Of a run of the session, which outlives it. false: the filter is wrong, which is in `diags`.
 * Give back with sim_event_filter_free in either case. */
bool sim_event_filter_start(struct sim_event_filter *sieve,
                            const struct sim_session *session,
                            const struct sim_recorded_events *events,
                            struct lib_diags *diags);
void sim_event_filter_free(struct sim_event_filter *sieve);

/* What takes the whole stream, and passes that part on; once. The sieve stays where it is. */
struct traces_event_sink sim_event_filter_sink(struct sim_event_filter *sieve,
                                               struct traces_event_sink sink);

#endif
