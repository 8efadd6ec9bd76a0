/* Matching stores of finite size: where waiting operands lie, and what that costs. The operands
 * themselves are in the slots of frames (isa/exec/activation.h), on every machine; room is
 * modelled here.
 *
 * `hash`: a set-associative waiting-matching store per PE, as at Manchester (Gurd, Kirkham,
 * Watson 1985). An operand goes to the set that the hash of its tag and instruction names. If
 * that is full, it goes to a slower store, where its partner takes match.overflow.latency longer
 * to find it. `frames`: an explicit token store, as in Monsoon (Papadopoulos, Culler 1990). Each
 * activation takes its slots at its PE when it is made, or at the next PE that has room. */
#ifndef MACHINE_PE_MATCH_H
#define MACHINE_PE_MATCH_H

#include "isa/exec/pack.h"
#include "machine/settings.h"

struct machine_match {
    bool is_hash, is_frames; /* finite ones; both false: unlimited */
    uint32_t set_count, ways;
    uint32_t *in_set;           /* per PE and set: operands there */
    uint64_t *in_overflow;      /* per PE: operands in the slower store */
    uint64_t overflow_capacity; /* of a PE; 0: unlimited */
    uint64_t overflows;         /* operands that went there */
    uint64_t *slots;            /* per PE: slots of frames in use */
    uint64_t capacity;          /* of a PE, in slots */
    /* Of a divided program, else NULL: per function and machine the slots of its instructions
     * there, and per function those that are at the home of the site. */
    uint32_t *slots_on, *slots_of_call;
    bool full; /* there was no room for a frame: the run is to end */
};

void machine_match_init(struct machine_match *match,
                        const struct machine_settings *settings, uint32_t pe_count);
void machine_match_free(struct machine_match *match);
/* All its room is free again. `is_empty`: it is known that no operand waits. */
void machine_match_reset(struct machine_match *match, uint32_t pe_count, bool is_empty);
void machine_match_pack(struct lib_pack *pack, struct machine_match *match,
                        uint32_t pe_count);

/* The hash of a tag and an instruction, by which the table is addressed. */
uint64_t machine_match_key(const struct isa_exec *exec, isa_tag tag,
                           const struct isa_instr *instr);

/* The set at `pe` for a key: its number in `in_set`. */
size_t machine_match_place(const struct machine_match *match, uint32_t pe, uint64_t key);

/* Of the hash table: an operand waits at `pe`. It lies in the table, or in the slower store;
 * false: there is no room. */
bool machine_match_insert(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool *away);

/* It has met its partner. */
void machine_match_remove(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool away);

/* Of frames of a divided program: there are such. */
void machine_match_divide(struct machine_match *match, const struct isa_code *code);

/* Of frames: the PE for a frame of so many slots, from `pe` on, around, among `count` PEs from
 * `first` on; `pe`, if none has room. */
uint32_t machine_match_find(const struct machine_match *match, uint32_t first,
                            uint32_t count, uint32_t pe, uint32_t slots);

#endif
