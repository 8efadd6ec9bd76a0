/* Adds up the cycles of a causal chain: in total, per node and over time; can keep the chain. */
#ifndef ANALYSIS_CAUSES_CAUSES_SUMMARY_H
#define ANALYSIS_CAUSES_CAUSES_SUMMARY_H

#include "analysis/causes/causes.h"
#include "analysis/cost/cost.h"
#include "lib/findings.h"
#include "analysis/stream/timeline.h"
#include "lib/spill.h"

/* Time of a kernel on tensors besides its work. */
struct analysis_causes_kernel {
    uint64_t launch;   /* cycles to start and launch it; 0: kernels are not divided */
    const char *limit; /* limit of its work: "operations", "bytes", or both */
};

struct analysis_causes_summary {
    const struct isa_graph *graph; /* borrowed */
    uint64_t sums[ANALYSIS_CAUSE_COUNT];
    uint64_t *of_node; /* cycles per cause of each node; last row: without a node */
    /* cycles per cause; all function units are one cause */
    struct analysis_timeline over_time;
    bool keeps_chain;
    uint64_t from, to; /* only cycles `from` to `to` - 1 are summed up and kept */
    struct analysis_causes_kernel kernel;
    uint64_t launched; /* cycles of `computing_tensor` that are launches */
    bool is_brief;     /* adjacent waits for the same server are one piece of the chain */
    struct lib_spill chain;    /* pieces of the chain, last one first */
    bool backwards;            /* the table shows the chain from its end on */
    char place[64];            /* buffer for the text of a row's queue or link */
    LIB_VEC(uint64_t) of_link; /* cycles that tokens were on their way, per link */
};

void analysis_causes_summary_start(struct analysis_causes_summary *found,
                                   const struct isa_graph *graph, bool keeps_chain,
                                   bool is_brief);
void analysis_causes_summary_free(struct analysis_causes_summary *found);
struct analysis_causes_walker
analysis_causes_summary_walker(struct analysis_causes_summary *found);

/* The tables to report besides the sums. */
struct analysis_causes_tables {
    /* meaning of rows; ANALYSIS_COST_BY_NOTHING: no table */
    enum analysis_cost_by by;
    bool chain;                      /* report the chain as a table */
    bool backwards;                  /* the table shows the chain from its end on */
    const char *of;                  /* end of the chain as text; NULL: end of the run */
    const struct lib_source *source; /* source of lines shown to people, or NULL */
    const char *const *links; /* names of links from number `first_link` on; or NULL */
    uint32_t first_link, link_count;
};

/* Adds sums and tables to a report; for people only causes that occur. The report reads the chain
 * when it is written: the summary must outlive it. */
void analysis_causes_summary_tell(struct analysis_causes_summary *found,
                                  const struct analysis_causes_run *run,
                                  const struct analysis_causes_tables *tables,
                                  struct lib_findings *findings);

/* Adds the cycles of each cause of analysis/causes/causes.def to an open JSON object. */
void analysis_causes_summary_write_json(const struct analysis_causes_summary *found,
                                        struct lib_json *json);

#endif
