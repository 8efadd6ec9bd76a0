#include "analysis/cost/cost.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tables --------------------------------------------------------------------------- */

static const char *const keys[] = {
#define BY(NAME, key, help) key,
    ANALYSIS_COST_BYS(BY)
#undef BY
};

const char *analysis_cost_by_key(enum analysis_cost_by by)
{
    return keys[by];
}

enum analysis_cost_by analysis_cost_by_find(const char *key)
{
    enum analysis_cost_by by = 0;
    while (by < ANALYSIS_COST_BY_NOTHING && strcmp(keys[by], key) != 0)
        by++;
    return by;
}

const char *analysis_cost_name(const struct analysis_costs *costs,
                               const struct analysis_cost *row,
                               char buffer[ANALYSIS_COST_NAME])
{
    if (costs->by == ANALYSIS_COST_BY_FUNCTION)
        return costs->graph->functions[row->number].name;
    if (costs->by == ANALYSIS_COST_BY_OPCODE)
        return isa_op_table[row->number].text;
    snprintf(buffer, ANALYSIS_COST_NAME, "%" PRIu32, row->number);
    return buffer;
}

/* --- which row ------------------------------------------------------------------------ */

void analysis_cost_functions(const struct isa_graph *g, uint32_t *functions)
{
    uint32_t *stands_in = lib_mem_new(g->function_count * sizeof *stands_in);
    for (uint32_t s = 0; s < g->site_count; s++)
        if (g->functions[g->sites[s].callee].is_loop)
            stands_in[g->sites[s].callee] = g->sites[s].caller;
    for (uint32_t f = 0; f < g->function_count; f++) {
        uint32_t outer = f;
        while (g->functions[outer].is_loop)
            outer = stands_in[outer];
        functions[f] = outer;
    }
    lib_mem_free(stands_in);
}

/* What a node's row is called. */
static uint32_t number_of(const struct analysis_costs *c, const struct isa_node *node)
{
    switch (c->by) {
    case ANALYSIS_COST_BY_FUNCTION:
        return c->row_of_function[node->function];
    case ANALYSIS_COST_BY_LINE:
        return node->pos.line;
    default:
        return node->op;
    }
}

/* A row for each number up to the greatest; those that nothing happens in are dropped at the end. */
static void make_rows(struct analysis_costs *c)
{
    const struct isa_graph *g = c->graph;
    uint32_t greatest = c->by == ANALYSIS_COST_BY_FUNCTION ? g->function_count - 1 : 0;
    for (uint32_t n = 0; n < g->node_count; n++) {
        c->row_of_node[n] = number_of(c, &g->nodes[n]);
        greatest = c->row_of_node[n] > greatest ? c->row_of_node[n] : greatest;
    }
    c->row_count = (size_t)greatest + 1;
    c->rows = lib_mem_new(c->row_count * sizeof *c->rows);
    for (size_t i = 0; i < c->row_count; i++)
        c->rows[i].number = (uint32_t)i;
}

struct analysis_costs *analysis_costs_new(enum analysis_cost_by by,
                                          const struct isa_graph *graph, bool has_workers)
{
    struct analysis_costs *c = lib_mem_new(sizeof *c);
    *c = (struct analysis_costs){.by = by, .graph = graph, .has_workers = has_workers};
    c->row_of_function = lib_mem_new(graph->function_count * sizeof *c->row_of_function);
    c->row_of_node = lib_mem_new(graph->node_count * sizeof *c->row_of_node);
    analysis_cost_functions(graph, c->row_of_function);
    make_rows(c);
    traces_live_tags_start(&c->tags, graph);
    return c;
}

void analysis_costs_free(struct analysis_costs *c)
{
    if (!c)
        return;
    traces_live_tags_free(&c->tags);
    LIB_VEC_FREE(&c->touched);
    lib_mem_free(c->row_of_function);
    lib_mem_free(c->row_of_node);
    lib_mem_free(c->rows);
    lib_mem_free(c);
}

/* --- events --------------------------------------------------------------------------- */

static struct analysis_cost *row_of(struct analysis_costs *c,
                                    const struct traces_event *event)
{
    return &c->rows[c->row_of_node[event->instr]];
}

/* What it has now has changed. */
static void touch(struct analysis_costs *c, struct analysis_cost *row)
{
    if (row->is_touched)
        return;
    row->is_touched = true;
    *LIB_VEC_PUSH(&c->touched) = (uint32_t)(row - c->rows);
}

/* A cycle has ended. */
static void observe_peaks(struct analysis_costs *c)
{
    for (size_t i = 0; i < c->touched.count; i++) {
        struct analysis_cost *row = &c->rows[c->touched.items[i]];
#define PEAK(peak, now) row->peak = row->now > row->peak ? row->now : row->peak
        PEAK(peak_waiting, waiting);
        PEAK(peak_live_tokens, live_tokens);
        PEAK(peak_tags, tags);
#undef PEAK
        row->is_touched = false;
    }
    c->touched.count = 0;
}

/* The row of an activation; NULL: it has none, as nobody made it. */
static struct analysis_cost *row_of_tag(struct analysis_costs *c, uint32_t tag)
{
    const struct traces_live_tag *t = traces_live_tags_find(&c->tags, tag);
    if (c->by == ANALYSIS_COST_BY_FUNCTION)
        return &c->rows[c->row_of_function[t->function]];
    return t->made_by == TRACES_NONE ? NULL : &c->rows[c->row_of_node[t->made_by]];
}

/* An activation is there, or is gone; `more` is 1 or -1. */
static void count_tag(struct analysis_costs *c, uint32_t tag, uint64_t more)
{
    struct analysis_cost *row = row_of_tag(c, tag);
    if (!row)
        return;
    row->tags += more;
    touch(c, row);
}

static void count_step(struct analysis_costs *c, const struct traces_event *event)
{
    struct analysis_cost *row = row_of(c, event);
    const bool is_token = event->port != TRACES_NONE;
    const enum traces_outcome how = event->how;
    row->tokens += is_token && traces_outcome_delivers(how);
    row->waiting += how == TRACES_OUTCOME_WAITS || how == TRACES_OUTCOME_PARKED;
    row->waiting -= event->b;
    if (how == TRACES_OUTCOME_FIRES || how == TRACES_OUTCOME_MATCHES)
        row->live_tokens -= is_token + event->b;
    row->live_tokens -= how == TRACES_OUTCOME_ABSORBED;
    touch(c, row);
}

static void count_firing(struct analysis_costs *c, const struct traces_event *event)
{
    struct analysis_cost *row = row_of(c, event);
    row->firings += event->kind == TRACES_EVENT_FIRED;
    row->dead_firings += event->kind == TRACES_EVENT_DEAD;
    row->busy += c->has_workers ? event->b - event->cycle : 1;
}

/* A token comes to its instruction's row, or begins or ends to wait. */
static void count_token(struct analysis_costs *c, const struct traces_event *event)
{
    struct analysis_cost *row = row_of(c, event);
    if (event->kind == TRACES_EVENT_WOKEN)
        row->waiting--;
    else
        row->live_tokens++;
    touch(c, row);
}

static void count_call(struct analysis_costs *c, const struct traces_event *event)
{
    struct analysis_cost *row = row_of_tag(c, event->tag);
    if (row)
        row->calls++;
}

static void count(struct analysis_costs *c, const struct traces_event *event)
{
    switch (event->kind) {
    case TRACES_EVENT_CALL:
        count_call(c, event);
        count_tag(c, event->tag, 1);
        break;
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        count_tag(c, event->tag, 1);
        break;
    case TRACES_EVENT_COPY:
        count_call(c, event);
        break;
    case TRACES_EVENT_GONE:
        count_tag(c, event->tag, UINT64_MAX);
        break;
    case TRACES_EVENT_FIRED:
    case TRACES_EVENT_DEAD:
        count_firing(c, event);
        break;
    case TRACES_EVENT_BUSY:
        row_of(c, event)->busy += event->b - event->cycle;
        break;
    case TRACES_EVENT_SENT:
    case TRACES_EVENT_SENT_DEAD:
    case TRACES_EVENT_WOKEN:
        count_token(c, event);
        break;
    case TRACES_EVENT_TAKEN:
    case TRACES_EVENT_LET_GO:
        count_step(c, event);
        break;
    default:
        break;
    }
}

/* --- the end -------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const struct analysis_cost *x = a, *y = b;
#define LESS(key)                                                                        \
    if (x->key != y->key)                                                                \
    return x->key > y->key ? -1 : 1
    LESS(busy);
    LESS(firings);
    LESS(tokens);
#undef LESS
    return x->number < y->number ? -1 : 1;
}

/* Whether anything was counted. */
static bool is_empty(const struct analysis_cost *row)
{
    uint64_t any = 0;
#define COUNT(key, stat, label, help) any |= row->key;
    ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    return any == 0;
}

static void end(struct analysis_costs *c)
{
    size_t kept = 0;
    observe_peaks(c);
    for (size_t i = 0; i < c->row_count; i++)
        if (!is_empty(&c->rows[i]))
            c->rows[kept++] = c->rows[i];
    c->row_count = kept;
    qsort(c->rows, kept, sizeof *c->rows, compare);
}

static void take(void *context, const struct traces_event *events, size_t n)
{
    struct analysis_costs *c = context;
    for (size_t i = 0; i < n; i++) {
        const struct traces_event *event = &events[i];
        const bool ends_tag = event->kind == TRACES_EVENT_GONE;
        if (event->cycle != c->cycle)
            observe_peaks(c);
        c->cycle = event->cycle;
        if (!ends_tag)
            traces_live_tags_note(&c->tags, event);
        count(c, event);
        if (ends_tag)
            traces_live_tags_note(&c->tags, event);
        if (event->kind == TRACES_EVENT_END)
            end(c);
    }
}

struct traces_event_sink analysis_costs_sink(struct analysis_costs *costs)
{
    return (struct traces_event_sink){TRACES_LEVEL_ALL, take, costs};
}
