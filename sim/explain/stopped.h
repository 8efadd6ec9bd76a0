/* Finds why a run stopped: what waits for what (analysis/causes/stopped.h), and, by trial runs,
 * settings with which the run would have continued. */
#ifndef SIM_EXPLAIN_STOPPED_H
#define SIM_EXPLAIN_STOPPED_H

#include "analysis/causes/stopped.h"
#include "sim/session/simulation.h"

/* A change of a setting with which the run would continue. */
struct sim_stopped_remedy {
    const char *key;
    /* owned: the present value; the smallest value with which the run continues */
    char *now, *value;
    enum isa_end end; /* how the run ends with `value` */
    uint64_t cycles;  /* cycles of the run with `value` */
    /* how the run ends with `value` - 1, as text; NULL if the setting is not a number */
    const char *fails;
};

struct sim_stopped {
    struct sim_ending ending; /* how the unchanged run ended */
    struct analysis_stopped waits;
    LIB_VEC(struct sim_stopped_remedy) remedies;
    uint64_t runs; /* number of trial runs made */
};

/* Whether sim_stopped_find can explain this end of a run: a deadlock, a full store, or exhausted
 * tags. */
bool sim_stopped_is(enum isa_end end);

/* Simulates `config`, and finds reasons and remedies. Returns false if that failed or was
 * interrupted. Call sim_stopped_free in either case. */
bool sim_stopped_find(const struct sim_simulation_config *config,
                      struct sim_stopped *stopped, struct lib_diags *diags);
void sim_stopped_free(struct sim_stopped *stopped);

#endif
