#include "machine/simgrid/platform_internal.h"

#include "lib/file.h"
#include "lib/invisible.h"
#include "lib/memory.h"
#include "lib/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- what SimGrid is given -------------------------------------------------------------------- */

/* The plain model of links, without SimGrid's corrections for TCP. Dates are in seconds, of
 * which a cycle is a small part. */
static const char *const standard[][2] = {
    {"network/model", "CM02"},   {"network/optim", "Lazy"},
    {"network/TCP-gamma", "0"},  {"network/crosstraffic", "0"},
    {"surf/precision", "1e-13"},
};

void machine_platform_config(const struct lib_source *source,
                             const char *config[MACHINE_PLATFORM_CONFIG])
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) {
        struct machine_platform_option given;
        if (machine_platform_option(source, standard[i][0], &given))
            continue;
        config[count++] = standard[i][0];
        config[count++] = standard[i][1];
    }
    config[count] = NULL;
}

int machine_platform_file(const struct lib_source *source,
                          char path[MACHINE_PLATFORM_PATH])
{
    const int file = memfd_create("platform", MFD_CLOEXEC);
    const char *const start = lib_source_start(source); /* SimGrid reads no mark */
    const size_t length = (size_t)(source->bytes + source->length - start);
    if (file < 0 || !lib_file_write_all(file, start, length)) {
        if (file >= 0)
            close(file);
        return -1;
    }
    snprintf(path, MACHINE_PLATFORM_PATH, "/proc/self/fd/%d", file);
    return file;
}

/* --- the process that asks SimGrid ------------------------------------------------------------ */

static const struct machine_simgrid *asked;
static bool is_loaded; /* the whole file has been read */

/* Ends the process, after writing SimGrid's line in the file. */
static _Noreturn void end_at_line(void)
{
    char text[32];
    const int length = snprintf(text, sizeof text, "\nat line %d\n", asked->line());
    if (!is_loaded)
        lib_file_write_all(STDERR_FILENO, text, (size_t)length);
    _exit(PLATFORM_NOT_READ);
}

static void has_ended(int signal)
{
    if (signal == SIGPROF || signal == SIGALRM)
        _exit(signal == SIGPROF ? PLATFORM_TOO_LONG : PLATFORM_TOO_LATE);
    end_at_line();
}

/* Starts the time limit of the next step. */
static void limit_step(void)
{
    const struct itimerval limit = {.it_value = {.tv_sec = PLATFORM_MAX_CPU_SECONDS}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

/* Limits the memory of the process. */
static void limit_memory(void)
{
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%llu", &pages) == 1) {
        const rlim_t most = pages * (uint64_t)sysconf(_SC_PAGESIZE) + PLATFORM_MAX_BYTES;
        setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    }
    if (f)
        fclose(f);
}

static void pack_name(struct lib_pack *pack, const char *name)
{
    uint64_t length = strlen(name);
    LIB_PACK(pack, length);
    lib_pack_bytes(pack, (char *)name, length);
}

static void describe_ways(struct lib_pack *pack, uint32_t nodes)
{
    uint32_t most = 64, *links = lib_mem_new(most * sizeof *links);
    for (uint32_t from = 0; from < nodes; from++) {
        limit_step();
        for (uint32_t to = 0; to < nodes; to++) {
            uint32_t count = from == to ? 0 : asked->route(from, to, links, most);
            if (count > most) {
                most = 2 * count;
                links = lib_mem_resize(links, most * sizeof *links);
                count = asked->route(from, to, links, most);
            }
            LIB_PACK(pack, count);
            lib_pack_bytes(pack, links, count * sizeof *links);
        }
    }
    lib_mem_free(links);
}

static void describe(struct lib_pack *pack, uint32_t nodes)
{
    uint32_t hosts = asked->host_count(), links = asked->link_count();
    double latency_factor, bandwidth_factor;
    asked->factors(&latency_factor, &bandwidth_factor);
    LIB_PACK(pack, hosts, links, latency_factor, bandwidth_factor);
    for (uint32_t i = 0; i < hosts; i++)
        pack_name(pack, asked->host_name(i));
    for (uint32_t i = 0; i < links; i++) {
        struct machine_simgrid_link link;
        asked->link(i, &link);
        pack_name(pack, link.name);
        LIB_PACK(pack, link.bandwidth, link.latency);
        lib_pack_bool(pack, &link.is_shared);
    }
    describe_ways(pack, nodes < hosts ? nodes : hosts);
}

/* Sends messages between up to 64 pairs of hosts, and waits for them cycle by cycle, as a run
 * does. */
static void try_messages(uint32_t nodes, uint64_t clock)
{
    enum { MOST = 64, BYTES = 64 };
    const uint32_t pairs = nodes < MOST ? nodes : MOST;
    uint32_t left = 0;
    limit_step();
    for (; nodes > 1 && left < pairs; left++) {
        const uint32_t from = (uint32_t)((uint64_t)left * nodes / pairs);
        asked->send(left, from, (from + 1) % nodes, BYTES);
    }
    for (double cycle = 0; left > 0;) {
        const double next = ceil(asked->next() * (double)clock);
        if (!isfinite(next)) {
            static const char words[] = "a message between two hosts never arrives";
            lib_file_write_all(STDERR_FILENO, words, sizeof words - 1);
            _exit(PLATFORM_NOT_READ);
        }
        size_t count;
        cycle = fmax(next, cycle + 1);
        (void)asked->advance(cycle / (double)clock, &count);
        left -= (uint32_t)count;
    }
}

/* Bounds time and memory of this process, and lets it end if its parent does. */
static void set_limits(int said)
{
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGFPE, SIGILL,
                                SIGBUS,  SIGPROF, SIGALRM};
    static char stack[65536]; /* the usual one may have no room left */
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    const struct sigaction action = {.sa_handler = has_ended, .sa_flags = SA_ONSTACK};
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, NULL);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
    signal(SIGINT, SIG_IGN); /* its parent ends it */
    signal(SIGTERM, SIG_IGN);
    limit_memory();
    alarm(PLATFORM_MAX_SECONDS);
    limit_step();
}

/* Reads the platform in a forked process: SimGrid prints to `said`; properties go to `known`, after
 * their length. With a clock, sends messages then. */
static _Noreturn void ask(const struct machine_simgrid *simgrid, const char *path,
                          const char *const *config, const struct platform_question *q,
                          int said, int known)
{
    struct lib_text bytes = {0};
    struct lib_pack pack = lib_pack_writer(&bytes);
    asked = simgrid;
    set_limits(said);
    const char *wrong = asked->load(path, config);
    if (wrong) {
        lib_file_write_all(STDERR_FILENO, wrong, strlen(wrong));
        end_at_line();
    }
    is_loaded = true;
    describe(&pack, q->nodes);
    const uint64_t length = bytes.length;
    if (!lib_file_write_all(known, &length, sizeof length) ||
        !lib_file_write_all(known, lib_text_get(&bytes), length))
        _exit(PLATFORM_NOT_READ);
    if (q->clock)
        try_messages(q->nodes < asked->host_count() ? q->nodes : asked->host_count(),
                     q->clock);
    _exit(0);
}

/* --- the process ------------------------------------------------------------------------------ */

static void read_all(int file, struct lib_text *text)
{
    char block[65536];
    ssize_t length;
    while ((length = read(file, block, sizeof block)) != 0) {
        if (length > 0)
            lib_text_add(text, block, (size_t)length);
        else if (errno != EINTR)
            break;
    }
}

bool machine_platform_ask(const struct machine_simgrid *simgrid,
                          const struct lib_setting_file *file,
                          const struct platform_question *q, struct lib_text *said,
                          struct lib_text *known, char path[MACHINE_PLATFORM_PATH],
                          int *status)
{
    const char *config[MACHINE_PLATFORM_CONFIG];
    int ends[2], platform = machine_platform_file(&file->source, path);
    const int words = memfd_create("said", MFD_CLOEXEC);
    if (platform < 0 || words < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    machine_platform_config(&file->source, config);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        ask(simgrid, path, config, q, words, ends[1]);
    close(ends[1]);
    if (child > 0)
        read_all(ends[0], known);
    while (child > 0 && waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
    lseek(words, 0, SEEK_SET);
    read_all(words, said);
    close(ends[0]);
    close(words);
    close(platform);
    return child > 0;
}
