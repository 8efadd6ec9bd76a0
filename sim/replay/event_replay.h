/* Replay of an event file: simulates its run again and compares the events one by one. */
#ifndef SIM_REPLAY_EVENT_REPLAY_H
#define SIM_REPLAY_EVENT_REPLAY_H

#include "sim/replay/source.h"

struct sim_event_replay_report {
    const struct sim_source *source;
    bool is_same;
    bool is_part;    /* the file is incomplete: only its events were compared */
    uint64_t events; /* number of equal events before the first difference */
    /* First two events that differ: in the file, and in the replay. */
    struct traces_event expected, found;
    /* Whether `expected` and `found` are set; false if the file or the replay ended before. */
    bool has_expected, has_found;
    /* Both events as lines of `hiaton trace text`. */
    struct lib_text expected_text, found_text;
};

/* Simulates `session`, which made the file or is similar, and compares its events with the file.
 * Returns false and adds a diagnostic if the file is damaged or the run cannot start; returns false
 * if `watch` stops it. In either case free with sim_event_replay_free. */
bool sim_event_replay_run(struct sim_source *source, const struct sim_session *session,
                          const struct sim_watch *watch,
                          struct sim_event_replay_report *report,
                          struct lib_diags *diags);
void sim_event_replay_free(struct sim_event_replay_report *report);

/* Adds the result of a replay; `report` is a struct sim_event_replay_report. */
void sim_event_replay_findings(const void *report, struct lib_findings *findings);

#endif
