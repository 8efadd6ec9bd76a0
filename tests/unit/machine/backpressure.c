/* Queues of finite size: who is held back, for how long, and when that ends a run. Machines are
 * like the preset `ideal` but for what is set. */
#include "machine/network/crossbar.h"
#include "machine/state.h"
#include "machine/pe/backpressure.h"
#include "tests/unit/examples.h"
#include "tests/unit/rig.h"

/* Four tokens at once, each of which makes two. */
static const char four_by_two[] =
    "hiaton assembly 1\n"
    "stage image\n"
    "function 0 result () -> (int, int, int, int, int, int, int, int)\n"
    "in result\n"
    "  %0 const.int 1 -> %1.0, %2.0, %3.0, %4.0\n"
    "  %1 add.int _, 1 -> %5.0, %6.0\n"
    "  %2 add.int _, 1 -> %7.0, %8.0\n"
    "  %3 add.int _, 1 -> %9.0, %10.0\n"
    "  %4 add.int _, 1 -> %11.0, %12.0\n"
    "  %5 output.int _, part 0\n"
    "  %6 output.int _, part 1\n"
    "  %7 output.int _, part 2\n"
    "  %8 output.int _, part 3\n"
    "  %9 output.int _, part 4\n"
    "  %10 output.int _, part 5\n"
    "  %11 output.int _, part 6\n"
    "  %12 output.int _, part 7\n";

/* An empty queue takes the four, whatever its capacity. Oldest first: three are left when the first
 * makes two, then four, five and six: 8 fit. Newest first: three; the two are gone before the
 * next. */
START_TEST(a_queue_holds_back_what_would_fill_it)
{
    struct test_rig rig = test_rig_of(test_read(four_by_two));
    test_set(&rig.settings, "pe.units", "1");
    test_rig_ends(&rig, "queue.capacity=8", ISA_END_COMPLETED, "");
    test_rig_ends(&rig, "queue.capacity=7", ISA_END_STORE_FULL, "queue.capacity");
    test_rig_ends(&rig, "queue.capacity=5 queue.discipline=lifo", ISA_END_COMPLETED, "");
    test_rig_ends(&rig, "queue.capacity=4 queue.discipline=lifo", ISA_END_STORE_FULL,
                  "queue.capacity");
    ck_assert_uint_eq(test_rig_cycles(&rig, ""),
                      test_rig_cycles(&rig, "queue.capacity=8"));
    test_rig_free(&rig);
}
END_TEST

/* Two pairs of operands, each of which meets within one cycle, and makes two. */
static const char two_pairs[] = "hiaton assembly 1\n"
                                "stage image\n"
                                "function 0 result () -> (int, int, int, int)\n"
                                "in result\n"
                                "  %0 const.int 1 -> %1.0, %1.1, %2.0, %2.1\n"
                                "  %1 add.int _, _ -> %3.0, %4.0\n"
                                "  %2 add.int _, _ -> %5.0, %6.0\n"
                                "  %3 output.int _, part 0\n"
                                "  %4 output.int _, part 1\n"
                                "  %5 output.int _, part 2\n"
                                "  %6 output.int _, part 3\n";

START_TEST(pairs_that_meet_in_one_cycle_ask_for_room)
{
    struct test_rig rig = test_rig_of(test_read(two_pairs));
    ck_assert_uint_eq(test_rig_cycles(&rig, ""), 3);
    ck_assert_uint_eq(test_rig_cycles(&rig, "queue.capacity=4"), 3);
    test_rig_ends(&rig, "queue.capacity=3", ISA_END_STORE_FULL, "queue.capacity");
    ck_assert_uint_eq(test_rig_run(&rig, "queue.capacity=4").stats.queue_stalls, 0);
    ck_assert_uint_eq(test_rig_run(&rig, "queue.capacity=3").stats.queue_stalls, 1);
    test_rig_free(&rig);
}
END_TEST

/* Nowhere, at the end of any cycle, is there more than fits, but for what one firing makes
 * into an empty queue, and `least`, what instructions of the start make at their own PE. */
static bool check_rooms(const struct machine *m, uint64_t least)
{
    const uint64_t widest = m->widest;
    const uint64_t most = widest > least ? widest : least;
    const uint64_t input = m->settings.queue_capacity;
    const uint64_t port = m->settings.network_capacity;
    bool full = false;
    for (uint32_t pe = 0; pe < m->pe_count; pe++) {
        const struct machine_pe *p = &m->tokens.pes[pe];
        ck_assert(!input || machine_pe_held(p) <= (input > most ? input : most));
        full |= input && machine_pe_held(p) >= input;
        if (!port || !m->network.has_links)
            continue;
        const struct machine_link *links = m->network.crossbar->links;
        const uint32_t coming = links[machine_link_input(m->network.crossbar, pe)].there;
        ck_assert(machine_backpressure_leaving(m, pe) <= (port > widest ? port : widest));
        ck_assert(coming <= port);
        full |= coming == port;
    }
    return full;
}

/* Whether reads may wait, whose answers are not held back. */
static bool has_reads(const struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].op == ISA_OP_READ || graph->nodes[i].op == ISA_OP_FETCH)
            return true;
    return false;
}

static unsigned full_runs, completed_runs; /* of those below */

static void check_capacities(const struct test_row *row, struct test_program *p)
{
    static const char *const capacities[] = {"8", "20", "60"};
    static const char *const units[] = {"1", "3", "0"};
    if (row->calls > (test_is_quick() ? 60 : 300) || has_reads(p->graph))
        return;
    for (int i = 0; i < 36; i += test_is_quick() ? 5 : 1) {
        struct machine_settings s;
        machine_settings_default(&s);
        test_set(&s, "pe.count", i % 2 ? "3" : "12");
        test_set(&s, "queue.capacity", capacities[i / 2 % 3]);
        test_set(&s, "network.capacity", i / 6 % 2 ? "2" : "0");
        test_set(&s, "network.topology", i / 6 % 2 ? "crossbar" : "ideal");
        test_set(&s, "pe.units", units[i / 12 % 3]);
        struct isa_code *code = isa_code_make(p->graph, p->inputs, false);
        struct machine *m = machine_new(code, &s, 0);
        bool full = false;
        while (machine_advance(m, 1))
            full |= check_rooms(m, code->start_count * m->widest);
        struct traces_stats stats;
        machine_measure(m, &stats);
        ck_assert_uint_le(stats.queue_stalls, stats.cycles);
        traces_stats_free(&stats);
        full_runs += full;
        completed_runs += machine_end(m) == ISA_END_COMPLETED;
        ck_assert(machine_end(m) == ISA_END_COMPLETED ||
                  machine_end(m) == ISA_END_STORE_FULL);
        machine_free(m);
        isa_code_free(code);
    }
}

START_TEST(nothing_holds_more_than_fits)
{
    full_runs = completed_runs = 0;
    test_each_example(check_capacities);
    ck_assert(full_runs >= 50 && completed_runs >= 50);
}
END_TEST

/* With room for one token on its way to a PE and at its input port, each of the four gets
 * one in four cycles at most. */
START_TEST(ports_hold_back_who_sends)
{
    struct test_rig rig = test_rig_program(
        "result = f(12)\n"
        "f(n) = if n < 2 then n else f(n - 1) + f(n - 2)\n");
    test_set_all(&rig.settings, "pe.count=4 network.topology=crossbar network.latency=4");
    const struct test_ended free = test_rig_run(&rig, "");
    struct test_ended e = test_rig_run(&rig, "network.capacity=1000");
    ck_assert_uint_eq(e.stats.timing_digest, free.stats.timing_digest);
    ck_assert_uint_eq(e.stats.queue_stalls, 0);
    uint64_t cycles = free.stats.cycles;
    static const char *const capacities[] = {"network.capacity=8", "network.capacity=3",
                                             "network.capacity=1"};
    for (int i = 0; i < 3; i++) {
        e = test_rig_run(&rig, capacities[i]);
        ck_assert_int_eq(e.end, ISA_END_COMPLETED);
        ck_assert_uint_gt(e.stats.cycles, cycles);
        ck_assert_uint_gt(e.stats.queue_stalls, e.stats.cycles / 2);
        ck_assert_uint_le(e.stats.queue_stalls, e.stats.cycles);
        cycles = e.stats.cycles;
    }
    ck_assert_uint_ge(cycles, e.stats.network_tokens);
    test_rig_free(&rig);
}
END_TEST

/* --- cycles in which something is held back ---------------------------------------------- */

/* At cycle 1 the division makes three, of which there are four then with the addition, whose two
 * find no room before the three have had their turns. The newest first, one in a cycle. */
static const char waits_for_division[] =
    "hiaton assembly 1\n"
    "stage image\n"
    "function 0 result () -> (int, int, int, int, int)\n"
    "in result\n"
    "  %0 const.int 1 -> %1.0, %2.0\n"
    "  %1 add.int _, 1 -> %3.0, %4.0\n"
    "  %2 div.int _, 1 -> %5.0, %6.0, %7.0\n"
    "  %3 output.int _, part 0\n"
    "  %4 output.int _, part 1\n"
    "  %5 output.int _, part 2\n"
    "  %6 output.int _, part 3\n"
    "  %7 output.int _, part 4\n";

/* From cycle 2 to that before the results of the division are there: whether the host simulates
 * these cycles or skips them. In 1 + latency and the next two a result takes the one unit. */
START_TEST(cycles_that_are_skipped_count)
{
    static const struct {
        const char *settings;
        uint64_t stalls;
    } rows[] = {
        {"unit.div.latency=1", 0},  {"unit.div.latency=2", 1},
        {"unit.div.latency=10", 9}, {"unit.div.latency=1000", 999},
        {"queue.capacity=5", 0}, /* room for both */
    };
    struct test_rig rig = test_rig_of(test_read(waits_for_division));
    test_set_all(&rig.settings, "pe.units=1 queue.discipline=lifo queue.capacity=4");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_ended e = test_rig_run(&rig, rows[i].settings);
        ck_assert_int_eq(e.end, ISA_END_COMPLETED);
        ck_assert_uint_eq(e.stats.queue_stalls, rows[i].stalls);
    }
    test_rig_free(&rig);
}
END_TEST

/* Four instructions of the start, and each has its output: they are more than fit from the
 * beginning, and are not held back. */
static const char four_starts[] = "hiaton assembly 1\n"
                                  "stage image\n"
                                  "function 0 result () -> (int, int, int, int)\n"
                                  "in result\n"
                                  "  %0 const.int 1 -> %4.0\n"
                                  "  %1 const.int 2 -> %5.0\n"
                                  "  %2 const.int 3 -> %6.0\n"
                                  "  %3 const.int 4 -> %7.0\n"
                                  "  %4 output.int _, part 0\n"
                                  "  %5 output.int _, part 1\n"
                                  "  %6 output.int _, part 2\n"
                                  "  %7 output.int _, part 3\n";

START_TEST(the_start_is_not_held_back)
{
    struct test_rig rig = test_rig_of(test_read(four_starts));
    static const char *const settings[] = {"queue.capacity=1", "queue.capacity=3",
                                           "queue.capacity=1 pe.units=1"};
    for (int i = 0; i < 3; i++) {
        const struct test_ended e = test_rig_run(&rig, settings[i]);
        ck_assert_int_eq(e.end, ISA_END_COMPLETED);
        ck_assert_uint_eq(e.stats.queue_stalls, 0);
    }
    test_rig_free(&rig);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("room");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, a_queue_holds_back_what_would_fill_it);
    tcase_add_test(tcase, pairs_that_meet_in_one_cycle_ask_for_room);
    tcase_add_test(tcase, nothing_holds_more_than_fits);
    tcase_add_test(tcase, ports_hold_back_who_sends);
    tcase_add_test(tcase, cycles_that_are_skipped_count);
    tcase_add_test(tcase, the_start_is_not_held_back);
    return test_main("room", tcase);
}
