/* On zooming, sim/report/report.js draws a part again, from the same numbers in the same way. */
#include "analysis/report/gantt.h"
#include "analysis/report/html.h"
#include "lib/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 64,
    RIGHT = 990,
    TOP = 22,
    LEVELS = 9,
    SPANS_DRAWN = 256,
    FLOWS = 150,
    COLOURS = 6,
    STEPS = 1000
};

struct flow {
    uint64_t from_cycle, to_cycle, tokens;
    uint32_t from, to; /* groups of PEs */
};

/* A part of the critical path in one row. */
struct step {
    uint64_t from, to;
    uint32_t row;
};

struct drawing {
    const struct analysis_gantt *g;
    const struct lib_table *table; /* has a row for each span and PE */
    struct lib_text *out;
    const char *prefix;             /* of ids */
    uint32_t rows, per_row, height; /* height: of a row */
    uint64_t cycles;
    size_t spans;
    uint64_t width;  /* of a span */
    uint8_t *levels; /* [spans * rows] */
    struct flow *flows;
    size_t flow_count;
    LIB_VEC(struct step) path;
};

static double x_of(const struct drawing *d, uint64_t cycle)
{
    return LEFT + (RIGHT - LEFT) * (double)cycle / (double)d->cycles;
}

static double y_of(const struct drawing *d, uint32_t row)
{
    return TOP + (double)row * d->height;
}

static const char *place_name(const struct drawing *d)
{
    return d->g->run->machine.has_workers ? "worker" : "PE";
}

/* --- what is drawn -------------------------------------------------------------------------- */

/* Finds the level of each row and span: 0 idle, 1 hardly busy, LEVELS always busy. */
static void find_levels(struct drawing *d)
{
    const uint32_t pes = d->g->run->machine.pe_count;
    d->spans = pes ? lib_table_rows(d->table) / pes : 0;
    d->levels = lib_mem_new((d->spans * d->rows + 1) * sizeof *d->levels);
    d->width = d->spans ? lib_table_cell(d->table, 0, 1)->count : 1;
    for (size_t s = 0; s < d->spans; s++)
        for (uint32_t row = 0; row < d->rows; row++) {
            uint64_t busy = 0;
            uint64_t units = 0;
            uint32_t count = 0;
            for (uint32_t pe = row * d->per_row; pe < pes && count < d->per_row; pe++) {
                busy += lib_table_cell(d->table, s * pes + pe, 3)->count;
                const uint64_t limit = traces_machine_units(&d->g->run->machine, pe);
                units += limit ? limit : 1;
                count++;
            }
            const double part = (double)busy / ((double)d->width * (double)units);
            const double level = ceil(part * LEVELS);
            d->levels[s * d->rows + row] = (uint8_t)(level > LEVELS ? LEVELS : level);
        }
}

static int compare_flows(const void *a, const void *b)
{
    const struct flow *x = a, *y = b;
    return LIB_ORDER(y->tokens, x->tokens) ?: LIB_ORDER(x->from_cycle, y->from_cycle)
           ?: LIB_ORDER(x->from, y->from) ?: LIB_ORDER(x->to, y->to);
}

static void find_flows(struct drawing *d)
{
    const struct analysis_gantt *g = d->g;
    LIB_VEC(struct flow) all = {0};
    const size_t windows = analysis_timeline_spans(&g->flows, ANALYSIS_GANTT_WINDOWS);
    for (size_t w = 0; w < windows; w++) {
        const struct analysis_span span = analysis_timeline_span(
            &g->flows, ANALYSIS_GANTT_WINDOWS, w);
        for (uint32_t c = 0; c < g->groups * g->groups; c++) {
            const uint64_t tokens = analysis_timeline_sum(&g->flows, &span, c);
            if (tokens && c / g->groups != c % g->groups)
                *LIB_VEC_PUSH(&all) = (struct flow){span.from, span.from + span.width,
                                                    tokens, c / g->groups, c % g->groups};
        }
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_flows);
    d->flows = all.items;
    d->flow_count = all.count < FLOWS ? all.count : FLOWS;
}

/* While a token is on its way, the path is in no row. */
static bool is_on_way(const char *cause)
{
    return strcmp(cause, "link") == 0 || strcmp(cause, "router") == 0 ||
           strcmp(cause, "port") == 0;
}

/* Finds the rows of the path in order. In a long path, omits stays shorter than a thousandth of the
 * run. */
static void find_path(struct drawing *d, const struct lib_table *t)
{
    const size_t from = lib_table_find(t, "from"), to = lib_table_find(t, "to"),
                 pe = lib_table_find(t, "pe"), cause = lib_table_find(t, "cause");
    const size_t rows = lib_table_rows(t);
    const uint64_t least = rows > STEPS ? d->cycles / STEPS : 0;
    for (size_t i = 0; i < rows; i++) {
        const struct lib_value *place = lib_table_cell(t, i, pe);
        if (place->kind != LIB_VALUE_COUNT ||
            is_on_way(lib_table_cell(t, i, cause)->word))
            continue;
        const struct step step = {lib_table_cell(t, i, from)->count,
                                  lib_table_cell(t, i, to)->count,
                                  (uint32_t)place->count / d->per_row};
        struct step *last = d->path.count ? &d->path.items[d->path.count - 1] : NULL;
        if (last && last->row == step.row)
            last->to = step.to;
        else if (last && last->to - last->from < least)
            *last = (struct step){last->from, step.to, step.row};
        else
            *LIB_VEC_PUSH(&d->path) = step;
    }
}

static uint32_t row_of_group(const struct drawing *d, uint32_t group)
{
    return group * analysis_gantt_per_group(d->g) / d->per_row;
}

/* --- the axis and the rows -------------------------------------------------------------------- */

/* Returns the least of 1, 2, 5, 10, 20 ... that gives at most ten ticks. */
static uint64_t step_of(uint64_t cycles)
{
    uint64_t step = 1;
    for (unsigned i = 0; cycles / step > 10; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

static void put_axis(const struct drawing *d)
{
    const uint64_t step = step_of(d->cycles);
    lib_text_printf(d->out, "<g id=\"%sgantt-axis\" class=\"axis\">", d->prefix);
    for (uint64_t cycle = 0; cycle <= d->cycles; cycle += step)
        lib_text_printf(
            d->out,
            "<path d=\"M%.1f %dV%.1f\"/><text x=\"%.1f\" y=\"%d\">%" PRIu64 "</text>",
            x_of(d, cycle), TOP - 4, y_of(d, d->rows), x_of(d, cycle), TOP - 8, cycle);
    lib_text_puts(d->out, "</g>\n");
}

static void put_rows(const struct drawing *d)
{
    enum { LETTERS = 13 };
    const uint32_t every = (LETTERS + d->height - 1) / d->height;
    lib_text_puts(d->out, "<g class=\"rows\">");
    for (uint32_t row = 0; row < d->rows; row += every)
        lib_text_printf(d->out, "<text x=\"%d\" y=\"%.1f\">%s %u</text>", LEFT - 6,
                        y_of(d, row) + d->height / 2.0 + 4, place_name(d),
                        row * d->per_row);
    lib_text_puts(d->out, "</g>\n");
}

/* --- marks ------------------------------------------------------------------------------------ */

static void write_node(const struct isa_graph *graph, uint32_t number,
                       struct lib_text *text)
{
    const struct isa_node *node = &graph->nodes[number];
    lib_text_printf(text, "%s: ", graph->functions[node->function].name);
    isa_node_write_opcode(node, text);
    if (node->pos.line)
        lib_text_printf(text, ", line %u", node->pos.line);
}

static void put_node(const struct drawing *d, uint32_t number)
{
    LIB_TEXT_OWN name = {0};
    write_node(d->g->run->graph, number, &name);
    lib_html_text(d->out, lib_text_get(&name));
}

static void put_firing(const struct drawing *d, const struct analysis_gantt_firing *f)
{
    const double slot = (d->height - 2.0) / d->g->most_slots;
    const double x = x_of(d, f->cycle), width = x_of(d, f->cycle + f->length) - x;
    lib_text_printf(d->out,
                    "<rect class=\"c%u\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" "
                    "height=\"%.1f\"><title>cycle %" PRIu64 ", %s %u, ",
                    d->g->run->graph->nodes[f->instr].function % COLOURS, x,
                    y_of(d, f->pe / d->per_row) + 1 + f->slot * slot,
                    width > 0.6 ? width * 0.92 : width, slot, f->cycle, place_name(d),
                    f->pe);
    put_node(d, f->instr);
    lib_text_puts(d->out, "</title></rect>\n");
}

static void put_flight(const struct drawing *d, const struct analysis_gantt_flight *f)
{
    const uint64_t taken = f->taken == UINT64_MAX ? d->cycles : f->taken;
    const double middle = d->height / 2.0;
    lib_text_printf(d->out, "<path d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x_of(d, f->formed),
                    y_of(d, f->from / d->per_row) + middle, x_of(d, taken),
                    y_of(d, f->to / d->per_row) + middle);
}

static void put_path(const struct drawing *d)
{
    if (!d->path.count)
        return;
    lib_text_puts(d->out, "<path class=\"critical\" d=\"");
    for (size_t i = 0; i < d->path.count; i++) {
        const struct step *s = &d->path.items[i];
        lib_text_printf(d->out, "%c%.1f %.1fH%.1f", i ? 'L' : 'M', x_of(d, s->from),
                        y_of(d, s->row) + d->height / 2.0, x_of(d, s->to));
    }
    lib_text_puts(d->out, "\"/>\n");
}

static void put_each(const struct drawing *d)
{
    lib_text_puts(d->out, "<g class=\"firings\">\n");
    for (size_t i = 0; i < d->g->firings.count; i++)
        put_firing(d, &d->g->firings.items[i]);
    lib_text_puts(d->out, "</g>\n<g class=\"flights\">\n");
    for (size_t i = 0; i < d->g->flights.count; i++)
        put_flight(d, &d->g->flights.items[i]);
    lib_text_puts(d->out, "</g>\n");
}

/* Returns the mean level of some spans of a row; at least 1 if any is busy. */
static unsigned level_of(const struct drawing *d, size_t from, size_t count, uint32_t row)
{
    unsigned sum = 0;
    if (from + count > d->spans)
        count = d->spans - from;
    for (size_t s = from; s < from + count; s++)
        sum += d->levels[s * d->rows + row];
    return (unsigned)((sum + count - 1) / count);
}

/* Adds a path per level, for all rows and spans that have it. */
static void put_levels(const struct drawing *d)
{
    const size_t each = (d->spans + SPANS_DRAWN - 1) / SPANS_DRAWN;
    lib_text_puts(d->out, "<g class=\"levels\">\n");
    for (unsigned level = 1; level <= LEVELS; level++) {
        lib_text_printf(d->out, "<path class=\"u%u\" d=\"", level);
        for (uint32_t row = 0; row < d->rows; row++)
            for (size_t s = 0, end; s < d->spans; s = end) {
                end = s + each;
                if (level_of(d, s, each, row) != level)
                    continue;
                while (end < d->spans && level_of(d, end, each, row) == level)
                    end += each;
                const uint64_t from = s * d->width, to = end * d->width;
                const double x = x_of(d, from);
                lib_text_printf(d->out, "M%.1f %.0fh%.1fv%uH%.1fz", x, y_of(d, row),
                                x_of(d, to < d->cycles ? to : d->cycles) - x,
                                d->height - (d->height > 4), x);
            }
        lib_text_puts(d->out, "\"/>\n");
    }
    lib_text_puts(d->out, "</g>\n<g class=\"flows\">\n");
    for (size_t i = 0; i < d->flow_count; i++) {
        const struct flow *f = &d->flows[i];
        const double middle = d->height / 2.0;
        const uint64_t to = f->to_cycle < d->cycles ? f->to_cycle : d->cycles;
        lib_text_printf(
            d->out,
            "<path style=\"stroke-width:%.1f\" d=\"M%.1f %.1fL%.1f %.1f\"><title>%" PRIu64
            " tokens from %s %u to %u, cycles %" PRIu64 " to %" PRIu64
            "</title></path>\n",
            0.4 + 2.2 * (double)f->tokens / (double)d->flows[0].tokens,
            x_of(d, f->from_cycle), y_of(d, row_of_group(d, f->from)) + middle,
            x_of(d, to), y_of(d, row_of_group(d, f->to)) + middle, f->tokens,
            place_name(d), f->from * analysis_gantt_per_group(d->g),
            f->to * analysis_gantt_per_group(d->g), f->from_cycle, to);
    }
    lib_text_puts(d->out, "</g>\n");
}

/* --- data for zooming --------------------------------------------------------------- */

static void put_flat(const struct drawing *d)
{
    const struct analysis_gantt *g = d->g;
    uint64_t last = 0;
    lib_text_puts(d->out, ",\n\"firings\":[");
    for (size_t i = 0; i < g->firings.count; i++) {
        const struct analysis_gantt_firing *f = &g->firings.items[i];
        lib_text_printf(d->out, "%s%" PRIu64 ",%" PRIu64 ",%u,%u,%u", i ? "," : "",
                        f->cycle - last, f->length, f->pe, f->slot, f->instr);
        last = f->cycle;
    }
    lib_text_puts(d->out, "],\n\"flights\":[");
    for (size_t i = 0; i < g->flights.count; i++) {
        const struct analysis_gantt_flight *f = &g->flights.items[i];
        const uint64_t taken = f->taken == UINT64_MAX ? d->cycles : f->taken;
        lib_text_printf(d->out, "%s%" PRIu64 ",%" PRIu64 ",%u,%u", i ? "," : "",
                        f->formed, taken, f->from, f->to);
    }
    lib_text_puts(d->out, "]");
}

/* Names of nodes that fire, without characters that HTML or XML would interpret in a script. */
static void put_nodes(const struct drawing *d)
{
    const struct isa_graph *graph = d->g->run->graph;
    struct lib_text name = {0}, text = {0};
    bool *fires = lib_mem_new((graph->node_count + 1) * sizeof *fires);
    for (size_t i = 0; i < d->g->firings.count; i++)
        fires[d->g->firings.items[i].instr] = true;
    lib_text_puts(d->out, ",\n\"nodes\":{");
    bool any = false;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        if (!fires[n])
            continue;
        lib_text_clear(&name);
        lib_text_clear(&text);
        write_node(graph, n, &name);
        lib_text_json(&text, lib_text_get(&name));
        lib_text_printf(d->out, "%s\"%u\":[%u,", any ? "," : "", n,
                        graph->nodes[n].function % COLOURS);
        for (const char *c = text.bytes; *c; c++)
            if (strchr("<>&", *c))
                lib_text_printf(d->out, "\\u%04x", (unsigned char)*c);
            else
                lib_text_add(d->out, c, 1);
        lib_text_puts(d->out, "]");
        any = true;
    }
    lib_text_puts(d->out, "}");
    LIB_TEXT_FREE(&name, &text);
    lib_mem_free(fires);
}

static void put_data(const struct drawing *d)
{
    lib_text_printf(
        d->out,
        "<script type=\"application/json\" id=\"gantt-data\">{\"cycles\":%" PRIu64
        ",\"rows\":%u,\"perRow\":%u,\"height\":%u,\"left\":%d,\"right\":%d,"
        "\"top\":%d,\"place\":\"%s\",\"slots\":%u,\"width\":%" PRIu64 ",\n\"levels\":[",
        d->cycles, d->rows, d->per_row, d->height, LEFT, RIGHT, TOP, place_name(d),
        d->g->most_slots, d->width);
    for (uint32_t row = 0; row < d->rows; row++) {
        lib_text_puts(d->out, row ? ",\n\"" : "\"");
        for (size_t s = 0; s < d->spans; s++)
            lib_text_printf(d->out, "%u", d->levels[s * d->rows + row]);
        lib_text_puts(d->out, "\"");
    }
    lib_text_puts(d->out, "],\n\"flows\":[");
    for (size_t i = 0; i < d->flow_count; i++)
        lib_text_printf(d->out, "%s%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%u",
                        i ? "," : "", d->flows[i].from_cycle, d->flows[i].to_cycle,
                        d->flows[i].tokens, row_of_group(d, d->flows[i].from),
                        row_of_group(d, d->flows[i].to));
    lib_text_puts(d->out, "]");
    lib_text_puts(d->out, ",\n\"path\":[");
    for (size_t i = 0; i < d->path.count; i++)
        lib_text_printf(d->out, "%s%" PRIu64 ",%" PRIu64 ",%u", i ? "," : "",
                        d->path.items[i].from, d->path.items[i].to, d->path.items[i].row);
    lib_text_puts(d->out, "]");
    if (analysis_gantt_has_all(d->g)) {
        put_flat(d);
        put_nodes(d);
    }
    lib_text_puts(d->out, "}</script>\n");
}

/* --- all of it ---------------------------------------------------------------------- */

static void put_legend(const struct drawing *d, bool each)
{
    lib_text_printf(d->out, "<figcaption id=\"%sgantt-legend\">", d->prefix);
    if (each)
        lib_text_puts(
            d->out, "Each mark is a firing, coloured by its function; each line a token "
                    "from when it is formed to when it is taken.");
    else {
        lib_text_puts(d->out, "The stronger the colour, the busier: ");
        lib_text_puts(d->out, "<span class=\"scale\">");
        for (unsigned level = 1; level <= LEVELS; level++)
            lib_text_printf(d->out, "<i class=\"u%u\"></i>", level);
        lib_text_printf(d->out,
                        "</span> from little to always. Lines are the flows of most "
                        "tokens, from one %s to another, in one of %zu windows of time.",
                        place_name(d),
                        analysis_timeline_spans(&d->g->flows, ANALYSIS_GANTT_WINDOWS));
        if (analysis_gantt_has_all(d->g))
            lib_text_puts(d->out,
                          " Zoomed in far enough, each mark is a firing, coloured "
                          "by its function, and each line a token.");
    }
    if (d->path.count)
        lib_text_puts(d->out, " The thick line is the critical path.");
    if (d->per_row > 1)
        lib_text_printf(d->out, " A row is %u of %u %ss.", d->per_row,
                        d->g->run->machine.pe_count, place_name(d));
    lib_text_puts(d->out, "</figcaption>\n");
}

static void open_figure(const struct drawing *d)
{
    const char *p = d->prefix;
    lib_text_printf(d->out,
                    "<figure id=\"%sgantt-figure\" class=\"gantt\">\n<svg "
                    "id=\"%sgantt\" "
                    "viewBox=\"0 0 1000 %.0f\" role=\"img\" "
                    "aria-labelledby=\"%sgantt-title %sgantt-legend\">"
                    "<title id=\"%sgantt-title\">%ss over time</title>\n",
                    p, p, y_of(d, d->rows) + 6, p, p, p, place_name(d));
}

void analysis_gantt_draw(const struct analysis_gantt *g, const struct lib_findings *busy,
                         const struct lib_table *chain,
                         const struct analysis_gantt_look *look, struct lib_text *out)
{
    const uint32_t pes = g->run->machine.pe_count, most = ANALYSIS_GANTT_ROWS;
    struct drawing d = {.g = g,
                        .table = lib_findings_find(busy, "over_time"),
                        .out = out,
                        .prefix = look->prefix};
    const bool each = g->firing_count <= ANALYSIS_GANTT_DRAWN &&
                      g->token_count <= ANALYSIS_GANTT_DRAWN;
    d.per_row = (pes + most - 1) / most;
    d.rows = (pes + d.per_row - 1) / d.per_row;
    d.height = d.rows <= 16 ? 24 : d.rows <= 32 ? 14 : d.rows <= 64 ? 9 : 6;
    d.cycles = look->cycles > g->cycles ? look->cycles : g->cycles ? g->cycles : 1;
    find_levels(&d);
    find_flows(&d);
    if (chain)
        find_path(&d, chain);
    open_figure(&d);
    put_axis(&d);
    put_rows(&d);
    lib_text_printf(out, "<g id=\"%sgantt-marks\">\n", d.prefix);
    if (each)
        put_each(&d);
    else
        put_levels(&d);
    put_path(&d);
    lib_text_puts(out, "</g>\n</svg>\n");
    put_legend(&d, each);
    lib_text_puts(out, "</figure>\n");
    if (!look->is_still)
        put_data(&d);
    LIB_MEM_FREE(d.levels, d.flows);
    LIB_VEC_FREE(&d.path);
}
