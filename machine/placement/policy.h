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

/* An activation or copy to be placed on one of `count` PEs or nodes from `first` on; if `places` is
 * not NULL, on one of its items `first`, `first` + 1, ..., whose index is chosen. */
struct machine_placing {
    uint64_t path; /* hash of the activation's tag */
    /* PE of the caller, or PE where the coordinator sent the APPLY */
    uint32_t caller;
    uint32_t first, count;
    const uint32_t *places; /* in ascending order (machine/placement/capability.h) */

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
    uint64_t element_step; /* that of `elements` */
    /* Number of PEs, minus 1, if elements lie at all of them and it is a mask; else
     * MACHINE_NO_MASK. */
    uint64_t element_mask;
    uint32_t pe_count;
    const struct machine_capability *capability; /* NULL: each PE can do everything */
    /* the PE of an activation depends on its path and the seed alone (machine/pe/place.c) */
    bool is_simple;
};

#define MACHINE_NO_MASK UINT64_MAX

/* Returns the policies that the settings choose, for a machine of `pe_count` PEs or workers. The
 * caller frees them; `capability` is borrowed. */
struct machine_policies *
machine_policies_make(const struct machine_settings *settings, uint32_t pe_count,
                      const struct machine_capability *capability);

/* Whether the PE of an activation depends on its path and the seed alone, in a machine whose parts
 * are made. */
bool machine_place_is_simple(const struct machine *m);

/* Whether the seed influences where activations are placed. */
bool machine_policies_know_seed(const struct machine_settings *settings);

/* Like machine_place_element, for machines whose number of PEs is not a power of 2, or whose PEs do
 * not all have memory units. */
uint32_t machine_place_element_at(const struct machine_policies *policies, uint32_t home,
                                  uint64_t element);

/* Returns the PE of an array element. `home` is the PE where the array was made. */
static inline uint32_t machine_place_element(const struct machine_policies *policies,
                                             uint32_t home, uint64_t element)
{
    if (policies->element_mask == MACHINE_NO_MASK)
        return machine_place_element_at(policies, home, element);
    return (uint32_t)((home + element * policies->element_step) & policies->element_mask);
}

/* Returns the number of PEs that hold elements, of those from `first` to `end` - 1. */
uint32_t machine_element_pes(const struct machine_policies *policies, uint32_t first,
                             uint32_t end);

/* Returns how many of the `length` elements of an array lie at the `own` PEs from `first` on. */
uint64_t machine_count_elements(const struct machine_policies *policies, uint32_t home,
                                uint64_t length, uint32_t first, uint32_t own);

#endif
