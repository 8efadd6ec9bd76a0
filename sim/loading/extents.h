/* The check that params from a folder (--params) have the extents that the program declares. */
#ifndef SIM_LOADING_EXTENTS_H
#define SIM_LOADING_EXTENTS_H

#include "sim/loading/load.h"

/* Checks, before a run, the declared extents of params that were read from a folder: those that
 * depend on constants and on these inputs, a value per input of the program's graph. Returns true
 * if the program reads no params. Returns false and adds a diagnostic for each other shape. Adds a
 * warning if the extents cannot be computed. Threads may share the program. */
bool sim_extents_check(const struct sim_program *program,
                       const struct sim_settings *settings, const isa_value *inputs,
                       struct lib_diags *diags);

#endif
