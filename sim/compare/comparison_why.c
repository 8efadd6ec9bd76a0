#include "sim/compare/comparison.h"

#include <inttypes.h>
#include <stdlib.h>

#include "isa/op.h"
#include "machine/describe.h"
#include "sim/loading/divide.h"
#include "sim/session/window.h"
#include "traces/results/reader.h"

/* Opcodes and causes need more runs with events, so they are only found for short runs. */
enum { MAX_TOKENS = 2000000, SHOWN_CAUSES = 4, SHOWN_OPCODES = 6 };

/* A side of the row: columns of the view, in the order of `columns`. */
struct side {
    enum sim_side side;
    int64_t cycles, firings, span, graph_nodes, copies, copied_nodes, tokens, calls;
};

enum { OF_SIDE = 8 };

static const char *const columns[OF_SIDE] = {"cycles",      "firings", "span",
                                             "graph_nodes", "copies",  "copied_nodes",
                                             "tokens",      "calls"};

static void write_query(const struct sim_comparison *c, size_t row, struct lib_text *sql)
{
    lib_text_puts(sql, "SELECT agree");
    for (size_t s = 0; s < c->side_count; s++)
        for (size_t i = 0; i < OF_SIDE; i++)
            lib_text_printf(sql, ", \"%s.%s\"", c->keys[s], columns[i]);
    for (size_t i = 0; i < c->input_count; i++) {
        lib_text_puts(sql, ", ");
        traces_database_add_name(sql, c->inputs[i]->name);
    }
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
        .calls = traces_rows_cell(rows, at + 7).integer,
    };
}

/* A cause or an opcode, and the cycles or firings that it has more in one of two runs. */
struct gap {
    size_t which;
    int64_t more;
};

static int compare_gaps(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;
    const uint64_t p = (uint64_t)llabs(x->more), q = (uint64_t)llabs(y->more);
    return p != q ? (p < q ? 1 : -1) : x->which < y->which ? -1 : x->which > y->which;
}

/* Writes the largest of `count` gaps, at most `shown`, and the sum of the others. Sorts them. */
static void write_gaps(struct gap *gaps, size_t count, size_t shown,
                       const char *(*name)(size_t which), struct lib_text *out)
{
    int64_t others = 0;
    qsort(gaps, count, sizeof *gaps, compare_gaps);
    for (size_t i = 0; i < shown && gaps[i].more; i++)
        lib_text_printf(out, "%s %+" PRId64 " %s", i ? "," : "", gaps[i].more,
                        name(gaps[i].which));
    for (size_t i = shown; i < count; i++)
        others += gaps[i].more;
    if (shown < count && gaps[shown].more)
        lib_text_printf(out, ", %+" PRId64 " others", others);
}

static const char *cause_name(size_t which)
{
    return analysis_cause_table[which].key;
}

static const char *opcode_name(size_t which)
{
    return isa_op_table[which].text;
}

/* --- firings by opcode ---------------------------------------------------------------- */

/* Repeats the run of a side to count its live firings by opcode. Returns false if it cannot be
 * repeated. */
static bool count_opcodes(const struct sim_comparison *c, size_t row, enum sim_side side,
                          uint64_t *firings)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct sim_config config;
    struct sim_ending ending;
    struct isa_graph *divided = NULL;
    sim_settle(&c->experiment, &c->runs.list.items[row * c->side_count + side], arena,
               &config);
    struct sim_simulation_config simulation = {
        .graph = config.image->graph,
        .inputs = config.inputs.values,
        .settings = &config.setup.settings.machine,
        .seed = config.seed,
        .engine = SIM_ENGINE_MACHINE,
        .costs = true,
        .costs_by = ANALYSIS_COST_BY_OPCODE,
    };
    if (sim_divides(simulation.graph, simulation.settings))
        simulation.graph = divided = sim_divide(simulation.graph, simulation.settings,
                                                NULL, &diags);
    const bool good = simulation.graph && sim_simulate(&simulation, &ending, &diags);
    if (good) {
        for (size_t i = 0; ending.costs && i < ending.costs->row_count; i++)
            firings[ending.costs->rows[i].number] = ending.costs->rows[i].firings;
        sim_ending_free(&ending);
    }
    isa_graph_free(divided);
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return good;
}

/* Writes the control tokens of calls: of m CALLs each sends one, and so does each of the m - 1
 * JOINs that collect them, so that a call has 2 m - 1. */
static void write_tokens(const struct sim_comparison *c, const struct side *single,
                         const struct side *copying, const uint64_t *call_firings,
                         struct lib_text *out)
{
    const struct traces_machine s = machine_describe(
        &c->experiment.machines.items[0].setup.settings.machine, NULL, NULL);
    lib_text_printf(out, "  tokens   %s %" PRId64, c->names[single->side],
                    single->tokens);
    if (call_firings)
        lib_text_printf(out, " (%" PRIu64 " control tokens of calls)",
                        2 * *call_firings - (uint64_t)single->calls);
    lib_text_printf(out, "; %s %" PRId64, c->names[copying->side], copying->tokens);
    if (!s.has_workers && s.others.units > 0 && s.pe_count > 1)
        lib_text_printf(out, "; per PE %.0f and %.0f",
                        (double)single->tokens / (double)s.pe_count,
                        (double)copying->tokens / (double)s.pe_count);
    lib_text_puts(out, "\n");
}

/* Writes the lines of tokens and opcodes. */
static void write_work(const struct sim_comparison *c, size_t row,
                       const struct side *single, const struct side *copying,
                       struct lib_text *out)
{
    uint64_t firings[2][ISA_OP_COUNT] = {{0}};
    struct gap gaps[ISA_OP_COUNT];
    if (single->tokens + copying->tokens > MAX_TOKENS ||
        !count_opcodes(c, row, single->side, firings[0]) ||
        !count_opcodes(c, row, copying->side, firings[1])) {
        write_tokens(c, single, copying, NULL, out);
        return;
    }
    write_tokens(c, single, copying, &firings[0][ISA_OP_CALL], out);
    size_t differing = 0;
    for (size_t i = 0; i < ISA_OP_COUNT; i++) {
        gaps[i] = (struct gap){i, (int64_t)(firings[0][i] - firings[1][i])};
        differing += gaps[i].more != 0;
    }
    if (differing == 0)
        return;
    lib_text_printf(out, "  opcodes  %s has", c->names[single->side]);
    write_gaps(gaps, ISA_OP_COUNT, SHOWN_OPCODES, opcode_name, out);
    lib_text_puts(out, "\n");
}

/* --- causes --------------------------------------------------------------------------- */

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
    lib_text_printf(out, "%s has", c->names[slow->side]);
    write_gaps(gaps, ANALYSIS_CAUSE_COUNT, SHOWN_CAUSES, cause_name, out);
}

/* --- the lines ------------------------------------------------------------------------ */

/* Says below the table if copies cost nothing but the time of their own calls. */
static void write_free_copies(const struct sim_comparison *c, const struct side *copying,
                              struct lib_text *out)
{
    const struct traces_machine s = machine_describe(
        &c->experiment.machines.items[0].setup.settings.machine, NULL, NULL);
    if (s.copy_workers > 0 || s.has_workers || copying->copies == 0)
        return;
    if (s.copy == 0 && s.copy_node == 0) {
        lib_text_puts(out, "\nspeedup: copying takes no time (copy.latency=0, "
                           "copy.node.latency=0)\n");
        return;
    }
    lib_text_puts(out,
                  "\nspeedup: copying keeps no worker busy (copy.workers=0), so that a "
                  "copy delays its own call only");
    if (s.others.units > 0)
        lib_text_printf(out, ";\n-s copy.workers=%" PRIu64 " has one worker for each PE",
                        (uint64_t)s.pe_count);
    lib_text_puts(out, "\n");
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
    write_work(c, row, single, copying, out);
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
    write_free_copies(c, &copying, out);
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
