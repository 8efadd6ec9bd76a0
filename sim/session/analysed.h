/* What analyses of events are told of a run (analysis/stream/stream.h). */
#ifndef SIM_SESSION_ANALYSED_H
#define SIM_SESSION_ANALYSED_H

#include "analysis/stream/stream.h"
#include "machine/machine.h"

/* A run of a graph under these settings, of which the cycles `from` to `to` - 1 are wanted. All is
 * borrowed; `source`: the text of the program, or NULL. */
static inline struct analysis_stream_run
sim_analysed_run(const struct isa_graph *graph, const struct machine_settings *settings,
                 const struct lib_source *source, uint64_t from, uint64_t to)
{
    const bool has_workers = settings->executor_workers > 0;
    return (struct analysis_stream_run){
        .graph = graph,
        .source = source,
        .pe_count = has_workers ? settings->executor_workers : settings->pe_count,
        .units = has_workers ? 1 : settings->pe_units,
        .link_count = has_workers ? 0 : machine_link_count(settings),
        .has_workers = has_workers,
        .from = from,
        .to = to,
    };
}

#endif
