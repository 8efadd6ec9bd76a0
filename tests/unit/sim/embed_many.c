/* hiaton.h: listeners, recordings, states, pools and batches. */
#include "tests/unit/embed.h"

#include <fenv.h>
#include <pthread.h>
#include <unistd.h>

static const char fib[] = "input n = 9\n"
                          "fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n"
                          "result = fib(n)\n";

/* --- listeners --------------------------------------------------------------------------- */

struct ear {
    uint64_t events, fired, last_cycle;
    bool has_end, is_disordered;
    char first[64];
};

static uint64_t field_of(const struct hiaton_event *event, const char *name)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, name) == 0)
            return event->fields[i].value;
    ck_abort_msg("%s has no %s", event->name, name);
    return 0;
}

static void listen(void *context, const struct hiaton_event *event)
{
    struct ear *ear = context;
    if (ear->events++ == 0)
        snprintf(ear->first, sizeof ear->first, "%s", event->name);
    ear->is_disordered |= event->cycle < ear->last_cycle;
    ear->last_cycle = event->cycle;
    if (strcmp(event->name, "fired") == 0) {
        ear->fired++;
        ck_assert_uint_lt(field_of(event, "pe"), 1 << 16);
    } else if (strcmp(event->name, "end") == 0) {
        ear->has_end = true;
        ck_assert_str_eq(event->fields[0].word, "completed");
    }
}

static int has_fired(void *context)
{
    return ((struct ear *)context)->fired > 0;
}

START_TEST(test_listen)
{
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = session_of(program), *other = session_of(program);
    struct ear ear = {0};
    struct hiaton_listener listener = {
        .size = sizeof listener, .hear = listen, .context = &ear, .level = "firings"};
    const struct hiaton_until fired = {
        .size = sizeof fired, .event = has_fired, .context = &ear};
    ck_assert_int_eq(hiaton_session_listen(session, &listener), HIATON_OK);
    ck_assert_int_eq(hiaton_session_listen(session, &listener), HIATON_MISUSE);
    /* As far as the first firing. */
    ck_assert_int_eq(hiaton_session_advance(session, &fired), HIATON_OK);
    ck_assert_uint_gt(ear.fired, 0);
    ck_assert_str_eq(ear.first, "present");
    ck_assert(!ear.has_end);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_uint_eq(ear.fired, count_of(session, "firings"));
    ck_assert(ear.has_end && !ear.is_disordered);
    hiaton_session_advance(other, NULL);
    ck_assert_uint_eq(count_of(session, "timing_digest"),
                      count_of(other, "timing_digest"));
    ck_assert_int_eq(hiaton_session_listen(other, &listener), HIATON_MISUSE);
    /* A reset session is heard by nobody; then by one of certain events of a function. */
    const struct ear before = ear;
    hiaton_session_reset(session, 0);
    hiaton_session_advance(session, NULL);
    ck_assert_uint_eq(ear.events, before.events);
    hiaton_session_reset(session, 0);
    ear = (struct ear){0};
    listener.kinds = "fired,call";
    listener.function = "fact";
    ck_assert_int_eq(hiaton_session_listen(session, &listener), HIATON_OK);
    hiaton_session_advance(session, NULL);
    ck_assert_uint_gt(ear.fired, 0);
    ck_assert_uint_lt(ear.fired, before.fired);
    ck_assert(!ear.has_end);
    hiaton_session_free(session);
    hiaton_session_free(other);
    hiaton_program_free(program);
}
END_TEST

/* --- one run is heard ------------------------------------------------------------------------- */

struct ends {
    int present, end;
    bool is_interrupted;
};

static void count_ends(void *context, const struct hiaton_event *event)
{
    struct ends *ends = context;
    ends->present += strcmp(event->name, "present") == 0;
    ends->end += strcmp(event->name, "end") == 0;
    ends->is_interrupted |= strcmp(event->name, "end") == 0 &&
                            strcmp(event->fields[0].word, "completed") != 0;
}

/* The inputs may be set before or after hiaton_session_listen, and after a reset. */
START_TEST(test_a_listener_hears_the_run_with_its_inputs)
{
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = session_of(program);
    const int64_t values[] = {3, 4, 5, 6};
    for (int i = 0; i < 4; i++) {
        struct ends ends = {0};
        const struct hiaton_listener listener = {
            .size = sizeof listener, .hear = count_ends, .context = &ends};
        if (i % 2)
            ck_assert_int_eq(hiaton_session_listen(session, &listener), HIATON_OK);
        ck_assert_int_eq(
            hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &values[i]),
            HIATON_OK);
        if (i % 2 == 0)
            ck_assert_int_eq(hiaton_session_listen(session, &listener), HIATON_OK);
        ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
        ck_assert_uint_eq(count_of(session, "calls"), (uint64_t)values[i]);
        hiaton_session_reset(session, 0);
        ck_assert_int_eq(ends.present, 1);
        ck_assert_int_eq(ends.end, 1);
        ck_assert(!ends.is_interrupted);
    }
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

/* Nor does a listener hear of a state that cannot be restored. */
START_TEST(test_a_listener_hears_nothing_of_a_damaged_state)
{
    struct hiaton_program *program = read_text(fact);
    struct hiaton_session *session = session_of(program), *other = session_of(program);
    const struct hiaton_until until = {.size = sizeof until, .cycle = 9};
    struct ends ends = {0};
    const struct hiaton_listener listener = {
        .size = sizeof listener, .hear = count_ends, .context = &ends};
    const void *bytes;
    size_t length;
    ck_assert_int_eq(hiaton_session_advance(session, &until), HIATON_OK);
    ck_assert_int_eq(hiaton_session_save(session, &bytes, &length), HIATON_OK);
    ck_assert_int_eq(hiaton_session_listen(other, &listener), HIATON_OK);
    ck_assert_int_eq(hiaton_session_restore(other, bytes, length - 8), HIATON_REJECTED);
    ck_assert_int_eq(hiaton_session_advance(other, NULL), HIATON_ENDED);
    ck_assert_int_eq(ends.present, 1);
    ck_assert_int_eq(ends.end, 1);
    ck_assert(!ends.is_interrupted);
    hiaton_session_free(session);
    hiaton_session_free(other);
    hiaton_program_free(program);
}
END_TEST

START_TEST(test_listen_wrongly)
{
    static const struct {
        const char *level, *kinds, *function;
    } wrong[] = {{"some", NULL, NULL}, {NULL, "fried", NULL}, {NULL, NULL, "fib"}};
    struct hiaton_program *program = read_text(fact);
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_session *session = hiaton_session_new(program, NULL, NULL, &reporter);
    for (unsigned i = 0; i < 3; i++) {
        const struct hiaton_listener listener = {.size = sizeof listener,
                                                 .hear = listen,
                                                 .level = wrong[i].level,
                                                 .kinds = wrong[i].kinds,
                                                 .function = wrong[i].function};
        ck_assert_int_eq(hiaton_session_listen(session, &listener), HIATON_REJECTED);
        ck_assert_uint_eq(heard.errors, i + 1);
    }
    const struct hiaton_listener cut = {.size = offsetof(struct hiaton_listener, hear),
                                        .hear = listen};
    ck_assert_int_eq(hiaton_session_listen(session, &cut), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

/* --- recordings -------------------------------------------------------------------------- */

struct tape {
    FILE *file;
    size_t room; /* of bytes that can be taken */
};

static int write_tape(void *context, const void *bytes, size_t length)
{
    struct tape *tape = context;
    if (length > tape->room)
        return 1;
    tape->room -= length;
    return fwrite(bytes, 1, length, tape->file) != length;
}

START_TEST(test_record)
{
    char path[] = "/tmp/hiaton-embed-XXXXXX";
    struct tape tape = {fdopen(mkstemp(path), "wb"), SIZE_MAX};
    const struct hiaton_record_options options = {
        .size = sizeof options, .write = write_tape, .context = &tape, .checkpoint = 50};
    const struct hiaton_until step = {.size = sizeof step, .tokens = 7};
    struct hiaton_program *program = read_text(fib);
    struct hiaton_session *session = session_of(program), *other = session_of(program);
    const int64_t n = 7;
    hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &n);
    ck_assert_int_eq(hiaton_session_record(session, &options), HIATON_OK);
    ck_assert_int_eq(hiaton_session_record(session, &options), HIATON_MISUSE);
    while (hiaton_session_advance(session, &step) == HIATON_OK)
        ;
    fclose(tape.file);
    ck_assert_int_eq(int_of(session), 13);
    hiaton_session_input(other, "n", HIATON_INT, 0, NULL, &n);
    hiaton_session_advance(other, NULL);
    ck_assert_uint_eq(count_of(session, "timing_digest"),
                      count_of(other, "timing_digest"));
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_recording *recording = hiaton_recording_open(path, &reporter);
    ck_assert_msg(recording != NULL, "%s", heard.text);
    struct hiaton_replay replay = {.size = sizeof replay};
    ck_assert_int_eq(hiaton_recording_replay(recording, NULL, &replay, &reporter),
                     HIATON_OK);
    ck_assert(replay.is_same && replay.text[0] && replay.json[0] == '{');
    static const char *const sets[] = {"pe.count=3"};
    const struct hiaton_replay_options slower = {
        .size = sizeof slower, .sets = sets, .set_count = 1};
    ck_assert_int_eq(hiaton_recording_replay(recording, &slower, &replay, &reporter),
                     HIATON_DIFFERS);
    ck_assert(!replay.is_same);
    hiaton_recording_free(recording);
    hiaton_session_free(session);
    hiaton_session_free(other);
    hiaton_program_free(program);
    unlink(path);
    ck_assert_ptr_null(hiaton_recording_open(path, &reporter));
    hiaton_recording_free(NULL);
}
END_TEST

/* Who takes no more bytes is told so; the run is what it is. */
START_TEST(test_record_full)
{
    struct tape tape = {tmpfile(), 100};
    const struct hiaton_record_options options = {
        .size = sizeof options, .write = write_tape, .context = &tape};
    struct hiaton_program *program = read_text(fib);
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_session *session = hiaton_session_new(program, NULL, NULL, &reporter);
    ck_assert_int_eq(hiaton_session_record(session, &options), HIATON_OK);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_FAILED);
    ck_assert_uint_eq(heard.errors, 1);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    ck_assert_int_eq(int_of(session), 34);
    hiaton_session_reset(session, 0);
    ck_assert_int_eq(hiaton_session_record(session, &options), HIATON_OK);
    hiaton_session_free(session); /* in the middle */
    hiaton_program_free(program);
    fclose(tape.file);
}
END_TEST

/* --- states ------------------------------------------------------------------------------ */

START_TEST(test_save)
{
    struct hiaton_program *program = read_text(fib), *stranger = read_text(fact);
    struct hiaton_session *session = session_of(program), *other = session_of(program);
    struct heard heard = {0};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_session *strange = hiaton_session_new(stranger, NULL, NULL, &reporter);
    const struct hiaton_until half = {.size = sizeof half, .cycle = 40};
    const int64_t n = 8;
    const void *bytes;
    size_t length;
    ck_assert_int_eq(hiaton_session_save(session, &bytes, &length), HIATON_MISUSE);
    hiaton_session_reset(session, 77);
    hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &n);
    ck_assert_int_eq(hiaton_session_advance(session, &half), HIATON_OK);
    ck_assert_int_eq(hiaton_session_save(session, &bytes, &length), HIATON_OK);
    char *copy = malloc(length);
    memcpy(copy, bytes, length);
    ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
    const uint64_t digest = count_of(session, "timing_digest");
    for (unsigned i = 0; i < 2; i++) { /* of one at its start, and of one at its end */
        ck_assert_int_eq(hiaton_session_restore(other, copy, length), HIATON_OK);
        ck_assert_uint_ge(hiaton_session_cycle(other), 40);
        ck_assert_int_eq(hiaton_session_advance(other, NULL), HIATON_ENDED);
        ck_assert_int_eq(int_of(other), 21);
        ck_assert_uint_eq(count_of(other, "timing_digest"), digest);
    }
    ck_assert_int_eq(hiaton_session_restore(strange, copy, length), HIATON_REJECTED);
    ck_assert_int_eq(hiaton_session_restore(strange, copy, 5), HIATON_REJECTED);
    for (size_t at = 0; at < length; at += 1 + length / 50) {
        copy[at] ^= 4;
        const enum hiaton_status status = hiaton_session_restore(other, copy, length);
        copy[at] ^= 4;
        ck_assert(status == HIATON_REJECTED || (at >= 40 && at < 48)); /* the seed */
    }
    ck_assert_int_eq(hiaton_session_advance(other, NULL), HIATON_ENDED);
    ck_assert_uint_eq(heard.errors, 2);
    free(copy);
    hiaton_session_free(strange);
    hiaton_session_free(session);
    hiaton_session_free(other);
    hiaton_program_free(stranger);
    hiaton_program_free(program);
}
END_TEST

/* --- pools ------------------------------------------------------------------------------- */

enum { THREADS = 6, ROUNDS = 20, POOLED = 3 };

struct user {
    struct hiaton_pool *pool;
    uint64_t *digests;
};

static void *use_pool(void *context)
{
    const struct user *user = context;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct hiaton_session *session = hiaton_pool_get(user->pool, i, 1);
        const int64_t n = i % 7 + 2;
        hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &n);
        if (i % 5 == 4) { /* left in the middle */
            const struct hiaton_until some = {.size = sizeof some, .tokens = 5};
            hiaton_session_advance(session, &some);
        } else if (hiaton_session_advance(session, NULL) == HIATON_ENDED) {
            struct hiaton_number number = {.size = sizeof number};
            hiaton_session_statistic(session, "timing_digest", &number);
            user->digests[i] = number.count;
        }
        hiaton_pool_put(user->pool, session);
    }
    return NULL;
}

START_TEST(test_pool)
{
    static uint64_t digests[THREADS][ROUNDS], alone[ROUNDS];
    struct hiaton_program *program = read_text(fib);
    struct hiaton_pool *pool = hiaton_pool_new(program, NULL, POOLED, NULL, NULL);
    struct hiaton_session *taken[POOLED];
    struct user users[THREADS + 1];
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < POOLED; i++)
        ck_assert_ptr_nonnull(taken[i] = hiaton_pool_get(pool, 0, 0));
    ck_assert_ptr_null(hiaton_pool_get(pool, 0, 0));
    for (unsigned i = 0; i < POOLED; i++)
        hiaton_pool_put(pool, taken[i]);
    for (unsigned i = 0; i < THREADS; i++) {
        users[i] = (struct user){pool, digests[i]};
        pthread_create(&threads[i], NULL, use_pool, &users[i]);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    users[THREADS] = (struct user){pool, alone};
    use_pool(&users[THREADS]);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_mem_eq(digests[i], alone, sizeof alone);
    /* A pool goes with the last of its sessions. */
    taken[0] = hiaton_pool_get(pool, 0, 1);
    hiaton_pool_free(pool);
    ck_assert_int_eq(hiaton_session_advance(taken[0], NULL), HIATON_ENDED);
    hiaton_pool_put(pool, taken[0]);
    hiaton_pool_free(NULL);
    hiaton_program_free(program);
}
END_TEST

/* --- batches ----------------------------------------------------------------------------- */

struct results {
    uint64_t told, stop_at;
    int64_t sums[64];
};

static void begin_run(void *context, struct hiaton_session *session, uint64_t number)
{
    (void)context;
    /* The first ones take longest. */
    const int64_t n = number < 3 ? 17 : (int64_t)(number % 9);
    ck_assert_int_eq(hiaton_session_input(session, "n", HIATON_INT, 0, NULL, &n),
                     HIATON_OK);
}

static int end_run(void *context, struct hiaton_session *session, uint64_t number)
{
    struct results *results = context;
    ck_assert_uint_eq(number, results->told);
    results->sums[results->told++] = int_of(session);
    return results->told == results->stop_at;
}

START_TEST(test_batch)
{
    struct hiaton_program *program = read_text(fib);
    struct results results[3] = {{0}, {0}, {.stop_at = 10}};
    struct hiaton_batch batch = {.size = sizeof batch,
                                 .program = program,
                                 .count = 64,
                                 .begin = begin_run,
                                 .end = end_run};
    batch.context = &results[0];
    ck_assert_int_eq(hiaton_batch_run(&batch, NULL), HIATON_OK);
    batch.threads = 4;
    batch.context = &results[1];
    ck_assert_int_eq(hiaton_batch_run(&batch, NULL), HIATON_OK);
    ck_assert_uint_eq(results[0].told, 64);
    ck_assert_mem_eq(&results[0], &results[1], sizeof results[0]);
    ck_assert_int_eq(results[0].sums[1], 1597);
    batch.context = &results[2];
    ck_assert_int_eq(hiaton_batch_run(&batch, NULL), HIATON_CANCELLED);
    ck_assert_uint_eq(results[2].told, 10);
    batch.count = 0;
    ck_assert_int_eq(hiaton_batch_run(&batch, NULL), HIATON_OK);
    hiaton_program_free(program);
}
END_TEST

/* --- the host's world -------------------------------------------------------------------- */

static void expect_upward(void *context, const struct hiaton_event *event)
{
    (void)event;
    ck_assert_int_eq(fegetround(), FE_UPWARD);
    ++*(unsigned *)context;
}

static int expect_upward_too(void *context)
{
    ck_assert_int_eq(fegetround(), FE_UPWARD);
    ++*(unsigned *)context;
    return 0;
}

/* How the host rounds matters to its callbacks alone. */
START_TEST(test_world)
{
    struct hiaton_program *program = read_text(
        "input x = 1\nresult = 1.0 / 3.0 + real(x)\n");
    struct hiaton_session *session = session_of(program);
    unsigned calls[2] = {0, 0};
    const struct hiaton_listener listener = {
        .size = sizeof listener, .hear = expect_upward, .context = &calls[0]};
    const struct hiaton_until until = {
        .size = sizeof until, .event = expect_upward_too, .context = &calls[1]};
    double values[2];
    uint64_t digests[2];
    for (unsigned i = 0; i < 2; i++) {
        struct hiaton_value value = {
            .size = sizeof value, .data = &values[i], .bytes = sizeof values[i]};
        fesetround(i ? FE_UPWARD : FE_TONEAREST);
        hiaton_session_reset(session, 0);
        if (i)
            ck_assert_int_eq(hiaton_session_listen(session, &listener), HIATON_OK);
        ck_assert_int_eq(hiaton_session_advance(session, i ? &until : NULL),
                         HIATON_ENDED);
        ck_assert_int_eq(hiaton_session_result(session, 0, &value), HIATON_OK);
        digests[i] = count_of(session, "value_digest");
        ck_assert_int_eq(fegetround(), i ? FE_UPWARD : FE_TONEAREST);
    }
    fesetround(FE_TONEAREST);
    ck_assert_uint_eq(digests[0], digests[1]);
    ck_assert_mem_eq(&values[0], &values[1], sizeof values[0]);
    ck_assert_uint_gt(calls[0], 3);
    ck_assert_uint_gt(calls[1], 1);
    hiaton_session_free(session);
    hiaton_program_free(program);
}
END_TEST

/* A warm session does what a cold one does, after other inputs, endings and runs left halfway. */
START_TEST(test_warm)
{
    const struct hiaton_program_options options = {.size = sizeof options,
                                                   .strategy = "expanding"};
    for (unsigned kind = 0; kind < 3; kind++) {
        const struct hiaton_session_options untimed = {.size = sizeof untimed,
                                                       .untimed = kind == 2};
        struct hiaton_program *program = hiaton_program_read(
            fib, sizeof fib - 1, kind == 1 ? &options : NULL, NULL);
        struct hiaton_session *warm = hiaton_session_new(program, NULL, &untimed, NULL);
        for (unsigned i = 0; i < 12; i++) {
            struct hiaton_session *cold = hiaton_session_new(program, NULL, &untimed,
                                                             NULL);
            const int64_t n = 3 + i % 4;
            hiaton_session_reset(warm, i);
            hiaton_session_reset(cold, i);
            if (i % 3) {
                hiaton_session_input(warm, "n", HIATON_INT, 0, NULL, &n);
                hiaton_session_input(cold, "n", HIATON_INT, 0, NULL, &n);
            }
            if (i % 5 == 4) {
                const struct hiaton_until some = {.size = sizeof some, .tokens = 9};
                hiaton_session_advance(warm, &some);
                hiaton_session_reset(warm, i);
                hiaton_session_reset(cold, i);
            }
            ck_assert_int_eq(hiaton_session_advance(warm, NULL), HIATON_ENDED);
            ck_assert_int_eq(hiaton_session_advance(cold, NULL), HIATON_ENDED);
            struct hiaton_ending ending = {.size = sizeof ending};
            if (i % 2)
                hiaton_session_ending(warm, &ending);
            ck_assert_int_eq(int_of(warm), int_of(cold));
            ck_assert_uint_eq(count_of(warm, "value_digest"),
                              count_of(cold, "value_digest"));
            ck_assert_uint_eq(count_of(warm, "tokens"), count_of(cold, "tokens"));
            if (kind != 2)
                ck_assert_uint_eq(count_of(warm, "timing_digest"),
                                  count_of(cold, "timing_digest"));
            hiaton_session_free(cold);
        }
        hiaton_session_free(warm);
        hiaton_program_free(program);
    }
}
END_TEST

/* The end of the heap stays where it is when sessions are freed; else each one would get new pages
 * from the host. */
START_TEST(test_sessions_keep_the_heap)
{
    static const char *const counts[] = {"16", "32", "64", "128", "256", "512"};
    struct hiaton_program *program = read_text(fib);
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct hiaton_machine *machine = hiaton_machine_new(NULL, NULL);
        hiaton_machine_set(machine, "pe.count", counts[k], NULL);
        for (unsigned i = 0; i < 100; i++) {
            struct hiaton_session *session = hiaton_session_new(program, machine, NULL,
                                                                NULL);
            ck_assert_int_eq(hiaton_session_advance(session, NULL), HIATON_ENDED);
            const void *end = sbrk(0);
            hiaton_session_free(session);
            ck_assert_ptr_eq(sbrk(0), end);
        }
        hiaton_machine_free(machine);
    }
    hiaton_program_free(program);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("embed_many");
    tcase_add_test(tcase, test_listen);
    tcase_add_test(tcase, test_a_listener_hears_the_run_with_its_inputs);
    tcase_add_test(tcase, test_a_listener_hears_nothing_of_a_damaged_state);
    tcase_add_test(tcase, test_listen_wrongly);
    tcase_add_test(tcase, test_record);
    tcase_add_test(tcase, test_record_full);
    tcase_add_test(tcase, test_save);
    tcase_add_test(tcase, test_pool);
    tcase_add_test(tcase, test_batch);
    tcase_add_test(tcase, test_world);
    tcase_add_test(tcase, test_warm);
    tcase_add_test(tcase, test_sessions_keep_the_heap);
    return test_main("embed_many", tcase);
}
