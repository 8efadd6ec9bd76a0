/* Declarations shared by the export formats: the exporter passes events to a format and owns its
 * file. */
#ifndef TRACES_EXPORTS_EXPORTS_INTERNAL_H
#define TRACES_EXPORTS_EXPORTS_INTERNAL_H

#include "lib/atomic_file.h"
#include "traces/exports/exporter.h"
#include "traces/exports/scene.h"

/* A call that a format has requested for a later cycle, for example when a firing ends. */
struct export_due {
    uint64_t cycle, order;
    uint64_t value; /* any number that the format needs */
    uint32_t place, kind;
};

struct traces_exporter;

/* An export format. Its functions are called in the order of events; `advance` at the end of each
 * cycle, while exporter->now is still that cycle. */
struct export_writer {
    struct traces_exporter_format format;
    enum { EXPORT_TEXT, EXPORT_FILE_BY_OTHERS, EXPORT_FOLDER_BY_OTHERS } writes;
    /* Returns false and adds a diagnostic to exporter->diags on failure. */
    bool (*start)(struct traces_exporter *exporter);
    void (*take)(struct traces_exporter *exporter, const struct traces_event *event);

    /* Formats that draw a timeline have these; `take` gets what is neither firing nor token sent.
     * Makes line timeline.lines.count, and returns its id: */
    uint64_t (*add_line)(struct traces_exporter *exporter, uint32_t group, uint32_t lane);
    /* Begins a firing on a line; returns what `end` gets as `value`. */
    uint64_t (*begin)(struct traces_exporter *exporter, uint32_t line,
                      const struct traces_event *firing);
    void (*end)(struct traces_exporter *exporter, uint32_t line, uint64_t value);
    bool ends_last; /* `end` is called after all else of its cycle */
    void (*send)(struct traces_exporter *exporter, const struct traces_event *sent);
    /* Called for a drawn token that the firing on a line takes. */
    void (*receive)(struct traces_exporter *exporter, uint32_t line,
                    const struct export_token *token);

    /* Called for an event that the filter rejects, so that the format can end what it began for the
     * tokens of the event; may be NULL. */
    void (*leave_out)(struct traces_exporter *exporter, const struct traces_event *event);
    void (*due)(struct traces_exporter *exporter, const struct export_due *due);
    void (*advance)(struct traces_exporter *exporter);
    /* Called after the last event. Fails like `start`. */
    bool (*finish)(struct traces_exporter *exporter);
    void (*free)(struct traces_exporter *exporter);
};

#define EXPORT(name, help) extern const struct export_writer export_##name;
TRACES_EXPORTS(EXPORT, EXPORT)
#undef EXPORT

struct export_line {
    uint32_t group, lane;
    uint64_t id; /* of the format */
};

/* A timeline: slices on lines, for viewers that draw one slice at a time on a line. Slices of a
 * group that overlap are on several lines; each gets the lowest free one. */
struct export_timeline {
    struct export_group *groups;
    uint32_t group_count;
    LIB_VEC(struct export_line) lines;
    uint32_t last; /* line of the last firing */
};

struct traces_exporter {
    const struct traces_exporter_request *request;
    const struct export_writer *writer;
    struct lib_diags *diags;
    struct lib_atomic_file file;
    struct lib_text text; /* output that is not in the file yet */
    struct export_scene scene;
    struct export_timeline timeline;
    uint64_t now;    /* current cycle of the stream */
    uint64_t events; /* events written so far */
    struct traces_filter filter;
    bool has_filter;
    LIB_VEC(struct export_due) dues; /* pending calls, as a heap */
    uint64_t dues_made;
    bool has_failed; /* writing failed; the reason is reported at the end */
    void *own;       /* state that belongs to the format */
};

/* Requests a call of `due` in a cycle, before the events of that cycle. Calls in the same cycle are
 * made in the order of the requests. */
void export_when(struct traces_exporter *exporter, uint64_t cycle, uint32_t kind,
                 uint32_t place, uint64_t value);

/* Kinds of calls that end slices, whose place is a line, and others. */
enum { EXPORT_ENDS, EXPORT_ENDS_LAST, EXPORT_OTHER };

/* Starts a timeline; the first groups are the firings of each place. */
void export_timeline_start(struct traces_exporter *exporter, size_t group_count);
void export_timeline_free(struct export_timeline *timeline);

/* Functions that the exporter calls in place of `take`, and of `due` for ends of slices. */
void export_timeline_take(struct traces_exporter *exporter,
                          const struct traces_event *event);
void export_timeline_due(struct traces_exporter *exporter, const struct export_due *due);

/* Takes the lowest free line of a group; `add` makes a line that is always taken. Return the
 * line. */
uint32_t export_line_take(struct traces_exporter *exporter, uint32_t group);
uint32_t export_line_add(struct traces_exporter *exporter, uint32_t group, uint32_t lane);
void export_line_give(struct traces_exporter *exporter, uint32_t line);

/* Whether the disk has room for `bytes` bytes at `path` and for another file. */
bool export_has_room(const char *path, uint64_t bytes);

/* Adds the description of an instruction: "fib: add.int @3:15". */
void export_add_node(const struct isa_graph *graph, uint32_t node, struct lib_text *text);

/* Adds the name of a function: "fib"; that of the top level is "result". */
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
