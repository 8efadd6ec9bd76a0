/* Run i is made in place i modulo the number of places, which is twice the number of threads. So a
 * long run delays others only if they are that far ahead. */
#include "lib/thread.h"
#include "sim/library/library_internal.h"

enum place_state { PLACE_FREE, PLACE_RUNS, PLACE_DONE };

struct place {
    struct hiaton_session *session;
    enum place_state state;
};

struct work {
    const struct hiaton_batch *batch;
    struct place *places;
    uint64_t place_count;
    uint64_t seed;        /* of each run, unless `begin` sets another */
    pthread_mutex_t lock; /* guards the members below, and the states of places */
    pthread_cond_t moved;
    uint64_t next;     /* first run that no thread has taken */
    uint64_t reported; /* number of runs passed to `end` */
    bool is_reporting;
    enum hiaton_status status;
};

static bool goes_on(const struct work *w)
{
    return w->status == HIATON_OK && w->reported < w->batch->count;
}

static void run_place(struct work *w, struct place *place, uint64_t number)
{
    const struct hiaton_batch *batch = w->batch;
    hiaton_session_reset(place->session, w->seed);
    if (batch->begin)
        batch->begin(batch->context, place->session, number);
    const enum hiaton_status status = hiaton_session_advance(place->session, NULL);
    pthread_mutex_lock(&w->lock);
    place->state = PLACE_DONE;
    if (status < 0 && w->status == HIATON_OK)
        w->status = status;
    pthread_mutex_unlock(&w->lock);
}

/* Passes finished runs to `end` in order, unless another thread does. Releases the lock while
 * calling `end`. */
static void report_runs(struct work *w)
{
    const struct hiaton_batch *batch = w->batch;
    if (w->is_reporting)
        return;
    w->is_reporting = true;
    while (goes_on(w)) {
        struct place *place = &w->places[w->reported % w->place_count];
        if (place->state != PLACE_DONE)
            break;
        pthread_mutex_unlock(&w->lock);
        const bool stops = batch->end &&
                           batch->end(batch->context, place->session, w->reported) != 0;
        pthread_mutex_lock(&w->lock);
        place->state = PLACE_FREE;
        w->reported++;
        if (stops && w->status == HIATON_OK)
            w->status = HIATON_CANCELLED;
        pthread_cond_broadcast(&w->moved);
    }
    w->is_reporting = false;
    pthread_cond_broadcast(&w->moved);
}

static void *work_on_runs(void *context)
{
    struct work *w = context;
    pthread_mutex_lock(&w->lock);
    while (goes_on(w)) {
        struct place *place = &w->places[w->next % w->place_count];
        if (w->next == w->batch->count || place->state != PLACE_FREE) {
            pthread_cond_wait(&w->moved, &w->lock);
            continue;
        }
        const uint64_t number = w->next++;
        place->state = PLACE_RUNS;
        pthread_mutex_unlock(&w->lock);
        run_place(w, place, number);
        pthread_mutex_lock(&w->lock);
        report_runs(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void start_threads(struct work *w, uint32_t count)
{
    pthread_t *threads = lib_mem_new(count * sizeof *threads);
    uint32_t started = 0;
    while (started + 1 < count && lib_thread_start(&threads[started], work_on_runs, w))
        started++;
    work_on_runs(w);
    while (started)
        pthread_join(threads[--started], NULL);
    lib_mem_free(threads);
}

enum hiaton_status hiaton_batch_run(const struct hiaton_batch *batch,
                                    const struct hiaton_reporter *reporter)
{
    struct hiaton_batch own;
    if (!sim_library_has_size(batch))
        return HIATON_MISUSE;
    SIM_TAKE(own, batch);
    if (own.threads == 0)
        own.threads = 1;
    if (own.threads > own.count)
        own.threads = own.count ? (uint32_t)own.count : 1;
    struct work w = {.batch = &own, .place_count = (uint64_t)own.threads * 2};
    struct hiaton_session_options options;
    SIM_TAKE(options, own.options);
    w.seed = options.seed;
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.moved, NULL);
    w.places = lib_mem_new(w.place_count * sizeof *w.places);
    for (uint64_t i = 0; i < w.place_count && w.status == HIATON_OK; i++) {
        w.places[i].session = hiaton_session_new(own.program, own.machine, own.options,
                                                 reporter);
        if (!w.places[i].session)
            w.status = HIATON_REJECTED;
    }
    if (w.status == HIATON_OK)
        start_threads(&w, own.threads);
    for (uint64_t i = 0; i < w.place_count; i++)
        hiaton_session_free(w.places[i].session);
    lib_mem_free(w.places);
    pthread_mutex_destroy(&w.lock);
    pthread_cond_destroy(&w.moved);
    return w.status;
}
