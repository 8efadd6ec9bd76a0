#include "analysis/diff/diff.h"

#include <math.h>

#include "analysis/diff/rows.h"

static const char *const sides[] = {"a", "b"};

/* --- the first difference ------------------------------------------------------------------ */

static void add_node(const struct isa_graph *graph, const struct isa_node *node,
                     struct lib_findings *f)
{
    struct lib_text text = {0};
    isa_node_write_opcode(node, &text);
    lib_findings_text(f, "instruction", &text, "");
    lib_findings_word(f, "function", graph->functions[node->function].name, "");
    lib_findings_count(f, "line", node->pos.line, "");
    lib_findings_count(f, "column", node->pos.column, "");
}

static void add_field(const struct isa_graph *graph, const struct traces_event *event,
                      const struct traces_event_field *field, struct lib_findings *f)
{
    const uint64_t value = traces_event_get(event, field);
    const bool is_value = field->meaning == TRACES_MEANS_VALUE;
    const bool is_none = !is_value &&
                         value == (field->size == 4 ? UINT32_MAX : UINT64_MAX);
    if (field->meaning == TRACES_MEANS_TAG)
        return;
    if (!is_none && field->meaning == TRACES_MEANS_INSTR)
        add_node(graph, &graph->nodes[value], f);
    else
        lib_findings_add(f, field->text,
                         is_value  ? traces_event_value(graph, event)
                         : is_none ? lib_none()
                         : field->meaning == TRACES_MEANS_OUTCOME
                             ? lib_word(traces_outcome_table[value].text)
                         : field->meaning == TRACES_MEANS_HOLDER
                             ? lib_word(traces_holder_table[value].text)
                             : lib_count(value),
                         "");
}

static void add_event(const struct analysis_diff *d, uint32_t side,
                      struct lib_findings *f)
{
    const struct analysis_first_event *at = &d->first.events[side];
    const struct isa_graph *graph = d->alike->graphs[side];
    if (!at->is_there) {
        lib_findings_word(f, sides[side], NULL, "its events are at an end");
        return;
    }
    const struct traces_event_row *row = &traces_event_table[at->event.kind];
    lib_findings_open(f, sides[side], "")->style = LIB_STYLE_ON_LINE;
    lib_findings_word(f, "event", row->text, "");
    lib_findings_count(f, "cycle", at->event.cycle, "");
    for (const struct traces_event_field *field = row->fields; field->text; field++)
        add_field(graph, &at->event, field, f);
    if (at->tag)
        lib_findings_word(f, "tag", at->tag, "");
    lib_findings_close(f);
    if (at->by == TRACES_NONE)
        return;
    lib_findings_open(f, side ? "b_sent_by" : "a_sent_by", "")->style = LIB_STYLE_ON_LINE;
    add_node(graph, &graph->nodes[at->by], f);
    lib_findings_close(f);
}

static void add_first(const struct analysis_diff *d, struct lib_findings *f)
{
    lib_findings_open(f, "first_difference", "");
    lib_findings_count(f, "event_number", d->first.before + 1, "");
    lib_findings_word(f, "differs_in", d->first.differs_in, "");
    add_event(d, 0, f);
    add_event(d, 1, f);
    lib_findings_close(f);
}

/* --- firings ------------------------------------------------------------------------------- */

static struct lib_value in_run(const struct analysis_detail *detail, uint32_t side,
                               struct lib_findings *f)
{
    if (!detail->is_there[side])
        return lib_none();
    const struct lib_value value = lib_findings_open_value(f, LIB_VALUE_RECORD);
    lib_findings_count(f, "cycle", detail->fired[side].cycle, "");
    lib_findings_count(f, "pe", detail->fired[side].pe, "");
    lib_findings_close(f);
    return value;
}

static const struct isa_node *node_of(const struct analysis_diff *d,
                                      const struct analysis_detail *detail,
                                      const struct isa_graph **graph)
{
    return analysis_node_mapping_find(d->alike, detail->number, graph);
}

static void add_firing(const struct analysis_diff *d, const char *key, uint32_t place,
                       const char *help, struct lib_findings *f)
{
    const struct analysis_detail *detail = &d->details.items[place];
    const struct isa_graph *graph;
    const struct isa_node *node = node_of(d, detail, &graph);
    lib_findings_open(f, key, help)->style = LIB_STYLE_ON_LINE;
    add_node(graph, node, f);
    lib_findings_word(f, "tag", detail->tag ? detail->tag : "", "");
    for (uint32_t side = 0; side < 2; side++)
        lib_findings_add(f, sides[side], in_run(detail, side, f), "")->style =
            LIB_STYLE_ON_LINE;
    lib_findings_close(f);
}

static void add_origin(const struct analysis_diff *d, struct lib_findings *f)
{
    lib_findings_open(f, "first_firing", "");
    add_firing(d, "firing", d->at.origin, "the first that differs", f);
    lib_findings_word(f, "run", sides[d->origin_side], "");
    lib_findings_count(f, "reached", d->reach.reached,
                       "firings that its tokens reach, forwards");
    lib_findings_count(f, "reached_that_differ", d->reach.differing, "");
    lib_findings_close(f);
}

static void add_chain(const struct analysis_diff *d, struct lib_findings *f)
{
    const size_t shown = d->at.end - d->at.chain, all = d->cone.chain.count;
    const char *help = "the firing, and each time the last of its causes that differs";
    if (all > shown)
        help = lib_arena_printf(f->arena, "%s; %zu more are behind the first %d", help,
                                all - shown, ANALYSIS_DIFF_CHAIN / 2);
    struct lib_table *t = lib_findings_table(f, "chain", help);
    for (uint32_t i = d->at.chain; i < d->at.end; i++) {
        const struct analysis_detail *detail = &d->details.items[i];
        const struct isa_graph *graph;
        const struct isa_node *node = node_of(d, detail, &graph);
        const bool both = detail->is_there[0] && detail->is_there[1];
        struct lib_text text = {0};
        isa_node_write_opcode(node, &text);
        lib_row(t, "instruction", lib_word(lib_findings_keep(f, &text)));
        lib_row(t, "function", lib_word(graph->functions[node->function].name));
        lib_row(t, "line", lib_count(node->pos.line));
        lib_row(t, "column", lib_count(node->pos.column));
        lib_row(t, "tag", lib_word(detail->tag ? detail->tag : ""));
        lib_row(t, "a", in_run(detail, 0, f));
        lib_row(t, "b", in_run(detail, 1, f));
        if (f->for_people)
            lib_row(
                t, "shift",
                both ? lib_int((int64_t)(detail->fired[1].cycle - detail->fired[0].cycle))
                     : lib_none())
                ->style = LIB_STYLE_SIGNED;
    }
}

static void add_cone(const struct analysis_diff *d, struct lib_findings *f)
{
    const struct analysis_causal_slice *cone = &d->cone;
    lib_findings_open(f, "causes", "causes of a firing that differs, backwards");
    add_firing(d, "of", d->at.cause_of, "", f);
    lib_findings_word(f, "run", sides[d->cone_side], "");
    lib_findings_count(f, "that_differ", cone->differing - 1, "");
    lib_findings_flag(f, "there_are_more", cone->is_cut, "");
    lib_findings_count(f, "since", cone->since, "the cycle of the first of them");
    lib_findings_count(f, "that_agree", cone->agreeing,
                       "firings behind these that are the same in both runs");
    if (cone->agreeing)
        add_firing(d, "last_that_agrees", d->at.agreeing, "", f);
    else
        lib_findings_word(f, "last_that_agrees", NULL, "");
    lib_findings_count(f, "chain_length", cone->chain.count, "");
    add_chain(d, f);
    lib_findings_close(f);
}

static void add_order(const struct analysis_diff *d, struct lib_findings *f)
{
    const struct analysis_order *order = &d->shifts->order;
    if (!order->is_found) {
        lib_findings_word(f, "order", NULL, "all PEs fire in the same order");
        return;
    }
    lib_findings_open(f, "order", "");
    lib_findings_count(f, "pe", order->pe, "the first that fires in another order");
    lib_findings_count(f, "before", order->before, "its firings in the same order");
    for (uint32_t side = 0; side < 2; side++) {
        if (order->is_there[side])
            add_firing(d, sides[side], d->at.order + side, "", f);
        else
            lib_findings_word(f, sides[side], NULL, "it fires no more");
    }
    lib_findings_close(f);
}

/* --- tables -------------------------------------------------------------------------------- */

static void add_row(const struct analysis_shift *s, const char *key,
                    struct lib_value name, struct lib_table *t)
{
    const bool is_shifted = s->later + s->earlier;
    lib_row(t, key, name)->side = LIB_SIDE_LEFT;
    lib_row(t, "in_both", lib_count(s->matched));
    lib_row(t, "later", lib_count(s->later));
    lib_row(t, "earlier", lib_count(s->earlier));
    lib_row(t, "moved", lib_count(s->moved));
    lib_row(t, "sum", lib_int(s->sum))->hidden = LIB_NOT_IN_TEXT;
    lib_row(t, "mean", lib_real(s->matched ? (double)s->sum / (double)s->matched : NAN))
        ->style = LIB_STYLE_SIGNED;
    lib_row(t, "greatest", lib_int(s->greatest))->style = LIB_STYLE_SIGNED;
    lib_row(t, "first", is_shifted ? lib_count(s->first) : lib_none());
    lib_row(t, "only_a", lib_count(s->fired[0] - s->matched));
    lib_row(t, "only_b", lib_count(s->fired[1] - s->matched));
}

static void add_table(const struct analysis_diff *d, enum analysis_cost_by by,
                      struct lib_findings *f)
{
    const char *key = analysis_cost_by_key(by);
    struct analysis_diff_rows rows = {0};
    struct analysis_shift all = {0};
    struct lib_table *t = lib_findings_table(
        f, lib_arena_printf(f->arena, "by_%s", key),
        lib_arena_printf(f->arena,
                         "by %s: firings of B, and how much later (+) or earlier (-) "
                         "than in A",
                         key));
    if (d->shifts)
        rows = analysis_diff_rows_by(d->alike, d->shifts, by);
    for (size_t i = 0; i < rows.count; i++) {
        const struct analysis_diff_row *row = &rows.items[i];
        add_row(&row->shift, key,
                by == ANALYSIS_COST_BY_LINE ? lib_count(row->line) : lib_word(row->name),
                t);
        analysis_shift_add(&all, &row->shift);
    }
    t->sum_rows = f->for_people;
    if (f->for_people)
        add_row(&all, key, lib_word("all"), t);
    lib_mem_free(rows.items);
}

void analysis_diff_findings(const struct analysis_diff *d, struct lib_findings *f)
{
    lib_findings_flag(f, "same", d->is_same,
                      d->is_same && d->alike->strategies_differ
                          ? "all firings are at the same times"
                          : "");
    lib_findings_word(f, "level", traces_level_table[d->level].text, "of events");
    if (f->for_people && d->is_same && !d->alike->strategies_differ)
        lib_findings_count(f, "events", d->first.before, "");
    if (d->is_same)
        return;
    if (d->first.is_found)
        add_first(d, f);
    else
        lib_findings_word(f, "first_difference", NULL, "")->hidden = LIB_NOT_IN_TEXT;
    if (d->has_origin)
        add_origin(d, f);
    else
        lib_findings_word(f, "first_firing", NULL, "")->hidden = LIB_NOT_IN_TEXT;
    if (d->has_cone)
        add_cone(d, f);
    else
        lib_findings_word(f, "causes", NULL, "")->hidden = LIB_NOT_IN_TEXT;
    add_order(d, f);
    for (enum analysis_cost_by by = 0; by < ANALYSIS_COST_BY_NOTHING; by++)
        add_table(d, by, f);
}
