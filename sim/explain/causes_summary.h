/* Finds the causes of a run and their sums (analysis/causes/causes_summary.h). */
#ifndef SIM_EXPLAIN_CAUSES_SUMMARY_H
#define SIM_EXPLAIN_CAUSES_SUMMARY_H

#include "analysis/causes/causes_summary.h"
#include "sim/explain/causes.h"

/* Causes of a run. Start with {0}; free with sim_causes_summary_free. */
struct sim_causes_summary {
    struct analysis_causes_summary found;
    struct analysis_causes_run run;
    bool is_found;
    struct lib_arena *arena;  /* arena for names of links */
    const char *const *links; /* names of links, or NULL */
    uint32_t first_link, link_count;
};

/* Arguments of sim_causes_find. */
struct sim_causes_request {
    struct analysis_causes_wish of;
    bool chain, is_brief; /* keep the chain; shorten it, for people */
};

/* Finds the causes of a run: of `file`, or of a simulation of the session if that is NULL. Returns
 * false like sim_causes_run, or if the chain could not be stored. */
bool sim_causes_find(struct sim_causes_summary *causes, const struct sim_session *session,
                     struct sim_source *file, const struct sim_causes_request *wish,
                     const struct sim_watch *watch, struct lib_diags *diags);
void sim_causes_summary_free(struct sim_causes_summary *causes);

/* Adds sums and tables to a report, with names of links. */
void sim_causes_summary_write(struct sim_causes_summary *causes,
                              const struct analysis_causes_tables *tables,
                              struct lib_findings *findings);

#endif
