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

#include "isa/op_columns.h"
#include "machine/settings.h"
#include "machine/state_table.h"

struct machine;

/* A bank of an overflow store: the last cycle in which accesses began, and how many did. */
struct machine_match_bank {
    uint64_t cycle, begun;
};

/* Size of the hash table and overflow store of a PE, and their places in all arrays. Read for
 * each operand: 32 bytes. */
struct machine_match_store {
    size_t first_set, first_bank;
    uint32_t set_count, ways;
    uint32_t overflow_capacity; /* in operands; 0: unlimited */
    uint16_t bandwidth,
        bank_count; /* bandwidth of each bank; 0: unlimited, without banks */
};

#define MACHINE_MATCH_FIELDS(F)                                                          \
    F(KEPT, bool, is_hash)                       /* kind of all matching stores: */      \
    F(KEPT, bool, is_frames)                     /* one of the two is true */            \
    F(KEPT, size_t, set_count)                   /* of all PEs */                        \
    F(KEPT, size_t, bank_count)                  /* of all PEs */                        \
    F(OWNED, struct machine_match_store, stores) /* if is_hash: of each PE */            \
    F(OWNED, uint64_t, capacity)                 /* if is_frames: slots of each PE */    \
    /* if is_hash: number of operands in each set of each PE */                          \
    F(ARRAY, uint32_t, in_set, s->set_count)                                             \
    /* if is_hash: operands in the (slower) overflow store of each PE */                 \
    F(ARRAY, uint64_t, in_overflow, s->is_hash ? m->pe_count : 0)                        \
    /* banks of overflow stores with a bandwidth */                                      \
    F(ARRAY, struct machine_match_bank, banks, s->bank_count)                            \
    /* if is_frames: number of slots in use at each PE */                                \
    F(ARRAY, uint64_t, slots, s->is_frames ? m->pe_count : 0)                            \
    F(NUMBER, uint64_t, overflows) /* operands that ever went to an overflow store */    \
    /* divided programs with is_frames, else NULL: slots of functions on each machine */ \
    F(OWNED, uint32_t, slots_on)                                                         \
    F(OWNED, uint32_t, slots_of_call)
struct machine_match {
    MACHINE_MATCH_FIELDS(LIB_STATE_MEMBER)
};

/* Whether the settings of classes about stores have a setting of all PEs beside them. Else adds a
 * diagnostic. */
bool machine_match_fits(const struct machine_settings *settings, struct lib_diags *diags);

/* Packs the matching stores; unlimited ones as empty. */
void machine_match_pack(struct lib_pack *pack, struct machine *m);

/* Returns the hash of a tag and an instruction, the key of an operand. */
uint64_t machine_match_key(const struct isa_exec *exec, isa_tag tag,
                           const struct isa_instr *instr);

/* Returns the index in `in_set` of the set for a key at PE `pe`, if is_hash. */
size_t machine_match_place(const struct machine_match *match, uint32_t pe, uint64_t key);

/* Counts an operand that waits in the matching store of PE `pe` (if is_hash). Sets *away if it goes
 * to the overflow store. Returns false if there is no room. */
bool machine_match_insert(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool *away);

/* Removes an operand that machine_match_insert counted, as its partner has arrived. */
void machine_match_remove(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool away);

/* Begins an access to the overflow store of a PE, for an operand with this key, as soon as its bank
 * can. Returns how many cycles the access waits; 0 without a bandwidth. */
uint64_t machine_match_access(struct machine *m, struct machine_match *match, uint32_t pe,
                              uint64_t key);

/* Whether a token waits for its partner or meets it. True for all tokens of two-operand
 * instructions but one: a dead token for operand 1 of a RETURN or EXIT has no partner, as its call
 * was not made or its loop not entered. */
static inline bool machine_is_of_two(const struct isa_token *t,
                                     const struct isa_instr *instr)
{
    return instr->form == ISA_FORM_TWO &&
           (!isa_token_is_dead(t) || !isa_token_port(t) || !isa_op_brings_out(instr->op));
}

#endif
