/* An archive of the Open Trace Format 2, a folder, written by its library.
 *
 *     location group   a PE
 *     location         a line of a PE: firings that overlap are on different lines
 *     region           a node
 *     message          a token from one PE to another, from when it is formed until it is first
 *                      taken; its tag is the number of the token
 *     metric           a counter, at the first location
 *     tick             a cycle; 10^9 per second
 *
 * Messages have a location of their own on each PE: a send names the location that receives, and
 * the line where the token will be consumed is not yet known then. An executor has no messages, as
 * any worker takes a token. */
#include "traces/exports/exports_internal.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <stddef.h>
#include <string.h>

/* Buffer that the library keeps for each location. */
enum { MAX_LOCATIONS = 1024, BUFFER = 1 << 18 };

/* Free bytes that a write of the library needs; it gathers up to 4 MiB per file. */
enum { ROOM = 5 << 20 };

/* Lane of a PE's line of messages. */
#define MESSAGES UINT32_MAX

struct records {
    uint64_t count;
    OTF2_EvtWriter *writer; /* the archive's */
};

struct otf2 {
    OTF2_Archive *archive;
    LIB_VEC(struct records) records; /* of each line; the first is the machine's */
    bool *is_used; /* regions: nodes, and nodes that passed a hiaton on */
    uint32_t strings;
    bool has_messages; /* those of PE i are line i + 1 */
    bool is_full;      /* all locations are in use */
    OTF2_ErrorCode error;
};

static OTF2_ErrorCode error_of_host(void)
{
    switch (errno) {
    case ENOSPC:
        return OTF2_ERROR_ENOSPC;
    case EFBIG:
        return OTF2_ERROR_EFBIG;
    case EDQUOT:
    case EIO:
        return OTF2_ERROR_EIO;
    default:
        return OTF2_SUCCESS;
    }
}

/* Calls the library unless it has failed: closing what could not be written would free memory twice
 * (3.0.2). It reports success if it closes a file that was cut short, so the host is asked too. */
#define DO(o, call)                                                                      \
    do {                                                                                 \
        if ((o)->error != OTF2_SUCCESS)                                                  \
            break;                                                                       \
        errno = 0;                                                                       \
        const OTF2_ErrorCode code_ = (call);                                             \
        if ((o)->error == OTF2_SUCCESS)                                                  \
            (o)->error = code_ == OTF2_SUCCESS ? error_of_host() : code_;                \
    } while (0)

/* Keeps the library's first error, to be reported when the export ends. */
static OTF2_ErrorCode keep_error(void *context, const char *file, uint64_t line,
                                 const char *function, OTF2_ErrorCode code,
                                 const char *format, va_list ap)
{
    struct otf2 *o = context;
    if (code > OTF2_SUCCESS && o->error == OTF2_SUCCESS)
        o->error = code;
    (void)file, (void)line, (void)function, (void)format, (void)ap;
    return code;
}

/* Allows a flush only if the disk has room: the library ends the process if it cannot write (3.0.2
 * frees memory twice). */
static OTF2_FlushType before_flush(void *context, OTF2_FileType type,
                                   OTF2_LocationRef location, void *caller, bool is_final)
{
    struct traces_exporter *x = context;
    struct otf2 *o = x->own;
    const char *path = x->file.aside.bytes; /* NULL: the archive is abandoned */
    (void)type, (void)location, (void)caller, (void)is_final;
    if (!path)
        return OTF2_NO_FLUSH;
    if (o->error == OTF2_SUCCESS && !export_has_room(path, ROOM))
        o->error = OTF2_ERROR_ENOSPC;
    return o->error == OTF2_SUCCESS ? OTF2_FLUSH : OTF2_NO_FLUSH;
}

static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = before_flush};

/* --- memory ------------------------------------------------------------------------- */

/* Memory of one of the library's buffers. */
struct chunk {
    struct chunk *next;
    max_align_t bytes[];
};

/* Allocates one chunk per location, flushed when full; the library's default is up to 128 MiB. */
static void *new_chunk(void *context, OTF2_FileType type, OTF2_LocationRef location,
                       void **buffer, uint64_t size)
{
    struct chunk *first = *buffer;
    (void)context, (void)location;
    if (first && type == OTF2_FILETYPE_EVENTS)
        return NULL;
    struct chunk *chunk = lib_mem_new(sizeof *chunk + size);
    chunk->next = first;
    *buffer = chunk;
    return chunk->bytes;
}

static void free_chunks(void *context, OTF2_FileType type, OTF2_LocationRef location,
                        void **buffer, bool is_final)
{
    (void)context, (void)type, (void)location, (void)is_final;
    for (struct chunk *chunk = *buffer, *next; chunk; chunk = next) {
        next = chunk->next;
        lib_mem_free(chunk);
    }
    *buffer = NULL;
}

static const OTF2_MemoryCallbacks memory = {new_chunk, free_chunks};

/* --- lines -------------------------------------------------------------------------- */

static uint64_t add_line(struct traces_exporter *x, uint32_t place, uint32_t lane)
{
    struct otf2 *o = x->own;
    const uint32_t number = (uint32_t)o->records.count;
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(o->archive, number);
    *LIB_VEC_PUSH(&o->records) = (struct records){0, writer};
    if (!writer)
        DO(o, OTF2_ERROR_MEM_ALLOC_FAILED);
    (void)place, (void)lane;
    return number;
}

static bool goes_on(struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    o->is_full = o->records.count > MAX_LOCATIONS;
    x->has_failed = o->error != OTF2_SUCCESS || o->is_full;
    return !x->has_failed;
}

static uint64_t enter(struct traces_exporter *x, uint32_t line,
                      const struct traces_event *e)
{
    struct otf2 *o = x->own;
    const bool is_dead = e->kind == TRACES_EVENT_DEAD;
    const uint32_t region = e->instr + (is_dead ? x->request->graph->node_count : 0);
    struct records *records = &o->records.items[line];
    o->is_used[region] = true;
    if (!goes_on(x))
        return region;
    DO(o, OTF2_EvtWriter_Enter(records->writer, NULL, e->cycle, region));
    records->count++;
    return region;
}

static void leave(struct traces_exporter *x, uint32_t line, uint64_t region)
{
    struct otf2 *o = x->own;
    struct records *records = &o->records.items[line];
    DO(o, OTF2_EvtWriter_Leave(records->writer, NULL, x->now, (uint32_t)region));
    records->count++;
}

/* --- messages -------------------------------------------------------------------------------- */

/* Packs both PEs of a message into the mark of its token, and schedules its record. */
static void note_message(struct traces_exporter *x, const struct traces_event *e)
{
    const struct otf2 *o = x->own;
    struct export_token *token = x->scene.just_sent;
    if (!o->has_messages || e->pe == e->to)
        return;
    token->mark = ((uint64_t)e->pe << 32 | e->to) + 1;
    export_when(x, e->a, EXPORT_OTHER, e->to,
                (uint64_t)e->pe << 32 | (uint32_t)token->number);
}

static void put_send(struct traces_exporter *x, const struct export_due *due)
{
    struct otf2 *o = x->own;
    struct records *records = &o->records.items[(due->value >> 32) + 1];
    DO(o, OTF2_EvtWriter_MpiSend(records->writer, NULL, x->now, due->place, 0,
                                 (uint32_t)due->value, 1));
    records->count++;
}

/* Writes the arrival of a message when its token is taken, even if that event is not written. */
static void write_arrival(struct traces_exporter *x, const struct traces_event *e)
{
    struct otf2 *o = x->own;
    const struct export_token *token = &x->scene.taken;
    if (!token->number || !token->mark || o->error != OTF2_SUCCESS)
        return;
    struct records *records = &o->records.items[(uint32_t)(token->mark - 1) + 1];
    DO(o, OTF2_EvtWriter_MpiRecv(records->writer, NULL, e->cycle,
                                 (uint32_t)((token->mark - 1) >> 32), 0,
                                 (uint32_t)token->number, 1));
    records->count++;
}

static void put_counters(struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    if (!memchr(x->scene.changed, true, sizeof x->scene.changed))
        return;
    OTF2_Type types[EXPORT_COUNTER_COUNT];
    OTF2_MetricValue values[EXPORT_COUNTER_COUNT];
    for (size_t i = 0; i < EXPORT_COUNTER_COUNT; i++) {
        types[i] = OTF2_TYPE_INT64;
        values[i].signed_int = x->scene.counts[i];
    }
    DO(o, OTF2_EvtWriter_Metric(o->records.items[0].writer, NULL, x->now, 0,
                                EXPORT_COUNTER_COUNT, types, values));
    o->records.items[0].count++;
}

/* --- definitions -------------------------------------------------------------------- */

static OTF2_StringRef put_string(struct otf2 *o, OTF2_GlobalDefWriter *d,
                                 const char *string)
{
    DO(o, OTF2_GlobalDefWriter_WriteString(d, o->strings, string));
    return o->strings++;
}

static void define_regions(const struct traces_exporter *x, OTF2_GlobalDefWriter *d)
{
    struct otf2 *o = x->own;
    const struct isa_graph *graph = x->request->graph;
    LIB_TEXT_OWN name = {0};
    const OTF2_StringRef nothing = put_string(o, d, "");
    const OTF2_StringRef file = put_string(o, d, graph->source ? graph->source : "");
    for (uint32_t i = 0; i < 2 * graph->node_count; i++) {
        const uint32_t node = i % graph->node_count;
        if (!o->is_used[i])
            continue;
        lib_text_clear(&name);
        export_add_node(graph, node, &name);
        lib_text_puts(&name, i == node ? "" : " (hiaton)");
        const OTF2_StringRef text = put_string(o, d, name.bytes);
        const uint32_t line = graph->nodes[node].pos.line;
        DO(o, OTF2_GlobalDefWriter_WriteRegion(
                  d, i, text, text, nothing, OTF2_REGION_ROLE_FUNCTION,
                  OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, file, line, line));
    }
}

static void define_locations(const struct traces_exporter *x, OTF2_GlobalDefWriter *d)
{
    struct otf2 *o = x->own;
    LIB_TEXT_OWN name = {0};
    const OTF2_StringRef machine = put_string(o, d, "machine");
    const uint32_t places = x->request->place_count;
    DO(o, OTF2_GlobalDefWriter_WriteSystemTreeNode(d, 0, machine, machine,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t i = 0; i <= places; i++) { /* the last is the machine's */
        lib_text_clear(&name);
        export_add_place(x, i, &name);
        DO(o, OTF2_GlobalDefWriter_WriteLocationGroup(
                  d, i, i < places ? put_string(o, d, name.bytes) : machine,
                  OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
    }
    for (uint32_t i = 0; i < o->records.count; i++) {
        const struct export_line *line = &x->timeline.lines.items[i];
        lib_text_clear(&name);
        if (line->lane == MESSAGES)
            lib_text_printf(&name, "%u tokens", line->group);
        else
            lib_text_printf(&name, "%u.%u", line->group, line->lane);
        DO(o, OTF2_GlobalDefWriter_WriteLocation(
                  d, i, i > 0 ? put_string(o, d, name.bytes) : machine,
                  OTF2_LOCATION_TYPE_CPU_THREAD, o->records.items[i].count, line->group));
    }
}

static void define_counters(const struct traces_exporter *x, OTF2_GlobalDefWriter *d)
{
    struct otf2 *o = x->own;
    OTF2_MetricMemberRef members[EXPORT_COUNTER_COUNT];
    const OTF2_StringRef unit = put_string(o, d, "#");
    for (uint32_t i = 0; i < EXPORT_COUNTER_COUNT; i++) {
        const OTF2_StringRef name = put_string(o, d, export_counter_names[i]);
        members[i] = i;
        DO(o, OTF2_GlobalDefWriter_WriteMetricMember(
                  d, i, name, name, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
                  OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, unit));
    }
    DO(o, OTF2_GlobalDefWriter_WriteMetricClass(d, 0, EXPORT_COUNTER_COUNT, members,
                                                OTF2_METRIC_ASYNCHRONOUS,
                                                OTF2_RECORDER_KIND_ABSTRACT));
}

/* Defines a rank for each PE, as any two can exchange messages. */
static void define_messages(const struct traces_exporter *x, OTF2_GlobalDefWriter *d)
{
    enum { LOCATIONS, ALL };
    struct otf2 *o = x->own;
    const uint32_t places = x->request->place_count;
    if (!o->has_messages)
        return;
    uint64_t *members = lib_mem_new(places * sizeof *members);
    const OTF2_StringRef name = put_string(o, d, "PEs"), nothing = put_string(o, d, "");
    for (uint32_t i = 0; i < places; i++)
        members[i] = i + 1;
    DO(o, OTF2_GlobalDefWriter_WriteGroup(
              d, LOCATIONS, nothing, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
              OTF2_GROUP_FLAG_NONE, places, members));
    for (uint32_t i = 0; i < places; i++)
        members[i] = i;
    DO(o, OTF2_GlobalDefWriter_WriteGroup(d, ALL, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, places,
                                          members));
    DO(o, OTF2_GlobalDefWriter_WriteComm(d, 0, name, ALL, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE));
    lib_mem_free(members);
}

/* --- the archive -------------------------------------------------------------------- */

/* Whether an error is about a path at which no file can be made. */
static bool is_of_path(OTF2_ErrorCode error)
{
    return error == OTF2_ERROR_EACCES || error == OTF2_ERROR_ENOENT ||
           error == OTF2_ERROR_ENOTDIR || error == OTF2_ERROR_EROFS ||
           error == OTF2_ERROR_EPERM;
}

static bool failed(const struct traces_exporter *x)
{
    const struct otf2 *o = x->own;
    if (o->is_full)
        lib_diag_plain(x->diags, LIB_DIAG_FILE,
                       "cannot write %s: more than %d lines would be needed for what "
                       "happens at once; name fewer --cycles, or another format",
                       x->request->path, MAX_LOCATIONS);
    else if (o->error != OTF2_SUCCESS)
        lib_diag_plain(x->diags, is_of_path(o->error) ? LIB_DIAG_FILE : LIB_DIAG_HOST,
                       "cannot write %s: OTF2: %s", x->request->path,
                       OTF2_Error_GetDescription(o->error));
    return o->is_full || o->error != OTF2_SUCCESS;
}

static bool otf2_start(struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    export_timeline_start(x, x->request->place_count);
    o->is_used = lib_mem_new(2 * (size_t)x->request->graph->node_count);
    OTF2_Error_RegisterCallback(keep_error, o);
    o->archive = OTF2_Archive_Open(x->file.aside.bytes, "traces", OTF2_FILEMODE_WRITE,
                                   BUFFER, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
                                   OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!o->archive) {
        o->error = o->error == OTF2_SUCCESS ? OTF2_ERROR_EACCES : o->error;
        return !failed(x);
    }
    DO(o, OTF2_Archive_SetFlushCallbacks(o->archive, &flush, x));
    DO(o, OTF2_Archive_SetMemoryCallbacks(o->archive, &memory, NULL));
    DO(o, OTF2_Archive_SetSerialCollectiveCallbacks(o->archive));
    DO(o, OTF2_Archive_SetCreator(o->archive, "hiaton"));
    DO(o, OTF2_Archive_OpenEvtFiles(o->archive));
    export_line_add(x, x->request->place_count, 0);
    o->has_messages = x->request->level >= TRACES_LEVEL_ALL && !x->request->has_workers;
    for (uint32_t i = 0; o->has_messages && i < x->request->place_count && goes_on(x);
         i++)
        export_line_add(x, i, MESSAGES);
    return !failed(x);
}

static void close_events(struct otf2 *o)
{
    for (size_t i = 0; i < o->records.count; i++)
        if (o->records.items[i].writer)
            DO(o, OTF2_Archive_CloseEvtWriter(o->archive, o->records.items[i].writer));
    DO(o, OTF2_Archive_CloseEvtFiles(o->archive));
}

static void write_definitions(const struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    DO(o, OTF2_Archive_OpenDefFiles(o->archive));
    for (uint32_t i = 0; i < o->records.count; i++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(o->archive, i);
        DO(o, OTF2_Archive_CloseDefWriter(o->archive, local));
    }
    DO(o, OTF2_Archive_CloseDefFiles(o->archive));
    OTF2_GlobalDefWriter *d = OTF2_Archive_GetGlobalDefWriter(o->archive);
    DO(o, OTF2_GlobalDefWriter_WriteClockProperties(d, 1000000000, x->request->from,
                                                    x->now - x->request->from + 1,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    define_regions(x, d);
    define_locations(x, d);
    define_counters(x, d);
    define_messages(x, d);
    DO(o, OTF2_Archive_CloseGlobalDefWriter(o->archive, d));
}

static bool otf2_finish(struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    close_events(o);
    if (!o->is_full && o->error == OTF2_SUCCESS)
        write_definitions(x);
    DO(o, OTF2_Archive_Close(o->archive));
    o->archive = NULL; /* after an error it is not closed: see DO */
    OTF2_Error_RegisterCallback(NULL, NULL);
    return !failed(x);
}

static void free_otf2(struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    if (o->archive) {
        close_events(o);
        DO(o, OTF2_Archive_Close(o->archive));
        OTF2_Error_RegisterCallback(NULL, NULL);
    }
    LIB_VEC_FREE(&o->records);
    lib_mem_free(o->is_used);
}

const struct export_writer export_otf2 = {
    .format = {"otf2", false, NULL},
    .writes = EXPORT_FOLDER_BY_OTHERS,
    .own_size = sizeof(struct otf2),
    .start = otf2_start,
    .take = write_arrival,
    .add_line = add_line,
    .begin = enter,
    .end = leave,
    .ends_last = true,
    .send = note_message,
    .leave_out = write_arrival,
    .due = put_send,
    .advance = put_counters,
    .finish = otf2_finish,
    .free = free_otf2,
};
