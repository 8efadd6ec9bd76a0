/* The tokens that are issued in a cycle, sorted by kind of instruction as the code numbers kinds: a
 * batch each. The tokens lie in queues. In a batch they stand as they were selected. */
#ifndef MACHINE_ENGINE_BATCHES_H
#define MACHINE_ENGINE_BATCHES_H

#include "isa/exec/exec.h"

struct machine_batches {
    /* Behind the last token of each kind; and which kinds there may be, as bits kind % 64. Between
     * cycles there is none. */
    const struct isa_token **ends[ISA_KIND_COUNT + 1];
    uint64_t kinds;

    const struct isa_token **tokens; /* from kind * stride on those of a kind, */
    size_t stride, room;             /* for which there are so many places */
    uint32_t kind_count;
};

void machine_batches_init(struct machine_batches *b, uint32_t kind_count);
void machine_batches_free(struct machine_batches *b);

/* Makes room for `count` tokens of each kind. */
__attribute__((cold)) void machine_batches_grow(struct machine_batches *b, size_t count);

/* At most `count` tokens will have been selected in this cycle, until this is said again. It is not said for
 * each token. */
static inline void machine_batches_expect(struct machine_batches *b, size_t count)
{
    if (__builtin_expect(count > b->room, 0))
        machine_batches_grow(b, count);
}

static inline const struct isa_token **
machine_batches_first(const struct machine_batches *b, uint32_t kind)
{
    return b->tokens + kind * b->stride;
}

static inline size_t machine_batches_count(const struct machine_batches *b, uint32_t kind)
{
    return (size_t)(b->ends[kind] - machine_batches_first(b, kind));
}

/* A token is issued in this cycle: it stays where it is. Its kind is added to `kinds`. */
static inline void machine_batches_put(struct machine_batches *b,
                                       const struct isa_token *t, uint32_t kind,
                                       uint64_t *kinds)
{
    assert(machine_batches_count(b, kind) < b->room);
    *kinds |= UINT64_C(1) << (kind % 64);
    *b->ends[kind]++ = t;
}

static inline void machine_batches_empty(struct machine_batches *b, uint32_t kind)
{
    b->ends[kind] = machine_batches_first(b, kind);
}

/* Walks the kinds that are issued in this cycle, in order; the body issues all their tokens. */
#define MACHINE_EACH_KIND(b, kind)                                                       \
    for (uint32_t base_ = 0; base_ < (b)->kind_count; base_ += 64)                       \
        for (uint64_t bits_ = (b)->kinds; bits_; bits_ &= bits_ - 1)                     \
            if ((kind) = base_ + (uint32_t)__builtin_ctzll(bits_),                       \
                (kind) < (b)->kind_count && machine_batches_count(b, kind))

#endif
