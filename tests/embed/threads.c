/* Runs a program in as many threads as are asked for, each with sessions of its own over one
 * program and one machine, and prints the digests of each run: threads PROGRAM MACHINE INPUT
 * THREADS RUNS. Session i has the value i for the input, and the seed i. */
#include <hiaton.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    uint64_t cycles, timing, value;
};

static struct hiaton_program *program;
static struct hiaton_machine *machine;
static const char *input;
static unsigned threads, runs;
static struct run *all;

static void complain(void *context, const struct hiaton_diagnostic *diagnostic)
{
    (void)context;
    fputs(diagnostic->printed, stderr);
}

static uint64_t count_of(struct hiaton_session *session, const char *key)
{
    struct hiaton_number number;
    memset(&number, 0, sizeof number);
    number.size = sizeof number;
    if (hiaton_session_statistic(session, key, &number) != HIATON_OK)
        abort();
    return number.count;
}

static void *work(void *first)
{
    struct hiaton_reporter reporter = {sizeof reporter, complain, NULL};
    struct hiaton_session *session = hiaton_session_new(program, machine, NULL,
                                                        &reporter);
    for (unsigned i = *(unsigned *)first; i < runs; i += threads) {
        const int64_t n = i;
        hiaton_session_reset(session, i);
        hiaton_session_input(session, input, HIATON_INT, 0, NULL, &n);
        if (hiaton_session_advance(session, NULL) != HIATON_ENDED)
            abort();
        all[i].cycles = count_of(session, "cycles");
        all[i].timing = count_of(session, "timing_digest");
        all[i].value = count_of(session, "value_digest");
    }
    hiaton_session_free(session);
    return NULL;
}

int main(int argc, char **argv)
{
    struct hiaton_reporter reporter = {sizeof reporter, complain, NULL};
    if (argc != 6)
        return 2;
    program = hiaton_program_load(argv[1], NULL, &reporter);
    machine = hiaton_machine_new(argv[2], &reporter);
    input = argv[3];
    threads = (unsigned)atoi(argv[4]);
    runs = (unsigned)atoi(argv[5]);
    if (!program || !machine)
        return 1;
    pthread_t *ids = malloc(threads * sizeof *ids);
    unsigned *firsts = malloc(threads * sizeof *firsts);
    all = calloc(runs, sizeof *all);
    for (unsigned i = 0; i < threads; i++) {
        firsts[i] = i;
        if (pthread_create(&ids[i], NULL, work, &firsts[i]) != 0)
            return 1;
    }
    for (unsigned i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    for (unsigned i = 0; i < runs; i++)
        printf("%u %" PRIu64 " %016" PRIx64 " %016" PRIx64 "\n", i, all[i].cycles,
               all[i].timing, all[i].value);
    free(ids);
    free(firsts);
    free(all);
    hiaton_machine_free(machine);
    hiaton_program_free(program);
    return 0;
}
