#include "sim/explain/analysed.h"

#include "machine/describe.h"
#include "machine/machine.h"

struct analysis_stream_run sim_analysed_run(const struct isa_graph *graph,
                                            const struct machine_settings *s,
                                            const struct lib_source *source,
                                            uint64_t from, uint64_t to)
{
    return (struct analysis_stream_run){
        .graph = graph,
        .source = source,
        .link_count = machine_has_workers(s) ? 0 : machine_link_count(s),
        .machine = machine_describe(s, graph, NULL),
        .from = from,
        .to = to,
    };
}
