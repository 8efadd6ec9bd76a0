#include "machine/pe/queue.h"

enum { FIRST_CAPACITY = 16 };

void machine_queue_init(struct machine_queue *queue)
{
    *queue = (struct machine_queue){
        .tokens = lib_mem_new(FIRST_CAPACITY * sizeof *queue->tokens),
        .mask = FIRST_CAPACITY - 1,
    };
}

void machine_queue_free(struct machine_queue *queue)
{
    lib_mem_free(queue->tokens);
}

void machine_queue_grow(struct machine_queue *queue)
{
    uint32_t count = machine_queue_count(queue);
    uint32_t capacity = 2 * (queue->mask + 1);
    struct isa_token *tokens = lib_mem_resize(NULL, capacity * sizeof *tokens);
    for (uint32_t i = 0; i < count; i++)
        tokens[i] = queue->tokens[(queue->head + i) & queue->mask];
    lib_mem_free(queue->tokens);
    *queue = (struct machine_queue){tokens, 0, count, capacity - 1};
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
