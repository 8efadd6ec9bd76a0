#include "analysis/figure/axis_internal.h"

#include <math.h>

#include "analysis/figure/words.h"

double analysis_axis_step(double span, double most)
{
    double power = pow(10, floor(log10(span / most))), steps = span / most / power;
    double step = steps <= 1.001 ? 1 : steps <= 2.001 ? 2 : steps <= 5.001 ? 5 : 10;
    return step * power;
}

static void add_place(struct analysis_plot_axis *axis, const struct analysis_axis *spec,
                      size_t i)
{
    axis->ticks[axis->tick_count++] = (struct analysis_tick){(double)i, spec->places[i],
                                                             spec->places[i]};
}

/* Adds each second, fourth, ... place, or each tenth, twentieth, ... if their number is not a power
 * of two; and the last one, instead of a tick too near. */
static void count_places(struct analysis_plot_axis *axis,
                         const struct analysis_axis *spec, size_t least)
{
    size_t stride = 1, last = spec->place_count - 1;
    if (least > 2 && (spec->place_count & last))
        stride = (size_t)analysis_axis_step((double)least, 1);
    while (stride < least)
        stride *= 2;
    for (size_t i = 0; i + least <= last; i += stride)
        add_place(axis, spec, i);
    add_place(axis, spec, last);
}

static void divide_places(struct analysis_plot_axis *axis, struct lib_arena *arena,
                          const struct analysis_axis *spec)
{
    const double width = spec->place_width, length = width * (double)spec->place_count;
    const char *last = lib_arena_printf(arena, "%.0f", length);
    const double need = analysis_words_width(last) + 0.15;
    const double step = fmax(
        1, analysis_axis_step(length, fmax(2, floor(axis->length / need))));
    axis->has_marks = true;
    for (double at = 0; at <= length && axis->tick_count < spec->place_count;
         at += step) {
        const char *text = lib_arena_printf(arena, "%.0f", at);
        axis->ticks[axis->tick_count++] = (struct analysis_tick){at / width - 0.5, text,
                                                                 text};
    }
}

/* Whether the names of places are equally spaced numbers. If so, sets the first number and the
 * distance. */
static bool are_spaced(const struct analysis_axis *spec, double *first, double *gap)
{
    double number, last = 0;
    *first = *gap = 0;
    for (size_t i = 0; i < spec->place_count; i++, last = number) {
        if (!lib_text_to_real(spec->places[i], &number))
            return false;
        if (i == 0)
            *first = number;
        else if (i == 1)
            *gap = number - last;
        else if (fabs(number - last - *gap) > 1e-6 * fabs(*gap))
            return false;
    }
    return *gap > 0;
}

/* Adds the places of round numbers, if there are at least two such places. */
static bool add_round(struct analysis_plot_axis *axis, const struct analysis_axis *spec,
                      size_t stride)
{
    double first, gap;
    if (stride < 2 || !spec->has_numbers || !are_spaced(spec, &first, &gap))
        return false;
    const double steps = (double)(spec->place_count - 1) / (double)stride;
    const double step = analysis_axis_step(gap * (double)(spec->place_count - 1),
                                           fmax(1, steps));
    for (size_t i = 0; i < spec->place_count; i++) {
        const double part = (first + gap * (double)i) / step;
        if (fabs(part - nearbyint(part)) < 1e-6)
            add_place(axis, spec, i);
    }
    if (axis->tick_count >= 2)
        return true;
    axis->tick_count = 0;
    return false;
}

void analysis_axis_make_places(struct analysis_plot_axis *axis, struct lib_arena *arena,
                               const struct analysis_axis *spec)
{
    bool is_x = *axis->letter == 'x';
    double widest = 0, room = axis->length / (double)spec->place_count;
    axis->ticks = LIB_ARENA_ARRAY(arena, struct analysis_tick, spec->place_count + 1);
    axis->has_places = true;
    axis->least = -0.5;
    axis->greatest = (double)spec->place_count - 0.5;
    for (size_t i = 0; i < spec->place_count; i++)
        widest = fmax(widest, analysis_words_width(spec->places[i]));
    axis->is_turned = is_x && !spec->has_numbers && widest + 0.1 > room;
    double need = is_x && !axis->is_turned ? widest + 0.1 : 0.32;
    size_t stride = (size_t)fmax(1, ceil(need / room));
    if (spec->place_width > 0)
        divide_places(axis, arena, spec);
    else if (spec->is_count)
        count_places(axis, spec, stride);
    else if (!add_round(axis, spec, stride))
        for (size_t i = (spec->place_count - 1) % stride; i < spec->place_count;
             i += stride)
            add_place(axis, spec, i);
}
