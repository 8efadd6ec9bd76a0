#include "sim/compare/comparison.h"

#include <inttypes.h>
#include <string.h>

#include "sim/ending/ending.h"
#include "sim/ending/idle_pes.h"
#include "traces/results/reader.h"

/* The outcome of a side of a row, and what both strategies must agree on. */
struct side {
    const char *name, *status, *result, *reason;
    int64_t calls, iterations;
};

static bool has_result(const struct side *side)
{
    return strcmp(side->status, "completed") == 0;
}

static bool agree(const struct side *a, const struct side *b)
{
    return strcmp(a->result, b->result) == 0 && a->calls == b->calls &&
           a->iterations == b->iterations;
}

static enum sim_status status_of(const struct side *side)
{
    for (enum isa_end end = 0; end < ISA_END_INTERRUPTED; end++)
        if (strcmp(side->status, sim_end_name(end)) == 0)
            return sim_end_status(end);
    return SIM_INTERNAL; /* the run crashed */
}

/* Compares static with another side. A limit of the machine may end one run only; a program that
 * fails on one side only is a difference. */
static enum sim_status judge_side(const struct side *a, const struct side *b)
{
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

static void tell_difference(const struct side *a, const struct side *b, const char *which,
                            struct lib_text *out)
{
    const bool both = has_result(a) && has_result(b);
    if (!both)
        lib_text_printf(out, "%sthe strategies differ: only one of them has a result\n",
                        which);
    else if (strcmp(a->result, b->result) != 0)
        lib_text_printf(out, "%sthe results differ: static %s, %s %s\n", which, a->result,
                        b->name, b->result);
    if (both && a->calls != b->calls)
        lib_text_printf(out, "%sthe calls differ: static %" PRId64 ", %s %" PRId64 "\n",
                        which, a->calls, b->name, b->calls);
    if (both && a->iterations != b->iterations)
        lib_text_printf(out,
                        "%sthe iterations differ: static %" PRId64 ", %s %" PRId64 "\n",
                        which, a->iterations, b->name, b->iterations);
}

static void tell(const struct side *sides, size_t count, const char *which,
                 struct lib_text *out)
{
    for (size_t s = 1; s < count; s++)
        if (judge_side(&sides[0], &sides[s]) == SIM_DIFFERS)
            tell_difference(&sides[0], &sides[s], which, out);
    for (size_t s = 0; s < count; s++)
        if (!has_result(&sides[s]))
            lib_text_printf(out, "%s%s (%s): %s\n", which, sides[s].name, sides[s].status,
                            sides[s].reason);
}

/* Adds "n=5 x=0.5: ", or nothing without inputs. */
static void write_row(const struct sim_comparison *c, const struct traces_rows *rows,
                      struct lib_text *out)
{
    for (size_t i = 0; i < c->input_count; i++) {
        const struct traces_cell cell = traces_rows_cell(rows, (int)i);
        lib_text_printf(out, "%s%s=", i ? " " : "", c->inputs[i]->input);
        traces_cell_write(&cell, out);
    }
    lib_text_puts(out, c->input_count ? ": " : "");
}

static const char *text_at(const struct traces_rows *rows, int place)
{
    const struct traces_cell cell = traces_rows_cell(rows, place);
    return cell.text ? cell.text : "";
}

enum { OF_SIDE = 5 }; /* number of columns for each side in the query */

static void read_sides(const struct sim_comparison *c, const struct traces_rows *rows,
                       struct side *sides)
{
    for (size_t s = 0; s < c->side_count; s++) {
        const int at = (int)(c->input_count + s * OF_SIDE);
        sides[s] = (struct side){
            .name = c->names[s],
            .status = text_at(rows, at),
            .result = text_at(rows, at + 1),
            .reason = text_at(rows, at + 2),
            .calls = traces_rows_cell(rows, at + 3).integer,
            .iterations = traces_rows_cell(rows, at + 4).integer,
        };
    }
}

static void write_query(const struct sim_comparison *c, struct lib_text *sql)
{
    static const char *const columns[OF_SIDE] = {"status", "result", "reason", "calls",
                                                 "loop_iterations"};
    lib_text_puts(sql, "SELECT ");
    for (size_t i = 0; i < c->input_count; i++) {
        traces_database_add_name(sql, c->inputs[i]->name);
        lib_text_puts(sql, ", ");
    }
    for (size_t i = 0; i < c->side_count * OF_SIDE; i++)
        lib_text_printf(sql, "%s\"%s.%s\"", i ? ", " : "", c->keys[i / OF_SIDE],
                        columns[i % OF_SIDE]);
    lib_text_puts(sql, " FROM comparison");
}

bool sim_comparison_check(struct sim_comparison *c, enum sim_status *status,
                          struct lib_text *out)
{
    enum { SHOWN = 10 };
    struct traces_rows rows;
    struct side sides[SIM_SIDE_MAX];
    LIB_TEXT_OWN sql = {0};
    size_t told = 0;
    *status = SIM_DONE;
    write_query(c, &sql);
    traces_rows_open(&rows, &c->store, &c->experiment.columns, sql.bytes);
    while (traces_rows_next(&rows)) {
        enum sim_status worst = SIM_DONE;
        read_sides(c, &rows, sides);
        for (size_t s = 1; s < c->side_count; s++)
            worst = graver(worst, judge_side(&sides[0], &sides[s]));
        if (worst != SIM_DONE && told++ < SHOWN) {
            LIB_TEXT_OWN which = {0};
            write_row(c, &rows, &which);
            tell(sides, c->side_count, lib_text_get(&which), out);
        }
        *status = graver(*status, worst);
    }
    if (told > SHOWN)
        lib_text_printf(out, "and %zu more rows without a result in both\n",
                        told - SHOWN);
    return traces_rows_end(&rows);
}

static bool write_row_at(struct sim_comparison *c, uint64_t row, struct lib_text *out)
{
    struct traces_rows rows;
    LIB_TEXT_OWN sql = {0};
    lib_text_printf(&sql, "SELECT * FROM comparison LIMIT 1 OFFSET %" PRIu64, row);
    const bool is_there = traces_rows_open(&rows, &c->store, &c->experiment.columns,
                                           sql.bytes) &&
                          traces_rows_next(&rows);
    if (is_there)
        write_row(c, &rows, out);
    traces_rows_end(&rows);
    return is_there;
}

bool sim_comparison_warn(struct sim_comparison *c, struct lib_text *out)
{
    struct sim_idle_pes idle;
    bool good = sim_idle_pes_find(&c->store, &idle);
    if (good && idle.count) {
        const uint64_t run = idle.first - 1;
        good = write_row_at(c, run / c->side_count, out);
        lib_text_printf(out, "%s: %s", c->names[run % c->side_count], idle.why.bytes);
    }
    if (idle.count > 1)
        lib_text_printf(out, ", and so in %" PRIu64 " more run%s", idle.count - 1,
                        idle.count == 2 ? "" : "s");
    lib_text_puts(out, idle.count ? "\n" : "");
    lib_text_free(&idle.why);
    return good;
}
