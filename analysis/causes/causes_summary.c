#include "analysis/causes/causes_summary.h"

#include "analysis/cost/cost_findings.h"
#include "isa/op.h"
#include "lib/order.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BINS = 256,    /* of the timeline */
    COMPUTING = 0, /* channel of all function units; the other causes follow */
    CHANNELS = ANALYSIS_CAUSE_COUNT - ISA_UNIT_COUNT + 1,
    LIKELY = 3, /* maximum number of causes shown in a row */
};

void analysis_causes_summary_start(struct analysis_causes_summary *found,
                                   const struct isa_graph *graph, bool keeps_chain,
                                   bool is_brief)
{
    const size_t cells = ((size_t)graph->node_count + 1) * ANALYSIS_CAUSE_COUNT;
    *found = (struct analysis_causes_summary){
        .graph = graph,
        .keeps_chain = keeps_chain,
        .is_brief = is_brief,
        .to = UINT64_MAX,
        .of_node = lib_mem_new(cells * sizeof *found->of_node),
    };
    analysis_timeline_start(&found->over_time, CHANNELS, BINS, false);
    lib_spill_start(&found->chain, sizeof(struct analysis_piece));
}

void analysis_causes_summary_free(struct analysis_causes_summary *found)
{
    lib_mem_free(found->of_node);
    analysis_timeline_free(&found->over_time);
    lib_spill_free(&found->chain);
    LIB_VEC_FREE(&found->of_link);
}

static uint32_t channel_of(enum analysis_cause cause)
{
    return cause < ANALYSIS_CAUSE_MATCHING ? COMPUTING
                                           : 1 + cause - ANALYSIS_CAUSE_MATCHING;
}

static bool goes_on(const struct analysis_causes_summary *f,
                    const struct analysis_piece *last, const struct analysis_piece *p)
{
    const bool is_wait = p->cause == ANALYSIS_CAUSE_SLOT ||
                         p->cause == ANALYSIS_CAUSE_PORT ||
                         p->cause == ANALYSIS_CAUSE_MANAGER ||
                         p->cause == ANALYSIS_CAUSE_LOCK ||
                         p->cause == ANALYSIS_CAUSE_WORKER;
    return f->is_brief && is_wait && last && last->cause == p->cause &&
           last->from == p->to && (last->pe == p->pe || p->cause == ANALYSIS_CAUSE_LOCK);
}

static uint64_t *cycles_of_link(struct analysis_causes_summary *f, uint32_t link)
{
    while (f->of_link.count <= link)
        *LIB_VEC_PUSH(&f->of_link) = 0;
    return &f->of_link.items[link];
}

/* Returns the cycles in `part` of the time `all` of a kernel in which the kernel is launched. */
static uint64_t launch_cycles(const struct analysis_causes_summary *f,
                              const struct analysis_piece *all,
                              const struct analysis_piece *part)
{
    const uint64_t end = all->from + f->kernel.launch,
                   to = part->to < end ? part->to : end;
    return all->cause == ANALYSIS_CAUSE_COMPUTING_TENSOR && to > part->from
               ? to - part->from
               : 0;
}

static void take_piece(void *context, const struct analysis_piece *all)
{
    struct analysis_causes_summary *f = context;
    struct analysis_piece part = *all, *piece = &part;
    part.from = all->from > f->from ? all->from : f->from;
    part.to = all->to < f->to ? all->to : f->to;
    if (part.from >= part.to)
        return;
    const size_t node = piece->instr < f->graph->node_count ? piece->instr
                                                            : f->graph->node_count;
    const uint64_t cycles = piece->to - piece->from;
    f->sums[piece->cause] += cycles;
    f->launched += launch_cycles(f, all, piece);
    if ((piece->cause == ANALYSIS_CAUSE_LINK || piece->cause == ANALYSIS_CAUSE_GRAPH) &&
        piece->place != TRACES_NONE && piece->place_kind == TRACES_PLACE_LINK)
        *cycles_of_link(f, piece->place) += cycles;
    f->of_node[node * ANALYSIS_CAUSE_COUNT + piece->cause] += cycles;
    analysis_timeline_hold(&f->over_time, piece->from, piece->to,
                           channel_of(piece->cause), 1);
    if (!f->keeps_chain)
        return;
    struct analysis_piece *last = lib_spill_last(&f->chain);
    if (goes_on(f, last, piece))
        last->from = piece->from;
    else
        *(struct analysis_piece *)lib_spill_add(&f->chain) = *piece;
}

struct analysis_causes_walker
analysis_causes_summary_walker(struct analysis_causes_summary *found)
{
    return (struct analysis_causes_walker){.piece = take_piece, .context = found};
}

static uint64_t sum_of(const uint64_t *causes)
{
    uint64_t sum = 0;
    for (int cause = 0; cause < ANALYSIS_CAUSE_COUNT; cause++)
        sum += causes[cause];
    return sum;
}

/* --- causes ------------------------------------------------------------------------- */

static int compare_causes(const void *a, const void *b, void *causes)
{
    const uint64_t *all = causes;
    const int x = *(const int *)a, y = *(const int *)b;
    if (all[x] != all[y])
        return all[x] > all[y] ? -1 : 1;
    return x - y;
}

static void sort_causes(const uint64_t *causes, int order[ANALYSIS_CAUSE_COUNT])
{
    for (int i = 0; i < ANALYSIS_CAUSE_COUNT; i++)
        order[i] = i;
    qsort_r(order, ANALYSIS_CAUSE_COUNT, sizeof *order, compare_causes, (void *)causes);
}

static void report_sums(const struct analysis_causes_summary *found,
                        struct lib_findings *findings)
{
    int order[ANALYSIS_CAUSE_COUNT];
    const double all = (double)sum_of(found->sums);
    struct lib_table *t = lib_findings_table(findings, "causes",
                                             "cycles of the critical path by cause");
    sort_causes(found->sums, order);
    LIB_TABLE_COLUMNS(t, "cause", "cycles", "share");
    if (findings->for_people)
        lib_table_column(t, "what it is");
    for (int i = 0; i < ANALYSIS_CAUSE_COUNT; i++) {
        const int cause = findings->for_people ? order[i] : i;
        if (findings->for_people && found->sums[cause] == 0)
            continue;
        lib_table_word(t, analysis_cause_table[cause].key);
        lib_table_count(t, found->sums[cause]);
        lib_table_real(t, lib_ratio((double)found->sums[cause], all));
        if (findings->for_people)
            lib_table_word(t, analysis_cause_table[cause].help);
    }
}

static bool clip_span(const struct analysis_causes_summary *found,
                      struct analysis_span *span)
{
    const uint64_t end = span->from + span->width, to = found->to < end ? found->to : end;
    span->from = span->from > found->from ? span->from : found->from;
    span->width = to > span->from ? to - span->from : 0;
    return span->width > 0;
}

/* Returns the largest channels of a span, "issue_slot 69 %, computing 6 %". */
static const char *likely_channels(const struct analysis_timeline *all,
                                   const struct analysis_span *bins, uint64_t width,
                                   struct lib_arena *arena)
{
    struct lib_text text = {0};
    bool is_told[CHANNELS] = {false};
    for (int i = 0; i < LIKELY; i++) {
        uint32_t best = CHANNELS;
        for (uint32_t c = 0; c < CHANNELS; c++)
            if (!is_told[c] &&
                (best == CHANNELS || analysis_timeline_sum(all, bins, c) >
                                         analysis_timeline_sum(all, bins, best)))
                best = c;
        const uint64_t sum = analysis_timeline_sum(all, bins, best);
        if (sum == 0)
            break;
        is_told[best] = true;
        lib_text_printf(&text, "%s%s %.0f %%", i ? ", " : "",
                        best
                            ? analysis_cause_table[best - 1 + ANALYSIS_CAUSE_MATCHING].key
                            : "computing",
                        100.0 * (double)sum / (double)width);
    }
    return lib_arena_keep(arena, &text);
}

/* The table over time: for people the largest causes of each span, else the share of each cause.
 * The shares of a row add up to 1, as each cycle has one cause. */
static void report_over_time(const struct analysis_causes_summary *found,
                             struct lib_findings *findings)
{
    const struct analysis_timeline *all = &found->over_time;
    struct lib_table *t = lib_findings_table(
        findings, "over_time",
        findings->for_people ? "the largest causes of the cycles from each cycle on"
                             : "share of each cause in the cycles from each cycle on");
    LIB_TABLE_COLUMNS(t, "cycle", "width", findings->for_people ? "causes" : "computing");
    for (int cause = ANALYSIS_CAUSE_MATCHING;
         !findings->for_people && cause < ANALYSIS_CAUSE_COUNT; cause++)
        lib_table_column(t, analysis_cause_table[cause].key);
    for (size_t i = 0; i < analysis_timeline_spans(all, findings->most); i++) {
        struct analysis_span span = analysis_timeline_span(all, findings->most, i);
        const struct analysis_span bins = span;
        if (!clip_span(found, &span))
            continue;
        lib_table_count(t, span.from);
        lib_table_count(t, span.width);
        if (findings->for_people)
            lib_table_word(t, likely_channels(all, &bins, span.width, findings->arena));
        for (uint32_t channel = 0; !findings->for_people && channel < CHANNELS; channel++)
            lib_table_real(t, (double)analysis_timeline_sum(all, &bins, channel) /
                                  (double)span.width);
    }
}

/* --- rows --------------------------------------------------------------------------- */

struct row {
    uint32_t number; /* TRACES_NONE: no function, line or opcode */
    uint64_t causes[ANALYSIS_CAUSE_COUNT], cycles;
};

typedef LIB_VEC(struct row) rows;

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return LIB_ORDER(y->cycles, x->cycles) ?: LIB_ORDER(x->number, y->number);
}

static struct row *row_of(rows *all, uint32_t number)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].number == number)
            return &all->items[i];
    struct row *row = LIB_VEC_PUSH(all);
    *row = (struct row){.number = number};
    return row;
}

static rows rows_by(const struct analysis_causes_summary *found, enum analysis_cost_by by)
{
    const struct isa_graph *g = found->graph;
    uint32_t *around = lib_mem_new(g->function_count * sizeof *around);
    rows all = {0};
    analysis_cost_functions(g, around);
    for (uint32_t n = 0; n <= g->node_count; n++) {
        const uint64_t *causes = &found->of_node[(size_t)n * ANALYSIS_CAUSE_COUNT];
        const uint64_t cycles = sum_of(causes);
        if (cycles == 0)
            continue;
        struct row *row = row_of(
            &all, n < g->node_count ? analysis_cost_number(by, &g->nodes[n], around)
                                    : TRACES_NONE);
        row->cycles += cycles;
        for (int cause = 0; cause < ANALYSIS_CAUSE_COUNT; cause++)
            row->causes[cause] += causes[cause];
    }
    lib_mem_free(around);
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_rows);
    return all;
}

static void add_name(const struct analysis_causes_summary *found,
                     enum analysis_cost_by by, uint32_t number, struct lib_table *t)
{
    if (number == TRACES_NONE)
        lib_table_word(t, "-");
    else if (by == ANALYSIS_COST_BY_FUNCTION)
        lib_table_word(t, found->graph->functions[number].name);
    else if (by == ANALYSIS_COST_BY_OPCODE)
        lib_table_word(t, isa_op_table[number].text);
    else
        lib_table_count(t, number);
}

static const char *likely_causes(const struct row *row, struct lib_arena *arena)
{
    struct lib_text text = {0};
    int order[ANALYSIS_CAUSE_COUNT];
    sort_causes(row->causes, order);
    for (int i = 0; i < LIKELY && row->causes[order[i]]; i++)
        lib_text_printf(&text, "%s%s %.0f %%", i ? ", " : "",
                        analysis_cause_table[order[i]].key,
                        100.0 * (double)row->causes[order[i]] / (double)row->cycles);
    return lib_arena_keep(arena, &text);
}

static void report_rows(const struct analysis_causes_summary *found,
                        const struct analysis_causes_tables *tables,
                        struct lib_findings *findings)
{
    const enum analysis_cost_by by = tables->by;
    const bool has_text = findings->for_people && by == ANALYSIS_COST_BY_LINE &&
                          tables->source;
    rows all = rows_by(found, by);
    const double cycles = (double)sum_of(found->sums);
    struct lib_table *t = lib_findings_table(
        findings, lib_arena_printf(findings->arena, "by_%s", analysis_cost_by_key(by)),
        "whose cycles they are, the most first");
    lib_table_column(t, analysis_cost_by_key(by));
    LIB_TABLE_COLUMNS(t, "cycles", "share");
    for (int cause = 0; !findings->for_people && cause < ANALYSIS_CAUSE_COUNT; cause++)
        lib_table_column(t, analysis_cause_table[cause].key);
    if (findings->for_people)
        lib_table_column(t, "causes");
    if (has_text)
        lib_table_column(t, "text");
    for (size_t i = 0; i < all.count; i++) {
        const struct row *row = &all.items[i];
        add_name(found, by, row->number, t);
        lib_table_count(t, row->cycles);
        lib_table_real(t, lib_ratio((double)row->cycles, cycles));
        for (int cause = 0; !findings->for_people && cause < ANALYSIS_CAUSE_COUNT;
             cause++)
            lib_table_count(t, row->causes[cause]);
        if (findings->for_people)
            lib_table_word(t, likely_causes(row, findings->arena));
        if (has_text)
            lib_table_word(t, analysis_costs_line(tables->source, row->number, findings));
    }
    lib_mem_free(all.items);
}

/* --- the chain ---------------------------------------------------------------------- */

static struct lib_value unless_none(uint32_t number)
{
    return number == TRACES_NONE ? lib_none() : lib_count(number);
}

static const char *write_place(struct analysis_causes_summary *found,
                               const struct analysis_piece *p)
{
    if (p->cause != ANALYSIS_CAUSE_PRESSURE)
        return "-";
    snprintf(found->place, sizeof found->place, "%s %" PRIu32,
             traces_place_table[p->place_kind].text, p->place);
    return found->place;
}

static const char *const chain_columns[] = {"from",       "to",        "cause",    "pe",
                                            "node",       "opcode",    "function", "line",
                                            "activation", "no_room_in"};

static void make_row(void *context, size_t row, struct lib_value *cells)
{
    struct analysis_causes_summary *found = context;
    const size_t at = found->backwards ? row : found->chain.count - 1 - row;
    const struct analysis_piece *p = lib_spill_get(&found->chain, at);
    const struct isa_graph *g = found->graph;
    const struct isa_node *node = p->instr < g->node_count ? &g->nodes[p->instr] : NULL;
    const struct lib_value made[] = {
        lib_count(p->from),
        lib_count(p->to),
        lib_word(analysis_cause_table[p->cause].key),
        unless_none(p->pe),
        unless_none(p->instr),
        lib_word(node ? isa_op_table[node->op].text : "-"),
        lib_word(node ? g->functions[node->function].name : "-"),
        unless_none(node ? node->pos.line : TRACES_NONE),
        unless_none(p->tag),
        lib_word(write_place(found, p)),
    };
    static_assert(sizeof made / sizeof *made ==
                      sizeof chain_columns / sizeof *chain_columns,
                  "a cell for each column");
    memcpy(cells, made, sizeof made);
}

static void report_chain(struct analysis_causes_summary *found, bool backwards,
                         struct lib_findings *findings)
{
    struct lib_table *t = lib_findings_table(
        findings, "chain",
        backwards ? "what it waited for, the last first" : "from the start to the end");
    lib_table_columns(t, chain_columns, sizeof chain_columns / sizeof *chain_columns);
    found->backwards = backwards;
    lib_table_make(findings, t, found->chain.count, make_row, found);
}

/* --- links -------------------------------------------------------------------------- */

static void report_links(const struct analysis_causes_summary *found,
                         const struct analysis_causes_tables *tables,
                         struct lib_findings *findings)
{
    rows all = {0};
    struct lib_table *t = lib_findings_table(
        findings, "links", "cycles of the critical path by link of the platform");
    for (uint32_t i = 0; i < tables->link_count; i++) {
        const size_t link = (size_t)tables->first_link + i;
        if (link < found->of_link.count && found->of_link.items[link])
            row_of(&all, i)->cycles = found->of_link.items[link];
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_rows);
    LIB_TABLE_COLUMNS(t, "link", "cycles", "share");
    for (size_t i = 0; i < all.count; i++) {
        lib_table_word(t, tables->links[all.items[i].number]);
        lib_table_count(t, all.items[i].cycles);
        lib_table_real(
            t, lib_ratio((double)all.items[i].cycles, (double)sum_of(found->sums)));
    }
    lib_mem_free(all.items);
}

/* --- kernels ------------------------------------------------------------------------ */

static void report_kernels(const struct analysis_causes_summary *found,
                           struct lib_findings *findings)
{
    const uint64_t all = found->sums[ANALYSIS_CAUSE_COMPUTING_TENSOR];
    struct lib_table *t = lib_findings_table(
        findings, "tensor",
        "cycles of computing_tensor: launches, and what limits the work");
    LIB_TABLE_COLUMNS(t, "part", "cycles", "share");
    lib_table_word(t, "launch");
    lib_table_count(t, found->launched);
    lib_table_real(t, lib_ratio((double)found->launched, (double)all));
    lib_table_word(t, found->kernel.limit);
    lib_table_count(t, all - found->launched);
    lib_table_real(t, lib_ratio((double)(all - found->launched), (double)all));
}

void analysis_causes_summary_tell(struct analysis_causes_summary *found,
                                  const struct analysis_causes_run *run,
                                  const struct analysis_causes_tables *tables,
                                  struct lib_findings *findings)
{
    if (tables->of)
        lib_findings_word(findings, "why", tables->of, "what the path leads to");
    const bool is_part = found->from > 0 || found->to < UINT64_MAX;
    lib_findings_count(findings, "cycles", is_part ? sum_of(found->sums) : run->cycles,
                       "of the critical path");
    if (!is_part)
        lib_findings_count(findings, "firings", run->firings, "on it");
    report_sums(found, findings);
    if (!findings->for_people || !tables->of)
        report_over_time(found, findings);
    if (tables->by != ANALYSIS_COST_BY_NOTHING)
        report_rows(found, tables, findings);
    if (tables->links)
        report_links(found, tables, findings);
    if (tables->chain)
        report_chain(found, tables->backwards, findings);
    if (found->kernel.launch && found->sums[ANALYSIS_CAUSE_COMPUTING_TENSOR])
        report_kernels(found, findings);
}

void analysis_causes_summary_write_json(const struct analysis_causes_summary *found,
                                        struct lib_json *json)
{
    for (int cause = 0; cause < ANALYSIS_CAUSE_COUNT; cause++)
        lib_json_uint(json, analysis_cause_table[cause].key, found->sums[cause]);
}
