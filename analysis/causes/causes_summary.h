/* Sums of a chain of causes: in total, per node and over time, and the chain itself. */
#ifndef ANALYSIS_CAUSES_CAUSES_SUMMARY_H
#define ANALYSIS_CAUSES_CAUSES_SUMMARY_H

#include "analysis/causes/causes.h"
#include "analysis/cost/cost.h"
#include "lib/findings.h"
#include "analysis/stream/timeline.h"
#include "lib/spill.h"

/* What a kernel on tensors takes besides its work. */
struct analysis_causes_kernel {
    uint64_t launch;   /* cycles to start and launch it; 0: kernels are not divided */
    const char *limit; /* limit of its work: "operations", "bytes", or both */
};

struct analysis_causes_summary {
    const struct isa_graph *graph; /* borrowed */
    uint64_t sums[ANALYSIS_CAUSE_COUNT];
    uint64_t *of_node; /* cycles per cause of each node, then of no node */
    struct analysis_timeline over_time; /* cycles per cause, all units as one */
    bool keeps_chain;
    uint64_t from, to; /* only cycles `from` to `to` - 1 are summed up and kept */
    struct analysis_causes_kernel kernel;
    uint64_t launched;      /* cycles of `computing_tensor` that are launches */
    bool is_brief;          /* adjacent waits of one cause in the chain are one piece */
    struct lib_spill chain; /* pieces, from the end on, if the chain is kept */
    bool backwards;         /* rows of the chain are from the end on */
    char place[64];         /* text of the place of the current row */
    LIB_VEC(uint64_t) of_link; /* cycles of tokens on their way, per link */
};

void analysis_causes_summary_start(struct analysis_causes_summary *found,
                                   const struct isa_graph *graph, bool keeps_chain,
                                   bool is_brief);
void analysis_causes_summary_free(struct analysis_causes_summary *found);
struct analysis_causes_walker
analysis_causes_summary_walker(struct analysis_causes_summary *found);

/* The tables to be made in addition to the sums. */
struct analysis_causes_tables {
    enum analysis_cost_by by; /* rows; ANALYSIS_COST_BY_NOTHING for none */
    bool chain;
    bool backwards;                  /* the chain is from the end on */
    const char *of;                  /* end of the chain; NULL for the end of the run */
    const struct lib_source *source; /* source whose lines a text shows, or NULL */
    const char *const *links;        /* names of links from `first_link` on, or NULL */
    uint32_t first_link, link_count;
};

/* Adds numbers and tables; a text has only the causes that occur. The chain is read when the
 * findings are written: the summary must outlive them. */
void analysis_causes_summary_tell(struct analysis_causes_summary *found,
                                  const struct analysis_causes_run *run,
                                  const struct analysis_causes_tables *tables,
                                  struct lib_findings *findings);

/* Adds the cycles per cause to an open object, with all keys of analysis/causes/causes.def. */
void analysis_causes_summary_write_json(const struct analysis_causes_summary *found,
                                        struct lib_json *json);

#endif
