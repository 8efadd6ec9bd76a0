#include "sim/range.h"

#include <inttypes.h>
#include <math.h>

/* A number of a range; `is_whole`: `whole` has it exactly. */
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
    return false;
}

static bool add(struct sim_values *values, const char *text, struct lib_pos pos,
                struct lib_text *why)
{
    if (values->list.count >= SIM_MAX_VALUES) {
        lib_text_printf(why, "more than %d values", SIM_MAX_VALUES);
        return false;
    }
    *LIB_VEC_PUSH(&values->list) = (struct sim_value){.text = text, .pos = pos};
    return true;
}

static bool add_whole(int64_t first, int64_t last, int64_t step, struct lib_arena *arena,
                      struct lib_pos pos, struct sim_values *values, struct lib_text *why)
{
    for (int64_t v = first; step > 0 ? v <= last : v >= last;) {
        if (!add(values, lib_arena_printf(arena, "%" PRId64, v), pos, why))
            return false;
        if (__builtin_add_overflow(v, step, &v))
            break;
    }
    return true;
}

static bool add_real(double first, double last, double step, struct lib_arena *arena,
                     struct lib_pos pos, struct sim_values *values, struct lib_text *why)
{
    struct lib_text text = {0};
    bool good = true;
    for (uint64_t k = 0; good; k++) {
        double offset = (double)k * step, v = first + offset;
        if (step > 0 ? v > last : v < last)
            break;
        lib_text_clear(&text);
        lib_text_real(&text, v);
        good = add(values, lib_arena_copy(arena, text.bytes, text.length), pos, why);
    }
    lib_text_free(&text);
    return good;
}

bool sim_range_add(const struct sim_range *range, struct lib_arena *arena,
                   struct lib_pos pos, struct sim_values *values, struct lib_text *why)
{
    struct number first, last, step = {1, 1, true};
    if (!read_number(range->first, &first, why) ||
        !read_number(range->last, &last, why) ||
        (range->step && !read_number(range->step, &step, why)))
        return false;
    if (step.real == 0) {
        lib_text_puts(why, "the step of the range is 0");
        return false;
    }
    if (step.real > 0 ? first.real > last.real : first.real < last.real) {
        lib_text_printf(why, "the range from %s to %s in steps of %s is empty",
                        range->first, range->last, range->step ? range->step : "1");
        return false;
    }
    return first.is_whole && last.is_whole && step.is_whole
               ? add_whole(first.whole, last.whole, step.whole, arena, pos, values, why)
               : add_real(first.real, last.real, step.real, arena, pos, values, why);
}
