#include "machine/engine/batches.h"

/* Batches of kinds that are issued together shall not begin in the same set of a cache. */
enum { FIRST_ROOM = 64, APART = 8 };

/* A kind that no code has is behind the others, and always empty. */
static void lay_out(struct machine_batches *b, size_t room)
{
    b->room = room;
    b->stride = room + APART;
    b->tokens = lib_mem_resize(NULL, (b->kind_count + 1) * b->stride * sizeof *b->tokens);
}

void machine_batches_init(struct machine_batches *b, uint32_t kind_count)
{
    assert(kind_count < sizeof b->ends / sizeof *b->ends);
    b->kind_count = kind_count;
    lay_out(b, FIRST_ROOM);
    for (uint32_t kind = 0; kind <= kind_count; kind++)
        machine_batches_empty(b, kind);
}

void machine_batches_free(struct machine_batches *b)
{
    lib_mem_free(b->tokens);
}

void machine_batches_grow(struct machine_batches *b, size_t count)
{
    const struct machine_batches old = *b;
    lay_out(b, count < 2 * old.room ? 2 * old.room : count);
    for (uint32_t kind = 0; kind <= b->kind_count; kind++) {
        const size_t had = machine_batches_count(&old, kind);
        const struct isa_token **first = machine_batches_first(b, kind);
        memcpy(first, machine_batches_first(&old, kind), had * sizeof *first);
        b->ends[kind] = first + had;
    }
    lib_mem_free(old.tokens);
}
