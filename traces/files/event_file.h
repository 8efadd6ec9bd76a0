/* Event files: a stream (traces/events.h) as blocks in a file of chunks (traces/files/chunks.h).
 * Chunks with the program and the machine come first, which this module does not know
 * (sim/replay/recording.h). They are followed by
 *
 *   EVTS  a block of events (traces/files/event_block.h), of the cycles `from` to `to`, inclusive
 *   LIVE  a block with the state at this point, except tokens in queues, as events at the beginning
 *         of a stream: a reader may begin here. A large state is several chunks. `from` is the
 *         cycle of the next event, `to` that of the last one before
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

/* Makes a writer that adds events to `file`, which is borrowed and may not be used otherwise until
 * the writer ends. */
struct traces_event_writer *traces_event_writer_new(struct traces_chunks_writer *file,
                                                    const struct isa_graph *graph);

struct traces_event_sink traces_event_writer_sink(struct traces_event_writer *writer,
                                                  enum traces_level level);

/* Writes the remaining events, and if `is_whole` the chunk TAIL, which marks a complete stream.
 * Frees the writer. */
void traces_event_writer_end(struct traces_event_writer *writer, bool is_whole);

/* --- reading ------------------------------------------------------------------------------- */

struct traces_event_read {
    const struct isa_graph *graph;
    struct traces_event_bounds bounds;
    /* First cycle needed. Reading begins at the last saved state (chunk LIVE) before it, or with
     * the first event. */
    uint64_t from;
    /* Tokens in queues are needed. Saved states (chunks LIVE) lack them, so reading begins with the
     * first event. */
    bool has_queues;
    /* Called each time the sink has got some events; NULL: not called. Reading stops if it returns
     * false. */
    bool (*goes_on)(void *context);
    void *context;
};

/* Passes the events of a file to a sink, in order. Returns false if read->goes_on returned false,
 * or, with a diagnostic, if the file is damaged. */
bool traces_event_file_read(struct traces_chunks *file,
                            const struct traces_event_read *read,
                            struct traces_event_sink sink, struct lib_diags *diags);

/* --- reading with stops -------------------------------------------------------------------- */

/* Position between two events of a file. {0} is before the first event. */
struct traces_event_place {
    size_t chunk;
    size_t event; /* number of events of the chunk that precede the position */
};

/* Reader of an event file that can return to earlier positions. It takes the time to decode one
 * block at most. */
struct traces_event_reader;

struct traces_event_reader *
traces_event_reader_new(struct traces_chunks *file, const struct isa_graph *graph,
                        const struct traces_event_bounds *bounds);
/* `reader` may be NULL */
void traces_event_reader_free(struct traces_event_reader *reader);

/* Returns the next events, borrowed until the next call, and sets *count to their number, 0 at the
 * end of the file. Returns NULL and adds a diagnostic if the file is damaged. */
const struct traces_event *traces_event_reader_next(struct traces_event_reader *reader,
                                                    size_t *count,
                                                    struct lib_diags *diags);

/* Puts back the last `count` events, to be returned again by traces_event_reader_next. */
void traces_event_reader_unread(struct traces_event_reader *reader, size_t count);

/* Returns the position of the reader: before the next event. */
struct traces_event_place
traces_event_reader_place(const struct traces_event_reader *reader);

/* Moves the reader to a position in its file. Returns false and adds a diagnostic if the file is
 * damaged there. */
bool traces_event_reader_go_to(struct traces_event_reader *reader,
                               struct traces_event_place place, struct lib_diags *diags);

#endif
