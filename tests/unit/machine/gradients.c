/* Gradients on machines: random programs, naive and paired, by recursions and by loops, by both
 * strategies, on random machines and partitioned. A run that completes has the interpreter's value
 * digest, and all have the same result to the last bit. */
#include "programs/partition/partition.h"
#include "tests/random/draw.h"
#include "tests/random/gradient_random.h"
#include "tests/random/param_random.h"
#include "tests/unit/support.h"

enum { PROGRAMS = 60, QUICK_PROGRAMS = 10, MACHINES = 3, TOKENS = 300000 };

static struct lib_text what; /* for messages */

static void write_program(unsigned seed, struct lib_text *text)
{
    struct gradient_program p = {0};
    if (seed % 4 == 0) {
        param_random(seed, true, text); /* the interpreter draws other numbers */
        return;
    }
    gradient_random(seed, &p);
    lib_text_puts(text, "result = grad(f0");
    for (unsigned i = 0; i < p.count; i++)
        lib_text_printf(text, ", %s", p.arguments[i]);
    lib_text_printf(text, ")\n%s", lib_text_get(&p.functions));
    lib_text_free(&p.functions);
}

static struct isa_graph *compile(const char *text, enum isa_stage stage, bool pairs,
                                 bool loops)
{
    struct lib_source source = {"test.df", text, strlen(text)};
    return test_compile_source(
        &source,
        &(struct programs_options){
            .settings = &(struct programs_settings){.grad_mode = pairs,
                                                    .grad_loop = loops}},
        stage);
}

static struct isa_graph *divide(const struct isa_graph *image, uint64_t seed,
                                uint32_t machines, bool schedules)
{
    struct lib_diags diags = {0};
    const struct programs_partition_choice choice = {
        .by = seed % 3 ? PROGRAMS_PARTITION_RANDOM : PROGRAMS_PARTITION_FUNCTION,
        .machines = machines,
        .seed = seed,
        .schedules = schedules};
    struct isa_graph *graph = programs_partition(image, &choice, &diags);
    ck_assert_msg(graph != NULL, "%s", diags.count ? diags.items[0].text : "");
    lib_diags_free(&diags);
    return graph;
}

/* false: the machine was too small for it. */
static bool check_run(const struct isa_graph *graph, const struct machine_settings *s,
                      const struct test_outcome *expected, const char *program)
{
    lib_text_clear(&what);
    draw_write(s, &what);
    struct isa_code *code = isa_code_make(graph, NULL, s->deadness == MACHINE_PROPAGATE);
    struct machine *m = machine_new(code, s, 1);
    struct traces_stats stats;
    struct lib_text result = {0};
    while (machine_advance(m, UINT64_MAX / 2))
        ;
    machine_measure(m, &stats);
    const bool completed = machine_end(m) == ISA_END_COMPLETED;
    ck_assert_msg(completed || machine_end(m) != ISA_END_DEADLOCKED, "%s\n%s", program,
                  lib_text_get(&what));
    if (completed) {
        isa_exec_write_result(machine_exec(m), &result);
        ck_assert_msg(strcmp(lib_text_get(&result), expected->result) == 0,
                      "%s\n%s: %s, not %s", program, lib_text_get(&what),
                      lib_text_get(&result), expected->result);
        ck_assert_msg(stats.value_digest == expected->stats.value_digest, "%s\n%s",
                      program, lib_text_get(&what));
        ck_assert_uint_eq(stats.firings, expected->stats.firings);
        ck_assert_uint_eq(stats.calls, expected->stats.calls);
    }
    lib_text_free(&result);
    traces_stats_free(&stats);
    machine_free(m);
    isa_code_free(code);
    return completed;
}

static void draw_machine(struct draw *draw, struct machine_settings *s)
{
    draw_settings(draw, s);
    if (draw_below(draw, 2))
        draw_unlimited(s);
    s->limit_tokens = TOKENS;
}

/* Whole and divided; by naive and paired images, and by copies; every other program with loops that
 * are differentiated as loops. */
static void check_way(const char *text, uint64_t seed, enum isa_stage stage, bool pairs,
                      const char *wanted, unsigned *completed, unsigned *divided)
{
    struct isa_graph *graph = compile(text, stage, pairs, seed % 2);
    struct draw draw = {.seed = seed};
    struct test_outcome expected = test_interp(graph, NULL, false);
    ck_assert_str_eq(expected.result, wanted);
    for (int i = 0; i < MACHINES; i++) {
        struct machine_settings s;
        draw_machine(&draw, &s);
        *completed += check_run(graph, &s, &expected, text);
        if (stage != ISA_STAGE_IMAGE)
            continue;
        uint32_t machines = s.cluster_nodes ? (uint32_t)s.cluster_nodes : 4;
        while (s.pe_count % machines)
            machines--;
        s.tensor_transport = MACHINE_TRANSPORT_VALUE;
        const bool schedules = (seed + (uint64_t)i) % 2; /* which needs hiatons */
        if (schedules)
            s.deadness = MACHINE_PROPAGATE;
        struct isa_graph *parts = divide(graph, seed + (uint64_t)i, machines, schedules);
        *divided += check_run(parts, &s, &expected, text);
        isa_graph_free(parts);
    }
    isa_graph_free(graph);
}

START_TEST(random_programs)
{
    const unsigned programs = test_is_quick() ? QUICK_PROGRAMS : PROGRAMS;
    unsigned completed = 0, divided = 0;
    for (unsigned seed = 1; seed <= programs; seed++) {
        struct lib_text text = {0};
        write_program(seed, &text);
        const char *program = lib_text_get(&text);
        struct isa_graph *graph = compile(program, ISA_STAGE_IMAGE, false, false);
        struct test_outcome one = test_interp(graph, NULL, false);
        if (one.end == ISA_END_COMPLETED) {
            check_way(program, seed, ISA_STAGE_IMAGE, false, one.result, &completed,
                      &divided);
            check_way(program, seed, ISA_STAGE_IMAGE, true, one.result, &completed,
                      &divided);
            check_way(program, seed, ISA_STAGE_EXPANDING, false, one.result, &completed,
                      &divided);
        }
        isa_graph_free(graph);
        lib_text_free(&text);
    }
    ck_assert_uint_gt(completed, 3 * programs);
    ck_assert_uint_gt(divided, 2 * programs);
    lib_text_free(&what);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("gradients on machines");
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, random_programs);
    return test_main("gradients on machines", tcase);
}
