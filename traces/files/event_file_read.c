#include "traces/files/event_file.h"

#include <string.h>

enum { AT_ONCE = 2048 };

struct traces_event_reader {
    struct traces_chunks *file;
    struct traces_event_decoder *decoder;
    struct lib_text bytes;
    size_t chunk;     /* index of the chunk being decoded, or of the next one */
    bool is_open;     /* the chunk is being decoded */
    size_t decoded;   /* events decoded of the chunk */
    bool has_blocks;  /* a block was read, so LIVE chunks are skipped */
    bool is_whole;    /* all events from the first on were read */
    uint64_t total;   /* events */
    uint64_t cycle;   /* cycle of the last event; must not decrease between blocks */
    size_t at, count; /* of `events`; those before `at` were returned */
    struct traces_event events[AT_ONCE];
};

struct traces_event_reader *
traces_event_reader_new(struct traces_chunks *file, const struct isa_graph *graph,
                        const struct traces_event_bounds *bounds)
{
    struct traces_event_reader *r = lib_mem_new(sizeof *r);
    r->file = file;
    r->decoder = traces_event_decoder_new(graph, bounds);
    r->is_whole = true;
    return r;
}

void traces_event_reader_free(struct traces_event_reader *r)
{
    if (!r)
        return;
    traces_event_decoder_free(r->decoder);
    lib_text_free(&r->bytes);
    lib_mem_free(r);
}

static bool fail(struct lib_diags *diags, const struct traces_chunk *chunk,
                 const char *text)
{
    lib_diag_plain(diags, LIB_DIAG_FILE, "the file is damaged from byte %llu on: %s",
                   (unsigned long long)chunk->offset, text);
    return false;
}

/* Whether a chunk is a block, or a LIVE before the first block that is read. */
static bool is_wanted(struct traces_event_reader *r, const struct traces_chunk *chunk)
{
    r->has_blocks |= chunk->type == TRACES_EVENTS_BLOCK;
    return chunk->type == TRACES_EVENTS_BLOCK ||
           (chunk->type == TRACES_EVENTS_LIVE && !r->has_blocks);
}

/* Opens the next block from `chunk` on. Returns false at the end of the file or if the block is
 * damaged. */
static bool open_block(struct traces_event_reader *r, struct lib_diags *diags)
{
    const size_t chunks = traces_chunks_count(r->file);
    while (r->chunk < chunks && !is_wanted(r, traces_chunks_get(r->file, r->chunk)))
        r->chunk++;
    r->decoded = 0;
    r->is_open = r->chunk < chunks &&
                 traces_chunks_read(r->file, r->chunk, &r->bytes, diags);
    if (r->is_open)
        traces_event_decoder_start(r->decoder, &r->bytes);
    return r->is_open;
}

/* Decodes more of the open block, and closes it at its end. Returns false if it is damaged. */
static bool decode_block(struct traces_event_reader *r, struct lib_diags *diags)
{
    const struct traces_chunk *chunk = traces_chunks_get(r->file, r->chunk);
    r->at = 0;
    r->count = traces_event_decoder_next(r->decoder, r->events, AT_ONCE);
    r->decoded += r->count;
    r->total += r->count;
    if (r->count == 0) {
        r->is_open = false;
        r->chunk++;
        return !traces_event_decoder_failed(r->decoder) ||
               fail(diags, chunk, "it is not a block of events");
    }
    if (r->events->cycle < r->cycle && r->events->kind != TRACES_EVENT_END)
        return fail(diags, chunk, "it goes back in time");
    r->cycle = r->events[r->count - 1].cycle;
    return true;
}

static bool check_tail(struct traces_event_reader *r, struct lib_diags *diags)
{
    const size_t i = traces_chunks_find(r->file, 0, TRACES_EVENTS_TAIL);
    uint64_t count = 0;
    if (i == traces_chunks_count(r->file) || !r->is_whole)
        return true;
    if (!traces_chunks_read(r->file, i, &r->bytes, diags))
        return false;
    memcpy(&count, r->bytes.bytes, r->bytes.length == sizeof count ? sizeof count : 0);
    return (r->bytes.length == sizeof count && count == r->total) ||
           fail(diags, traces_chunks_get(r->file, i), "it says another number of events");
}

const struct traces_event *traces_event_reader_next(struct traces_event_reader *r,
                                                    size_t *count,
                                                    struct lib_diags *diags)
{
    *count = 0;
    while (r->at == r->count) {
        if (!r->is_open && !open_block(r, diags)) {
            const bool is_end = r->chunk == traces_chunks_count(r->file);
            return is_end && check_tail(r, diags) ? r->events : NULL;
        }
        if (!decode_block(r, diags))
            return NULL;
    }
    const struct traces_event *events = r->events + r->at;
    *count = r->count - r->at;
    r->at = r->count;
    return events;
}

void traces_event_reader_unread(struct traces_event_reader *r, size_t count)
{
    assert(count <= r->at);
    r->at -= count;
}

struct traces_event_place traces_event_reader_place(const struct traces_event_reader *r)
{
    return (struct traces_event_place){r->chunk,
                                       r->is_open ? r->decoded - (r->count - r->at) : 0};
}

bool traces_event_reader_go_to(struct traces_event_reader *r,
                               struct traces_event_place place, struct lib_diags *diags)
{
    r->chunk = place.chunk;
    r->is_open = r->is_whole = false;
    r->has_blocks = true;
    r->cycle = 0;
    r->at = r->count = 0;
    if (place.event == 0)
        return true;
    if (!open_block(r, diags))
        return false;
    while (r->decoded < place.event)
        if (!decode_block(r, diags) || r->count == 0)
            return false;
    r->at = r->count - (r->decoded - place.event);
    return true;
}

/* Returns the first chunk to read: the first LIVE chunk of the last group of them before the cycle,
 * or the first block. */
static size_t first_of(struct traces_chunks *file, const struct traces_event_read *read)
{
    size_t first = traces_chunks_find(file, 0, TRACES_EVENTS_BLOCK);
    if (read->has_queues)
        return first;
    for (size_t i = first; i < traces_chunks_count(file); i++)
        if (traces_chunks_get(file, i)->type == TRACES_EVENTS_LIVE &&
            traces_chunks_get(file, i - 1)->type == TRACES_EVENTS_BLOCK &&
            traces_chunks_get(file, i)->to < read->from)
            first = i;
    return first;
}

bool traces_event_file_read(struct traces_chunks *file,
                            const struct traces_event_read *read,
                            struct traces_event_sink sink, struct lib_diags *diags)
{
    struct traces_event_reader *r = traces_event_reader_new(file, read->graph,
                                                            &read->bounds);
    const struct traces_event *events;
    size_t count;
    bool goes_on = true;
    r->chunk = first_of(file, read);
    r->is_whole = read->from == 0;
    while (goes_on && (events = traces_event_reader_next(r, &count, diags)) && count) {
        sink.take(sink.context, events, count);
        goes_on = !read->goes_on || read->goes_on(read->context);
    }
    traces_event_reader_free(r);
    return goes_on && events;
}
