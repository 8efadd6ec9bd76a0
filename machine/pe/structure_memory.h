/* Structure memory: where the elements of arrays lie (settings: structure.*), and how FETCH and
 * STORE get there.
 *
 * Each element lies at a PE, where all accesses to it fire, so that what happens to it has the
 * order of that PE's turns. An access whose operands have met at the PE of its activation goes on
 * from there, if its element lies at another PE, as one token through the network: a request. It
 * takes a turn there like any token, fires, and what it reads is sent from there. Of a STORE the
 * operand that came first stays in its slot until then, with ISA_SLOT_SENT; so a request is known
 * by being at another PE than its activation, and needs no memory of its own. */
#ifndef MACHINE_PE_STRUCTURE_MEMORY_H
#define MACHINE_PE_STRUCTURE_MEMORY_H

#include "machine/state.h"

/* Cycles from the turn of an access to its request: it passes all stages of its PE, but no
 * function unit. */
uint64_t machine_request_delay(const struct machine_settings *settings);

/* Bits of a request: those of a token, and for STORE the address beside the value. */
uint64_t machine_request_bits(const struct machine *m, const struct isa_token *t);

/* Where an access fires, if it has its turn at the PE where its token is; that PE, if it waits
 * for its partner or is dead. MACHINE_COLLIDES: its partner is on its way with another token. */
uint32_t machine_access_pe(struct machine *m, const struct isa_token *t);

#define MACHINE_COLLIDES UINT32_MAX

/* The same for a token of an access that its sender has sent on, for it is at its sender's. */
uint32_t machine_request_pe(const struct machine *m, const struct isa_token *t);

#endif
