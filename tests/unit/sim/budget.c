/* limits.memory is a budget of the host's memory too: a run that reaches it ends as data, has
 * taken little more than that from the host, and frees all of it. */
#include "tests/unit/support.h"

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a process takes beyond the budget: a twentieth of it, and 8 MiB. */
enum { BUDGET = 48 << 20, SLACK = BUDGET / 20 + (8 << 20) };

/* What the C library keeps of small blocks that were freed, and counts as taken. */
enum { CACHED = 128 << 10 };

static const struct budget_case {
    const char *program;
    enum sim_engine engine;
    const char *settings;
} cases[] = {
    {"result = f(0)\nf(n) = 1 + f(n)\n", SIM_ENGINE_INTERPRETER, ""},
    {"result = f(0)\nf(n) = 1 + f(n)\n", SIM_ENGINE_MACHINE, "pe.count=1"},
    {"result = f(0)\nf(n) = f(n) + f(n)\n", SIM_ENGINE_MACHINE, "pe.count=64"},
    {"result = f(0)\nf(n) = f(n) + f(n)\n", SIM_ENGINE_MACHINE,
     "pe.count=16 network.topology=mesh"},
    {"result = f(0)\nf(n) = g([k | k <- 0 .. 99], n)\ng(a, n) = f(n + a[0]) + a[4]\n",
     SIM_ENGINE_INTERPRETER, ""},
    {"result = f(0)\nf(n) = g([k | k <- 0 .. 99], n)\ng(a, n) = f(n + a[0]) + a[4]\n",
     SIM_ENGINE_MACHINE, "pe.count=4"},
    {"result = f(zeros([100, 100]))\nf(t) = g(t + 1.0)\ng(u) = reduce_sum(u * f(u))\n",
     SIM_ENGINE_MACHINE, "pe.count=4"},
    {"result = reduce_sum(zeros([2000, 2000]) + 1.0)\n", SIM_ENGINE_INTERPRETER, ""},
    {"result = reduce_sum(zeros([3000, 3000]) + 1.0)\n", SIM_ENGINE_MACHINE, ""},
};

/* A line of /proc/self/status in bytes. */
static size_t status_bytes(const char *key)
{
    char line[128];
    size_t bytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    ck_assert(status != NULL);
    while (fgets(line, sizeof line, status))
        if (strncmp(line, key, strlen(key)) == 0)
            bytes = strtoul(line + strlen(key), NULL, 10) * 1024;
    fclose(status);
    return bytes;
}

static size_t allocated(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Runs it in this process. Returns what is wrong; NULL: nothing. */
static const char *run(const struct budget_case *c)
{
    struct isa_graph *graph = test_compile(c->program, ISA_STAGE_IMAGE);
    struct machine_settings settings;
    struct sim_ending ending;
    struct lib_diags diags = {0};
    machine_settings_default(&settings);
    test_set_all(&settings, c->settings);
    settings.limit_memory = BUDGET;
    settings.tensor_math = MACHINE_TENSOR_REFERENCE;
    const struct sim_simulation_config config = {
        .graph = graph, .settings = &settings, .engine = c->engine};
    const size_t before = status_bytes("VmRSS:"), held = allocated();
    if (!sim_simulate(&config, &ending, &diags) || ending.end != ISA_END_LIMIT ||
        strcmp(ending.limit, "limits.memory") != 0)
        return "it did not end by limits.memory";
    sim_ending_free(&ending);
    if (status_bytes("VmHWM:") > before + BUDGET + SLACK)
        return "it took more than the budget";
    if (allocated() > held + CACHED)
        return "it did not free what it took";
    isa_graph_free(graph);
    return NULL;
}

START_TEST(a_run_stays_in_its_budget)
{
    const struct budget_case *c = &cases[_i];
    int status;
    fflush(NULL);
    const pid_t child = fork(); /* whose greatest memory is its own */
    if (child == 0) {
        const char *wrong = run(c);
        if (wrong)
            fprintf(stderr, "%s: %s (%zu MiB at most)\n", c->settings, wrong,
                    status_bytes("VmHWM:") >> 20);
        _exit(wrong ? 1 : 0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", c->program);
}
END_TEST

/* Memory that a simulation holds after a run of fib(n), behind one of fib(18) if `was_large`. */
static size_t held_after(struct isa_graph *graph, bool was_large)
{
    struct machine_settings settings;
    struct lib_diags diags = {0};
    const isa_value small = isa_value_of_int(3), large = isa_value_of_int(18);
    const size_t before = allocated();
    machine_settings_default(&settings);
    test_set_all(
        &settings,
        "pe.count=16 unit.alu.latency=1000 unit.tag.latency=777 network.latency=900");
    const struct sim_simulation_config config = {.graph = graph,
                                                 .settings = &settings,
                                                 .engine = SIM_ENGINE_MACHINE,
                                                 .inputs = was_large ? &large : &small};
    struct sim_simulation *s = sim_simulation_open(&config, &diags);
    ck_assert(s && sim_simulation_advance(s, NULL) == SIM_ADVANCED_TO_END);
    sim_simulation_reset(s, &small, 0);
    ck_assert(sim_simulation_advance(s, NULL) == SIM_ADVANCED_TO_END);
    const size_t held = allocated() - before;
    sim_simulation_close(s, NULL);
    return held;
}

/* A wheel of thousands of lists, each of which has many tokens in a large run: a reset frees what
 * they have grown to. */
START_TEST(a_reset_frees_large_lists)
{
    struct isa_graph *graph = test_compile(
        "input n = 3\nresult = fib(n)\n"
        "fib(n) = if n <= 1 then n else fib(n - 1) + fib(n - 2)\n",
        ISA_STAGE_IMAGE);
    const size_t small = held_after(graph, false), large = held_after(graph, true);
    ck_assert_msg(large <= small + (2 << 20), "%zu and %zu KiB", small >> 10,
                  large >> 10);
    isa_graph_free(graph);
}
END_TEST

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

int main(void)
{
    if (IS_SANITIZED) {
        puts("skipped: a sanitizer has memory of its own");
        return 77;
    }
    TCase *tcase = tcase_create("budget");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, a_run_stays_in_its_budget, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_test(tcase, a_reset_frees_large_lists);
    return test_main("budget", tcase);
}
