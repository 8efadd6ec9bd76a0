/* Eight threads at once, over shared and own programs, yield what eight processes yield: results,
 * statistics, digests, series and profile, events, recordings. To be run with ThreadSanitizer and
 * under helgrind (stage `threads` of tests/check.sh). */
#include "lib/hash.h"
#include "sim/explain/trace_diff.h"
#include "sim/replay/recorder.h"
#include "sim/replay/replay.h"
#include "sim/replay/tracer.h"
#include "sim/session/session.h"
#include "tests/unit/support.h"

#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, SETS = 4 };

enum what {
    INTERPRETED, /* by the interpreter */
    SIMULATED,   /* on a machine, with series, profile and costs */
    TRACED,      /* its events go to a file, by a thread of hiaton's, and are compared */
    RECORDED,    /* to a file with checkpoints, from which it is replayed */
};

/* All run each of them, in an order of their own. */
static const struct job {
    enum what what;
    const char *program, *input, *machine;
    const char *sets[SETS];
} jobs[] = {
    {INTERPRETED, "mergesort", "n=12", NULL, {NULL}},
    {INTERPRETED, "mlp", "n=3", NULL, {"tensor.math=reference"}},
    {INTERPRETED, "integrate", NULL, NULL, {"deadness=propagate"}},
    {SIMULATED, "fib", "n=10", NULL, {NULL}},
    {SIMULATED, "fib", "n=9", "tf-executor", {NULL}},
    {SIMULATED, "lstm", NULL, NULL, {"tensor.math=blas", "pe.count=4"}},
    {SIMULATED, "mlp", "n=3", NULL, {"tensor.math=blas", "tensor.core=nehalem"}},
    {SIMULATED, "gradient", NULL, NULL, {"grad.mode=paired"}},
    {SIMULATED, "sieve", "n=20", NULL, {"network.topology=mesh", "network.capacity=2"}},
    {SIMULATED, "matmul", "n=3", NULL, {"queue.capacity=64", "match.store=hash"}},
    {SIMULATED, "queens", "n=4", "ideal", {NULL}},
    {TRACED, "fib", "n=9", NULL, {"pe.count=4"}},
    {RECORDED, "fib", "n=7", NULL, {"pe.count=8"}},
    {RECORDED, "mlp", "n=2", NULL, {"tensor.math=reference"}},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

static struct sim_session
    shared[JOBS]; /* of the even ones; the others are opened by each thread */
static char folder[] = "/tmp/unit_threads.XXXXXX";

/* --- one job ---------------------------------------------------------------------------- */

static void require(bool good, const struct lib_diags *diags)
{
    struct lib_text text = {0};
    if (!good)
        lib_diags_write(diags, &text);
    ck_assert_msg(good, "%s", lib_text_get(&text));
}

static void open_session(struct sim_session *session, const struct job *job)
{
    struct lib_diags diags = {0};
    char path[512];
    size_t sets = 0;
    while (sets < SETS && job->sets[sets])
        sets++;
    snprintf(path, sizeof path, "%s/programs/examples/%s.df", test_source_directory(),
             job->program);
    const struct sim_session_request request = {
        .program = path,
        .inputs = &job->input,
        .input_count = job->input != NULL,
        .machine = job->machine,
        .sets = job->sets,
        .set_count = sets,
        .strategy = ISA_STAGE_COUNT,
        .seed = 5,
    };
    require(sim_session_open(session, &request, &diags), &diags);
    lib_diags_free(&diags);
}

static void add_ending(const struct sim_session *session, const struct sim_ending *ending,
                       struct lib_text *text)
{
    const struct sim_record record = sim_session_record(session, ending);
    sim_record_write_measured(&record, text);
}

/* A simulation from its start to its end; `config` has what is observed. */
static void simulate(const struct sim_session *session,
                     const struct sim_simulation_config *config, struct lib_text *text)
{
    struct lib_diags diags = {0};
    struct sim_ending ending;
    require(sim_simulate(config, &ending, &diags), &diags);
    add_ending(session, &ending, text);
    sim_ending_free(&ending);
    lib_diags_free(&diags);
}

static void add_file(const char *path, struct lib_text *text)
{
    struct lib_diags diags = {0};
    struct lib_arena *arena = lib_arena_new();
    const struct lib_source *file = lib_file_read(arena, path, &diags);
    require(file != NULL, &diags);
    uint64_t hash = 0;
    for (size_t i = 0; i < file->length; i++)
        hash = lib_hash_fold(hash, (unsigned char)file->bytes[i]);
    lib_text_printf(text, "%zu bytes, %llx\n", file->length, (unsigned long long)hash);
    lib_arena_free(arena);
}

static bool never(void)
{
    return false;
}

/* Two more threads of hiaton's read the file, and find that it is as itself. */
static void check_no_difference(const char *path)
{
    const struct analysis_diff_config config = {0};
    struct lib_diags diags = {0};
    struct sim_trace_diff diff;
    require(sim_trace_diff_find(&diff, (const char *const[]){path, path}, &config, never,
                                &diags),
            &diags);
    ck_assert(sim_trace_diff_is_same(&diff));
    sim_trace_diff_free(&diff);
}

static void trace(const struct sim_session *session, const char *path,
                  struct lib_text *text)
{
    struct lib_diags diags = {0};
    const struct sim_recorded_events events = {.level = TRACES_LEVEL_COUNT - 1,
                                               .to = UINT64_MAX};
    struct sim_tracer *tracer = sim_tracer_new(path, &events, session, &diags);
    require(tracer != NULL, &diags);
    const struct traces_event_sink sink = sim_tracer_sink(tracer);
    struct sim_simulation_config config = sim_session_config(session);
    config.sinks = &sink;
    config.sink_count = 1;
    simulate(session, &config, text);
    require(sim_tracer_finish(tracer, &diags), &diags);
    add_file(path, text);
    check_no_difference(path);
}

static void record_run(const struct sim_session *session, const char *path)
{
    const struct sim_recorder_config how = {.path = path, .checkpoint = 500};
    struct lib_diags diags = {0};
    struct sim_ending ending;
    const struct sim_simulation_config config = sim_session_config(session);
    struct sim_simulation *simulation = sim_simulation_open(&config, &diags);
    struct sim_recorder *recorder = sim_recorder_new(&how, session, simulation, &diags);
    require(recorder != NULL, &diags);
    ck_assert_int_eq(sim_recorder_advance(recorder), SIM_ADVANCED_TO_END);
    sim_simulation_close(simulation, &ending);
    const struct sim_record made = sim_session_record(session, &ending);
    require(sim_recorder_finish(recorder, &made, &diags), &diags);
    sim_ending_free(&ending);
}

static void replay(const char *path, struct lib_text *text)
{
    struct lib_diags diags = {0};
    struct lib_arena *arena = lib_arena_new();
    struct sim_recording recording;
    struct sim_replay_report report = {0};
    require(sim_recording_open(&recording, path, &diags), &diags);
    require(sim_replay_run(&recording, &recording.session, NULL, arena, &report, &diags),
            &diags);
    ck_assert(report.is_same && report.change_count == 0);
    lib_text_puts(text, recording.ending);
    sim_recording_close(&recording);
    lib_arena_free(arena);
}

static void run_job(unsigned number, const char *name, struct lib_text *text)
{
    const struct job *job = &jobs[number];
    struct sim_session own = {0}, *session = number % 2 == 0 ? &shared[number] : &own;
    struct sim_simulation_config config;
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (session == &own)
        open_session(session, job);
    config = sim_session_config(session);
    lib_text_printf(text, "%s\n", job->program);
    switch (job->what) {
    case INTERPRETED:
        config.engine = SIM_ENGINE_INTERPRETER;
        simulate(session, &config, text);
        break;
    case SIMULATED:
        config.series = config.profile = config.costs = true;
        simulate(session, &config, text);
        break;
    case TRACED:
        trace(session, path, text);
        break;
    case RECORDED:
        record_run(session, path);
        replay(path, text);
        break;
    }
    unlink(path);
    if (session == &own)
        sim_session_close(session);
}

/* All jobs, from another one on for each; what comes of them is in their order. */
static void run_jobs(unsigned first, unsigned rounds, struct lib_text *text)
{
    char name[32];
    struct lib_text found[JOBS] = {{0}};
    snprintf(name, sizeof name, "file-%u", first);
    for (unsigned r = 0; r < rounds; r++)
        for (unsigned i = 0; i < JOBS; i++) {
            const unsigned number = (first * 5 + i) % JOBS;
            run_job(number, name, &found[number]);
        }
    for (unsigned i = 0; i < JOBS; i++) {
        lib_text_puts(text, lib_text_get(&found[i]));
        lib_text_free(&found[i]);
    }
}

/* --- in processes, and in threads --------------------------------------------------------- */

static void write_all(int file, const char *bytes, size_t length)
{
    for (ssize_t done; length > 0; bytes += done, length -= (size_t)done)
        if ((done = write(file, bytes, length)) < 0)
            _exit(98);
}

static void read_all(int file, struct lib_text *text)
{
    char bytes[4096];
    ssize_t length;
    while ((length = read(file, bytes, sizeof bytes)) > 0 ||
           (length < 0 && errno == EINTR))
        if (length > 0)
            lib_text_add(text, bytes, (size_t)length);
}

static void run_in_process(unsigned first, unsigned rounds, struct lib_text *text)
{
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct lib_text own = {0};
        run_jobs(first, rounds, &own);
        write_all(ends[1], own.bytes, own.length);
        _exit(0);
    }
    close(ends[1]);
    read_all(ends[0], text);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Fails with the first line in which texts differ. */
static void check_same(const struct lib_text *a, const struct lib_text *b)
{
    const char *p = lib_text_get(a), *q = lib_text_get(b);
    size_t at = 0, line = 0;
    for (; p[at] && p[at] == q[at]; at++)
        if (p[at] == '\n')
            line = at + 1;
    ck_assert_msg(p[at] == q[at], "expected: %.200s\nfound: %.200s", p + line, q + line);
}

struct work {
    pthread_t thread;
    unsigned first, rounds;
    struct lib_text text;
};

static void *run_work(void *context)
{
    struct work *work = context;
    run_jobs(work->first, work->rounds, &work->text);
    return NULL;
}

START_TEST(threads_come_to_what_processes_come_to)
{
    const unsigned rounds = test_part(4, 1);
    struct work works[THREADS];
    struct lib_text alone[THREADS] = {{0}};
    ck_assert(mkdtemp(folder) != NULL);
    for (unsigned i = 0; i < JOBS; i += 2)
        open_session(&shared[i], &jobs[i]);
    for (unsigned t = 0; t < THREADS; t++)
        run_in_process(t, rounds, &alone[t]);
    for (unsigned t = 0; t < THREADS; t++) {
        works[t] = (struct work){.first = t, .rounds = rounds};
        ck_assert_int_eq(pthread_create(&works[t].thread, NULL, run_work, &works[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++)
        ck_assert_int_eq(pthread_join(works[t].thread, NULL), 0);
    for (unsigned t = 0; t < THREADS; t++) {
        ck_assert_uint_gt(works[t].text.length, 1000);
        check_same(&alone[t], &works[t].text);
        check_same(&alone[0], &alone[t]);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        lib_text_free(&works[t].text);
        lib_text_free(&alone[t]);
    }
    for (unsigned i = 0; i < JOBS; i += 2)
        sim_session_close(&shared[i]);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("threads");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, threads_come_to_what_processes_come_to);
    return test_main("threads", tcase);
}
