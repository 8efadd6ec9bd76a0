/* What the formats share: the exporter, from which each takes events and to whose file it
 * writes. */
#ifndef TRACES_EXPORTS_EXPORTS_INTERNAL_H
#define TRACES_EXPORTS_EXPORTS_INTERNAL_H

#include "lib/atomic_file.h"
#include "traces/exports/exporter.h"
#include "traces/exports/scene.h"

/* Something that will happen: a firing forms what it sends, a worker is free. */
struct export_due {
    uint64_t cycle, order;
    uint64_t value; /* the format's */
    uint32_t place, kind;
};

struct traces_exporter;

/* A format. Its functions are called in the order of events. A cycle is over when `advance` is
 * called: exporter->now is still it. */
struct export_writer {
    struct traces_exporter_format format;
    enum { EXPORT_TEXT, EXPORT_FILE_BY_OTHERS, EXPORT_FOLDER_BY_OTHERS } writes;
    /* false: it cannot be written, which is in exporter->diags. */
    bool (*start)(struct traces_exporter *exporter);
    void (*take)(struct traces_exporter *exporter, const struct traces_event *event);
    /* An event that the filter leaves out: what was begun for its tokens ends here. NULL: nothing
     * does. */
    void (*leave_out)(struct traces_exporter *exporter, const struct traces_event *event);
    void (*due)(struct traces_exporter *exporter, const struct export_due *due);
    void (*advance)(struct traces_exporter *exporter);
    /* All has come. false as above. */
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
    struct lib_text
        text; /* what is to be written; it is put into the file when it is much */
    struct export_scene scene;
    uint64_t now;    /* cycle */
    uint64_t events; /* written so far */
    struct traces_filter filter;
    bool has_filter;
    LIB_VEC(struct export_due) dues; /* a heap */
    uint64_t dues_made;
    bool has_failed; /* it cannot be written: why is told at the end */
    void *own;       /* of the format */
};

/* `due` will be called at a cycle: before its events, in the order in which it was asked for. */
void export_when(struct traces_exporter *exporter, uint64_t cycle, uint32_t kind,
                 uint32_t place, uint64_t value);

/* Whether so many bytes, and another file, fit on the disk of `path`. */
bool export_has_room(const char *path, uint64_t bytes);

/* "fib: add.int @3:15": function, opcode, line and column. */
void export_add_node(const struct isa_graph *graph, uint32_t node, struct lib_text *text);

/* "fib"; of the top level "result". */
void export_add_function(const struct isa_graph *graph, uint32_t function,
                         struct lib_text *text);

/* "PE 3", "worker 3". */
void export_add_place(const struct traces_exporter *exporter, uint32_t place,
                      struct lib_text *text);

static inline bool export_is_firing(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_FIRED || event->kind == TRACES_EVENT_DEAD;
}

/* --- lanes -------------------------------------------------------------------------------- */

/* Viewers draw one thing at a time on a line. What overlaps stands on several: the lowest free one.
 * Start with {0}. */
struct export_lanes {
    LIB_VEC(uint32_t) free; /* a heap */
    uint32_t count;
};

uint32_t export_lane_take(struct export_lanes *lanes);
void export_lane_give(struct export_lanes *lanes, uint32_t lane);
void export_lanes_free(struct export_lanes *lanes);

#endif
