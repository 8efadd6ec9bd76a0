#include "analysis/diff/pull.h"

#include <pthread.h>
#include <string.h>

#include "lib/thread.h"

enum { BLOCKS = 8, BLOCK_EVENTS = 4096 };

/* A ring of blocks. Blocks `taken` to `filled` - 1 are ready; the thread fills block `filled`. */
struct analysis_pull {
    struct analysis_source source;
    enum traces_level level;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_bool stop; /* the caller wants no more blocks */
    bool has_ended, is_whole;
    bool is_pulled; /* whether the caller still reads block `taken` */
    uint64_t filled, taken;
    size_t counts[BLOCKS];
    struct traces_event *blocks[BLOCKS];
};

static void publish(struct analysis_pull *p)
{
    pthread_mutex_lock(&p->lock);
    p->filled++;
    pthread_cond_signal(&p->changed);
    while (p->filled - p->taken >= BLOCKS && !p->stop)
        pthread_cond_wait(&p->changed, &p->lock);
    p->counts[p->filled % BLOCKS] = 0;
    pthread_mutex_unlock(&p->lock);
}

static void pull_take(void *context, const struct traces_event *events, size_t count)
{
    struct analysis_pull *p = context;
    while (count && !p->stop) {
        const size_t at = p->filled % BLOCKS, has = p->counts[at];
        const size_t room = BLOCK_EVENTS - has, part = count < room ? count : room;
        memcpy(p->blocks[at] + has, events, part * sizeof *events);
        p->counts[at] = has + part;
        events += part;
        count -= part;
        if (has + part == BLOCK_EVENTS)
            publish(p);
    }
}

static void *read_all(void *context)
{
    struct analysis_pull *p = context;
    const struct traces_event_sink sink = {p->level, pull_take, p};
    const bool is_whole = p->source.read(p->source.context, 0, UINT64_MAX, &sink,
                                         &p->stop);
    if (p->counts[p->filled % BLOCKS])
        publish(p);
    pthread_mutex_lock(&p->lock);
    p->has_ended = true;
    p->is_whole = is_whole;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct analysis_pull *analysis_pull_start(const struct analysis_source *source,
                                          enum traces_level level)
{
    struct analysis_pull *p = lib_mem_new(sizeof *p);
    p->source = *source;
    p->level = level;
    for (size_t i = 0; i < BLOCKS; i++)
        p->blocks[i] = lib_mem_new(BLOCK_EVENTS * sizeof **p->blocks);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    if (!lib_thread_start(&p->thread, read_all, p))
        lib_mem_exhausted(0);
    return p;
}

const struct traces_event *analysis_pull_next(struct analysis_pull *p, size_t *count)
{
    const struct traces_event *block = NULL;
    *count = 0;
    pthread_mutex_lock(&p->lock);
    p->taken += p->is_pulled;
    pthread_cond_signal(&p->changed);
    while (p->taken == p->filled && !p->has_ended)
        pthread_cond_wait(&p->changed, &p->lock);
    p->is_pulled = p->taken < p->filled;
    if (p->is_pulled) {
        block = p->blocks[p->taken % BLOCKS];
        *count = p->counts[p->taken % BLOCKS];
    }
    pthread_mutex_unlock(&p->lock);
    return block;
}

bool analysis_pull_end(struct analysis_pull *p)
{
    pthread_mutex_lock(&p->lock);
    const bool is_early = !p->has_ended || p->taken < p->filled;
    p->stop = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    const bool is_good = is_early || p->is_whole;
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->changed);
    for (size_t i = 0; i < BLOCKS; i++)
        lib_mem_free(p->blocks[i]);
    lib_mem_free(p);
    return is_good;
}
