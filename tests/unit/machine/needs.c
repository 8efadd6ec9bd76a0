/* Settings that need others, by machine/needs.def: as long as a machine lacks
 * what a setting needs, no value of it changes the run. */
#include "lib/hash.h"
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
static int draw_values(const struct lib_setting *setting, char texts[VALUES][32])
{
    int count = 0;
    if (setting->kind == LIB_SETTING_CHOICE) {
        for (const char *p = setting->choices; *p && count < VALUES;) {
            const size_t length = strcspn(p, "|");
            snprintf(texts[count++], sizeof texts[0], "%.*s", (int)length, p);
            p += length + (p[length] == '|');
        }
    } else if (setting->kind == LIB_SETTING_NUMBER) {
        const uint64_t values[] = {setting->least, setting->least + 1, 2, 3, 37, 500000};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            if (values[i] >= setting->least && values[i] <= setting->greatest)
                snprintf(texts[count++], sizeof texts[0], "%llu",
                         (unsigned long long)values[i]);
    } else if (strcmp(setting->key, "network.dims") == 0) {
        snprintf(texts[count++], sizeof texts[0], "4x4");
        snprintf(texts[count++], sizeof texts[0], "2x8");
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
        const struct lib_setting *setting = &machine_setting_table[i];
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

/* --- settings without effect, and without a warning ------------------------------------------ */

/* Programs that use what settings are about: calls, loops, arrays, tensors, reals. */
static const char *const corpus[] = {
    "result = fib(8) + length(squares(9)) + total(6) / 2 % 5\n"
    "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n"
    "squares(n) = [i * i | i <- 0 .. n]\n"
    "total(n) = loop i = 0, s = 0 while i < n do i + 1, s + fib(i) return s\n",
    "result = walk(4, tensor([[1.0, 2.0], [3.0, 4.0]]))\n"
    "walk(n, m) = if n == 0 then m else walk(n - 1, tanh(matmul(m, m) * 0.1)) + m * "
    "0.5\n",
    "result = sum([f(real(i)) / 3.0 | i <- 1 .. 9])\n"
    "f(x) = if x < 0.5 then x else exp(0.0 - x) + sqrt(x) + f(x / 2.0)\n",
    "result = tree(3, tensor([[1.0, 2.0], [3.0, 4.0]]))\n"
    "tree(n, m) = if n == 0 then tanh(matmul(m, m) + m) else tree(n - 1, m * 0.5) + "
    "tree(n - 1, m)\n",
};
enum { CORPUS = sizeof corpus / sizeof *corpus };

/* Machines of each kind, on which few settings lack what they need. */
static const char *const kinds[] = {
    "",
    "network.topology=ideal pe.units=0",
    "network.topology=mesh network.capacity=4 network.bandwidth=64",
    "tag.scheme=interned tag.bits=1 tag.exhausted=spill tag.intern.units=machine",
    "tag.scheme=pool tag.pool=4 tag.exhausted=spill",
    "match.store=hash match.capacity=16 match.ways=1",
    "match.store=hash",
    "match.capacity=40",
    "cluster.nodes=4 cluster.pes_per_node=4",
    "cluster.nodes=4 cluster.pes_per_node=4 cluster.termination=counted",
    "executor.workers=3",
    "executor.workers=3 match.store=hash match.capacity=9 tag.scheme=pool "
    "network.topology=mesh",
    "executor.workers=3 deadness=propagate executor.handoff.latency=900",
    "executor.workers=1 pe.count=1",
    "copy.placement=coordinator cluster.nodes=4 cluster.pes_per_node=4",
    "tensor.unit.count=1",
    "tensor.batch.until=window tensor.batch.window=40 tensor.unit.of=node",
    "tensor.transport=reference",
    "memory.capacity=1000000 swap.threshold=16",
    "deadness=propagate",
    "pe.count=1",
};

/* Settings that change something else than a run, or only a run that the corpus does not have. */
static const char *const elsewhere[] = {
    "network.file",  "network.platform",   "partition.file",      "partition.profile",
    "partition.by",  "stats.interval",     "port.capacity",       "tensor.math",
    "tensor.core",   "limits.memory",      "fault.list",          "fault.seed",
    "network.model", "partition.machines", "placement.functions",
};

/* Settings that change only runs that are crowded more than those of the corpus; and the nodes of a
 * machine of one PE, which are one. */
static const char *const rare[] = {
    "cluster.timeout", "network.iterations",       "network.credit.latency",
    "swap.prefetch",   "executor.handoff.latency", "executor.sleep.latency",
    "cluster.nodes",
};

static bool is_rare(const char *key)
{
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++)
        if (strcmp(rare[i], key) == 0)
            return true;
    return false;
}

/* Whether a setting has the value that the text says. */
static bool is_value(const struct machine_settings *settings,
                     const struct lib_setting *setting, const char *text)
{
    LIB_TEXT_OWN value = {0};
    lib_setting_write(settings, setting, &value);
    return strcmp(lib_text_get(&value), text) == 0;
}

static bool is_elsewhere(const char *key)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strcmp(elsewhere[i], key) == 0)
            return true;
    return false;
}

/* All statistics of a run and its end, as one number. */
static uint64_t measure(const struct isa_graph *graph,
                        const struct machine_settings *settings)
{
    struct test_outcome outcome = test_run(graph, NULL, settings, 7);
    uint64_t all = (uint64_t)outcome.end;
    for (size_t i = 0; i < traces_stat_count; i++)
        if (traces_stat_table[i].kind != TRACES_STAT_RATIO)
            all = lib_hash_mix(
                all ^ traces_stat_integer(&outcome.stats, &traces_stat_table[i]));
    traces_stats_free(&outcome.stats);
    return all;
}

/* Whether some value of a setting changes some run of the corpus, or is refused. */
static bool has_effect(struct isa_graph *const *graphs,
                       const struct machine_settings *base, const uint64_t *before,
                       const struct lib_setting *setting, bool expands)
{
    char texts[VALUES][32];
    const int count = draw_values(setting, texts);
    bool is_tried = false;
    for (int k = 0; k < count; k++)
        for (size_t p = 0; p < CORPUS; p++) {
            struct machine_settings s = *base;
            test_set(&s, setting->key, texts[k]);
            if (is_value(base, setting, texts[k]) ||
                machine_setting_needs(&s, setting, expands) || !fits(&s, graphs[p]))
                continue;
            is_tried = true;
            if (measure(graphs[p], &s) != before[p])
                return true;
        }
    return !is_tried;
}

START_TEST(what_changes_nothing_needs_another_setting)
{
    static const enum isa_stage stages[] = {ISA_STAGE_IMAGE, ISA_STAGE_EXPANDING};
    const size_t m = (size_t)_i / 2;
    struct isa_graph *graphs[CORPUS];
    uint64_t before[CORPUS];
    struct machine_settings base;
    const bool expands = _i % 2;
    unsigned silent = 0;
    machine_settings_default(&base);
    test_set_all(&base, kinds[m]);
    for (size_t p = 0; p < CORPUS; p++) {
        graphs[p] = test_compile(corpus[p], stages[_i % 2]);
        before[p] = measure(graphs[p], &base);
    }
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct lib_setting *setting = &machine_setting_table[i];
        if (is_elsewhere(setting->key) || is_rare(setting->key) ||
            machine_setting_needs(&base, setting, expands) ||
            has_effect(graphs, &base, before, setting, expands))
            continue;
        fprintf(stderr, "%s: %s changes nothing on `%s`\n",
                expands ? "expanding" : "static", setting->key, kinds[m]);
        silent++;
    }
    for (size_t p = 0; p < CORPUS; p++)
        isa_graph_free(graphs[p]);
    ck_assert_uint_eq(silent, 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("needs");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, what_needs_another_setting_changes_nothing_without_it);
    tcase_add_test(tcase, what_is_needed_is_a_setting);
    tcase_add_loop_test(tcase, what_changes_nothing_needs_another_setting, 0,
                        2 * sizeof kinds / sizeof *kinds);
    return test_main("needs", tcase);
}
