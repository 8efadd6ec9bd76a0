/* Processing elements, and sets of them. */
#ifndef MACHINE_PE_H
#define MACHINE_PE_H

#include "machine/queue.h"
#include "traces/stats.h"

struct machine_pe {
    struct machine_queue input;   /* tokens to be matched */
    struct machine_queue output;  /* tokens to go into the network */
    struct machine_queue ingress; /* tokens come out of the network */
    uint64_t output_free;         /* cycle from which its output port is free */
    uint64_t ingress_free;        /* ... its input port */

    /* While the run goes on, its `turns` are those taken less the tokens delivered, modulo
     * 2^64, so that the plain engine counts once: a turn in which a token is parked, or goes on
     * as a request, delivers none, nor does an instruction of the start; what goes on after it
     * waited is delivered without a turn. */
    struct traces_pe_stats stats;

    /* Of machines with finite queues (machine/room.h): tokens in the input queue or on
     * their way there; in the output queue or on their way there; in the input port or on
     * their way there; and, in cycle `promised_at`, those that turns may add. */
    uint64_t held, leaving, coming;
    uint64_t promised, promised_out, promised_at;
};

/* A set of PEs, walked in the order of their numbers. */
struct machine_set {
    uint64_t *words;
    uint32_t word_count;
};

static inline void machine_set_add(const struct machine_set *set, uint32_t pe)
{
    set->words[pe / 64] |= UINT64_C(1) << (pe % 64);
}

static inline void machine_set_remove(struct machine_set *set, uint32_t pe)
{
    set->words[pe / 64] &= ~(UINT64_C(1) << (pe % 64));
}

/* Removes it if `empty`: without a branch, which nobody could predict. */
static inline void machine_set_remove_if(struct machine_set *set, uint32_t pe, bool empty)
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

/* Walks a set in ascending order; the body may remove `pe` and must not add. */
#define MACHINE_SET_EACH(set, pe)                                                        \
    for (uint32_t word_ = 0; word_ < (set)->word_count; word_++)                         \
        for (uint64_t bits_ = (set)->words[word_];                                       \
             bits_ && ((pe) = word_ * 64 + (uint32_t)__builtin_ctzll(bits_), true);      \
             bits_ &= bits_ - 1)

/* The same in descending order. */
#define MACHINE_SET_EACH_DOWN(set, pe)                                                   \
    for (uint32_t word_ = (set)->word_count; word_-- > 0;)                               \
        for (uint64_t bits_ = (set)->words[word_];                                       \
             bits_ && ((pe) = word_ * 64 + 63 - (uint32_t)__builtin_clzll(bits_), true); \
             bits_ &= ~(UINT64_C(1) << (pe) % 64))

#endif
