/* What is in a file of events, or in a recording. */
#ifndef SIM_EXPLAIN_TRACE_INFO_H
#define SIM_EXPLAIN_TRACE_INFO_H

#include "sim/replay/source.h"

struct sim_trace_info {
    const struct sim_recording *recording;
    bool is_whole;
    uint64_t bytes; /* of the file */
    uint64_t events,
        of[TRACES_EVENT_COUNT]; /* of a file of events: in all, and of each kind */
    uint64_t from, to;          /* the first and the last cycle of an event */
    struct traces_event end;    /* END */
    uint64_t checkpoints;       /* of a recording */
};

/* Reads all of the file into `info`, which starts as {0}. false: it is damaged, which is in
 * `diags`, or `watch` did not want more. */
bool sim_trace_info_find(struct sim_trace_info *info, struct sim_source *source,
                         const struct sim_watch *watch, struct lib_diags *diags);

/* Adds what was found; `info` is a struct sim_trace_info. */
void sim_trace_info_tell(const void *info, struct lib_findings *findings);

#endif
