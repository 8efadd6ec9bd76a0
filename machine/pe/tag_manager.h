/* Identifiers of tags (settings: tag.*, which call them "number"). The activations of a run are the
 * same on every machine (isa/exec/activation.h). This part models the assignment of the identifiers
 * that tokens carry, its time, and the lack of identifiers.
 *
 * `interned`: a CALL goes through a tag manager (a "tag unit" in the settings), which serves a
 * few per cycle, oldest first; tag.bits limit how many activations there can be. `pool`: each
 * function has its own identifiers (TYR's local tag spaces). A CALL that would make an
 * activation, and finds no identifier, waits (stall), takes a slower one (spill), or ends the
 * run (stop). Those that wait get the identifiers that become free in the order in which they
 * came.
 *
 * In a pool of two and more, the last identifier is for a next iteration: an ENTER leaves it,
 * and a NEXT waits behind no ENTER. So a loop that has begun can go on, however many others wait
 * to begin, and two identifiers suffice for loops in loops (TYR). */
#ifndef MACHINE_PE_TAG_MANAGER_H
#define MACHINE_PE_TAG_MANAGER_H

#include "isa/exec/pack.h"
#include "machine/part.h"
#include "machine/pe/queue.h"
#include "machine/settings.h"

/* A CALL instruction that waits for an identifier. `same` is the list of the CALLs that pass the
 * other arguments of the same call. */
struct machine_waiting_call {
    struct isa_token token;
    uint32_t next; /* next of its list, or next free entry */
    uint32_t same, last_same;
};

#define MACHINE_NO_CALL UINT32_MAX

/* CALLs that wait for identifiers of the same pool: that of a function, or the common one. ENTERs
 * have their own lists. */
struct machine_tag_list {
    uint32_t first, last;
};

/* The state of a machine whose tags are interned, or have a finite pool. */
struct machine_tag_manager {
    uint64_t scheme, exhausted;
    uint64_t size; /* identifiers of a pool; 0 if unlimited */
    struct machine_queue *units;
    uint32_t unit_count;
    uint64_t in_units; /* CALLs before tag units */
    struct machine_tag_list *lists;
    uint32_t list_count;
    LIB_VEC(struct machine_waiting_call) calls;
    uint32_t free_call;
    uint64_t waiting; /* CALLs that wait for an identifier */

    /* Machine that keeps the identifiers of each function of a divided program; else NULL. */
    uint32_t *keepers;
};

/* Returns the list in which the CALLs of a function wait, or the ENTERs of a loop. The list of
 * iterations that continue comes before that of ENTERs. */
static inline uint32_t
machine_tag_manager_list(const struct machine_tag_manager *tag_manager, uint32_t function,
                         bool is_enter)
{
    return tag_manager->scheme == MACHINE_TAGS_POOL ? function << 1 | is_enter : 0;
}

/* Returns true if there is an identifier for one more activation of a function, or for a loop that
 * is to begin. */
bool machine_tag_manager_has(const struct machine_tag_manager *tag_manager,
                             const struct isa_activations *tags, uint32_t function,
                             bool is_enter);

/* Makes a CALL wait that would make an activation. Returns a number from ISA_TAG_LIMIT on, to be
 * put in place of the child, so that other CALLs of the same call find it. */
isa_tag machine_tag_manager_wait(struct machine_tag_manager *tag_manager, uint32_t list,
                                 const struct isa_token *call);

/* Adds a CALL for another argument of the call that waits under this number. */
void machine_tag_manager_join(struct machine_tag_manager *tag_manager, isa_tag waiting,
                              const struct isa_token *call);

/* Returns the CALL that has waited longest in a list, or NULL. */
const struct isa_token *
machine_tag_manager_first(const struct machine_tag_manager *tag_manager, uint32_t list);

/* Returns the setting that limits the identifiers. */
const char *machine_tag_manager_limit(const struct machine_tag_manager *tag_manager);

/* Returns the cycles that a turn at a tag manager adds, or 0 if there is none. */
uint64_t machine_unit_latency(const struct machine *m);

#endif
