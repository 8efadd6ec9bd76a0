/* Shared by tests of hiaton.h: a program, a receiver of its diagnostics, results of runs. */
#ifndef TESTS_UNIT_EMBED_H
#define TESTS_UNIT_EMBED_H

#include "sim/hiaton.h"
#include "tests/unit/main.h"

#include <stdio.h>
#include <string.h>

static const char fact[]
    __attribute__((unused)) = "input n = 5\n"
                              "fact(n) = if n <= 1 then 1 else n * fact(n - 1)\n"
                              "result = fact(n)\n";

/* All diagnostics of a test, concatenated. */
struct heard {
    char text[4096];
    unsigned errors, warnings;
    struct hiaton_diagnostic last;
};

static inline void hear(void *context, const struct hiaton_diagnostic *d)
{
    struct heard *all = context;
    *(d->severity == HIATON_ERROR ? &all->errors : &all->warnings) += 1;
    all->last = *d;
    strncat(all->text, d->printed, sizeof all->text - strlen(all->text) - 1);
}

#define REPORTER(heard)                                                                  \
    {                                                                                    \
        sizeof(struct hiaton_reporter), hear, &(heard)                                   \
    }

static inline struct hiaton_program *read_text(const char *text)
{
    struct heard said = {0};
    const struct hiaton_reporter reporter = REPORTER(said);
    struct hiaton_program *program = hiaton_program_read(text, strlen(text), NULL,
                                                         &reporter);
    ck_assert_msg(program != NULL, "%s", said.text);
    return program;
}

static inline struct hiaton_session *session_of(struct hiaton_program *program)
{
    struct hiaton_session *session = hiaton_session_new(program, NULL, NULL, NULL);
    ck_assert_ptr_nonnull(session);
    return session;
}

static inline uint64_t count_of(struct hiaton_session *session, const char *key)
{
    struct hiaton_number number = {.size = sizeof number};
    ck_assert_msg(hiaton_session_statistic(session, key, &number) == HIATON_OK, "%s",
                  key);
    return number.count;
}

static inline int64_t int_of(struct hiaton_session *session)
{
    int64_t i = 0;
    struct hiaton_value value = {.size = sizeof value, .data = &i, .bytes = sizeof i};
    ck_assert_int_eq(hiaton_session_result(session, 0, &value), HIATON_OK);
    ck_assert_int_eq(value.type, HIATON_INT);
    ck_assert_uint_eq(value.rank, 0);
    return i;
}

#endif
