/* Sets of PEs or links. */
#ifndef MACHINE_TOKENS_SET_H
#define MACHINE_TOKENS_SET_H

#include "lib/memory.h"
#include "lib/pack.h"

#include <string.h>

/* Set of PEs or links as bits, iterated in ascending order. A set of more than MACHINE_SET_FLAT
 * words has a second level, so that a scan of a machine of 65,536 PEs reads few words if few PEs
 * are in the set. */
struct machine_set {
    uint64_t *words;
    /* Second level, in the block of `words`: bit w is 1 if words[w] is not 0. Bit t of tops[-1] is
     * 1 if tops[t] is not 0 (t modulo 64). Removals leave these bits, scans clear them. NULL: the
     * set has no second level. */
    uint64_t *tops;
    uint32_t word_count;
};

enum { MACHINE_SET_FLAT = 8 };

/* Makes an empty set of numbers below `size`; machine_set_new_flat: without a second level. */
struct machine_set machine_set_new(uint32_t size);
struct machine_set machine_set_new_flat(uint32_t size);

void machine_set_clear(const struct machine_set *set);
void machine_set_pack(struct lib_pack *pack, struct machine_set *set);

static inline void machine_set_free(struct machine_set *set)
{
    lib_mem_free(set->words);
}

static inline bool machine_set_has(const struct machine_set *set, uint32_t pe)
{
    return set->words[pe / 64] >> pe % 64 & 1;
}

/* Adds a member to a set without a second level. */
static inline void machine_set_add_flat(const struct machine_set *set, uint32_t pe)
{
    set->words[pe / 64] |= UINT64_C(1) << (pe % 64);
}

static inline void machine_set_add(const struct machine_set *set, uint32_t pe)
{
    machine_set_add_flat(set, pe);
    if (__builtin_expect(set->tops != NULL, 0)) {
        set->tops[pe / 4096] |= UINT64_C(1) << (pe / 64 % 64);
        set->tops[-1] |= UINT64_C(1) << (pe / 4096 % 64);
    }
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

/* Returns the first word from `word` on that is not 0, or word_count. Only if the set has a second
 * level. The set is passed by value: where it is a copy in registers, as in network/crossbar.c,
 * its address would keep the copy in memory, and `tops` would be read there for each token. */
uint32_t machine_set_seek(struct machine_set set, uint32_t word);

/* Returns the first word from `word` on that may be not 0, or word_count. */
static inline uint32_t machine_set_word(const struct machine_set *set, uint32_t word)
{
    return __builtin_expect(!set->tops, 1) ? word : machine_set_seek(*set, word);
}

static inline bool machine_set_is_empty(const struct machine_set *set)
{
    if (__builtin_expect(set->tops != NULL, 0))
        return machine_set_seek(*set, 0) == set->word_count;
    for (uint32_t i = 0; i < set->word_count; i++)
        if (set->words[i])
            return false;
    return true;
}

/* Results of machine_set_only if the set does not have exactly one member. */
enum { MACHINE_SET_EMPTY = UINT32_MAX, MACHINE_SET_SEVERAL = UINT32_MAX - 1 };

/* For a set without and with a second level. */
static inline uint32_t machine_set_only_flat(const struct machine_set *set)
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
uint32_t machine_set_only_deep(const struct machine_set *set);

static inline uint32_t machine_set_only(const struct machine_set *set)
{
    return __builtin_expect(!set->tops, 1) ? machine_set_only_flat(set)
                                           : machine_set_only_deep(set);
}

/* Iterates over a set in ascending order. The body may remove `pe` but must not add members. */
#define MACHINE_SET_EACH(set, pe)                                                        \
    for (uint32_t word_ = machine_set_word(set, 0); word_ < (set)->word_count;           \
         word_ = machine_set_word(set, word_ + 1))                                       \
        for (uint64_t bits_ = (set)->words[word_];                                       \
             bits_ && ((pe) = word_ * 64 + (uint32_t)__builtin_ctzll(bits_), true);      \
             bits_ &= bits_ - 1)

/* Returns the last word below `word` that may be not 0, plus 1; 0: none. */
uint32_t machine_set_seek_down(const struct machine_set *set, uint32_t word);
static inline uint32_t machine_set_word_down(const struct machine_set *set, uint32_t word)
{
    return __builtin_expect(!set->tops, 1) ? word : machine_set_seek_down(set, word);
}

/* Iterates over a set in descending order, otherwise like MACHINE_SET_EACH. */
#define MACHINE_SET_EACH_DOWN(set, pe)                                                   \
    for (uint32_t word_ = (set)->word_count;                                             \
         (word_ = machine_set_word_down(set, word_)) && word_-- > 0;)                    \
        for (uint64_t bits_ = (set)->words[word_];                                       \
             bits_ && ((pe) = word_ * 64 + 63 - (uint32_t)__builtin_clzll(bits_), true); \
             bits_ &= ~(UINT64_C(1) << (pe) % 64))

#endif
