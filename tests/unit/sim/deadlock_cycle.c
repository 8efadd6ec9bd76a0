/* The cycle of a deadlock (sim/ending/deadlock_cycle.h): in planted ones each step waits for the
 * next, and their length is as planted; without mutual waiting there is none. */
#include "isa/op_columns.h"
#include "sim/ending/deadlock_cycle.h"

#include "tests/unit/isa_texts.h"
#include "tests/unit/support.h"

#include <string.h>

static struct lib_text what; /* for messages */
static uint64_t planted;

static const char *const machines[] = {
    "",
    "pe.count=4",
    "pe.count=3 network.topology=ring queue.discipline=lifo",
    "executor.workers=3",
};

/* How a deadlocked run ends; to be freed. */
static struct sim_ending stop(struct isa_graph *graph, const char *machine,
                              const char *deadness)
{
    struct machine_settings settings;
    struct sim_ending ending;
    struct lib_diags diags = {0};
    machine_settings_default(&settings);
    test_set_all(&settings, machine);
    test_set(&settings, "deadness", deadness);
    const struct sim_simulation_config config = {
        .graph = graph, .settings = &settings, .engine = SIM_ENGINE_MACHINE};
    ck_assert_msg(sim_simulate(&config, &ending, &diags), "%s", lib_text_get(&what));
    ck_assert_msg(ending.end == ISA_END_DEADLOCKED, "%s: it does not deadlock",
                  lib_text_get(&what));
    lib_diags_free(&diags);
    return ending;
}

static bool reads(const struct isa_graph *graph, const struct sim_deadlock_cycle_step *s)
{
    return isa_op_does[graph->nodes[s->instr].op].access & ISA_ACCESS_READS;
}

static bool writes(const struct isa_graph *graph, const struct sim_deadlock_cycle_step *s)
{
    return isa_op_does[graph->nodes[s->instr].op].access & ISA_ACCESS_WRITES;
}

/* A read waits for the element that the next step would write, in the iteration of its number;
 * and a write for its operand 1. Returns how many reads there are. */
static size_t check_steps(const struct isa_graph *graph,
                          const struct sim_deadlock_cycle *circle)
{
    size_t count = 0, written = 0;
    for (size_t i = 0; i < circle->steps.count; i++) {
        const struct sim_deadlock_cycle_step *s = &circle->steps.items[i];
        const struct sim_deadlock_cycle_step *next =
            &circle->steps.items[(i + 1) % circle->steps.count];
        unsigned element, iteration;
        written += writes(graph, s);
        if (!reads(graph, s)) {
            ck_assert_msg(strncmp(s->for_what, "operand ", 8) == 0, "%s: %s",
                          lib_text_get(&what), s->for_what);
            continue;
        }
        count++;
        ck_assert_msg(
            sscanf(s->for_what, "element %u of the array made at ", &element) == 1 &&
                writes(graph, next) && sscanf(next->tag, "[%*u.%u]", &iteration) == 1 &&
                iteration == element,
            "%s: %s, and then tag %s", lib_text_get(&what), s->for_what, next->tag);
    }
    ck_assert_uint_eq(written, count);
    return count;
}

static void check_planted(const char *text, size_t length)
{
    static const enum isa_stage stages[] = {ISA_STAGE_IMAGE, ISA_STAGE_EXPANDING};
    for (size_t i = 0; i < 4 * sizeof machines / sizeof *machines; i++) {
        const char *machine = machines[i / 4];
        const char *deadness = i % 2 ? "propagate" : "suppress";
        lib_text_clear(&what);
        lib_text_printf(&what, "%s%s, stage %zu, %s", text, machine, i / 2 % 2, deadness);
        struct isa_graph *graph = test_compile(text, stages[i / 2 % 2]);
        struct sim_ending ending = stop(graph, machine, deadness);
        const size_t found = check_steps(graph, &ending.circle);
        ck_assert_msg(found == length, "%s: %zu reads", lib_text_get(&what), found);
        sim_ending_free(&ending);
        isa_graph_free(graph);
        planted++;
    }
}

static unsigned divisor(unsigned a, unsigned b)
{
    return b ? divisor(b, a % b) : a;
}

/* Elements 0 to k - 1 wait for the one s further on: circles of k / gcd(k, s). */
static const struct plant {
    const char *form;
    unsigned reads; /* per element of the circle */
} plants[] = {
    {"result = a[0]\na = [if i < %u then a[(i + %u) %% %u] + 1 else i | i <- 0 .. %u]\n",
     1},
    {"result = a[0]\na = [if i < %u then g(a, (i + %u) %% %u) else i | i <- 0 .. %u]\n"
     "g(x, j) = h(x, j) * 2\nh(x, j) = x[j]\n",
     1},
    {"result = a[0] + b[0]\na = [b[i] | i <- 0 .. 15]\n"
     "b = [if i < %u then a[(i + %u) %% %u] else i | i <- 0 .. %u]\n",
     2},
    {"result = let a = [if i < %u then f(a, (i + %u) %% %u, 3) else i | i <- 0 .. %u] in "
     "a[0]\n"
     "f(x, j, n) = if n == 0 then x[j] else f(x, j, n - 1) + 1\n",
     1},
    {"result = a[0]\na = [if i < %u then s(a, (i + %u) %% %u) else i | i <- 0 .. %u]\n"
     "s(x, j) = loop n = 0, t = 0 while n < 3 do n + 1, t + x[j] return t\n",
     1},
};

START_TEST(a_planted_circle_is_found)
{
    const unsigned most = test_is_quick() ? 2 : 6;
    for (size_t p = 0; p < sizeof plants / sizeof *plants; p++)
        for (unsigned k = 1; k <= most; k++) {
            struct lib_text text = {0};
            const unsigned s = 1 + k % 3;
/* The form has four numbers. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            lib_text_printf(&text, plants[p].form, k, s, k, 15);
#pragma GCC diagnostic pop
            check_planted(lib_text_get(&text), plants[p].reads * (k / divisor(k, s)));
            lib_text_free(&text);
        }
    ck_assert_uint_ge(planted, test_is_quick() ? 100 : 400);
}
END_TEST

/* As long as an array: no call of this program is as deep. */
START_TEST(a_long_circle_is_found)
{
    check_planted("result = a[0]\n"
                  "a = [a[(i + 1) % 3000] + 1 | i <- 0 .. 2999]\n",
                  3000);
}
END_TEST

static struct isa_graph *read_text(const char *text)
{
    struct lib_source source = {"test.asm", text, strlen(text)};
    struct lib_diags diags = {0};
    struct isa_graph *graph = isa_asm_read(&source, &diags);
    ck_assert(graph && diags.errors == 0);
    lib_diags_free(&diags);
    return graph;
}

/* A cell that is needed for its own value. */
START_TEST(a_cell_can_wait_for_itself)
{
    struct isa_graph *graph = read_text("hiaton assembly 1\n"
                                        "stage image\n"
                                        "cell 0 a int\n"
                                        "function 0 result () -> (int)\n"
                                        "in result\n"
                                        "  %0 read.int cell a -> %1.0\n"
                                        "  %1 add.int _, 1 -> %2.0\n"
                                        "  %2 write.int _, cell a\n"
                                        "  %3 read.int cell a -> %4.0\n"
                                        "  %4 output.int _, part 0\n");
    struct sim_ending ending = stop(graph, "", "suppress");
    ck_assert_uint_eq(ending.circle.steps.count, 1);
    ck_assert_uint_eq(ending.circle.steps.items[0].instr, 0);
    ck_assert_str_eq(ending.circle.steps.items[0].tag, "[]");
    ck_assert_str_eq(ending.circle.steps.items[0].for_what, "cell 0 (a)");
    sim_ending_free(&ending);
    isa_graph_free(graph);
}
END_TEST

/* What nothing would ever send, or write: the first waits for the second, which waits for
 * nobody. */
START_TEST(what_waits_for_nothing_that_waits_has_no_circle)
{
    static const char *const texts[] = {
        "hiaton assembly 1\nstage image\nfunction 0 result () -> (int)\nin result\n"
        "  %0 const.int 1 -> %2.0\n  %1 const.bool true -> %2.1\n"
        "  %2 switch.int _, _ -> %3.0 | %3.1\n  %3 add.int _, _ -> %4.0\n"
        "  %4 output.int _, part 0\n",
        "hiaton assembly 1\nstage image\nfunction 0 result () -> (int)\nin result\n"
        "  %0 const.int 1 -> %1.0\n  %1 alloc.int _ -> %2.0\n"
        "  %2 index.int _, 0 -> %3.0\n  %3 fetch.int _ -> %4.0\n"
        "  %4 output.int _, part 0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct isa_graph *graph = read_text(texts[i]);
        struct sim_ending ending = stop(graph, "", "suppress");
        ck_assert_uint_eq(ending.circle.steps.count, 0);
        sim_ending_free(&ending);
        isa_graph_free(graph);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("circle");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, a_planted_circle_is_found);
    tcase_add_test(tcase, a_long_circle_is_found);
    tcase_add_test(tcase, a_cell_can_wait_for_itself);
    tcase_add_test(tcase, what_waits_for_nothing_that_waits_has_no_circle);
    return test_main("circle", tcase);
}
