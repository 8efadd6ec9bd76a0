/* Fuzz target: assembly of any stage. What is accepted is legal at its stage and at each
 * later one, reads back, and can be executed. */
#include "tests/fuzz/fuzz.h"

#include "isa/asm.h"
#include "programs/compile.h"

static void go_on(struct isa_graph *graph)
{
    fuzz_graph(graph);
    for (int stage = graph->stage + 1; graph && stage <= ISA_STAGE_IMAGE; stage++) {
        struct lib_diags diags = {0};
        graph = programs_advance(graph, (enum isa_stage)stage, NULL, &diags);
        if (!graph && !fuzz_is_limit(&diags))
            fuzz_fail("an accepted graph is refused at the next stage: %s",
                      diags.items[0].text);
        fuzz_diags(&diags, graph == NULL);
        if (graph)
            fuzz_graph(graph);
    }
    if (graph)
        fuzz_execute(graph, false);
    isa_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const struct lib_source *source = fuzz_source(arena, "fuzz.dfa", data, size);
    struct isa_graph *graph = isa_asm_read(source, &diags);
    fuzz_diags(&diags, graph == NULL);
    if (graph)
        go_on(graph);
    lib_arena_free(arena);
    return 0;
}
