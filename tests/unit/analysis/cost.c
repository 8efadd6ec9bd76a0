/* What runs cost by function, line and opcode: of every example, on every preset, by both
 * strategies, sums over rows are the statistics of the run. */
#include "analysis/cost/cost.h"

#include "sim/loading/setup.h"
#include "tests/unit/examples.h"

enum { MAX_CALLS = 3000 };

static const char *const presets[] = {"default", "ideal", "tf-executor"};

static struct sim_ending run(const struct test_program *p,
                             const struct machine_settings *settings,
                             enum analysis_cost_by by)
{
    const struct sim_simulation_config config = {
        .graph = p->graph,
        .inputs = p->inputs,
        .settings = settings,
        .engine = SIM_ENGINE_MACHINE,
        .costs = true,
        .costs_by = by,
    };
    struct sim_ending ending;
    struct lib_diags diags = {0};
    ck_assert(sim_simulate(&config, &ending, &diags));
    return ending;
}

static void check_sums(const struct analysis_costs *costs,
                       const struct traces_stats *stats, const char *what)
{
    struct analysis_cost sum = {0}, greatest = {0};
    for (size_t i = 0; i < costs->row_count; i++) {
        const struct analysis_cost *row = &costs->rows[i];
        ck_assert_msg(row->waiting + row->live_tokens == 0, "%s: something is left",
                      what);
        ck_assert_msg(i == 0 || row[-1].busy >= row->busy, "%s: not sorted", what);
#define SUM(key, stat, label, help) sum.key += row->key;
#define PEAK(key, stat, label, help)                                                     \
    greatest.key = row->key > greatest.key ? row->key : greatest.key;                    \
    sum.key += row->key;
        ANALYSIS_COST_COUNTS(SUM, PEAK)
#undef PEAK
#undef SUM
    }
#define SUM(key, stat, label, help)                                                      \
    ck_assert_msg(sum.key == stats->stat, "%s: " #key " is %llu in the rows, %llu",      \
                  what, (unsigned long long)sum.key, (unsigned long long)stats->stat);
#define PEAK(key, stat, label, help)                                                     \
    ck_assert_msg(greatest.key <= stats->stat, "%s: " #key, what);                       \
    ck_assert_msg(sum.key + 1 >= stats->stat, "%s: " #key, what);
    ANALYSIS_COST_COUNTS(SUM, PEAK)
#undef PEAK
#undef SUM
}

static void check_example(const struct test_row *row, struct test_program *p)
{
    static const char *const deadness[] = {"suppress", "propagate"};
    if (row->calls > MAX_CALLS)
        return;
    for (size_t i = 0; i < 2 * sizeof presets / sizeof *presets; i++) {
        struct machine_settings settings;
        char what[128];
        test_set_preset(&settings, presets[i / 2], deadness[i % 2]);
        for (int by = 0; by < ANALYSIS_COST_BY_NOTHING; by++) {
            struct sim_ending ending = run(p, &settings, by);
            snprintf(what, sizeof what, "%s %s, %s, %s, by %s", row->program, row->inputs,
                     presets[i / 2], deadness[i % 2], analysis_cost_by_key(by));
            ck_assert_msg(ending.end == ISA_END_COMPLETED, "%s", what);
            check_sums(ending.costs, &ending.stats, what);
            sim_ending_free(&ending);
        }
    }
}

START_TEST(sums_over_rows_are_the_statistics)
{
    test_each_example_at(ISA_STAGE_IMAGE, check_example);
    test_each_example_at(ISA_STAGE_EXPANDING, check_example);
}
END_TEST

/* --- a program whose costs are known --------------------------------------------------------- */

/* square is called once, and fires its MERGE and its multiplication (doc/model.md, An example). */
static const char square[] = "input n = 3\n"
                             "result = square(n)\n"
                             "square(x) = x * x\n";

static const struct analysis_cost *find_row(const struct analysis_costs *costs,
                                            const char *name)
{
    char buffer[ANALYSIS_COST_NAME];
    for (size_t i = 0; i < costs->row_count; i++)
        if (strcmp(analysis_cost_name(costs, &costs->rows[i], buffer), name) == 0)
            return &costs->rows[i];
    ck_abort_msg("there is no row %s", name);
}

START_TEST(a_row_has_what_belongs_to_it)
{
    struct test_program p = {.graph = test_compile(square, ISA_STAGE_IMAGE)};
    struct machine_settings settings;
    machine_settings_default(&settings);
    settings.pe_count = 3;

    struct sim_ending ending = run(&p, &settings, ANALYSIS_COST_BY_FUNCTION);
    const struct analysis_cost *row = find_row(ending.costs, "square");
    ck_assert_uint_eq(ending.costs->row_count, 2);
    ck_assert_uint_eq(row->firings, 2);
    ck_assert_uint_eq(row->tokens, 3);
    ck_assert_uint_eq(row->calls, 1);
    ck_assert_uint_eq(row->peak_waiting, 1);
    ck_assert_uint_eq(row->peak_live_tokens, 2);
    ck_assert_uint_eq(row->peak_tags, 1);
    row = find_row(ending.costs, "result");
    ck_assert_uint_eq(row->firings, 3);
    ck_assert_uint_eq(row->tokens, 3);
    ck_assert_uint_eq(row->calls, 0);
    ck_assert_uint_eq(row->peak_tags, 1);
    sim_ending_free(&ending);

    ending = run(&p, &settings, ANALYSIS_COST_BY_LINE);
    row = find_row(ending.costs, "2");
    ck_assert_uint_eq(row->calls, 1); /* it is made there */
    ck_assert_uint_eq(row->peak_tags, 1);
    ck_assert_uint_eq(find_row(ending.costs, "3")->calls, 0);
    sim_ending_free(&ending);

    ending = run(&p, &settings, ANALYSIS_COST_BY_OPCODE);
    ck_assert_uint_eq(ending.costs->row_count, 5);
    ck_assert_uint_eq(find_row(ending.costs, "mul.int")->peak_live_tokens, 2);
    ck_assert_uint_eq(find_row(ending.costs, "call")->calls, 1);
    sim_ending_free(&ending);
    isa_graph_free(p.graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("cost");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, sums_over_rows_are_the_statistics);
    tcase_add_test(tcase, a_row_has_what_belongs_to_it);
    return test_main("cost", tcase);
}
