/* Fuzz target: comma-separated values. What is accepted is written and read back to the same,
 * whatever shape is expected; what is refused took no memory. */
#include "tests/tensor/kernels.h"
#include "tests/fuzz/fuzz.h"

#include "isa/tensor/files/csv.h"

static struct isa_tensor *read(struct isa_tensor_memory *memory,
                               const struct lib_source *source,
                               const struct isa_shape *expected, struct lib_diags *diags)
{
    struct isa_tensor *tensor = isa_csv_read(memory, source, expected, true, diags);
    if (!tensor && memory->peak > memory->limit)
        fuzz_fail("more memory than there is");
    return tensor;
}

static void check_again(struct isa_tensor_memory *memory, struct lib_arena *arena,
                        const struct isa_tensor *tensor)
{
    struct lib_text text = {0};
    struct lib_diags diags = {0};
    test_csv_write(&text, tensor);
    struct isa_tensor *again = read(
        memory, fuzz_source(arena, "again.csv", text.bytes, text.length), &tensor->shape,
        &diags);
    if (!again || again->word != tensor->word)
        fuzz_fail("what was written is another tensor:\n%s", lib_text_get(&text));
    isa_tensor_free(memory, again);
    lib_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct isa_shape vector = {ISA_ELEMENT_REAL32, 1, {ISA_UNKNOWN}};
    struct lib_arena *arena = lib_arena_new();
    struct isa_tensor_memory memory = {.limit = 1 << 20};
    const struct lib_source *source = fuzz_source(arena, "fuzz.csv", data, size);
    for (unsigned i = 0; i < 2; i++) {
        struct lib_diags diags = {0};
        struct isa_tensor *tensor = read(&memory, source, i ? &vector : NULL, &diags);
        fuzz_diags(&diags, !tensor);
        if (tensor)
            check_again(&memory, arena, tensor);
        isa_tensor_free(&memory, tensor);
    }
    if (memory.used > 0)
        fuzz_fail("%llu bytes are still used", (unsigned long long)memory.used);
    isa_tensor_memory_free(&memory);
    lib_arena_free(arena);
    return 0;
}
