/* Decides whether settings fit together, and to a program; nothing else does. A simulation asks
 * when it is opened, an experiment before its first run for all runs. */
#ifndef SIM_LOADING_FIT_H
#define SIM_LOADING_FIT_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "machine/settings.h"

/* Whether each setting is in its range. Returns false and adds a diagnostic if one is not. */
bool sim_settings_are_in_range(const struct machine_settings *settings,
                               struct lib_diags *diags);

/* Whether a machine can have these settings, whatever it runs. Returns false and adds a diagnostic
 * if not. */
bool sim_settings_fit(const struct machine_settings *settings, struct lib_diags *diags);

/* Whether a machine of these settings can run an executable graph. If the settings ask for a
 * partition and the graph has none, `*divided` becomes the partitioned graph, which the caller
 * frees; else NULL. `divided` itself may be NULL. Returns false and adds a diagnostic if the
 * machine cannot run the graph. */
bool sim_program_fits(const struct isa_graph *graph,
                      const struct machine_settings *settings, struct isa_graph **divided,
                      struct lib_diags *diags);

/* Whether a program runs without a host: it has no ports in. Returns false and adds a diagnostic
 * if not. */
bool sim_program_runs_alone(const struct isa_graph *graph, struct lib_diags *diags);

/* Whether an instruction draws the elements of a tensor from the seed of a run. */
bool sim_program_draws(const struct isa_graph *graph);

#endif
