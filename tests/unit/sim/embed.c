/* hiaton.h as a host uses it, and misuses it. */
#include "tests/unit/embed.h"

#include <pthread.h>
#include <time.h>

START_TEST(test_run)
{
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = session_of(program);
    struct hiaton_ending ending = {.size = sizeof ending};
    struct hiaton_number number = {.size = sizeof number};
    ck_assert_int_eq(hiaton_session_ending(session, &ending), HIATON_OK);
    ck_assert_int_eq(ending.end, HIATON_END_NOT_YET);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_int_eq(int_of(session), 120);
    ck_assert_int_eq(hiaton_session_ending(session, &ending), HIATON_OK);
    ck_assert_int_eq(ending.end, HIATON_END_COMPLETED);
    ck_assert_str_eq(ending.name, "completed");
    ck_assert_str_eq(ending.result, "120");
    ck_assert_ptr_null(ending.reason);
    ck_assert_int_eq(int_of(session), 120);
    ck_assert_uint_gt(count_of(session, "cycles"), 0);
    ck_assert_int_eq(hiaton_session_statistic(session, "parallelism", &number),
                     HIATON_OK);
    ck_assert_int_eq(number.kind, HIATON_RATIO);
    ck_assert_double_gt(number.real, 0);
    ck_assert_int_eq(hiaton_session_statistic(session, "value_digest", &number),
                     HIATON_OK);
    ck_assert_int_eq(number.kind, HIATON_DIGEST);
    ck_assert_int_eq(hiaton_session_statistic(session, "cycle", &number), HIATON_ABSENT);
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

/* Programs and machines may be freed as soon as something was made of them. */
START_TEST(test_holders)
{
    struct hiaton_program *program = read_text(fact);
    struct hiaton_machine *machine = hiaton_machine_new("ideal", NULL);
    struct hiaton_session *session = hiaton_session_new(program, machine, NULL, NULL);
    hiaton_program_free(program);
    hiaton_machine_free(machine);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_uint_eq(count_of(session, "cycles"), 39);
    hiaton_session_free(session);
    hiaton_program_free(NULL);
    hiaton_machine_free(NULL);
    hiaton_session_free(NULL);
}
END_TEST

/* A reset session does what a new one does, whatever ran before; how a run is divided does not
 * matter. */
START_TEST(test_reset_and_steps)
{
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = session_of(program), *other = session_of(program);
    const int64_t inputs[] = {5, 9, 5};
    uint64_t digests[3];
    for (unsigned i = 0; i < 3; i++) {
        const struct hiaton_until step = {.size = sizeof step, .cycle = 0, .tokens = 3};
        if (i)
            ck_assert_int_eq(hiaton_session_reset(session, 0), HIATON_OK);
        ck_assert_int_eq(
            hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &inputs[i]),
            HIATON_OK);
        unsigned steps = 0;
        while (hiaton_session_advance(session, &step) == HIATON_OK)
            steps++;
        ck_assert_uint_gt(steps, 3);
        ck_assert_int_eq(int_of(session), inputs[i] == 5 ? 120 : 362880);
        digests[i] = count_of(session, "timing_digest");
    }
    ck_assert_uint_eq(digests[0], digests[2]);
    ck_assert_uint_ne(digests[0], digests[1]);
    ck_assert_int_eq(hiaton_session_reset(session, 0), HIATON_OK);
    hiaton_session_advance(session, NULL);
    hiaton_session_advance(other, NULL);
    ck_assert_uint_eq(count_of(session, "timing_digest"), digests[0]);
    ck_assert_uint_eq(count_of(other, "timing_digest"), digests[0]);
    hiaton_session_free(session);
    hiaton_session_free(other);
    hiaton_program_free(program);
}
END_TEST

static int count_down(void *context)
{
    int *left = context;
    return --*left == 0;
}

START_TEST(test_until)
{
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = session_of(program);
    const struct hiaton_until cycle = {.size = sizeof cycle, .cycle = 20};
    ck_assert_int_eq(hiaton_session_advance(session, &cycle), HIATON_OK);
    ck_assert_uint_ge(hiaton_session_cycle(session), 20);
    int left = 2;
    const uint64_t before = hiaton_session_cycle(session);
    const struct hiaton_until event = {
        .size = sizeof event, .event = count_down, .context = &left};
    ck_assert_int_eq(hiaton_session_advance(session, &event), HIATON_OK);
    ck_assert_int_eq(left, 0);
    ck_assert_uint_gt(hiaton_session_cycle(session), before);
    hiaton_session_cancel(session);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_CANCELLED);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_uint_eq(hiaton_session_cycle(session), 0);
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

static void *cancel_later(void *session)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    hiaton_session_cancel(session);
    return NULL;
}

/* A run that would take forever is cancelled from another thread, and by limits. */
START_TEST(test_cancel_and_limits)
{
    struct hiaton_program *program = read_text(
        "f(n) = if n < 0 then 0 else f(n + 1)\nresult = f(0)\n");
    struct hiaton_session *session = session_of(program);
    struct hiaton_ending ending = {.size = sizeof ending};
    pthread_t thread;
    pthread_create(&thread, NULL, cancel_later, session);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_CANCELLED);
    pthread_join(thread, NULL);
    ck_assert_int_eq(hiaton_session_ending(session, &ending), HIATON_OK);
    ck_assert_int_eq(ending.end, HIATON_END_NOT_YET);
    hiaton_session_free(session);
    const struct hiaton_session_options limits[] = {
        {.size = sizeof limits[0], .limit_memory = 1 << 20},
        {.size = sizeof limits[0], .limit_cycles = 1000},
        {.size = sizeof limits[0], .limit_tokens = 1000},
        {.size = sizeof limits[0], .limit_tokens = 1000, .untimed = 1},
    };
    const char *const names[] = {"limits.memory", "limits.cycles", "limits.tokens",
                                 "limits.tokens"};
    for (unsigned i = 0; i < 4; i++) {
        session = hiaton_session_new(program, NULL, &limits[i], NULL);
        ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
        hiaton_session_ending(session, &ending);
        ck_assert_int_eq(ending.end, HIATON_END_LIMIT);
        ck_assert_str_eq(ending.limit, names[i]);
        ck_assert_ptr_nonnull(ending.reason);
        hiaton_session_free(session);
    }
    hiaton_program_free(program);
}
END_TEST

START_TEST(test_untimed)
{
    const struct hiaton_session_options options = {.size = sizeof options, .untimed = 1};
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *timed = session_of(program);
    struct hiaton_session *session = hiaton_session_new(program, NULL, &options, NULL);
    struct hiaton_number number = {.size = sizeof number};
    hiaton_session_advance(timed, NULL);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_int_eq(int_of(session), 120);
    ck_assert_uint_eq(count_of(session, "value_digest"), count_of(timed, "value_digest"));
    ck_assert_int_eq(hiaton_session_statistic(session, "cycles", &number), HIATON_ABSENT);
    hiaton_session_free(session);
    hiaton_session_free(timed);
    hiaton_program_free(program);
}
END_TEST

/* --- results ----------------------------------------------------------------------------- */

/* Data is read as text. */
START_TEST(test_results_of_data)
{
    struct hiaton_program *program = read_text(
        "hiaton assembly 1\nstage image\nconstructor Nil of List 0\n"
        "constructor Cons of List 1 (int head, data tail)\n"
        "function result () -> (int, [data])\nin result\n"
        "  %c construct constructor Cons -> %h.0, %t.0, %s.1\n"
        "  %h fill.int _, 7, field Cons.0\n  %t fill.data _, Nil, field Cons.1\n"
        "  %a alloc.data 1 -> %i.0, %o.0\n  %i index.data _, 0 -> %s.0\n"
        "  %s store.data _, _\n  %n output.int 1, part 0\n"
        "  %o output.[data] _, part 1\n");
    struct hiaton_session *session = session_of(program);
    struct hiaton_value value = {.size = sizeof value};
    struct hiaton_symbol symbol = {.size = sizeof symbol};
    char text[64] = "";
    hiaton_session_advance(session, NULL);
    ck_assert_int_eq(hiaton_program_symbol(program, HIATON_SYMBOL_RESULT, 1, &symbol),
                     HIATON_OK);
    ck_assert_int_eq(symbol.element, HIATON_DATA);
    ck_assert_int_eq(hiaton_session_result(session, 1, &value), HIATON_NO_ROOM);
    ck_assert_int_eq(value.type, HIATON_DATA);
    ck_assert_uint_eq(value.bytes, strlen("[Cons(7, Nil)]"));
    value.data = text;
    ck_assert_int_eq(hiaton_session_result(session, 1, &value), HIATON_OK);
    ck_assert_str_eq(text, "[Cons(7, Nil)]");
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

START_TEST(test_results)
{
    struct hiaton_program *program = read_text(
        "result = (2.5, true, [[i + j | j <- 1 .. 3] | i <- 0 .. 1], "
        "[[1], [2, 3]])\n");
    struct hiaton_session *session = session_of(program);
    struct heard heard = {0};
    struct hiaton_symbol symbol = {.size = sizeof symbol};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_session *telling = hiaton_session_new(program, NULL, NULL, &reporter);
    struct hiaton_value value = {.size = sizeof value};
    double real;
    uint8_t truth;
    int64_t ints[6], wanted[] = {1, 2, 3, 2, 3, 4};
    ck_assert_int_eq(hiaton_session_result(session, 0, &value), HIATON_ABSENT);
    hiaton_session_advance(session, NULL);
    value.data = &real, value.bytes = sizeof real;
    ck_assert_int_eq(hiaton_session_result(session, 0, &value), HIATON_OK);
    ck_assert_double_eq(real, 2.5);
    value.data = &truth, value.bytes = 1;
    ck_assert_int_eq(hiaton_session_result(session, 1, &value), HIATON_OK);
    ck_assert_int_eq(truth, 1);
    value.data = NULL;
    ck_assert_int_eq(hiaton_session_result(session, 2, &value), HIATON_NO_ROOM);
    ck_assert_uint_eq(value.rank, 2);
    ck_assert_uint_eq(value.extents[0], 2);
    ck_assert_uint_eq(value.extents[1], 3);
    ck_assert_uint_eq(value.bytes, sizeof ints);
    value.data = ints;
    ck_assert_int_eq(hiaton_session_result(session, 2, &value), HIATON_OK);
    ck_assert_mem_eq(ints, wanted, sizeof ints);
    hiaton_session_advance(telling, NULL);
    ck_assert_int_eq(hiaton_session_result(telling, 3, &value), HIATON_REJECTED);
    ck_assert_uint_eq(heard.errors, 1);
    ck_assert_int_eq(hiaton_session_result(session, 4, &value), HIATON_ABSENT);
    ck_assert_int_eq(hiaton_program_symbol(program, HIATON_SYMBOL_RESULT, 2, &symbol),
                     HIATON_OK);
    ck_assert_str_eq(symbol.type, "[[int]]");
    ck_assert_int_eq(symbol.element, HIATON_INT);
    ck_assert_uint_eq(symbol.rank, 2);
    ck_assert_int_eq(hiaton_program_symbol(program, HIATON_SYMBOL_RESULT, 4, &symbol),
                     HIATON_ABSENT);
    hiaton_session_free(telling);
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

/* --- what is wrong ----------------------------------------------------------------------- */

START_TEST(test_diagnostics)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    const struct hiaton_program_options options = {
        .size = sizeof options, .name = "bad.df", .folder = "some/where"};
    ck_assert_ptr_null(
        hiaton_program_read("result =\n  x + 1\n", 17, &options, &reporter));
    ck_assert_str_eq(heard.text, "some/where/bad.df:2:3: error: unknown name `x`\n"
                                 "    2 |   x + 1\n"
                                 "      |   ^\n");
    ck_assert_int_eq(heard.last.code, HIATON_CODE_NAME);
    ck_assert_uint_eq(heard.last.line, 2);
    ck_assert_uint_eq(heard.last.column, 3);
    ck_assert_uint_eq(heard.last.end_column, 4);
    ck_assert_ptr_null(hiaton_program_load("no/such/file.df", NULL, &reporter));
    ck_assert_ptr_null(hiaton_program_load("no/such/file.df", NULL, NULL));
    ck_assert_uint_eq(heard.errors, 2);
    ck_assert_ptr_null(hiaton_machine_new("nosuch", &reporter));
    ck_assert_uint_eq(heard.errors, 3);
}
END_TEST

START_TEST(test_machine)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_machine *machine = hiaton_machine_new(NULL, &reporter);
    char text[8];
    ck_assert_int_eq(hiaton_machine_set(machine, "pe.count", "1024", &reporter),
                     HIATON_OK);
    ck_assert_uint_eq(hiaton_machine_get(machine, "pe.count", text, sizeof text), 4);
    ck_assert_str_eq(text, "1024");
    ck_assert_uint_eq(hiaton_machine_get(machine, "pe.count", text, 3), 4);
    ck_assert_str_eq(text, "10");
    ck_assert_uint_eq(hiaton_machine_get(machine, "pe.count", NULL, 0), 4);
    ck_assert_uint_eq(hiaton_machine_get(machine, "pe.cuont", text, sizeof text), 0);
    ck_assert_int_eq(hiaton_machine_set(machine, "pe.cuont", "4", &reporter),
                     HIATON_ABSENT);
    ck_assert_int_eq(hiaton_machine_set(machine, "pe.count", "x", &reporter),
                     HIATON_REJECTED);
    ck_assert_uint_eq(heard.errors, 2);
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = hiaton_session_new(program, machine, NULL, NULL);
    ck_assert_int_eq(hiaton_machine_set(machine, "pe.count", "4", &reporter),
                     HIATON_MISUSE);
    hiaton_session_free(session);
    hiaton_program_free(program);
    hiaton_machine_free(machine);
}
END_TEST

START_TEST(test_misuse)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = hiaton_session_new(program, NULL, NULL, &reporter);
    struct hiaton_number number = {.size = sizeof number};
    const double real = 2;
    const int64_t n = 3;
    const uint64_t extents[] = {1};
    ck_assert_int_eq(hiaton_session_input(session, "m", HIATON_INT, 0, NULL, &n),
                     HIATON_ABSENT);
    ck_assert_int_eq(hiaton_session_input(session, "n", HIATON_REAL, 0, NULL, &real),
                     HIATON_REJECTED);
    ck_assert_int_eq(hiaton_session_input(session, "n", HIATON_INT, 1, extents, &n),
                     HIATON_REJECTED);
    ck_assert_int_eq(hiaton_session_statistic(session, "cycles", &number), HIATON_ABSENT);
    hiaton_session_advance(session, NULL);
    ck_assert_int_eq(int_of(session), 120);
    ck_assert_int_eq(hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &n),
                     HIATON_MISUSE);
    ck_assert_uint_eq(heard.errors, 4);
    hiaton_session_free(session);
    /* A source is compiled for a machine; another machine is refused, not served silently. */
    static const char *const compiled[][2] = {{"loop.constants", "copies"},
                                              {"grad.mode", "paired"},
                                              {"grad.loop", "loop"},
                                              {"grad.params", "dense"}};
    for (unsigned i = 0; i < sizeof compiled / sizeof *compiled; i++) {
        struct hiaton_machine *machine = hiaton_machine_new(NULL, NULL);
        hiaton_machine_set(machine, compiled[i][0], compiled[i][1], NULL);
        ck_assert_ptr_null(hiaton_session_new(program, machine, NULL, &reporter));
        ck_assert_uint_eq(heard.errors, 5 + i);
        hiaton_machine_free(machine);
    }
    hiaton_program_free(program);
    ck_assert_str_eq(hiaton_status_text(HIATON_ENDED), "the run is over");
    ck_assert_str_eq(hiaton_status_text((enum hiaton_status)77), "no status of hiaton.h");
}
END_TEST

/* A structure of another version: what only one side knows is left alone. */
static int look_never(void *context, const struct hiaton_progress *progress)
{
    (void)context;
    (void)progress;
    ck_abort();
}

START_TEST(test_sizes)
{
    struct {
        struct hiaton_number known;
        uint64_t more;
    } later = {.known.size = sizeof later, .more = 77};
    struct hiaton_number earlier = {.size = offsetof(struct hiaton_number, real),
                                    .real = 7};
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = session_of(program);
    hiaton_session_advance(session, NULL);
    ck_assert_int_eq(hiaton_session_statistic(session, "cycles", &later.known),
                     HIATON_OK);
    ck_assert_int_eq(hiaton_session_statistic(session, "cycles", &earlier), HIATON_OK);
    ck_assert_uint_eq(later.more, 77);
    ck_assert_uint_eq(later.known.size, sizeof later);
    ck_assert_double_eq(earlier.real, 7);
    ck_assert_uint_eq(earlier.count, later.known.count);
    hiaton_session_free(session);
    /* A size that ends within a pointer takes nothing of it. */
    struct hiaton_session_options options = {
        .size = offsetof(struct hiaton_session_options, look) + 2, .look = look_never};
    session = hiaton_session_new(program, NULL, &options, NULL);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

/* The image of a program is a program, with the same runs. */
START_TEST(test_image)
{
    struct hiaton_program *program = read_text(fact);
    size_t length, again;
    const void *image = hiaton_program_image(program, &length);
    struct hiaton_program *copy = hiaton_program_read(image, length, NULL, NULL);
    ck_assert_ptr_nonnull(copy);
    ck_assert_mem_eq(hiaton_program_image(copy, &again), image, length);
    ck_assert_uint_eq(again, length);
    struct hiaton_session *a = session_of(program), *b = session_of(copy);
    hiaton_session_advance(a, NULL);
    hiaton_session_advance(b, NULL);
    ck_assert_uint_eq(count_of(a, "timing_digest"), count_of(b, "timing_digest"));
    hiaton_session_free(a);
    hiaton_session_free(b);
    hiaton_program_free(copy);
    hiaton_program_free(program);
}
END_TEST

/* --- graphs ------------------------------------------------------------------------------ */

/* fact, built call by call. */
static void build_fact(struct hiaton_graph *g)
{
    static const char *const lines[] = {"input n int = 3", "function result () -> (int)",
                                        "function fact (int) -> (int)",
                                        "site 0 result -> fact", "site 1 fact -> fact"};
    static const char *const nodes[][3] = {
        {"result", "apply", "$n, site 0"},  {"result", "output.int", "_, part 0"},
        {"fact", "param.int", "param 0"},   {"fact", "le.int", "_, 1"},
        {"fact", "switch.int", "_, _"},     {"fact", "sub.int", "_, 1"},
        {"fact", "apply", "_, site 1"},     {"fact", "mul.int", "_, _"},
        {"fact", "switch.int", "1, _"},     {"fact", "mergeif.int", "_"},
        {"fact", "result.int", "_, part 0"}};
    static const uint32_t arcs[][4] = {{0, 0, 1, 0}, {2, 0, 3, 0}, {2, 0, 4, 0},
                                       {3, 0, 4, 1}, {3, 0, 8, 1}, {4, 1, 5, 0},
                                       {4, 1, 7, 0}, {5, 0, 6, 0}, {6, 0, 7, 1},
                                       {7, 0, 9, 0}, {8, 0, 9, 0}, {9, 0, 10, 0}};
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++)
        ck_assert_int_eq(hiaton_graph_declare(g, lines[i]), HIATON_OK);
    for (uint32_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        hiaton_graph_place(g, i + 1, 3, 2);
        ck_assert_uint_eq(hiaton_graph_node(g, nodes[i][0], nodes[i][1], nodes[i][2]), i);
    }
    for (unsigned i = 0; i < sizeof arcs / sizeof arcs[0]; i++)
        ck_assert_int_eq(
            hiaton_graph_arc(g, arcs[i][0], arcs[i][1], arcs[i][2], arcs[i][3]),
            HIATON_OK);
}

/* It does what the program does that is compiled from a source, and may be changed and finished
 * again. */
START_TEST(test_graph)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_graph *graph = hiaton_graph_new("functions", "fact.df", &reporter);
    build_fact(graph);
    struct hiaton_program *program = hiaton_graph_finish(graph, NULL),
                          *source = read_text(fact);
    ck_assert_msg(program != NULL, "%s", heard.text);
    struct hiaton_session *session = session_of(program), *other = session_of(source);
    const int64_t n = 6;
    hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &n);
    hiaton_session_input(other, "n", HIATON_INT, 0, NULL, &n);
    hiaton_session_advance(session, NULL);
    hiaton_session_advance(other, NULL);
    ck_assert_int_eq(int_of(session), 720);
    ck_assert_uint_eq(count_of(session, "timing_digest"),
                      count_of(other, "timing_digest"));
    hiaton_session_free(session);
    hiaton_session_free(other);
    hiaton_program_free(source);
    hiaton_program_free(program);
    ck_assert_uint_eq(hiaton_graph_node(graph, "fact", "add.int", "_, 1"), 11);
    ck_assert_ptr_null(hiaton_graph_finish(graph, NULL));
    ck_assert_uint_gt(heard.errors, 0);
    ck_assert_ptr_nonnull(strstr(heard.text, "%11"));
    hiaton_graph_free(graph);
    hiaton_graph_free(NULL);
}
END_TEST

/* A call without its object or without a size fails, and the calls after it do too. */
START_TEST(test_missing_arguments)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    const struct hiaton_session_options no_size = {.seed = 1};
    struct hiaton_ending ending = {0};
    struct hiaton_value value = {0};
    struct hiaton_number number = {0};
    struct hiaton_symbol symbol = {.size = sizeof symbol};
    const int64_t n = 1;
    const void *bytes;
    size_t length;
    struct hiaton_session *session = hiaton_session_new(NULL, NULL, NULL, &reporter);
    ck_assert_ptr_null(session);
    ck_assert_ptr_null(hiaton_pool_new(NULL, NULL, 1, NULL, &reporter));
    ck_assert_uint_eq(heard.errors, 2);
    ck_assert_int_eq(hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &n),
                     HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_ending(session, &ending), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_save(session, &bytes, &length), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_restore(session, "", 0), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_reset(session, 1), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_listen(session, NULL), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_record(session, NULL), HIATON_MISUSE);
    ck_assert_uint_eq(hiaton_session_cycle(session), 0);
    hiaton_session_cancel(session);
    ck_assert_int_eq(hiaton_batch_run(&(struct hiaton_batch){.count = 1}, &reporter),
                     HIATON_MISUSE);
    ck_assert_int_eq(
        hiaton_batch_run(
            &(struct hiaton_batch){.size = sizeof(struct hiaton_batch), .count = 1},
            &reporter),
        HIATON_REJECTED);
    ck_assert_int_eq(hiaton_program_symbol(NULL, HIATON_SYMBOL_INPUT, 0, &symbol),
                     HIATON_MISUSE);
    ck_assert_ptr_null(hiaton_program_image(NULL, &length));
    ck_assert_int_eq(hiaton_machine_set(NULL, "pe.count", "1", NULL), HIATON_MISUSE);
    ck_assert_ptr_null(hiaton_graph_finish(NULL, NULL));
    ck_assert_ptr_null(hiaton_pool_get(NULL, 1, 1));
    ck_assert_int_eq(hiaton_recording_replay(NULL, NULL, NULL, NULL), HIATON_MISUSE);
    ck_assert_ptr_null(hiaton_program_load(NULL, NULL, &reporter));
    ck_assert_ptr_null(hiaton_recording_open(NULL, &reporter));
    struct hiaton_program *program = read_text(fact);
    ck_assert_ptr_null(hiaton_session_new(program, NULL, &no_size, &reporter));
    session = hiaton_session_new(program, NULL, NULL, &reporter);
    ck_assert_int_eq(hiaton_session_advance(session, &(struct hiaton_until){.cycle = 9}),
                     HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_int_eq(hiaton_session_ending(session, &ending), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_result(session, 0, &value), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_statistic(session, "cycles", &number), HIATON_MISUSE);
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

/* What is said of a setting names no option of the command line. */
START_TEST(test_setting_messages)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_machine *machine = hiaton_machine_new(NULL, NULL);
    ck_assert_int_eq(hiaton_machine_set(machine, "pes", "1", &reporter), HIATON_ABSENT);
    ck_assert_ptr_nonnull(strstr(heard.text, "`pes`"));
    ck_assert_ptr_null(strstr(heard.text, "--set"));
    hiaton_machine_free(machine);
}
END_TEST

/* A host declares constructors, makes data of them, and takes it as text. */
START_TEST(test_graph_of_data)
{
    static const char *const lines[] = {
        "function main () -> (data)",
        "constructor Node of Tree 1 (int key, data left, data)",
        "constructor Leaf of Tree 0"};
    static const char *const nodes[][2] = {{"construct", "constructor Node"},
                                           {"fill.int", "_, 7, field Node.0"},
                                           {"fill.data", "_, Leaf, field Node.1"},
                                           {"fill.data", "_, Leaf, field Node.2"},
                                           {"output.data", "_, part 0"}};
    struct hiaton_graph *graph = hiaton_graph_new("image", "mine", NULL);
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_int_eq(hiaton_graph_declare(graph, lines[i]), HIATON_OK);
    for (uint32_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        ck_assert_uint_eq(hiaton_graph_node(graph, "main", nodes[i][0], nodes[i][1]), i);
        if (i > 0)
            ck_assert_int_eq(hiaton_graph_arc(graph, 0, 0, i, 0), HIATON_OK);
    }
    struct hiaton_program *program = hiaton_graph_finish(graph, NULL);
    struct hiaton_session *session = session_of(program);
    char text[32] = "";
    struct hiaton_value value = {
        .size = sizeof value, .data = text, .bytes = sizeof text};
    hiaton_session_advance(session, NULL);
    ck_assert_int_eq(hiaton_session_result(session, 0, &value), HIATON_OK);
    ck_assert_str_eq(text, "Node(7, Leaf, Leaf)");
    hiaton_session_free(session);
    hiaton_program_free(program);
    hiaton_graph_free(graph);
}
END_TEST

START_TEST(test_graph_misuse)
{
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    ck_assert_ptr_null(hiaton_graph_new("no stage", NULL, &reporter));
    struct hiaton_graph *graph = hiaton_graph_new("functions", NULL, &reporter);
    ck_assert_int_eq(hiaton_graph_declare(graph, "two\nlines"), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_graph_declare(graph, NULL), HIATON_MISUSE);
    ck_assert_uint_eq(hiaton_graph_node(graph, "f", "add.int\n", NULL), UINT32_MAX);
    ck_assert_int_eq(hiaton_graph_arc(graph, 0, 0, 1, 0), HIATON_MISUSE);
    ck_assert_uint_eq(heard.errors, 5);
    ck_assert_ptr_null(hiaton_graph_finish(graph, NULL));
    ck_assert_uint_gt(heard.errors, 5);
    hiaton_graph_free(graph);
}
END_TEST

static struct hiaton_item item_of(struct hiaton_session *session,
                                  const struct hiaton_item *of, uint64_t number)
{
    struct hiaton_item item = {.size = sizeof item};
    ck_assert_int_eq(hiaton_session_item(session, of, number, &item), HIATON_OK);
    return item;
}

START_TEST(test_items)
{
    struct hiaton_program *program = read_text(
        "data Tree = Leaf | Node(left: Tree, key: int, [(int, bool)])\n"
        "t = Node(Leaf, 3, [(i, i > 0) | i <- 0 .. 1])\n"
        "result = ([Node(t, 5, []), t], -2.5, tensor([1.5, 2.5]), [[1], [2, 3]])\n");
    struct hiaton_session *session = session_of(program);
    struct hiaton_item item = {.size = sizeof item}, forged;
    double reals[2];
    uint8_t truths[2];
    struct hiaton_value value = {.size = sizeof value, .data = reals, .bytes = 16};
    ck_assert_int_eq(hiaton_session_item(session, NULL, 0, &item), HIATON_ABSENT);
    hiaton_session_advance(session, NULL);
    ck_assert_int_eq(hiaton_session_item(session, NULL, 4, &item), HIATON_ABSENT);

    const struct hiaton_item trees = item_of(session, NULL, 0);
    ck_assert_int_eq(trees.type, HIATON_DATA);
    ck_assert_uint_eq(trees.rank, 1);
    ck_assert_uint_eq(trees.count, 2);
    ck_assert_ptr_null(trees.constructor);
    const struct hiaton_item outer = item_of(session, &trees, 0);
    ck_assert_str_eq(outer.constructor, "Node");
    ck_assert_uint_eq(outer.count, 4); /* an array of pairs is two arrays */
    ck_assert_ptr_null(outer.field);
    const struct hiaton_item inner = item_of(session, &outer, 0);
    ck_assert_str_eq(inner.constructor, "Node");
    ck_assert_str_eq(inner.field, "left");
    ck_assert_uint_eq(inner.word, item_of(session, &trees, 1).word); /* shared */
    item = item_of(session, &inner, 1);
    ck_assert_str_eq(item.field, "key");
    ck_assert_int_eq(item.type, HIATON_INT);
    ck_assert_uint_eq(item.word, 3);
    item = item_of(session, &inner, 0);
    ck_assert_str_eq(item.constructor, "Leaf");
    ck_assert_uint_eq(item.count, 0);
    ck_assert_int_eq(hiaton_session_item(session, &item, 0, &item), HIATON_ABSENT);
    ck_assert_int_eq(hiaton_session_item(session, &inner, 4, &item), HIATON_ABSENT);

    item = item_of(session, &inner, 3);
    value.data = truths, value.bytes = sizeof truths;
    ck_assert_int_eq(hiaton_session_copy(session, &item, &value), HIATON_OK);
    ck_assert_int_eq(value.type, HIATON_BOOL);
    ck_assert(!truths[0] && truths[1]);
    ck_assert_int_eq(hiaton_session_copy(session, &inner, &value), HIATON_MISUSE);
    item = item_of(session, NULL, 1);
    ck_assert_mem_eq(&item.word, &(double){-2.5}, sizeof item.word);
    item = item_of(session, NULL, 2);
    ck_assert_int_eq(item.type, HIATON_TENSOR);
    value.data = reals, value.bytes = sizeof reals;
    ck_assert_int_eq(hiaton_session_copy(session, &item, &value), HIATON_OK);
    ck_assert(value.rank == 1 && value.extents[0] == 2 && reals[1] == 2.5);
    item = item_of(session, NULL, 3);
    ck_assert_int_eq(hiaton_session_copy(session, &item, &value), HIATON_REJECTED);
    item = item_of(session, &item, 1);
    ck_assert(item.rank == 1 && item.count == 2);
    ck_assert_uint_eq(item_of(session, &item, 1).word, 3);

    /* Items that no call has filled in. */
    forged = outer, forged.word = UINT64_MAX;
    ck_assert_int_eq(hiaton_session_item(session, &forged, 0, &item), HIATON_MISUSE);
    forged = trees, forged.rank = 0;
    ck_assert_int_eq(hiaton_session_item(session, &forged, 0, &item), HIATON_MISUSE);
    forged = trees, forged.rank = 1000;
    ck_assert_int_eq(hiaton_session_item(session, &forged, 0, &item), HIATON_MISUSE);
    forged = trees, forged.count = 9;
    ck_assert_int_eq(hiaton_session_item(session, &forged, 8, &item), HIATON_MISUSE);
    forged = (struct hiaton_item){.size = 0};
    ck_assert_int_eq(hiaton_session_item(session, &forged, 0, &item), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_item(session, &trees, 0, &forged), HIATON_MISUSE);
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("embed");
    tcase_add_test(tcase, test_run);
    tcase_add_test(tcase, test_holders);
    tcase_add_test(tcase, test_reset_and_steps);
    tcase_add_test(tcase, test_until);
    tcase_add_test(tcase, test_cancel_and_limits);
    tcase_add_test(tcase, test_untimed);
    tcase_add_test(tcase, test_results);
    tcase_add_test(tcase, test_results_of_data);
    tcase_add_test(tcase, test_items);
    tcase_add_test(tcase, test_diagnostics);
    tcase_add_test(tcase, test_machine);
    tcase_add_test(tcase, test_misuse);
    tcase_add_test(tcase, test_missing_arguments);
    tcase_add_test(tcase, test_setting_messages);
    tcase_add_test(tcase, test_sizes);
    tcase_add_test(tcase, test_image);
    tcase_add_test(tcase, test_graph);
    tcase_add_test(tcase, test_graph_of_data);
    tcase_add_test(tcase, test_graph_misuse);
    return test_main("embed", tcase);
}
