/* Sums the cycles of a causal chain (causes.h) by cause: in total, per instruction and over time.
 * Can keep the chain. */
#ifndef ANALYSIS_CAUSES_CAUSES_SUMMARY_H
#define ANALYSIS_CAUSES_CAUSES_SUMMARY_H

#include "analysis/causes/causes.h"
#include "analysis/cost/cost.h"
#include "lib/findings.h"
#include "analysis/stream/timeline.h"
#include "lib/spill.h"

/* The time of tensor kernels: launch, and what limits the rest. */
struct analysis_causes_kernel {
    uint64_t launch;   /* cycles to launch a kernel; 0: launches are not reported */
    const char *limit; /* what limits a kernel: "operations", "bytes", or both */
};

struct analysis_causes_summary {
    const struct isa_graph *graph; /* borrowed */
    uint64_t sums[ANALYSIS_CAUSE_COUNT];
    /* matrix of cycles: a row per instruction and one for none, a column per cause */
    uint64_t *of_node;
    /* cycles per cause over time; the work of all classes of function units is one cause */
    struct analysis_timeline over_time;
    bool keeps_chain;
    uint64_t from, to; /* only cycles `from` to `to` - 1 are summed and kept */
    struct analysis_causes_kernel kernel;
    /* cycles of launches, which are part of the cause computing_tensor */
    uint64_t launched;
    /* whether adjacent waits for the same PE, port or lock become one row of the chain */
    bool is_brief;
    /* Pieces of the chain (times with one cause), the last first. */
    struct lib_spill chain;
    bool backwards; /* whether the table of the causal chain lists its end first */
    char place[64]; /* buffer for the name of a queue or link in a row */
    /* For each link, the cycles in which a token of the chain was on it. */
    LIB_VEC(uint64_t) of_link;
};

void analysis_causes_summary_start(struct analysis_causes_summary *found,
                                   const struct isa_graph *graph, bool keeps_chain,
                                   bool is_brief);
void analysis_causes_summary_free(struct analysis_causes_summary *found);
struct analysis_causes_walker
analysis_causes_summary_walker(struct analysis_causes_summary *found);

/* The tables to report besides the sums over causes. */
struct analysis_causes_tables {
    /* Whether the rows of a table of causes are functions, lines or opcodes;
     * ANALYSIS_COST_BY_NOTHING: there is no such table. */
    enum analysis_cost_by by;
    bool chain;     /* whether to report the causal chain as a table */
    bool backwards; /* whether the table of the causal chain lists its end first */
    /* what the chain leads to, as the user wrote it; NULL: the end of the run */
    const char *of;
    const struct lib_source *source; /* source text, to show lines of it; may be NULL */
    /* names of `link_count` links, from the one with index `first_link` on; NULL: no table of
     * links */
    const char *const *links;
    uint32_t first_link, link_count;
};

/* Adds sums and tables to findings. If the findings are for people to read, omits causes that do
 * not occur. `found` must outlive the findings, which read the chain only when they are written. */
void analysis_causes_summary_tell(struct analysis_causes_summary *found,
                                  const struct analysis_causes_run *run,
                                  const struct analysis_causes_tables *tables,
                                  struct lib_findings *findings);

/* Adds the cycles of each cause of analysis/causes/causes.def as members to an open JSON object. */
void analysis_causes_summary_write_json(const struct analysis_causes_summary *found,
                                        struct lib_json *json);

#endif
