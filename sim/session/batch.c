#include "sim/session/batch.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "lib/memory.h"
#include "sim/session/window.h"

struct batch_run {
    const struct sim_batch *batch;
    uint32_t input_count;
    atomic_size_t next; /* the number of the run that begins next */
    atomic_bool is_stopped;
};

struct batch_thread {
    struct batch_run *run;
    struct sim_simulation *simulation;
    pthread_t thread;
    bool is_started;
};

static void batch_run_one(struct batch_run *run, struct sim_simulation *s, size_t number)
{
    const struct sim_batch *b = run->batch;
    sim_simulation_reset(s, b->inputs ? b->inputs + number * run->input_count : NULL,
                         b->seeds ? b->seeds[number] : b->config.seed);
    if (sim_window_advance(s, NULL, NULL) == SIM_ADVANCED_TO_STOP)
        atomic_store(&run->is_stopped, true);
    b->take(b->context, number, s);
}

/* Runs whatever no other thread has begun. */
static void *batch_run_some(void *context)
{
    const struct batch_thread *t = context;
    size_t number;
    while (!atomic_load(&t->run->is_stopped) &&
           (number = atomic_fetch_add(&t->run->next, 1)) < t->run->batch->count)
        batch_run_one(t->run, t->simulation, number);
    return NULL;
}

/* Opens a simulation for each thread. */
static bool batch_open(const struct sim_batch *batch, struct batch_run *run,
                       struct batch_thread *threads, size_t count,
                       struct lib_diags *diags)
{
    for (size_t i = 0; i < count; i++) {
        threads[i].run = run;
        threads[i].simulation = sim_simulation_open(&batch->config, diags);
        if (!threads[i].simulation)
            return false;
    }
    run->input_count = sim_simulation_config(threads->simulation)->graph->input_count;
    return true;
}

/* The first thread is the caller's. Signals are for that one. */
static void batch_start(struct batch_thread *threads, size_t count)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    for (size_t i = 1; i < count; i++)
        threads[i].is_started = pthread_create(&threads[i].thread, NULL, batch_run_some,
                                               &threads[i]) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    batch_run_some(threads);
    for (size_t i = 1; i < count; i++)
        if (threads[i].is_started)
            pthread_join(threads[i].thread, NULL);
}

bool sim_batch_run(const struct sim_batch *batch, struct lib_diags *diags)
{
    struct batch_run run = {.batch = batch};
    size_t count = batch->threads ? batch->threads : 1;
    if (count > batch->count)
        count = batch->count ? batch->count : 1;
    assert(count == 1 || batch->config.sink_count == 0);
    struct batch_thread *threads = lib_mem_new(count * sizeof *threads);
    const bool is_open = batch_open(batch, &run, threads, count, diags);
    if (is_open)
        batch_start(threads, count);
    for (size_t i = 0; i < count && threads[i].simulation; i++)
        sim_simulation_close(threads[i].simulation, NULL);
    lib_mem_free(threads);
    return is_open && !atomic_load(&run.is_stopped);
}

void sim_batch_take_ending(void *context, size_t number,
                           struct sim_simulation *simulation)
{
    struct sim_ending *endings = context;
    sim_simulation_leave(simulation, &endings[number]);
}
