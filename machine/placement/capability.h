/* Capabilities: which PEs can do what the activations of each function fire, where classes of PEs
 * lack function units (settings class.NAME.units; doc/model/pe.md, "Capabilities").
 *
 * Activations of a function have a list of places: the PEs, within one machine of a divided
 * program, at which all machines can do all that fires under their tags. Elements of arrays have
 * the list of PEs with memory units. A machine all of whose PEs can do everything has no lists, so
 * that nothing is looked up in them. */
#ifndef MACHINE_PLACEMENT_CAPABILITY_H
#define MACHINE_PLACEMENT_CAPABILITY_H

#include "isa/graph.h"
#include "lib/diag.h"
#include "machine/settings.h"
#include "traces/machine.h"

/* Numbers of PEs or places in ascending order. */
struct machine_places {
    uint32_t count;
    uint32_t *items;
};

struct machine_capability {
    /* For each function: index of its list in `lists`. */
    uint32_t *list_of;
    struct machine_places *lists;
    uint32_t list_count;
    struct machine_places memory; /* PEs with memory units */
    uint32_t *memory_below;       /* for each PE: number of these before it */
};

/* Returns the lists for an executable graph on the machine `about`, which has the settings; the
 * caller frees them. Returns NULL if each function can be at each PE. A list is empty if the graph
 * does not fit. */
struct machine_capability *
machine_capability_make(const struct traces_machine *about, const struct isa_graph *graph,
                        const struct machine_settings *settings);
void machine_capability_free(struct machine_capability *capability); /* may be NULL */

/* Returns the index in `places` of the first item not below `place`. */
uint32_t machine_places_from(const struct machine_places *places, uint32_t place);

/* Returns the places of a function. */
static inline const struct machine_places *
machine_capability_of(const struct machine_capability *capability, uint32_t function)
{
    return &capability->lists[capability->list_of[function]];
}

/* Whether a function can be at a place. */
bool machine_capability_has(const struct machine_capability *capability,
                            uint32_t function, uint32_t place);

/* Checks that placement.functions names classes of the machine. Returns false and adds a diagnostic
 * if not. */
bool machine_placement_fits(const struct machine_settings *settings,
                            struct lib_diags *diags);

/* Checks that placement.functions names functions of an executable graph, and that all its
 * functions have a place, in each group of `node_pes` PEs if that is not
 * 0. Returns false and adds a diagnostic if not. */
bool machine_capability_fits(const struct traces_machine *about,
                             const struct isa_graph *graph,
                             const struct machine_settings *settings, uint32_t node_pes,
                             struct lib_diags *diags);

#endif
