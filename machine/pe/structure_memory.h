/* Structure memory: where the elements of arrays lie (settings: structure.*), and how FETCH and
 * STORE get there.
 *
 * Each element lies at a PE, and all accesses to it fire there. So what happens to it has the
 * order of that PE's issues. The operands of an access meet at the PE of its activation. If the
 * element lies at another PE, the access goes on from there as one token through the network: a
 * request. The request is issued like any token and fires, and what it reads is sent from
 * there. The operand of a STORE that came first stays in its slot until then, with
 * ISA_SLOT_SENT. A request is known by being at another PE than its activation. So it needs no
 * memory of its own. */
#ifndef MACHINE_PE_STRUCTURE_MEMORY_H
#define MACHINE_PE_STRUCTURE_MEMORY_H

#include "machine/state.h"

/* Cycles from the issue of an access to its request: it passes all stages of its PE, but no
 * function unit. */
uint64_t machine_request_delay(const struct machine_settings *settings);

/* Bits of a request: those of a token, and for STORE the address beside the value. And of an APPLY that goes to the
 * coordinator (machine/placement/coordinator.h), or from there. */
uint64_t machine_request_bits(const struct machine *m, const struct isa_token *t);

/* Bits of any token in the network. `is_request`: it goes elsewhere than to the PE of its activation. */
uint64_t machine_bits_on_way(const struct machine *m, const struct isa_token *t,
                             bool is_request);

/* Where an access fires, if it is issued at the PE where its token is; that PE, if it waits
 * for its partner or is dead. MACHINE_COLLIDES: its partner is on its way with another token. */
uint32_t machine_access_pe(struct machine *m, const struct isa_token *t);

#define MACHINE_COLLIDES UINT32_MAX

/* The same for a token of an access, or an APPLY, that its sender has sent on, for it is at its sender's. */
uint32_t machine_request_pe(const struct machine *m, const struct isa_token *t);

#endif
