/* Counts how much work each instruction did in a run, for drawings of graphs. */
#ifndef SIM_COMMANDS_HEAT_H
#define SIM_COMMANDS_HEAT_H

#include "sim/cli/options.h"
#include "traces/events.h"

/* HEAT(NAME, name, LEVEL, help): a count per instruction. LEVEL is the lowest level of events
 * (traces/events.h) from which it can be counted. */
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

/* Run with a count per instruction. Owns all it holds. Free with sim_heat_run_close after printing
 * the diagnostics, even if it could not be made. */
struct sim_heat_run;

/* Runs the program of the options, PROGRAM [NAME=VALUE]..., or reads a recording or event file.
 * Returns SIM_DONE, or the status of an error that it has reported. */
enum sim_status sim_heat_run(const struct sim_options *options, enum sim_heat heat,
                             struct sim_heat_run **run);
void sim_heat_run_close(struct sim_heat_run *run);

/* Return the program that ran, and an array with the count of each node of its graph; both live as
 * long as `run`. */
const struct sim_program *sim_heat_run_program(const struct sim_heat_run *run);
const uint64_t *sim_heat_run_counts(const struct sim_heat_run *run);

#endif
