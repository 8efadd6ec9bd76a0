/* Counts what an event file or a recording contains. */
#ifndef SIM_EXPLAIN_TRACE_INFO_H
#define SIM_EXPLAIN_TRACE_INFO_H

#include "sim/replay/source.h"

struct sim_trace_info {
    const struct sim_recording *recording;
    bool is_whole;
    uint64_t bytes; /* size of the file */
    /* number of events in an event file; number of each kind */
    uint64_t events, of[TRACES_EVENT_COUNT];
    uint64_t from, to; /* cycles of the first and last event in an event file */
    struct traces_event end;
    uint64_t checkpoints; /* number of checkpoints in a recording */
};

/* Reads the whole file and sets `info`, which must be zeroed before. Returns false if `watch`
 * stopped it; if the file is damaged, also adds a diagnostic. */
bool sim_trace_info_find(struct sim_trace_info *info, struct sim_source *source,
                         const struct sim_watch *watch, struct lib_diags *diags);

/* Adds the counts to findings. `info` is a struct sim_trace_info. */
void sim_trace_info_findings(const void *info, struct lib_findings *findings);

#endif
