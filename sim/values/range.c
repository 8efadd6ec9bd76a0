#include "sim/values/range.h"

#include <math.h>
#include <string.h>

#include "lib/cursor.h"

/* Number of a range. `whole` is exact if is_whole. */
struct number {
    double real;
    int64_t whole;
    bool is_whole;
};

static bool read_number(const char *text, struct number *number, struct lib_text *why)
{
    number->is_whole = lib_text_to_int(text, &number->whole);
    if (lib_text_to_real(text, &number->real) && isfinite(number->real))
        return true;
    lib_text_printf(why, *text ? "expected a number, found `%s`" : "a number is missing",
                    text);
    lib_text_hint_whole(why, text, 0, INT64_MAX);
    return false;
}

static void describe_range(const struct sim_range *range, struct lib_text *why)
{
    lib_text_printf(why, "the range from %s to %s in steps of %s ", range->first,
                    range->last, range->step ? range->step : "1");
}

/* Whether `count` further values are allowed; if not, adds to `why` how many there are. */
static bool fits_limit(const struct sim_range *range, double count,
                       const struct sim_values *values, struct lib_text *why)
{
    const size_t before = values->list.count;
    if (count + (double)before <= SIM_MAX_VALUES)
        return true;
    describe_range(range, why);
    lib_text_puts(why, "has ");
    lib_text_count(why, count);
    lib_text_puts(why, " values");
    if (before)
        lib_text_printf(why, ", behind %zu others", before);
    lib_text_printf(why, "; a parameter has at most %d", SIM_MAX_VALUES);
    return false;
}

static void add_value(struct sim_values *values, const char *text, struct lib_pos pos)
{
    *LIB_VEC_PUSH(&values->list) = (struct sim_value){.text = text, .pos = pos};
}

/* Returns the number of steps. `last` is not before `first` in the direction of `step`. */
static uint64_t count_steps(int64_t first, int64_t last, int64_t step)
{
    return (uint64_t)(((__int128)last - first) / step);
}

static void add_whole(int64_t first, int64_t step, size_t steps, struct lib_arena *arena,
                      struct lib_pos pos, struct sim_values *values)
{
    LIB_TEXT_OWN text = {0};
    for (size_t k = 0; k <= steps; k++) {
        lib_text_clear(&text);
        lib_text_int(&text, (int64_t)((uint64_t)first + k * (uint64_t)step));
        add_value(values, lib_arena_copy(arena, text.bytes, text.length), pos);
    }
}

static bool is_behind(double value, double last, double step)
{
    return step > 0 ? value > last : value < last;
}

/* Returns the number of steps. The quotient may be rounded, so its neighbours are tried. */
static double count_real_steps(double first, double last, double step)
{
    double steps = floor((last - first) / step);
    if (!(steps < 2 * SIM_MAX_VALUES))
        return steps;
    while (!is_behind(first + (steps + 1) * step, last, step) &&
           steps < 2 * SIM_MAX_VALUES)
        steps++;
    while (steps > 0 && is_behind(first + steps * step, last, step))
        steps--;
    return steps;
}

/* Adds a real. Steps below the distance of reals would repeat a value. */
static bool add_real(const struct sim_range *range, double first, double step,
                     size_t steps, struct lib_arena *arena, struct lib_pos pos,
                     struct sim_values *values, struct lib_text *why)
{
    LIB_TEXT_OWN text = {0};
    double before = first;
    bool good = true;
    for (size_t k = 0; good && k <= steps; k++) {
        double offset = (double)k * step, v = first + offset;
        good = k == 0 || v != before;
        before = v;
        lib_text_clear(&text);
        lib_text_real(&text, v);
        if (good)
            add_value(values, lib_arena_copy(arena, text.bytes, text.length), pos);
    }
    if (!good) {
        describe_range(range, why);
        lib_text_printf(why, "has %s twice, as reals lie further apart", text.bytes);
    }
    return good;
}

bool sim_range_read(struct sim_range *range, struct lib_arena *arena, const char *text)
{
    struct lib_cursor c;
    const char *dots = strstr(text, "..");
    if (!dots)
        return false;
    lib_cursor_on(&c, text, NULL, NULL);
    const struct lib_slice first = lib_cursor_move(&c, dots);
    lib_cursor_move(&c, dots + 2);
    const struct lib_slice last = lib_cursor_until(&c, ":");
    *range = (struct sim_range){lib_arena_copy(arena, first.bytes, first.length),
                                lib_arena_copy(arena, last.bytes, last.length),
                                lib_cursor_accept(&c, ":") ? c.at : NULL};
    return true;
}

bool sim_range_add(const struct sim_range *range, struct lib_arena *arena,
                   struct lib_pos pos, struct sim_values *values, struct lib_text *why)
{
    struct number first, last, step = {.real = 1, .whole = 1, .is_whole = true};
    if (!read_number(range->first, &first, why) ||
        !read_number(range->last, &last, why) ||
        (range->step && !read_number(range->step, &step, why)))
        return false;
    if (step.real == 0) {
        lib_text_puts(why, "the step of the range is 0");
        return false;
    }
    const bool are_whole = first.is_whole && last.is_whole && step.is_whole;
    const bool down = step.real < 0;
    if (are_whole ? (down ? first.whole < last.whole : first.whole > last.whole)
                  : is_behind(first.real, last.real, step.real)) {
        describe_range(range, why);
        lib_text_puts(why, "is empty");
        return false;
    }
    double steps = are_whole ? (double)count_steps(first.whole, last.whole, step.whole)
                             : count_real_steps(first.real, last.real, step.real);
    if (!fits_limit(range, steps + 1, values, why))
        return false;
    if (!are_whole)
        return add_real(range, first.real, step.real, (size_t)steps, arena, pos, values,
                        why);
    add_whole(first.whole, step.whole, (size_t)steps, arena, pos, values);
    return true;
}
