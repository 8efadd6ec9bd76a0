/* Graphs without positions in the source, to compare graphs of programs with different layout. */
#ifndef TESTS_RANDOM_PLACELESS_H
#define TESTS_RANDOM_PLACELESS_H

#include "isa/graph.h"

static inline struct isa_graph *placeless_copy(const struct isa_graph *graph)
{
    struct isa_graph *copy = isa_graph_copy(graph);
    for (uint32_t i = 0; i < copy->node_count; i++)
        copy->nodes[i].pos = (struct lib_pos){0};
    for (uint32_t i = 0; i < copy->function_count; i++)
        copy->functions[i].pos = (struct lib_pos){0};
    for (uint32_t i = 0; i < copy->site_count; i++)
        copy->sites[i].pos = (struct lib_pos){0};
    copy->placing_count = 0;
    return copy;
}

#endif
