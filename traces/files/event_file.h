/* Event files: a stream (traces/events.h) as blocks in a file of chunks (traces/files/chunks.h).
 * Chunks with the program and the machine come first, which this module does not know
 * (sim/replay/recording.h). They are followed by
 *
 *   EVTS  a block of events (traces/files/event_block.h), of the cycles `from` to `to`, inclusive
 *   LIVE  a block with the state at its place, without tokens in queues, as events at the beginning
 *         of a stream: a reader may begin here. `from` is the cycle of the next event, `to` that of
 *         the last one before. LIVE chunks are so rare that they are a small part of the file
 *   TAIL  the number of events, as 8 bytes: a file with this chunk has the whole stream
 *
 * The writer encodes and compresses in a thread of its own. The bytes depend only on the events. */
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

/* Makes a writer that adds to a file, which is borrowed. Nothing else may use the file until the
 * writer is ended. */
struct traces_event_writer *traces_event_writer_new(struct traces_chunks_writer *file,
                                                    const struct isa_graph *graph);

/* Returns the sink of a writer, for a stream of any level. */
struct traces_event_sink traces_event_writer_sink(struct traces_event_writer *writer,
                                                  enum traces_level level);

/* Writes all events that are left, with the chunk TAIL if `is_whole`. Frees the writer. */
void traces_event_writer_end(struct traces_event_writer *writer, bool is_whole);

/* --- reading ------------------------------------------------------------------------------- */

/* Request to read the stream of a file. */
struct traces_event_read {
    const struct isa_graph *graph;
    struct traces_event_bounds bounds;
    /* First cycle that is needed. Reading begins with the state at a LIVE chunk before it, or with
     * the first event. */
    uint64_t from;
    bool has_queues; /* tokens in queues must be known: no LIVE will do */
    bool (*goes_on)(
        void *context); /* called after some thousand events; false stops; or NULL */
    void *context;
};

/* Passes the stream to a sink, in order. Returns false if the file is damaged, with a diagnostic,
 * or if goes_on returned false. */
bool traces_event_file_read(struct traces_chunks *file,
                            const struct traces_event_read *read,
                            struct traces_event_sink sink, struct lib_diags *diags);

/* --- reading with stops -------------------------------------------------------------------- */

/* A place between two events of a file. {0} is before the first one. */
struct traces_event_place {
    size_t chunk;
    size_t event; /* number of events of that chunk before the place */
};

/* Reader of an event file, from its start, which can return to places. To go to a place it decodes
 * one block. */
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

/* Puts back the last `count` events that traces_event_reader_next returned; it returns them
 * again. */
void traces_event_reader_unread(struct traces_event_reader *reader, size_t count);

/* Returns the place before the next event. */
struct traces_event_place
traces_event_reader_place(const struct traces_event_reader *reader);

/* Goes to a place of the same file. Returns false and adds a diagnostic if the file is damaged
 * there. */
bool traces_event_reader_go_to(struct traces_event_reader *reader,
                               struct traces_event_place place, struct lib_diags *diags);

#endif
