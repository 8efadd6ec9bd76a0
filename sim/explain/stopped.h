/* Why a run stopped: what waits for what (analysis/causes/stopped.h), and which settings would
 * have let it go on, found by runs. */
#ifndef SIM_EXPLAIN_STOPPED_H
#define SIM_EXPLAIN_STOPPED_H

#include "analysis/causes/stopped.h"
#include "sim/session/simulation.h"

/* A setting with which the run goes on. */
struct sim_stopped_remedy {
    const char *key;
    char *now, *value; /* as it is, and the least value that lets it go on; owned */
    enum isa_end end;  /* with which it ends then */
    uint64_t cycles;   /* after so many */
    const char *fails; /* what one less ends with; NULL: there is no less */
};

struct sim_stopped {
    struct sim_ending ending; /* of the run as it is */
    struct analysis_stopped waits;
    LIB_VEC(struct sim_stopped_remedy) remedies;
    uint64_t runs; /* that were made to find them */
};

/* Whether a run that ended so was stopped by something. */
bool sim_stopped_is(enum isa_end end);

/* Runs what `config` says, and finds out. false: it could not, or nobody wants more. Give back
 * with _free in either case. */
bool sim_stopped_find(const struct sim_simulation_config *config,
                      struct sim_stopped *stopped, struct lib_diags *diags);
void sim_stopped_free(struct sim_stopped *stopped);

#endif
