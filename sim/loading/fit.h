/* Decides whether settings fit together, and suit a program. A simulation checks when it opens, an
 * experiment checks all runs before the first. */
#ifndef SIM_LOADING_FIT_H
#define SIM_LOADING_FIT_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "machine/settings.h"
#include "sim/loading/load.h"

/* Checks that each setting is in its range. Returns false and adds a diagnostic if not. */
bool sim_settings_are_in_range(const struct machine_settings *settings,
                               struct lib_diags *diags);

/* Checks that a machine can have these settings, whatever program it runs. Returns false and adds a
 * diagnostic if not. */
bool sim_settings_fit(const struct machine_settings *settings, struct lib_diags *diags);

/* Checks that a machine with these settings can run an executable graph. Returns false and adds a
 * diagnostic if not. If the settings ask to divide a graph that is not divided yet, sets `*divided`
 * to the divided graph, which the caller frees; else to NULL. `divided` may be NULL. */
bool sim_program_fits(const struct isa_graph *graph,
                      const struct machine_settings *settings, struct isa_graph **divided,
                      struct lib_diags *diags);

/* Like sim_program_fits, for a loaded program. Diagnostics about a place of its source name the
 * file. */
bool sim_loaded_fits(const struct sim_program *program,
                     const struct machine_settings *settings, struct lib_diags *diags);

/* Checks that a program has no input ports, so that it needs no host. Returns false and adds a
 * diagnostic if it has. */
bool sim_program_runs_alone(const struct isa_graph *graph, struct lib_diags *diags);

/* Whether a program draws elements of tensors at random from the seed of the run. */
bool sim_program_draws(const struct isa_graph *graph);

#endif
