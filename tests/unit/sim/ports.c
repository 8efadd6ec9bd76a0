/* Hosts that feed ports: a run is a function of its feeds and their cycles, however it is
 * divided, recorded, saved or made again. */
#include "tests/unit/embed.h"

#include <unistd.h>

#include "sim/session/feeds.h"
#include "sim/session/simulation.h"
#include "tests/unit/support.h"

/* Squares of what is fed, and their sum, which needs the length. */
#define BODY                                                                             \
    "squares = [x * x | x <- xs]\n"                                                      \
    "total(i) = if i == length(squares) then 0 else squares[i] + total(i + 1)\n"         \
    "result = total(0)\n"
static const char with_port[] = "port in xs : [int]\nport out ys = squares\n" BODY;
static const char with_literal[] = "xs = [3, 1, 4, 1, 5]\n" BODY;
static const int64_t elements[] = {3, 1, 4, 1, 5};
enum { COUNT = sizeof elements / sizeof *elements };

static const char *const machines[] = {
    "",
    "pe.count=1",
    "pe.count=5 pe.units=0 queue.discipline=lifo",
    "pe.count=4 queue.capacity=16",
    "network.topology=mesh network.capacity=8",
    "deadness=propagate",
    "tag.scheme=pool tag.pool=64",
    "match.store=hash match.capacity=16 match.ways=4",
    "loop.bound=2",
    "structure.placement=local",
    "network.topology=crossbar network.bandwidth=32",
    "executor.workers=3",
    "executor.workers=2 executor.inline=tag deadness=propagate",
};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Sessions keep their reporter. */
static struct heard heard;

static struct hiaton_program *read_by(const char *text, const char *strategy)
{
    const struct hiaton_program_options options = {.size = sizeof options,
                                                   .strategy = strategy};
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_program *program = hiaton_program_read(text, strlen(text), &options,
                                                         &reporter);
    ck_assert_msg(program != NULL, "%s", heard.text);
    return program;
}

static struct hiaton_machine *machine_of(const char *sets)
{
    struct hiaton_machine *machine = hiaton_machine_new(NULL, NULL);
    char text[256], *save = NULL;
    snprintf(text, sizeof text, "%s", sets);
    for (char *set = strtok_r(text, " ", &save); set; set = strtok_r(NULL, " ", &save)) {
        const struct hiaton_reporter reporter = REPORTER(heard);
        char *equals = strchr(set, '=');
        *equals = '\0';
        ck_assert_msg(hiaton_machine_set(machine, set, equals + 1, &reporter) ==
                          HIATON_OK,
                      "%s", heard.text);
    }
    return machine;
}

static struct hiaton_session *session_on(struct hiaton_program *program, const char *sets)
{
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_machine *machine = machine_of(sets);
    struct hiaton_session *session = hiaton_session_new(program, machine, NULL,
                                                        &reporter);
    ck_assert_msg(session != NULL, "%s: %s", sets, heard.text);
    hiaton_machine_free(machine);
    return session;
}

static enum hiaton_status feed(struct hiaton_session *s, size_t port, int64_t i,
                               uint64_t cycle)
{
    const struct hiaton_value value = {
        .size = sizeof value, .type = HIATON_INT, .data = &i};
    return hiaton_session_feed(s, port, &value, 1, cycle);
}

/* All statistics that a run has; two runs that are the same have the same. */
struct measured {
    uint64_t counts[256];
    double reals[256];
};

static struct measured measure(struct hiaton_session *s)
{
    struct measured m = {0};
    ck_assert_uint_lt(traces_stat_count, 256);
    for (size_t i = 0; i < traces_stat_count; i++) {
        struct hiaton_number number = {.size = sizeof number};
        if (hiaton_session_statistic(s, traces_stat_table[i].key, &number) != HIATON_OK)
            continue;
        m.counts[i] = number.count;
        m.reals[i] = number.real;
    }
    return m;
}

static void check_same(const struct measured *a, const struct measured *b,
                       const char *what)
{
    for (size_t i = 0; i < traces_stat_count; i++)
        ck_assert_msg(a->counts[i] == b->counts[i] && a->reals[i] == b->reals[i],
                      "%s: %s: %llu, %llu", what, traces_stat_table[i].key,
                      (unsigned long long)a->counts[i], (unsigned long long)b->counts[i]);
}

/* --- values ------------------------------------------------------------------------------ */

static void take_all(struct hiaton_session *s)
{
    for (int i = 0; i < COUNT; i++) {
        int64_t y = 0;
        struct hiaton_value value = {.size = sizeof value, .data = &y, .bytes = sizeof y};
        ck_assert_int_eq(hiaton_session_take(s, 1, &value, 1), HIATON_OK);
        ck_assert_int_eq(y, elements[i] * elements[i]);
    }
    struct hiaton_value none = {.size = sizeof none};
    ck_assert_int_eq(hiaton_session_take(s, 1, &none, 1), HIATON_ENDED);
}

/* What is fed before the run begins is as what stands in the program. */
START_TEST(test_as_literal)
{
    struct hiaton_program *program = read_text(with_port),
                          *literal = read_text(with_literal);
    for (int i = 0; i < MACHINES; i++) {
        struct hiaton_session *s = session_on(program, machines[i]);
        struct hiaton_session *l = session_on(literal, machines[i]);
        for (int k = 0; k < COUNT; k++)
            ck_assert_int_eq(feed(s, 0, elements[k], HIATON_NONE), HIATON_OK);
        ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_OK);
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
        ck_assert_int_eq(hiaton_session_advance(l, NULL), HIATON_ENDED);
        ck_assert_int_eq(int_of(s), 52);
        ck_assert_int_eq(int_of(l), 52);
        ck_assert_uint_eq(count_of(s, "feeds"), COUNT);
        take_all(s);
        hiaton_session_free(s);
        hiaton_session_free(l);
    }
    hiaton_program_free(program);
    hiaton_program_free(literal);
}
END_TEST

/* A host that feeds whenever the run waits, and takes what it can. */
static void feed_waiting(struct hiaton_session *s)
{
    int fed = 0, taken = 0;
    enum hiaton_status status;
    while ((status = hiaton_session_advance(s, NULL)) == HIATON_WAITING) {
        struct hiaton_port port = {.size = sizeof port};
        int64_t y = 0;
        struct hiaton_value value = {.size = sizeof value, .data = &y, .bytes = sizeof y};
        while (hiaton_session_take(s, 1, &value, 1) == HIATON_OK) {
            ck_assert_int_eq(y, elements[taken] * elements[taken]);
            taken++;
        }
        ck_assert_int_eq(taken, fed);
        ck_assert_int_eq(hiaton_session_port(s, 0, &port), HIATON_OK);
        ck_assert_str_eq(port.name, "xs");
        ck_assert(port.is_input && port.is_waiting && !port.is_closed);
        ck_assert_uint_eq(port.part_count, 1);
        ck_assert_int_eq(port.types[0], HIATON_INT);
        ck_assert_uint_eq(port.fed, (uint64_t)fed);
        ck_assert_uint_eq(port.room, HIATON_NONE);
        if (fed < COUNT)
            ck_assert_int_eq(feed(s, 0, elements[fed++], HIATON_NONE), HIATON_OK);
        else
            ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_OK);
    }
    ck_assert_int_eq(status, HIATON_ENDED);
    ck_assert_int_eq(taken, COUNT);
}

START_TEST(test_waiting)
{
    struct hiaton_program *program = read_text(with_port);
    for (int i = 0; i < MACHINES; i++) {
        struct hiaton_session *s = session_on(program, machines[i]);
        feed_waiting(s);
        ck_assert_int_eq(int_of(s), 52);
        ck_assert_uint_gt(count_of(s, "port_waits"), 0);
        const struct measured once = measure(s);
        hiaton_session_reset(s, 0);
        feed_waiting(s);
        const struct measured again = measure(s);
        check_same(&once, &again, machines[i]);
        hiaton_session_free(s);
    }
    hiaton_program_free(program);
}
END_TEST

START_TEST(test_untimed)
{
    const struct hiaton_session_options options = {.size = sizeof options, .untimed = 1};
    struct hiaton_program *program = read_text(with_port);
    struct hiaton_session *s = hiaton_session_new(program, NULL, &options, NULL);
    feed_waiting(s);
    ck_assert_int_eq(int_of(s), 52);
    hiaton_session_free(s);
    hiaton_program_free(program);
}
END_TEST

/* Elements of several parts, one of them a tensor. */
START_TEST(test_parts)
{
    struct hiaton_program *program = read_text(
        "port in qs : [(int, tensor(real, 2))]\n"
        "sq = [let (n, m) = q in (n + 1, matmul(m, m)) | q <- qs]\n"
        "port out ys = sq\n"
        "result = length(sq)\n");
    struct hiaton_session *s = session_on(program, "");
    struct hiaton_port port = {.size = sizeof port};
    int64_t n = 3;
    double m[] = {1, 2, 3, 4};
    const struct hiaton_value in[] = {
        {.size = sizeof *in, .type = HIATON_INT, .data = &n},
        {.size = sizeof *in,
         .type = HIATON_REAL,
         .rank = 2,
         .extents = {2, 2},
         .data = m}};
    struct hiaton_value out[] = {{.size = sizeof *out, .data = &n, .bytes = sizeof n},
                                 {.size = sizeof *out}};
    ck_assert_int_eq(hiaton_session_take(s, 1, out, 2), HIATON_WAITING);
    ck_assert_int_eq(hiaton_session_feed(s, 0, in, 1, HIATON_NONE), HIATON_REJECTED);
    ck_assert_int_eq(hiaton_session_feed(s, 0, in, 2, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
    ck_assert_int_eq(hiaton_session_take(s, 1, out, 2), HIATON_NO_ROOM);
    ck_assert_uint_eq(out[1].bytes, sizeof m);
    out[1].data = m;
    ck_assert_int_eq(hiaton_session_take(s, 1, out, 2), HIATON_OK);
    ck_assert_int_eq(n, 4);
    ck_assert(m[0] == 7 && m[1] == 10 && m[2] == 15 && m[3] == 22);
    ck_assert_int_eq(hiaton_session_port(s, 1, &port), HIATON_OK);
    ck_assert(!port.is_input && !port.is_closed && port.fed == 1 && port.taken == 1);
    ck_assert(port.types[0] == HIATON_INT && port.ranks[0] == 0);
    ck_assert(port.types[1] == HIATON_REAL && port.ranks[1] == 2);
    ck_assert_int_eq(hiaton_session_port(s, 2, &port), HIATON_ABSENT);
    ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
    ck_assert_int_eq(hiaton_session_take(s, 1, out, 2), HIATON_ENDED);
    ck_assert_int_eq(int_of(s), 1);
    hiaton_session_free(s);
    hiaton_program_free(program);
}
END_TEST

/* --- time -------------------------------------------------------------------------------- */

/* In which cycles: some together, some while nothing is under way. */
static const uint64_t cycles[] = {0, 40, 40, 41, 700, 2000};

static void feed_cycles(struct hiaton_session *s)
{
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(feed(s, 0, elements[i], cycles[i]), HIATON_OK);
    ck_assert_int_eq(hiaton_session_close(s, 0, cycles[COUNT]), HIATON_OK);
}

/* All is given before; or when its cycle has come, by a host that advances cycle by cycle. */
static void check_steps(const char *strategy)
{
    struct hiaton_program *program = read_by(with_port, strategy);
    for (int i = 0; i < MACHINES; i++) {
        struct hiaton_session *whole = session_on(program, machines[i]);
        struct hiaton_session *steps = session_on(program, machines[i]);
        feed_cycles(whole);
        ck_assert_int_eq(hiaton_session_advance(whole, NULL), HIATON_ENDED);
        ck_assert_int_eq(int_of(whole), 52);
        ck_assert_uint_gt(count_of(whole, "cycles"), 2000);
        int fed = 0;
        enum hiaton_status status = HIATON_OK;
        for (uint64_t now = 0; status == HIATON_OK; now++) {
            while (fed <= COUNT && cycles[fed] == now) {
                if (fed < COUNT)
                    ck_assert_int_eq(feed(steps, 0, elements[fed], HIATON_NONE),
                                     HIATON_OK);
                else
                    ck_assert_int_eq(hiaton_session_close(steps, 0, HIATON_NONE),
                                     HIATON_OK);
                fed++;
            }
            if (now)
                ck_assert_uint_eq(hiaton_session_cycle(steps), now);
            status = hiaton_session_advance(
                steps, &(struct hiaton_until){.size = sizeof(struct hiaton_until),
                                              .cycle = now + 1});
        }
        ck_assert_int_eq(status, HIATON_ENDED);
        const struct measured a = measure(whole), b = measure(steps);
        check_same(&a, &b, machines[i]);
        hiaton_session_free(whole);
        hiaton_session_free(steps);
    }
    hiaton_program_free(program);
}

START_TEST(test_steps)
{
    check_steps("static");
    check_steps("expanding");
}
END_TEST

/* The series is the same too, however long the pieces are. */
START_TEST(test_series)
{
    struct test_program program = {0};
    struct machine_settings settings;
    struct lib_diags diags = {0};
    struct sim_feeds feeds = {.arena = lib_arena_new()};
    struct machine_fed parts[COUNT] = {{0}};
    struct sim_ending endings[3];
    program.graph = test_compile(with_port, ISA_STAGE_IMAGE);
    machine_settings_default(&settings);
    settings.stats_interval = 7;
    for (int i = 0; i <= COUNT; i++) {
        if (i < COUNT)
            parts[i].value = (uint64_t)elements[i];
        *LIB_VEC_PUSH(&feeds.all) = (struct machine_feed){
            .cycle = cycles[i], .parts = i < COUNT ? &parts[i] : NULL};
    }
    const struct sim_simulation_config config = {.graph = program.graph,
                                                 .settings = &settings,
                                                 .engine = SIM_ENGINE_MACHINE,
                                                 .series = true,
                                                 .feeds = &feeds};
    for (int i = 0; i < 3; i++) {
        struct sim_simulation *s = sim_simulation_open(&config, &diags);
        ck_assert_ptr_nonnull(s);
        struct sim_until until = {.cycle = 1};
        while (i && sim_simulation_advance(s, &until) == SIM_ADVANCED_SO_FAR)
            until.cycle += i == 1 ? 1 : 13;
        if (!i)
            ck_assert_int_eq(sim_simulation_advance(s, NULL), SIM_ADVANCED_TO_END);
        sim_simulation_close(s, &endings[i]);
        ck_assert_int_eq(endings[i].end, ISA_END_COMPLETED);
    }
    for (int i = 1; i < 3; i++) {
        ck_assert_uint_eq(endings[i].series->rows.count, endings[0].series->rows.count);
        ck_assert_mem_eq(endings[i].series->rows.items, endings[0].series->rows.items,
                         endings[0].series->rows.count *
                             sizeof *endings[0].series->rows.items);
    }
    for (int i = 0; i < 3; i++)
        sim_ending_free(&endings[i]);
    sim_feeds_free(&feeds);
    lib_arena_free(feeds.arena);
    isa_graph_free(program.graph);
}
END_TEST

/* --- recordings -------------------------------------------------------------------------- */

struct written {
    char *bytes;
    size_t length, capacity;
};

static int write_bytes(void *context, const void *bytes, size_t length)
{
    struct written *w = context;
    w->bytes = realloc(w->bytes, w->length + length);
    memcpy(w->bytes + w->length, bytes, length);
    w->length += length;
    return 0;
}

static void replay(const struct written *w, size_t length, const char *expected)
{
    char path[] = "ports-XXXXXX";
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_replay found = {.size = sizeof found};
    const int file = mkstemp(path);
    ck_assert_int_eq(write(file, w->bytes, length), (ssize_t)length);
    close(file);
    struct hiaton_recording *r = hiaton_recording_open(path, &reporter);
    ck_assert_msg(r != NULL, "%s", heard.text);
    ck_assert_msg(hiaton_recording_replay(r, NULL, &found, &reporter) == HIATON_OK,
                  "%s\n%s", heard.text, found.text);
    ck_assert_msg(strstr(found.text, expected) != NULL, "%s", found.text);
    hiaton_recording_free(r);
    unlink(path);
}

static void record(struct hiaton_session *s, struct written *w)
{
    const struct hiaton_record_options options = {
        .size = sizeof options, .write = write_bytes, .context = w, .checkpoint = 300};
    ck_assert_int_eq(hiaton_session_record(s, &options), HIATON_OK);
}

START_TEST(test_recorded)
{
    struct hiaton_program *program = read_text(with_port);
    for (int i = 0; i < MACHINES; i++) {
        struct written waited = {0}, timed = {0};
        struct hiaton_session *s = session_on(program, machines[i]);
        record(s, &waited);
        feed_waiting(s);
        replay(&waited, waited.length, "the same run");
        hiaton_session_reset(s, 0);
        record(s, &timed);
        feed_cycles(s);
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
        replay(&timed, timed.length, "the same run");
        free(waited.bytes);
        free(timed.bytes);
        hiaton_session_free(s);
    }
    hiaton_program_free(program);
}
END_TEST

/* A host that is killed after any feed. */
START_TEST(test_killed)
{
    struct hiaton_program *program = read_text(with_port);
    struct hiaton_session *s = session_on(program, "");
    struct written w = {0};
    record(s, &w);
    for (int i = 0; i < COUNT; i++) {
        char expected[64];
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
        feed(s, 0, elements[i], HIATON_NONE);
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
        snprintf(expected, sizeof expected, ": %d feeds", i + 1);
        replay(&w, w.length, expected);
    }
    free(w.bytes);
    hiaton_session_free(s);
    hiaton_program_free(program);
}
END_TEST

/* --- states ------------------------------------------------------------------------------ */

START_TEST(test_saved)
{
    struct hiaton_program *program = read_text(with_port);
    for (int i = 0; i < MACHINES; i++) {
        struct hiaton_session *s = session_on(program, machines[i]);
        feed_cycles(s);
        hiaton_session_advance(s, NULL);
        const struct measured whole = measure(s);
        for (uint64_t at = 1; at < 2000; at += at < 60 ? 13 : 321) {
            const void *bytes;
            size_t length;
            struct hiaton_session *other = session_on(program, machines[i]);
            hiaton_session_reset(s, 0);
            feed_cycles(s);
            ck_assert_int_eq(
                hiaton_session_advance(
                    s, &(struct hiaton_until){.size = sizeof(struct hiaton_until),
                                              .cycle = at}),
                HIATON_OK);
            ck_assert_int_eq(hiaton_session_save(s, &bytes, &length), HIATON_OK);
            ck_assert_msg(hiaton_session_restore(other, bytes, length) == HIATON_OK,
                          "%s, cycle %llu: %s", machines[i], (unsigned long long)at,
                          heard.text);
            ck_assert_int_eq(hiaton_session_advance(other, NULL), HIATON_ENDED);
            const struct measured rest = measure(other);
            check_same(&whole, &rest, machines[i]);
            take_all(other);
            hiaton_session_free(other);
        }
        hiaton_session_free(s);
    }
    hiaton_program_free(program);
}
END_TEST

/* --- what is refused --------------------------------------------------------------------- */

START_TEST(test_refused)
{
    struct hiaton_program *program = read_text(with_port);
    const struct hiaton_reporter reporter = REPORTER(heard);
    struct hiaton_machine *machine = machine_of(
        "cluster.nodes=2 cluster.termination=counted");
    ck_assert_ptr_null(hiaton_session_new(program, machine, NULL, &reporter));
    ck_assert_msg(strstr(heard.text, "has no ports in"), "%s", heard.text);
    hiaton_machine_free(machine);
    struct hiaton_session *s = session_on(program, "port.capacity=2");
    const double real = 2.5;
    const struct hiaton_value wrong = {
        .size = sizeof wrong, .type = HIATON_REAL, .data = (void *)&real};
    ck_assert_int_eq(hiaton_session_feed(s, 0, &wrong, 1, HIATON_NONE), HIATON_REJECTED);
    ck_assert_int_eq(hiaton_session_feed(s, 0, &wrong, 0, HIATON_NONE), HIATON_REJECTED);
    ck_assert_int_eq(feed(s, 1, 1, HIATON_NONE), HIATON_MISUSE);
    ck_assert_int_eq(feed(s, 2, 1, HIATON_NONE), HIATON_ABSENT);
    ck_assert_int_eq(feed(s, 0, 3, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(feed(s, 0, 1, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(feed(s, 0, 4, HIATON_NONE), HIATON_NO_ROOM);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
    ck_assert_int_eq(feed(s, 0, 4, 0), HIATON_MISUSE);
    ck_assert_int_eq(feed(s, 0, 4, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(feed(s, 0, 4, HIATON_NONE), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_MISUSE);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
    ck_assert_int_eq(int_of(s), 26);
    ck_assert_int_eq(feed(s, 0, 4, HIATON_NONE), HIATON_ENDED);
    hiaton_session_free(s);
    hiaton_program_free(program);
}
END_TEST

/* An element of an int and a tensor of `rows` times `rows` reals. */
static enum hiaton_status feed_square(struct hiaton_session *s, uint64_t rows,
                                      uint64_t cycle)
{
    static const double reals[16] = {0};
    const int64_t n = 1;
    const struct hiaton_value parts[] = {
        {.size = sizeof *parts, .type = HIATON_INT, .data = (void *)&n},
        {.size = sizeof *parts,
         .type = HIATON_REAL,
         .rank = 2,
         .extents = {rows, rows},
         .data = (void *)reals}};
    return hiaton_session_feed(s, 0, parts, 2, cycle);
}

/* An element without room in a memory is refused and leaves no trace; if it was given for a later
 * cycle, it ends the run then. Each element takes 4 elements of arrays, of the port and of what
 * follows it, a tensor, and its product: 96 bytes with two rows, 32 with none. */
START_TEST(test_memory)
{
    static const char on[] = "pe.count=1 memory.capacity=230";
    struct hiaton_program *program = read_text(
        "port in qs : [(int, tensor(real, 2))]\n"
        "sq = [let (n, m) = q in (n + 1, matmul(m, m)) | q <- qs]\n"
        "port out ys = sq\n"
        "result = length(sq)\n");
    struct hiaton_session *both[] = {session_on(program, on), session_on(program, on)};
    struct hiaton_number number = {.size = sizeof number};
    for (int i = 0; i < 2; i++) {
        struct hiaton_session *s = both[i];
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
        for (int k = 0; k < 2; k++) {
            ck_assert_int_eq(feed_square(s, 2, HIATON_NONE), HIATON_OK);
            ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
        }
        for (int k = 0; k < 3 && i == 0; k++)
            ck_assert_int_eq(feed_square(s, 2, HIATON_NONE), HIATON_NO_ROOM);
        ck_assert_int_eq(feed_square(s, 0, HIATON_NONE), HIATON_OK);
        if (i == 0)
            ck_assert_int_eq(feed_square(s, 0, HIATON_NONE), HIATON_NO_ROOM);
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
        ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_OK);
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
        ck_assert_int_eq(int_of(s), 3);
        ck_assert_int_eq(hiaton_session_statistic(s, "peak_resident", &number),
                         HIATON_OK);
        ck_assert_uint_eq(number.count, 2 * 96 + 32);
    }
    const struct measured a = measure(both[0]), b = measure(both[1]);
    check_same(&a, &b, "refused feeds");
    hiaton_session_free(both[0]);
    hiaton_session_free(both[1]);
    struct hiaton_session *s = session_on(program, on);
    struct hiaton_ending ending = {.size = sizeof ending};
    ck_assert_int_eq(feed_square(s, 4, 0),
                     HIATON_OK); /* two of one cycle are one too many */
    ck_assert_int_eq(feed_square(s, 3, 0), HIATON_NO_ROOM);
    ck_assert_int_eq(feed_square(s, 4, 777), HIATON_OK);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
    ck_assert_int_eq(hiaton_session_ending(s, &ending), HIATON_OK);
    ck_assert_int_eq(ending.end, HIATON_END_LIMIT);
    ck_assert_msg(strstr(ending.reason, "memory.capacity = 230") &&
                      strstr(ending.reason, "at least 320"),
                  "%s", ending.reason);
    ck_assert_int_eq(hiaton_session_statistic(s, "feeds", &number), HIATON_OK);
    ck_assert_uint_eq(number.count, 1);
    hiaton_session_free(s);
    hiaton_program_free(program);
}
END_TEST

/* Many feeds before a run, later ones first, take a time that is proportional to their number:
 * with its square this would take minutes. */
START_TEST(test_many)
{
    enum { MANY = 100000 };
    static const char *const rooms[] = {"memory.capacity=0",
                                        "pe.count=2 memory.capacity=100000000"};
    struct hiaton_program *program = read_text(
        "port in xs : [int]\nport in ys : [int]\n"
        "result = length(xs) - length(ys) + ys[0]\n");
    for (int room = 0; room < 2; room++) {
        struct hiaton_session *s = session_on(program, rooms[room]);
        struct hiaton_number number = {.size = sizeof number};
        for (size_t port = 2; port-- > 0;) {
            for (int64_t i = 0; i < MANY; i++)
                ck_assert_int_eq(feed(s, port, i + 5, room ? 0 : (uint64_t)i), HIATON_OK);
            ck_assert_int_eq(hiaton_session_close(s, port, MANY), HIATON_OK);
        }
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
        ck_assert_int_eq(int_of(s), 5);
        ck_assert_int_eq(hiaton_session_statistic(s, "feeds", &number), HIATON_OK);
        ck_assert_uint_eq(number.count, 2 * MANY);
        hiaton_session_free(s);
    }
    hiaton_program_free(program);
}
END_TEST

/* An INDEX that finds its element has asked for it, too. */
START_TEST(test_asked)
{
    struct hiaton_program *program = read_text(
        "port in xs : [int]\nresult = xs[0] + length(xs)\n");
    struct hiaton_session *s = session_on(program, "port.capacity=1");
    struct hiaton_port port = {.size = sizeof port};
    struct hiaton_number waits = {.size = sizeof waits};
    ck_assert_int_eq(feed(s, 0, 7, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(feed(s, 0, 8, HIATON_NONE), HIATON_NO_ROOM);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
    ck_assert_int_eq(hiaton_session_statistic(s, "port_waits", &waits), HIATON_OK);
    ck_assert_uint_eq(waits.count, 1); /* of the LENGTH */
    ck_assert_int_eq(hiaton_session_port(s, 0, &port), HIATON_OK);
    ck_assert_uint_eq(port.room, 1);
    ck_assert_int_eq(feed(s, 0, 8, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(feed(s, 0, 9, HIATON_NONE), HIATON_NO_ROOM);
    ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
    ck_assert_int_eq(int_of(s), 9);
    hiaton_session_free(s);
    hiaton_program_free(program);
}
END_TEST

/* An index that is never fed traps when the port is closed. */
START_TEST(test_trap)
{
    struct hiaton_program *program = read_text(
        "port in xs : [int]\nresult = xs[2] + xs[7]\n");
    struct hiaton_session *s = session_on(program, "");
    struct hiaton_ending ending = {.size = sizeof ending};
    feed(s, 0, 5, HIATON_NONE);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
    ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_OK);
    ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
    ck_assert_int_eq(hiaton_session_ending(s, &ending), HIATON_OK);
    ck_assert_int_eq(ending.end, HIATON_END_TRAPPED);
    ck_assert_msg(strstr(ending.reason, "2, of 1 elements") != NULL, "%s", ending.reason);
    hiaton_session_free(s);
    hiaton_program_free(program);
}
END_TEST

/* --- the end of time ---------------------------------------------------------------------- */

/* Time passes to cycle 2^63 - 1, however far an advance asks. What is fed then is computed. */
START_TEST(test_last_cycle)
{
    static const char text[] = "port in xs : [int]\nresult = sum(xs)\n";
    static const char *const presets[] = {"default", "ideal", "tf-executor",
                                          "tf-cluster"};
    static const uint64_t asked[] = {INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1,
                                     UINT64_MAX};
    for (size_t i = 0; i < 16; i++) {
        struct hiaton_program *program = hiaton_program_read(text, strlen(text), NULL,
                                                             NULL);
        struct hiaton_machine *machine = hiaton_machine_new(presets[i / 4], NULL);
        struct hiaton_session *s = hiaton_session_new(program, machine, NULL, NULL);
        const struct hiaton_until until = {.size = sizeof until, .cycle = asked[i % 4]};
        ck_assert_int_eq(hiaton_session_advance(s, &until), HIATON_OK);
        ck_assert_uint_eq(hiaton_session_cycle(s), INT64_MAX);
        ck_assert_int_eq(hiaton_session_advance(s, &until), HIATON_OK);
        ck_assert_int_eq(feed(s, 0, 4, UINT64_MAX - 1), HIATON_MISUSE);
        ck_assert_int_eq(feed(s, 0, 4, (uint64_t)INT64_MAX + 1), HIATON_MISUSE);
        ck_assert_int_eq(feed(s, 0, 4, INT64_MAX), HIATON_OK);
        ck_assert_int_eq(feed(s, 0, 5, HIATON_NONE), HIATON_OK);
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_WAITING);
        ck_assert_int_eq(hiaton_session_close(s, 0, HIATON_NONE), HIATON_OK);
        ck_assert_int_eq(hiaton_session_advance(s, NULL), HIATON_ENDED);
        ck_assert_uint_ge(count_of(s, "cycles"), INT64_MAX);
        hiaton_session_free(s);
        hiaton_machine_free(machine);
        hiaton_program_free(program);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ports");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_as_literal);
    tcase_add_test(tcase, test_waiting);
    tcase_add_test(tcase, test_untimed);
    tcase_add_test(tcase, test_parts);
    tcase_add_test(tcase, test_steps);
    tcase_add_test(tcase, test_series);
    tcase_add_test(tcase, test_recorded);
    tcase_add_test(tcase, test_killed);
    tcase_add_test(tcase, test_saved);
    tcase_add_test(tcase, test_refused);
    tcase_add_test(tcase, test_memory);
    tcase_add_test(tcase, test_many);
    tcase_add_test(tcase, test_asked);
    tcase_add_test(tcase, test_trap);
    tcase_add_test(tcase, test_last_cycle);
    return test_main("ports", tcase);
}
