/* Settings that need others, by machine/needs.def: as long as a machine lacks
 * what a setting needs, no value of it changes the run. */
#include "machine/needs.h"
#include "sim/loading/fit.h"
#include "tests/unit/support.h"

static const char *const programs[] = {
    "result = fib(9) + length(squares(12)) + total(6)\n"
    "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n"
    "squares(n) = [i * i | i <- 0 .. n]\n"
    "total(n) = loop i = 0, s = 0 while i < n do i + 1, s + fib(i) return s\n",
    "result = walk(4, tensor([[1.0, 2.0], [3.0, 4.0]]))\n"
    "walk(n, m) = if n == 0 then m else walk(n - 1, tanh(matmul(m, m) * 0.1))\n",
};

static const char *const machines[] = {
    "",
    "pe.count=1",
    "network.topology=ideal",
    "network.topology=mesh network.latency=2",
    "network.capacity=4 network.bandwidth=64",
    "tag.scheme=interned",
    "tag.scheme=pool tag.pool=500",
    "match.store=hash",
    "match.capacity=1000",
    "cluster.nodes=4 cluster.pes_per_node=2",
    "cluster.nodes=4 cluster.pes_per_node=2 cluster.termination=counted",
    "executor.workers=3",
    "copy.placement=caller",
    "tensor.unit.count=1",
    "tensor.batch.until=idle",
    "memory.capacity=1000000",
    "tensor.math=reference",
};

enum { VALUES = 16 };

/* Some values that a setting can have, as texts; the number of them. */
static int draw_values(const struct machine_setting *setting, char texts[VALUES][32])
{
    int count = 0;
    if (setting->kind == MACHINE_SETTING_CHOICE) {
        for (const char *p = setting->choices; *p && count < VALUES;) {
            const size_t length = strcspn(p, "|");
            snprintf(texts[count++], sizeof texts[0], "%.*s", (int)length, p);
            p += length + (p[length] == '|');
        }
    } else if (setting->kind == MACHINE_SETTING_NUMBER) {
        const uint64_t values[] = {setting->least, setting->least + 1, 3, 37};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            if (values[i] >= setting->least && values[i] <= setting->greatest)
                snprintf(texts[count++], sizeof texts[0], "%llu",
                         (unsigned long long)values[i]);
    } else if (strcmp(setting->key, "network.dims") == 0) {
        snprintf(texts[count++], sizeof texts[0], "4x4");
    }
    return count;
}

static bool fits(const struct machine_settings *settings, const struct isa_graph *graph)
{
    struct lib_diags diags = {0};
    const bool good = sim_program_fits(graph, settings, NULL, &diags);
    lib_diags_free(&diags);
    return good;
}

static uint64_t digest_of(const struct isa_graph *graph,
                          const struct machine_settings *settings)
{
    struct test_outcome outcome = test_run(graph, NULL, settings, 7);
    const uint64_t digest = outcome.stats.timing_digest;
    ck_assert_int_eq(outcome.end, ISA_END_COMPLETED);
    traces_stats_free(&outcome.stats);
    return digest;
}

/* Returns how many values of settings were tried. */
static unsigned check_machine(const struct isa_graph *graph, const char *machine)
{
    struct machine_settings base;
    unsigned tried = 0;
    machine_settings_default(&base);
    test_set_all(&base, machine);
    const uint64_t digest = digest_of(graph, &base);
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct machine_setting *setting = &machine_setting_table[i];
        const bool expands = graph->stage == ISA_STAGE_EXPANDING;
        char texts[VALUES][32];
        if (!machine_setting_needs(&base, setting, expands))
            continue;
        const int count = draw_values(setting, texts);
        for (int k = 0; k < count; k++) {
            struct machine_settings s = base;
            test_set(&s, setting->key, texts[k]);
            if (!machine_setting_needs(&s, setting, expands) || !fits(&s, graph))
                continue;
            tried++;
            ck_assert_msg(digest_of(graph, &s) == digest, "%s=%s changes `%s`",
                          setting->key, texts[k], machine);
        }
    }
    return tried;
}

START_TEST(what_needs_another_setting_changes_nothing_without_it)
{
    unsigned tried = 0;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (int stage = ISA_STAGE_IMAGE; stage <= ISA_STAGE_EXPANDING; stage++) {
            struct isa_graph *graph = test_compile(programs[p], (enum isa_stage)stage);
            for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
                tried += check_machine(graph, machines[m]);
            isa_graph_free(graph);
        }
    ck_assert_uint_ge(tried, 5000);
}
END_TEST

/* What is needed is a setting with a value, or the strategy; and it is not what the machine has. */
START_TEST(what_is_needed_is_a_setting)
{
    struct machine_settings s;
    machine_settings_default(&s);
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        machine_settings_default(&s);
        test_set_all(&s, machines[m]);
        for (size_t i = 0; i < machine_setting_count; i++) {
            const char *needs = machine_setting_needs(&s, &machine_setting_table[i],
                                                      false);
            struct lib_text now = {0};
            if (!needs)
                continue;
            machine_setting_write_now(&s, needs, &now);
            ck_assert_str_ne(now.bytes, needs);
            ck_assert(strchr(needs, '=') != NULL);
            ck_assert(strncmp(needs, "--strategy=", 11) == 0 ||
                      strncmp(now.bytes, needs, strcspn(needs, "=") + 1) == 0);
            lib_text_free(&now);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("needs");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, what_needs_another_setting_changes_nothing_without_it);
    tcase_add_test(tcase, what_is_needed_is_a_setting);
    return test_main("needs", tcase);
}
