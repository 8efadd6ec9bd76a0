/* How a run ended, and what it leaves behind: the same for who runs one program and for who
 * reads the results of a thousand. */
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

/* What executes a program. */
enum sim_engine {
    SIM_ENGINE_MACHINE,
    SIM_ENGINE_INTERPRETER, /* untimed: it has no cycles, no series and no profile */
};

/* The part of a run that its statistics are of: the cycles from `from` to `to` - 1. */
struct sim_part {
    enum { SIM_PART_NONE, SIM_PART_BEGUN, SIM_PART_ENDED } state; /* NONE: not reached */
    uint64_t from, to; /* `to` is known when it has ended */
    uint64_t of;       /* the cycles of the whole run, when that has ended */
};

/* Owns all it holds but `limit`; give back with sim_ending_free. Outside `seconds` it is
 * deterministic, but for a run that was interrupted. */
struct sim_ending {
    enum sim_engine engine;
    enum isa_end end;
    const char *limit;       /* the setting that ended it: a constant; or NULL */
    struct lib_text result;  /* of a run that completed */
    struct lib_text reason;  /* of any other: a sentence on why it has no result, */
    struct lib_pos place;    /* and where in the source; line 0: nowhere */
    struct lib_text about;   /* of one that was interrupted: in what, without numbers */
    struct lib_text waiting; /* of a deadlock: lines on what waits for what, */
    struct sim_deadlock_cycle circle; /* and what waits for itself */
    struct lib_text unused;       /* lines on faults of fault.list that never happened */
    struct traces_stats stats;    /* ratios too; of what `covers` says */
    struct sim_part part;         /* where a part of the run was asked for */
    struct traces_series *series; /* complete; NULL: not asked for */
    struct traces_profile *profile; /* complete; NULL: not asked for */
    struct analysis_costs *costs;   /* complete; NULL: not asked for */
    double seconds;                 /* of the host, while it advanced */
    struct lib_text
        *tensors;        /* of a run that completed, as .npy files: those asked for; */
    size_t tensor_count; /* so many */
    struct lib_text
        math; /* who multiplied matrices; empty: nobody did, or the settings say it */
    bool
        falls_back; /* the reference did, where OpenBLAS was asked for: `math` says why */
};

/* Fills in the texts of an ending whose `end` and `limit` are there, from the execution
 * that ended so, under these settings, and its machine, if there is one. */
void sim_ending_describe(struct sim_ending *ending, const struct isa_exec *exec,
                         const struct machine *machine,
                         const struct machine_settings *settings);
void sim_ending_free(struct sim_ending *ending);

/* "completed", "store_full": the status of doc/metrics.md. */
const char *sim_end_name(enum isa_end end);

/* The exit status of a command that made one run. */
enum sim_status sim_end_status(enum isa_end end);

#endif
