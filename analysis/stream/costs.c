/* What each function and each line costs (analysis/cost/cost.h). */
#include "analysis/cost/cost.h"
#include "analysis/stream/stream.h"

static void *make_functions(const struct analysis_stream_run *run)
{
    return analysis_costs_new(ANALYSIS_COST_BY_FUNCTION, run->graph, run->has_workers);
}

static void *make_lines(const struct analysis_stream_run *run)
{
    return analysis_costs_new(ANALYSIS_COST_BY_LINE, run->graph, run->has_workers);
}

static void release(void *state)
{
    analysis_costs_free(state);
}

static void take(void *state, const struct traces_event *events, size_t count)
{
    analysis_costs_sink(state).take(state, events, count);
}

static void tell(void *state, struct analysis_findings *f)
{
    const struct analysis_costs *costs = state;
    struct analysis_findings_table *t = analysis_findings_table(f, "costs",
                                                                "the dearest first");
    analysis_table_column(t, analysis_cost_by_key(costs->by));
#define COUNT(key, stat, label, help) analysis_table_column(t, #key);
    ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    for (size_t i = 0; i < costs->row_count; i++) {
        const struct analysis_cost *row = &costs->rows[i];
        if (costs->by == ANALYSIS_COST_BY_LINE)
            analysis_table_count(t, row->number);
        else /* a name of the graph */
            analysis_table_word(t, costs->graph->functions[row->number].name);
#define COUNT(key, stat, label, help) analysis_table_count(t, row->key);
        ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    }
}

extern const struct analysis_stream_kind analysis_functions, analysis_lines;
const struct analysis_stream_kind analysis_functions = {make_functions, take, tell,
                                                        release};
const struct analysis_stream_kind analysis_lines = {make_lines, take, tell, release};
