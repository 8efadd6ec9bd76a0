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

#endif
