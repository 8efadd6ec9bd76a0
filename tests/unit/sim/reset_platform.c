/* Sessions on platforms of SimGrid: one that was reset, which closes and opens its machine, does
 * what a new one does. SimGrid has room for some platforms per process; after the last one a run is
 * refused by name. */
#include "tests/unit/embed.h"

#include <stdlib.h>
#include <unistd.h>

static const char fib[] = "input n = 5\n"
                          "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n"
                          "result = fib(n)\n";

static const char star[] =
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" "
    "radical=\"0-3\" "
    "speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/></platform>\n";

struct outcome {
    uint64_t cycles, values, times;
    int64_t result;
};

static struct hiaton_machine *platform(const char *model)
{
    char path[64];
    snprintf(path, sizeof path, "reset_platform.%d.xml", (int)getpid());
    const char *const settings[][2] = {{"network.topology", "simgrid"},
                                       {"network.platform", path},
                                       {"network.model", model},
                                       {"cluster.nodes", "4"},
                                       {"cluster.pes_per_node", "2"}};
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(star, file) >= 0 && fclose(file) == 0);
    struct hiaton_machine *machine = hiaton_machine_new(NULL, &reporter);
    for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++)
        ck_assert_msg(hiaton_machine_set(machine, settings[i][0], settings[i][1],
                                         &reporter) == HIATON_OK,
                      "%s", heard.text);
    unlink(path); /* it was read */
    return machine;
}

/* Runs a session to its end, with an input or without. Returns false if it is refused. */
static bool run(struct hiaton_session *session, const int64_t *n, struct outcome *o)
{
    if (n)
        hiaton_session_input(session, "n", HIATON_INT, 0, NULL, n);
    if (hiaton_session_advance(session, NULL) != HIATON_ENDED)
        return false;
    *o = (struct outcome){count_of(session, "cycles"), count_of(session, "value_digest"),
                          count_of(session, "timing_digest"), int_of(session)};
    return true;
}

/* The run of a new session; false: refused. */
static bool run_fresh(struct hiaton_program *program, struct hiaton_machine *machine,
                      const int64_t *n, uint64_t seed, struct outcome *o)
{
    const struct hiaton_session_options options = {.size = sizeof options, .seed = seed};
    struct hiaton_session *session = hiaton_session_new(program, machine, &options, NULL);
    const bool is_run = session && run(session, n, o);
    hiaton_session_free(session);
    return is_run;
}

static bool has_simgrid(struct hiaton_program *program)
{
    struct outcome o;
    struct hiaton_machine *machine = platform("native");
    const bool has = run_fresh(program, machine, NULL, 0, &o);
    hiaton_machine_free(machine);
    if (!has)
        puts("SKIPPED: this hiaton was built without SimGrid");
    return has;
}

/* Resets a session, whose run was ended or left, several times. */
static void compare(struct hiaton_program *program, const char *model, unsigned rounds)
{
    struct hiaton_machine *machine = platform(model);
    struct hiaton_session *session = hiaton_session_new(program, machine, NULL, NULL);
    const struct hiaton_until until = {.size = sizeof until, .tokens = 40};
    const int64_t inputs[] = {7, 5, 8};
    for (unsigned i = 0; i < rounds; i++) {
        const int64_t *n = i % 3 ? &inputs[i % 3] : NULL;
        const uint64_t seed = i % 2;
        struct outcome warm, fresh;
        if (i % 2 == 0) /* the run before is left in its midst */
            ck_assert_int_eq(hiaton_session_advance(session, &until), HIATON_OK);
        ck_assert_int_eq(hiaton_session_reset(session, seed), HIATON_OK);
        ck_assert(run(session, n, &warm));
        ck_assert(run_fresh(program, machine, n, seed, &fresh));
        ck_assert_int_eq(warm.result, fresh.result);
        ck_assert_uint_eq(warm.cycles, fresh.cycles);
        ck_assert_uint_eq(warm.values, fresh.values);
        ck_assert_uint_eq(warm.times, fresh.times);
        ck_assert_int_eq(hiaton_session_reset(session, 0), HIATON_OK);
    }
    hiaton_session_free(session);
    hiaton_machine_free(machine);
}

START_TEST(test_native)
{
    struct hiaton_program *program = read_text(fib);
    if (has_simgrid(program))
        compare(program, "native", 12);
    hiaton_program_free(program);
}
END_TEST

START_TEST(test_simgrid)
{
    struct hiaton_program *program = read_text(fib);
    if (has_simgrid(program))
        compare(program, "simgrid", 3);
    hiaton_program_free(program);
}
END_TEST

/* Behind the last platform that fits into the process a run is refused. */
START_TEST(test_the_last_one)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_program *program = read_text(fib);
    if (!has_simgrid(program)) {
        hiaton_program_free(program);
        return;
    }
    struct hiaton_machine *machine = platform("simgrid");
    struct hiaton_session *session = hiaton_session_new(program, machine, NULL,
                                                        &reporter);
    struct outcome first, other;
    unsigned runs = 0;
    while (runs < 100 && run(session, NULL, &other)) {
        if (!runs++)
            first = other;
        ck_assert_uint_eq(other.times, first.times);
        ck_assert_int_eq(hiaton_session_reset(session, 0), HIATON_OK);
    }
    printf("%u platforms fit\n", runs);
    ck_assert(runs >= 4 && runs < 100);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_REJECTED);
    ck_assert_msg(strstr(heard.text, "SimGrid's module cannot be opened") != NULL, "%s",
                  heard.text);
    hiaton_session_free(session);
    hiaton_machine_free(machine);
    hiaton_program_free(program);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("reset_platform");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_native);
    tcase_add_test(tcase, test_simgrid);
    tcase_add_test(tcase, test_the_last_one);
    return test_main("reset_platform", tcase);
}
