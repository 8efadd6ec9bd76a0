/* What a run would take if something took another time: predicted from its dependences
 * (analysis/whatif), and simulated. */
#ifndef SIM_EXPLAIN_WHATIF_H
#define SIM_EXPLAIN_WHATIF_H

#include "analysis/whatif/retime.h"
#include "machine/machine.h"
#include "sim/session/simulation.h"

enum {
    SIM_WHATIF_SCALE =
        20, /* ticks of a cycle, where instructions take times of their own */
};

/* A change: of a setting, or of the instructions that are so. */
struct sim_whatif_change {
    const char *text; /* as it was written; borrowed */
    enum sim_whatif_of {
        SIM_WHATIF_SETTING,
        SIM_WHATIF_LINE,
        SIM_WHATIF_FUNCTION,
        SIM_WHATIF_OPCODE,
        SIM_WHATIF_UNIT,
    } of;
    const struct machine_setting *setting;
    struct machine_settings settings; /* with the change, of a setting */
    uint32_t which;                   /* line, function, opcode or unit */
    bool is_free;                     /* no latency, and no issue slot */
    bool is_set; /* the time from a turn to its result is `cycles`; else */
    uint64_t cycles;
    double
        factor; /* it takes so many times as long, of its latency and of an issue slot */
};

/* "network.latency=0", "unit(mul)=1", "line(12)=free", "function(f)/2", "opcode(FETCH)*0.5".
 * false: it is none; what was found and expected is in `why`. */
bool sim_whatif_read(struct sim_whatif_change *change, const char *text,
                     const struct machine_settings *settings,
                     const struct isa_graph *graph, struct lib_text *why);

/* Whether a node takes another time then. */
bool sim_whatif_concerns(const struct sim_whatif_change *change,
                         const struct isa_graph *graph, uint32_t node);

struct sim_whatif_result {
    double predicted,
        simulated; /* cycles; NaN: it cannot be predicted, or did not complete */
    enum isa_end end;
};

/* A run to which questions are put. */
struct sim_whatif {
    const struct sim_simulation_config *config; /* borrowed; with code */
    struct analysis_stream_run run;
    struct analysis_dependences
        *dependences; /* NULL: nothing can be predicted, as of executors */
    uint64_t cycles;  /* that it takes */
    uint64_t
        retimed; /* ticks that its dependences take, timed again with nothing changed */
    enum isa_end end;
};

/* Simulates it once. false: it could not be, or was stopped. */
bool sim_whatif_open(struct sim_whatif *whatif,
                     const struct sim_simulation_config *config, struct lib_diags *diags);
void sim_whatif_close(struct sim_whatif *whatif);

/* Predicts, and simulates. false: it could not be simulated; why is in `diags`. */
bool sim_whatif_ask(const struct sim_whatif *whatif,
                    const struct sim_whatif_change *change,
                    struct sim_whatif_result *result, struct lib_diags *diags);

/* Asks so many questions, in `jobs` processes at once. */
bool sim_whatif_ask_all(const struct sim_whatif *whatif,
                        const struct sim_whatif_change *changes, size_t count,
                        unsigned jobs, struct sim_whatif_result *results,
                        struct lib_diags *diags);

#endif
