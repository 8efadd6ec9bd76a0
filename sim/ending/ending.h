/* The ending of a run and its results, in the same form for a single run and for the runs of an
 * experiment. */
#ifndef SIM_ENDING_ENDING_H
#define SIM_ENDING_ENDING_H

#include "analysis/cost/cost.h"
#include "isa/exec/exec.h"
#include "machine/settings.h"
#include "sim/ending/deadlock_cycle.h"
#include "sim/ending/status.h"
#include "traces/profile.h"
#include "traces/series.h"
#include "traces/stats.h"

struct machine;

/* Engines that execute a program. */
enum sim_engine {
    SIM_ENGINE_MACHINE,
    SIM_ENGINE_INTERPRETER, /* untimed: without cycles, series and profile */
};

/* The part of a run to which its statistics belong: the cycles from `from` to `to` - 1. */
struct sim_part {
    enum { SIM_PART_NONE, SIM_PART_BEGUN, SIM_PART_ENDED } state; /* NONE: not reached */
    uint64_t from, to; /* `to` is set when the part has ended */
    uint64_t of;       /* cycles of the whole run, after its end */
};

/* The ending of a run. It owns all members except `limit`; free it with sim_ending_free. Except
 * `seconds`, it is deterministic, unless the run was interrupted. */
struct sim_ending {
    enum sim_engine engine;
    enum isa_end end;
    const char *limit;       /* constant: the setting that ended it; or NULL */
    struct lib_text result;  /* result of a completed run */
    struct lib_text reason;  /* otherwise a sentence on why there is no result */
    struct lib_pos place;    /* place of that in the source; line 0 for none */
    struct lib_text about;   /* interrupted run: what it was doing, without numbers */
    struct lib_text waiting; /* deadlock: lines about what waits for what */
    struct sim_deadlock_cycle circle; /* deadlock: the cycle of waiting */
    struct lib_text unused;    /* lines about faults of fault.list that never occurred */
    struct traces_stats stats; /* with ratios; for the part of the run in `covers` */
    struct sim_part part;      /* set if a part of the run was asked for */
    struct traces_series *series;   /* complete; or NULL if not asked for */
    struct traces_profile *profile; /* complete; or NULL if not asked for */
    struct analysis_costs *costs;   /* complete; or NULL if not asked for */
    double seconds;                 /* host time in which the run advanced */
    struct lib_text *tensors;       /* completed run: tensors asked for, as .npy files */
    size_t tensor_count;
    /* Library of matrix products; empty if none, or if settings name it. */
    struct lib_text math;
    /* The reference was used in place of OpenBLAS, for the reason in `math`. */
    bool falls_back;
};

/* Sets the texts of an ending from its `end` and `limit`, the execution, its settings, and its
 * machine, which may be NULL. */
void sim_ending_describe(struct sim_ending *ending, const struct isa_exec *exec,
                         const struct machine *machine,
                         const struct machine_settings *settings);
void sim_ending_free(struct sim_ending *ending);

/* Returns the status of doc/metrics.md: "completed", "store_full". */
const char *sim_end_name(enum isa_end end);

/* Returns the exit status of a command that made one run. */
enum sim_status sim_end_status(enum isa_end end);

#endif
