/* Matching stores of finite size: the room that waiting operands take, and what a full store costs.
 * The operands themselves are always in the slots of frames (isa/exec/activation.h).
 *
 * `hash`: a set-associative waiting-matching store per PE, as at Manchester (Gurd, Kirkham, Watson
 * 1985). The hash of its tag and instruction selects the set of an operand. If the set is full, the
 * operand goes to a slower overflow store, where its partner takes match.overflow.latency longer to
 * find it.
 *
 * `frames`: an explicit token store, as in Monsoon (Papadopoulos, Culler 1990). An activation takes
 * its slots when it is made, at its PE or at the next PE that has room. */
#ifndef MACHINE_PE_MATCH_H
#define MACHINE_PE_MATCH_H

#include "isa/exec/exec.h"
#include "isa/op_columns.h"
#include "machine/settings.h"

struct machine;
struct machine_match; /* all matching stores of a machine; NULL: unlimited ones */
struct traces_part_counts;

/* Packs the matching stores; unlimited ones as empty. */
void machine_match_pack(struct lib_pack *pack, struct machine *m);

/* Returns the hash of a tag and an instruction, the key of an operand. */
uint64_t machine_match_key(const struct isa_exec *exec, isa_tag tag,
                           const struct isa_instr *instr);

/* --- `hash` ---------------------------------------------------------------------------------- */

/* Returns how much longer the partner of a token takes to find it in an overflow store. */
uint64_t machine_match_overflow(const struct machine *m, const struct isa_token *t);

/* Counts an operand that waits in the matching store of PE `pe`. Sets *away if it goes to the
 * overflow store. Returns false if there is no room. */
bool machine_match_insert(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool *away);

/* Removes an operand that machine_match_insert counted, as its partner has arrived. */
void machine_match_remove(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool away);

/* Begins an access to the overflow store of a PE in cycle `now` or as soon as its bank can, for an
 * operand with this key, and counts it. Returns how many cycles the access waits; 0 without a
 * bandwidth. */
uint64_t machine_match_access(struct machine_match *match, uint32_t pe, uint64_t key,
                              uint64_t now, struct traces_part_counts *counts);

/* Whether a token waits for its partner or meets it. True for all tokens of two-operand
 * instructions but one: a dead token for operand 1 of a RETURN or EXIT has no partner, as its call
 * was not made or its loop not entered. */
static inline bool machine_is_of_two(const struct isa_token *t,
                                     const struct isa_instr *instr)
{
    return instr->form == ISA_FORM_TWO &&
           (!isa_token_is_dead(t) || !isa_token_port(t) || !isa_op_brings_out(instr->op));
}

/* --- `frames` -------------------------------------------------------------------------------- */

bool machine_match_has_frames(const struct machine_match *match); /* may be NULL */

/* Whether there is room for the frame of an activation of `function` at PE `place`; in a divided
 * program at that place of each machine. */
bool machine_match_has_room(const struct machine_match *match,
                            const struct isa_activations *tags, uint32_t function,
                            uint32_t site, uint32_t place);

/* Takes the slots of a new activation at its place. Returns false if there was no room. */
bool machine_match_take(struct machine_match *match, const struct isa_activations *tags,
                        const struct isa_activation *a);

/* --- for machine/verify/ --------------------------------------------------------------------- */

/* What a recount found: operands in each set of all PEs, and at a PE those in the overflow store
 * and the slots of frames. */
struct machine_match_found {
    const uint32_t *in_set;
    uint64_t away, slots;
};

/* Returns the number of sets of all PEs; and the index of the set for a key at a PE. */
size_t machine_match_sets(const struct machine_match *match); /* may be NULL */
size_t machine_match_set_of(const struct machine_match *match, uint32_t pe, uint64_t key);

/* Returns the first difference from a recount at PE `pe`, as text; NULL: none. */
const char *machine_match_broken(const struct machine_match *match, uint32_t pe,
                                 const struct machine_match_found *found);

#endif
