#include "analysis/figure/plot_axis.h"

#include <math.h>
#include <string.h>

/* --- text ------------------------------------------------------------------------------- */

double analysis_plot_width(const char *text)
{
    size_t count = 0;
    for (const char *p = text; *p; p++)
        count += (*p & 0xc0) != 0x80;
    return 0.14 * (double)count;
}

double analysis_plot_widest(const struct analysis_plot_axis *axis)
{
    double widest = 0;
    for (size_t i = 0; i < axis->place_count; i++)
        widest = fmax(widest, analysis_plot_width(axis->places[i]));
    return widest;
}

/* In front of a digit: ten to that power. Elsewhere it is a control character of the user's, and
 * left out as all are. */
enum { POWER = '\x01' };

/* What enhanced text would take for more than a letter has a backslash before it; in the
 * names of ticks a percent sign begins a format. */
static void write_escaped(struct lib_text *out, const char *text, bool is_tick)
{
    lib_text_puts(out, "\"");
    for (const char *p = text; *p; p++) {
        if (*p == POWER && p[1] >= '0' && p[1] <= '9') {
            lib_text_printf(out, "10^{%c}", *++p);
            continue;
        }
        if (strchr("_^@&~{}\\", *p))
            lib_text_puts(out, *p == '\\' ? "\\\\\\" : "\\\\");
        else if (*p == '"')
            lib_text_puts(out, "\\");
        else if (*p == '%' && is_tick)
            lib_text_puts(out, "%");
        if (*p == '\n')
            lib_text_puts(out, "\\n");
        else if ((unsigned char)*p >= ' ')
            lib_text_add(out, p, 1);
    }
    lib_text_puts(out, "\"");
}

void analysis_plot_write_string(struct lib_text *out, const char *text)
{
    write_escaped(out, text, false);
}

/* --- labels ----------------------------------------------------------------------------- */

const char *analysis_plot_name(const struct analysis_plot *plot,
                               const struct traces_column *column)
{
    bool has_unit = *column->unit && strcmp(column->unit, column->name) != 0;
    bool is_input = strncmp(column->name, "inputs.", 7) == 0;
    char *name = lib_arena_printf(
        plot->arena, "%s%s%s%s", column->name + (is_input ? 7 : 0), has_unit ? " [" : "",
        column->unit + (has_unit ? 0 : strlen(column->unit)), has_unit ? "]" : "");
    for (char *p = name; *p; p++)
        if (*p == '_')
            *p = ' ';
    return name;
}

static const char *bare_name(const struct analysis_plot *plot,
                             const struct traces_column *column)
{
    struct traces_column bare = *column;
    bare.unit = "";
    return analysis_plot_name(plot, &bare);
}

/* What values relative to a base are called. */
static const char *relative_name(const struct analysis_plot *plot,
                                 const struct traces_column *column)
{
    const char *name = bare_name(plot, column);
    switch (plot->figure->common.relative) {
    case ANALYSIS_RELATIVE_RATIO:
        return lib_arena_printf(plot->arena, "relative %s", name);
    case ANALYSIS_RELATIVE_SPEEDUP:
        return "speedup";
    default:
        return lib_arena_printf(plot->arena, "saved %s [%%]", name);
    }
}

/* Of several values the units stand in the legend. */
static const char *value_label(const struct analysis_plot *plot)
{
    const analysis_column_list *values = plot->cube->view->values;
    struct lib_text text = {0};
    if (plot->figure->common.base)
        return relative_name(plot, values->items[0]);
    if (values->count == 1)
        return analysis_plot_name(plot, values->items[0]);
    for (size_t i = 0; i < values->count; i++)
        lib_text_printf(&text, "%s%s", i ? ", " : "", bare_name(plot, values->items[i]));
    const char *label = lib_arena_copy(plot->arena, text.bytes, text.length);
    lib_text_free(&text);
    return label;
}

/* --- what is on an axis ----------------------------------------------------------------- */

static void include(struct analysis_plot_axis *axis, double number)
{
    if (!isfinite(number))
        return;
    axis->least = fmin(axis->least, number);
    axis->greatest = fmax(axis->greatest, number);
    axis->is_whole &= number == nearbyint(number);
}

static const char *const *names_of(const struct analysis_plot *plot,
                                   const struct analysis_keys *keys, const size_t *order)
{
    const char **names = LIB_ARENA_ARRAY(plot->arena, const char *, keys->list.count + 1);
    for (size_t i = 0; i < keys->list.count; i++) {
        struct lib_text text = {0};
        analysis_cell_write_short(keys->columns->items[0], keys->list.items[order[i]],
                                  &text);
        names[i] = lib_arena_copy(plot->arena, lib_text_get(&text), text.length);
        lib_text_free(&text);
    }
    return names;
}

static struct analysis_plot_axis axis_of_places(const struct analysis_plot *plot,
                                                const struct analysis_keys *keys,
                                                const size_t *order)
{
    return (struct analysis_plot_axis){
        .label = analysis_plot_name(plot, keys->columns->items[0]),
        .least = 0,
        .greatest = (double)keys->list.count - 1,
        .factor = 1,
        .place_count = keys->list.count,
        .places = names_of(plot, keys, order),
        .has_numbers = keys->columns->items[0]->type == TRACES_TYPE_INT ||
                       keys->columns->items[0]->type == TRACES_TYPE_REAL,
    };
}

struct analysis_plot_axis analysis_plot_x_axis(const struct analysis_plot *plot)
{
    const struct analysis_keys *keys = &plot->cube->keys[ANALYSIS_ROW];
    struct analysis_plot_axis axis = axis_of_places(plot, keys, plot->rows);
    axis.letter = "x";
    if (plot->figure->x_label)
        axis.label = plot->figure->x_label;
    if (plot->has_places)
        return axis;
    axis.scale = plot->figure->x_scale;
    axis.place_count = 0;
    axis.least = axis.greatest = NAN;
    axis.is_whole = true;
    for (size_t row = 0; row < keys->list.count; row++) {
        double x = analysis_plot_x(plot, row);
        if (x > 0 || axis.scale == ANALYSIS_SCALE_LINEAR)
            include(&axis, x);
    }
    axis.top = axis.greatest;
    return axis;
}

/* Numbers from 10 000 on are shown in thousands, millions, ... */
static double factor_for(double greatest)
{
    double factor = 1;
    while (greatest >= 1e4 && greatest / factor >= 1e3)
        factor *= 1000;
    return factor;
}

static void include_place(struct analysis_plot_axis *axis,
                          const struct analysis_place *place)
{
    const struct analysis_summary *s = &place->summary;
    include(axis, s->value);
    if (axis->scale == ANALYSIS_SCALE_LINEAR || s->low > 0)
        include(axis, s->low);
    include(axis, s->high);
}

static void include_box(struct analysis_plot_axis *axis,
                        const struct analysis_place *place)
{
    include(axis, place->numbers.items[0]);
    include(axis, place->numbers.items[place->summary.count - 1]);
}

static void include_panel(const struct analysis_plot *plot, size_t panel,
                          struct analysis_plot_axis *axis)
{
    for (size_t curve = 0; curve < analysis_plot_curves(plot); curve++)
        for (size_t row = 0; row < plot->cube->keys[ANALYSIS_ROW].list.count; row++) {
            const struct analysis_place *place = analysis_plot_place(plot, panel, curve,
                                                                     row);
            if (!analysis_plot_shows(plot, row, place))
                continue;
            include_place(axis, place);
            if (plot->figure->kind == ANALYSIS_FIGURE_BOXES)
                include_box(axis, place);
        }
}

/* Ready for numbers. */
static struct analysis_plot_axis axis_of_values(const struct analysis_plot *plot,
                                                const char *letter,
                                                enum analysis_scale scale)
{
    return (struct analysis_plot_axis){
        .letter = letter,
        .label = value_label(plot),
        .scale = scale,
        .least = NAN,
        .greatest = NAN,
        .is_whole = true,
        .factor = 1,
    };
}

static void finish(const struct analysis_plot *plot, struct analysis_plot_axis *axis)
{
    bool bars = plot->figure->kind == ANALYSIS_FIGURE_BARS;
    if (axis->scale != ANALYSIS_SCALE_LINEAR)
        return;
    axis->factor = factor_for(fmax(fabs(axis->least), fabs(axis->greatest)));
    axis->from_zero = axis->least >= 0 && (bars || axis->least <= 0.7 * axis->greatest);
}

struct analysis_plot_axis analysis_plot_y_axis(const struct analysis_plot *plot,
                                               size_t panel)
{
    bool heat = plot->figure->kind == ANALYSIS_FIGURE_HEAT;
    struct analysis_plot_axis axis =
        heat ? axis_of_places(plot, &plot->cube->keys[ANALYSIS_SERIES], plot->series)
             : axis_of_values(plot, "y", plot->figure->y_scale);
    axis.letter = "y";
    for (size_t i = 0; i < analysis_plot_panels(plot) && !heat; i++)
        include_panel(plot, i, &axis);
    axis.top = axis.greatest;
    if (!heat) {
        axis.least = axis.greatest = NAN;
        include_panel(plot, panel, &axis);
        finish(plot, &axis);
    }
    if (plot->figure->y_label)
        axis.label = plot->figure->y_label;
    return axis;
}

struct analysis_plot_axis analysis_plot_z_axis(const struct analysis_plot *plot)
{
    struct analysis_plot_axis axis = axis_of_values(plot, "cb", ANALYSIS_SCALE_LINEAR);
    for (size_t panel = 0; panel < analysis_plot_panels(plot); panel++)
        include_panel(plot, panel, &axis);
    finish(plot, &axis);
    axis.from_zero = false;
    return axis;
}

/* --- commands --------------------------------------------------------------------------- */

bool analysis_plot_breaks(const struct analysis_plot_axis *axis)
{
    double power = axis->factor > 1 ? analysis_plot_width(" [10]") : 0;
    return analysis_plot_width(axis->label) + power > axis->length + 0.8;
}

/* Where the second line of a label begins that is longer than its axis: behind the blank
 * nearest to the middle. NULL: it has one line. */
static const char *second_line(const struct analysis_plot_axis *axis, const char *label)
{
    size_t length = strlen(label), middle = length / 2, nearest = length;
    const char *best = NULL;
    for (const char *p = label; analysis_plot_breaks(axis) && *p; p++) {
        size_t at = (size_t)(p - label);
        size_t far = at > middle ? at - middle : middle - at;
        if (*p == ' ' && far < nearest) {
            nearest = far;
            best = p + 1;
        }
    }
    return best;
}

/* "cycles [10^3]", "network bits [10^6 bits]". */
static void write_factor(const struct analysis_plot_axis *axis, struct lib_text *text)
{
    size_t bracket = strcspn(axis->label, "[");
    const char *unit = axis->label + bracket;
    lib_text_add(text, axis->label, bracket);
    lib_text_printf(text, "%s[%c%.0f%s%s", *unit ? "" : " ", POWER, log10(axis->factor),
                    *unit ? "\u00a0" : "]", *unit ? unit + 1 : "");
}

/* A line of a label, `place` lines behind its middle. */
static void write_line(const struct analysis_plot_axis *axis, const char *line,
                       double place, struct lib_text *out)
{
    bool is_x = *axis->letter == 'x';
    lib_text_puts(out, "set label ");
    analysis_plot_write_string(out, line);
    lib_text_printf(out, " at screen %.4f, screen %.4f center%s\n",
                    axis->label_x + (is_x ? 0 : place * axis->line),
                    axis->label_y - (is_x ? place * axis->line : 0),
                    is_x ? "" : " rotate by 90");
}

/* At places of its own: where gnuplot would put it depends on the terminal. */
static void write_label(const struct analysis_plot_axis *axis, struct lib_text *out)
{
    struct lib_text text = {0};
    if (axis->factor > 1)
        write_factor(axis, &text);
    else
        lib_text_puts(&text, axis->label);
    const char *second = second_line(axis, lib_text_get(&text));
    if (second) {
        text.bytes[second - text.bytes - 1] = '\0';
        write_line(axis, second, 0.5, out);
    }
    write_line(axis, lib_text_get(&text), second ? -0.5 : 0, out);
    lib_text_free(&text);
}

bool analysis_plot_rotates(const struct analysis_plot_axis *axis)
{
    double room = axis->length / (double)axis->place_count;
    return axis->place_count && !axis->has_numbers &&
           analysis_plot_widest(axis) + 0.1 > room;
}

/* Names of places. Those that do not fit are turned, and numbers are thinned out. */
static void write_places(const struct analysis_plot_axis *axis, struct lib_text *out)
{
    bool is_x = *axis->letter == 'x', rotated = is_x && analysis_plot_rotates(axis);
    double room = axis->length / (double)axis->place_count;
    double need = is_x && !rotated ? analysis_plot_widest(axis) + 0.1 : 0.32;
    lib_text_printf(out, "set %srange [-0.5:%zu.5]\n", axis->letter,
                    axis->place_count - 1);
    lib_text_printf(out, "set %stics scale 0 %s(", axis->letter,
                    rotated ? "offset 0,0 rotate by 45 right " : "");
    size_t stride = (size_t)ceil(need / room);
    for (size_t i = 0; i < axis->place_count; i += stride ? stride : 1) {
        lib_text_puts(out, i ? ", " : "");
        write_escaped(out, axis->places[i], true);
        lib_text_printf(out, " %zu", i);
    }
    lib_text_puts(out, ")\n");
}

/* --- ticks of logarithmic axes ---------------------------------------------------------- */

/* As a number, or as a power. */
static void write_tick(const struct analysis_plot_axis *axis, int exponent, int digit,
                       bool as_power, struct lib_text *out)
{
    bool two = axis->scale == ANALYSIS_SCALE_LOG2;
    double number = two ? ldexp(1, exponent) : digit * pow(10, exponent);
    if (as_power)
        lib_text_printf(out, "\"%s%d^{%d}\" %.15g",
                        digit == 5   ? "5·"
                        : digit == 2 ? "2·"
                                     : "",
                        two ? 2 : 10, exponent, number);
    else
        lib_text_printf(out, "\"%g\" %.15g", number, number);
}

/* Powers of the base, as many as there is room for; between powers of ten that are few, 2
 * and 5 of each. */
static void write_ticks(const struct analysis_plot_axis *axis, int first, int last,
                        struct lib_text *out)
{
    bool two = axis->scale == ANALYSIS_SCALE_LOG2;
    bool powers = axis->top > 1e4 || axis->least < 1e-3; /* one is too long: all are */
    double room = *axis->letter == 'x' ? 0.95 : 0.45;
    int most = (int)(axis->length / room), count = last - first + 1;
    int stride = count > most ? (count + most - 1) / most : 1;
    bool between = !two && count <= 3;
    lib_text_printf(out, "set %stics (", axis->letter);
    for (int e = first; e <= last; e += stride) {
        lib_text_puts(out, e > first ? ", " : "");
        write_tick(axis, e, 1, powers, out);
        for (int digit = 2; between && e < last && digit <= 5; digit += 3) {
            lib_text_puts(out, ", ");
            write_tick(axis, e, digit, powers, out);
        }
    }
    lib_text_puts(out, ")\n");
}

static void write_log(const struct analysis_plot_axis *axis, struct lib_text *out)
{
    bool two = axis->scale == ANALYSIS_SCALE_LOG2, is_x = *axis->letter == 'x';
    double low = two ? log2(axis->least) : log10(axis->least);
    double high = two ? log2(axis->greatest) : log10(axis->greatest);
    int first = (int)floor(low + 1e-9), last = (int)ceil(high - 1e-9);
    last += last == first;
    double margin = is_x ? 1.15 : 1.05, base = two ? 2 : 10;
    lib_text_printf(out, "set logscale %s %d\n", axis->letter, two ? 2 : 10);
    if (is_x)
        lib_text_printf(out, "set xrange [%.6g:%.6g]\n", axis->least / margin,
                        axis->greatest * margin);
    else
        lib_text_printf(out, "set yrange [%.6g:%.6g]\n", pow(base, first) / margin,
                        pow(base, last) * margin);
    write_ticks(axis, first, last, out);
}

static void write_linear(const struct analysis_plot_axis *axis, struct lib_text *out)
{
    double span = axis->greatest - axis->least;
    bool is_x = *axis->letter == 'x';
    if (is_x) {
        double pad = span > 0 ? span * 0.03 : 1;
        lib_text_printf(out, "set xrange [%.6g:%.6g]\n", axis->least - pad,
                        axis->greatest + pad);
    } else if (axis->from_zero) {
        lib_text_printf(out, "set %srange [0:%s]\n", axis->letter,
                        axis->greatest > 0 ? "*" : "1");
    } else {
        lib_text_printf(out, "set %srange [*:*]\n", axis->letter);
    }
    lib_text_printf(out, "set %stics %s\n", axis->letter,
                    axis->is_whole && axis->factor == 1 && span <= 8 ? "1" : "autofreq");
}

void analysis_plot_write_axis(const struct analysis_plot_axis *axis, struct lib_text *out)
{
    write_label(axis, out);
    if (axis->place_count)
        write_places(axis, out);
    else if (isnan(axis->least))
        lib_text_printf(out, "set %srange [0:1]\n", axis->letter);
    else if (axis->scale == ANALYSIS_SCALE_LINEAR)
        write_linear(axis, out);
    else
        write_log(axis, out);
}
