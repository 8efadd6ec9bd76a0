/* Queue of tokens: a ring buffer that grows; tokens can be taken from both ends. */
#ifndef MACHINE_TOKENS_QUEUE_H
#define MACHINE_TOKENS_QUEUE_H

#include "isa/exec/exec.h"

struct machine_queue {
    struct isa_token *tokens;
    /* Positions of the oldest token and of the next one to be added, modulo 2^32. The token at
     * position n is tokens[n & mask]. Positions start at 0 again after machine_queue_rewind, _clear
     * and _grow. */
    uint32_t head, tail;
    uint32_t mask;   /* capacity - 1; the capacity is a power of two */
    uint32_t origin; /* origin of the memory of `tokens`; for queue.c only */
};

enum { MACHINE_QUEUE_RING = 16 }; /* initial capacity in tokens */

/* Memory for the rings of many queues: one block for the first ring of each, and large pages
 * (lib/pages.h) once all rings would take 1 MB. Rings that queues have outgrown are used again. */
struct machine_rings;

struct machine_rings *machine_rings_new(uint32_t count);
void machine_rings_free(struct machine_rings *rings); /* after its queues; may be NULL */

/* Starts queue number `index` of those that share `rings`. */
void machine_queue_init_in(struct machine_queue *queue, struct machine_rings *rings,
                           uint32_t index);

/* Starts a queue that owns its memory. */
void machine_queue_init(struct machine_queue *queue);

void machine_queue_free(struct machine_queue *queue);
__attribute__((cold)) void machine_queue_grow(struct machine_queue *queue);

/* Writes the tokens to `pack`, oldest first; or reads tokens, which replace all in the queue. */
void machine_queue_pack(struct lib_pack *pack, const struct isa_exec *exec,
                        struct machine_queue *queue);

static inline uint32_t machine_queue_count(const struct machine_queue *queue)
{
    return queue->tail - queue->head;
}

static inline void machine_queue_clear(struct machine_queue *queue)
{
    queue->head = queue->tail = 0;
}

/* Adds a token as the newest. Returns a pointer to it in the queue. */
static inline __attribute__((always_inline)) struct isa_token *
machine_queue_put(struct machine_queue *queue, const struct isa_token *token)
{
    if (__builtin_expect(machine_queue_count(queue) > queue->mask, 0))
        machine_queue_grow(queue);
    struct isa_token *last = &queue->tokens[queue->tail++ & queue->mask];
    *last = *token;
    return last;
}

/* Adds a token as the oldest in the queue. */
static inline void machine_queue_put_first(struct machine_queue *queue,
                                           const struct isa_token *token)
{
    if (__builtin_expect(machine_queue_count(queue) > queue->mask, 0))
        machine_queue_grow(queue);
    queue->tokens[--queue->head & queue->mask] = *token;
}

/* Removes and returns the oldest token; the queue must not be empty. The pointer is valid until a
 * token is added. */
static inline const struct isa_token *machine_queue_oldest(struct machine_queue *queue)
{
    assert(queue->head != queue->tail);
    return &queue->tokens[queue->head++ & queue->mask];
}

/* Removes and returns the newest token; the queue must not be empty. The pointer is valid until a
 * token is added. */
static inline const struct isa_token *machine_queue_newest(struct machine_queue *queue)
{
    assert(queue->head != queue->tail);
    return &queue->tokens[--queue->tail & queue->mask];
}

/* Makes an empty queue use the beginning of its memory again, so that short queues touch few cache
 * lines. The token removed last stays valid. */
static inline void machine_queue_rewind(struct machine_queue *queue)
{
    const uint32_t all_or_none = -(uint32_t)(queue->head != queue->tail);
    queue->head &= all_or_none; /* no branch, which would be hard to predict */
    queue->tail &= all_or_none;
}

/* Return the token at the newest or oldest end; machine_queue_take also removes it. */
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
