#include "analysis/diff/rows.h"

#include "lib/order.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void *x, const void *y)
{
    const struct analysis_diff_row *a = x, *b = y;
    return strcmp(a->name, b->name) ?: LIB_ORDER(a->line, b->line);
}

static int compare_weights(const void *x, const void *y)
{
    const struct analysis_diff_row *a = x, *b = y;
    return LIB_ORDER((uint64_t)llabs(b->shift.sum), (uint64_t)llabs(a->shift.sum))
           ?: LIB_ORDER(b->shift.fired[0] + b->shift.fired[1],
                        a->shift.fired[0] + a->shift.fired[1])
           ?: compare_names(x, y);
}

static uint32_t *functions_of(const struct isa_graph *g)
{
    uint32_t *functions = lib_mem_new((g->function_count + 1) * sizeof *functions);
    analysis_cost_functions(g, functions);
    return functions;
}

static struct analysis_diff_row row_of(const struct isa_graph *graph,
                                       const struct isa_node *node,
                                       const uint32_t *functions,
                                       enum analysis_cost_by by)
{
    struct analysis_diff_row row = {.name = ""};
    if (by == ANALYSIS_COST_BY_LINE)
        row.line = node->pos.line;
    else if (by == ANALYSIS_COST_BY_FUNCTION)
        row.name = graph->functions[functions[node->function]].name;
    else
        row.name = isa_op_table[node->op].text;
    return row;
}

static void merge(struct analysis_diff_rows *rows)
{
    size_t kept = 0;
    qsort(rows->items, rows->count, sizeof *rows->items, compare_names);
    for (size_t i = 0; i < rows->count; i++) {
        struct analysis_diff_row *last = &rows->items[kept ? kept - 1 : 0];
        if (kept && compare_names(last, &rows->items[i]) == 0)
            analysis_shift_add(&last->shift, &rows->items[i].shift);
        else
            rows->items[kept++] = rows->items[i];
    }
    rows->count = kept;
    qsort(rows->items, rows->count, sizeof *rows->items, compare_weights);
}

static void add_own(const struct analysis_node_mapping *alike,
                    const struct analysis_shifts *shifts, uint32_t number, uint32_t side,
                    struct analysis_diff_rows *rows)
{
    const uint32_t node = alike->nodes[number].of[side];
    const struct analysis_shift *shift = &shifts->of[number];
    if (node == UINT32_MAX || shift->fired[side] == shift->matched)
        return;
    struct analysis_diff_row *row = &rows->items[rows->count++];
    *row = row_of(alike->graphs[side], &alike->graphs[side]->nodes[node], NULL,
                  ANALYSIS_COST_BY_OPCODE);
    row->shift.fired[side] = shift->fired[side] - shift->matched;
}

struct analysis_diff_rows analysis_diff_rows_by(const struct analysis_node_mapping *alike,
                                                const struct analysis_shifts *shifts,
                                                enum analysis_cost_by by)
{
    struct analysis_diff_rows rows = {0};
    uint32_t *functions[2] = {functions_of(alike->graphs[0]),
                              functions_of(alike->graphs[1])};
    rows.items = lib_mem_new((3 * (size_t)alike->count + 1) * sizeof *rows.items);
    for (uint32_t i = 0; i < alike->count; i++) {
        const struct isa_graph *graph;
        const struct isa_node *node = analysis_node_mapping_find(alike, i, &graph);
        const struct analysis_shift *shift = &shifts->of[i];
        if (shift->fired[0] + shift->fired[1] == 0)
            continue;
        struct analysis_diff_row *row = &rows.items[rows.count++];
        *row = row_of(graph, node, functions[graph == alike->graphs[1]], by);
        row->shift = *shift;
        if (by != ANALYSIS_COST_BY_OPCODE)
            continue;
        row->shift.fired[0] = row->shift.fired[1] = shift->matched;
        add_own(alike, shifts, i, 0, &rows);
        add_own(alike, shifts, i, 1, &rows);
    }
    LIB_MEM_FREE(functions[0], functions[1]);
    merge(&rows);
    return rows;
}
