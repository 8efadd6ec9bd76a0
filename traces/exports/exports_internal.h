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
    /* Called for an event that the filter rejects, so that the format can end what it began for the
     * tokens of the event; may be NULL. */
    void (*leave_out)(struct traces_exporter *exporter, const struct traces_event *event);
    void (*due)(struct traces_exporter *exporter, const struct export_due *due);
    void (*advance)(struct traces_exporter *exporter);
    /* Called after the last event. Fails like `start`. */
    bool (*finish)(struct traces_exporter *exporter);
    void (*free)(struct traces_exporter *exporter);
};

extern const struct export_writer export_csv, export_sqlite, export_perfetto,
    export_konata, export_paje, export_otf2, export_vcd, export_chakra, export_collapsed,
    export_speedscope;

struct traces_exporter {
    const struct traces_exporter_request *request;
    const struct export_writer *writer;
    struct lib_diags *diags;
    struct lib_atomic_file file;
    struct lib_text text; /* output that is not in the file yet */
    struct export_scene scene;
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

/* --- lanes -------------------------------------------------------------------------------- */

/* Lanes, for viewers that draw one item at a time on a line: overlapping items go on several lanes,
 * each on the lowest free one. Start with {0}. */
struct export_lanes {
    LIB_VEC(uint32_t) free; /* free lanes, as a heap */
    uint32_t count;
};

uint32_t export_lane_take(struct export_lanes *lanes);
void export_lane_give(struct export_lanes *lanes, uint32_t lane);
void export_lanes_free(struct export_lanes *lanes);

#endif
