/* Analyses `functions` and `lines`: the costs of each (analysis/cost/cost.h). */
#include "analysis/cost/cost_findings.h"
#include "analysis/stream/stream.h"

#include <string.h>

/* Depths of the first and last firing, from 1 on; 0: no firing. */
struct depths {
    uint64_t least, greatest;
};

struct costs {
    const struct analysis_stream_run *run;
    struct analysis_costs *costs; /* owned */
    struct depths *nodes;         /* owned */
};

static void *costs_make(const struct analysis_stream_run *run, enum analysis_cost_by by)
{
    struct costs *c = lib_mem_new(sizeof *c);
    *c = (struct costs){
        run, analysis_costs_new(by, run->graph, run->machine.has_workers, run->live),
        lib_mem_new((run->graph->node_count + 1) * sizeof *c->nodes)};
    return c;
}

static void *make_functions(const struct analysis_stream_run *run)
{
    return costs_make(run, ANALYSIS_COST_BY_FUNCTION);
}

static void *make_lines(const struct analysis_stream_run *run)
{
    return costs_make(run, ANALYSIS_COST_BY_LINE);
}

static void release(void *state)
{
    struct costs *c = state;
    analysis_costs_free(c->costs);
    LIB_MEM_FREE(c->nodes, c);
}

static void widen(struct depths *d, uint64_t least, uint64_t greatest)
{
    d->least = d->least == 0 || least < d->least ? least : d->least;
    d->greatest = greatest > d->greatest ? greatest : d->greatest;
}

static void costs_take(void *state, const struct traces_event *events, size_t count)
{
    struct costs *c = state;
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == TRACES_EVENT_FIRED)
            widen(&c->nodes[events[i].instr], events[i].a, events[i].a);
    analysis_costs_sink(c->costs).take(c->costs, events, count);
}

static struct depths *depths_of(const struct costs *c, struct lib_arena *arena)
{
    const struct isa_graph *g = c->run->graph;
    const bool by_line = c->costs->by == ANALYSIS_COST_BY_LINE;
    uint32_t *around = LIB_ARENA_ARRAY(arena, uint32_t, g->function_count + 1);
    uint32_t most = g->function_count;
    for (uint32_t n = 0; by_line && n < g->node_count; n++)
        most = g->nodes[n].pos.line > most ? g->nodes[n].pos.line : most;
    struct depths *depths = LIB_ARENA_ARRAY(arena, struct depths, (size_t)most + 1);
    memset(depths, 0, ((size_t)most + 1) * sizeof *depths);
    analysis_cost_functions(g, around);
    for (uint32_t n = 0; n < g->node_count; n++)
        if (c->nodes[n].greatest)
            widen(&depths[by_line ? g->nodes[n].pos.line : around[g->nodes[n].function]],
                  c->nodes[n].least, c->nodes[n].greatest);
    return depths;
}

static void costs_report(void *state, struct lib_findings *f)
{
    const struct costs *c = state;
    const struct analysis_costs *costs = c->costs;
    const bool has_text = costs->by == ANALYSIS_COST_BY_LINE;
    const bool has_lines = analysis_costs_have_twins(costs);
    struct lib_table *t = lib_findings_table(f, "costs", "the dearest first");
    lib_table_column(t, analysis_cost_by_key(costs->by));
#define COUNT(key, stat, label, help) lib_table_column(t, #key);
    ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    const struct depths *depths = depths_of(c, f->arena);
    lib_table_column(t, "span");
    if (has_text)
        lib_table_column(t, "text");
    if (has_lines)
        lib_table_column(t, "line");
    for (size_t i = 0; i < costs->row_count; i++) {
        const struct analysis_cost *row = &costs->rows[i];
        if (costs->by == ANALYSIS_COST_BY_LINE)
            lib_table_count(t, row->number);
        else /* the name of a function in the graph */
            lib_table_word(t, costs->graph->functions[row->number].name);
#define COUNT(key, stat, label, help) lib_table_count(t, row->key);
        ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
        const struct depths *d = &depths[row->number];
        lib_table_count(t, d->greatest ? d->greatest - d->least + 1 : 0);
        if (has_text)
            lib_table_word(t, analysis_costs_line(c->run->source, row->number, f));
        if (has_lines)
            lib_table_count(t, costs->graph->functions[row->number].pos.line);
    }
}

extern const struct analysis_stream_kind analysis_functions, analysis_lines;
const struct analysis_stream_kind analysis_functions = {
    make_functions, costs_take, costs_report, release, true, NULL};
const struct analysis_stream_kind analysis_lines = {make_lines, costs_take, costs_report,
                                                    release,    true,       NULL};
