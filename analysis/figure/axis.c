#include "analysis/figure/axis_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure/words.h"
#include "lib/quote.h"

enum { MAX_TICKS = 64, MAX_CHOSEN = 32 };

struct extent {
    double least, greatest; /* NaN if there are no numbers */
    bool is_whole;
};

static void include(struct extent *extent, double number)
{
    if (!isfinite(number))
        return;
    extent->least = fmin(extent->least, number);
    extent->greatest = fmax(extent->greatest, number);
    extent->is_whole &= number == nearbyint(number);
}

static void include_panel(const struct analysis_chart *chart, size_t panel,
                          struct extent *extent)
{
    bool is_linear = chart->y.scale == ANALYSIS_SCALE_LINEAR;
    for (size_t c = 0; c < chart->curve_count; c++) {
        const struct analysis_curve *curve = &chart->panels[panel].curves[c];
        for (size_t i = 0; i < curve->points.count; i++) {
            const struct analysis_point *p = &curve->points.items[i];
            include(extent, analysis_chart_value(chart, p));
            if (chart->kind == ANALYSIS_FIGURE_HEAT)
                continue;
            if (is_linear || p->low > 0)
                include(extent, p->low);
            include(extent, p->high);
        }
    }
}

static struct extent extent_of_values(const struct analysis_chart *chart, size_t panel)
{
    struct extent extent = {NAN, NAN, true};
    for (size_t i = 0; i < chart->panel_count; i++)
        if (i == panel || chart->axes == ANALYSIS_AXES_SHARED)
            include_panel(chart, i, &extent);
    for (size_t i = 0; i < chart->references.count; i++) {
        const struct analysis_reference *r = &chart->references.items[i];
        if (r->kind == ANALYSIS_REFERENCE_Y &&
            (r->at > 0 || chart->y.scale == ANALYSIS_SCALE_LINEAR))
            include(&extent, r->at);
    }
    return extent;
}

static struct extent extent_of_x(const struct analysis_chart *chart, size_t panel)
{
    struct extent extent = {NAN, NAN, true};
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t c = 0; c < chart->curve_count; c++) {
            if (chart->has_own_x && p != panel)
                continue;
            const struct analysis_curve *curve = &chart->panels[p].curves[c];
            for (size_t i = 0; i < curve->points.count; i++)
                include(&extent, curve->points.items[i].x);
        }
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t i = 0; i < chart->panels[p].failed.count; i++)
            if (!chart->has_own_x || p == panel)
                include(&extent, chart->panels[p].failed.items[i].x);
    for (size_t i = 0; i < chart->references.count; i++) {
        const struct analysis_reference *r = &chart->references.items[i];
        if (r->kind == ANALYSIS_REFERENCE_X &&
            (r->at > 0 || chart->x.scale == ANALYSIS_SCALE_LINEAR))
            include(&extent, r->at);
    }
    return extent;
}

struct making {
    struct analysis_plot_axis *axis;
    struct lib_arena *arena;
    const struct analysis_range *range; /* the range that the user wants */
    struct extent extent;
};

static void add_tick(struct making *m, double at, const char *text, const char *letters)
{
    struct analysis_plot_axis *axis = m->axis;
    if (axis->tick_count < MAX_TICKS)
        axis->ticks[axis->tick_count++] = (struct analysis_tick){at, text, letters};
}

/* Uses signs as wide as digits: "−5", not "-5". */
static const char *signed_text(struct lib_arena *arena, const char *text)
{
    return *text == '-' ? lib_arena_printf(arena, "\u2212%s", text + 1) : text;
}

static void add_number(struct making *m, double at, int decimals)
{
    double number = at / m->axis->factor;
    const char *text = signed_text(
        m->arena, lib_arena_printf(m->arena, "%.*f", decimals, number == 0 ? 0 : number));
    add_tick(m, at, text, text);
}

static void add_short(struct making *m, double at)
{
    const char *text = signed_text(
        m->arena, lib_arena_printf(m->arena, "%.6g", at / m->axis->factor));
    add_tick(m, at, text, text);
}

static void add_power(struct making *m, int base, int exponent, int digit)
{
    const char *front = digit == 1 ? "" : lib_arena_printf(m->arena, "%d·", digit);
    add_tick(m, digit * pow(base, exponent),
             lib_arena_printf(m->arena, "%s%d^{%d}", front, base, exponent),
             lib_arena_printf(m->arena, "%s%d%d", front, base, exponent));
}

/* --- linear axes ------------------------------------------------------------------------ */

/* Returns the divisor of shown numbers: from 10 000 on, thousands, millions, ... */
static double factor_for(double greatest)
{
    double factor = 1;
    while (greatest >= 1e4 && greatest / factor >= 1e3)
        factor *= 1000;
    return factor;
}

static void widen(struct extent *extent)
{
    if (isnan(extent->least))
        *extent = (struct extent){0, 1, false};
    if (extent->least == extent->greatest && extent->least >= 0)
        extent->greatest += extent->least == 0;
    else if (extent->least == extent->greatest)
        extent->least *= 1.2;
}

static void write_steps(struct making *m, double step)
{
    struct analysis_plot_axis *axis = m->axis;
    double slack = 1e-9 * step;
    int decimals = (int)fmax(0, -floor(log10(step / axis->factor) + 1e-9));
    double first = ceil((axis->least - slack) / step);
    for (int i = 0; i < MAX_TICKS; i++) {
        double at = (first + i) * step;
        if (!(at <= axis->greatest + slack))
            break;
        add_number(m, at, decimals < 15 ? decimals : 15);
    }
}

enum start { FROM_ZERO, FROM_DATA, FAR_FROM_ZERO };

/* Ends the axis at ticks unless the user chose the ends. Begins it at 0 unless all numbers are far
 * above or must fill it. `room`: cm per tick. */
static void make_linear(struct making *m, enum start start, double room)
{
    struct analysis_plot_axis *axis = m->axis;
    struct extent *e = &m->extent;
    widen(e);
    axis->factor = factor_for(fmax(fabs(e->least), fabs(e->greatest)));
    double near = start == FAR_FROM_ZERO ? 0 : start == FROM_ZERO ? 1 : 0.7;
    bool zero = e->least >= 0 &&
                (e->least <= near * e->greatest || e->least == e->greatest);
    double least = isnan(m->range->least) ? zero ? 0 : e->least : m->range->least;
    double greatest = isnan(m->range->greatest) ? e->greatest : m->range->greatest;
    if (start == FROM_ZERO && isnan(m->range->greatest))
        greatest = fmax(greatest, 0);
    if (!(greatest > least))
        greatest = least + fmax(fabs(least), 1);
    double step = analysis_axis_step(greatest - least,
                                     fmax(2, floor(axis->length / room)));
    if (e->is_whole && axis->factor == 1)
        step = fmax(step, 1);
    axis->least = isnan(m->range->least) ? floor(least / step + 1e-9) * step : least;
    axis->greatest = isnan(m->range->greatest) ? ceil(greatest / step - 1e-9) * step
                                               : greatest;
    write_steps(m, step);
}

/* --- logarithmic axes ------------------------------------------------------------------- */

static double round_down(double number)
{
    double power = pow(10, floor(log10(number) + 1e-9)), digit = number / power + 1e-9;
    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

static double round_up(double number)
{
    double power = pow(10, floor(log10(number) + 1e-9)), digit = number / power - 1e-9;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static bool is_on(const struct analysis_plot_axis *axis, double at)
{
    return at >= axis->least * (1 - 1e-9) && at <= axis->greatest * (1 + 1e-9);
}

/* Returns the number of powers of `base` on the axis. */
static double powers_of(const struct analysis_plot_axis *axis, double base)
{
    return log(axis->greatest / axis->least) / log(base);
}

/* Adds ticks at as many powers of a base as fit; if powers of ten are few, also at 2 and 5 times
 * these. */
static void write_powers(struct making *m, int base, double room)
{
    struct analysis_plot_axis *axis = m->axis;
    double most = fmax(2, floor(axis->length / room)), powers = powers_of(axis, base);
    int first = (int)floor(log(axis->least) / log(base) + 1e-9);
    int last = (int)ceil(log(axis->greatest) / log(base) - 1e-9);
    bool between = base == 10 && powers * 3 <= most;
    bool is_plain = axis->greatest <= 1e5 && axis->least >= 1e-3;
    int stride = (int)ceil((powers + 1) / most);
    if (!is_plain && between && axis->least >= 1) {
        double factor = pow(1000, floor(log10(axis->least) / 3));
        is_plain = axis->greatest / factor <= 1e5;
        axis->factor = is_plain ? factor : 1;
    }
    for (int e = first; e <= last && stride > 0; e += stride)
        for (int digit = 1; digit <= 5; digit += digit == 2 ? 3 : 1) {
            double at = digit * pow(base, e);
            if (!is_on(axis, at) || (digit > 1 && !between))
                continue;
            if (is_plain)
                add_short(m, at);
            else
                add_power(m, base, e, digit);
        }
}

static void make_log(struct making *m, double room)
{
    struct analysis_plot_axis *axis = m->axis;
    int base = axis->scale == ANALYSIS_SCALE_LOG2 ? 2 : 10;
    struct extent *e = &m->extent;
    if (isnan(e->least))
        *e = (struct extent){1, base, true};
    double least = isnan(m->range->least) ? e->least : m->range->least;
    double greatest = isnan(m->range->greatest) ? e->greatest : m->range->greatest;
    if (!(greatest > least))
        greatest = least * base;
    double most = fmax(2, floor(axis->length / room));
    bool fine = base == 10 && log10(greatest / least) * 3 + 1 <= most;
    double low = fine ? round_down(least)
                      : pow(base, floor(log(least) / log(base) + 1e-9));
    double high = fine ? round_up(greatest)
                       : pow(base, ceil(log(greatest) / log(base) - 1e-9));
    axis->least = isnan(m->range->least) && low > 0 ? low : least;
    axis->greatest = isnan(m->range->greatest) && isfinite(high) ? high : greatest;
    write_powers(m, base, room);
}

/* --- chosen numbers --------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_once(double *numbers, size_t *count, double x)
{
    size_t at = 0;
    while (at < *count && numbers[at] != x)
        at++;
    if (at <= MAX_CHOSEN)
        numbers[at] = x;
    *count += at == *count;
}

static size_t find_chosen(const struct analysis_chart *chart, size_t shown,
                          double *numbers)
{
    size_t count = 0;
    for (size_t p = 0; p < chart->panel_count; p++) {
        if (chart->has_own_x && p != shown)
            continue;
        const struct analysis_panel *panel = &chart->panels[p];
        for (size_t c = 0; c < chart->curve_count && count <= MAX_CHOSEN; c++)
            for (size_t i = 0; i < panel->curves[c].points.count && count <= MAX_CHOSEN;
                 i++)
                add_once(numbers, &count, panel->curves[c].points.items[i].x);
        for (size_t i = 0; i < panel->failed.count && count <= MAX_CHOSEN; i++)
            add_once(numbers, &count, panel->failed.items[i].x);
    }
    if (count > MAX_CHOSEN)
        return 0;
    qsort(numbers, count, sizeof *numbers, by_number);
    return count;
}

static void add_chosen(struct making *m, double at)
{
    int exponent;
    bool is_long = fabs(at) >= 1e6 || (at != 0 && fabs(at) < 1e-4);
    double ten = at > 0 ? log10(at) : 0.5;
    if (is_long && m->axis->scale == ANALYSIS_SCALE_LOG2 && frexp(at, &exponent) == 0.5)
        add_power(m, 2, exponent - 1, 1);
    else if (is_long && m->axis->scale == ANALYSIS_SCALE_LOG10 && ten == nearbyint(ten))
        add_power(m, 10, (int)ten, 1);
    else
        add_short(m, at);
}

static bool is_apart(const struct analysis_plot_axis *axis, const struct analysis_tick *a,
                     const struct analysis_tick *b)
{
    double between = fabs(analysis_axis_share(axis, a->at) -
                          analysis_axis_share(axis, b->at));
    double need = (analysis_words_width(a->letters) + analysis_words_width(b->letters)) /
                  2;
    return between * axis->length >= need + 0.12;
}

static bool all_apart(const struct analysis_plot_axis *axis,
                      const struct analysis_tick *ticks, size_t count, size_t stride)
{
    for (size_t i = count - 1; i >= stride; i -= stride)
        if (!is_apart(axis, &ticks[i], &ticks[i - stride]))
            return false;
    return true;
}

/* Keeps as many ticks as fit, and the last one: if equally spaced each second, third, ...; else
 * each that fits before the next one kept. */
static void thin_out(struct analysis_plot_axis *axis)
{
    struct analysis_tick *ticks = axis->ticks;
    size_t count = axis->tick_count, stride = 1, kept = 0;
    bool equal = true;
    if (count < 2 || all_apart(axis, ticks, count, 1))
        return;
    double gap = analysis_axis_share(axis, ticks[1].at) -
                 analysis_axis_share(axis, ticks[0].at);
    for (size_t i = 1; i < count; i++)
        equal &= fabs(analysis_axis_share(axis, ticks[i].at) -
                      analysis_axis_share(axis, ticks[i - 1].at) - gap) < 0.01;
    while (equal && stride < count && !all_apart(axis, ticks, count, stride))
        stride++;
    /* from the last tick backwards, to the end of the array */
    size_t last = count;
    for (size_t i = count; i-- > 0;) {
        bool stays = last == count || (equal ? (count - 1 - i) % stride == 0
                                             : is_apart(axis, &ticks[i], &ticks[last]));
        if (!stays)
            continue;
        last = i;
        ticks[count - 1 - kept++] = ticks[i];
    }
    memmove(ticks, ticks + count - kept, kept * sizeof *ticks);
    axis->tick_count = kept;
}

static void make_chosen(struct making *m, const double *numbers, size_t count)
{
    struct analysis_plot_axis *axis = m->axis;
    struct extent *e = &m->extent;
    bool is_linear = axis->scale == ANALYSIS_SCALE_LINEAR;
    double span = is_linear ? e->greatest - e->least : log(e->greatest / e->least);
    double pad = span > 0 ? span * 0.03 : is_linear ? 1 : 0.5;
    axis->least = is_linear ? e->least - pad : e->least / exp(pad);
    axis->greatest = is_linear ? e->greatest + pad : e->greatest * exp(pad);
    if (!isnan(m->range->least))
        axis->least = m->range->least;
    if (!isnan(m->range->greatest))
        axis->greatest = m->range->greatest;
    if (!(axis->greatest > axis->least))
        axis->greatest = is_linear ? axis->least + 1 : axis->least * 2;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] >= axis->least && numbers[i] <= axis->greatest)
            add_chosen(m, numbers[i]);
    thin_out(axis);
}

/* --- axes ------------------------------------------------------------------------------- */

static struct making start(struct analysis_plot_axis *axis,
                           const struct analysis_chart *chart,
                           const struct analysis_axis *spec, const char *letter,
                           double length)
{
    *axis = (struct analysis_plot_axis){
        .letter = letter,
        .label = spec->label,
        .note = spec->note,
        .scale = spec->scale,
        .length = length,
        .factor = 1,
        .ticks = LIB_ARENA_ARRAY(chart->arena, struct analysis_tick, MAX_TICKS),
    };
    return (struct making){.axis = axis, .arena = chart->arena, .range = &spec->range};
}

struct analysis_plot_axis analysis_axis_x(const struct analysis_chart *chart,
                                          size_t panel, double length)
{
    struct analysis_plot_axis axis;
    const struct analysis_axis *spec = analysis_chart_x(chart, panel);
    struct making m = start(&axis, chart, spec, "x", length);
    double numbers[MAX_CHOSEN + 1];
    if (chart->panels[panel].x_label) {
        axis.label = chart->panels[panel].x_label;
        axis.note = chart->panels[panel].x_note;
    }
    if (spec->place_count) {
        analysis_axis_make_places(&axis, chart->arena, spec);
        return axis;
    }
    m.extent = extent_of_x(chart, panel);
    struct analysis_range range = chart->x.range;
    const bool ends = chart->kind == ANALYSIS_FIGURE_STEPS || chart->x.is_chosen ||
                      chart->x.ends_at_data;
    if (ends && isnan(range.greatest))
        range.greatest = m.extent.greatest;
    size_t chosen = chart->x.is_chosen ? find_chosen(chart, panel, numbers) : 0;
    m.range = chosen ? &chart->x.range : &range;
    if (chosen)
        make_chosen(&m, numbers, chosen);
    else if (axis.scale == ANALYSIS_SCALE_LINEAR)
        make_linear(&m, FROM_DATA, 1.1);
    else
        make_log(&m, 0.8);
    return axis;
}

/* Whether all stacked bars end at a value, as parts of one whole. */
static bool all_end_at(const struct analysis_chart *chart, double value)
{
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t x = 0; x < analysis_chart_x(chart, p)->place_count; x++) {
            double end = NAN;
            for (size_t c = 0; c < chart->curve_count; c++) {
                const struct analysis_curve *curve = &chart->panels[p].curves[c];
                for (size_t i = 0; i < curve->points.count; i++)
                    if (curve->points.items[i].x == (double)x)
                        end = fmax(end, curve->points.items[i].y);
            }
            if (fabs(end - value) > 1e-9 * fabs(value))
                return false;
        }
    return true;
}

struct analysis_plot_axis analysis_axis_y(const struct analysis_chart *chart,
                                          size_t panel, double length)
{
    struct analysis_plot_axis axis;
    struct making m = start(&axis, chart, &chart->y, "y", length);
    if (chart->panels[panel].y_label)
        axis.label = chart->panels[panel].y_label;
    if (chart->y.place_count) {
        analysis_axis_make_places(&axis, chart->arena, &chart->y);
        return axis;
    }
    m.extent = extent_of_values(chart, panel);
    struct analysis_range range = chart->y.range;
    if (chart->kind == ANALYSIS_FIGURE_STACKED && isnan(range.greatest) &&
        all_end_at(chart, m.extent.greatest))
        range.greatest = m.extent.greatest;
    m.range = &range;
    if (axis.scale == ANALYSIS_SCALE_LINEAR)
        make_linear(&m, analysis_chart_has_bars(chart) ? FROM_ZERO : FROM_DATA, 0.5);
    else
        make_log(&m, 0.42);
    return axis;
}

struct analysis_plot_axis analysis_axis_z(const struct analysis_chart *chart,
                                          size_t panel, double length)
{
    struct analysis_plot_axis axis;
    struct making m = start(&axis, chart, &chart->z, "cb", length);
    m.extent = extent_of_values(chart, panel);
    if (axis.scale == ANALYSIS_SCALE_LINEAR)
        make_linear(&m, FAR_FROM_ZERO, 0.5);
    else
        make_log(&m, 0.42);
    return axis;
}

double analysis_axis_share(const struct analysis_plot_axis *axis, double number)
{
    if (axis->scale == ANALYSIS_SCALE_LINEAR)
        return (number - axis->least) / (axis->greatest - axis->least);
    return log(number / axis->least) / log(axis->greatest / axis->least);
}

double analysis_axis_at(const struct analysis_plot_axis *axis, double share)
{
    if (axis->scale == ANALYSIS_SCALE_LINEAR)
        return axis->least + share * (axis->greatest - axis->least);
    return axis->least * pow(axis->greatest / axis->least, share);
}

double analysis_axis_widest(const struct analysis_plot_axis *axis)
{
    double widest = 0;
    for (size_t i = 0; i < axis->tick_count; i++)
        widest = fmax(widest, analysis_words_width(axis->ticks[i].letters));
    return widest;
}

const char *analysis_axis_label(const struct analysis_plot_axis *axis,
                                struct lib_arena *arena)
{
    size_t bracket = strcspn(axis->label, "[");
    const char *unit = axis->label + bracket;
    if (axis->factor == 1)
        return lib_arena_printf(arena, "%s%s", axis->label, axis->note);
    return lib_arena_printf(arena, "%.*s%s[" ANALYSIS_POWER "%.0f%s%s%s", (int)bracket,
                            axis->label, *unit || !bracket ? "" : " ",
                            log10(axis->factor), *unit ? "\u00a0" : "]",
                            *unit ? unit + 1 : "", axis->note);
}

/* --- commands --------------------------------------------------------------------------- */

void analysis_axis_write(const struct analysis_plot_axis *axis, struct lib_text *out)
{
    bool is_log = axis->scale != ANALYSIS_SCALE_LINEAR;
    /* without slack, gnuplot omits ticks at the ends of a logarithmic axis */
    double slack = is_log ? 1e-6 : 0;
    if (is_log)
        lib_text_printf(out, "set logscale %s %d\n", axis->letter,
                        axis->scale == ANALYSIS_SCALE_LOG2 ? 2 : 10);
    lib_text_printf(out, "set %srange [%.10g:%.10g]\n", axis->letter,
                    axis->least / axis->factor * (1 - slack),
                    axis->greatest / axis->factor * (1 + slack));
    lib_text_printf(out, "set %stics %s%s(", axis->letter,
                    axis->has_places && !axis->has_marks ? "scale 0 " : "",
                    axis->is_turned ? "offset 0,0 rotate by 45 right " : "");
    for (size_t i = 0; i < axis->tick_count; i++) {
        const struct analysis_tick *tick = &axis->ticks[i];
        lib_text_puts(out, i ? ", " : "");
        if (axis->has_places)
            analysis_words_write(out, tick->text, ANALYSIS_WORDS_TICK);
        else
            lib_quote_gnuplot(out, tick->text);
        lib_text_printf(out, " %.10g", tick->at / axis->factor);
    }
    lib_text_puts(out, ")\n");
}
