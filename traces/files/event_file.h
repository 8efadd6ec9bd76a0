/* Files of events: a stream (traces/events.h) as blocks in a file of chunks
 * (traces/files/chunks.h). What ran stands in front, in chunks that are not known here
 * (sim/replay/recording.h). Then follow
 *
 *   EVTS  a block of events (traces/files/event_block.h), of the cycles `from` to `to`, both in it
 *   LIVE  a block too: what there is where it stands, as events that begin a stream. `from` is the cycle
 *         of the next event, `to` that of the last one before. So one may read from here on. Tokens in
 *         queues are not in it. They come as often as they take a small part of the file.
 *   TAIL  how many events there are, as 8 bytes: a file that has it has all of the stream
 *
 * The writer encodes and compresses in a thread of its own. The bytes depend on the events
 * alone. */
#ifndef TRACES_FILES_EVENT_FILE_H
#define TRACES_FILES_EVENT_FILE_H

#include "traces/files/chunks.h"
#include "traces/files/event_block.h"
#include "traces/present.h"

#define TRACES_EVENTS_BLOCK TRACES_FOUR("EVTS")
#define TRACES_EVENTS_LIVE TRACES_FOUR("LIVE")
#define TRACES_EVENTS_TAIL TRACES_FOUR("TAIL")

/* --- writing ------------------------------------------------------------------------------- */

struct traces_event_writer;

/* Adds to a file, which is borrowed, and used by nobody else until the writer is ended. */
struct traces_event_writer *traces_event_writer_new(struct traces_chunks_writer *file,
                                                    const struct isa_graph *graph);

/* Takes a stream of any level. */
struct traces_event_sink traces_event_writer_sink(struct traces_event_writer *writer,
                                                  enum traces_level level);

/* All that was taken is in the file; `is_whole`: with its tail. Frees the writer. */
void traces_event_writer_end(struct traces_event_writer *writer, bool is_whole);

/* --- reading ------------------------------------------------------------------------------- */

/* What is wanted of the stream in a file. */
struct traces_event_read {
    const struct isa_graph *graph;
    struct traces_event_bounds bounds;
    uint64_t
        from; /* begins at the last place at which all that is needed of cycles before this one is
                      known: what comes first says what is there. 0: at the beginning */
    bool has_queues;                /* also that tokens in queues are known */
    bool (*goes_on)(void *context); /* asked after some thousand events; or NULL */
    void *context;
};

/* Tells it to a sink, in order. false: it is damaged, which is in `diags`, or was not wanted any
 * more. */
bool traces_event_file_read(struct traces_chunks *file,
                            const struct traces_event_read *read,
                            struct traces_event_sink sink, struct lib_diags *diags);

/* --- reading with stops -------------------------------------------------------------------- */

/* A place between two events of a file. All 0: before the first one. */
struct traces_event_place {
    size_t chunk;
    size_t event; /* so many events of that chunk come before the place */
};

/* Reads a file of events from its start, and goes back to places. To go to a place one block is
 * decoded. */
struct traces_event_reader;

/* `file` and `graph` are borrowed. */
struct traces_event_reader *
traces_event_reader_new(struct traces_chunks *file, const struct isa_graph *graph,
                        const struct traces_event_bounds *bounds);
void traces_event_reader_free(struct traces_event_reader *reader); /* NULL is allowed */

/* Returns the next events, which are borrowed until the next call, and sets `count`: 0 at the end
 * of the file. Returns NULL and adds a diagnostic if the file is damaged. */
const struct traces_event *traces_event_reader_next(struct traces_event_reader *reader,
                                                    size_t *count,
                                                    struct lib_diags *diags);

/* Takes back the last `count` of the events that traces_event_reader_next returned: they come
 * next. */
void traces_event_reader_unread(struct traces_event_reader *reader, size_t count);

/* Where the reader stands: before the event that comes next. */
struct traces_event_place
traces_event_reader_place(const struct traces_event_reader *reader);

/* Goes to a place of the same file. Returns false and adds a diagnostic if the file is damaged
 * there. */
bool traces_event_reader_go_to(struct traces_event_reader *reader,
                               struct traces_event_place place, struct lib_diags *diags);

#endif
