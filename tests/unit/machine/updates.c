/* Kernels that change rows: in place if nothing else refers to the tensor, else in a copy
 * (doc/metrics.md, "State"). Copies are counted where the host makes one. */
#include "machine/machine.h"
#include "tests/unit/support.h"

enum { TURNS = 9, BYTES = 8 * 4 * 2 }; /* of a tensor of 4 x 2 */

static struct traces_stats measure(const char *program, const char *settings,
                                   enum isa_stage stage)
{
    struct machine_settings s;
    machine_settings_default(&s);
    test_set_all(&s, settings);
    struct isa_graph *graph = test_compile(program, stage);
    struct test_outcome outcome = test_run(graph, NULL, &s, 3);
    ck_assert_msg(outcome.end == ISA_END_COMPLETED, "%s", program);
    traces_stats_free(&outcome.stats);
    isa_graph_free(graph);
    return outcome.stats;
}

/* By both strategies. */
static void check(const char *program, const char *settings, uint64_t updates,
                  uint64_t copies)
{
    const enum isa_stage stages[] = {ISA_STAGE_IMAGE, ISA_STAGE_EXPANDING};
    for (int i = 0; i < 2; i++) {
        const struct traces_stats stats = measure(program, settings, stages[i]);
        ck_assert_msg(stats.tensor_updates == updates, "%s: %d updates", program,
                      (int)stats.tensor_updates);
        ck_assert_msg(stats.update_copies == copies, "%s: %d copies", program,
                      (int)stats.update_copies);
        ck_assert_uint_eq(stats.update_copy_bytes, copies * BYTES);
    }
}

/* A stack that goes round in a loop, in the arguments of calls, and through both kernels. */
START_TEST(what_goes_round_is_changed_in_place)
{
    check("result = loop t = zeros([4, 2]), i = 0 while i < 9 "
          "do update(t, i % 4, ones([2])), i + 1 return t\n",
          "", TURNS, 0);
    check("result = push(zeros([4, 2]), 0)\n"
          "push(t, i) = if i == 9 then t else push(update(t, i % 4, ones([2])), i + 1)\n",
          "", TURNS, 0);
    check("result = loop t = zeros([4, 2]), i = 0 while i < 9 "
          "do scatter_add(t, [i % 4, 0], ones([2, 2])), i + 1 return t\n",
          "", TURNS, 0);
    check("result = loop t = zeros([4, 2], int), i = 0 while i < 9 "
          "do update(t, i % 4, tensor([i, i])), i + 1 return t\n",
          "", TURNS, 0);
}
END_TEST

/* The token of a kernel that must have fired before is gone. */
START_TEST(what_was_read_before_is_changed_in_place)
{
    check("result = loop t = zeros([4, 2]), i = 0 while i < 9 "
          "do update(t, i % 4, gather(t, 0) + 1.0), i + 1 return t\n",
          "", TURNS, 0);
}
END_TEST

START_TEST(what_is_needed_later_is_copied)
{
    check("t = zeros([4, 2])\n"
          "result = (update(t, 0, ones([2])), t)\n",
          "", 1, 1);
    check("t = zeros([4, 2])\n"
          "result = [update(t, i % 4, ones([2])) | i <- 0 .. 8]\n",
          "", TURNS, TURNS);
    check("result = loop t = zeros([4, 2]), u = zeros([4, 2]), i = 0 while i < 9 "
          "do update(t, i % 4, ones([2])), t, i + 1 return t + u\n",
          "", TURNS, TURNS);
}
END_TEST

/* Of two kernels that may fire in either order, the machine says whether the reader comes first. */
START_TEST(copies_depend_on_the_machine)
{
    const char *const program =
        "input k = 3\n"
        "result = f(zeros([4, 2]), k)\n"
        "f(t, k) = (update(t, k / 3, ones([2])), gather(t, k * k - 8))\n";
    const char *const reads_first = "unit.mul.latency=1 unit.div.latency=1000";
    const char *const reads_last = "unit.mul.latency=1000 unit.div.latency=1";
    check(program, reads_first, 1, 0);
    check(program, reads_last, 1, 1);
}
END_TEST

/* A tensor that is changed, and that says where or with what: the rows and indices are those
 * before. */
static const struct {
    const char *program, *result;
    uint64_t copies;
} aliases[] = {
    {"f(t) = update(t, t, t)", "[0, 1, 2]", 0},
    {"f(t) = scatter_add(t, t, t)", "[2, 1, 3]", 0},
    {"f(t) = update(t, t, gather(t, t))", "[2, 0, 1]", 0},
    {"f(t) = update(update(t, t, t), t, t)", "[0, 1, 2]", 0},
    {"f(t) = scatter_add(t, 0, t[1] + t[2] + tensor(0, int))", "[3, 0, 1]", 0},
    {"f(t) = let u = scatter_add(t, t, t) in u + t", "[4, 1, 4]", 1},
    {"f(t) = select(t == t, t, t)", "[2, 0, 1]", 0},
};

START_TEST(what_is_changed_may_be_read_too)
{
    struct lib_text text = {0};
    struct machine_settings s;
    machine_settings_default(&s);
    lib_text_printf(&text, "result = f(tensor([2, 0, 1], int) + 0)\n%s\n",
                    aliases[_i].program);
    const enum isa_stage stages[] = {ISA_STAGE_IMAGE, ISA_STAGE_EXPANDING};
    for (int i = 0; i < 2; i++) {
        struct isa_graph *graph = test_compile(lib_text_get(&text), stages[i]);
        struct test_outcome one = test_interp(graph, NULL, false);
        struct test_outcome two = test_run(graph, NULL, &s, 3);
        ck_assert_str_eq(one.result, aliases[_i].result);
        ck_assert_str_eq(two.result, aliases[_i].result);
        ck_assert_uint_eq(one.stats.value_digest, two.stats.value_digest);
        ck_assert_msg(two.stats.update_copies == aliases[_i].copies, "%s: %d copies",
                      aliases[_i].program, (int)two.stats.update_copies);
        traces_stats_free(&one.stats);
        traces_stats_free(&two.stats);
        isa_graph_free(graph);
    }
    lib_text_free(&text);
}
END_TEST

/* Sums, differences and products of reals are stored in an operand that nothing else refers to. */
static const struct {
    const char *program, *result;
} sums[] = {
    {"f(t) = (t + t) * t - t", "[6.0, 0.0, 1.0]"},
    {"f(t) = let u = t * t in (u + t) * (u - t)", "[12.0, 0.0, 0.0]"},
    {"f(t) = t - t * t", "[-2.0, 0.0, 0.0]"},
    {"f(t) = let u = t + t in u - (u + u) * t + u", "[-8.0, 0.0, 0.0]"},
    {"f(t) = loop i = 0, x = t while i < 5 do i + 1, x + t * x return x",
     "[486.0, 0.0, 32.0]"},
    {"f(t) = tensor([1.0]) - t", "[-1.0, 1.0, 0.0]"},
    {"f(t) = let a = [t, t * t] in a[0] + a[1] - a[0]", "[4.0, 0.0, 1.0]"},
    {"f(t) = t / (t - t) - t", "[inf, nan, inf]"},
};

START_TEST(sums_are_stored_in_operands)
{
    struct lib_text text = {0};
    struct machine_settings s;
    machine_settings_default(&s);
    lib_text_printf(&text, "result = f(tensor([2.0, 0.0, 1.0]) * tensor([1.0]))\n%s\n",
                    sums[_i].program);
    const enum isa_stage stages[] = {ISA_STAGE_IMAGE, ISA_STAGE_EXPANDING};
    for (int i = 0; i < 2; i++) {
        struct isa_graph *graph = test_compile(lib_text_get(&text), stages[i]);
        struct test_outcome one = test_interp(graph, NULL, false);
        struct test_outcome two = test_run(graph, NULL, &s, 3);
        ck_assert_str_eq(one.result, sums[_i].result);
        ck_assert_str_eq(two.result, sums[_i].result);
        ck_assert_uint_eq(one.stats.value_digest, two.stats.value_digest);
        ck_assert_uint_eq(two.stats.tensor_updates, 0);
        traces_stats_free(&one.stats);
        traces_stats_free(&two.stats);
        isa_graph_free(graph);
    }
    lib_text_free(&text);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("updates");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, what_goes_round_is_changed_in_place);
    tcase_add_test(tcase, what_was_read_before_is_changed_in_place);
    tcase_add_test(tcase, what_is_needed_later_is_copied);
    tcase_add_test(tcase, copies_depend_on_the_machine);
    tcase_add_loop_test(tcase, what_is_changed_may_be_read_too, 0,
                        (int)(sizeof aliases / sizeof *aliases));
    tcase_add_loop_test(tcase, sums_are_stored_in_operands, 0,
                        sizeof sums / sizeof *sums);
    return test_main("updates", tcase);
}
