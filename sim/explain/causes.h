/* Finds the causes of the cycles of a run (analysis/causes/causes.h), which is simulated or read
 * from an event file, and sums them. */
#ifndef SIM_EXPLAIN_CAUSES_H
#define SIM_EXPLAIN_CAUSES_H

#include "analysis/causes/causes_summary.h"
#include "analysis/causes/stopped.h"
#include "sim/replay/source.h"

/* Follows the causal chain of a run. If `file` is NULL, simulates the run twice, else reads it
 * twice from `file`. `config` describes the run. If the settings demand that the program is
 * partitioned, it must be partitioned already. Returns false if the callback `watch` of `config`
 * stopped the run; returns false and adds a diagnostic on errors. */
bool sim_causes_run(const struct sim_simulation_config *config, struct sim_source *file,
                    const struct analysis_causes_wish *wish,
                    const struct analysis_causes_walker *walker,
                    struct analysis_causes_run *run, struct lib_diags *diags);

/* Simulates a run, and lists the tokens that cannot proceed at its end and what they wait for.
 * Returns false if stopped or on errors, like sim_causes_run. */
bool sim_causes_state(const struct sim_simulation_config *config,
                      enum analysis_stopped_by by, struct analysis_stopped *stopped,
                      struct lib_diags *diags);

/* --- sums (analysis/causes/causes_summary.h) -------------------------------------------------- */

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
