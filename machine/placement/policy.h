/* Policies of placement: which PE, or node, something gets. There is a row for each choice of
 * placement.policy, copy.placement and copy.coordinator.choice (machine/placement/policy.c). A
 * policy is a function of what its row says it knows, all of it as it is when it is asked: of the
 * cycle in which a call is issued, or the coordinator has done its work for a request. Where the
 * elements of arrays are (structure.placement) is asked too often for a table. */
#ifndef MACHINE_PLACEMENT_POLICY_H
#define MACHINE_PLACEMENT_POLICY_H

#include "machine/settings.h"

#include <stdbool.h>

struct machine;

/* What gets a place, and the PEs or nodes among which it does. */
struct machine_placing {
    uint64_t path; /* of the activation */
    uint32_t
        caller; /* the PE of who makes it; of a copy with a coordinator that of its APPLY */
    uint32_t first, count;
};

/* What a policy may know. */
enum {
    MACHINE_KNOWS_PATH = 1,
    MACHINE_KNOWS_SEED = 2,
    MACHINE_KNOWS_CALLER = 4,
    MACHINE_KNOWS_CHOICES = 8, /* how many places the coordinator has chosen */
    MACHINE_KNOWS_COPIES =
        16, /* nodes of copies that nodes have, and that were sent there */
};

struct machine_policy {
    uint32_t (*choose)(const struct machine *m, const struct machine_placing *what);
    uint8_t knows;
    bool in_node; /* of copies: among the PEs of the caller's node */
};

/* Of the activations of a machine, of its copies, and of the nodes that a coordinator chooses. */
struct machine_policies {
    const struct machine_policy *activations, *copies, *nodes;
};

struct machine_policies machine_policies_of(const struct machine_settings *settings);

/* Whether two machines that differ in their seeds place alike. */
bool machine_policies_know_seed(const struct machine_settings *settings);

/* The PE of an element of an array, among so many, which most often are 2^n: then nothing is
 * divided. */
static inline uint32_t machine_place_element(const struct machine_settings *s,
                                             uint32_t home, uint64_t element,
                                             uint64_t pes)
{
    const uint64_t at = home + element;
    if (s->structure_placement == MACHINE_STRUCTURE_LOCAL)
        return home;
    return (uint32_t)((pes & (pes - 1)) != 0 ? at % pes : at & (pes - 1));
}

/* How many elements of an array are at the `own` PEs from `first` on. */
uint64_t machine_place_elements(const struct machine_settings *settings, uint32_t home,
                                uint64_t length, uint64_t pes, uint64_t first,
                                uint64_t own);

#endif
