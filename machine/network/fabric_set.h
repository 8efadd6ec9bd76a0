/* Sets of links or routers. A network can have hundreds of thousands of links and use few at a
 * time, so a second bit set has a bit for each nonzero word of the first. If it is large, it has a
 * second level in turn (machine/tokens/set.h). */
#ifndef MACHINE_NETWORK_FABRIC_SET_H
#define MACHINE_NETWORK_FABRIC_SET_H

#include "machine/tokens/set.h"

struct fabric_set {
    /* items: bit i says whether item i is in the set. tops: bit w, whether word w of `items` is
     * not 0. */
    struct machine_set items, tops;
};

static inline struct fabric_set fabric_set_new(uint32_t size)
{
    const struct machine_set items = machine_set_new_flat(size);
    return (struct fabric_set){items, machine_set_new(items.word_count)};
}

static inline void fabric_set_free(struct fabric_set *set)
{
    machine_set_free(&set->items);
    machine_set_free(&set->tops);
}

static inline void fabric_set_clear(const struct fabric_set *set)
{
    machine_set_clear(&set->items);
    machine_set_clear(&set->tops);
}

static inline bool fabric_set_has(const struct fabric_set *set, uint32_t item)
{
    return machine_set_has(&set->items, item);
}

static inline void fabric_set_add(const struct fabric_set *set, uint32_t item)
{
    machine_set_add_flat(&set->items, item);
    machine_set_add(&set->tops, item / 64);
}

/* Like fabric_set_add, for a set whose `tops` have no second level. */
static inline void fabric_set_add_small(const struct fabric_set *set, uint32_t item)
{
    machine_set_add_flat(&set->items, item);
    machine_set_add_flat(&set->tops, item / 64);
}

/* Removes `item` from the set if `empty` is true. */
static inline void fabric_set_remove_if(const struct fabric_set *set, uint32_t item,
                                        bool empty)
{
    machine_set_remove_if(&set->items, item, empty);
    machine_set_remove_if(&set->tops, item / 64, set->items.words[item / 64] == 0);
}

static inline bool fabric_set_is_empty(const struct fabric_set *set)
{
    return machine_set_is_empty(&set->tops);
}

/* Iterates over a set in ascending order. The body may remove `item`, but must not add items. */
#define FABRIC_SET_EACH(set, item)                                                       \
    for (uint32_t top_ = machine_set_word(&(set)->tops, 0), at_;                         \
         top_ < (set)->tops.word_count; top_ = machine_set_word(&(set)->tops, top_ + 1)) \
        for (uint64_t tops_ = (set)->tops.words[top_];                                   \
             tops_ && (at_ = top_ * 64 + (uint32_t)__builtin_ctzll(tops_), true);        \
             tops_ &= tops_ - 1)                                                         \
            for (uint64_t items_ = (set)->items.words[at_];                              \
                 items_ &&                                                               \
                 ((item) = at_ * 64 + (uint32_t)__builtin_ctzll(items_), true);          \
                 items_ &= items_ - 1)

#endif
