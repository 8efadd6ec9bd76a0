#include "sim/compare/comparison.h"

#include <inttypes.h>
#include <stdlib.h>

#include "traces/results/reader.h"

/* Causes need two more runs with events, so they are only found for runs with few tokens. */
enum { MAX_TOKENS = 2000000, SHOWN_CAUSES = 4 };

/* A side of the row: columns of the view, in the order of `columns`. */
struct side {
    enum sim_side side;
    int64_t cycles, firings, span, graph_nodes, copies, copied_nodes, tokens;
};

enum { OF_SIDE = 7 };

static const char *const columns[OF_SIDE] = {
    "cycles", "firings", "span", "graph_nodes", "copies", "copied_nodes", "tokens"};

static void write_query(const struct sim_comparison *c, size_t row, struct lib_text *sql)
{
    lib_text_puts(sql, "SELECT agree");
    for (size_t s = 0; s < c->side_count; s++)
        for (size_t i = 0; i < OF_SIDE; i++)
            lib_text_printf(sql, ", \"%s.%s\"", c->keys[s], columns[i]);
    for (size_t i = 0; i < c->input_count; i++)
        lib_text_printf(sql, ", \"%s\"", c->inputs[i]->name);
    lib_text_printf(sql, " FROM comparison LIMIT 1 OFFSET %zu", row);
}

static struct side read_side(const struct traces_rows *rows, enum sim_side side)
{
    const int at = 1 + (int)side * OF_SIDE;
    return (struct side){
        .side = side,
        .cycles = traces_rows_cell(rows, at).integer,
        .firings = traces_rows_cell(rows, at + 1).integer,
        .span = traces_rows_cell(rows, at + 2).integer,
        .graph_nodes = traces_rows_cell(rows, at + 3).integer,
        .copies = traces_rows_cell(rows, at + 4).integer,
        .copied_nodes = traces_rows_cell(rows, at + 5).integer,
        .tokens = traces_rows_cell(rows, at + 6).integer,
    };
}

/* A cause, and the number of cycles that it has more in the slower run. */
struct gap {
    size_t cause;
    int64_t cycles;
};

static int compare_gaps(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;
    const uint64_t p = (uint64_t)llabs(x->cycles), q = (uint64_t)llabs(y->cycles);
    return p != q ? (p < q ? 1 : -1) : x->cause < y->cause ? -1 : x->cause > y->cause;
}

/* Repeats the run of a side to find causes. Returns false, with the reason in `out`, if they cannot
 * be found. */
static bool find_causes(const struct sim_comparison *c, size_t row, enum sim_side side,
                        uint64_t *sums, struct lib_text *out)
{
    struct sim_experiment measured = c->experiment;
    struct sim_outcome outcome;
    measured.measures = (struct sim_measures){0};
    measured.measures.wanted[SIM_MEASURES_CAUSES] = true;
    sim_outcome_make(&outcome, &measured, &c->runs.list.items[row * c->side_count + side],
                     NULL);
    const bool good = outcome.measured.count == ANALYSIS_CAUSE_COUNT;
    for (size_t i = 0; good && i < ANALYSIS_CAUSE_COUNT; i++)
        sums[i] = outcome.measured.items[i].count;
    if (!good)
        lib_text_printf(out, "not followed%s%s", outcome.reason.length ? ": " : "",
                        lib_text_get(&outcome.reason));
    sim_outcome_free(&outcome);
    return good;
}

static void write_causes(const struct sim_comparison *c, size_t row,
                         const struct side *fast, const struct side *slow,
                         struct lib_text *out)
{
    uint64_t sums[2][ANALYSIS_CAUSE_COUNT];
    struct gap gaps[ANALYSIS_CAUSE_COUNT];
    if (fast->tokens + slow->tokens > MAX_TOKENS) {
        lib_text_printf(out,
                        "not followed, as the runs have more than %d tokens; `hiaton "
                        "analyse --causes` follows them",
                        MAX_TOKENS);
        return;
    }
    if (!find_causes(c, row, fast->side, sums[0], out) ||
        !find_causes(c, row, slow->side, sums[1], out))
        return;
    for (size_t i = 0; i < ANALYSIS_CAUSE_COUNT; i++)
        gaps[i] = (struct gap){i, (int64_t)(sums[1][i] - sums[0][i])};
    qsort(gaps, ANALYSIS_CAUSE_COUNT, sizeof *gaps, compare_gaps);
    int64_t others = slow->cycles - fast->cycles;
    lib_text_printf(out, "%s has", c->names[slow->side]);
    for (size_t i = 0; i < SHOWN_CAUSES && gaps[i].cycles; i++) {
        lib_text_printf(out, "%s %+" PRId64 " %s", i ? "," : "", gaps[i].cycles,
                        analysis_cause_table[gaps[i].cause].key);
        others -= gaps[i].cycles;
    }
    if (others || gaps[SHOWN_CAUSES].cycles)
        lib_text_printf(out, ", %+" PRId64 " others", others);
}

static void write_head(const struct sim_comparison *c, const struct traces_rows *rows,
                       const struct side *fast, const struct side *slow,
                       struct lib_text *out)
{
    for (size_t i = 0; i < c->input_count; i++) {
        const struct traces_cell cell = traces_rows_cell(
            rows, 1 + (int)(c->side_count * OF_SIDE + i));
        lib_text_printf(out, "%s%s=", i ? " " : "\n", c->inputs[i]->input);
        traces_cell_write(&cell, out);
    }
    lib_text_puts(out, c->input_count ? ": " : "\n");
    lib_text_printf(out,
                    "%s takes %.2f %% fewer cycles than %s: %" PRId64
                    " instead of %" PRId64 "\n",
                    c->names[fast->side],
                    100.0 * (double)(slow->cycles - fast->cycles) / (double)slow->cycles,
                    c->names[slow->side], fast->cycles, slow->cycles);
}

static void write_lines(const struct sim_comparison *c, size_t row,
                        const struct side *fast, const struct side *slow,
                        struct lib_text *out)
{
    const struct side *single = fast->side == SIM_SIDE_STATIC ? fast : slow,
                      *copying = fast->side == SIM_SIDE_STATIC ? slow : fast;
    lib_text_printf(out, "  firings  %s %" PRId64 "; %s %" PRId64, c->names[single->side],
                    single->firings, c->names[copying->side], copying->firings);
    lib_text_printf(out, "; critical path of %" PRId64 " and %" PRId64 "\n", single->span,
                    copying->span);
    lib_text_printf(out,
                    "  copies   %s makes %" PRId64 ", of %" PRId64
                    " nodes in all; the graph of %s has %" PRId64 "\n",
                    c->names[copying->side], copying->copies, copying->copied_nodes,
                    c->names[single->side], single->graph_nodes);
    lib_text_puts(out, "  causes   ");
    write_causes(c, row, fast, slow, out);
    lib_text_puts(out, "\n");
}

static void explain_row(const struct sim_comparison *c, const struct traces_rows *rows,
                        size_t row, struct lib_text *out)
{
    const struct side single = read_side(rows, SIM_SIDE_STATIC);
    struct side copying = read_side(rows, SIM_SIDE_EXPANDING);
    for (enum sim_side s = SIM_SIDE_PLACED; s < c->side_count; s++)
        if (read_side(rows, s).cycles < copying.cycles)
            copying = read_side(rows, s);
    if (single.cycles == copying.cycles)
        return;
    const bool is_first = single.cycles < copying.cycles;
    const struct side *fast = is_first ? &single : &copying,
                      *slow = is_first ? &copying : &single;
    write_head(c, rows, fast, slow, out);
    write_lines(c, row, fast, slow, out);
}

bool sim_comparison_explain(struct sim_comparison *c, struct lib_text *out)
{
    struct traces_rows rows;
    LIB_TEXT_OWN sql = {0};
    const size_t last = c->row_count - 1;
    write_query(c, last, &sql);
    traces_rows_open(&rows, &c->store, &c->experiment.columns, sql.bytes);
    while (traces_rows_next(&rows))
        if (traces_rows_cell(&rows, 0).integer)
            explain_row(c, &rows, last, out);
    return traces_rows_end(&rows);
}
