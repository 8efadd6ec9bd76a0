#include "analysis/diff/node_mapping.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/order.h"

/* Identity of an instruction. If `number` is set, position and ordinal are not used. */
struct identity {
    const char *function;
    enum isa_op op;
    struct lib_pos pos;
    uint32_t number;  /* site of a call, or part of a RESULT */
    uint32_t ordinal; /* index among those that are otherwise equal */
    uint32_t side, node;
};

static int compare_kind(const struct identity *a, const struct identity *b)
{
    return strcmp(a->function, b->function) ?: LIB_ORDER(a->op, b->op)
           ?: LIB_ORDER(a->pos.line, b->pos.line)
           ?: LIB_ORDER(a->pos.column, b->pos.column) ?: LIB_ORDER(a->number, b->number);
}

static int compare_nodes(const void *x, const void *y)
{
    const struct identity *a = x, *b = y;
    return compare_kind(a, b) ?: LIB_ORDER(a->side, b->side) ?: LIB_ORDER(a->node, b->node);
}

static int compare_identities(const void *x, const void *y)
{
    const struct identity *a = x, *b = y;
    return compare_kind(a, b) ?: LIB_ORDER(a->ordinal, b->ordinal)
           ?: LIB_ORDER(a->side, b->side) ?: LIB_ORDER(a->node, b->node);
}

/* Replaces an identity by that of the corresponding instruction of both strategies. */
static void make_common(const struct isa_graph *g, const struct isa_node *node,
                        struct identity *i)
{
    switch (node->op) {
    case ISA_OP_MERGE:
        if (!g->functions[node->function].is_loop)
            i->op = ISA_OP_PARAM;
        return;
    case ISA_OP_CALL:
    case ISA_OP_APPLY:
        i->op = ISA_OP_APPLY;
        i->number = node->site;
        i->pos = (struct lib_pos){0};
        return;
    case ISA_OP_RETURN:
    case ISA_OP_RESULT:
        i->function = g->functions[node->op == ISA_OP_RETURN ? g->sites[node->site].callee
                                                             : node->function]
                          .name;
        i->op = ISA_OP_RESULT;
        i->number = node->index;
        i->pos = (struct lib_pos){0};
        return;
    default:
        return;
    }
}

/* Whether several such instructions of one graph, without order, can correspond to one in the
 * other. */
static bool is_many(const struct analysis_node_mapping *alike, const struct identity *i)
{
    return alike->strategies_differ && (i->op == ISA_OP_APPLY || i->op == ISA_OP_RESULT);
}

static void collect(const struct analysis_node_mapping *alike, uint32_t side,
                    struct identity *items)
{
    const struct isa_graph *g = alike->graphs[side];
    for (uint32_t n = 0; n < g->node_count; n++) {
        const struct isa_node *node = &g->nodes[n];
        items[n] = (struct identity){.function = g->functions[node->function].name,
                                     .op = node->op,
                                     .pos = node->pos,
                                     .side = side,
                                     .node = n};
        if (alike->strategies_differ)
            make_common(g, node, &items[n]);
    }
}

/* Sets the ordinals of instructions that are otherwise equal, in the order of the nodes. */
static void order(const struct analysis_node_mapping *alike, struct identity *items,
                  size_t count)
{
    qsort(items, count, sizeof *items, compare_nodes);
    for (size_t i = 1; i < count; i++)
        if (items[i].side == items[i - 1].side && !is_many(alike, &items[i]) &&
            compare_kind(&items[i - 1], &items[i]) == 0)
            items[i].ordinal = items[i - 1].ordinal + 1;
    qsort(items, count, sizeof *items, compare_identities);
}

static void number(struct analysis_node_mapping *alike, const struct identity *items,
                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool is_new = i == 0 || items[i - 1].ordinal != items[i].ordinal ||
                            compare_kind(&items[i - 1], &items[i]) != 0;
        if (is_new)
            alike->nodes[alike->count++] = (struct analysis_node_mapping_find){
                {UINT32_MAX, UINT32_MAX}};
        struct analysis_node_mapping_find *node = &alike->nodes[alike->count - 1];
        if (node->of[items[i].side] == UINT32_MAX)
            node->of[items[i].side] = items[i].node;
        alike->numbers[items[i].side][items[i].node] = alike->count - 1;
    }
}

static void count_calls(struct analysis_node_mapping *alike)
{
    const struct isa_graph *g = alike->graphs[0];
    if (isa_stage_applies(g->stage))
        g = alike->graphs[1];
    alike->calls = lib_mem_new((g->site_count + 1) * sizeof *alike->calls);
    for (uint32_t n = 0; n < g->node_count; n++)
        if (g->nodes[n].op == ISA_OP_CALL)
            alike->calls[g->nodes[n].site]++;
}

struct analysis_node_mapping *analysis_node_mapping_new(const struct isa_graph *a,
                                                        const struct isa_graph *b)
{
    struct analysis_node_mapping *alike = lib_mem_new(sizeof *alike);
    const size_t count = (size_t)a->node_count + b->node_count;
    struct identity *items = lib_mem_new((count + 1) * sizeof *items);
    *alike = (struct analysis_node_mapping){
        .graphs = {a, b},
        .strategies_differ = isa_stage_applies(a->stage) != isa_stage_applies(b->stage)};
    for (uint32_t side = 0; side < 2; side++)
        alike->numbers[side] = lib_mem_new((alike->graphs[side]->node_count + 1) *
                                           sizeof **alike->numbers);
    alike->nodes = lib_mem_new((count + 1) * sizeof *alike->nodes);
    collect(alike, 0, items);
    collect(alike, 1, items + a->node_count);
    order(alike, items, count);
    number(alike, items, count);
    if (alike->strategies_differ)
        count_calls(alike);
    lib_mem_free(items);
    return alike;
}

void analysis_node_mapping_free(struct analysis_node_mapping *alike)
{
    if (!alike)
        return;
    LIB_MEM_FREE(alike->numbers[0], alike->numbers[1], alike->calls, alike->nodes, alike);
}

const struct isa_node *
analysis_node_mapping_find(const struct analysis_node_mapping *alike, uint32_t number,
                           const struct isa_graph **graph)
{
    const struct analysis_node_mapping_find *node = &alike->nodes[number];
    const bool second = alike->graphs[1]->stage == ISA_STAGE_EXPANDING;
    uint32_t side = alike->strategies_differ && second;
    if (node->of[side] == UINT32_MAX)
        side = !side;
    *graph = alike->graphs[side];
    return &(*graph)->nodes[node->of[side]];
}
