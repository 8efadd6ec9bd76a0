#include "sim/sweep/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isa/tensor/blas.h"
#include "lib/leftovers.h"
#include "machine/simgrid/library.h"
#include "sim/session/host.h"

static const size_t idle = SIZE_MAX;

/* The parent's view of a worker; pid 0: no process. */
struct worker {
    pid_t pid;
    int to, from;             /* pipes */
    size_t run;               /* run that it simulates, or `idle` */
    size_t made;              /* runs since the process started */
    double since;             /* start of the run, by sim_host_clock */
    struct lib_text received; /* part of the outcome */
};

struct sim_workers {
    struct sim_work work;
    struct worker *list;
    struct pollfd *polls;
    unsigned count;
};

/* --- the worker --------------------------------------------------------------------- */

/* Reads or writes all bytes; false at the end of the pipe. */
static bool transfer_bytes(ssize_t (*move)(int fd, void *bytes, size_t length), int fd,
                           void *bytes, size_t length)
{
    for (char *p = bytes; length > 0;) {
        ssize_t n = move(fd, p, length);
        if (n <= 0 && !(n < 0 && errno == EINTR))
            return false;
        if (n > 0) {
            p += n;
            length -= (size_t)n;
        }
    }
    return true;
}

static ssize_t write_bytes(int fd, void *bytes, size_t length)
{
    return write(fd, bytes, length);
}

static _Noreturn void work(const struct sim_workers *w, int from_parent, int to_parent)
{
    size_t run;
    while (transfer_bytes(read, from_parent, &run, sizeof run)) {
        struct sim_outcome outcome;
        LIB_TEXT_OWN bytes = {0};
        w->work.make(&outcome, run, w->work.context);
        outcome.peak_rss_bytes = sim_host_peak_memory_of_fork();
        outcome.is_last = machine_simgrid_has_loaded();
        outcome.is_elsewhere = outcome.crashed && isa_blas_has_refused();
        sim_outcome_write(&outcome, &bytes);
        bool sent = transfer_bytes(write_bytes, to_parent, bytes.bytes, bytes.length);
        sim_outcome_free(&outcome);
        if (!sent)
            break;
    }
    _exit(0);
}

/* --- starting ----------------------------------------------------------------------- */

static void close_pipes(const struct worker *worker)
{
    close(worker->to);
    close(worker->from);
}

/* Ends the worker when its parent has ended, or asks for it. */
static void end_by_parent(int signal_number)
{
    (void)signal_number;
    lib_leftovers_remove();
    _exit(0);
}

static _Noreturn void be_worker(const struct sim_workers *w, pid_t parent,
                                int from_parent, int to_parent)
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
            close_pipes(&w->list[i]);
    work(w, from_parent, to_parent);
}

static bool cannot_start(struct lib_diags *diags)
{
    lib_diag_plain(diags, LIB_DIAG_HOST, "cannot start a process: %s", strerror(errno));
    return false;
}

static bool start_worker(const struct sim_workers *w, struct worker *worker,
                         struct lib_diags *diags)
{
    int down[2], up[2];
    pid_t parent = getpid();
    if (pipe2(down, O_CLOEXEC) != 0)
        return cannot_start(diags);
    if (pipe2(up, O_CLOEXEC) != 0) {
        cannot_start(diags);
        close(down[0]);
        close(down[1]);
        return false;
    }
    fflush(NULL); /* else both processes would write buffered output */
    pid_t pid = fork();
    if (pid == 0) {
        close(down[1]);
        close(up[0]);
        be_worker(w, parent, down[0], up[1]);
    }
    if (pid < 0)
        cannot_start(diags);
    close(down[0]);
    close(up[1]);
    struct worker made = {.pid = pid, .to = down[1], .from = up[0], .run = idle};
    if (pid < 0) {
        close_pipes(&made);
        return false;
    }
    *worker = made;
    return true;
}

struct sim_workers *sim_workers_start(const struct sim_work *work, unsigned count,
                                      struct lib_diags *diags)
{
    struct sim_workers *w = lib_mem_new(sizeof *w);
    *w = (struct sim_workers){.work = *work, .count = count};
    w->list = lib_mem_new(count * sizeof *w->list);
    w->polls = lib_mem_new(count * sizeof *w->polls);
    signal(SIGPIPE, SIG_IGN); /* a dead worker is noticed by its pipe */
    for (unsigned i = 0; i < count; i++) {
        if (!start_worker(w, &w->list[i], diags)) {
            sim_workers_stop(w);
            return NULL;
        }
    }
    return w;
}

/* --- giving work -------------------------------------------------------------------- */

static struct worker *find_free(const struct sim_workers *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->list[i].run == idle || !w->list[i].pid)
            return &w->list[i];
    return NULL;
}

bool sim_workers_is_free(const struct sim_workers *workers)
{
    return find_free(workers) != NULL;
}

bool sim_workers_give(struct sim_workers *workers, size_t run, struct lib_diags *diags)
{
    struct worker *worker = find_free(workers);
    if (!worker->pid && !start_worker(workers, worker, diags))
        return false;
    worker->run = run;
    worker->since = sim_host_clock();
    /* If the worker has died, its other pipe shows it. */
    transfer_bytes(write_bytes, worker->to, &run, sizeof run);
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

static void bury_worker(struct worker *worker,
                        void (*done)(size_t run, const struct sim_outcome *outcome,
                                     void *context),
                        void *context)
{
    int status = 0;
    size_t run = worker->run;
    struct sim_outcome outcome = {.crashed = true,
                                  .wall_seconds = sim_host_clock() - worker->since};
    close_pipes(worker);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    lib_text_free(&worker->received);
    *worker = (struct worker){.run = idle};
    if (run == idle)
        return;
    describe_death(status, &outcome.reason);
    done(run, &outcome, context);
    sim_outcome_free(&outcome);
}

/* Gives a run to a new worker. Returns false if no process can be started. */
static bool make_elsewhere(struct sim_workers *workers, struct worker *worker)
{
    struct lib_diags diags = {0};
    size_t run = worker->run;
    worker->run = idle;
    bury_worker(worker, NULL, NULL);
    const bool given = sim_workers_give(workers, run, &diags);
    lib_diags_free(&diags);
    return given;
}

static void receive_outcome(struct sim_workers *workers, struct worker *worker,
                            void (*done)(size_t run, const struct sim_outcome *outcome,
                                         void *context),
                            void *context)
{
    char bytes[65536];
    struct sim_outcome outcome;
    ssize_t n = read(worker->from, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0) {
        bury_worker(worker, done, context);
        return;
    }
    lib_text_add(&worker->received, bytes, (size_t)n);
    if (!sim_outcome_read(&outcome, worker->received.bytes, worker->received.length))
        return;
    size_t run = worker->run;
    lib_text_clear(&worker->received);
    const bool is_first = worker->made++ == 0;
    if (outcome.is_elsewhere && !is_first && make_elsewhere(workers, worker)) {
        sim_outcome_free(&outcome);
        return;
    }
    worker->run = idle;
    done(run, &outcome, context);
    if (outcome.is_last && worker->pid)
        bury_worker(worker, done, context);
    sim_outcome_free(&outcome);
}

void sim_workers_wait(struct sim_workers *workers, double seconds,
                      void (*done)(size_t run, const struct sim_outcome *outcome,
                                   void *context),
                      void *context)
{
    for (unsigned i = 0; i < workers->count; i++)
        workers->polls[i] = (struct pollfd){
            .fd = workers->list[i].pid ? workers->list[i].from : -1, .events = POLLIN};
    int milliseconds = seconds <= 0 ? 0 : (int)ceil(seconds * 1e3);
    if (poll(workers->polls, workers->count, milliseconds) <= 0)
        return;
    for (unsigned i = 0; i < workers->count; i++)
        if (workers->polls[i].revents)
            receive_outcome(workers, &workers->list[i], done, context);
}

void sim_workers_stop(struct sim_workers *workers)
{
    if (!workers)
        return;
    for (unsigned i = 0; i < workers->count; i++)
        if (workers->list[i].pid)
            kill(workers->list[i].pid, SIGUSR1);
    for (unsigned i = 0; i < workers->count; i++) {
        struct worker *worker = &workers->list[i];
        if (!worker->pid)
            continue;
        close_pipes(worker);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        lib_text_free(&worker->received);
    }
    LIB_MEM_FREE(workers->list, workers->polls, workers);
}

/* --- all of it ---------------------------------------------------------------------- */

struct making {
    const struct sim_work_taker *taker;
    size_t given, done;
};

static void take_outcome(size_t run, const struct sim_outcome *outcome, void *context)
{
    struct making *m = context;
    m->done++;
    m->taker->done(run, outcome, m->taker->context);
}

bool sim_workers_make_all(const struct sim_work *work, size_t count, unsigned jobs,
                          const struct sim_work_taker *taker, struct lib_diags *diags)
{
    const double look_up = 0.2; /* seconds */
    struct making m = {.taker = taker};
    struct sim_workers *workers = sim_workers_start(
        work, jobs < count ? jobs : (unsigned)count, diags);
    bool good = workers != NULL;
    while (good && taker->goes_on(taker->context) && m.done < count) {
        while (good && m.given < count && sim_workers_is_free(workers))
            good = sim_workers_give(workers, m.given++, diags);
        if (good)
            sim_workers_wait(workers, look_up, take_outcome, &m);
    }
    sim_workers_stop(workers);
    return good;
}
