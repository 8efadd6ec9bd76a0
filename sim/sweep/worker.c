#include "sim/sweep/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isa/tensor/blas.h"
#include "lib/file.h"
#include "lib/leftovers.h"
#include "machine/simgrid/library.h"
#include "sim/session/host.h"

/* The number in `taken_by` of a run whose outcome has arrived. */
static const uint32_t is_done = UINT32_MAX;

/* The parent's view of a worker; pid 0: no process. */
struct worker {
    pid_t pid;
    int from;                 /* pipe */
    uint32_t number;          /* the number of the process, from 1 on */
    size_t first;             /* it takes no run before this one */
    size_t received;          /* outcomes that the process has sent */
    double since;             /* time of the last of these, or of its start */
    struct lib_text messages; /* bytes of outcomes that are not complete */
};

struct workers {
    const struct sim_work *work;
    const struct sim_work_taker *taker;
    struct worker *list;
    struct pollfd *polls;
    unsigned count;
    /* Shared with all processes: the number of the one that has taken a run; 0: none. */
    _Atomic uint32_t *taken_by;
    size_t runs, first; /* all before `first` are taken */
    size_t done;
    uint32_t started; /* processes */
};

/* What a worker sends before each outcome. */
struct message {
    size_t run, length;
};

/* --- the worker --------------------------------------------------------------------- */

/* Takes the next run that nobody has taken, not before *run. Returns false if there is none. */
static bool take_run(struct workers *w, uint32_t number, size_t *run)
{
    for (; *run < w->runs; ++*run) {
        uint32_t nobody = 0;
        if (atomic_load(&w->taken_by[*run]) == 0 &&
            atomic_compare_exchange_strong(&w->taken_by[*run], &nobody, number))
            return true;
    }
    return false;
}

/* Each outcome is sent at once, so that a worker that is killed loses one run only. */
static bool make_run(const struct workers *w, size_t run, struct lib_text *bytes, int to)
{
    struct sim_outcome outcome;
    struct message message = {.run = run};
    w->work->make(&outcome, run, w->work->context);
    outcome.peak_rss_bytes = sim_host_peak_memory_of_fork();
    outcome.is_elsewhere = outcome.crashed && isa_blas_has_refused();
    outcome.is_last = machine_simgrid_has_loaded() || outcome.is_elsewhere;
    lib_text_clear(bytes);
    lib_text_add(bytes, (const char *)&message, sizeof message);
    sim_outcome_write(&outcome, bytes);
    message.length = bytes->length - sizeof message;
    memcpy(bytes->bytes, &message, sizeof message);
    sim_outcome_free(&outcome);
    return lib_file_write_all(to, bytes->bytes, bytes->length) && !outcome.is_last;
}

static _Noreturn void work(struct workers *w, const struct worker *self, int to)
{
    struct lib_text bytes = {0};
    size_t run = self->first;
    lib_mem_keep_freed();
    while (take_run(w, self->number, &run) && make_run(w, run, &bytes, to))
        ;
    _exit(0);
}

/* --- starting ----------------------------------------------------------------------- */

/* Ends the worker when its parent has ended, or asks for it. */
static void end_by_parent(int signal_number)
{
    (void)signal_number;
    lib_leftovers_remove();
    _exit(0);
}

static _Noreturn void be_worker(struct workers *w, const struct worker *self,
                                pid_t parent, int to)
{
    lib_leftovers_clear(); /* those of the parent */
    signal(SIGUSR1, end_by_parent);
    /* A terminal signals all processes; only the parent reacts. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    if (getppid() != parent)
        _exit(0); /* the parent has died */
    for (unsigned i = 0; i < w->count; i++)
        if (w->list[i].pid)
            close(w->list[i].from);
    work(w, self, to);
}

static bool cannot_start(struct lib_diags *diags)
{
    lib_diag_plain(diags, LIB_DIAG_HOST, "cannot start a process: %s", strerror(errno));
    return false;
}

static bool start_worker(struct workers *w, struct worker *worker,
                         struct lib_diags *diags)
{
    int up[2];
    const pid_t parent = getpid();
    if (pipe2(up, O_CLOEXEC) != 0)
        return cannot_start(diags);
    fflush(NULL); /* else both processes would write buffered output */
    *worker = (struct worker){.from = up[0],
                              .number = ++w->started,
                              .first = w->first,
                              .since = sim_host_clock()};
    const pid_t pid = fork();
    if (pid == 0) {
        close(up[0]);
        be_worker(w, worker, parent, up[1]);
    }
    if (pid < 0) {
        cannot_start(diags);
        close(up[0]);
    }
    close(up[1]);
    worker->pid = pid > 0 ? pid : 0;
    return pid > 0;
}

static bool is_run_left(struct workers *w)
{
    while (w->first < w->runs && atomic_load(&w->taken_by[w->first]))
        w->first++;
    return w->first < w->runs;
}

/* Starts a process for each worker that has none, while runs are left. */
static bool start_workers(struct workers *w, struct lib_diags *diags)
{
    for (unsigned i = 0; i < w->count; i++)
        if (!w->list[i].pid && is_run_left(w) && !start_worker(w, &w->list[i], diags))
            return false;
    return true;
}

/* --- waiting ------------------------------------------------------------------------ */

static void describe_death(int status, struct lib_text *out)
{
    if (WIFSIGNALED(status))
        lib_text_printf(out, "killed by signal %d (%s)", WTERMSIG(status),
                        strsignal(WTERMSIG(status)));
    else
        lib_text_printf(out, "the process ended with status %d", WEXITSTATUS(status));
}

static void take_outcome(struct workers *w, size_t run, const struct sim_outcome *outcome)
{
    w->done++;
    w->taker->done(run, outcome, w->taker->context);
}

/* Waits for the end of a process, and forgets it. Returns its status. */
static int reap_worker(struct worker *worker)
{
    int status = 0;
    close(worker->from);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    lib_text_free(&worker->messages);
    *worker = (struct worker){0};
    return status;
}

/* A worker that has ended in order has made all the runs that it took. */
static void end_worker(struct workers *w, struct worker *worker)
{
    const struct worker ended = *worker;
    const int status = reap_worker(worker);
    for (size_t run = ended.first; status && run < w->runs; run++) {
        if (atomic_load(&w->taken_by[run]) != ended.number)
            continue;
        struct sim_outcome outcome = {.crashed = true,
                                      .wall_seconds = sim_host_clock() - ended.since};
        describe_death(status, &outcome.reason);
        take_outcome(w, run, &outcome);
        sim_outcome_free(&outcome);
        break;
    }
}

/* A run that a new process can make is not taken any more. */
static void receive_outcome(struct workers *w, struct worker *worker, size_t run,
                            const struct sim_outcome *outcome)
{
    const bool is_first = worker->received++ == 0;
    worker->since = sim_host_clock();
    if (!outcome->is_elsewhere || is_first) {
        atomic_store(&w->taken_by[run], is_done);
        take_outcome(w, run, outcome);
        return;
    }
    atomic_store(&w->taken_by[run], 0);
    w->first = run < w->first ? run : w->first;
}

static void receive_outcomes(struct workers *w, struct worker *worker)
{
    struct lib_text *text = &worker->messages;
    size_t at = 0;
    for (struct message m; text->length - at >= sizeof m; at += sizeof m + m.length) {
        struct sim_outcome outcome;
        memcpy(&m, text->bytes + at, sizeof m);
        if (text->length - at - sizeof m < m.length ||
            !sim_outcome_read(&outcome, text->bytes + at + sizeof m, m.length))
            break;
        receive_outcome(w, worker, m.run, &outcome);
        sim_outcome_free(&outcome);
    }
    if (at) {
        text->length -= at;
        memmove(text->bytes, text->bytes + at, text->length);
    }
}

static void read_messages(struct workers *w, struct worker *worker)
{
    enum { PIECE = 65536 };
    struct lib_text *text = &worker->messages;
    lib_text_reserve(text, PIECE);
    const ssize_t n = read(worker->from, text->bytes + text->length, PIECE);
    if (n > 0) {
        text->length += (size_t)n;
        receive_outcomes(w, worker);
    } else if (n == 0 || errno != EINTR) {
        end_worker(w, worker);
    }
}

/* Waits until outcomes arrive, for a time, or until a signal arrives. */
static void wait_for_outcomes(struct workers *w)
{
    const int look_up = 200; /* milliseconds */
    for (unsigned i = 0; i < w->count; i++)
        w->polls[i] = (struct pollfd){.fd = w->list[i].pid ? w->list[i].from : -1,
                                      .events = POLLIN};
    if (poll(w->polls, w->count, look_up) <= 0)
        return;
    for (unsigned i = 0; i < w->count; i++)
        if (w->polls[i].revents)
            read_messages(w, &w->list[i]);
}

/* --- all of it ---------------------------------------------------------------------- */

static bool open_workers(struct workers *w, unsigned jobs, struct lib_diags *diags)
{
    void *shared = mmap(NULL, w->runs * sizeof *w->taken_by, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        lib_diag_plain(diags, LIB_DIAG_HOST, "cannot share memory: %s", strerror(errno));
        return false;
    }
    w->taken_by = shared;
    w->count = jobs < w->runs ? jobs : (unsigned)w->runs;
    w->list = lib_mem_new(w->count * sizeof *w->list);
    w->polls = lib_mem_new(w->count * sizeof *w->polls);
    signal(SIGPIPE, SIG_IGN); /* a worker notices that its parent is dead */
    return true;
}

/* Kills all workers. Their current runs are lost. */
static void close_workers(struct workers *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->list[i].pid)
            kill(w->list[i].pid, SIGUSR1);
    for (unsigned i = 0; i < w->count; i++)
        if (w->list[i].pid)
            reap_worker(&w->list[i]);
    LIB_MEM_FREE(w->list, w->polls);
    munmap(w->taken_by, w->runs * sizeof *w->taken_by);
}

bool sim_workers_make_all(const struct sim_work *work, size_t count, unsigned jobs,
                          const struct sim_work_taker *taker, struct lib_diags *diags)
{
    struct workers w = {.work = work, .taker = taker, .runs = count};
    if (count == 0)
        return true;
    bool good = open_workers(&w, jobs, diags);
    if (!good)
        return false;
    while (good && taker->goes_on(taker->context) && w.done < count) {
        good = start_workers(&w, diags);
        if (good)
            wait_for_outcomes(&w);
    }
    close_workers(&w);
    return good;
}
