#include "analysis/diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/diff/rows.h"

enum { SHOWN_ROWS = 16, OPCODE = 14, FUNCTION = 14 };

static const char *const letters = "AB";

/* --- an event -------------------------------------------------------------------------------- */

static void write_node(const struct isa_graph *graph, const struct isa_node *node,
                       struct lib_text *out)
{
    isa_node_write_opcode(node, out);
    lib_text_printf(out, " of %s", graph->functions[node->function].name);
    if (node->pos.line)
        lib_text_printf(out, " (%" PRIu32 ":%" PRIu32 ")", node->pos.line,
                        node->pos.column);
}

static void write_field(const struct isa_graph *graph, const struct traces_event *event,
                        const struct traces_event_field *field, struct lib_text *out)
{
    const uint64_t value = traces_event_get(event, field);
    const bool is_none = field->meaning != TRACES_MEANS_VALUE &&
                         value == (field->size == 4 ? UINT32_MAX : UINT64_MAX);
    if (field->meaning == TRACES_MEANS_TAG || is_none)
        return;
    lib_text_puts(out, ", ");
    switch (field->meaning) {
    case TRACES_MEANS_INSTR:
        write_node(graph, &graph->nodes[value], out);
        return;
    case TRACES_MEANS_VALUE:
        lib_text_printf(out, "%s ", field->text);
        traces_event_write_value(graph, event, out);
        return;
    case TRACES_MEANS_OUTCOME:
        lib_text_puts(out, traces_outcome_table[value].text);
        return;
    case TRACES_MEANS_HOLDER:
        lib_text_printf(out, "%s %s", field->text, traces_holder_table[value].text);
        return;
    default:
        lib_text_printf(out, "%s %" PRIu64, field->text, value);
        return;
    }
}

static void write_event(const struct analysis_diff *d, uint32_t side,
                        struct lib_text *out)
{
    const struct analysis_first_event *at = &d->first.events[side];
    const struct isa_graph *graph = d->alike->graphs[side];
    if (!at->is_there) {
        lib_text_puts(out, "nothing more");
        return;
    }
    const struct traces_event_row *row = &traces_event_table[at->event.kind];
    lib_text_printf(out, "cycle %" PRIu64 ": %s", at->event.cycle, row->text);
    for (const struct traces_event_field *f = row->fields; f->text; f++)
        write_field(graph, &at->event, f, out);
    if (at->tag)
        lib_text_printf(out, ", tag %s", at->tag);
    if (at->by != TRACES_NONE) {
        lib_text_puts(out, ", by ");
        write_node(graph, &graph->nodes[at->by], out);
    }
}

static void write_first(const struct analysis_diff *d, struct lib_text *out)
{
    lib_text_printf(out, "first difference: event %" PRIu64, d->first.before + 1);
    if (*d->first.differs_in)
        lib_text_printf(out, ", in: %s", d->first.differs_in);
    lib_text_puts(out, "\n");
    for (uint32_t side = 0; side < 2; side++) {
        lib_text_printf(out, "  %c  ", letters[side]);
        write_event(d, side, out);
        lib_text_puts(out, "\n");
    }
}

/* --- firings --------------------------------------------------------------------------------- */

static void write_head(struct lib_text *out)
{
    lib_text_printf(out, "  %10s %10s %8s  %-9s  %-*s  %-*s  %-7s  %s\n", "in A", "in B",
                    "shift", "PE", OPCODE, "instruction", FUNCTION, "function", "place",
                    "tag");
}

static void write_cycle(const struct analysis_detail *detail, uint32_t side,
                        struct lib_text *out)
{
    if (detail->is_there[side])
        lib_text_printf(out, " %10" PRIu64, detail->fired[side].cycle);
    else
        lib_text_printf(out, " %10s", "-");
}

static void write_shift(const struct analysis_detail *detail, struct lib_text *out)
{
    const int64_t by = (int64_t)(detail->fired[1].cycle - detail->fired[0].cycle);
    if (detail->is_there[0] && detail->is_there[1])
        lib_text_printf(out, " %+8" PRId64, by);
    else
        lib_text_printf(out, " %8s", "-");
}

static void write_pes(const struct analysis_detail *detail, struct lib_text *out)
{
    char text[32];
    const uint32_t a = detail->fired[0].pe, b = detail->fired[1].pe;
    const bool both = detail->is_there[0] && detail->is_there[1];
    if (both && a != b)
        snprintf(text, sizeof text, "%" PRIu32 ", %" PRIu32, a, b);
    else
        snprintf(text, sizeof text, "%" PRIu32, detail->is_there[0] ? a : b);
    lib_text_printf(out, "  %-9s", text);
}

/* A firing, in both runs. */
static void write_firing(const struct analysis_diff *d, uint32_t place,
                         struct lib_text *out)
{
    const struct analysis_detail *detail = &d->details.items[place];
    const struct isa_graph *graph;
    const struct isa_node *node = analysis_node_mapping_find(d->alike, detail->number,
                                                             &graph);
    struct lib_text text = {0};
    char where[32];
    snprintf(where, sizeof where, "%" PRIu32 ":%" PRIu32, node->pos.line,
             node->pos.column);
    isa_node_write_opcode(node, &text);
    lib_text_puts(out, " ");
    write_cycle(detail, 0, out);
    write_cycle(detail, 1, out);
    write_shift(detail, out);
    write_pes(detail, out);
    lib_text_printf(out, "  %-*s  %-*s  %-7s  %s\n", OPCODE, lib_text_get(&text),
                    FUNCTION, graph->functions[node->function].name,
                    node->pos.line ? where : "-", detail->tag ? detail->tag : "-");
    lib_text_free(&text);
}

static void write_origin(const struct analysis_diff *d, struct lib_text *out)
{
    lib_text_puts(out, "\nthe first firing that differs:\n");
    write_head(out);
    write_firing(d, d->at.origin, out);
    lib_text_printf(out,
                    "forwards, its tokens reach %" PRIu64 " firings of %c; %" PRIu64
                    " of these differ\n",
                    d->reach.reached, letters[d->origin_side], d->reach.differing);
}

static void write_chain(const struct analysis_diff *d, struct lib_text *out)
{
    const size_t shown = d->at.end - d->at.chain, all = d->cone.chain.count;
    for (size_t i = 0; i < shown; i++) {
        if (i == ANALYSIS_DIFF_CHAIN / 2 && all > shown)
            lib_text_printf(out, "  %10s (%zu more)\n", "...", all - shown);
        write_firing(d, d->at.chain + (uint32_t)i, out);
    }
}

static void write_cone(const struct analysis_diff *d, struct lib_text *out)
{
    const struct analysis_causal_slice *cone = &d->cone;
    lib_text_printf(out,
                    "\nbackwards in %c, a firing that differs, and each time the last of "
                    "its causes that does:\n",
                    letters[d->cone_side]);
    write_head(out);
    write_chain(d, out);
    lib_text_printf(
        out, "it has %s%" PRIu64 " causes that differ, back to cycle %" PRIu64 "\n",
        cone->is_cut ? "more than " : "", cone->differing - 1, cone->since);
    lib_text_printf(out, "both runs agree on %" PRIu64 " firings behind these%s",
                    cone->agreeing, cone->is_cut ? " so far" : "");
    if (cone->agreeing)
        lib_text_puts(out, "; the last is\n");
    else
        lib_text_puts(out, "\n");
    if (cone->agreeing)
        write_firing(d, d->at.agreeing, out);
}

static void write_order(const struct analysis_diff *d, struct lib_text *out)
{
    const struct analysis_order *order = &d->shifts->order;
    if (!order->is_found) {
        lib_text_puts(out, "\nall PEs fire in the same order\n");
        return;
    }
    lib_text_printf(out,
                    "\nthe first place where a PE fires in another order: PE %" PRIu32,
                    order->pe);
    if (order->before == 0)
        lib_text_puts(out, ", at its first firing\n");
    else
        lib_text_printf(out, ", after %" PRIu64 " firing%s in the same order\n",
                        order->before, order->before == 1 ? "" : "s");
    write_head(out);
    for (uint32_t side = 0; side < 2; side++) {
        lib_text_printf(out, "%c", letters[side]);
        struct lib_text line = {0};
        if (order->is_there[side])
            write_firing(d, d->at.order + side, &line);
        else
            lib_text_puts(&line, "  nothing more\n");
        lib_text_puts(out, lib_text_get(&line) + 1);
        lib_text_free(&line);
    }
}

/* --- tables ---------------------------------------------------------------------------------- */

static int width_of(const struct analysis_diff_rows *rows, const char *title)
{
    int width = (int)strlen(title);
    for (size_t i = 0; i < rows->count && i < SHOWN_ROWS; i++) {
        const int length = (int)strlen(rows->items[i].name);
        width = length > width ? length : width;
    }
    return width;
}

static void write_number(const struct analysis_shift *s, struct lib_text *out)
{
    const uint64_t shifted = s->later + s->earlier;
    lib_text_printf(out, " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64,
                    s->matched, s->later, s->earlier, s->moved);
    if (s->matched)
        lib_text_printf(out, " %+11.1f", (double)s->sum / (double)s->matched);
    else
        lib_text_printf(out, " %11s", "-");
    lib_text_printf(out, " %+9" PRId64, s->greatest);
    if (shifted)
        lib_text_printf(out, " %9" PRIu64, s->first);
    else
        lib_text_printf(out, " %9s", "-");
    lib_text_printf(out, " %9" PRIu64 " %9" PRIu64 "\n", s->fired[0] - s->matched,
                    s->fired[1] - s->matched);
}

static void write_row(const struct analysis_diff_row *row, int width,
                      struct lib_text *out)
{
    char line[16];
    snprintf(line, sizeof line, "%" PRIu32, row->line);
    lib_text_printf(out, "  %-*s", width, *row->name ? row->name : line);
    write_number(&row->shift, out);
}

static void write_table(const struct analysis_diff *d, enum analysis_cost_by by,
                        struct lib_text *out)
{
    const char *title = analysis_cost_by_key(by);
    struct analysis_diff_rows rows = analysis_diff_rows_by(d->alike, d->shifts, by);
    struct analysis_diff_row all = {.name = "all"};
    const int width = width_of(&rows, title);
    lib_text_printf(out, "\n  %-*s %10s %10s %10s %10s %11s %9s %9s %9s %9s\n", width,
                    title, "in both", "later", "earlier", "moved", "mean", "greatest",
                    "first", "only A", "only B");
    for (size_t i = 0; i < rows.count; i++) {
        analysis_shift_add(&all.shift, &rows.items[i].shift);
        if (i < SHOWN_ROWS)
            write_row(&rows.items[i], width, out);
    }
    if (rows.count > SHOWN_ROWS)
        lib_text_printf(out, "  (%zu more)\n", rows.count - SHOWN_ROWS);
    write_row(&all, width, out);
    lib_mem_free(rows.items);
}

/* Writes the firings that only one run has, per opcode. */
static void write_only(const struct analysis_diff *d, uint32_t side, struct lib_text *out)
{
    struct analysis_diff_rows rows = analysis_diff_rows_by(d->alike, d->shifts,
                                                           ANALYSIS_COST_BY_OPCODE);
    uint64_t all = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const struct analysis_shift *s = &rows.items[i].shift;
        const uint64_t only = s->fired[side] - s->matched;
        if (only && all == 0)
            lib_text_printf(out, "\nonly in %c:\n", letters[side]);
        if (only)
            lib_text_printf(out, "  %-*s %10" PRIu64 "\n", OPCODE, rows.items[i].name,
                            only);
        all += only;
    }
    lib_mem_free(rows.items);
}

void analysis_diff_write(const struct analysis_diff *d, struct lib_text *out)
{
    if (d->is_same) {
        lib_text_puts(out, "the same");
        if (d->alike->strategies_differ)
            lib_text_puts(out, " firings at the same times\n");
        else
            lib_text_printf(out, ": %" PRIu64 " events\n", d->first.before);
        return;
    }
    if (d->first.is_found)
        write_first(d, out);
    if (d->has_origin)
        write_origin(d, out);
    if (d->has_cone)
        write_cone(d, out);
    write_order(d, out);
    lib_text_puts(out,
                  "\nfirings of B, and how much later (+) or earlier (-) than in A:\n");
    write_table(d, ANALYSIS_COST_BY_FUNCTION, out);
    write_table(d, ANALYSIS_COST_BY_LINE, out);
    write_only(d, 0, out);
    write_only(d, 1, out);
}
