/* How much each instruction had to do in a run: for figures of graphs. */
#ifndef SIM_COMMANDS_HEAT_H
#define SIM_COMMANDS_HEAT_H

#include "sim/cli/options.h"
#include "traces/events.h"

/* HEAT(NAME, name, LEVEL, help): what is counted, and the least level of events that it needs. */
#define SIM_HEATS(HEAT)                                                                  \
    HEAT(FIRINGS, firings, FIRINGS, "live firings")                                      \
    HEAT(TOKENS, tokens, ALL, "tokens delivered")                                        \
    HEAT(BUSY, busy, FIRINGS, "busy function-unit cycles")

enum sim_heat {
#define HEAT(NAME, name, LEVEL, help) SIM_HEAT_##NAME,
    SIM_HEATS(HEAT)
#undef HEAT
        SIM_HEAT_NONE,
};

/* A run that was counted. Owns all it holds; give back with sim_heat_run_close, also where it
 * could not be made, and not before the diagnostics were told. */
struct sim_heat_run;

/* Runs what the options ask for, PROGRAM [NAME=VALUE]..., or takes the run of a recording or of a
 * file of events; SIM_DONE, or the status of a failure, which was told. */
enum sim_status sim_heat_run(const struct sim_options *options, enum sim_heat heat,
                             struct sim_heat_run **run);
void sim_heat_run_close(struct sim_heat_run *run);

/* What ran; and the count of each node of its graph. */
const struct sim_program *sim_heat_run_program(const struct sim_heat_run *run);
const uint64_t *sim_heat_run_counts(const struct sim_heat_run *run);

#endif
