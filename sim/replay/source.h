/* A source of events: a recording, whose run is simulated again, or a file of events. Readers see
 * no difference. An analysis that looks backwards reads an interval once more. */
#ifndef SIM_REPLAY_SOURCE_H
#define SIM_REPLAY_SOURCE_H

#include "sim/replay/recording.h"
#include "traces/files/event_file.h"

/* A part of a run: the events of the cycles `from` to `to` - 1. */
struct sim_source_window {
    uint64_t from, to; /* UINT64_MAX: up to the end */
};

struct sim_source {
    struct sim_recording recording; /* what ran; all of a recording */
    bool has_values; /* set by a reader: events have values of tokens, of a recording */
    enum traces_level level; /* greatest level of its events; see recording.run.events */
};

/* Whether the file at `path` starts like a recording or a file of events. */
bool sim_source_is(const char *path);

/* Opens a recording or a file of events, which its content tells apart. Returns false and adds a
 * diagnostic if it is neither or is damaged. Free with sim_source_close in either case. */
bool sim_source_open(struct sim_source *source, const char *path,
                     struct lib_diags *diags);
void sim_source_close(struct sim_source *source);

/* Sends the events of a window to sinks, in order. PRESENT and ARRAY_PRESENT, the state at `from`,
 * come first. END comes last: interrupted, if the run continues after the window. A sink of a level
 * above that of the source gets what exists. `watch` may be NULL; it gets no simulation while a
 * file is read. May be called any number of times. Returns false on an error, with a diagnostic, or
 * if `watch` stops it. */
bool sim_source_read(struct sim_source *source, struct sim_source_window window,
                     const struct traces_event_sink *sinks, size_t sink_count,
                     const struct sim_watch *watch, struct lib_diags *diags);

/* A cursor in a file of events, for reading it piecewise and returning to places. It does not
 * repeat the state at a place: a reader that returns there knows it. */
struct sim_source_cursor;

/* Returns a cursor at the start of a file of events. Borrows both; `watch` may be NULL. */
struct sim_source_cursor *sim_source_cursor_new(struct sim_source *source,
                                                const struct sim_watch *watch);
void sim_source_cursor_free(struct sim_source_cursor *cursor); /* NULL is allowed */

/* Sends at least `events` further events, and the rest of the cycle of the last, to a sink of the
 * greatest level. END comes last, also from an unfinished file. Returns false if the file is
 * damaged, with a diagnostic, or if `watch` stops it. */
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
