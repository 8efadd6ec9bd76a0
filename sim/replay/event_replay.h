/* Replay of an event file: simulates its run again and compares the events one by one. */
#ifndef SIM_REPLAY_EVENT_REPLAY_H
#define SIM_REPLAY_EVENT_REPLAY_H

#include "sim/replay/source.h"

struct sim_event_replay_report {
    const struct sim_source *source;
    bool is_same;
    bool is_part;    /* the file is incomplete: only the events in it were compared */
    uint64_t events; /* number of equal events before the first difference */
    struct traces_event expected,
        found; /* first events that differ: in the file, in the replay */
    bool has_expected, has_found; /* false if that side had ended */
    struct lib_text expected_text,
        found_text; /* both events as lines of `hiaton trace text` */
};

/* Simulates `session`, that of the file or a similar one, and compares the events. Returns false
 * and adds a diagnostic if the file is damaged or the run cannot start; returns false if `watch`
 * stops it. Free with sim_event_replay_free in either case. */
bool sim_event_replay_run(struct sim_source *source, const struct sim_session *session,
                          const struct sim_watch *watch,
                          struct sim_event_replay_report *report,
                          struct lib_diags *diags);
void sim_event_replay_free(struct sim_event_replay_report *report);

/* Adds the result to a report; `report` is a struct sim_event_replay_report. */
void sim_event_replay_findings(const void *report, struct lib_findings *findings);

#endif
