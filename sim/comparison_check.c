#include "sim/comparison.h"

#include <inttypes.h>
#include <string.h>

#include "sim/ending.h"
#include "sim/keys.h"

/* What both strategies must agree on, besides the result. */
static const struct {
    const char *name;
    size_t offset; /* of a uint64_t in the statistics */
} counts[] = {
    {"calls", offsetof(struct traces_stats, calls)},
    {"iterations", offsetof(struct traces_stats, loop_iterations)},
};
enum { COUNT_COUNT = sizeof counts / sizeof *counts };

static uint64_t count_of(const struct sim_outcome *outcome, size_t i)
{
    uint64_t value;
    memcpy(&value, (const char *)&outcome->stats + counts[i].offset, sizeof value);
    return value;
}

static bool agree(const struct sim_outcome *a, const struct sim_outcome *b)
{
    bool same = strcmp(lib_text_get(&a->result), lib_text_get(&b->result)) == 0;
    for (size_t i = 0; i < COUNT_COUNT; i++)
        same &= count_of(a, i) == count_of(b, i);
    return same;
}

bool sim_comparison_agrees(const struct sim_comparison *comparison, size_t row)
{
    for (enum sim_side s = 0; s < SIM_SIDE_COUNT; s++)
        if (!sim_comparison_has(comparison, row, s))
            return false;
    return agree(sim_comparison_outcome(comparison, row, SIM_SIDE_STATIC),
                 sim_comparison_outcome(comparison, row, SIM_SIDE_EXPANDING));
}

/* --- what a row comes to ------------------------------------------------------------ */

static enum sim_status status_of(const struct sim_outcome *outcome)
{
    return outcome->crashed ? SIM_INTERNAL : sim_end_status(outcome->end);
}

/* A limit of the machine may end one run and not the other; a program that fails under one
 * strategy alone is a difference. */
static enum sim_status judge(const struct sim_comparison *c, size_t row)
{
    const struct sim_outcome *a = sim_comparison_outcome(c, row, SIM_SIDE_STATIC);
    const struct sim_outcome *b = sim_comparison_outcome(c, row, SIM_SIDE_EXPANDING);
    enum sim_status x = status_of(a), y = status_of(b);
    if (x == SIM_INTERNAL || y == SIM_INTERNAL)
        return SIM_INTERNAL;
    if (x == SIM_DONE && y == SIM_DONE)
        return agree(a, b) ? SIM_DONE : SIM_DIFFERS;
    if (x == y)
        return x;
    if (x == SIM_LIMIT || y == SIM_LIMIT)
        return x == SIM_FAILED || y == SIM_FAILED ? SIM_FAILED : SIM_LIMIT;
    return SIM_DIFFERS;
}

static unsigned weight_of(enum sim_status status)
{
    static const enum sim_status order[] = {SIM_DONE, SIM_LIMIT, SIM_FAILED, SIM_DIFFERS,
                                            SIM_INTERNAL};
    unsigned i = 0;
    while (order[i] != status)
        i++;
    return i;
}

/* --- in lines ---------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(struct lib_text *out,
                                                      const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(out, format, ap);
    lib_text_puts(out, "\n");
    va_end(ap);
}

/* "n=5, x=0.5: ", nothing where no input is given. */
static void write_row(const struct sim_comparison *c, size_t row, struct lib_text *out)
{
    struct lib_arena *arena = lib_arena_new();
    for (size_t i = 0; i < c->input_count; i++) {
        struct sim_cell cell = sim_comparison_input(c, row, i, arena);
        lib_text_printf(out, "%s%s=", i ? " " : "", c->inputs[i]->input);
        sim_cell_write(&cell, out);
    }
    lib_text_puts(out, c->input_count ? ": " : "");
    lib_arena_free(arena);
}

static void tell_failures(const struct sim_comparison *c, size_t row, const char *which,
                          struct lib_text *out)
{
    for (enum sim_side s = 0; s < SIM_SIDE_COUNT; s++)
        if (!sim_comparison_has(c, row, s))
            say(out, "%s%s (%s): %s", which, sim_strategy_names[s],
                sim_comparison_status(c, row, s),
                lib_text_get(&sim_comparison_outcome(c, row, s)->reason));
}

static void tell_difference(const struct sim_comparison *c, size_t row, const char *which,
                            struct lib_text *out)
{
    const struct sim_outcome *a = sim_comparison_outcome(c, row, SIM_SIDE_STATIC);
    const struct sim_outcome *b = sim_comparison_outcome(c, row, SIM_SIDE_EXPANDING);
    const char *x = lib_text_get(&a->result), *y = lib_text_get(&b->result);
    bool both = sim_comparison_has(c, row, SIM_SIDE_STATIC) &&
                sim_comparison_has(c, row, SIM_SIDE_EXPANDING);
    if (!both)
        say(out, "%sthe strategies differ: only one of them has a result", which);
    else if (strcmp(x, y) != 0)
        say(out, "%sthe results differ: static %s, expanding %s", which, x, y);
    for (size_t i = 0; both && i < COUNT_COUNT; i++)
        if (count_of(a, i) != count_of(b, i))
            say(out, "%sthe %s differ: static %" PRIu64 ", expanding %" PRIu64, which,
                counts[i].name, count_of(a, i), count_of(b, i));
}

static void tell(const struct sim_comparison *c, size_t row, enum sim_status status,
                 struct lib_text *out)
{
    struct lib_text which = {0};
    write_row(c, row, &which);
    if (status == SIM_DIFFERS)
        tell_difference(c, row, lib_text_get(&which), out);
    tell_failures(c, row, lib_text_get(&which), out);
    lib_text_free(&which);
}

enum sim_status sim_comparison_check(const struct sim_comparison *comparison,
                                     struct lib_text *out)
{
    enum { SHOWN = 10 };
    enum sim_status worst = SIM_DONE;
    size_t told = 0;
    for (size_t row = 0; row < comparison->row_count; row++) {
        enum sim_status status = judge(comparison, row);
        if (status == SIM_DONE)
            continue;
        if (told++ < SHOWN)
            tell(comparison, row, status, out);
        if (weight_of(status) > weight_of(worst))
            worst = status;
    }
    if (told > SHOWN)
        say(out, "and %zu more rows without a result in both", told - SHOWN);
    return worst;
}
