#include "analysis/stream/state_bounds.h"

#include <string.h>

#include "traces/event_counts.h"

static bool is_recursive(const struct isa_graph *g, uint32_t function, bool *seen,
                         uint32_t *stack)
{
    size_t count = 0;
    for (uint32_t f = 0; f < g->function_count; f++)
        seen[f] = false;
    stack[count++] = function;
    while (count) {
        const uint32_t f = stack[--count];
        for (uint32_t s = 0; s < g->site_count; s++) {
            const uint32_t callee = g->sites[s].callee;
            if (g->sites[s].caller != f || seen[callee])
                continue;
            if (callee == function)
                return true;
            seen[callee] = true;
            stack[count++] = callee;
        }
    }
    return false;
}

void analysis_state_bounds_start(struct analysis_state_bounds *s,
                                 const struct analysis_stream_run *run)
{
    const struct isa_graph *g = run->graph;
    const struct traces_machine *m = &run->machine;
    bool *seen = lib_mem_new((g->function_count + 1) * sizeof *seen);
    uint32_t *stack = lib_mem_new((g->function_count + 1) * sizeof *stack);
    *s = (struct analysis_state_bounds){.graph = g, .function = TRACES_NONE};
    s->has_turns = !m->has_workers && traces_machine_min_latency(m) > 0;
    s->functions = lib_mem_new((g->function_count + 1) * sizeof *s->functions);
    for (uint32_t f = 0; f < g->function_count; f++)
        s->functions[f].is_recursive = is_recursive(g, f, seen, stack);
    LIB_MEM_FREE(seen, stack);
}

void analysis_state_bounds_free(struct analysis_state_bounds *s)
{
    lib_mem_free(s->functions);
    LIB_VEC_FREE(&s->made);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Sets the mark of a new activation to the number of activations of its function among it and those
 * above it, which are alive as long as it is. */
static void made(struct analysis_state_bounds *s, const struct traces_live_tags *live,
                 struct traces_live_tag *tag)
{
    const uint32_t function = traces_live_tags_function(live, tag);
    struct analysis_state_of *of = &s->functions[function];
    tag->mark = 1;
    for (uint32_t up = of->is_recursive ? tag->parent : TRACES_NONE; up != TRACES_NONE;) {
        const struct traces_live_tag *above = traces_live_tags_find(live, up);
        if (!above)
            break;
        if (above->depth && traces_live_tags_function(live, above) == function) {
            tag->mark = above->mark + 1;
            break;
        }
        up = above->parent;
    }
    of->alive++;
    *LIB_VEC_PUSH(&s->made) = tag->tag;
}

/* Updates the peaks at the end of a cycle. Activations made and freed in one cycle do not count. */
static void end_cycle(struct analysis_state_bounds *s,
                      const struct traces_live_tags *live)
{
    for (size_t i = 0; i < s->made.count; i++) {
        const struct traces_live_tag *tag = traces_live_tags_find(live, s->made.items[i]);
        if (!tag || !tag->depth)
            continue;
        struct analysis_state_of *of =
            &s->functions[traces_live_tags_function(live, tag)];
        of->nested = greater(of->nested, tag->mark);
        s->deepest = greater(s->deepest, tag->depth);
    }
    s->made.count = 0;
    s->peak_tags = greater(s->peak_tags, s->tags);
    s->peak_live = greater(s->peak_live, s->live);
    for (uint32_t f = 0; f < s->graph->function_count; f++)
        s->functions[f].peak = greater(s->functions[f].peak, s->functions[f].alive);
}

static void sends(struct analysis_state_bounds *s)
{
    if (s->function == TRACES_NONE || !s->has_turns)
        return;
    s->sent++;
    s->most_sent = greater(s->most_sent, s->sent);
    s->functions[s->function].sent = greater(s->functions[s->function].sent, s->sent);
}

void analysis_state_bounds_take(struct analysis_state_bounds *s,
                                const struct traces_live_tags *live,
                                const struct traces_event *e)
{
    struct traces_live_tag *tag;
    if (e->kind == TRACES_EVENT_END || e->cycle != s->cycle)
        end_cycle(s, live);
    s->cycle = e->cycle;
    s->tags += traces_event_tags(e);
    s->live += traces_event_live(e);
    switch (e->kind) {
    case TRACES_EVENT_CALL:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        tag = traces_live_tags_find(live, e->tag);
        if (tag && tag->depth)
            made(s, live, tag);
        break;
    case TRACES_EVENT_GONE:
        tag = traces_live_tags_find(live, e->tag);
        if (tag && tag->depth)
            s->functions[traces_live_tags_function(live, tag)].alive--;
        break;
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
        s->function = s->graph->nodes[e->instr].function;
        s->sent = 0;
        break;
    case TRACES_EVENT_TAKEN: /* tokens of a SEND or RECV belong to no firing */
    case TRACES_EVENT_ANSWERED:
        s->function = TRACES_NONE;
        break;
    case TRACES_EVENT_SENT:
    case TRACES_EVENT_SENT_DEAD:
        sends(s);
        break;
    default:
        break;
    }
}

void analysis_state_bounds_tell(const struct analysis_state_bounds *s,
                                struct lib_findings *f)
{
    const uint64_t least = s->deepest + 1;
    lib_findings_count(f, "least_tags", least,
                       "activations that any order has at once: the longest tag");
    lib_findings_count(f, "peak_tags", s->peak_tags, "most that there were");
    lib_findings_count(f, "least_live_tokens", s->most_sent,
                       "tokens that any order has at once: the most that one firing "
                       "sends");
    lib_findings_count(f, "estimated_live_tokens", s->deepest + s->most_sent,
                       "estimated: one more for each activation above");
    lib_findings_count(f, "peak_live_tokens", s->peak_live, "most that there were");
}

static bool has_twins(const struct analysis_state_bounds *s)
{
    const struct isa_graph *g = s->graph;
    for (uint32_t i = 0; i < g->function_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (s->functions[i].nested && s->functions[k].nested &&
                strcmp(g->functions[i].name, g->functions[k].name) == 0)
                return true;
    return false;
}

void analysis_state_bounds_tell_functions(const struct analysis_state_bounds *s,
                                          struct lib_findings *f)
{
    const bool has_lines = has_twins(s);
    struct lib_table *t = lib_findings_table(
        f, "state",
        "of any order at once: least_ is proved, estimated_ is not; peak_ is what there "
        "was");
    LIB_TABLE_COLUMNS(t, "function", "least_tags", "peak_tags", "share",
                      "least_live_tokens", "estimated_live_tokens");
    if (has_lines)
        lib_table_column(t, "line");
    for (uint32_t i = 0; i < s->graph->function_count; i++) {
        const struct analysis_state_of *of = &s->functions[i];
        if (of->nested == 0)
            continue;
        lib_table_word(t, s->graph->functions[i].name);
        lib_table_count(t, of->nested);
        lib_table_count(t, of->peak);
        lib_table_real(t, lib_ratio((double)of->nested, (double)of->peak));
        lib_table_count(t, of->sent);
        lib_table_count(t, of->nested + of->sent);
        if (has_lines)
            lib_table_count(t, s->graph->functions[i].pos.line);
    }
}
