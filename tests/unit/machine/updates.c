/* Kernels that change rows: in place where nothing else refers to the tensor, else in a copy (doc/metrics.md, "State"). A
 * copy is counted where the host has made one, so that these counts show what it does. */
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

int main(void)
{
    TCase *tcase = tcase_create("updates");
    tcase_add_test(tcase, what_goes_round_is_changed_in_place);
    tcase_add_test(tcase, what_was_read_before_is_changed_in_place);
    tcase_add_test(tcase, what_is_needed_later_is_copied);
    tcase_add_test(tcase, copies_depend_on_the_machine);
    return test_main("updates", tcase);
}
