/* Fuzz target: maps of machines. One that is accepted divides the program as it says, into a
 * legal graph that is the program when it is joined again. */
#include "tests/fuzz/fuzz.h"

#include "isa/parts.h"
#include "programs/partition/partition.h"
#include "programs/compile.h"

#include <string.h>

enum { MACHINES = 3 };

static const char program[] = "input n = 4\n"
                              "result = (f(n), g(n))\n"
                              "f(n) = if n < 2 then c else\n"
                              "       n * f(n - 1)\n"
                              "c = g(1)\n"
                              "g(m) = loop i = 0, s = 0\n"
                              "       while i < m\n"
                              "       do i + 1, s + i\n"
                              "       return s\n";

static void check_divided(const struct isa_graph *image, const struct isa_graph *graph)
{
    fuzz_graph(graph);
    struct isa_graph *joined = isa_parts_join(graph);
    if (joined->node_count != image->node_count || graph->machine_count != MACHINES)
        fuzz_fail("%u nodes on %u machines, of %u", joined->node_count,
                  graph->machine_count, image->node_count);
    for (uint32_t i = 0; i < joined->node_count; i++)
        if (joined->nodes[i].op != image->nodes[i].op)
            fuzz_fail("node %u is another one", i);
    isa_graph_free(joined);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const struct lib_source source = {"program.df", program, strlen(program)};
    struct isa_graph *image = programs_compile(&source, &(struct programs_options){0},
                                               ISA_STAGE_IMAGE, &diags);
    const struct programs_partition_choice choice = {
        .by = PROGRAMS_PARTITION_FILE,
        .machines = MACHINES,
        .map = fuzz_source(arena, "fuzz.yaml", data, size),
        .schedules = size % 2};
    struct isa_graph *graph = programs_partition(image, &choice, &diags);
    fuzz_diags(&diags, !graph);
    if (graph)
        check_divided(image, graph);
    isa_graph_free(graph);
    isa_graph_free(image);
    lib_arena_free(arena);
    return 0;
}
