/* Queues of tokens: a ring that grows, taken from at either end. */
#ifndef MACHINE_PE_QUEUE_H
#define MACHINE_PE_QUEUE_H

#include "isa/exec/pack.h"

struct machine_queue {
    struct isa_token *tokens;
    uint32_t head, tail; /* counting on and on; the ring index is the count & mask */
    uint32_t mask;       /* capacity - 1; the capacity is a power of two */
    bool is_lent;        /* `tokens` are those of machine_queue_init_in */
};

enum { MACHINE_QUEUE_RING = 16 }; /* tokens of a queue before it grows */

void machine_queue_init(struct machine_queue *queue);

/* A queue whose first MACHINE_QUEUE_RING tokens the caller owns, and frees after the queue. So
 * many queues take one block. */
void machine_queue_init_in(struct machine_queue *queue, struct isa_token *ring);

/* Memory for the first tokens of `count` queues; to be freed with lib_mem_free. */
struct isa_token *machine_queue_rings(uint32_t count);

void machine_queue_free(struct machine_queue *queue);
__attribute__((cold)) void machine_queue_grow(struct machine_queue *queue);

/* Its tokens, the oldest first; what it had when it is read is gone. */
void machine_queue_pack(struct lib_pack *pack, const struct isa_exec *exec,
                        struct machine_queue *queue);

static inline uint32_t machine_queue_count(const struct machine_queue *queue)
{
    return queue->tail - queue->head;
}

/* Forgets its tokens. */
static inline void machine_queue_clear(struct machine_queue *queue)
{
    queue->head = queue->tail = 0;
}

/* Puts a token behind the others, and points to where it is now. */
static inline struct isa_token *machine_queue_put(struct machine_queue *queue,
                                                  const struct isa_token *token)
{
    if (__builtin_expect(machine_queue_count(queue) > queue->mask, 0))
        machine_queue_grow(queue);
    struct isa_token *last = &queue->tokens[queue->tail++ & queue->mask];
    *last = *token;
    return last;
}

/* Puts a token before the others: it is the oldest. */
static inline void machine_queue_put_first(struct machine_queue *queue,
                                           const struct isa_token *token)
{
    if (__builtin_expect(machine_queue_count(queue) > queue->mask, 0))
        machine_queue_grow(queue);
    queue->tokens[--queue->head & queue->mask] = *token;
}

/* Takes the oldest token; there is one. It stays where it is until the next is put. */
static inline const struct isa_token *machine_queue_oldest(struct machine_queue *queue)
{
    assert(queue->head != queue->tail);
    return &queue->tokens[queue->head++ & queue->mask];
}

/* Takes the newest token; there is one. It stays where it is until the next is put. */
static inline const struct isa_token *machine_queue_newest(struct machine_queue *queue)
{
    assert(queue->head != queue->tail);
    return &queue->tokens[--queue->tail & queue->mask];
}

/* An empty ring starts again from its first place, so that a short queue stays in few cache
 * lines. What was taken last stays where it is. */
static inline void machine_queue_rewind(struct machine_queue *queue)
{
    const uint32_t all_or_none = -(uint32_t)(queue->head != queue->tail);
    queue->head &= all_or_none; /* without a branch, which nobody could predict */
    queue->tail &= all_or_none;
}

/* The token that would be taken next, and taking it. */
static inline const struct isa_token *
machine_queue_next(const struct machine_queue *queue, bool newest)
{
    assert(queue->head != queue->tail);
    return &queue->tokens[(newest ? queue->tail - 1 : queue->head) & queue->mask];
}

static inline const struct isa_token *machine_queue_take(struct machine_queue *queue,
                                                         bool newest)
{
    return newest ? machine_queue_newest(queue) : machine_queue_oldest(queue);
}

#endif
