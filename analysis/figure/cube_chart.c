#include "analysis/figure/cube_chart.h"

#include <math.h>
#include <string.h>

#include "analysis/figure/cube_looks.h"
#include "analysis/figure/words.h"

struct work {
    const struct analysis_figure *figure;
    const struct analysis_cube *cube;
    struct analysis_chart *chart;
    const size_t *rows;   /* indices of rows in the order of x */
    const size_t *series; /* indices of series; for a heat map in the order of y */
    bool is_data;         /* whether names are for the data file: those of columns */
    /* for each panel, the place of each row; NULL: all rows have places */
    size_t *const *places;
};

static const struct analysis_labels *labels_of(const struct work *w)
{
    return &w->figure->common.labels;
}

/* --- order ------------------------------------------------------------------------------ */

static bool is_number(const struct traces_column *column)
{
    return column->type == TRACES_TYPE_INT || column->type == TRACES_TYPE_REAL;
}

static double number_of(const struct analysis_keys *keys, size_t i)
{
    return traces_cell_number(&keys->list.items[i][0]);
}

/* FROM_LAST puts the first key at the top of a vertical axis. */
enum order { AS_FOUND, BY_SIZE, FROM_LAST };

/* Insertion sort: keys are few and mostly sorted. */
static const size_t *order_keys(const struct analysis_keys *keys, enum order by,
                                struct lib_arena *arena)
{
    size_t *order = LIB_ARENA_ARRAY(arena, size_t, keys->list.count + 1);
    for (size_t i = 0; i < keys->list.count; i++) {
        size_t at = i;
        for (; at > 0 &&
               (by == FROM_LAST ||
                (by == BY_SIZE && number_of(keys, order[at - 1]) > number_of(keys, i)));
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

/* --- names ------------------------------------------------------------------------------ */

enum unit { WITH_UNIT, WITHOUT_UNIT };

static const struct traces_column *whole_of(const struct work *w)
{
    return w->figure->whole.count ? w->figure->whole.items[0] : NULL;
}

/* Returns the name of a column as words, without its analysis if all values are of one, and for
 * causes. */
static const char *words_of(const struct work *w, const struct traces_column *column)
{
    const analysis_column_list *values = w->cube->view->values;
    const char *name = analysis_labels_name(NULL, column);
    const char *dot = column->kind == TRACES_COLUMN_STATISTIC ? strchr(name, '.') : NULL;
    const size_t length = dot ? (size_t)(dot - name) + 1 : 0;
    size_t others = 0, same = 0;
    for (size_t i = 0; i < values->count; i++) {
        const struct traces_column *value = values->items[i];
        others += value != column && value != whole_of(w);
        same += value != column && value != whole_of(w) &&
                strncmp(value->name, name, length) == 0;
    }
    const bool is_clear = dot && !w->is_data &&
                          ((others > 0 && same == others) ||
                           strncmp(name, "causes.", length) == 0);
    return is_clear ? analysis_words_of_key(w->chart->arena, name + length)
                    : analysis_words_plain(w->chart->arena, name);
}

/* Returns a column's label; or its name with the unit, "peak waiting [tokens]", which may be its
 * end, "live tokens". */
static const char *name_of(const struct work *w, const struct traces_column *column,
                           enum unit unit)
{
    struct lib_arena *arena = w->chart->arena;
    const char *label = analysis_labels_of_column(labels_of(w), column);
    if (label) {
        const char *bracket = unit == WITHOUT_UNIT ? strstr(label, " [") : NULL;
        return lib_arena_copy(arena, label,
                              bracket ? (size_t)(bracket - label) : strlen(label));
    }
    bool has_unit = unit == WITH_UNIT && *column->unit &&
                    !analysis_words_say(column->name, column->unit);
    return lib_arena_printf(arena, "%s%s%s%s", words_of(w, column), has_unit ? " [" : "",
                            has_unit ? column->unit : "", has_unit ? "]" : "");
}

static const char *per_name(const struct work *w)
{
    const analysis_column_list *per = &w->figure->common.per;
    return per->count ? lib_arena_printf(w->chart->arena, " per %s",
                                         name_of(w, per->items[0], WITHOUT_UNIT))
                      : "";
}

static const char *relative_name(const struct work *w, const struct traces_column *column)
{
    const char *name = name_of(w, column, WITHOUT_UNIT);
    switch (w->figure->common.relative) {
    case ANALYSIS_RELATIVE_RATIO:
        return lib_arena_printf(w->chart->arena, "relative %s%s", name, per_name(w));
    case ANALYSIS_RELATIVE_SPEEDUP:
        return "speedup";
    default:
        return lib_arena_printf(w->chart->arena, "saved %s%s [%%]", name, per_name(w));
    }
}

/* Returns the unit of a column, which can be the last word of its name: "local_tokens". */
static const char *unit_of(const struct traces_column *column)
{
    const char *last = strrchr(column->name, '_');
    return *column->unit ? column->unit : last ? last + 1 : column->name;
}

static const char *shared_unit(const struct work *w)
{
    const analysis_column_list *values = w->cube->view->values;
    const char *unit = unit_of(values->items[0]);
    bool same = true;
    for (size_t i = 0; i < values->count; i++)
        same &= strcmp(unit_of(values->items[i]), unit) == 0 &&
                !analysis_labels_of_column(labels_of(w), values->items[i]);
    return same ? unit : NULL;
}

/* Returns the label of the axis of values: of several the common unit; or their names, and the
 * legend has units. */
static const char *value_label(const struct work *w)
{
    const analysis_column_list *values = w->cube->view->values;
    struct lib_text text = {0};
    if (w->figure->common.base)
        return relative_name(w, values->items[0]);
    if (w->figure->whole.count)
        return lib_arena_printf(w->chart->arena, "share of %s",
                                name_of(w, w->figure->whole.items[0], WITHOUT_UNIT));
    if (values->count == 1)
        return lib_arena_printf(w->chart->arena, "%s%s",
                                name_of(w, values->items[0], WITH_UNIT), per_name(w));
    if (shared_unit(w))
        return lib_arena_printf(w->chart->arena, "%s%s", shared_unit(w), per_name(w));
    for (size_t i = 0; i < values->count; i++)
        lib_text_printf(&text, "%s%s", i ? ", " : "",
                        name_of(w, values->items[i], WITHOUT_UNIT));
    lib_text_puts(&text, per_name(w));
    return lib_arena_keep(w->chart->arena, &text);
}

/* Returns the name of a curve: its keys, and with several values the names of keys and of the
 * value. */
static const char *curve_name(const struct work *w, size_t curve)
{
    const struct analysis_keys *keys = &w->cube->keys[ANALYSIS_SERIES];
    const analysis_column_list *values = w->cube->view->values;
    size_t key = w->series[curve / values->count];
    struct lib_text text = {0};
    if (values->count == 1) {
        analysis_keys_write_values(keys, key, labels_of(w), &text);
        return lib_arena_keep(w->chart->arena, &text);
    }
    analysis_keys_write(keys, key, labels_of(w), &text);
    const size_t value = curve % values->count;
    const bool has_unit = !shared_unit(w) && !w->figure->whole.count;
    lib_text_printf(
        &text, "%s%s", text.length ? ", " : "",
        w->figure->whole.count && value + 1 == values->count
            ? "others"
            : name_of(w, values->items[value], has_unit ? WITH_UNIT : WITHOUT_UNIT));
    return lib_arena_keep(w->chart->arena, &text);
}

static void name_curves(const struct work *w)
{
    struct analysis_chart *chart = w->chart;
    const char **names = LIB_ARENA_ARRAY(chart->arena, const char *,
                                         chart->curve_count + 1);
    for (size_t i = 0; i < chart->curve_count; i++)
        names[i] = curve_name(w, i);
    chart->curve_names = names;
    struct work data = *w;
    data.is_data = true;
    names = LIB_ARENA_ARRAY(chart->arena, const char *, chart->curve_count + 1);
    for (size_t i = 0; i < chart->curve_count; i++)
        names[i] = curve_name(&data, i);
    chart->data_names = names;
    struct lib_text title = {0};
    if (w->cube->view->values->count == 1)
        analysis_keys_write_title(&w->cube->keys[ANALYSIS_SERIES], labels_of(w), &title);
    chart->legend_title = lib_arena_keep(w->chart->arena, &title);
}

static void name_panels(const struct work *w)
{
    for (size_t i = 0; i < w->chart->panel_count; i++) {
        struct lib_text title = {0};
        analysis_keys_write(&w->cube->keys[ANALYSIS_PANEL], i, labels_of(w), &title);
        w->chart->panels[i].title = lib_arena_keep(w->chart->arena, &title);
    }
}

/* --- axes ------------------------------------------------------------------------------- */

static void set_places(const struct work *w, struct analysis_axis *axis,
                       const struct analysis_keys *keys, const size_t *order,
                       size_t count)
{
    const struct traces_column *column = keys->columns->items[0];
    const char **names = LIB_ARENA_ARRAY(w->chart->arena, const char *, count + 1);
    axis->has_numbers = is_number(column);
    for (size_t i = 0; i < count; i++) {
        const struct traces_cell *cell = keys->list.items[order[i]];
        struct lib_text text = {0};
        axis->has_numbers &= !analysis_labels_of_value(labels_of(w), column, cell);
        analysis_labels_write_value(labels_of(w), column, cell, &text);
        names[i] = lib_arena_keep(w->chart->arena, &text);
    }
    axis->place_count = count;
    axis->places = names;
}

static const char *either(const char *label, const char *otherwise)
{
    return label ? label : otherwise;
}

static const char *note_over(const struct work *w)
{
    const char *over = analysis_cube_over(w->cube, labels_of(w), w->chart->arena);
    return lib_arena_printf(w->chart->arena, "%s%s%s",
                            analysis_cube_across(w->cube, labels_of(w), w->chart->arena),
                            *over ? ", " : "", over);
}

static void set_axes(const struct work *w)
{
    const char *over = note_over(w);
    const struct analysis_figure *figure = w->figure;
    const struct analysis_keys *rows = &w->cube->keys[ANALYSIS_ROW];
    const struct traces_column *x = figure->x.items[0];
    struct analysis_chart *chart = w->chart;
    const struct analysis_details *details = w->cube->details;
    chart->x.label = either(figure->x_label, name_of(w, x, WITH_UNIT));
    if (details)
        chart->x.note = analysis_chart_steps_note(
            chart->arena, details->width, details->finest,
            (enum analysis_thin)figure->common.thin);
    chart->has_own_x = (details && figure->axes == ANALYSIS_AXES_OWN) ||
                       figure->axes == ANALYSIS_AXES_OWN_X ||
                       figure->axes == ANALYSIS_AXES_OWN_XY;
    chart->x.is_chosen = x->kind == TRACES_COLUMN_SETTING ||
                         x->kind == TRACES_COLUMN_INPUT || x->kind == TRACES_COLUMN_LABEL;
    if (analysis_figure_has_places(figure)) {
        set_places(w, &chart->x, rows, w->rows, rows->list.count);
        chart->x.is_count = details && !traces_detail_is_over_time(figure->common.detail);
        chart->x.place_width = details && !chart->x.is_count ? (double)details->width : 0;
    } else {
        chart->x.scale = (enum analysis_scale)figure->x_scale;
        chart->x.range = figure->x_range;
        chart->x.ends_at_data = details;
    }
    if (figure->kind == ANALYSIS_FIGURE_HEAT) {
        const struct analysis_keys *series = &w->cube->keys[ANALYSIS_SERIES];
        set_places(w, &chart->y, series, w->series, series->list.count);
        chart->y.label = either(figure->y_label,
                                name_of(w, series->columns->items[0], WITH_UNIT));
        chart->z.label = either(figure->z_label, value_label(w));
        chart->z.range = figure->z_range;
        chart->z.scale = (enum analysis_scale)figure->z_scale;
        chart->z.note = over;
    } else {
        chart->y.label = either(figure->y_label, value_label(w));
        chart->y.scale = (enum analysis_scale)figure->y_scale;
        chart->y.range = figure->y_range;
        chart->y.note = over;
    }
}

static bool has_row(const struct work *w, size_t panel, size_t row)
{
    const size_t values = w->cube->view->values->count;
    for (size_t s = 0; s < w->cube->keys[ANALYSIS_SERIES].list.count; s++)
        for (size_t v = 0; v < values; v++) {
            const struct analysis_place *place = analysis_cube_place(w->cube, panel, s,
                                                                     w->rows[row], v);
            if (place->summary.count || place->failed)
                return true;
        }
    return false;
}

/* Gives each panel an x axis with the places that it shows. Returns the place of each row in each
 * panel. */
static size_t *const *own_places(const struct work *w)
{
    struct analysis_chart *chart = w->chart;
    const struct analysis_keys *rows = &w->cube->keys[ANALYSIS_ROW];
    size_t **places = LIB_ARENA_ARRAY(chart->arena, size_t *, chart->panel_count + 1);
    for (size_t panel = 0; panel < chart->panel_count; panel++) {
        size_t *shown = LIB_ARENA_ARRAY(chart->arena, size_t, rows->list.count + 1);
        size_t count = 0;
        places[panel] = LIB_ARENA_ARRAY(chart->arena, size_t, rows->list.count + 1);
        for (size_t row = 0; row < rows->list.count; row++) {
            places[panel][row] = count;
            if (has_row(w, panel, row))
                shown[count++] = w->rows[row];
        }
        struct analysis_axis *x = LIB_ARENA_NEW(chart->arena, struct analysis_axis);
        *x = chart->x;
        set_places(w, x, rows, shown, count);
        chart->panels[panel].x = x;
    }
    return places;
}

/* --- points ----------------------------------------------------------------------------- */

static void add_point(const struct work *w, size_t panel, size_t curve, size_t row)
{
    struct analysis_chart *chart = w->chart;
    size_t values = w->cube->view->values->count;
    const size_t series = w->series[curve / values];
    const struct analysis_place *place = analysis_cube_place(
        w->cube, panel, series, w->rows[row], curve % values);
    const struct analysis_summary *s = &place->summary;
    const double x = chart->x.place_count
                         ? (double)(w->places ? w->places[panel][row] : row)
                         : number_of(&w->cube->keys[ANALYSIS_ROW], w->rows[row]);
    if (analysis_cube_place(w->cube, panel, series, w->rows[row], 0)->failed)
        analysis_chart_add_failed(chart, panel, curve, x);
    if (s->count == 0)
        return;
    struct analysis_point point = {
        .x = x,
        .y = s->value,
        .low = s->low,
        .high = s->high,
        .runs = s->count,
    };
    if (chart->kind == ANALYSIS_FIGURE_HEAT) {
        point.z = s->value;
        point.y = (double)curve;
    } else if (chart->kind == ANALYSIS_FIGURE_BOXES) {
        const double *sorted = place->numbers.items;
        point.low = sorted[0];
        point.high = sorted[s->count - 1];
        point.y = analysis_quantile(sorted, s->count, 0.5);
        point.quartiles[0] = analysis_quantile(sorted, s->count, 0.25);
        point.quartiles[1] = analysis_quantile(sorted, s->count, 0.75);
    }
    const size_t each = w->cube->view->shows_each ? place->numbers.count : 0;
    for (size_t i = 0; i < each; i++) {
        point.y = place->numbers.items[i];
        point.runs = 1;
        analysis_chart_add(chart, panel, curve, &point);
    }
    if (!each && !isnan(s->value))
        analysis_chart_add(chart, panel, curve, &point);
}

/* After its last run ends, a curve falls to 0 and stops. */
static void cut_curve(const struct analysis_chart *chart, struct analysis_curve *curve)
{
    size_t count = curve->points.count;
    for (; count > 1; count--)
        if (analysis_chart_value(chart, &curve->points.items[count - 1]) != 0 ||
            analysis_chart_value(chart, &curve->points.items[count - 2]) != 0)
            break;
    curve->points.count = count;
}

void analysis_cube_chart(struct analysis_chart *chart,
                         const struct analysis_figure *figure,
                         const struct analysis_cube *cube)
{
    bool heat = figure->kind == ANALYSIS_FIGURE_HEAT;
    const struct analysis_keys *rows = &cube->keys[ANALYSIS_ROW],
                               *series = &cube->keys[ANALYSIS_SERIES];
    analysis_chart_start(chart, cube->keys[ANALYSIS_PANEL].list.count,
                         series->list.count * cube->view->values->count);
    struct work w = {figure, cube, chart, NULL, NULL, false, NULL};
    w.rows = order_keys(rows, is_number(figure->x.items[0]) ? BY_SIZE : AS_FOUND,
                        chart->arena);
    w.series = order_keys(series,
                          !heat                                       ? AS_FOUND
                          : is_number(figure->common.values.items[0]) ? BY_SIZE
                                                                      : FROM_LAST,
                          chart->arena);
    chart->name = figure->common.name;
    chart->caption = figure->common.caption;
    chart->data = lib_arena_printf(chart->arena, "%s.dat", chart->name);
    chart->kind = (enum analysis_figure_kind)figure->kind;
    chart->axes = figure->axes == ANALYSIS_AXES_OWN ||
                          figure->axes == ANALYSIS_AXES_OWN_XY
                      ? ANALYSIS_AXES_OWN
                      : ANALYSIS_AXES_SHARED;
    chart->width = figure->width;
    chart->beside = figure->beside;
    chart->legend = (enum analysis_legend)figure->legend;
    chart->has_spread = figure->common.spread != ANALYSIS_NONE;
    chart->references = figure->references;
    set_axes(&w);
    if (chart->has_own_x && chart->x.place_count && !cube->details)
        w.places = own_places(&w);
    name_curves(&w);
    name_panels(&w);
    analysis_cube_looks(chart, figure, cube);
    for (size_t panel = 0; panel < chart->panel_count; panel++)
        for (size_t curve = 0; curve < chart->curve_count; curve++) {
            for (size_t row = 0; row < rows->list.count; row++)
                add_point(&w, panel, curve, row);
            if (cube->details && traces_detail_is_over_time(figure->common.detail))
                cut_curve(chart, &chart->panels[panel].curves[curve]);
        }
    for (size_t panel = 0; panel < chart->panel_count; panel++)
        if (chart->panels[panel].failed.count && !*chart->x.note)
            chart->x.note = ", ×: failed";
    if (figure->whole.count)
        analysis_chart_share(chart, cube->view->values->count);
    if (chart->kind == ANALYSIS_FIGURE_STACKED)
        analysis_chart_stack(chart);
}
