/* What goes through the links of a network, and what is counted of it. */
#include "machine/network/crossbar.h"
#include "machine/state.h"
#include "tests/unit/support.h"

struct run {
    struct isa_code *code;
    struct machine *machine;
    struct traces_stats stats;
};

/* Runs a program to its end on a crossbar, with these settings besides, in pieces of so many
 * tokens. */
static struct run start_in(const struct isa_graph *graph, const isa_value *inputs,
                           const struct machine_settings *base, const char *settings,
                           uint64_t piece)
{
    struct machine_settings s = *base;
    struct run run;
    test_set(&s, "network.topology", "crossbar");
    test_set_all(&s, settings);
    run.code = isa_code_make(graph, inputs, s.deadness == MACHINE_PROPAGATE);
    run.machine = machine_new(run.code, &s, 0);
    while (machine_advance(run.machine, piece))
        ;
    ck_assert_int_eq(machine_end(run.machine), ISA_END_COMPLETED);
    machine_measure(run.machine, &run.stats);
    return run;
}

static struct run start(const struct isa_graph *graph, const isa_value *inputs,
                        const struct machine_settings *base, const char *settings)
{
    return start_in(graph, inputs, base, settings, 1);
}

static void finish(struct run *run)
{
    traces_stats_free(&run->stats);
    machine_free(run->machine);
    isa_code_free(run->code);
}

/* --- what is counted ---------------------------------------------------------------------- */

/* What the output ports, or the input ports, have done. */
static struct traces_link_stats add_ports(const struct run *run, uint32_t first)
{
    struct traces_link_stats sum = {0};
    for (uint32_t pe = 0; pe < run->machine->pe_count; pe++) {
        const struct traces_link_stats s = machine_link_measure(run->machine, first + pe,
                                                                run->stats.cycles);
        sum.tokens += s.tokens;
        sum.busy += s.busy;
        sum.bits += s.bits;
        sum.waits += s.waits;
    }
    return sum;
}

START_TEST(all_that_is_sent_goes_through_two_ports)
{
    static const char *const settings[] = {
        "",
        "pe.count=64 pe.units=3",
        "network.bandwidth=40",
        "network.bandwidth=13 deadness=propagate",
        "network.bandwidth=64 queue.capacity=100 network.capacity=20",
        "network.capacity=3",
    };
    struct machine_settings base;
    struct test_program p = test_example("matmul");
    machine_settings_default(&base);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct run run = start(p.graph, p.inputs, &base, settings[i]);
        const struct traces_link_stats out = add_ports(&run, 0);
        const struct traces_link_stats in = add_ports(&run, run.machine->pe_count);
        const uint64_t bandwidth = run.machine->settings.network_bandwidth;
        ck_assert_uint_eq(out.tokens, run.stats.network_tokens);
        ck_assert_uint_eq(in.tokens, run.stats.network_tokens);
        ck_assert_uint_eq(run.stats.hops, run.stats.network_tokens);
        ck_assert_uint_eq(out.bits, bandwidth ? run.stats.network_bits : 0);
        ck_assert_uint_eq(in.bits, out.bits);
        ck_assert_uint_eq(in.busy, out.busy);
        ck_assert_uint_ge(out.busy * bandwidth, out.bits);
        ck_assert_uint_ge(out.busy, out.tokens);
        finish(&run);
    }
    test_program_free(&p);
}
END_TEST

/* Measured cycle by cycle, also within cycles that are skipped: a cycle adds one for each token
 * that stands. */
static void check_each_cycle(const struct run *run, uint64_t waits)
{
    struct machine *m = machine_new(run->code, &run->machine->settings, 0);
    uint64_t before = 0, most = 0;
    for (uint64_t cycle = 0; cycle <= run->stats.cycles; cycle++) {
        struct traces_stats stats;
        machine_advance_to(m, cycle, UINT64_MAX);
        machine_measure_to(m, cycle, &stats);
        ck_assert_uint_le(before, stats.link_waits);
        most = stats.link_waits - before > most ? stats.link_waits - before : most;
        before = stats.link_waits;
        traces_stats_free(&stats);
    }
    ck_assert_uint_eq(before, waits);
    ck_assert_uint_eq(most, 5);
    machine_free(m);
}

/* Three arguments are six tokens, which are formed at one time: each waits for those before it. */
START_TEST(tokens_wait_for_those_before_them)
{
    static const struct {
        const char *settings;
        uint64_t cycles; /* that each occupies a port */
    } rows[] = {{"", 1}, {"network.bandwidth=100", 1}, {"network.bandwidth=30", 3}};
    struct machine_settings base;
    struct isa_graph *graph = test_compile(
        "result = f(1, 2, 3)\nf(x, y, z) = x + y * z\n", ISA_STAGE_IMAGE);
    test_settings_ideal(&base);
    test_set_all(&base, "pe.count=64 network.latency=7");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run run = start(graph, NULL, &base, rows[i].settings);
        const uint32_t pe =
            isa_activations_get(&run.machine->tokens.exec.tags, ISA_TAG_ROOT)->owner;
        const struct traces_link_stats out = machine_link_measure(run.machine, pe,
                                                                  run.stats.cycles);
        ck_assert_uint_eq(out.tokens, 6);
        ck_assert_uint_eq(out.busy, 6 * rows[i].cycles);
        ck_assert_uint_eq(out.waits, (0 + 1 + 2 + 3 + 4 + 5) * rows[i].cycles);
        ck_assert_uint_eq(add_ports(&run, run.machine->pe_count).waits, 0);
        check_each_cycle(&run, out.waits);
        finish(&run);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- ways to walk them ---------------------------------------------------------------------- */

static void check_same(const struct run *a, const struct run *b)
{
    ck_assert_uint_eq(a->stats.cycles, b->stats.cycles);
    ck_assert_uint_eq(a->stats.timing_digest, b->stats.timing_digest);
    for (uint32_t i = 0; i < a->machine->network.link_count; i++) {
        const struct traces_link_stats s = machine_link_measure(a->machine, i,
                                                                a->stats.cycles);
        const struct traces_link_stats t = machine_link_measure(b->machine, i,
                                                                b->stats.cycles);
        ck_assert_uint_eq(s.tokens, t.tokens);
        ck_assert_uint_eq(s.busy, t.busy);
        ck_assert_uint_eq(s.bits, t.bits);
        ck_assert_uint_eq(s.waits, t.waits);
    }
}

/* Queues that are never full go through other code than unlimited queues. Without bandwidth they
 * have a timetable, which each piece opens and closes. */
START_TEST(all_codes_of_a_cycle_do_the_same)
{
    static const char *const examples[] = {"fib", "matmul"};
    static const char *const settings[] = {
        "network.latency=0",
        "network.latency=3 pe.units=0",
        "network.latency=90 pe.count=3",
        "network.bandwidth=17",
        "network.bandwidth=50 pe.units=4 network.latency=9",
    };
    for (size_t e = 0; e < 2; e++)
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
            struct machine_settings base;
            struct test_program p = test_example(examples[e]);
            if (e == 0)
                test_set_inputs(&p, "n=11");
            machine_settings_default(&base);
            test_set(&base, "pe.count", "70"); /* two words of sets, and one part */
            struct run unlimited = start(p.graph, p.inputs, &base, settings[i]);
            struct run whole = start_in(p.graph, p.inputs, &base, settings[i],
                                        UINT64_MAX);
            test_set_all(&base, "queue.capacity=1000000 network.capacity=1000000");
            struct run finite = start(p.graph, p.inputs, &base, settings[i]);
            check_same(&unlimited, &whole);
            check_same(&unlimited, &finite);
            finish(&unlimited);
            finish(&whole);
            finish(&finite);
            test_program_free(&p);
        }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("network");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, all_that_is_sent_goes_through_two_ports);
    tcase_add_test(tcase, tokens_wait_for_those_before_them);
    tcase_add_test(tcase, all_codes_of_a_cycle_do_the_same);
    return test_main("network", tcase);
}
