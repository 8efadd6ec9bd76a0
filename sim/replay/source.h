/* A source of events: a recording, from which they are made again, or a file of events. Whoever
 * reads it does not see which; an analysis that looks backwards asks for an interval once
 * more. */
#ifndef SIM_REPLAY_SOURCE_H
#define SIM_REPLAY_SOURCE_H

#include "sim/replay/recording.h"
#include "traces/files/event_file.h"

/* The part of a run that is wanted: the events of the cycles `from` to `to` - 1. */
struct sim_source_window {
    uint64_t from, to; /* UINT64_MAX: up to the end */
};

struct sim_source {
    struct sim_recording recording; /* what ran; of a recording all of it */
    enum traces_level
        level; /* the greatest level that it has; see also recording.run.events */
};

/* Whether the file at `path` starts like one that can be opened. */
bool sim_source_is(const char *path);

/* Opens a recording or a file of events, told apart by content. false: it is neither, or damaged,
 * which is in `diags`. Give back with sim_source_close in either case. */
bool sim_source_open(struct sim_source *source, const char *path,
                     struct lib_diags *diags);
void sim_source_close(struct sim_source *source);

/* Tells the events of a window to sinks, in order. First come PRESENT and ARRAY_PRESENT, what is
 * alive at `from`; END comes last: interrupted, if the run goes on behind the window. Sinks of a
 * level that the source does not have get what it has. What looks on (`watch`, may be NULL) gets
 * no simulation where none runs. May be called any number of times. false: it could not, which is
 * in `diags`, or `watch` did not want more. */
bool sim_source_read(struct sim_source *source, struct sim_source_window window,
                     const struct traces_event_sink *sinks, size_t sink_count,
                     const struct sim_watch *watch, struct lib_diags *diags);

/* Reads a file of events bit by bit, and goes back to where it was. Nothing is told twice: what
 * is alive at a place is known to who was there. */
struct sim_source_cursor;

/* `source` is a file of events, and is borrowed; so is `watch`, which may be NULL. */
struct sim_source_cursor *sim_source_cursor_new(struct sim_source *source,
                                                const struct sim_watch *watch);
void sim_source_cursor_free(struct sim_source_cursor *cursor); /* NULL is allowed */

/* Tells at least so many more events, and those up to the end of their cycle, to a sink that
 * takes all that there are; END comes last, also of a file that was not finished. Returns false
 * if the file is damaged, which is in `diags`, or if `watch` did not want more. */
bool sim_source_cursor_go_on(struct sim_source_cursor *cursor, uint64_t events,
                             struct traces_event_sink sink, struct lib_diags *diags);

struct traces_event_place sim_source_cursor_place(const struct sim_source_cursor *cursor);
bool sim_source_cursor_go_to(struct sim_source_cursor *cursor,
                             struct traces_event_place place, struct lib_diags *diags);

/* The cycle at which its events end; 0: that is not known. */
uint64_t sim_source_end(const struct sim_source *source);

/* The graph to which its events refer; borrowed. */
static inline const struct isa_graph *sim_source_graph(const struct sim_source *source)
{
    return source->recording.session.program.graph;
}

#endif
