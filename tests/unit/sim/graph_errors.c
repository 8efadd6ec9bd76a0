/* What a host is told of a graph that it built: the number of the node, its operation and its place
 * in the host's own source; and the same of runs. */
#include "tests/unit/embed.h"

#include <stdlib.h>

/* A graph of one function, at stage "image": f(n), whose nodes tests add. */
static struct hiaton_graph *start(const struct hiaton_reporter *reporter)
{
    struct hiaton_graph *g = hiaton_graph_new("image", "mine.lisp", reporter);
    ck_assert_int_eq(hiaton_graph_declare(g, "function main () -> (int)"), HIATON_OK);
    ck_assert_int_eq(hiaton_graph_declare(g, "input n int = 3"), HIATON_OK);
    return g;
}

static uint32_t add_node(struct hiaton_graph *g, const char *opcode, const char *operands)
{
    return hiaton_graph_node(g, "main", opcode, operands);
}

static void arc(struct hiaton_graph *g, uint32_t from, uint32_t output, uint32_t to,
                uint32_t operand)
{
    ck_assert_int_eq(hiaton_graph_arc(g, from, output, to, operand), HIATON_OK);
}

/* Finishes a graph that is wrong, and compares all that is told. */
static void expect(struct hiaton_graph *g, const struct heard *heard, const char *printed,
                   uint32_t node, uint32_t line)
{
    ck_assert_ptr_null(hiaton_graph_finish(g, NULL));
    ck_assert_str_eq(heard->text, printed);
    ck_assert_uint_eq(heard->errors, 1);
    ck_assert_uint_eq(heard->last.node, node);
    ck_assert_uint_eq(heard->last.line, line);
    ck_assert_str_eq(heard->last.file, "mine.lisp");
    hiaton_graph_free(g);
}

START_TEST(test_rules)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_graph *g = start(&reporter);
    add_node(g, "const.int", "$n");
    hiaton_graph_place(g, 7, 3, 5);
    const uint32_t sum = add_node(g, "add.int", "_, _");
    hiaton_graph_place(g, 0, 0, 0);
    add_node(g, "output.int", "_, part 0");
    arc(g, 0, 0, sum, 0);
    arc(g, sum, 0, 2, 0);
    expect(g, &heard,
           "mine.lisp:7:3: error: %1 add.int: operand 1 is reached by 0 arcs, not by 1\n",
           1, 7);
}
END_TEST

START_TEST(test_lines_of_nodes)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_graph *g = start(&reporter);
    add_node(g, "const.int", "$n");
    hiaton_graph_place(g, 2, 4, 1);
    add_node(g, "ad.int", "_, 1");
    arc(g, 0, 0, 1, 0);
    expect(
        g, &heard,
        "mine.lisp:2:4: error: %1 ad.int _, 1 in main: unknown opcode `ad.int`; did you "
        "mean `add.int`?\n",
        1, 2);
    g = start(&reporter);
    heard = (struct heard){0};
    add_node(g, "const.int", "$n");
    arc(g, 0, 0, 9, 0);
    expect(g, &heard,
           "mine.lisp: error: %0 const.int $n in main: no node has the label %9\n", 0, 0);
    g = start(&reporter);
    heard = (struct heard){0};
    hiaton_graph_node(g, "other", "const.int", "$n");
    expect(g, &heard,
           "mine.lisp: error: %0 const.int $n in other: unknown function: names are "
           "declared before their use\n",
           0, 0);
}
END_TEST

START_TEST(test_declarations)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_graph *g = start(&reporter);
    hiaton_graph_declare(g, "site 0 main -> nothing");
    expect(g, &heard,
           "mine.lisp: error: `site 0 main -> nothing`, column 16: unknown function: "
           "names are declared before their use\n",
           HIATON_NO_NODE, 0);
    g = start(&reporter);
    heard = (struct heard){0};
    expect(g, &heard, "mine.lisp: error: function 0 main: nothing makes its result 0\n",
           HIATON_NO_NODE, 0);
}
END_TEST

/* Warnings do not keep the program from being made. */
START_TEST(test_warnings)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_graph *g = start(&reporter);
    add_node(g, "const.int", "$n");
    add_node(g, "lt.int", "_, 2");
    add_node(g, "switch.int", "_, _");
    hiaton_graph_place(g, 5, 1, 1);
    add_node(g, "add.int", "_, _");
    add_node(g, "output.int", "_, part 0");
    arc(g, 0, 0, 1, 0);
    arc(g, 0, 0, 2, 0);
    arc(g, 1, 0, 2, 1);
    arc(g, 2, 0, 3, 0);
    arc(g, 2, 1, 3, 1);
    arc(g, 3, 0, 4, 0);
    struct hiaton_program *program = hiaton_graph_finish(g, NULL);
    ck_assert_ptr_nonnull(program);
    ck_assert_str_eq(heard.text,
                     "mine.lisp:5:1: warning: %3 add.int: operands 0 and 1 never come "
                     "under one tag: one comes only where %1 lt.int is true, the other "
                     "only where it is false\n");
    ck_assert_uint_eq(heard.warnings, 1);
    ck_assert_uint_eq(heard.last.node, 3);

    /* The run says it too, by the same name. */
    struct hiaton_session *session = session_of(program);
    struct hiaton_ending ending = {.size = sizeof ending};
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_int_eq(hiaton_session_ending(session, &ending), HIATON_OK);
    ck_assert_int_eq(ending.end, HIATON_END_DEADLOCKED);
    ck_assert_str_eq(ending.waiting,
                     "  %3 add.int at 5:1 in main, tag []: operand 1 has come, operand 0 "
                     "has not\n  part 0 of the result has not come\n");
    ck_assert_uint_eq(ending.node, HIATON_NO_NODE);
    hiaton_session_free(session);
    hiaton_program_free(program);
    hiaton_graph_free(g);
}
END_TEST

/* Runs a graph of function calls, whose nodes have other numbers in the image. */
static void expect_trap(uint32_t divisor, const char *reason, uint32_t node)
{
    static const char *const nodes[][3] = {
        {"main", "apply", "$n, 4, site 0"}, {"main", "output.int", "_, part 0"},
        {"f", "param.int", "param 0"},      {"f", "param.int", "param 1"},
        {"f", "sub.int", "_, 3"},           {"f", "div.int", "_, _"},
        {"f", "result.int", "_, part 0"}};
    static const uint32_t arcs[][4] = {
        {0, 0, 1, 0}, {2, 0, 4, 0}, {3, 0, 5, 0}, {4, 0, 5, 1}, {5, 0, 6, 0}};
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_graph *g = hiaton_graph_new("functions", "mine.lisp", &reporter);
    hiaton_graph_declare(g, "function main () -> (int)");
    hiaton_graph_declare(g, "function f (int, int) -> (int)");
    hiaton_graph_declare(g, "site 0 main -> f");
    hiaton_graph_declare(g, "input n int = 3");
    for (uint32_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        hiaton_graph_place(g, i == 5 ? divisor : 0, 1, 1);
        hiaton_graph_node(g, nodes[i][0], nodes[i][1], nodes[i][2]);
    }
    for (unsigned i = 0; i < sizeof arcs / sizeof arcs[0]; i++)
        arc(g, arcs[i][0], arcs[i][1], arcs[i][2], arcs[i][3]);
    struct hiaton_program *program = hiaton_graph_finish(g, NULL);
    ck_assert_msg(program && !*heard.text, "%s", heard.text);
    struct hiaton_session *session = session_of(program);
    struct hiaton_ending ending = {.size = sizeof ending};
    hiaton_session_advance(session, NULL);
    ck_assert_int_eq(hiaton_session_ending(session, &ending), HIATON_OK);
    ck_assert_str_eq(ending.reason, reason);
    ck_assert_uint_eq(ending.node, node);
    ck_assert_uint_eq(ending.line, divisor);
    hiaton_session_free(session);
    hiaton_program_free(program);
    hiaton_graph_free(g);
}

START_TEST(test_traps)
{
    expect_trap(0,
                "division by zero: %5 div.int in f, tag [0], with parameter 0 = 3, "
                "parameter 1 = 4",
                5);
    expect_trap(4,
                "division by zero: %5 div.int at 4:1 in f, tag [0], with parameter 0 = "
                "3, parameter 1 = 4",
                5);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("graph_errors");
    tcase_add_test(tcase, test_rules);
    tcase_add_test(tcase, test_lines_of_nodes);
    tcase_add_test(tcase, test_declarations);
    tcase_add_test(tcase, test_warnings);
    tcase_add_test(tcase, test_traps);
    return test_main("graph_errors", tcase);
}
