/* When the host has no more memory: the handler of the thread is called once, with its context, and
 * then the process ends by abort. Nothing is written, and nothing is jumped over. */
#include "lib/memory.h"
#include "lib/thread.h"
#include "tests/unit/support.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS = 42 };

/* The end of a pipe that a handler writes to, and the letter that it writes. */
struct note {
    int file;
    char letter;
};

static void write_note(void *context, size_t bytes)
{
    const struct note *note = context;
    (void)bytes;
    if (write(note->file, &note->letter, 1) != 1)
        _exit(99);
}

/* Memory runs out inside of it too. */
static void write_and_ask(void *context, size_t bytes)
{
    write_note(context, bytes);
    lib_mem_exhausted(1);
}

static void write_and_exit(void *context, size_t bytes)
{
    write_note(context, bytes);
    _exit(STATUS);
}

static struct lib_mem_handler noting(struct note *note)
{
    return (struct lib_mem_handler){write_note, note};
}

/* --- what children do ------------------------------------------------------------------- */

static void ask(struct note *notes)
{
    lib_mem_set_handler(noting(&notes[0]));
    lib_mem_exhausted(0);
}

static void ask_without_handler(struct note *notes)
{
    lib_mem_set_handler(noting(&notes[0]));
    lib_mem_set_handler((struct lib_mem_handler){0});
    lib_mem_exhausted(0);
}

static void ask_in_handler(struct note *notes)
{
    lib_mem_set_handler((struct lib_mem_handler){write_and_ask, &notes[0]});
    lib_mem_exhausted(0);
}

static void ask_and_exit(struct note *notes)
{
    lib_mem_set_handler((struct lib_mem_handler){write_and_exit, &notes[0]});
    lib_mem_exhausted(0);
}

static void *ask_in_thread(void *context)
{
    (void)context;
    lib_mem_exhausted(0);
}

/* A thread of hiaton's has the handler of the thread that started it. */
static void ask_in_own_thread(struct note *notes)
{
    pthread_t thread;
    lib_mem_set_handler(noting(&notes[1]));
    ck_assert(lib_thread_start(&thread, ask_in_thread, NULL));
    lib_mem_set_handler(noting(&notes[0]));
    pthread_join(thread, NULL);
}

/* A thread of the host's has none but that of the process. */
static void ask_in_foreign_thread(struct note *notes)
{
    pthread_t thread;
    lib_mem_set_process_handler(noting(&notes[2]));
    lib_mem_set_handler(noting(&notes[0]));
    ck_assert_int_eq(pthread_create(&thread, NULL, ask_in_thread, NULL), 0);
    pthread_join(thread, NULL);
}

/* The host sets a bound, and an interpreter without one goes beyond it. */
static void run_out(struct note *notes)
{
    struct rlimit most = {.rlim_cur = 256u << 20, .rlim_max = 256u << 20};
    struct isa_graph *graph = test_compile(
        "result = f(0)\nf(n) = if n < 0 then 0 else f(n + 1) + f(n + 2)\n",
        ISA_STAGE_IMAGE);
    struct machine_settings settings;
    machine_settings_default(&settings);
    settings.limit_memory = UINT64_C(1) << 40;
    const struct sim_simulation_config config = {
        .graph = graph, .settings = &settings, .engine = SIM_ENGINE_INTERPRETER};
    lib_mem_set_handler(noting(&notes[0]));
    setrlimit(RLIMIT_AS, &most);
    struct sim_ending ending;
    struct lib_diags diags = {0};
    sim_simulate(&config, &ending, &diags);
}

/* --- how they end ----------------------------------------------------------------------- */

/* Runs it in a child. Returns its status, as waitpid has it; `said`: what handlers wrote, and
 * `printed` how many bytes went to standard output and error. */
static int end_of(void (*run)(struct note *notes), char *said, size_t *printed)
{
    int notes[2], outputs[2], status;
    char bytes[256];
    ck_assert(pipe(notes) == 0 && pipe(outputs) == 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGABRT, SIG_DFL);
        dup2(outputs[1], STDOUT_FILENO);
        dup2(outputs[1], STDERR_FILENO);
        run((struct note[]){{notes[1], 'a'}, {notes[1], 'b'}, {notes[1], 'c'}});
        _exit(0);
    }
    close(notes[1]);
    close(outputs[1]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    const ssize_t length = read(notes[0], said, 8);
    said[length > 0 ? length : 0] = '\0';
    const ssize_t out = read(outputs[0], bytes, sizeof bytes);
    *printed = out > 0 ? (size_t)out : 0;
    close(notes[0]);
    close(outputs[0]);
    return status;
}

static void check_end(void (*run)(struct note *notes), const char *expected, int signal)
{
    char said[16];
    size_t printed;
    const int status = end_of(run, said, &printed);
    ck_assert_str_eq(said, expected);
    ck_assert_uint_eq(printed, 0);
    if (signal)
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    else
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
}

START_TEST(the_handler_of_the_thread_is_called_once)
{
    check_end(ask, "a", SIGABRT);
    check_end(ask_without_handler, "", SIGABRT);
    check_end(ask_in_handler, "a", SIGABRT);
    check_end(ask_and_exit, "a", 0);
    check_end(ask_in_own_thread, "b", SIGABRT);
    check_end(ask_in_foreign_thread, "c", SIGABRT);
}
END_TEST

START_TEST(a_bound_of_the_host_ends_a_run)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    puts("skipped: a sanitizer needs more address space than a bound leaves");
    (void)run_out;
#else
    check_end(run_out, "a", SIGABRT);
#endif
}
END_TEST

START_TEST(handlers_are_returned)
{
    struct note note = {0};
    ck_assert(lib_mem_set_handler(noting(&note)).call == NULL);
    ck_assert(lib_mem_get_handler().context == &note);
    ck_assert(lib_mem_set_handler((struct lib_mem_handler){0}).context == &note);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("exhausted");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_handler_of_the_thread_is_called_once);
    tcase_add_test(tcase, a_bound_of_the_host_ends_a_run);
    tcase_add_test(tcase, handlers_are_returned);
    return test_main("exhausted", tcase);
}
