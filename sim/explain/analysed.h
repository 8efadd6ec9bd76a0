/* Describes a run for analyses of its events (analysis/stream/stream.h). */
#ifndef SIM_EXPLAIN_ANALYSED_H
#define SIM_EXPLAIN_ANALYSED_H

#include "analysis/stream/stream.h"
#include "machine/settings.h"

/* Describes cycles `from` to `to` - 1 of a run of a graph with these settings. Borrows all
 * arguments. `source` is the source text of the program, or NULL. */
struct analysis_stream_run sim_analysed_run(const struct isa_graph *graph,
                                            const struct machine_settings *settings,
                                            const struct lib_source *source,
                                            uint64_t from, uint64_t to);

#endif
