/* How many runs of a program N threads make against N processes: both over one code that is shared.
 *
 *     threads PROGRAM [THREADS [MILLISECONDS [ROUNDS [KEY=VALUE...]]]]
 *                                                             2 threads, 500 ms, 9 rounds
 *
 * A round has both, in turn, each for so long. Prints the median of the runs in a second of both,
 * and the median, least and greatest of their ratio in a round. Seconds are those of a processor,
 * or with BY_WALL in the environment those of a clock: then nothing else may run. A run opens a
 * simulation, advances it to its end and closes it. */
#include "sim/session/session.h"
#include "sim/session/window.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORKERS = 64, MAX_ROUNDS = 101 };

static struct sim_session session;
static double seconds;
static int by_wall;

/* Of the calling thread alone, with what the kernel does for it: other programs do not disturb
 * it. */
static double now(void)
{
    struct timespec t;
    clock_gettime(by_wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Runs for so long; returns the runs in a second. */
static double work(void)
{
    const struct sim_simulation_config config = sim_session_config(&session);
    const double begun = now();
    double count = 0;
    while (now() < begun + seconds) {
        struct lib_diags diags = {0};
        struct sim_ending ending;
        if (!sim_simulate(&config, &ending, &diags) || ending.end != ISA_END_COMPLETED)
            exit(1);
        sim_ending_free(&ending);
        count++;
    }
    return count / (now() - begun);
}

static void *work_in_thread(void *context)
{
    *(double *)context = work();
    return NULL;
}

static double in_threads(unsigned workers)
{
    pthread_t threads[MAX_WORKERS];
    double rates[MAX_WORKERS], sum = 0;
    for (unsigned i = 0; i < workers; i++)
        if (pthread_create(&threads[i], NULL, work_in_thread, &rates[i]) != 0)
            exit(1);
    for (unsigned i = 0; i < workers; i++) {
        pthread_join(threads[i], NULL);
        sum += rates[i];
    }
    return sum;
}

static double in_processes(unsigned workers)
{
    double *rates = mmap(NULL, MAX_WORKERS * sizeof *rates, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0),
           sum = 0;
    if (rates == MAP_FAILED)
        exit(1);
    fflush(stdout);
    for (unsigned i = 0; i < workers; i++)
        if (fork() == 0) {
            rates[i] = work();
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    for (unsigned i = 0; i < workers; i++)
        sum += rates[i];
    munmap(rates, MAX_WORKERS * sizeof *rates);
    return sum;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const unsigned workers = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
    const unsigned rounds = argc > 4 ? (unsigned)atoi(argv[4]) : 9;
    double threads[MAX_ROUNDS], processes[MAX_ROUNDS], ratios[MAX_ROUNDS];
    struct lib_diags diags = {0};
    if (argc < 2 || workers < 1 || workers > MAX_WORKERS || rounds < 1 ||
        rounds > MAX_ROUNDS)
        return 2;
    by_wall = getenv("BY_WALL") != NULL;
    seconds = (argc > 3 ? atof(argv[3]) : 500) * 1e-3;
    const struct sim_session_request request = {
        .program = argv[1],
        .sets = (const char *const *)argv + 5,
        .set_count = argc > 5 ? (size_t)(argc - 5) : 0,
        .strategy = ISA_STAGE_COUNT,
    };
    if (!sim_session_open(&session, &request, &diags)) {
        struct lib_text text = {0};
        lib_diags_write(&diags, &text);
        fputs(lib_text_get(&text), stderr);
        return 2;
    }
    for (unsigned r = 0; r < rounds; r++) {
        if (r % 2)
            threads[r] = in_threads(workers);
        processes[r] = in_processes(workers);
        if (r % 2 == 0)
            threads[r] = in_threads(workers);
        ratios[r] = threads[r] / processes[r];
    }
    qsort(threads, rounds, sizeof *threads, compare);
    qsort(processes, rounds, sizeof *processes, compare);
    qsort(ratios, rounds, sizeof *ratios, compare);
    printf("%.0f %.0f %.3f %.3f %.3f\n", threads[rounds / 2], processes[rounds / 2],
           ratios[rounds / 2], ratios[0], ratios[rounds - 1]);
    sim_session_close(&session);
    return 0;
}
