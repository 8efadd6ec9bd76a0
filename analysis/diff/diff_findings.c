#include "analysis/diff/diff.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

static struct lib_value field_value(const struct isa_graph *graph,
                                    const struct traces_event *event,
                                    const struct traces_event_field *field)
{
    const uint64_t value = traces_event_get(event, field);
    return field->meaning == TRACES_MEANS_VALUE ? traces_event_value(graph, event)
           : value == (field->size == 4 ? UINT32_MAX : UINT64_MAX) ? lib_none()
           : field->meaning == TRACES_MEANS_OUTCOME
               ? lib_word(traces_outcome_table[value].text)
           : field->meaning == TRACES_MEANS_HOLDER
               ? lib_word(traces_holder_table[value].text)
               : lib_count(value);
}

static void add_field(const struct isa_graph *graph, const struct traces_event *event,
                      const struct traces_event_field *field, struct lib_findings *f)
{
    const struct lib_value value = field_value(graph, event, field);
    if (field->meaning == TRACES_MEANS_INSTR && value.kind == LIB_VALUE_COUNT)
        add_node(graph, &graph->nodes[value.count], f);
    else if (field->meaning != TRACES_MEANS_TAG)
        lib_findings_add(f, field->text, value, NULL);
}

static void add_event(const struct analysis_diff *d, uint32_t side,
                      struct lib_findings *f)
{
    const struct analysis_first_event *at = &d->first.events[side];
    const struct isa_graph *graph = d->alike->graphs[side];
    if (!at->is_there) {
        lib_findings_word(f, sides[side], NULL, NULL); /* the run has ended */
        return;
    }
    const struct traces_event_row *row = &traces_event_table[at->event.kind];
    lib_findings_open(f, sides[side], "");
    lib_findings_word(f, "event", row->text, "");
    lib_findings_count(f, "cycle", at->event.cycle, "");
    for (const struct traces_event_field *field = row->fields; field->text; field++)
        add_field(graph, &at->event, field, f);
    if (at->tag)
        lib_findings_word(f, "tag", at->tag, "");
    lib_findings_close(f);
    if (at->by == TRACES_NONE)
        return;
    lib_findings_open(f, side ? "b_sent_by" : "a_sent_by", NULL);
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
    lib_findings_count(f, "cycle", detail->fired[side].cycle, NULL);
    lib_findings_count(f, "pe", detail->fired[side].pe, NULL);
    lib_findings_close(f);
    return value;
}

static void add_firing(const struct analysis_diff *d, const char *key, uint32_t place,
                       struct lib_findings *f)
{
    const struct analysis_detail *detail = &d->details.items[place];
    const struct isa_graph *graph;
    const struct isa_node *node = analysis_node_mapping_find(d->alike, detail->number,
                                                             &graph);
    lib_findings_open(f, key, NULL);
    add_node(graph, node, f);
    lib_findings_word(f, "tag", detail->tag ? detail->tag : "", NULL);
    for (uint32_t side = 0; side < 2; side++)
        lib_findings_add(f, sides[side], in_run(detail, side, f), NULL);
    lib_findings_close(f);
}

static void add_origin(const struct analysis_diff *d, struct lib_findings *f)
{
    lib_findings_open(f, "first_firing", NULL);
    add_firing(d, "firing", d->at.origin, f);
    lib_findings_word(f, "run", sides[d->origin_side], NULL);
    lib_findings_count(f, "reached", d->reach.reached, NULL);
    lib_findings_count(f, "reached_that_differ", d->reach.differing, NULL);
    lib_findings_close(f);
}

static void add_cone(const struct analysis_diff *d, struct lib_findings *f)
{
    const struct analysis_causal_slice *cone = &d->cone;
    lib_findings_open(f, "causes", NULL);
    add_firing(d, "of", d->at.cause_of, f);
    lib_findings_word(f, "run", sides[d->cone_side], NULL);
    lib_findings_count(f, "that_differ", cone->differing - 1, NULL);
    lib_findings_flag(f, "there_are_more", cone->is_cut, NULL);
    lib_findings_count(f, "since", cone->since, NULL);
    lib_findings_count(f, "that_agree", cone->agreeing, NULL);
    if (cone->agreeing)
        add_firing(d, "last_that_agrees", d->at.agreeing, f);
    else
        lib_findings_word(f, "last_that_agrees", NULL, NULL);
    lib_findings_count(f, "chain_length", cone->chain.count, NULL);
    lib_findings_open_list(f, "chain", NULL);
    for (uint32_t i = d->at.chain; i < d->at.end; i++)
        add_firing(d, NULL, i, f);
    lib_findings_close(f);
    lib_findings_close(f);
}

static void add_order(const struct analysis_diff *d, struct lib_findings *f)
{
    const struct analysis_order *order = &d->shifts->order;
    if (!order->is_found) {
        lib_findings_word(f, "order", NULL, NULL);
        return;
    }
    lib_findings_open(f, "order", NULL);
    lib_findings_count(f, "pe", order->pe, NULL);
    lib_findings_count(f, "before", order->before, NULL);
    for (uint32_t side = 0; side < 2; side++) {
        if (order->is_there[side])
            add_firing(d, sides[side], d->at.order + side, f);
        else
            lib_findings_word(f, sides[side], NULL, NULL);
    }
    lib_findings_close(f);
}

static void add_for_programs(const struct analysis_diff *d, struct lib_findings *f)
{
    if (d->first.is_found)
        add_first(d, f);
    else
        lib_findings_word(f, "first_difference", NULL, NULL);
    if (d->has_origin)
        add_origin(d, f);
    else
        lib_findings_word(f, "first_firing", NULL, NULL);
    if (d->has_cone)
        add_cone(d, f);
    else
        lib_findings_word(f, "causes", NULL, NULL);
    add_order(d, f);
}

/* --- tables for people ----------------------------------------------------------------------- */

static const char *const names[] = {"A", "B"};

static const char *opcode_of(const struct isa_node *node, struct lib_findings *f)
{
    struct lib_text text = {0};
    isa_node_write_opcode(node, &text);
    return lib_arena_keep(f->arena, &text);
}

static const char *place_of(const struct isa_node *node, struct lib_findings *f)
{
    return lib_arena_printf(f->arena, "%u:%u", node->pos.line, node->pos.column);
}

/* `node` may be NULL. */
static void add_node_cells(const struct isa_graph *graph, const struct isa_node *node,
                           struct lib_table *t, struct lib_findings *f)
{
    lib_row(t, "instruction", lib_word(node ? opcode_of(node, f) : NULL));
    lib_row(t, "function", lib_word(node ? graph->functions[node->function].name : NULL));
    lib_row(t, "place", lib_word(node ? place_of(node, f) : NULL))->side = LIB_SIDE_RIGHT;
}

static struct lib_value value_of(const struct analysis_diff *d, uint32_t side,
                                 enum traces_meaning meaning)
{
    const struct traces_event *event = &d->first.events[side].event;
    const struct traces_event_field *field = traces_event_table[event->kind].fields;
    while (field->text && field->meaning != meaning)
        field++;
    return field->text ? field_value(d->alike->graphs[side], event, field) : lib_none();
}

static void add_differing(const struct analysis_diff *d, uint32_t side,
                          struct lib_table *t)
{
    const struct traces_event *a = &d->first.events[0].event,
                              *b = &d->first.events[1].event;
    const struct traces_event_field *field = traces_event_table[a->kind].fields;
    for (; a->kind == b->kind && field->text; field++)
        if (traces_event_get(a, field) != traces_event_get(b, field) &&
            field->meaning != TRACES_MEANS_TAG && field->meaning != TRACES_MEANS_INSTR &&
            strcmp(field->text, "pe") != 0)
            lib_row(t, field->text,
                    field_value(d->alike->graphs[side], side ? b : a, field));
}

static void add_where(const struct analysis_diff *d, uint32_t side, struct lib_table *t,
                      struct lib_findings *f)
{
    const struct analysis_first_event *events = d->first.events;
    const struct isa_graph *graph = d->alike->graphs[side];
    const struct lib_value instr = value_of(d, side, TRACES_MEANS_INSTR);
    const uint32_t by = events[side].by;
    lib_row(t, "pe", value_of(d, side, TRACES_MEANS_PE));
    add_node_cells(
        graph, instr.kind == LIB_VALUE_COUNT ? &graph->nodes[instr.count] : NULL, t, f);
    lib_row(t, "tag", lib_word(events[side].tag));
    if (events[0].by == events[1].by)
        return;
    lib_row(t, "sent by",
            lib_word(by == TRACES_NONE
                         ? NULL
                         : lib_arena_printf(f->arena, "%s %s",
                                            opcode_of(&graph->nodes[by], f),
                                            place_of(&graph->nodes[by], f))));
}

static void add_fields(const struct analysis_diff *d, uint32_t side, struct lib_table *t,
                       struct lib_findings *f)
{
    const struct traces_event *event = &d->first.events[side].event;
    const struct lib_value fields = lib_findings_open_value(f, LIB_VALUE_RECORD);
    if (value_of(d, side, TRACES_MEANS_INSTR).kind != LIB_VALUE_COUNT)
        for (const struct traces_event_field *field =
                 traces_event_table[event->kind].fields;
             field->text; field++)
            add_field(d->alike->graphs[side], event, field, f);
    lib_findings_close(f);
    lib_row(t, "of", fields)->side = LIB_SIDE_LEFT;
}

static void show_first(const struct analysis_diff *d, struct lib_findings *f)
{
    const struct analysis_first_event *events = d->first.events;
    const bool both = events[0].is_there && events[1].is_there;
    struct lib_table *t = lib_findings_table(
        f, "first_difference",
        both ? lib_arena_printf(f->arena,
                                "event %" PRIu64 " is the first that differs (%s)",
                                d->first.before + 1, d->first.differs_in)
             : lib_arena_printf(f->arena,
                                "the first %" PRIu64
                                " events are the same; only %s has more",
                                d->first.before, names[events[1].is_there]));
    size_t of_instructions = 0, count = 0;
    for (uint32_t side = 0; side < 2; side++) {
        count += events[side].is_there;
        of_instructions += events[side].is_there &&
                           value_of(d, side, TRACES_MEANS_INSTR).kind == LIB_VALUE_COUNT;
    }
    for (uint32_t side = 0; side < 2; side++) {
        const struct traces_event *event = &events[side].event;
        if (!events[side].is_there)
            continue;
        lib_row(t, "run", lib_word(names[side]));
        lib_row(t, "cycle", lib_count(event->cycle));
        lib_row(t, "event", lib_word(traces_event_table[event->kind].text));
        if (of_instructions)
            add_where(d, side, t, f);
        if (of_instructions < count)
            add_fields(d, side, t, f);
        else if (both)
            add_differing(d, side, t);
    }
}

static void show_firing(const struct analysis_diff *d, uint32_t place,
                        struct lib_table *t, struct lib_findings *f)
{
    const struct analysis_detail *detail = &d->details.items[place];
    const struct analysis_fired *fired = detail->fired;
    const bool *is_there = detail->is_there;
    const struct isa_graph *graph;
    const struct isa_node *node = analysis_node_mapping_find(d->alike, detail->number,
                                                             &graph);
    add_node_cells(graph, node, t, f);
    lib_row(t, "tag", lib_word(detail->tag));
    for (uint32_t side = 0; side < 2; side++) {
        lib_row(t, "cycle", is_there[side] ? lib_count(fired[side].cycle) : lib_none());
        lib_row(t, "pe", is_there[side] ? lib_count(fired[side].pe) : lib_none());
    }
    lib_row(t, "shift",
            is_there[0] && is_there[1]
                ? lib_int((int64_t)(fired[1].cycle - fired[0].cycle))
                : lib_none())
        ->style = LIB_STYLE_SIGNED;
}

static struct lib_table *open_firings(const char *key, const char *help,
                                      struct lib_findings *f)
{
    static const char *const over[] = {NULL, NULL, NULL, NULL, "A", "", "B", "", NULL};
    struct lib_table *t = lib_findings_table(f, key, help);
    t->levels = over;
    t->level_count = 1;
    return t;
}

static void show_origin(const struct analysis_diff *d, struct lib_findings *f)
{
    struct lib_table *t = open_firings(
        "first_firing",
        lib_arena_printf(f->arena,
                         "the first firing that differs: its tokens reach %" PRIu64
                         " firings, of which %" PRIu64 " differ",
                         d->reach.reached, d->reach.differing),
        f);
    show_firing(d, d->at.origin, t, f);
}

static void show_cone(const struct analysis_diff *d, struct lib_findings *f)
{
    const struct analysis_causal_slice *cone = &d->cone;
    const size_t shown = d->at.end - d->at.chain, all = cone->chain.count;
    struct lib_text note = {0};
    struct lib_table *t = open_firings(
        "causes",
        "causes, backwards: each row is the last cause that differs of the row above it",
        f);
    for (uint32_t i = d->at.chain; i < d->at.end; i++)
        show_firing(d, i, t, f);
    t->sum_rows = cone->agreeing > 0;
    if (cone->agreeing)
        show_firing(d, d->at.agreeing, t, f);
    lib_text_printf(&note, "%s%" PRIu64 " causes differ, since cycle %" PRIu64,
                    cone->is_cut ? "at least " : "", cone->differing - 1, cone->since);
    if (all > shown)
        lib_text_printf(&note, " (%zu rows left out after row %d)", all - shown,
                        ANALYSIS_DIFF_CHAIN / 2);
    if (cone->agreeing)
        lib_text_printf(&note,
                        "; last row: the last of the %" PRIu64
                        " firings before them that agree",
                        cone->agreeing);
    t->note = lib_arena_keep(f->arena, &note);
}

static void show_order(const struct analysis_diff *d, struct lib_findings *f)
{
    const struct analysis_order *order = &d->shifts->order;
    if (!order->is_found) {
        lib_findings_note(f, "\nAll PEs fire in the same order.");
        return;
    }
    struct lib_table *t = open_firings(
        "order",
        lib_arena_printf(f->arena,
                         "PE %" PRIu32
                         " is the first to fire in another order, after %" PRIu64
                         " firings: what it fires next%s",
                         order->pe, order->before,
                         !order->is_there[0]   ? " in B (nothing in A)"
                         : !order->is_there[1] ? " in A (nothing in B)"
                                               : " in A, and in B"),
        f);
    for (uint32_t side = 0; side < 2; side++)
        if (order->is_there[side])
            show_firing(d, d->at.order + side, t, f);
}

static void add_for_people(const struct analysis_diff *d, struct lib_findings *f)
{
    if (d->first.is_found)
        show_first(d, f);
    if (d->has_origin)
        show_origin(d, f);
    if (d->has_cone)
        show_cone(d, f);
    show_order(d, f);
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
        lib_arena_printf(
            f->arena,
            "by %s: firings of B, and how much later (+) or earlier (-) than in A", key));
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
    if (!f->for_people || d->is_same)
        lib_findings_flag(f, "same", d->is_same,
                          d->is_same && d->alike->strategies_differ
                              ? "all firings are at the same times"
                              : "");
    if (!f->for_people || d->is_same || d->level < TRACES_LEVEL_ALL)
        lib_findings_word(f, "level", traces_level_table[d->level].text,
                          d->is_same ? "of events" : "of events: causes need `all`");
    if (f->for_people && d->is_same && !d->alike->strategies_differ)
        lib_findings_count(f, "events", d->first.before, "");
    if (d->is_same)
        return;
    (f->for_people ? add_for_people : add_for_programs)(d, f);
    for (enum analysis_cost_by by = 0; by < ANALYSIS_COST_BY_NOTHING; by++)
        add_table(d, by, f);
}
