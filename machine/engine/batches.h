/* The tokens that are issued in a cycle, sorted by kind of instruction as the code numbers kinds: a
 * batch each. The tokens lie in queues. In a batch they stand as they were selected. */
#ifndef MACHINE_ENGINE_BATCHES_H
#define MACHINE_ENGINE_BATCHES_H

#include "isa/exec/exec.h"

struct machine;

/* Issues the tokens of a batch, from `next` to `end`: one at least. */
typedef void machine_take(struct machine *m, const struct isa_token *const *next,
                          const struct isa_token *const *end);

struct machine_batch {
    const struct isa_token **end, **first; /* between cycles there is no token */
    machine_take *take, *take_told;        /* of the plain engine */
};

/* Bits of a set of kinds: those of a kind % 64. A run has few kinds, so that they seldom
 * coincide. */
enum { MACHINE_KIND_BITS = 64 };

struct machine_batches {
    /* That of each kind. Behind are some of no kind, which are always empty. */
    struct machine_batch of[ISA_KIND_COUNT + MACHINE_KIND_BITS];
    uint64_t kinds; /* which may have tokens */

    const struct isa_token **tokens; /* for each kind, and for one more, */
    size_t room;                     /* so many places */
    uint32_t kind_count;
};

void machine_batches_init(struct machine_batches *b, uint32_t kind_count);
void machine_batches_free(struct machine_batches *b);
void machine_batches_clear(struct machine_batches *b); /* forgets its tokens */

/* Makes room for `count` tokens of each kind. */
__attribute__((cold)) void machine_batches_grow(struct machine_batches *b, size_t count);

/* At most `count` tokens will have been selected in this cycle, until this is said again. It is
 * not said for each token. */
static inline void machine_batches_expect(struct machine_batches *b, size_t count)
{
    if (__builtin_expect(count > b->room, 0))
        machine_batches_grow(b, count);
}

static inline size_t machine_batch_count(const struct machine_batch *batch)
{
    return (size_t)(batch->end - batch->first);
}

/* A token is issued in this cycle: it stays where it is. Its kind is added to `kinds`. */
static inline void machine_batches_put(struct machine_batches *b,
                                       const struct isa_token *t, uint32_t kind,
                                       uint64_t *kinds)
{
    assert(machine_batch_count(&b->of[kind]) < b->room);
    *kinds |= UINT64_C(1) << (kind % MACHINE_KIND_BITS);
    *b->of[kind].end++ = t;
}

/* Walks the batches of this cycle, in the order of kinds; the body empties each. */
#define MACHINE_EACH_BATCH(b, batch)                                                     \
    for (uint32_t base_ = 0; base_ < (b)->kind_count; base_ += MACHINE_KIND_BITS)        \
        for (uint64_t bits_ = (b)->kinds; bits_; bits_ &= bits_ - 1)                     \
            if ((batch) = &(b)->of[base_ + (uint32_t)__builtin_ctzll(bits_)],            \
                (batch)->end != (batch)->first)

#endif
