/* A source of the events of a run: an event file, or a recording, whose run is then simulated
 * again. Readers see no difference. Any interval can be read repeatedly. */
#ifndef SIM_REPLAY_SOURCE_H
#define SIM_REPLAY_SOURCE_H

#include "sim/replay/recording.h"
#include "traces/files/event_file.h"

/* An interval of a run: cycles `from` to `to` - 1. */
struct sim_source_window {
    uint64_t from, to;
};

struct sim_source {
    struct sim_recording recording; /* the recording, or the header of the event file */
    /* Set by a reader of a recording to get events with the values of tokens. */
    bool has_values;
    /* Most detailed level of the events; see recording.run.events. */
    enum traces_level level;
};

/* Whether the file at `path` begins like a recording or an event file. */
bool sim_source_is(const char *path);

/* Opens a recording or an event file. Returns false and adds a diagnostic if the file is neither or
 * is damaged. In either case free with sim_source_close. */
bool sim_source_open(struct sim_source *source, const char *path,
                     struct lib_diags *diags);
void sim_source_close(struct sim_source *source);

/* Sends the events of an interval to sinks, in order. First come PRESENT and ARRAY_PRESENT, which
 * describe the tokens and arrays at `from`; last comes END, as interrupted if the run continues. A
 * sink of a more detailed level than the source gets what exists. `watch` may be NULL; while a file
 * is read, its `simulation` is NULL. Returns false and adds a diagnostic on errors; returns false
 * if `watch` stops it. */
bool sim_source_read(struct sim_source *source, struct sim_source_window window,
                     const struct traces_event_sink *sinks, size_t sink_count,
                     const struct sim_watch *watch, struct lib_diags *diags);

/* A position in an event file, for reading it piece by piece and returning to earlier positions.
 * Returning does not send the state at that position (PRESENT) again: the reader must have kept
 * it. */
struct sim_source_cursor;

/* Returns a cursor at the start of an event file. Borrows `source` and `watch`, which may be
 * NULL. */
struct sim_source_cursor *sim_source_cursor_new(struct sim_source *source,
                                                const struct sim_watch *watch);
void sim_source_cursor_free(struct sim_source_cursor *cursor); /* NULL is allowed */

/* Sends at least `events` further events to a sink of the most detailed level, up to the end of a
 * cycle. END comes last, even if the file is unfinished. Returns false and adds a diagnostic if the
 * file is damaged; returns false if `watch` stops it. */
bool sim_source_cursor_advance(struct sim_source_cursor *cursor, uint64_t events,
                               struct traces_event_sink sink, struct lib_diags *diags);

struct traces_event_place sim_source_cursor_place(const struct sim_source_cursor *cursor);
bool sim_source_cursor_seek(struct sim_source_cursor *cursor,
                            struct traces_event_place place, struct lib_diags *diags);

/* Returns the cycle at which the events end, or 0 if it is unknown. */
uint64_t sim_source_end(const struct sim_source *source);

/* Returns the graph to which the events refer; borrowed. */
static inline const struct isa_graph *sim_source_graph(const struct sim_source *source)
{
    return source->recording.session.program.graph;
}

#endif
