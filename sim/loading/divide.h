/* Programs that are divided among machines: makes a partitioned graph as the settings partition.*
 * say. */
#ifndef SIM_LOADING_DIVIDE_H
#define SIM_LOADING_DIVIDE_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "machine/settings.h"

/* Whether the settings ask for a partition, and the graph has none yet. */
bool sim_divides(const struct isa_graph *graph, const struct machine_settings *settings);

/* Returns the number of machines among which the settings divide a program, or 0 if they do not
 * say. */
uint64_t sim_divide_machines(const struct machine_settings *settings);

/* Whether settings that ask for a partition specify the machines and the map. Returns false and
 * adds a diagnostic if not. */
bool sim_divide_is_said(const struct machine_settings *settings, struct lib_diags *diags);

/* Returns the partitioned graph of an image, whose source may be NULL. Returns NULL and adds a
 * diagnostic if it cannot be divided. */
struct isa_graph *sim_divide(const struct isa_graph *image,
                             const struct machine_settings *settings,
                             const struct lib_source *source, struct lib_diags *diags);

/* Whether a machine can run a partitioned graph. Returns false and adds a diagnostic if not. */
bool sim_divided_fits(const struct isa_graph *graph,
                      const struct machine_settings *settings, struct lib_diags *diags);

#endif
