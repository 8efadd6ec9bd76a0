/* Batches: lists of pointers to the tokens that are issued in a cycle, one list for each kind
 * (class of instructions). The tokens stay in their queues. A list is in the order in which tokens
 * were chosen. */
#ifndef MACHINE_TOKENS_BATCHES_H
#define MACHINE_TOKENS_BATCHES_H

#include "isa/exec/exec.h"

struct machine;

/* A function that issues the tokens of a batch, from `next` to `end`, at least one. */
typedef void machine_take(struct machine *m, const struct isa_token *const *next,
                          const struct isa_token *const *end);

struct machine_batch {
    /* The list: pointers from `first` up to, not including, `end`. Empty between two cycles. */
    const struct isa_token **end, **first;
    /* Functions of the plain engine that issue the tokens: `take` without, `take_told` with
     * events. */
    machine_take *take, *take_told;
};

/* Size in bits of a set of instruction kinds: bit k % 64 stands for kind k. A run uses few kinds,
 * so few share a bit. */
enum { MACHINE_KIND_BITS = 64 };

struct machine_batches {
    /* The list of each instruction kind. Lists from kind_count on are always empty; they exist so
     * that MACHINE_EACH_BATCH can look at one for each of 64 bits. */
    struct machine_batch of[ISA_KIND_COUNT + MACHINE_KIND_BITS];
    uint64_t kinds; /* bits of the kinds whose lists may have tokens */

    /* Memory of the lists: `room` pointers for each of kind_count kinds, and for one more list,
     * which stays empty. */
    const struct isa_token **tokens;
    size_t room;
    uint32_t kind_count;
};

/* Makes lists of `kind_count` instruction kinds. *b is zeroed. */
void machine_batches_init(struct machine_batches *b, uint32_t kind_count);
void machine_batches_free(struct machine_batches *b);
void machine_batches_clear(struct machine_batches *b);

/* Makes room for `count` tokens in the list of each instruction kind. */
__attribute__((cold)) void machine_batches_grow(struct machine_batches *b, size_t count);

/* Announces that at most `count` tokens will be added in this cycle, so that adding one needs no
 * check. */
static inline void machine_batches_expect(struct machine_batches *b, size_t count)
{
    if (__builtin_expect(count > b->room, 0))
        machine_batches_grow(b, count);
}

static inline size_t machine_batch_count(const struct machine_batch *batch)
{
    return (size_t)(batch->end - batch->first);
}

/* Adds a token to be issued in this cycle to the list of its instruction kind, and the kind to
 * `kinds`. */
static inline void machine_batches_put(struct machine_batches *b,
                                       const struct isa_token *t, uint32_t kind,
                                       uint64_t *kinds)
{
    assert(machine_batch_count(&b->of[kind]) < b->room);
    *kinds |= UINT64_C(1) << (kind % MACHINE_KIND_BITS);
    *b->of[kind].end++ = t;
}

/* Iterates over this cycle's lists that have tokens, in the order of kinds. The body must empty
 * each. */
#define MACHINE_EACH_BATCH(b, batch)                                                     \
    for (uint32_t base_ = 0; base_ < (b)->kind_count; base_ += MACHINE_KIND_BITS)        \
        for (uint64_t bits_ = (b)->kinds; bits_; bits_ &= bits_ - 1)                     \
            if ((batch) = &(b)->of[base_ + (uint32_t)__builtin_ctzll(bits_)],            \
                (batch)->end != (batch)->first)

#endif
