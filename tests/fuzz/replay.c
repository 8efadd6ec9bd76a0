/* Without libFuzzer: runs a fuzz target on each file that is named. */
#include "tests/fuzz/fuzz.h"

#include "lib/file.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct lib_arena *arena = lib_arena_new();
        struct lib_diags diags = {0};
        const struct lib_source *source = lib_file_read(arena, argv[i], &diags);
        if (!source) {
            fprintf(stderr, "%s\n", diags.items[0].text);
            return EXIT_FAILURE;
        }
        fprintf(stderr, "Running: %s\n", argv[i]);
        /* Exactly as many bytes as there are, so that reading behind them is seen. */
        uint8_t *bytes = malloc(source->length ? source->length : 1);
        if (!bytes)
            return EXIT_FAILURE;
        memcpy(bytes, source->bytes, source->length);
        LLVMFuzzerTestOneInput(bytes, source->length);
        free(bytes);
        lib_arena_free(arena);
    }
    return EXIT_SUCCESS;
}
