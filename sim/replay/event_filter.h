/* Selects the events of a run that are in an interval of cycles (traces/window.h) and pass a filter
 * by PE, function or line (traces/filter.h). */
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

/* Prepares a selection of the events of a run of `session`, which must outlive the selection.
 * Returns false and adds a diagnostic if the filter is invalid. In either case free with
 * sim_event_filter_free. */
bool sim_event_filter_start(struct sim_event_filter *selection,
                            const struct sim_session *session,
                            const struct sim_recorded_events *events,
                            struct lib_diags *diags);
void sim_event_filter_free(struct sim_event_filter *selection);

/* Returns a sink for all events, which sends the selected ones to `sink`. To be called once.
 * *selection must keep its address from then on. */
struct traces_event_sink sim_event_filter_sink(struct sim_event_filter *selection,
                                               struct traces_event_sink sink);

#endif
