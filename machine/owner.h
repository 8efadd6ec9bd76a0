/* What a machine keeps in tokens, activations and arrays: owners and marks.
 *
 * Owners: the numbers that a machine gives to activations, tokens and arrays (isa/exec/exec.h) are
 * those of PEs. An activation without an owner is not placed yet. An array belongs to the PE of the
 * activation that made it. In a partitioned graph, the owner of an activation counts the PEs within
 * a machine, from 0. */
#ifndef MACHINE_OWNER_H
#define MACHINE_OWNER_H

#include "isa/exec/exec.h"

/* Returns the PE where a token is, or goes. */
static inline uint32_t machine_token_pe(const struct isa_token *t)
{
    return isa_token_owner(t);
}

static inline void machine_token_move_to(struct isa_token *t, uint32_t pe)
{
    isa_token_set_owner(t, pe);
}

/* Whether an activation is placed. */
static inline bool machine_has_place(const struct isa_activation *a)
{
    return a->owner != ISA_OWNER_NONE;
}

/* Returns the place of an activation; ISA_OWNER_NONE: it is not placed yet. Only
 * machine/pe/place.c sets it. */
static inline uint32_t machine_place_of(const struct isa_activation *a)
{
    return a->owner;
}

/* Returns the place of the activation of a tag. */
static inline uint32_t machine_place_of_tag(const struct isa_activations *tags,
                                            isa_tag tag)
{
    return isa_activations_get(tags, tag)->owner;
}

/* Returns the PE that made an array, tensor or data. */
static inline uint32_t machine_maker_of(const struct isa_structure *s)
{
    return s->owner;
}

/* --- marks of tokens, stored in their depth (machine/pe/tensor_memory.h) ---------------------- */

enum machine_tensor_mark {
    MACHINE_MARK_NONE,
    MACHINE_MARK_PARKED,  /* token of a kernel that waits or waited for a tensor */
    MACHINE_MARK_REQUEST, /* request for a copy, to the PE that made the tensor */
    MACHINE_MARK_COPY,    /* copy of a tensor, for the PE that requested it */
    MACHINE_MARK_RELEASE, /* message that a machine has nothing left of an activation */
};

enum { MACHINE_MARK_SHIFT = 61 };

static inline enum machine_tensor_mark machine_token_mark(const struct isa_token *t)
{
    return (enum machine_tensor_mark)(t->depth_owner >> MACHINE_MARK_SHIFT);
}

static inline bool machine_is_message(const struct isa_token *t)
{
    return t->depth_owner >> (MACHINE_MARK_SHIFT + 1);
}

static inline void machine_token_set_mark(struct isa_token *t,
                                          enum machine_tensor_mark mark)
{
    t->depth_owner = (t->depth_owner & ((UINT64_C(1) << MACHINE_MARK_SHIFT) - 1)) |
                     (uint64_t)mark << MACHINE_MARK_SHIFT;
}

#endif
