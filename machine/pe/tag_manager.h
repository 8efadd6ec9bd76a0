/* Identifiers of tags (settings tag.*). A tag is the identity of an
 * activation, the same on every machine (isa/exec/activation.h). This part models the identifier
 * that tokens carry for it: how it is assigned, how long that takes, and what happens if there are
 * too few.
 *
 * `interned`: a tag manager serves a few CALLs per cycle, oldest
 * first; tag.bits limits the number of activations. `pool`: each function has identifiers of its
 * own (the local tag spaces of TYR). A CALL that finds none waits (stall), takes a slower one
 * (spill), or ends the run (stop). Waiting CALLs get free identifiers in the order of their
 * arrival.
 *
 * In a pool of two or more, the last identifier is reserved for iterations of running loops: an
 * ENTER leaves it, and a NEXT waits behind no ENTER. So a loop that has begun can continue, and two
 * identifiers suffice for nested loops (TYR). */
#ifndef MACHINE_PE_TAG_MANAGER_H
#define MACHINE_PE_TAG_MANAGER_H

#include "machine/part.h"
#include "machine/settings.h"
#include "machine/state_table.h"

#define MACHINE_NO_CALL UINT32_MAX

/* A CALL that waits for an identifier; or a free entry, with an old token. */
#define MACHINE_WAITING_CALL_FIELDS(F)                                                   \
    F(NUMBER, struct isa_token, token)                                                   \
    F(NUMBER, uint32_t, next) /* next CALL in the list, or next free entry */            \
    /* list of the CALLs that pass the other arguments of the call */                    \
    F(NUMBER, uint32_t, same)                                                            \
    F(NUMBER, uint32_t, last_same)
struct machine_waiting_call {
    MACHINE_WAITING_CALL_FIELDS(LIB_STATE_MEMBER)
};

/* List of CALLs that wait for identifiers of one pool. ENTERs have lists of their own. */
#define MACHINE_TAG_LIST_FIELDS(F)                                                       \
    F(INITIAL, uint32_t, first, MACHINE_NO_CALL)                                         \
    F(INITIAL, uint32_t, last, MACHINE_NO_CALL)
struct machine_tag_list {
    MACHINE_TAG_LIST_FIELDS(LIB_STATE_MEMBER)
};

/* State of the tag managers, or of pools of identifiers. */
#define MACHINE_TAG_MANAGER_FIELDS(F)                                                    \
    F(KEPT, uint64_t, scheme)                                                            \
    F(KEPT, uint64_t, exhausted)                                                         \
    F(KEPT, uint64_t, size) /* identifiers per pool; 0: unlimited */                     \
    F(KEPT, uint32_t, unit_count)                                                        \
    F(KEPT, uint32_t, list_count)                                                        \
    F(STRUCTS, machine_queue, units, s->unit_count)                                      \
    F(NUMBER, uint64_t, in_units) /* CALLs that wait for a tag manager */                \
    F(STRUCTS, machine_tag_list, lists, s->list_count)                                   \
    F(EACH, machine_waiting_call, calls)                                                 \
    F(INITIAL, uint32_t, free_call, MACHINE_NO_CALL)                                     \
    F(NUMBER, uint64_t, waiting) /* CALLs that wait for identifiers */                   \
    /* divided programs, else NULL: machine that numbers each function */                \
    F(OWNED, uint32_t, keepers)
struct machine_tag_manager {
    MACHINE_TAG_MANAGER_FIELDS(LIB_STATE_MEMBER)
};

/* Returns the cycles that a tag manager adds to a CALL; 0 without tag managers. */
uint64_t machine_tag_manager_latency(const struct machine *m);

#endif
