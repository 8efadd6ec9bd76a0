/* Fuzz target: values of inputs, in all formats, for each of some types. What is accepted is
 * written, and read back to the same; what is refused says so, and keeps no memory. The first byte
 * chooses the type. */
#include "tests/fuzz/fuzz.h"

#include "isa/given.h"
#include "isa/tensor/files/parts.h"

static const struct isa_parts types[] = {
    {.count = 1, .rank = 1, .elements = {ISA_ELEMENT_INT}},
    {.count = 1, .rank = 1, .elements = {ISA_ELEMENT_REAL}},
    {.count = 1, .rank = 1, .elements = {ISA_ELEMENT_BOOL}},
    {.count = 2, .rank = 1, .elements = {ISA_ELEMENT_INT, ISA_ELEMENT_INT}},
    {.count = 3,
     .rank = 1,
     .elements = {ISA_ELEMENT_INT, ISA_ELEMENT_INT, ISA_ELEMENT_REAL}},
    {.count = 1, .rank = 2, .elements = {ISA_ELEMENT_REAL}},
    {.count = 2, .rank = 3, .elements = {ISA_ELEMENT_BOOL, ISA_ELEMENT_INT}},
    {.count = 1, .rank = 2, .is_tensor = true, .elements = {ISA_ELEMENT_REAL32}},
};

enum { TYPES = sizeof types / sizeof *types };

static bool read(struct isa_parts *parts, struct isa_tensor_memory *memory,
                 const struct lib_source *source)
{
    struct lib_diags diags = {0};
    const bool good = isa_parts_read(parts, memory, source, &diags);
    fuzz_diags(&diags, !good);
    if (memory->peak > memory->limit || (!good && memory->used > 0))
        fuzz_fail("%zu bytes are taken", (size_t)memory->used);
    return good;
}

/* Whether what is written holds the value: inner extents of an array without elements are lost. */
static bool is_whole(const struct isa_parts *parts)
{
    return parts->tensors[0]->count > 0 || parts->rank == 1;
}

static void check_again(const struct isa_parts *parts, struct lib_arena *arena)
{
    const struct isa_given given = {
        .part_count = parts->count,
        .parts = (const struct isa_tensor *const *)parts->tensors,
    };
    struct isa_tensor_memory memory = {.limit = 1 << 20};
    struct isa_parts again = *parts;
    struct lib_text text = {0};
    isa_given_write(&text, &given);
    if (!read(&again, &memory, fuzz_source(arena, "again", text.bytes, text.length)))
        fuzz_fail("what was written is refused:\n%s", lib_text_get(&text));
    for (uint32_t i = 0; i < parts->count; i++)
        if (again.tensors[i]->word != parts->tensors[i]->word)
            fuzz_fail("what was written is another value:\n%s", lib_text_get(&text));
    isa_parts_free(&again, &memory);
    isa_tensor_memory_free(&memory);
    lib_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct lib_arena *arena = lib_arena_new();
    struct isa_tensor_memory memory = {.limit = 1 << 20};
    struct isa_parts parts = types[data[0] % TYPES];
    if (read(&parts, &memory, fuzz_source(arena, "fuzz", data + 1, size - 1))) {
        if (is_whole(&parts))
            check_again(&parts, arena);
        isa_parts_free(&parts, &memory);
    }
    isa_tensor_memory_free(&memory);
    lib_arena_free(arena);
    return 0;
}
