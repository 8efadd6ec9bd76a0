/* Finds the causes of a run, and sums them (analysis/causes/causes_summary.h). */
#ifndef SIM_EXPLAIN_CAUSES_SUMMARY_H
#define SIM_EXPLAIN_CAUSES_SUMMARY_H

#include "analysis/causes/causes_summary.h"
#include "sim/explain/causes.h"

/* The causes of a run. Initialise it with {0}; free it with sim_causes_summary_free. */
struct sim_causes_summary {
    struct analysis_causes_summary found;
    struct analysis_causes_run run;
    bool is_found;
    struct lib_arena *arena;  /* has the names of links */
    const char *const *links; /* names of the network's links, or NULL */
    uint32_t first_link, link_count;
};

/* Arguments of sim_causes_find. */
struct sim_causes_request {
    struct analysis_causes_wish of;
    /* whether to keep the causal chain; whether to shorten it for people */
    bool chain, is_brief;
    /* causes are summed for cycles `from` to `to` - 1 only; `to` 0: until the end */
    uint64_t from, to;
};

/* Finds the causes of the run in `file`; if `file` is NULL, simulates the run of `session`. Returns
 * false if stopped or on errors, like sim_causes_run, or if the causal chain could not be
 * stored. */
bool sim_causes_find(struct sim_causes_summary *causes, const struct sim_session *session,
                     struct sim_source *file, const struct sim_causes_request *wish,
                     const struct sim_watch *watch, struct lib_diags *diags);
void sim_causes_summary_free(struct sim_causes_summary *causes);

/* Adds the sums and tables, with names of links, to findings. */
void sim_causes_summary_write(struct sim_causes_summary *causes,
                              const struct analysis_causes_tables *tables,
                              struct lib_findings *findings);

#endif
