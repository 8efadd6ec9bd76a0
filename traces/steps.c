#include "traces/steps.h"

#include <math.h>

#include "lib/memory.h"

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}

uint64_t traces_steps_width(uint64_t length, uint64_t grain)
{
    grain = grain ? grain : 1;
    uint64_t width = divide_up(divide_up(length, TRACES_STEPS_MAX), grain) * grain;
    return width ? width : 1;
}

void traces_steps_start(struct traces_steps *steps, uint64_t length, uint64_t width)
{
    *steps = (struct traces_steps){.width = width, .count = divide_up(length, width)};
    steps->columns = lib_mem_new((steps->count + 1) * sizeof *steps->columns);
}

void traces_steps_free(struct traces_steps *steps)
{
    lib_mem_free(steps->columns);
    *steps = (struct traces_steps){0};
}

void traces_steps_add(struct traces_steps *steps, uint64_t from, uint64_t length,
                      double value)
{
    const uint64_t end = from + length;
    for (uint64_t i = from / steps->width; i < steps->count && from < end; i++) {
        struct traces_step_column *column = &steps->columns[i];
        uint64_t behind = (i + 1) * steps->width, here = behind < end ? behind : end;
        double places = (double)(here - from);
        column->greatest = column->places > 0 ? fmax(column->greatest, value) : value;
        column->sum += value * places;
        column->places += places;
        from = here;
    }
}

double traces_steps_mean(const struct traces_steps *steps, size_t i)
{
    const struct traces_step_column *column = &steps->columns[i];
    return column->places > 0 ? column->sum / column->places : NAN;
}

double traces_steps_greatest(const struct traces_steps *steps, size_t i)
{
    const struct traces_step_column *column = &steps->columns[i];
    return column->places > 0 ? column->greatest : NAN;
}
