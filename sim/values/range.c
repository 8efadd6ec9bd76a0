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

static bool is_whole_behind(int64_t value, int64_t last, int64_t step)
{
    return step > 0 ? value > last : value < last;
}

static bool is_behind(double value, double last, double step)
{
    return step > 0 ? value > last : value < last;
}

/* Decimal number: digits * 10^exponent. */
struct decimal {
    __int128 digits;
    int64_t exponent;
};

/* Reads a number that lib_text_to_real accepts. Returns false if it has too many digits. */
static bool read_decimal(const char *text, struct decimal *d)
{
    const bool is_negative = *text == '-';
    bool has_point = false;
    *d = (struct decimal){0};
    for (text += is_negative || *text == '+'; *text && !strchr("eE", *text); text++) {
        has_point |= *text == '.';
        if (*text == '.')
            continue;
        if (__builtin_mul_overflow(d->digits, 10, &d->digits) ||
            __builtin_add_overflow(d->digits, *text - '0', &d->digits))
            return false;
        d->exponent -= has_point;
    }
    int64_t exponent = 0;
    if (*text && !lib_text_to_int(text + 1, &exponent))
        return false;
    d->digits = is_negative ? -d->digits : d->digits;
    return !__builtin_add_overflow(d->exponent, exponent, &d->exponent);
}

/* Raises the digits of a number until its exponent is `exponent`. Returns false if they are too
 * many. */
static bool scale_decimal(struct decimal *d, int64_t exponent)
{
    for (; d->digits && d->exponent > exponent; d->exponent--)
        if (__builtin_mul_overflow(d->digits, 10, &d->digits))
            return false;
    return true;
}

static int64_t least_exponent(const struct decimal *numbers, size_t count)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < count; i++)
        if (numbers[i].digits && numbers[i].exponent < least)
            least = numbers[i].exponent;
    return least;
}

/* Counts the steps of a range in decimal, where no digit is rounded. Returns false if numbers are
 * too long for that. */
static bool count_decimal_steps(const char *const texts[3], double *steps)
{
    struct decimal n[3];
    __int128 way;
    for (size_t i = 0; i < 3; i++)
        if (!read_decimal(texts[i], &n[i]))
            return false;
    const int64_t least = least_exponent(n, 3);
    for (size_t i = 0; i < 3; i++)
        if (!scale_decimal(&n[i], least))
            return false;
    if (n[2].digits == 0 || __builtin_sub_overflow(n[1].digits, n[0].digits, &way))
        return false;
    const bool is_empty = n[2].digits > 0 ? way < 0 : way > 0;
    *steps = is_empty ? -1 : (double)(way / n[2].digits);
    return true;
}

/* Returns the number of steps as reals are rounded, less than 0 if the range is empty. */
static double count_real_steps(double first, double last, double step)
{
    static const double slack = 1e-9; /* steps */
    return is_behind(first, last, step) ? -1 : floor((last - first) / step + slack);
}

bool sim_reals_read(struct sim_reals *r, const struct sim_range *range)
{
    const char *const texts[3] = {range->first, range->last,
                                  range->step ? range->step : "1"};
    double *const numbers[3] = {&r->first, &r->last, &r->step};
    for (size_t i = 0; i < 3; i++)
        if (!lib_text_to_real(texts[i], numbers[i]) || !isfinite(*numbers[i]))
            return false;
    if (!count_decimal_steps(texts, &r->steps))
        r->steps = count_real_steps(r->first, r->last, r->step);
    return r->step != 0;
}

double sim_reals_at(const struct sim_reals *r, size_t k)
{
    const double offset = (double)k * r->step, value = r->first + offset;
    return is_behind(value, r->last, r->step) ? r->last : value;
}

/* Adds a real. Steps below the distance of reals would repeat a value. */
static bool add_real(const struct sim_range *range, const struct sim_reals *reals,
                     struct lib_arena *arena, struct lib_pos pos,
                     struct sim_values *values, struct lib_text *why)
{
    LIB_TEXT_OWN text = {0};
    double before = reals->first;
    bool good = true;
    for (size_t k = 0; good && (double)k <= reals->steps; k++) {
        const double v = sim_reals_at(reals, k);
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
    struct sim_reals reals;
    sim_reals_read(&reals, range);
    if (are_whole ? is_whole_behind(first.whole, last.whole, step.whole)
                  : reals.steps < 0) {
        describe_range(range, why);
        lib_text_puts(why, "is empty");
        return false;
    }
    const double steps = are_whole
                             ? (double)count_steps(first.whole, last.whole, step.whole)
                             : reals.steps;
    if (!fits_limit(range, steps + 1, values, why))
        return false;
    if (!are_whole)
        return add_real(range, &reals, arena, pos, values, why);
    add_whole(first.whole, step.whole, (size_t)steps, arena, pos, values);
    return true;
}
