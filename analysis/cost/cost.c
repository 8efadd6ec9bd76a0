#include "analysis/cost/cost.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/order.h"
#include "traces/event_counts.h"
#include "traces/outcome.h"

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

bool analysis_costs_have_twins(const struct analysis_costs *c)
{
    const struct isa_function *functions = c->graph->functions;
    for (size_t i = 0; c->by == ANALYSIS_COST_BY_FUNCTION && i < c->row_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(functions[c->rows[i].number].name,
                       functions[c->rows[k].number].name) == 0)
                return true;
    return false;
}

/* --- which row ------------------------------------------------------------------------ */

/* Returns the function around loop f at any depth; f if it is not a loop. stands_in[f] is the
 * function that enters loop f. In foreign images, loops may enter each other. */
static uint32_t function_around(const struct isa_graph *g, const uint32_t *stands_in,
                                uint32_t function)
{
    for (uint32_t steps = 0; g->functions[function].is_loop; steps++) {
        if (steps == g->function_count)
            break;
        function = stands_in[function];
    }
    return function;
}

void analysis_cost_functions(const struct isa_graph *g, uint32_t *functions)
{
    uint32_t *stands_in = lib_mem_new(g->function_count * sizeof *stands_in);
    for (uint32_t s = 0; s < g->site_count; s++)
        if (g->functions[g->sites[s].callee].is_loop)
            stands_in[g->sites[s].callee] = g->sites[s].caller;
    for (uint32_t f = 0; f < g->function_count; f++)
        functions[f] = function_around(g, stands_in, f);
    lib_mem_free(stands_in);
}

uint32_t analysis_cost_number(enum analysis_cost_by by, const struct isa_node *node,
                              const uint32_t *around)
{
    switch (by) {
    case ANALYSIS_COST_BY_FUNCTION:
        return around[node->function];
    case ANALYSIS_COST_BY_LINE:
        return node->pos.line;
    default:
        return node->op;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Makes a row for each distinct number. Sorts `numbers`. */
static void make_rows(struct analysis_costs *c, uint32_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    c->rows = lib_mem_new(count * sizeof *c->rows);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || numbers[i] != numbers[i - 1])
            c->rows[c->row_count++].number = numbers[i];
}

static int compare_to_row(const void *number, const void *row)
{
    return compare_numbers(number, &((const struct analysis_cost *)row)->number);
}

static uint32_t find_row(const struct analysis_costs *c, uint32_t number)
{
    const struct analysis_cost *row = bsearch(&number, c->rows, c->row_count, sizeof *row,
                                              compare_to_row);
    return (uint32_t)(row - c->rows);
}

static void find_rows(struct analysis_costs *c)
{
    const struct isa_graph *g = c->graph;
    const bool by_function = c->by == ANALYSIS_COST_BY_FUNCTION;
    const size_t most = (size_t)g->node_count + g->function_count;
    uint32_t *around = lib_mem_new(g->function_count * sizeof *around);
    uint32_t *numbers = lib_mem_new(most * sizeof *numbers);
    size_t count = 0;
    analysis_cost_functions(g, around);
    for (uint32_t n = 0; n < g->node_count; n++)
        numbers[count++] = analysis_cost_number(c->by, &g->nodes[n], around);
    for (uint32_t f = 0; by_function && f < g->function_count; f++)
        numbers[count++] = around[f];
    make_rows(c, numbers, count);
    for (uint32_t n = 0; n < g->node_count; n++)
        c->row_of_node[n] = find_row(c,
                                     analysis_cost_number(c->by, &g->nodes[n], around));
    for (uint32_t f = 0; by_function && f < g->function_count; f++)
        c->row_of_function[f] = find_row(c, around[f]);
    LIB_MEM_FREE(around, numbers);
}

struct analysis_costs *analysis_costs_new(enum analysis_cost_by by,
                                          const struct isa_graph *graph, bool has_workers,
                                          const struct traces_live_tags *live)
{
    struct analysis_costs *c = lib_mem_new(sizeof *c);
    *c = (struct analysis_costs){
        .by = by, .graph = graph, .has_workers = has_workers, .live = live};
    c->row_of_function = lib_mem_new(graph->function_count * sizeof *c->row_of_function);
    c->row_of_node = lib_mem_new(graph->node_count * sizeof *c->row_of_node);
    find_rows(c);
    lib_hash_index_start(&c->tags);
    return c;
}

void analysis_costs_free(struct analysis_costs *c)
{
    if (!c)
        return;
    lib_hash_index_free(&c->tags);
    LIB_VEC_FREE(&c->touched);
    LIB_MEM_FREE(c->row_of_function, c->row_of_node, c->rows, c);
}

/* --- events --------------------------------------------------------------------------- */

static struct analysis_cost *row_of(struct analysis_costs *c,
                                    const struct traces_event *event)
{
    return &c->rows[c->row_of_node[event->instr]];
}

static void touch(struct analysis_costs *c, struct analysis_cost *row)
{
    if (row->is_touched)
        return;
    row->is_touched = true;
    *LIB_VEC_PUSH(&c->touched) = (uint32_t)(row - c->rows);
}

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

/* Returns the row of an activation that an event makes or finds present; row_count if no
 * instruction made the activation. */
static uint32_t row_of_made(const struct analysis_costs *c,
                            const struct traces_event *event)
{
    const struct isa_graph *g = c->graph;
    const bool by_function = c->by == ANALYSIS_COST_BY_FUNCTION;
    if (by_function && event->parent == TRACES_NONE)
        return c->row_of_function[0];
    if (by_function && event->site < g->site_count)
        return c->row_of_function[g->sites[event->site].callee];
    if (!by_function && event->kind != TRACES_EVENT_PRESENT &&
        event->instr < g->node_count)
        return c->row_of_node[event->instr];
    return (uint32_t)c->row_count;
}

/* Returns the row of a live activation; row_count or more if it has none. */
static uint32_t row_of_alive(const struct analysis_costs *c, uint32_t number)
{
    if (!c->live)
        return lib_hash_index_find(&c->tags, number);
    const struct traces_live_tag *tag = traces_live_tags_find(c->live, number);
    if (tag && c->by == ANALYSIS_COST_BY_FUNCTION)
        return c->row_of_function[traces_live_tags_function(c->live, tag)];
    return tag && tag->made_by < c->graph->node_count ? c->row_of_node[tag->made_by]
                                                      : (uint32_t)c->row_count;
}

static void count_tag(struct analysis_costs *c, uint32_t at, uint64_t more)
{
    if (at >= c->row_count)
        return;
    struct analysis_cost *row = &c->rows[at];
    row->tags += more;
    touch(c, row);
}

static void count_made(struct analysis_costs *c, const struct traces_event *event)
{
    const uint32_t at = row_of_made(c, event);
    if (event->tag == TRACES_NONE)
        return;
    if (!c->live)
        lib_hash_index_put(&c->tags, event->tag, at);
    count_tag(c, at, 1);
}

static void count_state(struct analysis_costs *c, struct analysis_cost *row,
                        const struct traces_event *event)
{
    row->waiting += traces_event_waiting(event);
    row->live_tokens += traces_event_live(event);
    touch(c, row);
}

static void count_step(struct analysis_costs *c, const struct traces_event *event)
{
    struct analysis_cost *row = row_of(c, event);
    row->tokens += event->port != TRACES_NONE && traces_outcome_delivers(event->how);
    count_state(c, row, event);
}

static void count_firing(struct analysis_costs *c, const struct traces_event *event)
{
    struct analysis_cost *row = row_of(c, event);
    row->firings += event->kind == TRACES_EVENT_FIRED;
    row->dead_firings += event->kind == TRACES_EVENT_DEAD;
    row->busy += c->has_workers ? event->b - event->cycle : 1;
}

static void count_call(struct analysis_costs *c, const struct traces_event *event)
{
    const uint32_t at = row_of_alive(c, event->tag);
    if (at < c->row_count)
        c->rows[at].calls++;
}

static void count_event(struct analysis_costs *c, const struct traces_event *event)
{
    switch (event->kind) {
    case TRACES_EVENT_CALL:
        count_made(c, event);
        count_call(c, event);
        break;
    case TRACES_EVENT_PRESENT:
    case TRACES_EVENT_ITERATION:
    case TRACES_EVENT_GATHER:
        count_made(c, event);
        break;
    case TRACES_EVENT_COPY:
        count_call(c, event);
        break;
    case TRACES_EVENT_GONE:
        count_tag(c, row_of_alive(c, event->tag), UINT64_MAX);
        if (!c->live)
            lib_hash_index_remove(&c->tags, event->tag);
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
        count_state(c, row_of(c, event), event);
        break;
    case TRACES_EVENT_TAKEN:
    case TRACES_EVENT_RELEASED:
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
    return LIB_ORDER(y->busy, x->busy) ?: LIB_ORDER(y->firings, x->firings)
                                       ?: LIB_ORDER(y->tokens, x->tokens)
                                       ?: LIB_ORDER(x->number, y->number);
}

static bool is_empty(const struct analysis_cost *row)
{
    uint64_t any = 0;
#define COUNT(key, stat, label, help) any |= row->key;
    ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    return any == 0;
}

static void end_costs(struct analysis_costs *c)
{
    size_t kept = 0;
    observe_peaks(c);
    for (size_t i = 0; i < c->row_count; i++)
        if (!is_empty(&c->rows[i]))
            c->rows[kept++] = c->rows[i];
    c->row_count = kept;
    qsort(c->rows, kept, sizeof *c->rows, compare);
}

static void costs_take(void *context, const struct traces_event *events, size_t n)
{
    struct analysis_costs *c = context;
    for (size_t i = 0; i < n; i++) {
        const struct traces_event *event = &events[i];
        if (event->cycle != c->cycle)
            observe_peaks(c);
        c->cycle = event->cycle;
        count_event(c, event);
        if (event->kind == TRACES_EVENT_END)
            end_costs(c);
    }
}

struct traces_event_sink analysis_costs_sink(struct analysis_costs *costs)
{
    return (struct traces_event_sink){TRACES_LEVEL_ALL, costs_take, costs};
}
