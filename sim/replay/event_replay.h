/* Replay of a file of events: runs the session again and compares the events one by one. */
#ifndef SIM_REPLAY_EVENT_REPLAY_H
#define SIM_REPLAY_EVENT_REPLAY_H

#include "sim/replay/source.h"

struct sim_event_replay_report {
    const struct sim_source *source;
    bool is_same;
    bool is_part;    /* the file is unfinished: only the events in it were compared */
    uint64_t events; /* number of equal events before the first difference */
    struct traces_event expected, found;       /* the first two that differ */
    bool has_expected, has_found;              /* false if that side had ended */
    struct lib_text expected_text, found_text; /* both as lines of `hiaton trace text` */
};

/* Runs the session, which is that of the file or a similar one, and compares. Returns false if the
 * file is damaged or the run cannot start, with a diagnostic, or if `watch` stops it. Free with
 * sim_event_replay_free in either case. */
bool sim_event_replay_run(struct sim_source *source, const struct sim_session *session,
                          const struct sim_watch *watch,
                          struct sim_event_replay_report *report,
                          struct lib_diags *diags);
void sim_event_replay_free(struct sim_event_replay_report *report);

/* Adds what was found; `report` is a struct sim_event_replay_report. */
void sim_event_replay_findings(const void *report, struct lib_findings *findings);

#endif
