/* Divides a program among machines, as the settings partition.* specify. */
#ifndef SIM_LOADING_DIVIDE_H
#define SIM_LOADING_DIVIDE_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "machine/settings.h"

/* Whether the settings ask to divide a graph that is not divided yet. */
bool sim_divides(const struct isa_graph *graph, const struct machine_settings *settings);

/* Whether the settings ask to divide programs; whether RECVs are then scheduled for each tag. */
bool sim_divide_is_asked(const struct machine_settings *settings);
bool sim_divide_schedules(const struct machine_settings *settings);

/* Return the map of machines, and the weights of instructions, that the settings name; or NULL. */
const struct lib_source *sim_divide_map(const struct machine_settings *settings);
const struct lib_source *sim_divide_weights(const struct machine_settings *settings);

/* Returns the number of machines that the settings specify, or 0. */
uint64_t sim_divide_machines(const struct machine_settings *settings);

/* Checks that settings which ask to divide a program also specify all that this needs, such as the
 * number of machines. Returns false and adds a diagnostic if not. */
bool sim_divide_is_said(const struct machine_settings *settings, struct lib_diags *diags);

/* Returns a new graph: the program `image` divided among machines. `source` is the program's
 * source, or NULL. Returns NULL and adds a diagnostic if the program cannot be divided. */
struct isa_graph *sim_divide(const struct isa_graph *image,
                             const struct machine_settings *settings,
                             const struct lib_source *source, struct lib_diags *diags);

/* Checks that the machine with these settings can run a divided graph. Returns false and adds a
 * diagnostic if not. */
bool sim_divided_fits(const struct isa_graph *graph,
                      const struct machine_settings *settings, struct lib_diags *diags);

#endif
