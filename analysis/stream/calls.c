/* Work and span of a call: of each activation of a function, with all that is called in it and with its
 * loops. Work is the firings in it; span is how many depths there are from the least depth of a firing
 * in it to the greatest, both included. What it waits for from outside in between is part of that, so
 * that it may be greater than the work. Its time is from the cycle in which it is made to that in which
 * it is freed. What is kept is a record for each activation that is alive. */
#include "analysis/stream/stream.h"
#include "traces/event_counts.h"
#include "traces/tag_index.h"

struct activation {
    uint64_t work, least, greatest, made;
    uint32_t function, parent; /* a record; TRACES_NONE: of the root */
    bool is_call;              /* else an iteration, or it gathers arguments still */
};

struct of_function {
    uint64_t calls, work, most_work, span, most_span, cycles, most_cycles;
};

struct calls {
    const struct analysis_stream_run *run;
    struct traces_tag_index live; /* the record of each activation */
    LIB_VEC(struct activation) records;
    LIB_VEC(uint32_t) unused;
    struct of_function *functions; /* owned; one more: all but the root */
    uint32_t root;
};

static void *make(const struct analysis_stream_run *run)
{
    struct calls *c = lib_mem_new(sizeof *c);
    c->run = run;
    c->root = TRACES_NONE;
    traces_tag_index_start(&c->live);
    c->functions = lib_mem_new((run->graph->function_count + 1) * sizeof *c->functions);
    return c;
}

static void release(void *state)
{
    struct calls *c = state;
    traces_tag_index_free(&c->live);
    LIB_VEC_FREE(&c->records);
    LIB_VEC_FREE(&c->unused);
    lib_mem_free(c->functions);
    lib_mem_free(c);
}

static uint32_t new_record(struct calls *c)
{
    if (c->unused.count)
        return c->unused.items[--c->unused.count];
    LIB_VEC_PUSH(&c->records);
    return (uint32_t)c->records.count - 1;
}

/* An activation that is alive already, or whose parent is not, cannot be: it gets no record. */
static void begin(struct calls *c, const struct traces_event *e)
{
    const struct isa_graph *graph = c->run->graph;
    const bool is_root = e->parent == TRACES_NONE;
    const uint32_t parent = traces_tag_index_find(&c->live, e->parent);
    if (e->tag == TRACES_NONE || traces_tag_index_find(&c->live, e->tag) != TRACES_NONE ||
        (!is_root && (parent == TRACES_NONE || e->site >= graph->site_count)))
        return;
    const uint32_t record = new_record(c);
    traces_tag_index_put(&c->live, e->tag, record);
    c->records.items[record] = (struct activation){
        .least = UINT64_MAX,
        .made = e->cycle,
        .function = is_root ? 0 : graph->sites[e->site].callee,
        .parent = parent,
        .is_call = e->kind == TRACES_EVENT_CALL,
    };
    if (is_root)
        c->root = record;
}

static void add(struct of_function *f, const struct activation *a, uint64_t cycle)
{
    const uint64_t span = a->work ? a->greatest - a->least + 1 : 0;
    const uint64_t cycles = cycle - a->made;
    f->calls++;
    f->work += a->work;
    f->span += span;
    f->cycles += cycles;
    f->most_work = a->work > f->most_work ? a->work : f->most_work;
    f->most_span = span > f->most_span ? span : f->most_span;
    f->most_cycles = cycles > f->most_cycles ? cycles : f->most_cycles;
}

static void end(struct calls *c, uint32_t record, uint64_t cycle)
{
    const struct activation *a = &c->records.items[record];
    if (a->is_call || record == c->root)
        add(&c->functions[a->function], a, cycle);
    if (a->is_call)
        add(&c->functions[c->run->graph->function_count], a, cycle);
    if (a->parent != TRACES_NONE) {
        struct activation *parent = &c->records.items[a->parent];
        parent->work += a->work;
        parent->least = a->least < parent->least ? a->least : parent->least;
        parent->greatest = a->greatest > parent->greatest ? a->greatest
                                                          : parent->greatest;
    }
    c->root = record == c->root ? TRACES_NONE : c->root;
    *LIB_VEC_PUSH(&c->unused) = record;
}

static void note_firing(struct calls *c, const struct traces_event *e)
{
    const uint32_t record = traces_tag_index_find(&c->live, e->tag);
    if (record == TRACES_NONE)
        return;
    struct activation *a = &c->records.items[record];
    a->work++;
    a->least = e->a < a->least ? e->a : a->least;
    a->greatest = e->a > a->greatest ? e->a : a->greatest;
}

static void take_event(struct calls *c, const struct traces_event *e)
{
    uint32_t record;
    switch (e->kind) {
    case TRACES_EVENT_FIRED:
        note_firing(c, e);
        break;
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        begin(c, e);
        break;
    case TRACES_EVENT_COPY:
        record = traces_tag_index_find(&c->live, e->tag);
        if (record != TRACES_NONE)
            c->records.items[record].is_call = true;
        break;
    case TRACES_EVENT_GONE:
        record = traces_tag_index_remove(&c->live, e->tag);
        if (record != TRACES_NONE)
            end(c, record, e->cycle);
        break;
    case TRACES_EVENT_END:
        if (c->root != TRACES_NONE)
            end(c, c->root, e->a);
        traces_tag_index_free(&c->live); /* others need memory now */
        LIB_VEC_FREE(&c->records);
        LIB_VEC_FREE(&c->unused);
        break;
    default:
        break;
    }
}

static void take(void *state, const struct traces_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        take_event(state, &events[i]);
}

static double mean(uint64_t sum, const struct of_function *f)
{
    return analysis_ratio((double)sum, (double)f->calls);
}

static void tell(void *state, struct analysis_findings *f)
{
    static const char *const columns[] = {
        "function",  "line",          "calls",       "mean_work",   "greatest_work",
        "mean_span", "greatest_span", "parallelism", "mean_cycles", "greatest_cycles"};
    const struct calls *c = state;
    const struct isa_graph *graph = c->run->graph;
    const struct of_function *all = &c->functions[graph->function_count];
    analysis_findings_count(f, "ended", all->calls, "calls that ended");
    analysis_findings_real(f, "mean_work", mean(all->work, all),
                           "firings in a call, and in all below it");
    analysis_findings_real(f, "mean_span", mean(all->span, all),
                           "depths from its first firing to its last");
    analysis_findings_real(f, "mean_cycles", mean(all->cycles, all),
                           "cycles from being made to being freed");
    struct analysis_findings_table *t = analysis_findings_table(
        f, "functions", "a call of each function, with all that is called in it");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        analysis_table_column(t, columns[i]);
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct of_function *of = &c->functions[i];
        if (!of->calls)
            continue;
        analysis_table_word(t, graph->functions[i].name);
        analysis_table_count(t, graph->functions[i].pos.line);
        analysis_table_count(t, of->calls);
        analysis_table_real(t, mean(of->work, of));
        analysis_table_count(t, of->most_work);
        analysis_table_real(t, mean(of->span, of));
        analysis_table_count(t, of->most_span);
        analysis_table_real(t, analysis_ratio((double)of->work, (double)of->span));
        analysis_table_real(t, mean(of->cycles, of));
        analysis_table_count(t, of->most_cycles);
    }
}

extern const struct analysis_stream_kind analysis_calls;
const struct analysis_stream_kind analysis_calls = {make, take, tell, release};
