/* Processing elements (PEs), and sets of PEs or links. */
#ifndef MACHINE_PE_PE_H
#define MACHINE_PE_PE_H

#include "machine/part.h"
#include "machine/pe/queue.h"
#include "traces/stats.h"

struct machine_pe {
    struct machine_queue input; /* tokens to be issued */

    /* Statistics. During a run, `turns` is the number of issues minus the number of delivered
     * tokens, modulo 2^64, so that the plain engine needs one counter. An issue delivers no token
     * if the instruction has no token operands, or if the token has to wait before it takes effect,
     * or becomes a request. A released token is delivered without an issue. */
    struct traces_pe_stats stats;

    /* Finite queues only (machine/pe/backpressure.h). `came` plus stats.local_tokens, modulo 2^64,
     * is the number of tokens in the input queue or on their way there (machine_pe_held).
     * `promised`: room reserved for issues of cycle `promised_at`. */
    uint64_t came;
    uint64_t promised, promised_at;

    uint64_t timing_digest; /* hash of when the PE fired what */
    uint64_t carried;       /* number of tokens that SENDs and RECVs here passed on */
};

_Static_assert(
    sizeof(void *) != 8 || sizeof(struct machine_pe) == 128,
    "the size of a PE is a power of two: its place is found by a shift, 1 % of a run");

/* Returns how many tokens are in the input queue of a PE or on their way there, if queues are
 * finite. With links, a token from the network counts once it has got room in the queue. */
static inline uint64_t machine_pe_held(const struct machine_pe *pe)
{
    return pe->came + pe->stats.local_tokens;
}

/* Set of PEs or links as bits, iterated in ascending order. */
struct machine_set {
    uint64_t *words;
    uint32_t word_count;
};

static inline struct machine_set machine_set_new(uint32_t size)
{
    const uint32_t count = (size + 63) / 64;
    return (struct machine_set){lib_mem_new(count * sizeof(uint64_t)), count};
}

static inline void machine_set_free(struct machine_set *set)
{
    lib_mem_free(set->words);
}

static inline void machine_set_clear(const struct machine_set *set)
{
    memset(set->words, 0, set->word_count * sizeof *set->words);
}

static inline void machine_set_pack(struct lib_pack *pack, struct machine_set *set)
{
    lib_pack_bytes(pack, set->words, set->word_count * sizeof *set->words);
}

static inline bool machine_set_has(const struct machine_set *set, uint32_t pe)
{
    return set->words[pe / 64] >> pe % 64 & 1;
}

static inline void machine_set_add(const struct machine_set *set, uint32_t pe)
{
    set->words[pe / 64] |= UINT64_C(1) << (pe % 64);
}

static inline void machine_set_remove(const struct machine_set *set, uint32_t pe)
{
    set->words[pe / 64] &= ~(UINT64_C(1) << (pe % 64));
}

/* Removes member `pe` if `empty` is true, without a branch, which would be hard to predict. */
static inline void machine_set_remove_if(const struct machine_set *set, uint32_t pe,
                                         bool empty)
{
    set->words[pe / 64] &= ~((uint64_t)empty << (pe % 64));
}

static inline bool machine_set_is_empty(const struct machine_set *set)
{
    for (uint32_t i = 0; i < set->word_count; i++)
        if (set->words[i])
            return false;
    return true;
}

/* Results of machine_set_only if the set does not have exactly one member. */
enum { MACHINE_SET_EMPTY = UINT32_MAX, MACHINE_SET_SEVERAL = UINT32_MAX - 1 };

static inline uint32_t machine_set_only(const struct machine_set *set)
{
    uint32_t at = 0;
    uint64_t word = set->words[0];
    while (word == 0) {
        if (++at == set->word_count)
            return MACHINE_SET_EMPTY;
        word = set->words[at];
    }
    uint64_t others = word & (word - 1);
    for (uint32_t i = at + 1; i < set->word_count; i++)
        others |= set->words[i];
    return others ? MACHINE_SET_SEVERAL : at * 64 + (uint32_t)__builtin_ctzll(word);
}

/* Iterates over a set in ascending order. The body may remove `pe` but must not add members. */
#define MACHINE_SET_EACH(set, pe)                                                        \
    for (uint32_t word_ = 0; word_ < (set)->word_count; word_++)                         \
        for (uint64_t bits_ = (set)->words[word_];                                       \
             bits_ && ((pe) = word_ * 64 + (uint32_t)__builtin_ctzll(bits_), true);      \
             bits_ &= bits_ - 1)

/* Iterates over a set in descending order, otherwise like MACHINE_SET_EACH. */
#define MACHINE_SET_EACH_DOWN(set, pe)                                                   \
    for (uint32_t word_ = (set)->word_count; word_-- > 0;)                               \
        for (uint64_t bits_ = (set)->words[word_];                                       \
             bits_ && ((pe) = word_ * 64 + 63 - (uint32_t)__builtin_clzll(bits_), true); \
             bits_ &= ~(UINT64_C(1) << (pe) % 64))

#endif
