/* Programs on arrays and data that fail, collide, or reach bounds. */
#include "tests/unit/structures.h"

/* --- failures --------------------------------------------------------------------------- */

static const struct {
    const char *from, *to; /* in READS */
    enum isa_end end;
    enum isa_trap trap;
    const char *says;
} failures[] = {
    {"index.int _, 1", "index.int _, 3", ISA_END_TRAPPED, ISA_TRAP_INDEX,
     "index out of range (3, of 3 elements): %i1 index.int of assembly line 7"
     " in result, tag []"},
    {"index.int _, 1", "index.int _, -1", ISA_END_TRAPPED, ISA_TRAP_INDEX,
     "index out of range (-1, of 3 elements): %i1 index.int of assembly line 7"
     " in result, tag []"},
    {"index.int _, 1", "index.int _, 4294967296", ISA_END_TRAPPED, ISA_TRAP_INDEX,
     "index out of range (4294967296, of 3 elements): %i1 index.int of assembly line 7"
     " in result, tag []"},
    {"index.int _, 1", "index.int _, 0", ISA_END_TRAPPED, ISA_TRAP_SECOND_STORE,
     /* either STORE may be the second */
     "an element is written twice (element 0 of the array made at 1:1): %s"},
    {"alloc.int 3", "alloc.int -1", ISA_END_TRAPPED, ISA_TRAP_LENGTH,
     "an array of negative length (-1): %a alloc.int at 1:1"
     " in result, tag []"},
    {"alloc.int 3", "alloc.int 9223372036854775807", ISA_END_LIMIT, ISA_TRAP_NONE, NULL},
    {"%f2.0, %s2.0", "%f2.0, %s2.0, %s3.0", ISA_END_TRAPPED, ISA_TRAP_SECOND_STORE,
     /* either STORE may be the second */
     "an element is written twice (element 2 of the array made at 1:1): %s"},
    /* An element that needs itself. */
    {"%s2 store.int _, 7\n", "%s2 store.int _, _\n", ISA_END_DEADLOCKED, ISA_TRAP_NONE,
     "fetch.int at 1:2 in result, tag []: element 2 of the array made at 1:1 is not "
     "written\n"},
    /* One that nobody writes. */
    {"%i1 index.int _, 1 -> %s1.0", "%i1 index.int _, 1 -> -", ISA_END_DEADLOCKED,
     ISA_TRAP_NONE,
     "part 2 of the result: element 1 of the array made at 1:1 is not "
     "written\n"},
};

static void check_failure(const struct isa_exec *exec, enum isa_end end, int i,
                          const char *who)
{
    struct lib_text said = {0};
    struct lib_pos pos;
    ck_assert_msg(end == failures[i].end && exec->trap == failures[i].trap,
                  "%s: failure %d: %d, %d", who, i, end, exec->trap);
    if (end == ISA_END_TRAPPED)
        isa_exec_write_trap(exec, &said, &pos);
    else if (end == ISA_END_DEADLOCKED)
        isa_exec_write_waiting(exec, &said, 10);
    ck_assert_msg(!failures[i].says || strstr(lib_text_get(&said), failures[i].says),
                  "%s: failure %d: %s", who, i, lib_text_get(&said));
    lib_text_free(&said);
}

static char *failing_program(int i)
{
    char *text = test_replace(READS, failures[i].from, failures[i].to);
    struct {
        const char *sign, *from, *to;
    } more[] = {
        {"%s3.0", "  %s2 store", "  %s3 store.int _, 8\n  %s2 store"},
        {"%s2 store.int _, _", "-> %c.0, %o0.0", "-> %c.0, %o0.0, %s2.1"},
        {"index.int _, 1 -> -", "%s0.1, %s1.1", "%s0.1"},
        {"index.int _, 1 -> -", "  %s1 store.int _, _\n", ""},
    };
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        if (strstr(failures[i].to, more[k].sign)) {
            char *next = test_replace(text, more[k].from, more[k].to);
            lib_mem_free(text);
            text = next;
        }
    return text;
}

static void fail_on_machine(const struct isa_graph *graph, int i, const char *assignments)
{
    struct machine_settings settings;
    machine_settings_default(&settings);
    test_set_all(&settings, assignments);
    struct isa_code *code = isa_code_make(graph, NULL,
                                          settings.deadness == MACHINE_PROPAGATE);
    struct machine *m = machine_new(code, &settings, 0);
    while (machine_advance(m, 1))
        ;
    check_failure(machine_exec(m), machine_end(m), i, assignments);
    machine_free(m);
    isa_code_free(code);
}

START_TEST(failures_are_named)
{
    char *text = failing_program(_i);
    struct isa_graph *graph = test_read(text);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    for (int digests = 0; digests < 2; digests++) {
        struct isa_interp interp;
        isa_interp_run(&interp, code, &limits, digests, NULL);
        check_failure(&interp.exec, interp.end, _i, "interp");
        isa_interp_free(&interp);
    }
    for (int i = 0; i < MACHINES; i++)
        fail_on_machine(graph, _i, machines[i]);
    isa_code_free(code);
    isa_graph_free(graph);
    lib_mem_free(text);
}
END_TEST

static const struct {
    const char *from, *to; /* in DATA */
    enum isa_end end;
    const char *says;
} data_failures[] = {
    {"%t fill.data _, Nil, field Cons.1", "%t fill.int _, 8, field Cons.0",
     ISA_END_TRAPPED, "a field is written twice (field `head` of `Cons`): %"},
    {"%k constructor _ -> %o1.0",
     "%k constructor _ -> %z.1\n  %z const.data Nil, _ -> "
     "%y.0\n  %y field.int _, field Cons.0 -> %o1.0",
     ISA_END_TRAPPED,
     "data of another constructor (field `head` of `Cons`, found `Nil`): %y field.int of "
     "assembly line "},
    {"%t fill.data _, Nil, field Cons.1", "%t merge.data _ -> -", ISA_END_DEADLOCKED,
     "part 0 of the result: field `tail` of `Cons` made at 1:1 is not written\n"},
    {"%h fill.int _, 7, field Cons.0", "%h merge.data _ -> -", ISA_END_DEADLOCKED,
     "field.int at 1:2 in result, tag []: field `head` of `Cons` made at 1:1 is not "
     "written\n"},
    {"%t.0, %b.0, %o0.0 @1:1\n", "%t.0, %t.1, %b.0, %o0.0 @1:1\n", ISA_END_TRAPPED,
     "data of the result contains itself: %o0 output.data of assembly line "},
};

static void check_data_failure(const struct isa_exec *exec, enum isa_end end, int i)
{
    struct lib_text said = {0};
    struct lib_pos pos;
    ck_assert_int_eq(end, data_failures[i].end);
    if (end == ISA_END_TRAPPED)
        isa_exec_write_trap(exec, &said, &pos);
    else
        isa_exec_write_waiting(exec, &said, 10);
    ck_assert_msg(strstr(lib_text_get(&said), data_failures[i].says), "failure %d: %s", i,
                  lib_text_get(&said));
    lib_text_free(&said);
}

START_TEST(failures_of_data_are_named)
{
    char *text = test_replace(DATA, data_failures[_i].from, data_failures[_i].to);
    const char *own = "%t fill.data _, Nil";
    if (strstr(text, "%t.1")) {
        char *next = test_replace(text, own, "%t fill.data _, _");
        lib_mem_free(text);
        text = next;
    }
    struct isa_graph *graph = test_read(text);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    struct isa_interp interp;
    isa_interp_run(&interp, code, &limits, false, NULL);
    check_data_failure(&interp.exec, interp.end, _i);
    isa_interp_free(&interp);
    struct machine_settings settings;
    for (int i = 0; i < MACHINES; i++) {
        machine_settings_default(&settings);
        test_set_all(&settings, machines[i]);
        struct isa_code *own_code = isa_code_make(graph, NULL,
                                                  settings.deadness == MACHINE_PROPAGATE);
        struct machine *m = machine_new(own_code, &settings, 0);
        while (machine_advance(m, 1))
            ;
        check_data_failure(machine_exec(m), machine_end(m), _i);
        machine_free(m);
        isa_code_free(own_code);
    }
    isa_code_free(code);
    isa_graph_free(graph);
    lib_mem_free(text);
}
END_TEST

START_TEST(brackets_have_one_length)
{
    const struct test_outcome o = run_everywhere(
        RESULT("[int], [bool]") "shape \"[(_, _)]\"\nin result\n"
                                "  %a alloc.int 0 -> %o.0\n  %b alloc.bool 1 -> %p.0\n"
                                "  %o output.[int] _, part 0\n"
                                "  %p output.[bool] _, part 1\n");
    ck_assert_int_eq(o.end, ISA_END_TRAPPED);
    ck_assert_int_eq(o.trap, ISA_TRAP_UNEVEN);
}
END_TEST

/* Two values for one STORE, whose address is far away: whichever wins, the run fails. */
START_TEST(a_third_operand_of_a_store_collides)
{
    struct isa_graph *graph = test_read(
        RESULT("int") "in result\n  %a alloc.int 4 -> %i.0\n"
                      "  %i index.int _, 3 -> %s.0\n"
                      "  %k const.int 1 -> %m.0, %n.0\n  %n add.int _, 1 -> %m.0\n"
                      "  %m merge.int _ -> %s.1, %o.0\n  %s store.int _, _\n"
                      "  %o output.int _, part 0\n");
    for (int i = 0; i < MACHINES; i++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set_all(&settings, machines[i]);
        struct test_outcome o = test_run(graph, NULL, &settings, 0);
        ck_assert_int_ne(o.end, ISA_END_COMPLETED);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* The address waits, and has left with the first value when the second one arrives. The second is
 * delivered, as the first is not yet: INDEX, STORE, the division, MERGE, the addition, the output
 * and MERGE again had theirs. */
START_TEST(what_collides_with_a_request_is_delivered)
{
    struct isa_graph *graph = test_read(
        RESULT("int") "in result\n  %a alloc.int 4 -> %i.0\n"
                      "  %i index.int _, 3 -> %s.0\n"
                      "  %k const.int 1 -> %d.0\n  %d div.int _, 1 -> %m.0, %n.0\n"
                      "  %n add.int _, 1 -> %m.0\n"
                      "  %m merge.int _ -> %s.1, %o.0\n  %s store.int _, _\n"
                      "  %o output.int _, part 0\n");
    for (int general = 0; general < 2; general++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set_all(&settings, "pe.count=4 network.latency=1000");
        test_set(&settings, "queue.capacity", general ? "1000000" : "0");
        struct test_outcome o = test_run(graph, NULL, &settings, 0);
        ck_assert_int_eq(o.trap, ISA_TRAP_COLLISION);
        ck_assert_uint_eq(o.stats.tokens, 8);
        ck_assert_uint_eq(o.stats.element_requests, 1);
        uint64_t tokens = 0;
        for (int pe = 0; pe < 4; pe++)
            tokens += o.stats.pe[pe].tokens;
        ck_assert_uint_eq(tokens, 8);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- bounds ----------------------------------------------------------------------------- */

/* Iteration i of the loop waits for what iteration i + 1 writes. */
static const char backwards[] =
    "result = loop i = 0, s = 0 while i < 5 do i + 1, s + back[i] return s\n"
    "back = [if k == 5 then 1 else back[k + 1] + 1 | k <- 0 .. 5]\n";

START_TEST(a_bound_never_deadlocks)
{
    struct isa_graph *graph = test_compile(backwards, ISA_STAGE_IMAGE);
    const struct test_outcome expected = test_interp(graph, NULL, false);
    ck_assert_str_eq(expected.result, "20");
    compare_machines(graph, &expected);
    isa_graph_free(graph);
}
END_TEST

/* A loop whose iteration n needs what iteration n + 1 stores: beyond its bound it goes on when
 * nothing else can. */
static const char needs_later[] = "hiaton assembly 1\nstage image\n"
                                  "function 0 result () -> ([int])\n"
                                  "loop 1 result.loop (int, [int]) -> () bound 1\n"
                                  "site 0 result -> result.loop\n"
                                  "in result\n"
                                  "  %a alloc.int 4 -> %e1.0, %o.0\n"
                                  "  %e0 enter.int 0, site 0, param 0 -> %m0.0\n"
                                  "  %e1 enter.[int] _, site 0, param 1 -> %m1.0\n"
                                  "  %o output.[int] _, part 0\n"
                                  "in result.loop\n"
                                  "  %m0 merge.int _ -> %c.0, %s0.0\n"
                                  "  %m1 merge.[int] _ -> %s1.0\n"
                                  "  %c lt.int _, 3 -> %s0.1, %s1.1\n"
                                  "  %s0 switch.int _, _ -> %i.1, %p.0, %j.0 | %x.1\n"
                                  "  %s1 switch.[int] _, _ -> %i.0, %q.0, %n1.0 | %x.0\n"
                                  "  %j add.int _, 1 -> %n0.0\n"
                                  "  %p add.int _, 1 -> %q.1\n"
                                  "  %q index.int _, _ -> %f.0\n"
                                  "  %f fetch.int _ -> %g.0\n"
                                  "  %g add.int _, 1 -> %st.1\n"
                                  "  %i index.int _, _ -> %st.0\n"
                                  "  %st store.int _, _\n"
                                  "  %x index.int _, _ -> %xs.0\n"
                                  "  %xs store.int _, 10\n"
                                  "  %n0 next.int _, site 0, param 0 -> %m0.0\n"
                                  "  %n1 next.[int] _, site 0, param 1 -> %m1.0\n";

START_TEST(a_bound_is_exceeded_when_nothing_else_can_go_on)
{
    struct isa_graph *graph = test_read(needs_later);
    const struct test_outcome expected = test_interp(graph, NULL, false);
    ck_assert_str_eq(expected.result, "[13, 12, 11, 10]");
    compare_machines(graph, &expected);
    struct machine_settings settings;
    machine_settings_default(&settings);
    struct test_outcome o = test_run(graph, NULL, &settings, 0);
    ck_assert_uint_eq(o.stats.bound_excess, 3);
    ck_assert_uint_ge(o.stats.bound_stalls, 3);
    ck_assert_uint_eq(o.stats.loop_iterations, 3);
    traces_stats_free(&o.stats);
    for (int i = 0; i < 4; i++) {
        test_set(&settings, "executor.workers", i % 2 ? "3" : "1");
        test_set(&settings, "executor.inline", i / 2 ? "tag" : "none");
        o = test_run(graph, NULL, &settings, 0);
        ck_assert_str_eq(o.result, "[13, 12, 11, 10]");
        ck_assert_uint_gt(o.stats.bound_excess, 0);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("structure_failures");
    tcase_add_loop_test(tcase, failures_are_named, 0, sizeof failures / sizeof *failures);
    tcase_add_loop_test(tcase, failures_of_data_are_named, 0,
                        sizeof data_failures / sizeof *data_failures);
    tcase_add_test(tcase, brackets_have_one_length);
    tcase_add_test(tcase, a_third_operand_of_a_store_collides);
    tcase_add_test(tcase, what_collides_with_a_request_is_delivered);
    tcase_add_test(tcase, a_bound_never_deadlocks);
    tcase_add_test(tcase, a_bound_is_exceeded_when_nothing_else_can_go_on);
    return test_main("structure_failures", tcase);
}
