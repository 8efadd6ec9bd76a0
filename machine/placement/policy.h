/* Placement policies: the choice of a PE or node.
 *
 * machine/placement/policy.c has a row for each option of placement.policy, copy.placement,
 * copy.coordinator.choice and structure.placement. A row names the state that its function may
 * read. The state is current: that of the cycle in which a call is issued, or in which the
 * coordinator completes a request. The PE of an array element follows from its array alone, by a
 * number of the row, as it is needed for each access. */
#ifndef MACHINE_PLACEMENT_POLICY_H
#define MACHINE_PLACEMENT_POLICY_H

#include "machine/settings.h"

#include <stdbool.h>

struct machine;

/* Object to place, and the PEs or nodes to choose from. */
struct machine_placing {
    uint64_t path;   /* hash of the activation's tag */
    uint32_t caller; /* PE of the call; with a coordinator, PE of the APPLY */
    uint32_t first, count;
};

/* State that a policy may read. */
enum {
    MACHINE_KNOWS_PATH = 1,
    MACHINE_KNOWS_SEED = 2,
    MACHINE_KNOWS_CALLER = 4,
    MACHINE_KNOWS_CHOICES = 8, /* how many PEs the coordinator has chosen so far */
    MACHINE_KNOWS_COPIES =
        16, /* graph nodes of copies at each node, including those in transit */
};

struct machine_policy {
    uint32_t (*choose)(const struct machine *m, const struct machine_placing *what);
    uint8_t knows; /* MACHINE_KNOWS_... */
    bool in_node;  /* copies: chooses among the PEs of the caller's node */
};

/* A policy for the elements of an array, whose home is the PE of its first element. */
struct machine_element_policy {
    uint64_t step; /* PEs from one element to the next, around */

    /* Returns how many elements of an array of `length` are at the `own` PEs from `first` on. */
    uint64_t (*count)(uint32_t home, uint64_t length, uint64_t pes, uint64_t first,
                      uint64_t own);
};

/* Policies of a machine: for activations, for copies, for the nodes that a coordinator chooses, and
 * for elements. */
struct machine_policies {
    const struct machine_policy *activations, *copies, *nodes;
    const struct machine_element_policy *elements;
};

/* Returns the policies of a machine; the caller frees them. */
struct machine_policies *machine_policies_make(const struct machine_settings *settings);

/* Whether a policy of the machine depends on the seed. */
bool machine_policies_know_seed(const struct machine_settings *settings);

/* Returns the PE of an element of an array, one of `pes`. No division is needed if `pes` is a power
 * of two. */
static inline uint32_t machine_place_element(const struct machine_element_policy *policy,
                                             uint32_t home, uint64_t element,
                                             uint64_t pes)
{
    const uint64_t at = home + element * policy->step;
    return (uint32_t)((pes & (pes - 1)) != 0 ? at % pes : at & (pes - 1));
}

#endif
