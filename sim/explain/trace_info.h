/* Counts the contents of an event file or a recording. */
#ifndef SIM_EXPLAIN_TRACE_INFO_H
#define SIM_EXPLAIN_TRACE_INFO_H

#include "sim/replay/source.h"

struct sim_trace_info {
    const struct sim_recording *recording;
    bool is_whole;
    uint64_t bytes;                          /* size of the file */
    uint64_t events, of[TRACES_EVENT_COUNT]; /* event file: number of events; per kind */
    uint64_t from, to;                       /* cycles of the first and the last event */
    struct traces_event end;
    uint64_t checkpoints; /* recording: number of checkpoints */
};

/* Reads the whole file and sets `info`, which starts as {0}. Returns false and adds a diagnostic if
 * the file is damaged; returns false if `watch` stops it. */
bool sim_trace_info_find(struct sim_trace_info *info, struct sim_source *source,
                         const struct sim_watch *watch, struct lib_diags *diags);

/* Adds the counts to a report; `info` is a struct sim_trace_info. */
void sim_trace_info_findings(const void *info, struct lib_findings *findings);

#endif
