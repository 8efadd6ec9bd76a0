#include "machine/pe/queue.h"

void machine_queue_init(struct machine_queue *queue)
{
    *queue = (struct machine_queue){
        .tokens = lib_mem_new(MACHINE_QUEUE_RING * sizeof *queue->tokens),
        .mask = MACHINE_QUEUE_RING - 1,
    };
}

void machine_queue_init_in(struct machine_queue *queue, struct isa_token *ring)
{
    *queue = (struct machine_queue){
        .tokens = ring,
        .mask = MACHINE_QUEUE_RING - 1,
        .is_lent = true,
    };
}

/* Not zeroed: a token is read only after it was put, and most rings are never touched in a short
 * run. */
struct isa_token *machine_queue_rings(uint32_t count)
{
    return lib_mem_resize(NULL,
                          (size_t)count * MACHINE_QUEUE_RING * sizeof(struct isa_token));
}

void machine_queue_free(struct machine_queue *queue)
{
    if (!queue->is_lent)
        lib_mem_free(queue->tokens);
}

void machine_queue_grow(struct machine_queue *queue)
{
    uint32_t count = machine_queue_count(queue);
    uint32_t capacity = 2 * (queue->mask + 1);
    struct isa_token *tokens = lib_mem_resize(NULL, capacity * sizeof *tokens);
    for (uint32_t i = 0; i < count; i++)
        tokens[i] = queue->tokens[(queue->head + i) & queue->mask];
    machine_queue_free(queue);
    *queue = (struct machine_queue){tokens, 0, count, capacity - 1, false};
}

void machine_queue_pack(struct lib_pack *pack, const struct isa_exec *exec,
                        struct machine_queue *queue)
{
    const uint64_t count = lib_pack_count(pack, machine_queue_count(queue),
                                          sizeof *queue->tokens);
    struct isa_token t;
    if (lib_pack_reads(pack))
        queue->head = queue->tail = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!lib_pack_reads(pack))
            t = queue->tokens[(queue->head + i) & queue->mask];
        isa_exec_pack_tokens(pack, exec, &t, 1);
        if (lib_pack_reads(pack))
            machine_queue_put(queue, &t);
    }
}
