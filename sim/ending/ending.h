/* Ending of a run and its results; the same for single runs and runs of experiments. */
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

/* Engines that can execute a program. */
enum sim_engine {
    SIM_ENGINE_MACHINE,
    SIM_ENGINE_INTERPRETER, /* untimed: has no cycles, series and profile */
};

/* The part of a run to which its statistics belong: cycles `from` to `to` - 1. */
struct sim_part {
    enum {
        SIM_PART_NONE,
        SIM_PART_BEGUN,
        SIM_PART_ENDED
    } state;           /* NONE: part not reached */
    uint64_t from, to; /* `to` is set when the part has ended */
    uint64_t of;       /* cycles of the whole run, after its end */
};

/* Ending of a run. Owns all members except `limit`; free with sim_ending_free. All except `seconds`
 * is deterministic, unless the run was interrupted. */
struct sim_ending {
    enum sim_engine engine;
    enum isa_end end;
    const char *limit;      /* name of the setting whose limit ended the run, or NULL */
    struct lib_text result; /* result of a completed run */
    struct lib_text reason; /* otherwise a sentence on why there is no result */
    struct lib_pos place;   /* place in the source that `reason` is about; line 0: none */
    struct lib_text about;  /* interrupted run: what it was doing, without numbers */
    struct lib_text waiting;          /* deadlock: lines about what waits for what */
    struct sim_deadlock_cycle circle; /* deadlock: steps that wait for each other */
    struct lib_text unused;    /* lines about faults in fault.list that never occurred */
    struct traces_stats stats; /* with ratios; `covers` says of which part of the run */
    struct sim_part part;      /* set if only a part of the run is measured */
    struct traces_series *series;   /* complete; NULL if not wanted */
    struct traces_profile *profile; /* complete; NULL if not wanted */
    struct analysis_costs *costs;   /* complete; NULL if not wanted */
    double seconds;                 /* time of the host in which the run advanced */
    struct lib_text *tensors;       /* completed run: the wanted tensors, as .npy files */
    size_t tensor_count;
    /* Library that multiplied matrices; empty if none, or if settings name it. */
    struct lib_text math;
    /* Built-in loops replaced OpenBLAS; `math` says why. */
    bool falls_back;
};

/* Sets the texts of an ending, whose `end` and `limit` are set. `machine` may be NULL. */
void sim_ending_describe(struct sim_ending *ending, const struct isa_exec *exec,
                         const struct machine *machine,
                         const struct machine_settings *settings);
void sim_ending_free(struct sim_ending *ending);

/* Returns the name of an end in results (doc/metrics.md): "completed", "store_full", ... */
const char *sim_end_name(enum isa_end end);

/* Returns the exit status of a command whose only run ended so. */
enum sim_status sim_end_status(enum isa_end end);

#endif
