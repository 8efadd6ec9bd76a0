/* Figures of experiments. */
#include "analysis/view/view_spec_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Reads `y`: any columns for a heat map, else numbers. Its kind may follow later in the file. */
static void read_y(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    t->y_at = i;
    view_read_columns(r, i, t, &t->common->values, VIEW_ANY_VALUE);
}

static void check_number(struct lib_fields *r, size_t i, void *into)
{
    const struct view_target *t = into;
    const struct traces_column *c = traces_columns_find(t->outputs->columns,
                                                        lib_fields_entry(r, i)->value);
    if (c && !view_is_number(c)) /* a formula is a number */
        view_not_a_number(r, i, c);
}

/* Returns "; expected one of actual|ideal". For a column of runs, hints at `by`. */
static const char *detail_hint(struct lib_fields *r, const struct view_target *t,
                               const char *name)
{
    const char *nearest = traces_columns_nearest(t->columns, name, VIEW_ALL_KINDS);
    struct lib_text text = {0};
    if (nearest)
        return lib_fields_hint(r, nearest);
    for (size_t i = 0; i < t->columns->list.count; i++)
        lib_text_printf(&text, "%s%s", i ? "|" : "; expected one of ",
                        t->columns->list.items[i].name);
    if (traces_columns_find(t->outputs->columns, name))
        lib_text_printf(&text, " (for a line of each value of `%s`: `by`)", name);
    return lib_arena_keep(r->arena, &text);
}

static void add_detail(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    const char *name = lib_fields_entry(r, i)->value;
    const struct traces_column *c = traces_columns_find(t->columns, name);
    if (c)
        *LIB_VEC_PUSH(&t->details) = c;
    else
        lib_fields_wrong(r, i, "there is no `%s` in the `%s` of a run%s", name,
                         traces_detail_names[t->common->detail], detail_hint(r, t, name));
}

/* Reads the columns to show of the series, profile, PEs, links or epochs of runs. */
static void read_detail(struct lib_fields *r, size_t i, void *into)
{
    struct view_target *t = into;
    const enum traces_detail detail = (enum traces_detail)r->field->least;
    if (t->common->is_detailed) {
        lib_fields_wrong_key(r, i, "a figure shows `%s` or `%s`, not both",
                             traces_detail_names[t->common->detail],
                             traces_detail_names[detail]);
        return;
    }
    t->common->is_detailed = true;
    t->common->detail = detail;
    t->columns = traces_detail_values(detail);
    lib_fields_each(r, i, "the name of a column, or a list of them", add_detail, t);
}

static void move_list(analysis_column_list *to, analysis_column_list *from)
{
    *to = *from;
    *from = (analysis_column_list){0};
}

static void label_profile(struct analysis_figure *figure)
{
    const bool is_heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    const analysis_column_list *shown = is_heat ? &figure->z : &figure->common.values;
    const char **label = is_heat ? &figure->z_label : &figure->y_label;
    size_t ideal = 0;
    for (size_t i = 0; i < shown->count; i++)
        ideal += strcmp(shown->items[i]->name, "ideal") == 0;
    const bool all = ideal == shown->count;
    if (!figure->x_label)
        figure->x_label = !ideal ? "cycle" : all ? "depth" : "cycle (ideal: depth)";
    if (!*label)
        *label = !ideal ? "firings per cycle"
                 : all  ? "firings per depth"
                        : "firings per cycle or depth";
}

/* Sets x to the step, PE or link. The shown columns are y, or the colours of a heat map. */
static void complete_details(struct lib_fields *r, size_t i, struct view_target *t)
{
    struct analysis_figure *figure = t->figure;
    const enum traces_detail detail = t->common->detail;
    const char *name = traces_detail_names[detail];
    const struct traces_column *place = traces_detail_columns(detail)->list.items;
    if (!t->has_kind)
        figure->kind = traces_detail_is_over_time(detail) ? ANALYSIS_FIGURE_STEPS
                       : detail == TRACES_DETAIL_EPOCHS   ? ANALYSIS_FIGURE_LINES
                                                          : ANALYSIS_FIGURE_BARS;
    const bool is_heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    if (figure->x.count)
        lib_fields_wrong(r, i, "with `%s` the x axis is `%s`: leave out `x`", name,
                         place->name);
    else if (!is_heat && t->common->values.count)
        lib_fields_wrong(r, i, "`%s` says what is shown: leave out `y`", name);
    else if (is_heat && (figure->z.count || t->details.count != 1))
        lib_fields_wrong(r, i, "`%s` says what the colours show: one column, and no `z`",
                         name);
    else if (t->common->base)
        lib_fields_wrong(r, i, "what `%s` shows cannot be relative", name);
    else
        move_list(is_heat ? &figure->z : &t->common->values, &t->details);
    if (!figure->x.count)
        *LIB_VEC_PUSH(&figure->x) = place;
    if (detail == TRACES_DETAIL_PE && !figure->x_label)
        figure->x_label = "PE";
    if (detail == TRACES_DETAIL_PROFILE)
        label_profile(figure);
}

static bool read_end(struct lib_fields *r, size_t i, double *end)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (e->kind == LIB_YAML_SCALAR && strcmp(e->value, "auto") == 0)
        return true;
    if (e->kind == LIB_YAML_SCALAR && lib_text_to_real(e->value, end) && isfinite(*end))
        return true;
    lib_fields_expected(r, i, "a number or auto");
    return false;
}

static void read_range(struct lib_fields *r, size_t i, void *into)
{
    struct analysis_range *range = r->place;
    (void)into;
    double ends[2] = {NAN, NAN};
    size_t count = 0;
    for (size_t c = i; lib_fields_entry(r, i)->kind == LIB_YAML_SEQUENCE &&
                       (c = lib_fields_inside(r, i, c)) != SIZE_MAX;
         count++)
        if (count < 2 && !read_end(r, c, &ends[count]))
            return;
    *range = (struct analysis_range){ends[0], ends[1]};
    if (count != 2)
        lib_fields_expected(r, i, "[least, greatest], numbers or auto");
    else if (ends[0] >= ends[1])
        lib_fields_wrong(r, i, "%s: expected [least, greatest], found [%g, %g]",
                         lib_fields_entry(r, i)->key, ends[0], ends[1]);
}

static void read_references(struct lib_fields *r, size_t i, void *into)
{
    (void)into;
    analysis_references_read(r, i, r->place);
}

/* Widths in cm: of a column and of a page in most papers, and the limits. */
static const double COLUMN_WIDTH = 8.5, PAGE_WIDTH = 17.5, MIN_WIDTH = 4, MAX_WIDTH = 60;

static void read_width(struct lib_fields *r, size_t i, void *into)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    double *width = &((struct view_target *)into)->figure->width;
    const char *text = e->kind == LIB_YAML_SCALAR ? e->value : "";
    if (strcmp(text, "column") == 0)
        *width = COLUMN_WIDTH;
    else if (strcmp(text, "page") == 0)
        *width = PAGE_WIDTH;
    else if (!lib_text_to_real(text, width) ||
             !(*width >= MIN_WIDTH && *width <= MAX_WIDTH))
        lib_fields_expected(r, i, "column, page, or 4 to 60 cm");
}

static const struct lib_field figure_fields[] = {
#define COMMON VIEW_FIELD
#define KEY VIEW_FIELD
#define FIGURE VIEW_FIELD
#include "analysis/view/outputs.def"
};

const struct lib_field_table analysis_figure_keys = {figure_fields,
                                                     VIEW_COUNT_OF(figure_fields)};

bool analysis_figure_has_places(const struct analysis_figure *figure)
{
    return !view_is_number(figure->x.items[0]) || figure->kind == ANALYSIS_FIGURE_BARS ||
           figure->kind == ANALYSIS_FIGURE_BOXES ||
           figure->kind == ANALYSIS_FIGURE_HEAT ||
           figure->kind == ANALYSIS_FIGURE_STACKED;
}

static bool is_given(const struct analysis_range *range)
{
    return !isnan(range->least) || !isnan(range->greatest);
}

static void check_log(struct lib_fields *r, size_t i, const char *letter, unsigned scale,
                      const struct analysis_range *range)
{
    if (scale != ANALYSIS_SCALE_LINEAR && (range->least <= 0 || range->greatest <= 0))
        lib_fields_wrong(r, i, "range.%s: a logarithmic axis has only what is above 0",
                         letter);
}

/* Checks that stacked bars have a linear axis, no spread and no comparison. */
static void check_stacked(struct lib_fields *r, size_t i, struct analysis_figure *f)
{
    if (f->whole.count)
        *LIB_VEC_PUSH(&f->common.values) = f->whole.items[0];
    if (f->common.spread != ANALYSIS_NONE)
        lib_fields_wrong(r, i, "stacked bars have no spread; `kind: bars` has");
    else if (f->common.base)
        lib_fields_wrong(r, i,
                         "values relative to others do not add up: no `relative` "
                         "with `kind: stacked`");
    else if (f->y_scale != ANALYSIS_SCALE_LINEAR)
        lib_fields_wrong(r, i, "scale.y: stacked bars need a linear axis");
}

/* Checks that axes with a range or scale are numeric. */
static void check_axes(struct lib_fields *r, size_t i, const struct analysis_figure *f)
{
    bool is_heat = f->kind == ANALYSIS_FIGURE_HEAT;
    bool has_places = analysis_figure_has_places(f);
    if (is_given(&f->x_range) && has_places)
        lib_fields_wrong(r, i, "range.x: each x has a place of its own here, no number");
    if (is_given(&f->y_range) && is_heat)
        lib_fields_wrong(r, i, "range.y: of a heat map the values are `z`");
    if (is_given(&f->z_range) && !is_heat)
        lib_fields_wrong(r, i, "range.z: only a heat map (kind: heat) has a `z`");
    if (f->z_scale != ANALYSIS_SCALE_LINEAR && !is_heat)
        lib_fields_wrong(r, i, "scale.z: only a heat map (kind: heat) has a `z`");
    check_log(r, i, "z", f->z_scale, &f->z_range);
    check_log(r, i, "x", f->x_scale, &f->x_range);
    check_log(r, i, "y", f->y_scale, &f->y_range);
    for (size_t n = 0; n < f->references.count; n++) {
        const struct analysis_reference *line = &f->references.items[n];
        bool of_x = line->kind != ANALYSIS_REFERENCE_Y;
        if (is_heat || (of_x && has_places))
            lib_diag_error(r->diags, LIB_DIAG_TYPE, r->source, line->pos,
                           is_heat ? "a heat map has no reference lines"
                                   : "each x has a place of its own here, no number, so "
                                     "that only `y = NUMBER` can be drawn");
    }
}

void view_read_figure(struct lib_fields *r, size_t i, struct analysis_view_specs *outputs)
{
    static const struct analysis_range none = {NAN, NAN};
    size_t errors = r->diags->errors;
    struct analysis_figure *figure = LIB_VEC_PUSH(&outputs->figures);
    *figure = (struct analysis_figure){
        .common.caption = "", .x_range = none, .y_range = none, .z_range = none};
    figure->common.labels.outer = outputs->labels;
    struct view_target t = {
        .outputs = outputs, .common = &figure->common, .figure = figure};
    lib_fields_mapping(r, i, "a figure", figure_fields, VIEW_COUNT_OF(figure_fields), &t);
    if (r->diags->errors == errors && figure->kind != ANALYSIS_FIGURE_HEAT &&
        figure->common.values.count)
        lib_fields_each(r, t.y_at, "the name of a column, or a list of them",
                        check_number, &t);
    if (r->diags->errors == errors && t.common->is_detailed)
        complete_details(r, i, &t);
    LIB_VEC_FREE(&t.details);
    if (r->diags->errors > errors)
        return;
    view_check_common(r, i, &t, "the figure", "y");
    if (figure->x.count == 0)
        view_say_missing(r, i, "the figure", "x");
    bool is_heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    if (is_heat && figure->z.count == 0)
        view_say_missing(r, i, "a heat map", "z");
    if (is_heat && figure->common.values.count &&
        figure->common.values.items[0]->is_derived)
        lib_fields_wrong(r, t.y_at,
                         "`y` of a heat map is a column; only `z` may be computed");
    if (!is_heat && figure->z.count)
        lib_fields_wrong(r, i, "only a heat map (kind: heat) has a `z`");
    if (figure->kind == ANALYSIS_FIGURE_STEPS && figure->common.spread != ANALYSIS_NONE)
        lib_fields_wrong(r, i, "steps have no spread; `kind: lines` has");
    figure->common.has_of |= figure->kind ==
                             ANALYSIS_FIGURE_BOXES; /* boxes show all runs */
    if (figure->kind == ANALYSIS_FIGURE_STACKED)
        check_stacked(r, i, figure);
    else if (figure->whole.count)
        lib_fields_wrong(r, i,
                         "only stacked bars (kind: stacked) are parts of a `whole`");
    if (r->diags->errors == errors)
        check_axes(r, i, figure);
}
