/* Placement policies: functions that choose the PE or node for an activation, a copy of a graph or
 * an array element. machine/placement/policy.c has a row for each value of placement.policy,
 * copy.placement, copy.coordinator.choice and structure.placement.
 *
 * A row names the state that its function may read, as it is when a call is issued or the
 * coordinator chooses. The PE of an array element depends only on the array and the index,
 * because each access computes it. */
#ifndef MACHINE_PLACEMENT_POLICY_H
#define MACHINE_PLACEMENT_POLICY_H

#include "machine/settings.h"

#include <stdbool.h>

struct machine;

/* An activation or copy to be placed on one of `count` PEs or nodes from `first` on. */
struct machine_placing {
    uint64_t path; /* hash of the activation's tag */
    /* PE of the caller, or PE where the coordinator sent the APPLY */
    uint32_t caller;
    uint32_t first, count;

    /* For nodes: the number of choices that the coordinator has made, and a function that returns
     * the size of the copies of graphs at a node or in transit to it. */
    uint64_t choices;
    uint64_t (*load)(const struct machine *m, uint32_t node);
};

/* State that a placement policy may read, as bits. */
enum {
    MACHINE_KNOWS_PATH = 1,
    MACHINE_KNOWS_SEED = 2,
    MACHINE_KNOWS_CALLER = 4,
    MACHINE_KNOWS_CHOICES = 8, /* number of choices that the coordinator has made */
    /* size of the copies of graphs at each node, or in transit to it */
    MACHINE_KNOWS_COPIES = 16,
};

struct machine_policy {
    uint32_t (*choose)(const struct machine *m, const struct machine_placing *what);
    uint8_t knows; /* state that `choose` reads, as bits MACHINE_KNOWS_... */
    bool in_node;  /* for copies: chooses among the PEs of the caller's node */
};

/* Policy for the elements of an array. `home` is the PE of the first element. */
struct machine_element_policy {
    /* Distance in PEs from one element to the next, modulo the number of PEs. */
    uint64_t step;

    /* Returns how many of the `length` elements of an array lie at the `own` PEs from `first`
     * on. */
    uint64_t (*count)(uint32_t home, uint64_t length, uint64_t pes, uint64_t first,
                      uint64_t own);
};

/* The placement policies of a machine: for activations, copies of graphs, nodes that the
 * coordinator chooses, and array elements. */
struct machine_policies {
    const struct machine_policy *activations, *copies, *nodes;
    const struct machine_element_policy *elements;
};

/* Returns the policies that the settings choose; the caller frees them. */
struct machine_policies *machine_policies_make(const struct machine_settings *settings);

/* Whether the seed influences where activations are placed. */
bool machine_policies_know_seed(const struct machine_settings *settings);

/* Returns the PE of an array element, among `pes` PEs. */
static inline uint32_t machine_place_element(const struct machine_element_policy *policy,
                                             uint32_t home, uint64_t element,
                                             uint64_t pes)
{
    const uint64_t at = home + element * policy->step;
    return (uint32_t)((pes & (pes - 1)) != 0 ? at % pes : at & (pes - 1));
}

#endif
