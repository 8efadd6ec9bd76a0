/* Replay of a file of events: the run is made again, and compared with the file event by event. */
#ifndef SIM_REPLAY_EVENT_REPLAY_H
#define SIM_REPLAY_EVENT_REPLAY_H

#include "sim/replay/source.h"

struct sim_event_replay_report {
    const struct sim_source *source;
    bool is_same;
    bool is_part;    /* the file was not finished: only what it has was compared */
    uint64_t events; /* that are the same, from the first one on */
    struct traces_event expected, came;       /* the first that differ */
    bool has_expected, has_came;              /* false: there was none any more */
    struct lib_text expected_text, came_text; /* as lines of `hiaton trace text` */
};

/* Runs what `session` says, which is that of the file or one like it, and compares. false: the
 * file is damaged, the run could not begin (`diags`), or `watch` did not want more. Give back
 * with _free in either case. */
bool sim_event_replay_run(struct sim_source *source, const struct sim_session *session,
                          const struct sim_watch *watch,
                          struct sim_event_replay_report *report,
                          struct lib_diags *diags);
void sim_event_replay_free(struct sim_event_replay_report *report);

/* Adds what was found; `report` is a struct sim_event_replay_report. */
void sim_event_replay_tell(const void *report, struct lib_findings *findings);

#endif
