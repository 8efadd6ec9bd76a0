/* Activations except the root: how many are made, how deep their tags are, and for how many cycles
 * they live. */
#include "analysis/stream/stream.h"
#include "analysis/stream/timeline.h"
#include "traces/event_counts.h"

enum { DEPTHS = 4096, LIFETIMES = 65 };

struct of_function {
    uint64_t made, calls, gone, lived, greatest, alive;
};

struct tags {
    const struct analysis_stream_run *run;
    struct analysis_timeline depths; /* by depth - 1 */
    uint64_t deepest, iterations;
    uint64_t lifetimes[LIFETIMES]; /* [0]: 0 cycles; [i]: 2^(i - 1) to 2^i - 1 cycles */
    struct of_function *functions; /* owned; per function, then for all */
};

static void *tags_make(const struct analysis_stream_run *run)
{
    struct tags *t = lib_mem_new(sizeof *t);
    t->run = run;
    analysis_timeline_start(&t->depths, 1, DEPTHS, false);
    t->functions = lib_mem_new((run->graph->function_count + 1) * sizeof *t->functions);
    return t;
}

static void release(void *state)
{
    struct tags *t = state;
    analysis_timeline_free(&t->depths);
    LIB_MEM_FREE(t->functions, t);
}

static void count_made(struct of_function *f)
{
    f->made++;
    f->alive++;
}

static void count_gone(struct of_function *f, uint64_t lived)
{
    f->gone++;
    f->alive--;
    f->lived += lived;
    f->greatest = lived > f->greatest ? lived : f->greatest;
}

static struct of_function *all_of(const struct tags *t)
{
    return &t->functions[t->run->graph->function_count];
}

static struct of_function *of_tag(const struct tags *t, const struct traces_live_tag *tag)
{
    return &t->functions[traces_live_tags_function(t->run->live, tag)];
}

static void note_made(struct tags *t, const struct traces_live_tag *tag)
{
    analysis_timeline_add(&t->depths, tag->depth - 1, 0, 1);
    t->deepest = tag->depth > t->deepest ? tag->depth : t->deepest;
    count_made(of_tag(t, tag));
    count_made(all_of(t));
}

static void note_gone(struct tags *t, const struct traces_live_tag *tag, uint64_t cycle)
{
    const uint64_t lived = cycle - tag->made;
    t->lifetimes[lived ? 64 - __builtin_clzll(lived) : 0]++;
    count_gone(of_tag(t, tag), lived);
    count_gone(all_of(t), lived);
}

static void take_event(struct tags *t, const struct traces_event *e)
{
    const struct traces_live_tag *tag = traces_live_tags_find(t->run->live, e->tag);
    if (!tag || !tag->depth)
        return;
    if (e->kind == TRACES_EVENT_GONE) {
        note_gone(t, tag, e->cycle);
        return;
    }
    if (traces_event_tags(e))
        note_made(t, tag);
    of_tag(t, tag)->calls += traces_event_is_call(e);
    all_of(t)->calls += traces_event_is_call(e);
    t->iterations += traces_event_is_iteration(e);
}

static void tags_take(void *state, const struct traces_event *events, size_t count)
{
    struct tags *t = state;
    for (size_t i = 0; i < count; i++)
        if (traces_event_tags(&events[i]) || events[i].kind == TRACES_EVENT_COPY)
            take_event(t, &events[i]);
}

static void report_depths(const struct tags *t, struct lib_findings *f)
{
    struct lib_table *table = lib_findings_table(
        f, "depth", "activations with so many labels, from each on");
    LIB_TABLE_COLUMNS(table, "depth", "width", "activations");
    table->bar = 2;
    for (size_t i = 0; i < analysis_timeline_spans(&t->depths, f->most); i++) {
        const struct analysis_span span = analysis_timeline_span(&t->depths, f->most, i);
        lib_table_count(table, span.from + 1);
        lib_table_count(table, span.width);
        lib_table_count(table, analysis_timeline_sum(&t->depths, &span, 0));
    }
}

static void report_lifetimes(const struct tags *t, struct lib_findings *f)
{
    struct lib_table *table = lib_findings_table(
        f, "lifetime", "activations that lived for so many cycles");
    size_t first = 0, last = LIFETIMES;
    LIB_TABLE_COLUMNS(table, "from", "to", "activations");
    table->bar = 2;
    while (first < last && !t->lifetimes[first])
        first++;
    while (last > first && !t->lifetimes[last - 1])
        last--;
    for (size_t i = first; i < last; i++) {
        const uint64_t from = i ? UINT64_C(1) << (i - 1) : 0;
        lib_table_count(table, from);
        lib_table_count(table, i ? from + (from - 1) : 0);
        lib_table_count(table, t->lifetimes[i]);
    }
}

static void report_functions(const struct tags *t, struct lib_findings *f)
{
    const struct isa_graph *graph = t->run->graph;
    struct lib_table *table = lib_findings_table(f, "functions",
                                                 "activations of each function and loop");
    LIB_TABLE_COLUMNS(table, "function", "line", "made", "calls", "mean_lifetime",
                      "greatest_lifetime");
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct of_function *of = &t->functions[i];
        if (!of->made)
            continue;
        lib_table_word(table, graph->functions[i].name);
        lib_table_count(table, graph->functions[i].pos.line);
        lib_table_count(table, of->made);
        lib_table_count(table, of->calls);
        lib_table_real(table, lib_ratio((double)of->lived, (double)of->gone));
        lib_table_count(table, of->greatest);
    }
}

static void tags_report(void *state, struct lib_findings *f)
{
    const struct tags *t = state;
    const struct of_function *all = all_of(t);
    lib_findings_count(f, "made", all->made, "activations made");
    lib_findings_count(f, "calls", all->calls, "those that are calls");
    lib_findings_count(f, "loop_iterations", t->iterations,
                       "iterations whose condition held before");
    lib_findings_count(f, "alive_at_end", all->alive,
                       "those that were not freed when the run ended");
    lib_findings_count(f, "deepest", t->deepest, "labels of the longest tag");
    lib_findings_real(f, "mean_lifetime",
                      lib_ratio((double)all->lived, (double)all->gone),
                      "cycles from being made to being freed");
    lib_findings_count(f, "greatest_lifetime", all->greatest, "the longest of them");
    report_depths(t, f);
    report_lifetimes(t, f);
    report_functions(t, f);
}

extern const struct analysis_stream_kind analysis_tags;
const struct analysis_stream_kind analysis_tags = {tags_make, tags_take, tags_report,
                                                   release,   true,      NULL};
