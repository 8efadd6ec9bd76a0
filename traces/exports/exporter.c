#include "traces/exports/exports_internal.h"

#include "lib/heap.h"

#include <string.h>
#include <sys/statvfs.h>

/* Bytes of text that are collected before writing to the file. */
enum { MUCH = 1 << 16 };

#define EXPORT(name, help) &export_##name,
static const struct export_writer *const writers[] = {TRACES_EXPORTS(EXPORT, EXPORT)};
#undef EXPORT

enum { WRITERS = sizeof writers / sizeof writers[0] };

const struct traces_exporter_format *traces_exporter_find(const char *name)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (strcmp(writers[i]->format.name, name) == 0)
            return &writers[i]->format;
    return NULL;
}

static const struct export_writer *writer_of(const struct traces_exporter_format *format)
{
    size_t i = 0;
    while (&writers[i]->format != format)
        i++;
    return writers[i];
}

static bool is_sooner(const struct export_due *a, const struct export_due *b)
{
    return a->cycle < b->cycle || (a->cycle == b->cycle && a->order < b->order);
}

void export_when(struct traces_exporter *x, uint64_t cycle, uint32_t kind, uint32_t place,
                 uint64_t value)
{
    const struct export_due due = {cycle, x->dues_made++, value, place, kind};
    LIB_HEAP_PUT(&x->dues, &due, is_sooner);
}

static void end_cycle(struct traces_exporter *x)
{
    if (x->writer->advance)
        x->writer->advance(x);
    memset(x->scene.changed, 0, sizeof x->scene.changed);
}

static void advance_time(struct traces_exporter *x, uint64_t cycle)
{
    if (cycle <= x->now)
        return;
    end_cycle(x);
    x->now = cycle;
}

/* Makes all calls that are due before the events of a cycle. */
static void advance_to(struct traces_exporter *x, uint64_t cycle)
{
    while (x->dues.count > 0 && x->dues.items[0].cycle <= cycle) {
        struct export_due due;
        LIB_HEAP_TAKE(&x->dues, &due, is_sooner);
        advance_time(x, due.cycle);
        const bool is_end = x->writer->begin && due.kind < EXPORT_OTHER;
        (is_end ? export_timeline_due : x->writer->due)(x, &due);
    }
    advance_time(x, cycle);
}

static void put_text(struct traces_exporter *x)
{
    if (x->text.length > 0)
        lib_atomic_file_put(&x->file, x->text.bytes, x->text.length);
    lib_text_clear(&x->text);
    x->has_failed |= x->file.error != 0;
}

/* Updates the scene even by events that are not written, so that counters and senders are right. */
static void take_one(struct traces_exporter *x, const struct traces_event *e)
{
    const bool is_gone = e->kind == TRACES_EVENT_GONE;
    const bool passes = !x->has_filter || traces_filter_asks_for(&x->filter, e);
    if (e->kind != TRACES_EVENT_END)
        advance_to(x, e->cycle);
    export_scene_next(&x->scene);
    if (!is_gone)
        export_scene_note(&x->scene, e, passes);
    if (passes) {
        (x->writer->begin ? export_timeline_take : x->writer->take)(x, e);
        x->events++;
    } else if (x->writer->leave_out) {
        x->writer->leave_out(x, e);
    }
    if (is_gone)
        export_scene_note(&x->scene, e, passes);
}

static void exporter_take(void *context, const struct traces_event *events, size_t count)
{
    struct traces_exporter *x = context;
    for (size_t i = 0; i < count && !x->has_failed; i++) {
        take_one(x, &events[i]);
        if (x->text.length > MUCH)
            put_text(x);
    }
}

struct traces_event_sink traces_exporter_sink(struct traces_exporter *x)
{
    return (struct traces_event_sink){x->request->level, exporter_take, x};
}

static void free_exporter(struct traces_exporter *x)
{
    if (x->writer->free)
        x->writer->free(x);
    export_timeline_free(&x->timeline);
    export_scene_free(&x->scene);
    traces_filter_free(&x->filter);
    lib_text_free(&x->text);
    LIB_VEC_FREE(&x->dues);
    LIB_MEM_FREE(x->own, x);
}

struct traces_exporter *
traces_exporter_open(const struct traces_exporter_request *request,
                     struct lib_diags *diags)
{
    if (request->format->missing) {
        lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", request->format->missing);
        return NULL;
    }
    struct traces_exporter *x = lib_mem_new(sizeof *x);
    x->request = request;
    x->writer = writer_of(request->format);
    x->own = lib_mem_new(x->writer->own_size);
    x->diags = diags;
    x->now = request->from;
    export_scene_start(&x->scene, request);
    const bool by_others = x->writer->writes != EXPORT_TEXT;
    x->has_filter = traces_filter_is_any(&request->filter);
    bool good = traces_filter_start(&x->filter, request->graph, &request->filter,
                                    (struct traces_event_sink){0}, diags);
    if (good)
        good = by_others
                   ? lib_atomic_file_name(&x->file, request->path,
                                          x->writer->writes == EXPORT_FOLDER_BY_OTHERS,
                                          diags)
                   : lib_atomic_file_open(&x->file, request->path, diags);
    good = good && x->writer->start(x);
    if (good)
        return x;
    lib_atomic_file_abandon(&x->file);
    free_exporter(x);
    return NULL;
}

bool traces_exporter_has_failed(const struct traces_exporter *x)
{
    return x->has_failed;
}

bool traces_exporter_finish(struct traces_exporter *x,
                            struct traces_exporter_counts *counts)
{
    while (x->dues.count > 0)
        advance_to(x, x->dues.items[0].cycle);
    end_cycle(x);
    bool good = !x->writer->finish || x->writer->finish(x);
    put_text(x);
    *counts = (struct traces_exporter_counts){x->events, x->scene.firings,
                                              x->scene.drawable, x->scene.arrows};
    if (good)
        good = lib_atomic_file_finish(&x->file, x->diags);
    else
        lib_atomic_file_abandon(&x->file);
    free_exporter(x);
    return good;
}

void traces_exporter_abandon(struct traces_exporter *x)
{
    lib_atomic_file_abandon(&x->file);
    free_exporter(x);
}

bool export_has_room(const char *path, uint64_t bytes)
{
    struct statvfs disk;
    if (statvfs(path, &disk) != 0)
        return true;
    return (uint64_t)disk.f_bavail * disk.f_frsize >= bytes &&
           (disk.f_files == 0 || disk.f_favail > 0);
}

void export_add_function(const struct isa_graph *graph, uint32_t number,
                         struct lib_text *text)
{
    lib_text_puts(text, graph->functions[number].name);
}

void export_add_node(const struct isa_graph *graph, uint32_t number,
                     struct lib_text *text)
{
    const struct isa_node *node = &graph->nodes[number];
    export_add_function(graph, node->function, text);
    lib_text_puts(text, ": ");
    isa_node_write_opcode(node, text);
    if (node->pos.line)
        lib_text_printf(text, " @%u:%u", node->pos.line, node->pos.column);
}

void export_add_place(const struct traces_exporter *x, uint32_t place,
                      struct lib_text *text)
{
    lib_text_printf(text, "%s %u", x->request->has_workers ? "worker" : "PE", place);
}
