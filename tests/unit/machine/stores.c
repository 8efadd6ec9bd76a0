/* Stores of finite size, and numbers for tags: what they cost, in cycles computed by hand,
 * and when they end a run. Machines are like the preset `ideal` but for what is set. */
#include "machine/state.h"
#include "tests/unit/examples.h"
#include "tests/unit/rig.h"

#include <inttypes.h>

/* --- matching: hash ---------------------------------------------------------------------- */

/* Three operands wait from cycle 1 to cycle 2: 4 cycles. */
static const char three_wait[] = "hiaton assembly 1\n"
                                 "stage image\n"
                                 "function 0 result () -> (int, int, int)\n"
                                 "in result\n"
                                 "  %0 const.int 1 -> %4.0\n"
                                 "  %1 const.int 2 -> %5.0\n"
                                 "  %2 const.int 3 -> %6.0\n"
                                 "  %3 const.int 4 -> %7.0\n"
                                 "  %4 add.int _, _ -> %8.0\n"
                                 "  %5 add.int _, _ -> %9.0\n"
                                 "  %6 add.int _, _ -> %10.0\n"
                                 "  %7 add.int _, 1 -> %4.1, %5.1, %6.1\n"
                                 "  %8 output.int _, part 0\n"
                                 "  %9 output.int _, part 1\n"
                                 "  %10 output.int _, part 2\n";

START_TEST(operands_that_find_no_way_in_their_set_go_to_the_slower_store)
{
    static const struct {
        const char *settings;
        uint64_t overflows, cycles;
    } rows[] = {
        {"match.capacity=0", 0, 4},
        {"match.capacity=3 match.ways=3", 0, 4},
        {"match.capacity=2 match.ways=2", 1, 24},
        {"match.capacity=2 match.ways=4", 1, 24}, /* no more ways than there is room */
        {"match.capacity=3 match.ways=2", 1, 24}, /* one set, and a place of no use */
        {"match.capacity=1 match.ways=1", 2, 24},
        {"match.capacity=1 match.overflow.latency=7", 2, 11},
        {"match.capacity=1 match.overflow.latency=0", 2, 4},
        {"match.capacity=1 match.overflow.capacity=2", 2, 24},
        /* put in cycles 1 and 2, found in 3 and 4 where a bank begins one access per cycle */
        {"match.capacity=1 match.overflow.bandwidth=1", 2, 26},
        {"match.capacity=1 match.overflow.bandwidth=1 match.overflow.banks=3", 2, 26},
        {"match.capacity=1 match.overflow.bandwidth=2", 2, 24},
    };
    struct test_rig rig = test_rig_of(test_read(three_wait));
    test_set(&rig.settings, "match.store", "hash");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_ended e = test_rig_run(&rig, rows[i].settings);
        ck_assert_int_eq(e.end, ISA_END_COMPLETED);
        ck_assert_uint_eq(e.stats.match_overflows, rows[i].overflows);
        ck_assert_uint_eq(e.stats.cycles, rows[i].cycles);
        ck_assert_uint_eq(e.stats.peak_waiting, 3);
    }
    test_rig_ends(&rig, "match.capacity=1 match.overflow.capacity=1", ISA_END_STORE_FULL,
                  "match.overflow.capacity");
    test_rig_free(&rig);
}
END_TEST

/* --- function units ------------------------------------------------------------------------ */

/* Instruction 7 has its turn in cycle 1, and three additions in cycle 2. */
START_TEST(instructions_wait_for_a_unit_of_their_class)
{
    static const struct {
        const char *settings;
        uint64_t cycles, busy, stalls, peak;
    } rows[] = {
        {"unit.alu.count=0 unit.alu.interval=1", 4, 0, 0, 0},
        {"unit.alu.count=1", 6, 4, 0 + 1 + 2, 3},
        {"unit.alu.count=3", 4, 4, 0, 3},
        {"unit.alu.count=1 unit.alu.interval=5", 18, 20, 4 + 9 + 14, 3},
        {"unit.alu.count=2 unit.alu.interval=5", 9, 20, 0 + 4 + 5, 3},
        {"unit.fpu.count=1", 4, 0, 0, 0},
        {"match.bandwidth=16 pe.units=0", 4, 0, 0, 4},
    };
    struct test_rig rig = test_rig_of(test_read(three_wait));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_ended e = test_rig_run(&rig, rows[i].settings);
        ck_assert_int_eq(e.end, ISA_END_COMPLETED);
        ck_assert_msg(e.stats.cycles == rows[i].cycles &&
                          e.stats.unit_busy_cycles == rows[i].busy &&
                          e.stats.unit_stall_cycles == rows[i].stalls &&
                          e.stats.peak_issue_queue == rows[i].peak,
                      "%s: %" PRIu64 " cycles, %" PRIu64 " busy, %" PRIu64
                      " stalls, at most %" PRIu64,
                      rows[i].settings, e.stats.cycles, e.stats.unit_busy_cycles,
                      e.stats.unit_stall_cycles, e.stats.peak_issue_queue);
    }
    test_rig_free(&rig);
}
END_TEST

/* With one way, operands of one set get in each other's way: the sets are those of the
 * hash, computed here again. */
START_TEST(the_hash_of_tag_and_instruction_names_the_set)
{
    const uint64_t root = UINT64_C(0x68696174f6e0001d);
    struct test_rig rig = test_rig_of(test_read(three_wait));
    bool differ = false, agree = false;
    test_set(&rig.settings, "match.store", "hash");
    test_set(&rig.settings, "match.ways", "1");
    for (uint64_t sets = 1; sets <= 12; sets++) {
        char text[64];
        bool taken[12] = {false};
        uint64_t expected = 0;
        for (uint64_t n = 4; n <= 6; n++) {
            uint64_t key = lib_hash_mix(UINT64_C(0xd1b54a32d192ed03) * (n + 1));
            uint64_t set = ((lib_hash_mix(root ^ key) >> 32) * sets) >> 32;
            expected += taken[set];
            taken[set] = true;
        }
        snprintf(text, sizeof text, "match.capacity=%ju", (uintmax_t)sets);
        ck_assert_uint_eq(test_rig_run(&rig, text).stats.match_overflows, expected);
        differ |= expected == 0;
        agree |= sets > 1 && expected > 0;
    }
    ck_assert(differ && agree);
    test_rig_free(&rig);
}
END_TEST

/* --- matching: frames -------------------------------------------------------------------- */

/* Three calls at cycle 0, each with a frame of two slots (`*`, RETURN); the sum has two. */
static const char three_frames[] = "result = f(1) + f(2) + f(3)\nf(x) = x * x\n";

START_TEST(a_frame_goes_to_the_next_pe_that_has_room)
{
    struct test_rig rig = test_rig_program(three_frames);
    test_set_all(&rig.settings, "pe.count=4 match.store=frames match.capacity=3");
    struct machine *m = machine_new(rig.code, &rig.settings, 0);
    const struct isa_activations *tags = &m->tokens.exec.tags;
    ck_assert_uint_eq(tags->shapes[0].slots, 2);
    ck_assert_uint_eq(tags->shapes[1].slots, 2);
    const struct isa_activation *root = isa_activations_get(tags, ISA_TAG_ROOT);
    bool taken[4] = {false}, moved = false;
    taken[root->path >> 62] = true;
    ck_assert_uint_eq(root->owner, root->path >> 62);
    ck_assert(machine_advance(m, 1)); /* cycle 0 */
    ck_assert_uint_eq(tags->count, 4);
    for (uint32_t site = 0; site < 3; site++) {
        uint64_t place = isa_tag_path(root->path, site) >> 62;
        moved |= taken[place];
        while (taken[place])
            place = (place + 1) % 4;
        taken[place] = true;
        for (uint64_t at = ISA_TAG_ROOT; at < tags->used;) {
            const struct isa_activation *a = isa_activations_get(tags, (isa_tag)at);
            if (a->function == 1 && a->site == site)
                ck_assert_uint_eq(a->owner, place);
            at += tags->shapes[a->function].units;
        }
    }
    ck_assert_msg(moved, "all frames had room where the hash put them");
    while (machine_advance(m, 1000))
        ;
    ck_assert_int_eq(machine_end(m), ISA_END_COMPLETED);
    machine_free(m);
    test_rig_ends(&rig, "pe.count=3", ISA_END_STORE_FULL, "match.capacity");
    test_rig_ends(&rig, "pe.count=1 match.capacity=8", ISA_END_COMPLETED, "");
    test_rig_ends(&rig, "pe.count=1 match.capacity=7", ISA_END_STORE_FULL,
                  "match.capacity");
    test_rig_ends(&rig, "pe.count=4 match.capacity=1", ISA_END_STORE_FULL,
                  "match.capacity");
    test_rig_free(&rig);
}
END_TEST

START_TEST(a_frame_that_is_freed_makes_room)
{
    struct test_rig rig = test_rig_program("result = f(f(f(f(2))))\nf(x) = x * x\n");
    test_set(&rig.settings, "match.store", "frames");
    test_rig_ends(&rig, "match.capacity=2", ISA_END_COMPLETED, "");
    test_rig_ends(&rig, "match.capacity=1", ISA_END_STORE_FULL, "match.capacity");
    test_rig_free(&rig);
}
END_TEST

/* --- tags: interned ---------------------------------------------------------------------- */

/* Four calls at cycle 0: CALL, MERGE, ADD, RETURN, OUTPUT. */
static const char four_calls[] = "result = (f(1), f(2), f(3), f(4))\nf(x) = x + 1\n";

START_TEST(tag_units_take_time)
{
    static const struct {
        const char *settings;
        uint64_t cycles;
    } rows[] = {
        {"tag.scheme=path", 5},
        /* served in the cycle after the CALL's turn */
        {"tag.intern.latency=0 tag.intern.bandwidth=0", 6},
        {"tag.intern.latency=3 tag.intern.bandwidth=0", 9},
        {"tag.intern.latency=3 tag.intern.bandwidth=4", 9},
        {"tag.intern.latency=3 tag.intern.bandwidth=2", 10},
        {"tag.intern.latency=3 tag.intern.bandwidth=1", 12},
        {"tag.intern.latency=0 tag.intern.bandwidth=1 tag.intern.units=machine", 9},
    };
    struct test_rig rig = test_rig_program(four_calls);
    test_set(&rig.settings, "tag.scheme", "interned");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_uint_eq(test_rig_cycles(&rig, rows[i].settings), rows[i].cycles);
    test_rig_free(&rig);
}
END_TEST

/* CALLs of f are served in cycles 1 and 2, two each; those of g come to the units of their
 * PEs in cycles 3 and 4, and are served at once, or four by four by one unit. */
START_TEST(one_tag_unit_for_all_is_slower_than_one_each)
{
    struct test_rig rig = test_rig_program("result = (f(1), f(2), f(3), f(4))\n"
                                           "f(x) = g(x) + g(x)\n"
                                           "g(x) = x + 1\n");
    test_set_all(&rig.settings,
                 "pe.count=1024 tag.intern.latency=0 tag.intern.bandwidth=2");
    ck_assert_uint_eq(test_rig_cycles(&rig, "tag.scheme=path"), 9);
    test_set(&rig.settings, "tag.scheme", "interned");
    ck_assert_uint_eq(test_rig_cycles(&rig, "tag.intern.units=pe"), 12);
    ck_assert_uint_eq(test_rig_cycles(&rig, "tag.intern.units=machine"), 14);
    ck_assert_uint_eq(
        test_rig_cycles(&rig, "tag.intern.units=machine tag.intern.latency=3"), 20);
    test_rig_free(&rig);
}
END_TEST

/* Two tokens to the callee, one back; 5 instructions: 64 + 3 + 1 bits without a tag. */
START_TEST(a_token_carries_its_tag)
{
    static const struct {
        const char *settings;
        uint64_t bits;
    } rows[] = {
        {"tag.scheme=path", 3 * 68 + 2}, /* one label, of one bit, one way */
        {"tag.scheme=interned tag.bits=20", 3 * (68 + 20)},
        {"tag.scheme=pool tag.bits=20", 3 * (68 + 20)},
        {"tag.scheme=pool tag.pool=8", 3 * (68 + 3)},
        {"tag.scheme=pool tag.pool=9", 3 * (68 + 4)},
        {"tag.scheme=pool tag.pool=1", 3 * 68},
    };
    struct test_rig rig = test_rig_program("result = f(1)\nf(x) = x + 1\n");
    ck_assert_uint_eq(rig.code->instr_count, 5);
    test_set(&rig.settings, "pe.count", "64");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_ended e = test_rig_run(&rig, rows[i].settings);
        ck_assert_uint_eq(e.stats.network_tokens, 3);
        ck_assert_uint_eq(e.stats.network_bits, rows[i].bits);
    }
    test_rig_free(&rig);
}
END_TEST

/* --- tags: a pool ------------------------------------------------------------------------ */

/* A call lives from cycle 0 to cycle 3, so that the next one begins in cycle 4. */
static void check_pool(const char *text, uint64_t stalls)
{
    struct test_rig rig = test_rig_program(text);
    test_set(&rig.settings, "tag.scheme", "pool");
    ck_assert_uint_eq(test_rig_cycles(&rig, "tag.pool=0"), 5);
    ck_assert_uint_eq(test_rig_cycles(&rig, "tag.pool=3"), 5);
    ck_assert_uint_eq(test_rig_cycles(&rig, "tag.pool=2"), 9);
    ck_assert_uint_eq(test_rig_cycles(&rig, "tag.pool=1"), 13);
    struct test_ended e = test_rig_run(&rig, "tag.pool=1");
    ck_assert_uint_eq(e.stats.tag_stalls, stalls);
    ck_assert_uint_eq(e.stats.peak_tags, 2);
    test_rig_ends(&rig, "tag.pool=1 tag.exhausted=stop", ISA_END_TAGS_EXHAUSTED,
                  "tag.pool");
    test_rig_ends(&rig, "tag.pool=3 tag.exhausted=stop", ISA_END_COMPLETED, "");
    ck_assert_uint_eq(
        test_rig_cycles(&rig, "tag.pool=2 tag.exhausted=spill tag.spill.latency=10"), 15);
    ck_assert_uint_eq(
        test_rig_cycles(&rig, "tag.pool=2 tag.exhausted=spill tag.spill.latency=0"), 5);
    test_rig_free(&rig);
}

START_TEST(calls_wait_for_numbers_or_take_slower_ones)
{
    check_pool("result = (f(1), f(2), f(3))\nf(x) = x + 1\n", 2);
    /* both CALLs of a call wait */
    check_pool("result = (f(1, 5), f(2, 6), f(3, 7))\nf(x, y) = x + y\n", 4);
}
END_TEST

static bool is_none(void *context, const struct isa_token *t,
                    enum machine_token_place place)
{
    (void)context, (void)t, (void)place;
    return false;
}

START_TEST(calls_get_their_numbers_in_the_order_in_which_they_came)
{
    struct test_rig rig = test_rig_program(
        "result = (f(1, 5), f(2, 6), f(3, 7), f(4, 8))\n"
        "f(x, y) = x + y\n");
    test_set_all(&rig.settings, "tag.scheme=pool tag.pool=1");
    struct machine *m = machine_new(rig.code, &rig.settings, 0);
    uint32_t come = 0;
    for (bool on = true; on;) {
        uint32_t now = 0;
        on = machine_advance(m, 1);
        for (uint32_t part = 0; part < 4; part++) {
            ck_assert(!m->tokens.exec.has_result[part] || part == now);
            now += m->tokens.exec.has_result[part];
        }
        ck_assert_uint_le(now, come + 1);
        come = now;
    }
    ck_assert_uint_eq(come, 4);
    ck_assert(machine_tag_manager_part.each(m, m->tag_manager, is_none, NULL));
    machine_free(m);
    test_rig_free(&rig);
}
END_TEST

/* A recursion of depth d needs d numbers. */
START_TEST(a_pool_must_be_as_deep_as_the_recursion)
{
    struct test_rig rig = test_rig_program("result = f(7)\n"
                                           "f(n) = if n == 0 then 0 else f(n - 1) + 1\n");
    test_set_all(&rig.settings, "pe.units=1 queue.discipline=lifo tag.scheme=pool");
    test_rig_ends(&rig, "tag.pool=8", ISA_END_COMPLETED, "");
    test_rig_ends(&rig, "tag.pool=7", ISA_END_TAGS_EXHAUSTED, "tag.pool");
    test_rig_ends(&rig, "tag.pool=1 tag.exhausted=spill", ISA_END_COMPLETED, "");
    test_rig_ends(&rig, "tag.scheme=interned tag.bits=3", ISA_END_COMPLETED, "");
    test_rig_ends(&rig, "tag.scheme=interned tag.bits=2", ISA_END_TAGS_EXHAUSTED,
                  "tag.bits");
    test_rig_free(&rig);
}
END_TEST

/* The claim of TYR: whatever stands in what, two tags for each loop suffice. */
START_TEST(a_pool_of_two_suffices_for_loops)
{
    static const char *const programs[] = {
        "result = loop i = 0, t = 0 while i < 9 do\n"
        " i + 1, t + (loop j = 0, s = 0 while j < 9 do j + 1, s + i * j return s)\n",
        "result = loop i = 0, t = 0 while i < 9 do\n"
        " i + 1, loop j = 0, s = t while j < i do j + 1, s + j return s\n",
        "result = loop i = 0, t = 1 while i < 5 do\n"
        " i + 1, (loop j = 0, s = t while j < 4 do\n"
        "  j + 1, loop k = 0, u = s while k < j do k + 1, u * 3 % 101 return u\n"
        "  return s) % 7 return t\n",
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct test_rig rig = test_rig_program(programs[i]);
        test_set(&rig.settings, "tag.scheme", "pool");
        test_rig_ends(&rig, "tag.pool=1", ISA_END_TAGS_EXHAUSTED, "tag.pool");
        test_rig_ends(&rig, "tag.pool=2", ISA_END_COMPLETED, "");
        test_rig_ends(&rig, "tag.pool=2 pe.count=64 queue.discipline=lifo",
                      ISA_END_COMPLETED, "");
        test_rig_ends(&rig, "tag.pool=2 pe.count=1 pe.units=0 network.topology=ideal",
                      ISA_END_COMPLETED, "");
        test_rig_free(&rig);
    }
}
END_TEST

START_TEST(every_function_has_its_pool)
{
    struct test_rig rig = test_rig_program(
        "result = even(8)\n"
        "even(n) = if n == 0 then true else odd(n - 1)\n"
        "odd(n) = if n == 0 then false else even(n - 1)\n");
    test_set(&rig.settings, "tag.scheme", "pool");
    test_rig_ends(&rig, "tag.pool=5", ISA_END_COMPLETED, "");
    test_rig_ends(&rig, "tag.pool=4", ISA_END_TAGS_EXHAUSTED, "tag.pool");
    test_rig_ends(&rig, "tag.scheme=interned tag.bits=3", ISA_END_TAGS_EXHAUSTED,
                  "tag.bits");
    test_rig_free(&rig);
}
END_TEST

/* --- stores that are large enough -------------------------------------------------------- */

static void check_generous(const struct test_row *row, struct test_program *p)
{
    static const char *const machines[] = {
        "pe.count=1 pe.units=2",
        "pe.count=7 network.topology=ideal pe.units=0",
        "deadness=propagate",
    };
    static const char *const large[] = {
        "queue.capacity=1000000 network.capacity=1000000",
        "match.store=hash match.capacity=1024 match.overflow.latency=0",
        "match.store=frames match.capacity=1000000",
        "tag.scheme=pool tag.pool=1000000",
        "tag.scheme=pool tag.pool=1 tag.exhausted=spill tag.spill.latency=0",
    };
    if (row->calls > test_part(3000, 1000))
        return;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct machine_settings base;
        machine_settings_default(&base);
        test_set_all(&base, machines[i]);
        struct test_outcome unlimited = test_run(p->graph, p->inputs, &base, 0);
        for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
            struct machine_settings s = base;
            test_set_all(&s, large[k]);
            struct test_outcome o = test_run(p->graph, p->inputs, &s, 0);
            ck_assert_msg(o.stats.timing_digest == unlimited.stats.timing_digest &&
                              o.stats.cycles == unlimited.stats.cycles,
                          "%s %s, %s: another timing", row->program, row->inputs,
                          large[k]);
            ck_assert_uint_eq(o.stats.queue_stalls, 0);
            ck_assert(o.stats.tag_stalls == 0 || k == 4);
            traces_stats_free(&o.stats);
        }
        traces_stats_free(&unlimited.stats);
    }
}

START_TEST(stores_that_are_large_enough_change_nothing)
{
    test_each_example(check_generous);
}
END_TEST

/* One cycle of unlimited units may make more than fits: the run ends within it. */
START_TEST(memory_is_limited_within_a_cycle)
{
    struct test_rig rig = test_rig_program(
        "result = f(30)\n"
        "f(n) = if n == 0 then 0 else f(n - 1) + f(n - 1)\n");
    const uint64_t most = (1 << 16) / sizeof(struct isa_token);
    for (int i = 0; i < 2; i++) {
        const char *settings = i ? "limits.memory=65536 queue.capacity=1000000"
                                 : "limits.memory=65536";
        test_rig_ends(&rig, settings, ISA_END_LIMIT, "limits.memory");
        ck_assert_uint_le(test_rig_run(&rig, settings).live, most + 4);
    }
    test_rig_free(&rig);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("stores");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, operands_that_find_no_way_in_their_set_go_to_the_slower_store);
    tcase_add_test(tcase, instructions_wait_for_a_unit_of_their_class);
    tcase_add_test(tcase, the_hash_of_tag_and_instruction_names_the_set);
    tcase_add_test(tcase, a_frame_goes_to_the_next_pe_that_has_room);
    tcase_add_test(tcase, a_frame_that_is_freed_makes_room);
    tcase_add_test(tcase, tag_units_take_time);
    tcase_add_test(tcase, one_tag_unit_for_all_is_slower_than_one_each);
    tcase_add_test(tcase, a_token_carries_its_tag);
    tcase_add_test(tcase, calls_wait_for_numbers_or_take_slower_ones);
    tcase_add_test(tcase, calls_get_their_numbers_in_the_order_in_which_they_came);
    tcase_add_test(tcase, a_pool_must_be_as_deep_as_the_recursion);
    tcase_add_test(tcase, a_pool_of_two_suffices_for_loops);
    tcase_add_test(tcase, every_function_has_its_pool);
    tcase_add_test(tcase, stores_that_are_large_enough_change_nothing);
    tcase_add_test(tcase, memory_is_limited_within_a_cycle);
    return test_main("stores", tcase);
}
