/* Matching stores of finite size: models the room that waiting operands take, and its costs. On
 * every machine, the operands themselves are in the slots of frames (isa/exec/activation.h).
 *
 * `hash`: a set-associative waiting-matching store per PE, as at Manchester (Gurd, Kirkham,
 * Watson 1985). An operand goes to the set given by the hash of its tag and instruction. If
 * that is full, it goes to a slower store, where its partner takes match.overflow.latency longer
 * to find it. `frames`: an explicit token store, as in Monsoon (Papadopoulos, Culler 1990). Each
 * activation takes its slots at its PE when it is made, or at the next PE that has room. */
#ifndef MACHINE_PE_MATCH_H
#define MACHINE_PE_MATCH_H

#include "isa/exec/pack.h"
#include "machine/settings.h"

struct machine;

struct machine_match {
    bool is_hash, is_frames; /* kind of the stores: one is true */
    uint32_t set_count, ways;
    uint32_t *in_set;           /* operands per PE and set */
    uint64_t *in_overflow;      /* operands in the slower store, per PE */
    uint64_t overflow_capacity; /* operands per slower store; 0 if unlimited */
    uint64_t overflow_latency;  /* cycles to find an operand there; 0 of frames */
    uint64_t overflows;         /* operands that went to a slower store */
    uint64_t *slots;            /* slots of frames in use, per PE */
    uint64_t capacity;          /* slots per PE */

    /* Divided programs, else NULL: slots of the instructions of each function on each machine; and
     * slots of each function at the home of the site. */
    uint32_t *slots_on, *slots_of_call;
};

/* Packs the stores; of a machine with unlimited ones, that nothing is in them. */
void machine_match_pack(struct lib_pack *pack, struct machine *m);

/* Returns the hash of a tag and an instruction, the key of the table. */
uint64_t machine_match_key(const struct isa_exec *exec, isa_tag tag,
                           const struct isa_instr *instr);

/* Returns the set of a key at `pe`, as an index into `in_set`. */
size_t machine_match_place(const struct machine_match *match, uint32_t pe, uint64_t key);

/* For hash tables: inserts an operand that waits at `pe`, into the table or the slower store (sets
 * `away`). Returns false if there is no room. */
bool machine_match_insert(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool *away);

/* Removes an operand that has met its partner. */
void machine_match_remove(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool away);

/* For frames: returns the first PE with room for a frame of `slots` slots, from `pe` on and around
 * among the `count` PEs from `first` on; or `pe`, if none has room. */
uint32_t machine_match_find(const struct machine_match *match, uint32_t first,
                            uint32_t count, uint32_t pe, uint32_t slots);

#endif
