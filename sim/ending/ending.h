/* How a run ended, and its results; for single runs and for runs of experiments. */
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
    SIM_ENGINE_INTERPRETER, /* untimed: has no cycles, series or profile */
};

/* The part of a run that statistics measure: cycles `from` to `to` - 1. */
struct sim_part {
    enum {
        SIM_PART_NONE,
        SIM_PART_BEGUN,
        SIM_PART_ENDED
    } state; /* SIM_PART_NONE: the run ended before the part began */
    /* cycles `from` to `to` - 1 are measured; `to` is set when the part has ended */
    uint64_t from, to;
    uint64_t of; /* cycles of the whole run; set at its end */
};

/* How a run ended. Owns everything except `limit`; free it with sim_ending_free. Everything except
 * `seconds` is deterministic, unless the run was interrupted. */
struct sim_ending {
    enum sim_engine engine;
    enum isa_end end;
    const char *limit;      /* key of the setting whose limit ended the run; NULL: none */
    struct lib_text result; /* result of a completed run */
    /* why the run has no result: a sentence; empty if completed */
    struct lib_text reason;
    /* position in the source that `reason` refers to; line 0: none */
    struct lib_pos place;
    /* what an interrupted run was doing, as text without numbers */
    struct lib_text about;
    /* lines that say what waits for what in a deadlock */
    struct lib_text waiting;
    struct sim_deadlock_cycle circle; /* steps of a deadlock that wait for each other */
    /* lines about faults in the setting fault.list that never occurred */
    struct lib_text unused;
    /* statistics and ratios; their member `covers` says which part of the run they measure */
    struct traces_stats stats;
    struct sim_part part;           /* set if only a part of the run is measured */
    struct traces_series *series;   /* complete; NULL if not wanted */
    struct traces_profile *profile; /* complete; NULL if not wanted */
    struct analysis_costs *costs;   /* complete; NULL if not wanted */
    /* time of the host, in seconds, while the run advanced */
    double seconds;
    struct lib_text *tensors; /* the wanted tensors of a completed run, as .npy files */
    size_t tensor_count;
    /* Name of the library that multiplied matrices; empty if none, or if settings choose it. */
    struct lib_text math;
    /* Whether built-in loops replaced OpenBLAS; `math` says why. */
    bool falls_back;
};

/* Sets the texts of an ending whose `end` and `limit` are set. `machine` may be NULL. */
void sim_ending_describe(struct sim_ending *ending, const struct isa_exec *exec,
                         const struct machine *machine,
                         const struct machine_settings *settings);
void sim_ending_free(struct sim_ending *ending);

/* Returns the name that `end` has in results (doc/metrics.md): "completed", "store_full", ... */
const char *sim_end_name(enum isa_end end);

/* Returns the exit status of a command whose only run ended in this way. */
enum sim_status sim_end_status(enum isa_end end);

#endif
