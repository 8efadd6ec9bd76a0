/* Random programs on tensors, compiled by both strategies, and random machines for them. */
#ifndef TESTS_UNIT_TENSOR_PROGRAMS_H
#define TESTS_UNIT_TENSOR_PROGRAMS_H

#include "tests/random/draw.h"
#include "tests/random/generate_tensors.h"
#include "tests/unit/support.h"

/* Calls `check` four times for each of `programs` random programs; continues the random numbers of
 * `draw`. */
static inline void test_each_tensor_program(uint64_t programs,
                                            void (*check)(const struct isa_graph *graph,
                                                          struct draw *draw))
{
    for (uint64_t seed = 0; seed < programs; seed++) {
        struct draw draw = {.seed = seed};
        struct lib_text program = {0}, result = {0};
        generate_tensors(seed, &program, &result);
        struct isa_graph *graph = test_compile(
            lib_text_get(&program), seed % 2 ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE);
        for (int i = 0; i < 4; i++)
            check(graph, &draw);
        isa_graph_free(graph);
        lib_text_free(&program);
        lib_text_free(&result);
    }
}

#endif
