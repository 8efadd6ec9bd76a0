#include "traces/files/event_file.h"

#include <pthread.h>
#include <string.h>

#include "lib/thread.h"

enum {
    PIECE = 8192,    /* events passed to the thread at once */
    PIECES = 8,      /* max pieces waiting for the thread */
    LIVE_SHARE = 32, /* min events between LIVE chunks, per event in one */
    LIVE_BLOCKS = 8, /* min blocks between LIVE chunks */
};

struct piece {
    size_t count;
    struct traces_event events[PIECE];
};

struct traces_event_writer {
    struct traces_chunks_writer *file;
    const struct isa_graph *graph;
    struct traces_event_encoder *encoder, *live_encoder;
    struct traces_present present;
    traces_event_vec told;
    struct lib_text bytes;
    uint64_t count, since_live; /* all events; events after the last LIVE */
    uint64_t from, to;          /* cycles of the block */
    uint64_t before;            /* cycle of the last event before the block */
    size_t in_block;

    /* Ring buffer of pieces; `filled` and `emptied` count them. */
    struct piece *pieces;
    uint64_t filled, emptied;
    bool is_over, has_thread;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static void put_block(struct traces_event_writer *w, struct traces_event_encoder *encoder,
                      uint32_t type, uint64_t from, uint64_t to)
{
    traces_event_encoder_end(encoder, &w->bytes);
    traces_chunks_add(w->file, type, from, to, lib_text_get(&w->bytes), w->bytes.length);
}

static void end_block(struct traces_event_writer *w)
{
    if (w->in_block == 0)
        return;
    put_block(w, w->encoder, TRACES_EVENTS_BLOCK, w->from, w->to);
    w->since_live += w->in_block;
    w->before = w->to;
    w->in_block = 0;
}

static void put_live(struct traces_event_writer *w, uint64_t cycle)
{
    if (!w->live_encoder)
        w->live_encoder = traces_event_encoder_new(w->graph);
    w->told.count = 0;
    traces_present_emit_as_made(&w->present, w->before, &w->told);
    for (size_t done = 0; done < w->told.count;) {
        done += traces_event_encoder_add(w->live_encoder, w->told.items + done,
                                         w->told.count - done);
        put_block(w, w->live_encoder, TRACES_EVENTS_LIVE, cycle, w->before);
    }
    w->since_live = 0;
}

/* Begins a block whose first event is in this cycle, after a LIVE if one is due. */
static void begin_block(struct traces_event_writer *w, uint64_t cycle)
{
    if (w->since_live >= (uint64_t)LIVE_BLOCKS * TRACES_EVENT_BLOCK_MAX &&
        w->since_live >= LIVE_SHARE * traces_present_count(&w->present))
        put_live(w, cycle);
    w->from = cycle;
}

static void encode(struct traces_event_writer *w, const struct traces_event *events,
                   size_t count)
{
    w->count += count;
    while (count) {
        if (w->in_block == 0)
            begin_block(w, events->cycle);
        const size_t done = traces_event_encoder_add(w->encoder, events, count);
        for (size_t i = 0; i < done; i++)
            if (traces_event_table[events[i].kind].level == TRACES_LEVEL_SUMMARY)
                traces_present_note(&w->present, &events[i]);
        w->in_block += done;
        if (done)
            w->to = events[done - 1].cycle;
        events += done;
        count -= done;
        if (w->in_block == TRACES_EVENT_BLOCK_MAX)
            end_block(w);
    }
}

static struct piece *piece_at(struct traces_event_writer *w, uint64_t number)
{
    return &w->pieces[number % PIECES];
}

static void *encode_pieces(void *context)
{
    struct traces_event_writer *w = context;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->emptied == w->filled && !w->is_over)
            pthread_cond_wait(&w->changed, &w->lock);
        if (w->emptied == w->filled)
            break;
        const struct piece *piece = piece_at(w, w->emptied);
        pthread_mutex_unlock(&w->lock);
        encode(w, piece->events, piece->count);
        pthread_mutex_lock(&w->lock);
        w->emptied++;
        pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Starts the encoding thread; if it cannot be started, the calling thread encodes. */
static void start_thread(struct traces_event_writer *w)
{
    w->has_thread = lib_thread_start(&w->thread, encode_pieces, w);
}

static void pass_on(struct traces_event_writer *w)
{
    if (!w->has_thread) {
        encode(w, w->pieces->events, w->pieces->count);
        w->pieces->count = 0;
        return;
    }
    pthread_mutex_lock(&w->lock);
    w->filled++;
    pthread_cond_signal(&w->changed);
    while (w->filled - w->emptied == PIECES)
        pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
    piece_at(w, w->filled)->count = 0;
}

static void event_writer_take(void *context, const struct traces_event *events,
                              size_t count)
{
    struct traces_event_writer *w = context;
    while (count) {
        struct piece *piece = piece_at(w, w->filled);
        const size_t room = PIECE - piece->count, n = count < room ? count : room;
        memcpy(piece->events + piece->count, events, n * sizeof *events);
        piece->count += n;
        events += n;
        count -= n;
        if (piece->count == PIECE)
            pass_on(w);
    }
}

struct traces_event_sink traces_event_writer_sink(struct traces_event_writer *w,
                                                  enum traces_level level)
{
    return (struct traces_event_sink){level, event_writer_take, w};
}

struct traces_event_writer *traces_event_writer_new(struct traces_chunks_writer *file,
                                                    const struct isa_graph *graph)
{
    struct traces_event_writer *w = lib_mem_new(sizeof *w);
    w->file = file;
    w->encoder = traces_event_encoder_new(graph);
    w->pieces = lib_mem_new(PIECES * sizeof *w->pieces);
    traces_present_start(&w->present, false);
    w->graph = graph;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    start_thread(w);
    return w;
}

static void stop_thread(struct traces_event_writer *w)
{
    if (piece_at(w, w->filled)->count)
        pass_on(w);
    if (!w->has_thread)
        return;
    pthread_mutex_lock(&w->lock);
    w->is_over = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
}

void traces_event_writer_end(struct traces_event_writer *w, bool is_whole)
{
    stop_thread(w);
    end_block(w);
    if (is_whole)
        traces_chunks_add(w->file, TRACES_EVENTS_TAIL, 0, w->to, &w->count,
                          sizeof w->count);
    traces_event_encoder_free(w->encoder);
    if (w->live_encoder)
        traces_event_encoder_free(w->live_encoder);
    traces_present_free(&w->present);
    LIB_VEC_FREE(&w->told);
    lib_text_free(&w->bytes);
    lib_mem_free(w->pieces);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
    lib_mem_free(w);
}
