#include "analysis/report/listing.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LONG = 2000, AROUND = 2, LONGEST = 400 };

struct line {
    uint64_t busy, firings, cycles;
    double share;
    const char *why; /* NULL: no causes */
    bool runs;
};

struct listing {
    struct line *lines; /* [count + 1]; [0]: what belongs to no line */
    size_t count;
    uint64_t busy;
};

/* Returns the number in a cell; UINT64_MAX if it has none, as in a row without a line. */
static uint64_t cell(const struct lib_table *t, size_t row, const char *key)
{
    const struct lib_value *c = lib_table_cell(t, row, lib_table_find(t, key));
    return c->kind == LIB_VALUE_COUNT ? c->count : UINT64_MAX;
}

static void add_costs(struct listing *l, const struct lib_table *t)
{
    for (size_t row = 0; t && row < lib_table_rows(t); row++) {
        const uint64_t number = cell(t, row, "line");
        if (number > l->count)
            continue;
        struct line *line = &l->lines[number];
        line->busy = cell(t, row, "busy");
        line->firings = cell(t, row, "firings");
        line->runs = true;
        l->busy += line->busy;
    }
}

static void add_causes(struct listing *l, const struct lib_table *t)
{
    for (size_t row = 0; t && row < lib_table_rows(t); row++) {
        const uint64_t number = cell(t, row, "line");
        if (number > l->count)
            continue;
        struct line *line = &l->lines[number];
        line->cycles = cell(t, row, "cycles");
        line->share = lib_table_cell(t, row, lib_table_find(t, "share"))->real;
        line->why = lib_table_cell(t, row, lib_table_find(t, "causes"))->word;
        line->runs = true;
    }
}

static bool is_near(const struct listing *l, size_t number)
{
    const size_t from = number > AROUND ? number - AROUND : 1;
    for (size_t i = from; i <= number + AROUND && i <= l->count; i++)
        if (l->lines[i].runs)
            return true;
    return false;
}

static void put_costs(struct lib_text *out, const struct listing *l,
                      const struct line *line)
{
    const double part = lib_ratio((double)line->busy, (double)l->busy);
    if (!line->runs || isnan(part))
        lib_text_puts(out, "<td></td><td></td>");
    else
        lib_text_printf(
            out,
            "<td class=\"n\">%" PRIu64
            "</td><td class=\"n heat\" style=\"--part:%.1f%%\">%.1f&#160;%%</td>",
            line->firings, 100 * part, 100 * part);
}

static void put_share(struct lib_text *out, const struct line *line)
{
    const double part = 100 * line->share;
    if (line->cycles)
        lib_text_printf(out,
                        "<td class=\"n heat\" style=\"--part:%.1f%%\">%.1f&#160;%%</td>",
                        part, part);
    else
        lib_text_puts(out, "<td></td>");
}

static void put_causes(struct lib_text *out, const struct line *line)
{
    lib_text_puts(out, "<td class=\"why\">");
    if (line->cycles)
        lib_html_text(out, line->why);
    lib_text_puts(out, "</td>");
}

static void put_row(struct lib_text *out, const struct listing *l, size_t number,
                    const char *text, size_t length, bool has_causes)
{
    lib_text_printf(out,
                    "<tr id=\"L%zu\"><th scope=\"row\" class=\"n\">"
                    "<a href=\"#L%zu\">%zu</a></th>",
                    number, number, number);
    put_costs(out, l, &l->lines[number]);
    if (has_causes)
        put_share(out, &l->lines[number]);
    lib_text_puts(out, "<td class=\"code\">");
    lib_text_html(out, text, length < LONGEST ? length : LONGEST);
    lib_text_puts(out, length < LONGEST ? "</td>" : " \xe2\x80\xa6</td>");
    if (has_causes)
        put_causes(out, &l->lines[number]);
    lib_text_puts(out, "</tr>\n");
}

static size_t count_lines(const struct lib_source *source)
{
    size_t count = 0;
    for (size_t i = 0; i < source->length; i++)
        count += source->bytes[i] == '\n' || i + 1 == source->length;
    return count;
}

static void put_rows(struct lib_text *out, const struct listing *l,
                     const struct lib_source *source, bool has_causes)
{
    const char *at = source->bytes, *end = at + source->length;
    bool was_left_out = false;
    for (size_t number = 1; number <= l->count; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        const bool is_left_out = l->count > LONG && !is_near(l, number);
        if (!is_left_out)
            put_row(out, l, number, at, length, has_causes);
        else if (!was_left_out)
            lib_text_printf(
                out, "<tr><td colspan=\"%d\" class=\"dim\">\xe2\x80\xa6</td></tr>\n",
                has_causes ? 6 : 4);
        was_left_out = is_left_out;
        at = stop ? stop + 1 : end;
    }
}

static void put_heads(struct lib_text *out, bool has_causes)
{
    lib_html_wide(out, NULL, "Lines of the source");
    lib_text_puts(
        out, "<table class=\"source\">\n<caption>What "
             "each line "
             "costs: live firings, its share of all work (busy function-unit cycles)");
    if (has_causes)
        lib_text_puts(out, "; and its share of the critical path, with the main causes");
    lib_text_puts(out, "</caption>\n<thead><tr><th scope=\"col\" class=\"n\">line</th>"
                       "<th scope=\"col\" class=\"n\">firings</th>"
                       "<th scope=\"col\" class=\"n\">work</th>");
    if (has_causes)
        lib_text_puts(out, "<th scope=\"col\" class=\"n\">critical path</th>");
    lib_text_printf(out, "<th scope=\"col\">source</th>%s</tr></thead>\n<tbody>\n",
                    has_causes ? "<th scope=\"col\">main causes</th>" : "");
}

void analysis_listing_draw(struct lib_text *out, const struct analysis_listing *listing)
{
    const struct lib_table *costs = lib_findings_find(listing->lines, "costs");
    const struct lib_table *causes = lib_findings_find(listing->causes, "by_line");
    if (!listing->source) {
        lib_text_puts(out,
                      "<p>The source is not at hand, as an image or an assembly text "
                      "ran: lines have numbers only.</p>\n");
        if (costs)
            lib_html_table(out, costs, &(struct lib_html_table){.most = 200});
        if (causes)
            lib_html_table(out, causes, &(struct lib_html_table){.most = 200});
        return;
    }
    struct listing l = {.count = count_lines(listing->source)};
    l.lines = lib_mem_new((l.count + 1) * sizeof *l.lines);
    add_costs(&l, costs);
    add_causes(&l, causes);
    put_heads(out, causes != NULL);
    put_rows(out, &l, listing->source, causes != NULL);
    lib_text_puts(out, "</tbody>\n</table></div>\n");
    lib_mem_free(l.lines);
}
