/* Charts: axes and their ticks, room for legends and labels, colours, what is written of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure/guides.h"
#include "analysis/figure/legend.h"
#include "analysis/figure/line_ends.h"
#include "analysis/figure/marks.h"
#include "analysis/figure/plot.h"
#include "analysis/figure/words.h"
#include "tests/unit/main.h"

/* --- charts to look at -------------------------------------------------------------------- */

static const char *const names[] = {"1", "4", "16", "64"};

static struct analysis_chart new_chart(size_t panels, size_t curves)
{
    struct analysis_chart chart;
    analysis_chart_start(&chart, panels, curves);
    chart.name = "test";
    chart.data = "test.dat";
    chart.curve_names = names;
    chart.legend_title = "pe.count";
    chart.x.label = "n";
    chart.y.label = "cycles";
    return chart;
}

static void add_point(struct analysis_chart *chart, size_t panel, size_t curve, double x,
                      double y)
{
    const struct analysis_point point = {.x = x, .y = y, .low = NAN, .high = NAN};
    analysis_chart_add(chart, panel, curve, &point);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *p = text; (p = strstr(p, part)); p += strlen(part))
        count++;
    return count;
}

/* "0 0.5 1": the texts of the ticks. */
static void check_ticks(const struct analysis_plot_axis *axis, const char *expected)
{
    struct lib_text text = {0};
    for (size_t i = 0; i < axis->tick_count; i++)
        lib_text_printf(&text, "%s%s", i ? " " : "", axis->ticks[i].text);
    ck_assert_str_eq(lib_text_get(&text), expected);
    lib_text_free(&text);
}

static void check_ends(const struct analysis_plot_axis *axis, double least,
                       double greatest)
{
    ck_assert_msg(fabs(axis->least - least) < 1e-9 * (1 + fabs(least)) &&
                      fabs(axis->greatest - greatest) < 1e-9 * fabs(greatest),
                  "from %.17g to %.17g", axis->least, axis->greatest);
}

/* --- axes of values ----------------------------------------------------------------------- */

struct values {
    double least, greatest;
    enum analysis_scale scale;
    const char *ticks;
    double factor;
};

static const struct values values[] = {
    {0, 0.93, ANALYSIS_SCALE_LINEAR, "0.0 0.2 0.4 0.6 0.8 1.0", 1},
    {1.2, 7.3, ANALYSIS_SCALE_LINEAR, "0 1 2 3 4 5 6 7 8", 1},
    {90, 97, ANALYSIS_SCALE_LINEAR, "90 91 92 93 94 95 96 97", 1},
    {-3, 12, ANALYSIS_SCALE_LINEAR, "−4 −2 0 2 4 6 8 10 12", 1},
    {5, 5, ANALYSIS_SCALE_LINEAR, "0 1 2 3 4 5", 1},
    {0, 0, ANALYSIS_SCALE_LINEAR, "0 1", 1},
    {100, 41000, ANALYSIS_SCALE_LINEAR, "0 10 20 30 40 50", 1000},
    {0, 3.5e6, ANALYSIS_SCALE_LINEAR, "0.0 0.5 1.0 1.5 2.0 2.5 3.0 3.5", 1e6},
    {1, 55, ANALYSIS_SCALE_LOG2, "1 2 4 8 16 32 64", 1},
    {120, 4100, ANALYSIS_SCALE_LOG10, "100 200 500 1000 2000 5000", 1},
    {40, 12000, ANALYSIS_SCALE_LOG10, "20 50 100 200 500 1000 2000 5000 10000 20000", 1},
    {15000, 640000, ANALYSIS_SCALE_LOG10, "10 20 50 100 200 500 1000", 1000},
    {40, 2e7, ANALYSIS_SCALE_LOG10,
     "10^{1} 10^{2} 10^{3} 10^{4} 10^{5} 10^{6} 10^{7} 10^{8}", 1},
};

START_TEST(test_values)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const struct values *v = &values[i];
        struct analysis_chart chart = new_chart(1, 1);
        chart.y.scale = v->scale;
        add_point(&chart, 0, 0, 1, v->least);
        add_point(&chart, 0, 0, 2, v->greatest);
        struct analysis_plot_axis y = analysis_axis_y(&chart, 0, 4.2);
        check_ticks(&y, v->ticks);
        ck_assert(y.factor == v->factor);
        /* The last tick is at the end, and nothing is beyond it. */
        ck_assert(fabs(analysis_axis_share(&y, y.ticks[y.tick_count - 1].at) - 1) < 1e-9);
        ck_assert(y.greatest >= v->greatest && y.least <= v->least);
        analysis_chart_free(&chart);
    }
}
END_TEST

START_TEST(test_range)
{
    struct analysis_chart chart = new_chart(1, 1);
    add_point(&chart, 0, 0, 1, 3);
    add_point(&chart, 0, 0, 2, 7);
    chart.y.range = (struct analysis_range){NAN, 10};
    struct analysis_plot_axis y = analysis_axis_y(&chart, 0, 4.2);
    check_ends(&y, 0, 10);
    chart.y.range = (struct analysis_range){2.5, 4};
    y = analysis_axis_y(&chart, 0, 4.2);
    check_ends(&y, 2.5, 4);
    chart.x.is_chosen = true;
    chart.x.range = (struct analysis_range){0, 1.5};
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6);
    check_ends(&x, 0, 1.5);
    check_ticks(&x, "1");
    analysis_chart_free(&chart);
}
END_TEST

START_TEST(test_panels)
{
    struct analysis_chart chart = new_chart(2, 1);
    add_point(&chart, 0, 0, 1, 5);
    add_point(&chart, 1, 0, 1, 90);
    struct analysis_plot_axis first = analysis_axis_y(&chart, 0, 3);
    struct analysis_plot_axis second = analysis_axis_y(&chart, 1, 3);
    check_ends(&first, 0, 100);
    check_ends(&second, 0, 100);
    chart.axes = ANALYSIS_AXES_OWN;
    first = analysis_axis_y(&chart, 0, 3);
    check_ends(&first, 0, 5);
    chart.kind = ANALYSIS_FIGURE_HEAT;
    chart.panels[0].curves[0].points.items[0].z = 5;
    chart.panels[1].curves[0].points.items[0].z = 90;
    first = analysis_axis_z(&chart, 0, 3);
    check_ends(&first, 0, 5);
    chart.axes = ANALYSIS_AXES_SHARED;
    first = analysis_axis_z(&chart, 0, 3);
    check_ends(&first, 0, 100);
    analysis_chart_free(&chart);
}
END_TEST

/* --- axes of parameters ------------------------------------------------------------------- */

static void check_chosen(enum analysis_scale scale, double length, const char *ticks,
                         size_t count, const double *numbers)
{
    struct analysis_chart chart = new_chart(1, 1);
    chart.x.scale = scale;
    chart.x.is_chosen = true;
    for (size_t i = 0; i < count; i++)
        add_point(&chart, 0, 0, numbers[i], 1);
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, length);
    check_ticks(&x, ticks);
    analysis_chart_free(&chart);
}

/* Ticks stand where numbers were chosen, the last one always; at each second one, each third
 * one ... where there is no room. */
START_TEST(test_chosen)
{
    static const double powers[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    static const double decades[] = {1, 3, 10, 30, 100, 300, 1000};
    check_chosen(ANALYSIS_SCALE_LOG2, 6.5, "1 2 4 8 16 32 64 128 256", 9, powers);
    check_chosen(ANALYSIS_SCALE_LOG2, 3, "1 4 16 64 256", 9, powers);
    check_chosen(ANALYSIS_SCALE_LOG2, 3, "2 8 32 128", 8, powers);
    check_chosen(ANALYSIS_SCALE_LINEAR, 6.5, "8 32 64 128 256", 9, powers);
    check_chosen(ANALYSIS_SCALE_LOG10, 6.5, "1 3 10 30 100 300 1000", 7, decades);
    check_chosen(ANALYSIS_SCALE_LINEAR, 6.5, "1", 1, powers);
}
END_TEST

/* Measured numbers, or too many of them, have round ticks. */
START_TEST(test_measured)
{
    struct analysis_chart chart = new_chart(1, 1);
    for (int i = 0; i <= 100; i++)
        add_point(&chart, 0, 0, i * 483, 1);
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5);
    check_ticks(&x, "0 10 20 30 40 50");
    ck_assert_str_eq(analysis_axis_label(&x, chart.arena), "n [\x01"
                                                           "3]");
    check_ends(&x, 0, 50000);
    /* An axis of parameters, or of PEs, ends with them. */
    chart.x.is_chosen = true;
    x = analysis_axis_x(&chart, 0, 6.5);
    check_ticks(&x, "0 10 20 30 40");
    check_ends(&x, 0, 48300);
    chart.x.is_chosen = false;
    chart.x.ends_at_data = true;
    x = analysis_axis_x(&chart, 0, 6.5);
    check_ends(&x, 0, 48300);
    ck_assert(!analysis_marks_have_points(&chart));
    analysis_chart_free(&chart);
}
END_TEST

/* With an x axis per panel each has the numbers of its own. */
START_TEST(test_own_x)
{
    struct analysis_chart chart = new_chart(2, 1);
    chart.x.is_chosen = true;
    add_point(&chart, 0, 0, 4, 1);
    add_point(&chart, 0, 0, 8, 1);
    add_point(&chart, 1, 0, 100, 1);
    analysis_chart_add_failed(&chart, 1, 0, 120);
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5);
    ck_assert(x.greatest > 120);
    chart.has_own_x = true;
    x = analysis_axis_x(&chart, 0, 6.5);
    check_ticks(&x, "4 8");
    ck_assert(x.greatest < 9);
    x = analysis_axis_x(&chart, 1, 6.5);
    check_ticks(&x, "100 120");
    analysis_chart_free(&chart);
}
END_TEST

/* --- axes of places ----------------------------------------------------------------------- */

/* Checks the ticks of `count` places from `first` on, `gap` apart. */
static void check_places(double first, double gap, size_t count, bool is_count,
                         const char *ticks)
{
    struct analysis_chart chart = new_chart(1, 1);
    const char **places = LIB_ARENA_ARRAY(chart.arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        places[i] = lib_arena_printf(chart.arena, "%g", first + gap * (double)i);
    chart.kind = ANALYSIS_FIGURE_HEAT;
    chart.x.places = places;
    chart.x.place_count = count;
    chart.x.has_numbers = true;
    chart.x.is_count = is_count;
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5);
    check_ticks(&x, ticks);
    analysis_chart_free(&chart);
}

/* Where there is no room for all numbers, round ones stay. */
START_TEST(test_places)
{
    check_places(1, 1, 8, false, "1 2 3 4 5 6 7 8");
    check_places(1, 1, 64, false, "5 10 15 20 25 30 35 40 45 50 55 60");
    check_places(100, 25, 61, false, "200 400 600 800 1000 1200 1400 1600");
    check_places(1.5, 1, 40, false, "5.5 10.5 15.5 20.5 25.5 30.5 35.5 40.5");
    check_places(0, 1, 64, true, "0 8 16 24 32 40 48 56 63");
    check_places(0, 1, 100, true, "0 10 20 30 40 50 60 70 80 90 99");
}
END_TEST

/* A panel may have fewer places than others: what is written has a cell for each of its own. */
START_TEST(test_own_places)
{
    static const char *const places[] = {"7", "8", "9"};
    struct analysis_chart chart = new_chart(2, 1);
    chart.kind = ANALYSIS_FIGURE_HEAT;
    chart.x.places = places;
    chart.x.place_count = 3;
    chart.y.place_count = 1;
    chart.y.places = places;
    struct analysis_axis own = chart.x;
    own.places = &places[2];
    own.place_count = 1;
    chart.panels[1].x = &own;
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5);
    check_ticks(&x, "7 8 9");
    x = analysis_axis_x(&chart, 1, 6.5);
    check_ticks(&x, "9");
    check_ends(&x, -0.5, 0.5);
    struct lib_text data = {0};
    analysis_chart_write_data(&chart, &data);
    ck_assert_uint_eq(count_of(lib_text_get(&data), " NaN 0\n"), 4);
    lib_text_free(&data);
    analysis_chart_free(&chart);
}
END_TEST

/* Colours of a logarithmic scale, which cannot show 0. */
START_TEST(test_log_colours)
{
    struct analysis_chart chart = new_chart(1, 1);
    chart.kind = ANALYSIS_FIGURE_HEAT;
    chart.z.scale = ANALYSIS_SCALE_LOG10;
    const struct analysis_point points[] = {{.z = 0}, {.z = 100}, {.z = 5000}};
    for (size_t i = 0; i < 3; i++)
        analysis_chart_add(&chart, 0, 0, &points[i]);
    ck_assert_uint_eq(chart.hidden, 1);
    struct analysis_plot_axis z = analysis_axis_z(&chart, 0, 4.2);
    check_ticks(&z, "100 200 500 1000 2000 5000");
    check_ends(&z, 100, 5000);
    struct lib_text text = {0};
    analysis_axis_write(&z, &text);
    ck_assert(strstr(text.bytes, "set logscale cb 10\n"));
    lib_text_free(&text);
    analysis_chart_free(&chart);
}
END_TEST

/* Stacks that are parts of one whole end with it, and so does their axis. */
START_TEST(test_stacks)
{
    struct analysis_chart chart = new_chart(1, 2);
    chart.kind = ANALYSIS_FIGURE_STACKED;
    chart.x.place_count = 3;
    for (int i = 0; i < 3; i++) {
        add_point(&chart, 0, 0, i, 3 + i);
        add_point(&chart, 0, 1, i, 15 - i);
    }
    analysis_chart_stack(&chart);
    struct analysis_plot_axis y = analysis_axis_y(&chart, 0, 4.2);
    check_ends(&y, 0, 18);
    chart.panels[0].curves[1].points.items[2].y = 17;
    y = analysis_axis_y(&chart, 0, 4.2);
    check_ends(&y, 0, 20);
    analysis_chart_free(&chart);
}
END_TEST

/* --- legends ------------------------------------------------------------------------------ */

/* Lines from the lower left to the upper right: the upper left corner is free. */
START_TEST(test_legend_inside)
{
    struct analysis_chart chart = new_chart(1, 3);
    for (size_t curve = 0; curve < 3; curve++)
        for (int i = 0; i <= 8; i++)
            add_point(&chart, 0, curve, i, i + 0.1 * (double)curve);
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5),
                              y = analysis_axis_y(&chart, 0, 4.2);
    struct analysis_room room;
    struct analysis_legend_layout form;
    struct analysis_box box;
    analysis_room_start(&room, &chart, 0, &x, &y);
    ck_assert(analysis_legend_find(&chart, &room, &form, &box));
    ck_assert(box.left < 0.5 && box.top > 4);
    ck_assert(analysis_room_is_free(&room, &box));
    ck_assert_uint_eq(form.forms[0].lines, 3);
    /* With a name that is too long it is not. */
    static const char *const longer[] = {"1", "2",
                                         "a name as long as half a figure, or more"};
    chart.curve_names = longer;
    ck_assert(!analysis_legend_find(&chart, &room, &form, &box));
    form = analysis_legend_fit(&chart, 8.3);
    ck_assert(form.width <= 8.3);
    analysis_room_free(&room);
    analysis_chart_free(&chart);
}
END_TEST

/* Of four short names there is one line, with the title in front. */
START_TEST(test_legend_form)
{
    struct analysis_chart chart = new_chart(1, 4);
    struct analysis_legend_layout layout = analysis_legend_fit(&chart, 8.3);
    ck_assert_uint_eq(layout.count, 1);
    ck_assert_uint_eq(layout.forms[0].lines, 1);
    ck_assert(layout.forms[0].title_in_front &&
              layout.forms[0].title > analysis_words_width("pe.count"));
    layout = analysis_legend_lay_out(&chart, 1);
    ck_assert(!layout.forms[0].title_in_front && layout.forms[0].lines == 4);
    analysis_chart_free(&chart);
}
END_TEST

/* Makes three lines over 0 to 4. The last of their points is at x = 4. */
static struct analysis_chart new_lines(void)
{
    struct analysis_chart chart = new_chart(1, 3);
    for (size_t curve = 0; curve < 3; curve++)
        for (int i = 0; i <= 4; i++)
            add_point(&chart, 0, curve, i, i * (double)(curve + 1));
    return chart;
}

START_TEST(test_line_ends)
{
    struct analysis_line_end ends[ANALYSIS_LINE_ENDS];
    struct analysis_chart chart = new_lines();
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5),
                              y = analysis_axis_y(&chart, 0, 4.2);
    struct analysis_point *second = &chart.panels[0].curves[1].points.items[4];
    ck_assert(analysis_line_ends_are_clear(&chart, 0, &x, &y));
    analysis_line_ends_place(&chart, 0, &x, &y, ends);
    for (int i = 0; i < 3; i++) {
        ck_assert(ends[i].is_beside && !ends[i].is_led_to && ends[i].left > x.length);
        ck_assert(fabs(ends[i].middle - ends[i].end_y) < 1e-9);
    }
    /* Lines that end at nearly the same value: names are apart, and lines lead to those that are
     * not at the end of theirs. */
    second->y = 11.9;
    chart.panels[0].curves[0].points.items[4].y = 11.8;
    ck_assert(!analysis_line_ends_are_clear(&chart, 0, &x, &y));
    analysis_line_ends_place(&chart, 0, &x, &y, ends);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++)
            ck_assert(fabs(ends[i].middle - ends[j].middle) > 0.25);
        ck_assert(ends[i].is_led_to == (fabs(ends[i].middle - ends[i].end_y) > 0.18));
        ck_assert(ends[i].middle < y.length + 0.2);
    }
    analysis_chart_free(&chart);
}
END_TEST

/* The name of a line that ends elsewhere is at the end of that line. */
START_TEST(test_line_ends_inside)
{
    struct analysis_line_end ends[ANALYSIS_LINE_ENDS];
    struct analysis_chart chart = new_lines();
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5),
                              y = analysis_axis_y(&chart, 0, 4.2);
    chart.panels[0].curves[1].points.count = 3;
    ck_assert(!analysis_line_ends_are_clear(&chart, 0, &x, &y));
    analysis_line_ends_place(&chart, 0, &x, &y, ends);
    ck_assert(ends[0].is_beside && !ends[1].is_beside && ends[2].is_beside);
    ck_assert(fabs(ends[1].end_x - 6.5 / 2) < 1e-9);
    ck_assert(fabs(ends[1].left - ends[1].end_x) < 0.5);
    ck_assert(fabs(ends[1].middle - ends[1].end_y) < 0.5);
    /* Or where a line leaves the panel. */
    chart.y.range = (struct analysis_range){0, 6};
    y = analysis_axis_y(&chart, 0, 4.2);
    analysis_line_ends_place(&chart, 0, &x, &y, ends);
    ck_assert(!ends[2].is_beside && fabs(ends[2].end_x - 6.5 / 2) < 1e-9);
    ck_assert(fabs(ends[2].end_y - 4.2) < 1e-9 && ends[2].middle < 4.4);
    /* Two lines that end together: their names are apart. */
    chart.panels[0].curves[0].points.count = 3;
    chart.panels[0].curves[0].points.items[2].y = 4.1;
    chart.y.range = (struct analysis_range){0, 12};
    y = analysis_axis_y(&chart, 0, 4.2);
    analysis_line_ends_place(&chart, 0, &x, &y, ends);
    ck_assert(!ends[0].is_beside && fabs(ends[0].end_x - ends[1].end_x) < 1e-9);
    ck_assert(fabs(ends[0].middle - ends[1].middle) > 0.3);
    ck_assert(ends[0].left - ends[0].end_x < 0.5);
    /* Nothing is named that has no points. */
    chart.panels[0].curves[0].points.count = 0;
    analysis_line_ends_place(&chart, 0, &x, &y, ends);
    ck_assert(!ends[0].is_shown);
    analysis_chart_free(&chart);
}
END_TEST

/* --- reference lines ---------------------------------------------------------------------- */

START_TEST(test_guides)
{
    struct analysis_chart chart = new_chart(1, 1);
    struct analysis_reference lines[] = {
        {.kind = ANALYSIS_REFERENCE_Y, .at = 20, .label = "goal"},
        {.kind = ANALYSIS_REFERENCE_X, .at = 99, .label = "outside"},
    };
    chart.references.items = lines;
    chart.references.count = 2;
    chart.x.range = (struct analysis_range){0, 8};
    add_point(&chart, 0, 0, 4, 10);
    add_point(&chart, 0, 0, 8, 22);
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5),
                              y = analysis_axis_y(&chart, 0, 4.2);
    struct analysis_room room;
    struct analysis_box box;
    ck_assert(y.greatest >= 20);
    analysis_room_start(&room, &chart, 0, &x, &y);
    ck_assert(analysis_guides_label(&chart, 0, &x, &y, &room, &box));
    ck_assert(analysis_room_is_free(&room, &box));
    ck_assert(box.right < 5); /* to the right the line comes */
    ck_assert(!analysis_guides_label(&chart, 1, &x, &y, &room, &box));
    analysis_room_free(&room);
    chart.references = (analysis_reference_list){0};
    analysis_chart_free(&chart);
}
END_TEST

/* Where lines are everywhere, a label hides as little as it can, and is inside the panel. */
START_TEST(test_guides_crowded)
{
    struct analysis_chart chart = new_chart(1, 1);
    struct analysis_reference line = {
        .kind = ANALYSIS_REFERENCE_Y, .at = 40, .label = "as many as there are"};
    chart.references.items = &line;
    chart.references.count = 1;
    for (int i = 0; i <= 80; i++)
        add_point(&chart, 0, 0, i, i % 2 ? 0 : 40);
    struct analysis_plot_axis x = analysis_axis_x(&chart, 0, 6.5),
                              y = analysis_axis_y(&chart, 0, 4.2);
    struct analysis_room room;
    struct analysis_box box;
    analysis_room_start(&room, &chart, 0, &x, &y);
    ck_assert(analysis_guides_label(&chart, 0, &x, &y, &room, &box));
    ck_assert(box.left >= 0 && box.right <= 6.5 && box.bottom >= 0 && box.top <= 4.2);
    ck_assert(fabs((box.top + box.bottom) / 2 - 4.2) < 0.5);
    analysis_room_free(&room);
    chart.references = (analysis_reference_list){0};
    analysis_chart_free(&chart);
}
END_TEST

/* --- colours ------------------------------------------------------------------------------ */

static double linear(const char *digits)
{
    const char two[] = {digits[0], digits[1], '\0'};
    double v = (double)strtol(two, NULL, 16) / 255;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Relative luminance (sRGB). */
static double luminance(const char *colour)
{
    return 0.2126 * linear(colour + 1) + 0.7152 * linear(colour + 3) +
           0.0722 * linear(colour + 5);
}

/* L* of CIELAB. */
static double lightness(const char *colour)
{
    double y = luminance(colour);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

/* Each shows on white (contrast of WCAG 2), and all are greys that differ. */
START_TEST(test_colours)
{
    for (size_t i = 0; i < 8; i++) {
        const char *colour = analysis_marks_colour(i);
        ck_assert_msg(1.05 / (luminance(colour) + 0.05) >= 3, "%s is too light", colour);
        for (size_t j = 0; j < i; j++) {
            const char *other = analysis_marks_colour(j);
            double apart = fabs(lightness(colour) - lightness(other));
            ck_assert_msg(apart >= (i < 4 ? 10 : 4), "%s and %s are one grey", colour,
                          other);
            ck_assert(analysis_marks_point(i) != analysis_marks_point(j));
        }
    }
}
END_TEST

/* --- what is written ---------------------------------------------------------------------- */

START_TEST(test_script)
{
    static const enum analysis_legend places[] = {
        ANALYSIS_LEGEND_AUTO,  ANALYSIS_LEGEND_DIRECT, ANALYSIS_LEGEND_INSIDE,
        ANALYSIS_LEGEND_RIGHT, ANALYSIS_LEGEND_BELOW,  ANALYSIS_LEGEND_NONE};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct analysis_chart chart = new_chart(1, 4);
        struct lib_text script = {0};
        chart.legend = places[i];
        for (size_t curve = 0; curve < 4; curve++)
            for (int x = 0; x <= 4; x++)
                add_point(&chart, 0, curve, x, (double)((x + 1) * (int)(curve + 1)));
        analysis_plot_write_script(&chart, ANALYSIS_PLOT_FORMS, &script);
        bool none = places[i] == ANALYSIS_LEGEND_NONE;
        ck_assert_uint_eq(count_of(script.bytes, "pe.count"), none ? 0 : 1);
        ck_assert_uint_eq(count_of(script.bytes, "'16' at screen"), none ? 0 : 1);
        lib_text_free(&script);
        analysis_chart_free(&chart);
    }
}
END_TEST

/* Returns the script of a chart. The caller frees it. */
static struct lib_text script_of(const struct analysis_chart *chart)
{
    struct lib_text script = {0};
    analysis_plot_write_script(chart, ANALYSIS_PLOT_FORMS, &script);
    return script;
}

/* Widths in cm; a figure is as wide as was asked for, or as its axes need. */
START_TEST(test_width)
{
    static const struct {
        size_t panels, beside;
        double width;
        const char *size;
        size_t columns;
    } wanted[] = {
        {1, 0, 0, "size 8.50cm", 1},   {1, 0, 12, "size 12.00cm", 1},
        {3, 0, 0, "size 8.50cm", 1},   {3, 3, 0, "size 17.50cm", 3},
        {3, 3, 14, "size 14.00cm", 3}, {2, 8, 9, "size 9.00cm", 2},
        {4, 0, 0, "size 17.50cm", 2},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct analysis_chart chart = new_chart(wanted[i].panels, 1);
        chart.width = wanted[i].width;
        chart.beside = wanted[i].beside;
        struct lib_text script = script_of(&chart);
        ck_assert_msg(strstr(script.bytes, wanted[i].size), "not %s", wanted[i].size);
        /* The label of the x axis is below the last panel of each column. */
        ck_assert_uint_eq(count_of(script.bytes, "set label 'n' at"), wanted[i].columns);
        lib_text_free(&script);
        analysis_chart_free(&chart);
    }
    struct analysis_chart chart = new_chart(8, 1);
    chart.width = 4;
    chart.beside = 8;
    struct lib_text script = script_of(&chart);
    ck_assert(!strstr(script.bytes, "size 4.00cm"));
    lib_text_free(&script);
    analysis_chart_free(&chart);
}
END_TEST

/* A title that is wider than its panel has several lines. */
START_TEST(test_titles)
{
    struct analysis_chart chart = new_chart(4, 1);
    chart.beside = 4;
    for (size_t i = 0; i < 4; i++)
        chart.panels[i].title = "a rather long name, and one more";
    struct lib_text script = script_of(&chart);
    ck_assert_uint_eq(count_of(script.bytes, "'a rather long' at"), 4);
    ck_assert_uint_eq(count_of(script.bytes, "'name, and one more' at"), 4);
    lib_text_free(&script);
    analysis_chart_free(&chart);
}
END_TEST

/* A long label has as many lines as it needs, and all of it is there. */
START_TEST(test_long_label)
{
    struct analysis_chart chart = new_chart(1, 1);
    chart.y.label =
        "one of the lines, another of the lines, a third one of these lines, and the "
        "last of all lines";
    add_point(&chart, 0, 0, 1, 1);
    struct lib_text script = script_of(&chart);
    ck_assert_uint_eq(count_of(script.bytes, "center rotate by 90"), 3);
    ck_assert_uint_eq(count_of(script.bytes, "'one of the lines, another of the'"), 1);
    ck_assert_uint_eq(count_of(script.bytes, "'lines, a third one of these'"), 1);
    ck_assert_uint_eq(count_of(script.bytes, "'lines, and the last of all lines'"), 1);
    lib_text_free(&script);
    analysis_chart_free(&chart);
}
END_TEST

/* The grid is visible behind a legend inside the panel. */
START_TEST(test_legend_grid)
{
    struct analysis_chart chart = new_lines();
    chart.legend = ANALYSIS_LEGEND_INSIDE;
    struct lib_text script = script_of(&chart);
    ck_assert_uint_eq(count_of(script.bytes, "fs transparent solid 0.6 noborder"), 1);
    ck_assert_uint_eq(count_of(script.bytes, "fs solid 1 noborder"), 0);
    lib_text_free(&script);
    analysis_chart_free(&chart);
}
END_TEST

/* Of two keys the first one is the colour, and the second one the dash and the point. The legend
 * names the values of each once. */
START_TEST(test_looks)
{
    static const struct analysis_look looks[] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    static const char *const disciplines[] = {"fifo", "lifo"};
    struct analysis_chart chart = new_chart(1, 4);
    chart.looks = looks;
    chart.keys[0] = (struct analysis_legend_key){"pe.count", names, 2};
    chart.keys[1] = (struct analysis_legend_key){"order", disciplines, 2};
    chart.legend = ANALYSIS_LEGEND_BELOW;
    for (size_t curve = 0; curve < 4; curve++)
        add_point(&chart, 0, curve, 1, (double)curve);
    struct lib_text script = script_of(&chart);
    static const char *const found[] = {
        "set linetype 1 lc rgb \"#1A4AB7\" lw 1.5 dt 1 pt 7 ",
        "set linetype 2 lc rgb \"#1A4AB7\" lw 1.5 dt (10,3) pt 5 ",
        "set linetype 3 lc rgb \"#D1812A\" lw 1.5 dt 1 pt 7 ",
        "set linetype 4 lc rgb \"#D1812A\" lw 1.5 dt (10,3) pt 5 ",
        "nohead lc rgb \"#D1812A\" lw 1.5 dt 1\n",
        "nohead lc rgb \"#000000\" lw 1.5 dt (10,3)\n",
        "'pe.count:' at",
        "'order:' at",
        "'1' at",
        "'lifo' at",
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        ck_assert_msg(count_of(script.bytes, found[i]) == 1, "not once: %s", found[i]);
    lib_text_free(&script);
    struct analysis_legend_layout layout = analysis_legend_fit(&chart, 20);
    ck_assert(layout.count == 2 && layout.is_beside);
    layout = analysis_legend_fit(&chart, 4);
    ck_assert(!layout.is_beside && layout.width <= 4);
    /* Where not each value of the one goes with each of the other, it names curves. */
    chart.keys[0].count = chart.keys[1].count = 0;
    script = script_of(&chart);
    ck_assert_uint_eq(
        count_of(script.bytes, "nohead lc rgb \"#1A4AB7\" lw 1.5 dt (10,3)\n"), 1);
    ck_assert_uint_eq(count_of(script.bytes, "'64' at"), 1);
    lib_text_free(&script);
    layout = analysis_legend_fit(&chart, 20);
    ck_assert(layout.count == 1 && layout.forms[0].columns == 4);
    analysis_chart_free(&chart);
}
END_TEST

/* Parts of a stack are hatched, so that they are distinct as greys; and so are their samples. */
START_TEST(test_hatches)
{
    struct analysis_chart chart = new_chart(1, 4);
    chart.kind = ANALYSIS_FIGURE_STACKED;
    chart.legend = ANALYSIS_LEGEND_BELOW;
    chart.x.place_count = 1;
    chart.x.places = names;
    for (size_t curve = 0; curve < 4; curve++)
        add_point(&chart, 0, curve, 0, 1 + (double)curve);
    analysis_chart_stack(&chart);
    struct lib_text script = script_of(&chart);
    for (size_t i = 0; i < 4; i++) {
        char pattern[40];
        snprintf(pattern, sizeof pattern, "fs transparent pattern %d noborder",
                 analysis_marks_hatch(i));
        ck_assert_uint_eq(count_of(script.bytes, pattern),
                          analysis_marks_hatch(i) ? 2 : 0);
    }
    for (size_t i = 0; i < 7; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert(analysis_marks_hatch(i) != analysis_marks_hatch(k));
    lib_text_free(&script);
    analysis_chart_free(&chart);
}
END_TEST

/* What a logarithmic axis cannot show is counted, and a curve without points is still there. */
START_TEST(test_data)
{
    struct analysis_chart chart = new_chart(1, 2);
    struct lib_text data = {0};
    chart.y.scale = ANALYSIS_SCALE_LOG10;
    add_point(&chart, 0, 0, 1, 0.5);
    add_point(&chart, 0, 0, 2, 0);
    add_point(&chart, 0, 1, 1, NAN);
    ck_assert_uint_eq(chart.hidden, 2);
    analysis_chart_write_data(&chart, &data);
    ck_assert_str_eq(data.bytes, "# x value low high runs\n"
                                 "# pe.count: 1\n1 0.5 NaN NaN 0\n\n\n"
                                 "# pe.count: 4\nNaN NaN NaN NaN 0\n\n\n");
    lib_text_free(&data);
    analysis_chart_free(&chart);
}
END_TEST

START_TEST(test_words)
{
    struct lib_text text = {0};
    /* 6 times 556 of 1000 of 8 points, and 15 % to spare. */
    ck_assert(fabs(analysis_words_width("123456") - 6 * 0.556 * 0.2822 * 1.15) < 1e-3);
    ck_assert(analysis_words_width("−") > 0.1 && analysis_words_width("il") < 0.15);
    analysis_words_write(&text,
                         "a_b^{c} \"d\" 5%\x01"
                         "3\x02",
                         ANALYSIS_WORDS_TICK);
    ck_assert_str_eq(text.bytes, "'a\\_b\\^\\{c\\} \"d\" 5%%10^{3}'");
    lib_text_clear(&text);
    analysis_words_write(&text, "a\\n", ANALYSIS_WORDS_LABEL);
    ck_assert_str_eq(text.bytes, "'a\\\\n{}'");
    lib_text_free(&text);
}
END_TEST

START_TEST(test_wrap)
{
    struct lib_arena *arena = lib_arena_new();
    struct analysis_lines lines = analysis_words_wrap(arena, "a word", 3);
    ck_assert_uint_eq(lines.count, 1);
    lines = analysis_words_wrap(arena, "two words and two more", 2.5);
    ck_assert_uint_eq(lines.count, 2);
    ck_assert_str_eq(lines.lines[0], "two words");
    ck_assert_str_eq(lines.lines[1], "and two more");
    /* A word without blanks is divided too. */
    lines = analysis_words_wrap(arena, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 2.5);
    ck_assert_uint_eq(lines.count, 3);
    ck_assert_str_eq(lines.lines[2], "aaaaaaaaaa");
    lib_arena_free(arena);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("chart");
    tcase_add_test(tcase, test_values);
    tcase_add_test(tcase, test_range);
    tcase_add_test(tcase, test_panels);
    tcase_add_test(tcase, test_chosen);
    tcase_add_test(tcase, test_measured);
    tcase_add_test(tcase, test_own_x);
    tcase_add_test(tcase, test_places);
    tcase_add_test(tcase, test_own_places);
    tcase_add_test(tcase, test_log_colours);
    tcase_add_test(tcase, test_stacks);
    tcase_add_test(tcase, test_legend_inside);
    tcase_add_test(tcase, test_legend_form);
    tcase_add_test(tcase, test_line_ends);
    tcase_add_test(tcase, test_line_ends_inside);
    tcase_add_test(tcase, test_guides);
    tcase_add_test(tcase, test_guides_crowded);
    tcase_add_test(tcase, test_colours);
    tcase_add_test(tcase, test_script);
    tcase_add_test(tcase, test_width);
    tcase_add_test(tcase, test_titles);
    tcase_add_test(tcase, test_long_label);
    tcase_add_test(tcase, test_legend_grid);
    tcase_add_test(tcase, test_looks);
    tcase_add_test(tcase, test_hatches);
    tcase_add_test(tcase, test_data);
    tcase_add_test(tcase, test_words);
    tcase_add_test(tcase, test_wrap);
    return test_main("chart", tcase);
}
