/* Declarations shared by export formats. The exporter passes events to the writer of a format and
 * owns its file. */
#ifndef TRACES_EXPORTS_EXPORTS_INTERNAL_H
#define TRACES_EXPORTS_EXPORTS_INTERNAL_H

#include "lib/atomic_file.h"
#include "traces/exports/exporter.h"
#include "traces/exports/scene.h"

/* Call that the writer of a format requested for a later cycle, for example when a firing ends. */
struct export_due {
    uint64_t cycle, order;
    uint64_t value; /* chosen by the writer for its own use */
    uint32_t place, kind;
};

struct traces_exporter;

/* Writer of an export format. Its functions are called in the order of events, `advance` at the end
 * of each cycle, while exporter->now is still that cycle. */
struct export_writer {
    struct traces_exporter_format format;
    enum { EXPORT_TEXT, EXPORT_FILE_BY_OTHERS, EXPORT_FOLDER_BY_OTHERS } writes;
    size_t
        own_size; /* bytes of exporter->own, the writer's state, which is zero at first */
    /* Starts the output. Returns false and adds a diagnostic to exporter->diags on failure. */
    bool (*start)(struct traces_exporter *exporter);
    void (*take)(struct traces_exporter *exporter, const struct traces_event *event);

    /* The next six members are for formats that draw a timeline, else 0. `take` then gets only
     * events other than firings and sent tokens. Parameter `line` is the index in timeline.lines
     * of the line on which a firing is drawn. */

    /* Adds a line to the timeline, with index `lane` in its group. Returns its identifier in the
     * file. */
    uint64_t (*add_line)(struct traces_exporter *exporter, uint32_t group, uint32_t lane);
    /* Begins to draw a firing. Returns any `value` for the call of `end` for this firing. */
    uint64_t (*begin)(struct traces_exporter *exporter, uint32_t line,
                      const struct traces_event *firing);
    /* Ends a firing on a line of the timeline; may be NULL. */
    void (*end)(struct traces_exporter *exporter, uint32_t line, uint64_t value);
    bool ends_last; /* `end` is called after all other calls of its cycle */
    /* Draws the token that was just sent, scene.just_sent. */
    void (*send)(struct traces_exporter *exporter, const struct traces_event *sent);
    /* Ends the arrow of a token that the firing on a line consumes; may be NULL. */
    void (*receive)(struct traces_exporter *exporter, uint32_t line,
                    const struct export_token *token);

    /* Called for each event that the filter rejects, so that the writer can update its state and
     * end what it draws for tokens that the event consumes; may be NULL. */
    void (*leave_out)(struct traces_exporter *exporter, const struct traces_event *event);
    void (*due)(struct traces_exporter *exporter, const struct export_due *due);
    void (*advance)(struct traces_exporter *exporter);
    /* Ends the output after the last event. Returns false and adds a diagnostic on failure. */
    bool (*finish)(struct traces_exporter *exporter);
    /* Frees what exporter->own owns; may be NULL. Called even if `start` was not. */
    void (*free)(struct traces_exporter *exporter);
};

#define EXPORT(name, help) extern const struct export_writer export_##name;
TRACES_EXPORTS(EXPORT, EXPORT)
#undef EXPORT

struct export_line {
    uint32_t group, lane;
    uint64_t id; /* identifier of the line in the file, chosen by the format */
};

/* Timeline: lines of bars, for viewers that draw one bar at a time on a line. A group, such as a
 * PE, has as many lines as bars that overlap; each bar gets the lowest free line. */
struct export_timeline {
    struct export_group *groups; /* owned array of group_count groups */
    uint32_t group_count;
    LIB_VEC(struct export_line) lines;
    uint32_t last; /* index of the line with the latest firing */
};

struct traces_exporter {
    const struct traces_exporter_request *request;
    const struct export_writer *writer;
    struct lib_diags *diags;
    struct lib_atomic_file file;
    struct lib_text text; /* output not yet written to the file */
    struct export_scene scene;
    struct export_timeline timeline;
    uint64_t now;    /* current cycle of the stream */
    uint64_t events; /* number of events written so far */
    struct traces_filter filter;
    bool has_filter;
    LIB_VEC(struct export_due) dues; /* requested calls, a heap by cycle */
    uint64_t dues_made;
    bool has_failed; /* writing failed; traces_exporter_finish reports why */
    void *own;       /* owned; state of the format's writer */
};

/* Requests a call of the writer's `due` in a later cycle, before the events of that cycle. Calls
 * for the same cycle are made in the order of the requests. */
void export_when(struct traces_exporter *exporter, uint64_t cycle, uint32_t kind,
                 uint32_t place, uint64_t value);

/* Kinds of requested calls (export_due.kind). EXPORT_ENDS and EXPORT_ENDS_LAST end the bar of a
 * firing on line `place` of the timeline. Formats number their own kinds, which the writer's `due`
 * gets, from EXPORT_OTHER on. */
enum { EXPORT_ENDS, EXPORT_ENDS_LAST, EXPORT_OTHER };

/* Starts a timeline. Each of the first request->place_count groups has the firings of a PE or
 * worker. */
void export_timeline_start(struct traces_exporter *exporter, size_t group_count);
void export_timeline_free(struct export_timeline *timeline);

/* For formats that draw a timeline: the first is called instead of the writer's `take`, the second
 * instead of its `due` when the bar of a firing ends. */
void export_timeline_take(struct traces_exporter *exporter,
                          const struct traces_event *event);
void export_timeline_due(struct traces_exporter *exporter, const struct export_due *due);

/* Manage the lines of a group of the timeline, as indexes in timeline.lines: `take` returns the
 * lowest free line, or if none is free a new one; `give` frees it; `add` makes a line that `take`
 * never returns. */
uint32_t export_line_take(struct traces_exporter *exporter, uint32_t group);
uint32_t export_line_add(struct traces_exporter *exporter, uint32_t group, uint32_t lane);
void export_line_give(struct traces_exporter *exporter, uint32_t line);

/* Whether the disk has room for `bytes` bytes at `path` and for another file. */
bool export_has_room(const char *path, uint64_t bytes);

/* Adds the description of an instruction: "fib: add.int @3:15". */
void export_add_node(const struct isa_graph *graph, uint32_t node, struct lib_text *text);

/* Adds the name of a function: "fib"; "result" for the top level. */
void export_add_function(const struct isa_graph *graph, uint32_t function,
                         struct lib_text *text);

/* Adds the name of a PE or worker: "PE 3", "worker 3". */
void export_add_place(const struct traces_exporter *exporter, uint32_t place,
                      struct lib_text *text);

static inline bool export_is_firing(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_FIRED || event->kind == TRACES_EVENT_DEAD;
}

#endif
