/* Fuzz target: assembly of any stage. What is accepted is legal at its stage and at each
 * later one, reads back, and can be executed. */
#include "tests/fuzz/fuzz.h"

#include "isa/format/asm.h"
#include "programs/compile.h"

/* Consumes the graph, whose stage comes before `last`, or is it. */
static void go_on_to(struct isa_graph *graph, enum isa_stage last)
{
    while (graph && graph->stage != last) {
        struct lib_diags diags = {0};
        const bool early = graph->stage == ISA_STAGE_FUNCTIONS && last == ISA_STAGE_IMAGE;
        graph = programs_advance(graph, early ? ISA_STAGE_STATIC : last, NULL, &diags);
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

static void go_on(struct isa_graph *graph)
{
    fuzz_graph(graph);
    if (graph->stage == ISA_STAGE_FUNCTIONS)
        go_on_to(isa_graph_copy(graph), ISA_STAGE_EXPANDING);
    go_on_to(graph,
             isa_stage_is_executable(graph->stage) ? graph->stage : ISA_STAGE_IMAGE);
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
