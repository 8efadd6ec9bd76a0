/* Placement policies: how a PE or node is chosen for an activation, a copy of a graph or an array
 * element. machine/placement/policy.c has a row for each choice of placement.policy,
 * copy.placement, copy.coordinator.choice and structure.placement.
 *
 * A row names the state that its function may read: the state in the cycle in which a call is
 * issued or the coordinator completes a request. The PE of an array element follows from its array
 * and index alone, because each access needs it. */
#ifndef MACHINE_PLACEMENT_POLICY_H
#define MACHINE_PLACEMENT_POLICY_H

#include "machine/settings.h"

#include <stdbool.h>

struct machine;

/* The thing to be placed, and the PEs or nodes to choose from. */
struct machine_placing {
    uint64_t path;   /* hash of the activation's tag */
    uint32_t caller; /* PE of the call; with a coordinator, PE of the APPLY */
    uint32_t first, count;
};

/* State that a policy may read, as bits. */
enum {
    MACHINE_KNOWS_PATH = 1,
    MACHINE_KNOWS_SEED = 2,
    MACHINE_KNOWS_CALLER = 4,
    MACHINE_KNOWS_CHOICES = 8, /* number of choices of the coordinator so far */
    /* Number of graph nodes of copies at each node, or in transit to it. */
    MACHINE_KNOWS_COPIES = 16,
};

struct machine_policy {
    uint32_t (*choose)(const struct machine *m, const struct machine_placing *what);
    uint8_t knows; /* bits MACHINE_KNOWS_... */
    bool in_node;  /* for copies: chooses among the PEs of the caller's node */
};

/* Policy for the elements of an array. `home` is the PE of the first element. */
struct machine_element_policy {
    /* Distance in PEs from one element to the next, modulo the number of PEs. */
    uint64_t step;

    /* Returns how many elements of an array of `length` elements are at the `own` PEs from `first`
     * on. */
    uint64_t (*count)(uint32_t home, uint64_t length, uint64_t pes, uint64_t first,
                      uint64_t own);
};

/* Policies of a machine, for what they place; `nodes` is for the coordinator. */
struct machine_policies {
    const struct machine_policy *activations, *copies, *nodes;
    const struct machine_element_policy *elements;
};

/* Returns the policies of a machine; the caller frees them. */
struct machine_policies *machine_policies_make(const struct machine_settings *settings);

/* Whether some policy of the machine depends on the seed. */
bool machine_policies_know_seed(const struct machine_settings *settings);

/* Returns the PE of an array element, among `pes` PEs. Needs no division if `pes` is a power of
 * two. */
static inline uint32_t machine_place_element(const struct machine_element_policy *policy,
                                             uint32_t home, uint64_t element,
                                             uint64_t pes)
{
    const uint64_t at = home + element * policy->step;
    return (uint32_t)((pes & (pes - 1)) != 0 ? at % pes : at & (pes - 1));
}

#endif
