#include "analysis/diff/diff.h"

#include <math.h>
#include <stdio.h>

#include "analysis/diff/rows.h"

static const char *const sides[] = {"a", "b"};

static void write_node(const struct isa_graph *graph, const struct isa_node *node,
                       struct lib_json *json)
{
    struct lib_text text = {0};
    isa_node_write_opcode(node, &text);
    lib_json_string(json, "instruction", lib_text_get(&text));
    lib_json_string(json, "function", graph->functions[node->function].name);
    lib_json_uint(json, "line", node->pos.line);
    lib_json_uint(json, "column", node->pos.column);
    lib_text_free(&text);
}

/* --- the first difference ------------------------------------------------------------------ */

static void write_field(const struct isa_graph *graph, const struct traces_event *event,
                        const struct traces_event_field *field, struct lib_json *json)
{
    const uint64_t value = traces_event_get(event, field);
    const bool is_value = field->meaning == TRACES_MEANS_VALUE;
    const bool is_none = !is_value &&
                         value == (field->size == 4 ? UINT32_MAX : UINT64_MAX);
    if (field->meaning == TRACES_MEANS_TAG)
        return;
    if (is_value)
        traces_event_value_json(graph, event, field->text, json);
    else if (is_none)
        lib_json_null(json, field->text);
    else if (field->meaning == TRACES_MEANS_INSTR)
        write_node(graph, &graph->nodes[value], json);
    else if (field->meaning == TRACES_MEANS_OUTCOME)
        lib_json_string(json, field->text, traces_outcome_table[value].text);
    else if (field->meaning == TRACES_MEANS_HOLDER)
        lib_json_string(json, field->text, traces_holder_table[value].text);
    else
        lib_json_uint(json, field->text, value);
}

static void write_event(const struct analysis_diff *d, uint32_t side,
                        struct lib_json *json)
{
    const struct analysis_first_event *at = &d->first.events[side];
    if (!at->is_there) {
        lib_json_null(json, sides[side]);
        return;
    }
    const struct traces_event_row *row = &traces_event_table[at->event.kind];
    lib_json_open_line(json, sides[side], '{');
    lib_json_string(json, "event", row->text);
    lib_json_uint(json, "cycle", at->event.cycle);
    for (const struct traces_event_field *f = row->fields; f->text; f++)
        write_field(d->alike->graphs[side], &at->event, f, json);
    if (at->tag)
        lib_json_string(json, "tag", at->tag);
    lib_json_close(json);
    if (at->by != TRACES_NONE) {
        lib_json_open_line(json, side ? "b_sent_by" : "a_sent_by", '{');
        write_node(d->alike->graphs[side], &d->alike->graphs[side]->nodes[at->by], json);
        lib_json_close(json);
    }
}

static void write_first(const struct analysis_diff *d, struct lib_json *json)
{
    if (!d->first.is_found) {
        lib_json_null(json, "first_difference");
        return;
    }
    lib_json_open(json, "first_difference", '{');
    lib_json_uint(json, "event_number", d->first.before + 1);
    lib_json_string(json, "differs_in", d->first.differs_in);
    write_event(d, 0, json);
    write_event(d, 1, json);
    lib_json_close(json);
}

/* --- firings ------------------------------------------------------------------------------- */

static void write_run(const struct analysis_detail *detail, uint32_t side,
                      struct lib_json *json)
{
    if (!detail->is_there[side]) {
        lib_json_null(json, sides[side]);
        return;
    }
    lib_json_open_line(json, sides[side], '{');
    lib_json_uint(json, "cycle", detail->fired[side].cycle);
    lib_json_uint(json, "pe", detail->fired[side].pe);
    lib_json_close(json);
}

static void write_firing(const struct analysis_diff *d, const char *key, uint32_t place,
                         struct lib_json *json)
{
    const struct analysis_detail *detail = &d->details.items[place];
    const struct isa_graph *graph;
    const struct isa_node *node = analysis_node_mapping_find(d->alike, detail->number,
                                                             &graph);
    lib_json_open_line(json, key, '{');
    write_node(graph, node, json);
    lib_json_string(json, "tag", detail->tag ? detail->tag : "");
    write_run(detail, 0, json);
    write_run(detail, 1, json);
    lib_json_close(json);
}

static void write_origin(const struct analysis_diff *d, struct lib_json *json)
{
    if (!d->has_origin) {
        lib_json_null(json, "first_firing");
        return;
    }
    lib_json_open(json, "first_firing", '{');
    write_firing(d, "firing", d->at.origin, json);
    lib_json_string(json, "run", sides[d->origin_side]);
    lib_json_uint(json, "reached", d->reach.reached);
    lib_json_uint(json, "reached_that_differ", d->reach.differing);
    lib_json_close(json);
}

static void write_cone(const struct analysis_diff *d, struct lib_json *json)
{
    if (!d->has_cone) {
        lib_json_null(json, "causes");
        return;
    }
    lib_json_open(json, "causes", '{');
    write_firing(d, "of", d->at.cause_of, json);
    lib_json_string(json, "run", sides[d->cone_side]);
    lib_json_uint(json, "that_differ", d->cone.differing - 1);
    lib_json_bool(json, "there_are_more", d->cone.is_cut);
    lib_json_uint(json, "since", d->cone.since);
    lib_json_uint(json, "that_agree", d->cone.agreeing);
    if (d->cone.agreeing)
        write_firing(d, "last_that_agrees", d->at.agreeing, json);
    else
        lib_json_null(json, "last_that_agrees");
    lib_json_uint(json, "chain_length", d->cone.chain.count);
    lib_json_open(json, "chain", '[');
    for (uint32_t i = d->at.chain; i < d->at.end; i++)
        write_firing(d, NULL, i, json);
    lib_json_close(json);
    lib_json_close(json);
}

static void write_order(const struct analysis_diff *d, struct lib_json *json)
{
    const struct analysis_order *order = &d->shifts->order;
    if (!order->is_found) {
        lib_json_null(json, "order");
        return;
    }
    lib_json_open(json, "order", '{');
    lib_json_uint(json, "pe", order->pe);
    lib_json_uint(json, "before", order->before);
    for (uint32_t side = 0; side < 2; side++) {
        if (order->is_there[side])
            write_firing(d, sides[side], d->at.order + side, json);
        else
            lib_json_null(json, sides[side]);
    }
    lib_json_close(json);
}

/* --- tables -------------------------------------------------------------------------------- */

static void write_row(const struct analysis_diff_row *row, enum analysis_cost_by by,
                      struct lib_json *json)
{
    const struct analysis_shift *s = &row->shift;
    lib_json_open_line(json, NULL, '{');
    if (by == ANALYSIS_COST_BY_LINE)
        lib_json_uint(json, "line", row->line);
    else
        lib_json_string(json, analysis_cost_by_key(by), row->name);
    lib_json_uint(json, "in_both", s->matched);
    lib_json_uint(json, "later", s->later);
    lib_json_uint(json, "earlier", s->earlier);
    lib_json_uint(json, "moved", s->moved);
    lib_json_int(json, "sum", s->sum);
    lib_json_real(json, "mean", s->matched ? (double)s->sum / (double)s->matched : NAN);
    lib_json_int(json, "greatest", s->greatest);
    if (s->later + s->earlier)
        lib_json_uint(json, "first", s->first);
    else
        lib_json_null(json, "first");
    lib_json_uint(json, "only_a", s->fired[0] - s->matched);
    lib_json_uint(json, "only_b", s->fired[1] - s->matched);
    lib_json_close(json);
}

static void write_table(const struct analysis_diff *d, enum analysis_cost_by by,
                        struct lib_json *json)
{
    struct analysis_diff_rows rows = {0};
    char key[32];
    if (d->shifts)
        rows = analysis_diff_rows_by(d->alike, d->shifts, by);
    snprintf(key, sizeof key, "by_%s", analysis_cost_by_key(by));
    lib_json_open(json, key, '[');
    for (size_t i = 0; i < rows.count; i++)
        write_row(&rows.items[i], by, json);
    lib_json_close(json);
    lib_mem_free(rows.items);
}

void analysis_diff_write_json(const struct analysis_diff *d, struct lib_json *json)
{
    lib_json_bool(json, "same", d->is_same);
    lib_json_string(json, "level", traces_level_table[d->level].text);
    if (d->is_same)
        return;
    write_first(d, json);
    write_origin(d, json);
    write_cone(d, json);
    write_order(d, json);
    for (enum analysis_cost_by by = 0; by < ANALYSIS_COST_BY_NOTHING; by++)
        write_table(d, by, json);
}
