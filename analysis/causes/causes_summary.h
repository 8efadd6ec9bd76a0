/* What a chain of causes adds up to: in all, by what it belongs to, and the chain itself. */
#ifndef ANALYSIS_CAUSES_CAUSES_SUMMARY_H
#define ANALYSIS_CAUSES_CAUSES_SUMMARY_H

#include "analysis/causes/causes.h"
#include "analysis/cost/cost.h"
#include "analysis/stream/findings.h"
#include "analysis/stream/timeline.h"
#include "lib/spill.h"

struct analysis_causes_summary {
    const struct isa_graph *graph; /* borrowed */
    uint64_t sums[ANALYSIS_CAUSE_COUNT];
    uint64_t *of_node; /* per node, and behind them for none: cycles per cause */
    struct analysis_timeline over_time; /* cycles per cause, all units as one */
    bool keeps_chain;
    bool is_brief; /* of the chain, waits of one kind that follow each other are one */
    struct lib_spill chain;    /* pieces, from the end, if it is kept */
    bool backwards;            /* as it is told */
    char place[64];            /* of the row that is told */
    LIB_VEC(uint64_t) of_link; /* cycles that tokens were on their way, by link */
};

void analysis_causes_summary_start(struct analysis_causes_summary *found,
                                   const struct isa_graph *graph, bool keeps_chain,
                                   bool is_brief);
void analysis_causes_summary_free(struct analysis_causes_summary *found);
struct analysis_causes_walker
analysis_causes_summary_walker(struct analysis_causes_summary *found);

/* What is asked for beside the sums. */
struct analysis_causes_tables {
    enum analysis_cost_by by; /* ANALYSIS_COST_BY_NOTHING: no rows */
    bool chain;
    bool backwards; /* the chain */
    const char *of; /* what the causes lead to; NULL: the end of the run */
    const struct lib_source *source; /* whose lines people see; or NULL */
    const char *const *links;        /* names of links from this number on; or NULL */
    uint32_t first_link, link_count;
};

/* Adds numbers and tables. For people, only causes that there are. The chain is read when it is
 * written: what was found outlives the findings. */
void analysis_causes_summary_tell(struct analysis_causes_summary *found,
                                  const struct analysis_causes_run *run,
                                  const struct analysis_causes_tables *tables,
                                  struct analysis_findings *findings);

/* Adds cycles by cause to an open object, all keys of analysis/causes/causes.def. */
void analysis_causes_summary_write_json(const struct analysis_causes_summary *found,
                                        struct lib_json *json);

#endif
