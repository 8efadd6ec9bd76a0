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

/* Returns the index of the list in which CALLs of a function or NEXTs of a loop wait for an
 * identifier; is_enter: in which ENTERs of the loop wait. Without pools, all wait in list 0. */
static inline uint32_t
machine_tag_manager_list(const struct machine_tag_manager *tag_manager, uint32_t function,
                         bool is_enter)
{
    return tag_manager->scheme == MACHINE_TAGS_POOL ? function << 1 | is_enter : 0;
}

/* Whether an identifier is free for an activation of a function, or (is_enter) for a loop that
 * begins. */
bool machine_tag_manager_has(const struct machine_tag_manager *tag_manager,
                             const struct isa_activations *tags, uint32_t function,
                             bool is_enter);

/* Makes the first CALL of a call wait for an identifier. Returns a value from ISA_TAG_LIMIT on.
 * Kept in place of the tag of the new activation, it makes the other CALLs of the call join the
 * first one (machine_tag_manager_join). */
isa_tag machine_tag_manager_wait(struct machine_tag_manager *tag_manager, uint32_t list,
                                 const struct isa_token *call);

/* Makes another CALL of the same call wait together with the first one; `waiting` is what
 * machine_tag_manager_wait returned. */
void machine_tag_manager_join(struct machine_tag_manager *tag_manager, isa_tag waiting,
                              const struct isa_token *call);

/* Returns the CALL that has waited longest in list number `list`, or NULL. */
const struct isa_token *
machine_tag_manager_first(const struct machine_tag_manager *tag_manager, uint32_t list);

/* Returns the key of the setting that limits identifiers. */
const char *machine_tag_manager_limit(const struct machine_tag_manager *tag_manager);

/* Returns the cycles that a tag manager adds to a CALL; 0 without tag managers. */
uint64_t machine_tag_manager_latency(const struct machine *m);

#endif
