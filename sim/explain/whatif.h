/* What-if: how long a run would take if a part of it took another time; predicted from dependences
 * (analysis/whatif), and simulated. */
#ifndef SIM_EXPLAIN_WHATIF_H
#define SIM_EXPLAIN_WHATIF_H

#include "analysis/whatif/retime.h"
#include "machine/machine.h"
#include "sim/loading/setting.h"
#include "sim/session/simulation.h"

/* ticks (units of predicted time) per cycle, for changes of the times of instructions */
enum { SIM_WHATIF_SCALE = 20 };

/* A change of a setting, or of the times of some instructions. */
struct sim_whatif_change {
    const char *text; /* the change as written by the user; borrowed */
    enum sim_whatif_of {
        SIM_WHATIF_SETTING,
        SIM_WHATIF_LINE,
        SIM_WHATIF_FUNCTION,
        SIM_WHATIF_OPCODE,
        SIM_WHATIF_UNIT,
    } of;
    const struct lib_setting *setting;
    /* the changed settings; for SIM_WHATIF_SETTING only */
    struct sim_settings settings;
    /* source line; or index of the function, opcode or class of function units: see `of` */
    uint32_t which;
    bool is_free; /* whether the instructions take no time and no issue slot */
    bool is_set;  /* whether `cycles` is the new latency from issue to result */
    uint64_t cycles;
    /* unless is_set or is_free: multiplies latencies and times in issue slots */
    double factor;
};

/* Reads a change: "network.latency=0", "unit(mul)=1", "line(12)=free", "function(f)/2",
 * "opcode(FETCH)*0.5". Keeps rows of classes of PEs in the arena. On errors returns false, and sets
 * `why` to what was expected and found. */
bool sim_whatif_read(struct lib_arena *arena, struct sim_whatif_change *change,
                     const char *text, const struct machine_settings *settings,
                     const struct isa_graph *graph, struct lib_text *why);

bool sim_whatif_concerns(const struct sim_whatif_change *change,
                         const struct isa_graph *graph, uint32_t node);

struct sim_whatif;

/* Returns why a change cannot be predicted; NULL if it can. */
const char *sim_whatif_unpredicted(const struct sim_whatif *whatif,
                                   const struct sim_whatif_change *change);

struct sim_whatif_result {
    /* cycles; NaN if not predictable, or if the run did not complete */
    double predicted, simulated;
    enum isa_end end;
};

/* A run for which the user asks how long it would take after changes. */
struct sim_whatif {
    /* borrowed; its member `code` must be set */
    const struct sim_simulation_config *config;
    struct analysis_stream_run run;
    /* NULL if predictions are impossible, as with executors. */
    struct analysis_dependences *dependences;
    uint64_t cycles;  /* cycles of the unchanged run */
    uint64_t retimed; /* predicted ticks of the unchanged run */
    enum isa_end end;
};

/* Simulates the unchanged run. Returns false if that failed or was stopped. */
bool sim_whatif_open(struct sim_whatif *whatif,
                     const struct sim_simulation_config *config, struct lib_diags *diags);
void sim_whatif_close(struct sim_whatif *whatif);

/* Predicts and simulates a change. Returns false and adds a diagnostic if the change cannot be
 * simulated. */
bool sim_whatif_ask(const struct sim_whatif *whatif,
                    const struct sim_whatif_change *change,
                    struct sim_whatif_result *result, struct lib_diags *diags);

/* Like sim_whatif_ask for `count` changes, in `jobs` processes. */
bool sim_whatif_ask_all(const struct sim_whatif *whatif,
                        const struct sim_whatif_change *changes, size_t count,
                        unsigned jobs, struct sim_whatif_result *results,
                        struct lib_diags *diags);

#endif
