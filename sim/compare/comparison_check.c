#include "sim/compare/comparison.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/view/keys.h"
#include "sim/ending/ending.h"
#include "sim/ending/idle_pes.h"

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
    const struct sim_outcome *first = sim_comparison_outcome(comparison, row,
                                                             SIM_SIDE_STATIC);
    for (enum sim_side s = 0; s < comparison->side_count; s++)
        if (!sim_comparison_has(comparison, row, s) ||
            !agree(first, sim_comparison_outcome(comparison, row, s)))
            return false;
    return true;
}

/* --- what a row comes to ------------------------------------------------------------ */

static enum sim_status status_of(const struct sim_outcome *outcome)
{
    return outcome->crashed ? SIM_INTERNAL : sim_end_status(outcome->end);
}

/* Static, and another side. A limit of the machine may end one run and not the other; a
 * program that fails under one strategy alone is a difference. */
static enum sim_status judge_side(const struct sim_comparison *c, size_t row,
                                  enum sim_side side)
{
    const struct sim_outcome *a = sim_comparison_outcome(c, row, SIM_SIDE_STATIC);
    const struct sim_outcome *b = sim_comparison_outcome(c, row, side);
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

static enum sim_status graver(enum sim_status a, enum sim_status b)
{
    return weight_of(b) > weight_of(a) ? b : a;
}

static enum sim_status judge(const struct sim_comparison *c, size_t row)
{
    enum sim_status status = SIM_DONE;
    for (enum sim_side s = SIM_SIDE_EXPANDING; s < c->side_count; s++)
        status = graver(status, judge_side(c, row, s));
    return status;
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
        struct traces_cell cell = sim_comparison_input(c, row, i, arena);
        lib_text_printf(out, "%s%s=", i ? " " : "", c->inputs[i]->input);
        traces_cell_write(&cell, out);
    }
    lib_text_puts(out, c->input_count ? ": " : "");
    lib_arena_free(arena);
}

static void tell_failures(const struct sim_comparison *c, size_t row, const char *which,
                          struct lib_text *out)
{
    for (enum sim_side s = 0; s < c->side_count; s++)
        if (!sim_comparison_has(c, row, s))
            say(out, "%s%s (%s): %s", which, c->names[s],
                sim_comparison_status(c, row, s),
                lib_text_get(&sim_comparison_outcome(c, row, s)->reason));
}

static void tell_difference(const struct sim_comparison *c, size_t row,
                            enum sim_side side, const char *which, struct lib_text *out)
{
    const char *name = c->names[side];
    const struct sim_outcome *a = sim_comparison_outcome(c, row, SIM_SIDE_STATIC);
    const struct sim_outcome *b = sim_comparison_outcome(c, row, side);
    const char *x = lib_text_get(&a->result), *y = lib_text_get(&b->result);
    bool both = sim_comparison_has(c, row, SIM_SIDE_STATIC) &&
                sim_comparison_has(c, row, side);
    if (!both)
        say(out, "%sthe strategies differ: only one of them has a result", which);
    else if (strcmp(x, y) != 0)
        say(out, "%sthe results differ: static %s, %s %s", which, x, name, y);
    for (size_t i = 0; both && i < COUNT_COUNT; i++)
        if (count_of(a, i) != count_of(b, i))
            say(out, "%sthe %s differ: static %" PRIu64 ", %s %" PRIu64, which,
                counts[i].name, count_of(a, i), name, count_of(b, i));
}

static void tell(const struct sim_comparison *c, size_t row, struct lib_text *out)
{
    struct lib_text which = {0};
    write_row(c, row, &which);
    for (enum sim_side s = SIM_SIDE_EXPANDING; s < c->side_count; s++)
        if (judge_side(c, row, s) == SIM_DIFFERS)
            tell_difference(c, row, s, lib_text_get(&which), out);
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
            tell(comparison, row, out);
        worst = graver(worst, status);
    }
    if (told > SHOWN)
        say(out, "and %zu more rows without a result in both", told - SHOWN);
    return worst;
}

/* --- what was measured ---------------------------------------------------------------- */

/* Whether a run used one PE of many; then adds why. */
static bool was_alone(const struct sim_comparison *c, size_t row, enum sim_side side,
                      struct lib_text *out)
{
    const struct traces_stats *stats = &sim_comparison_outcome(c, row, side)->stats;
    struct lib_arena *arena = lib_arena_new();
    struct sim_config config;
    sim_settle(&c->experiment, &c->runs.list.items[row * c->side_count + side], arena,
               &config);
    bool alone = sim_comparison_has(c, row, side) &&
                 sim_idle_pes_were(&config.setup.settings, stats);
    if (alone)
        sim_idle_pes_write(&config.setup.settings, isa_strategy_find(config.strategy),
                           stats, out);
    lib_arena_free(arena);
    return alone;
}

/* Says so of the first row of each side, and of how many more. */
static void tell_alone(const struct sim_comparison *c, enum sim_side side,
                       struct lib_text *out)
{
    struct lib_text text = {0};
    size_t count = 0;
    for (size_t row = 0; row < c->row_count; row++) {
        struct lib_text why = {0};
        if (was_alone(c, row, side, &why) && count++ == 0) {
            write_row(c, row, &text);
            lib_text_printf(&text, "%s: %s", c->names[side], why.bytes);
        }
        lib_text_free(&why);
    }
    if (count > 1)
        lib_text_printf(&text, ", and so in %zu more row%s", count - 1,
                        count == 2 ? "" : "s");
    if (count)
        say(out, "%s", text.bytes);
    lib_text_free(&text);
}

void sim_comparison_warn(const struct sim_comparison *comparison, struct lib_text *out)
{
    for (enum sim_side s = 0; s < comparison->side_count; s++)
        tell_alone(comparison, s, out);
}
