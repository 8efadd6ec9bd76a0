#include "machine/tokens/batches.h"

/* Batches issued together must not start in the same set of a cache. */
enum { FIRST_ROOM = 64, APART = 8 };

/* Gives each batch memory for `room` tokens and moves its tokens there. One more batch stays
 * empty. */
static void lay_out(struct machine_batches *b, size_t room)
{
    const size_t stride = room + APART;
    const struct isa_token **tokens = lib_mem_resize(NULL, (b->kind_count + 1) * stride *
                                                               sizeof *tokens);
    for (uint32_t kind = 0; kind <= b->kind_count; kind++) {
        struct machine_batch *batch = &b->of[kind];
        const size_t count = machine_batch_count(batch);
        const struct isa_token **first = tokens + kind * stride;
        if (count)
            memcpy(first, batch->first, count * sizeof *first);
        batch->first = first;
        batch->end = first + count;
    }
    lib_mem_free(b->tokens);
    b->tokens = tokens;
    b->room = room;
}

void machine_batches_init(struct machine_batches *b, uint32_t kind_count)
{
    assert(kind_count <= ISA_KIND_COUNT);
    b->kind_count = kind_count;
    lay_out(b, FIRST_ROOM);
}

void machine_batches_free(struct machine_batches *b)
{
    lib_mem_free(b->tokens);
}

void machine_batches_clear(struct machine_batches *b)
{
    for (uint32_t kind = 0; kind <= b->kind_count; kind++)
        b->of[kind].end = b->of[kind].first;
    b->kinds = 0;
}

void machine_batches_grow(struct machine_batches *b, size_t count)
{
    lay_out(b, count < 2 * b->room ? 2 * b->room : count);
}
