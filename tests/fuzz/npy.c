/* Fuzz target: files .npy. What is accepted fits the limit, and is written and read back to the
 * same; what is refused took no memory. */
#include "tests/fuzz/fuzz.h"

#include "isa/tensor/files/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct isa_tensor_memory memory = {.limit = 4096};
    const struct lib_source *source = fuzz_source(arena, "fuzz.npy", data, size);
    struct isa_tensor *tensor = isa_npy_read(&memory, source, NULL, true, &diags);
    fuzz_diags(&diags, !tensor);
    if (tensor) {
        struct lib_text file = {0};
        struct lib_diags refused = {0};
        isa_npy_write(&file, tensor);
        source = fuzz_source(arena, "again.npy", file.bytes, file.length);
        struct isa_tensor *again = isa_npy_read(&memory, source, &tensor->shape, true,
                                                &refused);
        if (memory.used <= memory.limit / 2 && !again)
            fuzz_fail("what was written is refused");
        if (again && again->word != tensor->word)
            fuzz_fail("what was written is another tensor");
        lib_diags_free(&refused);
        isa_tensor_free(&memory, again);
        lib_text_free(&file);
    }
    isa_tensor_free(&memory, tensor);
    if (memory.used > 0 || memory.peak > memory.limit)
        fuzz_fail("memory: %llu used, %llu at most", (unsigned long long)memory.used,
                  (unsigned long long)memory.peak);
    isa_tensor_memory_free(&memory);
    lib_arena_free(arena);
    return 0;
}
