/* Work, span and time of calls: of each activation of a function with all calls and loops in it.
 * Work is its firings. Span is the depths from its first to its last firing; as that includes waits
 * for values from outside, it can exceed the work. Time is from the cycle that makes it to the one
 * that frees it. */
#include "analysis/stream/stream.h"
#include "traces/event_counts.h"

/* Sums over an activation and those that ended in it. */
struct activation {
    uint64_t work, least, greatest;
};

struct of_function {
    uint64_t calls, work, most_work, span, most_span, cycles, most_cycles;
};

struct calls {
    const struct analysis_stream_run *run;
    LIB_VEC(struct activation) activations;
    struct of_function *functions; /* owned; per function; then for all but the root */
    uint32_t root;                 /* TRACES_NONE if the root is not alive */
};

static void *calls_make(const struct analysis_stream_run *run)
{
    struct calls *c = lib_mem_new(sizeof *c);
    c->run = run;
    c->root = TRACES_NONE;
    c->functions = lib_mem_new((run->graph->function_count + 1) * sizeof *c->functions);
    return c;
}

static void release(void *state)
{
    struct calls *c = state;
    LIB_VEC_FREE(&c->activations);
    LIB_MEM_FREE(c->functions, c);
}

static struct activation *of_tag(const struct calls *c, const struct traces_live_tag *tag)
{
    return &c->activations.items[traces_live_tags_place(c->run->live, tag)];
}

static void begin_activation(struct calls *c, const struct traces_event *e)
{
    const struct traces_live_tag *tag = traces_live_tags_find(c->run->live, e->tag);
    if (!tag)
        return;
    while (c->activations.count <= traces_live_tags_place(c->run->live, tag))
        (void)LIB_VEC_PUSH(&c->activations);
    *of_tag(c, tag) = (struct activation){.least = UINT64_MAX};
    if (tag->parent == TRACES_NONE)
        c->root = e->tag;
}

static void add_activation(struct of_function *f, const struct activation *a,
                           uint64_t cycles)
{
    const uint64_t span = a->work ? a->greatest - a->least + 1 : 0;
    f->calls++;
    f->work += a->work;
    f->span += span;
    f->cycles += cycles;
    f->most_work = a->work > f->most_work ? a->work : f->most_work;
    f->most_span = span > f->most_span ? span : f->most_span;
    f->most_cycles = cycles > f->most_cycles ? cycles : f->most_cycles;
}

static void add_to_parent(struct calls *c, const struct traces_live_tag *tag)
{
    const struct activation *a = of_tag(c, tag);
    const struct traces_live_tag *above = traces_live_tags_find(c->run->live,
                                                                tag->parent);
    if (!above)
        return;
    struct activation *parent = of_tag(c, above);
    parent->work += a->work;
    parent->least = a->least < parent->least ? a->least : parent->least;
    parent->greatest = a->greatest > parent->greatest ? a->greatest : parent->greatest;
}

static void end_activation(struct calls *c, uint32_t number, uint64_t cycle)
{
    const struct traces_live_tag *tag = traces_live_tags_find(c->run->live, number);
    if (!tag)
        return;
    const struct activation *a = of_tag(c, tag);
    const uint32_t function = traces_live_tags_function(c->run->live, tag);
    if (tag->is_call || number == c->root)
        add_activation(&c->functions[function], a, cycle - tag->made);
    if (tag->is_call)
        add_activation(&c->functions[c->run->graph->function_count], a,
                       cycle - tag->made);
    add_to_parent(c, tag);
    c->root = number == c->root ? TRACES_NONE : c->root;
}

static void note_firing(struct calls *c, const struct traces_event *e)
{
    const struct traces_live_tag *tag = traces_live_tags_find(c->run->live, e->tag);
    if (!tag)
        return;
    struct activation *a = of_tag(c, tag);
    a->work++;
    a->least = e->a < a->least ? e->a : a->least;
    a->greatest = e->a > a->greatest ? e->a : a->greatest;
}

static void take_event(struct calls *c, const struct traces_event *e)
{
    switch (e->kind) {
    case TRACES_EVENT_FIRED:
        note_firing(c, e);
        break;
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        begin_activation(c, e);
        break;
    case TRACES_EVENT_GONE:
        end_activation(c, e->tag, e->cycle);
        break;
    case TRACES_EVENT_END:
        if (c->root != TRACES_NONE)
            end_activation(c, c->root, e->a);
        LIB_VEC_FREE(&c->activations); /* frees memory for other analyses */
        break;
    default:
        break;
    }
}

static void calls_take(void *state, const struct traces_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        take_event(state, &events[i]);
}

static double mean(uint64_t sum, const struct of_function *f)
{
    return lib_ratio((double)sum, (double)f->calls);
}

static void calls_report(void *state, struct lib_findings *f)
{
    const struct calls *c = state;
    const struct isa_graph *graph = c->run->graph;
    const struct of_function *all = &c->functions[graph->function_count];
    lib_findings_count(f, "ended", all->calls, "calls that ended");
    lib_findings_real(f, "mean_work", mean(all->work, all),
                      "firings in a call, and in all below it");
    lib_findings_real(f, "mean_span", mean(all->span, all),
                      "depths from its first firing to its last");
    lib_findings_real(f, "mean_cycles", mean(all->cycles, all),
                      "cycles from being made to being freed");
    struct lib_table *t = lib_findings_table(
        f, "functions", "a call of each function, with all that is called in it");
    LIB_TABLE_COLUMNS(t, "function", "line", "calls", "mean_work", "greatest_work",
                      "mean_span", "greatest_span", "parallelism", "mean_cycles",
                      "greatest_cycles");
    for (uint32_t i = 0; i < graph->function_count; i++) {
        const struct of_function *of = &c->functions[i];
        if (!of->calls)
            continue;
        lib_table_word(t, graph->functions[i].name);
        lib_table_count(t, graph->functions[i].pos.line);
        lib_table_count(t, of->calls);
        lib_table_real(t, mean(of->work, of));
        lib_table_count(t, of->most_work);
        lib_table_real(t, mean(of->span, of));
        lib_table_count(t, of->most_span);
        lib_table_real(t, lib_ratio((double)of->work, (double)of->span));
        lib_table_real(t, mean(of->cycles, of));
        lib_table_count(t, of->most_cycles);
    }
}

extern const struct analysis_stream_kind analysis_calls;
const struct analysis_stream_kind analysis_calls = {calls_make, calls_take, calls_report,
                                                    release,    true,       NULL};
