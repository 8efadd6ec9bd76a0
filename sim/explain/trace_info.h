/* Counts of what a file of events, or a recording, contains. */
#ifndef SIM_EXPLAIN_TRACE_INFO_H
#define SIM_EXPLAIN_TRACE_INFO_H

#include "sim/replay/source.h"

struct sim_trace_info {
    const struct sim_recording *recording;
    bool is_whole;
    uint64_t bytes; /* size of the file */
    uint64_t events,
        of[TRACES_EVENT_COUNT]; /* a file of events: number of events, and of each kind */
    uint64_t from, to;          /* cycles of the first and the last event */
    struct traces_event end;    /* END */
    uint64_t checkpoints;       /* number of checkpoints of a recording */
};

/* Reads all of the file into `info`, which starts as {0}. Returns false if the file is damaged,
 * with a diagnostic, or if `watch` stops it. */
bool sim_trace_info_find(struct sim_trace_info *info, struct sim_source *source,
                         const struct sim_watch *watch, struct lib_diags *diags);

/* Adds what was found; `info` is a struct sim_trace_info. */
void sim_trace_info_findings(const void *info, struct lib_findings *findings);

#endif
