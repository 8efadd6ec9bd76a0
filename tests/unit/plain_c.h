/* Examples whose results and numbers of calls a test computes by plain C: a test gives a function
 * for each (struct example) to plain_add. */
#ifndef TESTS_UNIT_PLAIN_C_H
#define TESTS_UNIT_PLAIN_C_H

#include "tests/unit/examples.h"

struct answer {
    struct lib_text text;
    uint64_t calls;
};

struct example {
    const char *name;
    void (*find)(const int64_t *inputs, struct answer *answer);
    const char *inputs[4];
};

/* The examples of the test, which plain_add sets. */
static const struct example *plain_examples;
static unsigned plain_count;

static inline const struct example *find_example(const char *name)
{
    for (unsigned i = 0; i < plain_count; i++)
        if (strcmp(plain_examples[i].name, name) == 0)
            return &plain_examples[i];
    return NULL;
}

/* What plain C finds for the inputs that a program has been given. */
static inline struct answer find_answer(const struct example *e,
                                        const struct test_program *p)
{
    int64_t inputs[2] = {0};
    struct answer a = {0};
    for (uint32_t i = 0; i < p->graph->input_count; i++)
        inputs[i] = isa_value_int(p->inputs[i]);
    e->find(inputs, &a);
    return a;
}

START_TEST(what_they_find)
{
    const struct example *e = &plain_examples[_i];
    for (int k = 0; k < 4; k++) {
        struct test_program p = test_example(e->name);
        test_set_inputs(&p, e->inputs[k]);
        struct answer a = find_answer(e, &p);
        struct test_outcome interp = test_interp(p.graph, p.inputs, k % 2);
        ck_assert_int_eq(interp.end, ISA_END_COMPLETED);
        ck_assert_msg(strcmp(interp.result, lib_text_get(&a.text)) == 0, "%s %s: %s",
                      e->name, e->inputs[k], interp.result);
        ck_assert_uint_eq(interp.stats.calls, a.calls);
        struct machine_settings s;
        machine_settings_default(&s);
        struct test_outcome run = test_run(p.graph, p.inputs, &s, 1);
        ck_assert_str_eq(run.result, lib_text_get(&a.text));
        ck_assert_uint_eq(run.stats.calls, a.calls);
        ck_assert_uint_eq(run.stats.value_digest, interp.stats.value_digest);
        traces_stats_free(&run.stats);
        lib_text_free(&a.text);
        test_program_free(&p);
    }
}
END_TEST

static unsigned plain_rows;

static inline void check_row(const struct test_row *row, struct test_program *p)
{
    const struct example *e = find_example(row->program);
    if (!e)
        return;
    struct answer a = find_answer(e, p);
    test_check_row(row, lib_text_get(&a.text), a.calls);
    lib_text_free(&a.text);
    plain_rows++;
}

START_TEST(what_the_table_says)
{
    plain_rows = 0;
    test_each_example(check_row);
    ck_assert_uint_ge(plain_rows, plain_count);
}
END_TEST

/* Adds a test of each example with its inputs, and one of the rows of tests/data/examples.tbl. */
static inline void plain_add(TCase *tests, const struct example *examples, size_t count)
{
    plain_examples = examples;
    plain_count = (unsigned)count;
    tcase_add_loop_test(tests, what_they_find, 0, (int)count);
    tcase_add_test(tests, what_the_table_says);
}

#endif
