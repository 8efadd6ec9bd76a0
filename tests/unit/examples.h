/* The examples of tests/data/examples.tbl, one by one, and checks that hold for any run. */
#ifndef TESTS_UNIT_EXAMPLES_H
#define TESTS_UNIT_EXAMPLES_H

#include <inttypes.h>

#include "tests/unit/support.h"

#include <limits.h>

struct test_row {
    char program[32], inputs[64], result[512];
    uint64_t calls;
};

static inline bool test_next_row(FILE *file, struct test_row *row)
{
    char line[1024];
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        char *fields[4], *p = line;
        for (int i = 0; i < 4; i++)
            fields[i] = strsep(&p, "|\n");
        snprintf(row->program, sizeof row->program, "%s", fields[0]);
        snprintf(row->inputs, sizeof row->inputs, "%s", fields[1]);
        snprintf(row->result, sizeof row->result, "%s", fields[2]);
        row->calls = strtoull(fields[3], NULL, 10);
        return true;
    }
    return false;
}

/* Calls `check` for each row of the examples, with the program compiled to `stage` and its inputs
 * set. */
static inline void test_each_example_at(enum isa_stage stage,
                                        void (*check)(const struct test_row *row,
                                                      struct test_program *p))
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/examples.tbl", test_source_directory());
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    struct test_row row;
    unsigned rows = 0;
    while (test_next_row(file, &row)) {
        rows++;
        if (row.calls > test_part(UINT_MAX, 5000))
            continue;
        struct test_program p = test_example_at(row.program, stage);
        test_set_inputs(&p, row.inputs);
        check(&row, &p);
        test_program_free(&p);
    }
    fclose(file);
    ck_assert_msg(rows >= 30, "only %u examples", rows);
}

static inline void test_each_example(void (*check)(const struct test_row *row,
                                                   struct test_program *p))
{
    test_each_example_at(ISA_STAGE_IMAGE, check);
}

/* Checks a result and a number of calls against a row of the examples. */
static inline void test_check_row(const struct test_row *row, const char *result,
                                  uint64_t calls)
{
    ck_assert_msg(strcmp(row->result, result) == 0, "%s %s: %s", row->program,
                  row->inputs, result);
    ck_assert_msg(row->calls == calls, "%s %s: %" PRIu64 " calls", row->program,
                  row->inputs, calls);
}

/* Checks that the statistics of PEs add up to those of the machine. */
static inline void test_check_pe_sums(const struct traces_stats *s)
{
    struct traces_pe_stats sum = {0};
    for (size_t i = 0; i < s->pe_count; i++) {
        sum.firings += s->pe[i].firings;
        sum.dead_firings += s->pe[i].dead_firings;
        sum.tokens += s->pe[i].tokens;
        sum.busy += s->pe[i].busy;
    }
    ck_assert_uint_eq(sum.firings, s->firings);
    ck_assert_uint_eq(sum.dead_firings, s->dead_firings);
    ck_assert_uint_eq(sum.tokens, s->tokens);
    ck_assert_uint_eq(sum.busy, s->firings + s->dead_firings);
    ck_assert_uint_eq(s->local_tokens + s->network_tokens,
                      s->tokens + s->element_requests + s->copy_messages +
                          2 * s->tensor_fetches);
}

#endif
