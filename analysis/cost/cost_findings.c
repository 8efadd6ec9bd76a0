#include "analysis/cost/cost_findings.h"

#include <string.h>

enum { SHOWN_OF_LINE = 48 };

const char *analysis_costs_line(const struct lib_source *source, uint32_t number,
                                struct lib_findings *f)
{
    const size_t most = f->for_people ? SHOWN_OF_LINE : SIZE_MAX;
    size_t length;
    if (!source || number == 0 || number == TRACES_NONE)
        return "";
    const char *line = lib_source_line(source, number, &length);
    while (length && (*line == ' ' || *line == '\t')) {
        line++;
        length--;
    }
    if (length <= most)
        return lib_arena_copy(f->arena, line, length);
    for (length = most; length && ((unsigned char)line[length] & 0xc0) == 0x80;)
        length--; /* do not cut within a UTF-8 character */
    return lib_arena_printf(f->arena, "%.*s...", (int)length, line);
}

static void add_name(const struct analysis_costs *costs, const struct analysis_cost *row,
                     struct lib_findings *f, struct lib_table *t)
{
    char buffer[ANALYSIS_COST_NAME];
    const bool is_line = costs->by == ANALYSIS_COST_BY_LINE;
    const char *name = row ? analysis_cost_name(costs, row, buffer) : "all";
    lib_row(t, analysis_cost_by_key(costs->by),
            row && is_line ? lib_count(row->number)
                           : lib_word(lib_arena_copy(f->arena, name, strlen(name))))
        ->side = LIB_SIDE_LEFT;
}

void analysis_costs_findings(const struct analysis_costs *costs,
                             const struct lib_source *source,
                             const struct traces_stats *stats, struct lib_findings *f)
{
    const struct analysis_cost all = {
#define COUNT(key, stat, label, help) .key = stats->stat,
        ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    };
    const bool is_line = costs->by == ANALYSIS_COST_BY_LINE;
    const bool has_lines = analysis_costs_have_twins(costs);
    double busy = 0;
    struct lib_table *t = lib_findings_table(
        f, lib_arena_printf(f->arena, "by_%s", analysis_cost_by_key(costs->by)),
        "costs, the greatest first");
    for (size_t i = 0; i < costs->row_count; i++)
        busy += (double)costs->rows[i].busy;
    t->shows_all = true;
    t->sum_rows = f->for_people;
    for (size_t i = 0; i < costs->row_count + t->sum_rows; i++) {
        const struct analysis_cost *row = i < costs->row_count ? &costs->rows[i] : NULL;
        const char *line = analysis_costs_line(source, row ? row->number : 0, f);
        add_name(costs, row, f, t);
        if (is_line && !f->for_people)
            lib_row(t, "text", lib_word(source && row->number ? line : NULL));
        lib_row(t, "share", lib_real(lib_ratio(row ? (double)row->busy : busy, busy)))
            ->style = LIB_STYLE_PERCENT;
        row = row ? row : &all;
#define COUNT(key, stat, name, help)                                                     \
    struct lib_column *of_##key = lib_row(t, #key, lib_count(row->key));                 \
    of_##key->label = name;                                                              \
    of_##key->hides_zeros = true;
        ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
        if (is_line && f->for_people && source)
            lib_row(t, "text", lib_word(line));
        if (has_lines)
            lib_row(t, "line",
                    row != &all ? lib_count(costs->graph->functions[row->number].pos.line)
                                : lib_none());
    }
}
