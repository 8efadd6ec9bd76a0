/* Programs that are divided among machines: from the settings partition.* to a partitioned
 * graph. */
#ifndef SIM_LOADING_DIVIDE_H
#define SIM_LOADING_DIVIDE_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "machine/settings.h"

/* Whether the settings ask for a partition of a graph, which has none. */
bool sim_divides(const struct isa_graph *graph, const struct machine_settings *settings);

/* Among how many machines the settings divide a program; 0: it is not said. */
uint64_t sim_divide_machines(const struct machine_settings *settings);

/* Whether settings that ask for a partition say among which machines, and by which map. Returns
 * false and adds a diagnostic if they do not. */
bool sim_divide_is_said(const struct machine_settings *settings, struct lib_diags *diags);

/* The partitioned graph of an image, whose source may be NULL; NULL: it cannot be, and why is in
 * `diags`. */
struct isa_graph *sim_divide(const struct isa_graph *image,
                             const struct machine_settings *settings,
                             const struct lib_source *source, struct lib_diags *diags);

/* Whether a machine can run a partitioned graph. */
bool sim_divided_fits(const struct isa_graph *graph,
                      const struct machine_settings *settings, struct lib_diags *diags);

#endif
