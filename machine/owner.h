/* Owners: the numbers that a machine gives to activations, tokens and arrays (isa/exec/exec.h) are
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

#endif
