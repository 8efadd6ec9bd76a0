/* Matching stores of finite size: the room that waiting operands take, and what a full store costs.
 * On every machine, the operands themselves are in the slots of frames (isa/exec/activation.h).
 *
 * `hash`: a set-associative waiting-matching store per PE, as at Manchester (Gurd, Kirkham, Watson
 * 1985). An operand goes to the set given by the hash of its tag and instruction. If that is full,
 * it goes to a slower store, where its partner takes match.overflow.latency longer to find it.
 * `frames`: an explicit token store, as in Monsoon (Papadopoulos, Culler 1990). Each activation
 * takes its slots at its PE when it is made, or at the next PE that has room. */
#ifndef MACHINE_PE_MATCH_H
#define MACHINE_PE_MATCH_H

#include "isa/exec/pack.h"
#include "machine/settings.h"

struct machine;

struct machine_match {
    bool is_hash, is_frames; /* kind of the stores: one is true */
    uint32_t set_count, ways;
    uint32_t *in_set;           /* operands in each set of each PE */
    uint64_t *in_overflow;      /* operands in the slower store of each PE */
    uint64_t overflow_capacity; /* capacity of each slower store; 0 if unlimited */
    uint64_t overflow_latency;  /* cycles to find an operand there; 0 for frames */
    uint64_t overflows;         /* number of operands that went to a slower store */
    uint64_t *slots;            /* slots in use at each PE */
    uint64_t capacity;          /* number of slots at each PE */

    /* For programs divided among machines, else NULL: slots that each function needs on each
     * machine, and at the machine where it is called. */
    uint32_t *slots_on, *slots_of_call;
};

/* Packs the stores; for unlimited ones, that nothing is in them. */
void machine_match_pack(struct lib_pack *pack, struct machine *m);

/* Returns the hash of a tag and an instruction, the key of the hash table. */
uint64_t machine_match_key(const struct isa_exec *exec, isa_tag tag,
                           const struct isa_instr *instr);

/* Returns the set for a key at `pe`, as an index into `in_set`. */
size_t machine_match_place(const struct machine_match *match, uint32_t pe, uint64_t key);

/* For hash tables: inserts an operand that waits at `pe`. Sets *away if it goes to the slower
 * store. Returns false if there is no room. */
bool machine_match_insert(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool *away);

/* Removes an operand whose partner has arrived. */
void machine_match_remove(struct machine_match *match, uint32_t pe, uint64_t key,
                          bool away);

/* For frames: returns the first PE with room for `slots` slots among the `count` PEs from `first`
 * on, searching cyclically from `pe`; or `pe` if none has room. */
uint32_t machine_match_find(const struct machine_match *match, uint32_t first,
                            uint32_t count, uint32_t pe, uint32_t slots);

#endif
