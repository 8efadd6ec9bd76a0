/* An archive of the Open Trace Format 2, by its library: a folder. A location group is a PE; its
 * locations are lines, on which firings that overlap stand side by side; a region is a node. The
 * counters are metrics of the first location. A cycle is a tick, of which there are 10^9 in a second. */
#include "traces/exports/exports_inside.h"

#include <otf2/otf2.h>

/* The library keeps a buffer for each location. */
enum { MOST_LOCATIONS = 1024, BUFFER = 1 << 18 };

struct line {
    uint32_t place, lane;
    uint64_t events;
    OTF2_EvtWriter *writer; /* the archive's */
};

struct place {
    struct export_lanes lanes;
    LIB_VEC(uint32_t) lines; /* of each lane */
};

struct otf2 {
    OTF2_Archive *archive;
    struct place *places;
    LIB_VEC(struct line) lines; /* the first one is the machine's */
    bool *is_used;              /* regions: nodes, and nodes that passed a hiaton on */
    uint32_t strings;
    bool is_full; /* there are not enough locations */
    OTF2_ErrorCode error;
};

static void check(struct otf2 *o, OTF2_ErrorCode code)
{
    if (o->error == OTF2_SUCCESS)
        o->error = code;
}

/* What is wrong is told when the export ends. */
static OTF2_ErrorCode keep_quiet(void *context, const char *file, uint64_t line,
                                 const char *function, OTF2_ErrorCode code,
                                 const char *format, va_list ap)
{
    (void)context, (void)file, (void)line, (void)function, (void)format, (void)ap;
    return code;
}

static OTF2_FlushType before_flush(void *context, OTF2_FileType type,
                                   OTF2_LocationRef location, void *caller, bool is_final)
{
    (void)context, (void)type, (void)location, (void)caller, (void)is_final;
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = before_flush};

/* --- lines --------------------------------------------------------------------------------------- */

static uint32_t add_line(struct otf2 *o, uint32_t place, uint32_t lane)
{
    const uint32_t number = (uint32_t)o->lines.count;
    *LIB_VEC_PUSH(&o->lines) = (struct line){
        place, lane, 0, OTF2_Archive_GetEvtWriter(o->archive, number)};
    if (!o->lines.items[number].writer)
        check(o, OTF2_ERROR_MEM_ALLOC_FAILED);
    return number;
}

static uint32_t take_line(struct otf2 *o, uint32_t number)
{
    struct place *place = &o->places[number];
    const uint32_t lane = export_lane_take(&place->lanes);
    if (lane == place->lines.count) {
        const uint32_t line = add_line(o, number, lane);
        *LIB_VEC_PUSH(&place->lines) = line;
    }
    return place->lines.items[lane];
}

static bool goes_on(struct otf2 *o)
{
    if (o->lines.count >= MOST_LOCATIONS)
        o->is_full = true;
    return o->error == OTF2_SUCCESS && !o->is_full;
}

static void take(struct traces_exporter *x, const struct traces_event *e)
{
    struct otf2 *o = x->own;
    if (!export_is_firing(e) || !goes_on(o))
        return;
    const bool is_dead = e->kind == TRACES_EVENT_DEAD;
    const uint32_t region = e->instr + (is_dead ? x->request->graph->node_count : 0);
    const uint32_t number = take_line(o, e->pe);
    struct line *line = &o->lines.items[number];
    o->is_used[region] = true;
    if (o->error != OTF2_SUCCESS)
        return;
    check(o, OTF2_EvtWriter_Enter(line->writer, NULL, e->cycle, region));
    line->events++;
    export_when(x, e->b, region, number, 0);
}

static void due(struct traces_exporter *x, const struct export_due *due)
{
    struct otf2 *o = x->own;
    struct line *line = &o->lines.items[due->place];
    check(o, OTF2_EvtWriter_Leave(line->writer, NULL, x->now, due->kind));
    line->events++;
    export_lane_give(&o->places[line->place].lanes, line->lane);
}

static void put_counters(struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    OTF2_Type types[EXPORT_COUNTER_COUNT];
    OTF2_MetricValue values[EXPORT_COUNTER_COUNT];
    bool is_changed = false;
    for (size_t i = 0; i < EXPORT_COUNTER_COUNT; i++) {
        is_changed |= x->scene.changed[i];
        x->scene.changed[i] = false;
        types[i] = OTF2_TYPE_INT64;
        values[i].signed_int = x->scene.counts[i];
    }
    if (!is_changed || o->error != OTF2_SUCCESS)
        return;
    check(o, OTF2_EvtWriter_Metric(o->lines.items[0].writer, NULL, x->now, 0,
                                   EXPORT_COUNTER_COUNT, types, values));
    o->lines.items[0].events++;
}

/* --- definitions ---------------------------------------------------------------------------------- */

static OTF2_StringRef put_string(struct otf2 *o, OTF2_GlobalDefWriter *d,
                                 const char *string)
{
    check(o, OTF2_GlobalDefWriter_WriteString(d, o->strings, string));
    return o->strings++;
}

static void define_regions(const struct traces_exporter *x, OTF2_GlobalDefWriter *d)
{
    struct otf2 *o = x->own;
    const struct isa_graph *graph = x->request->graph;
    struct lib_text name = {0};
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
        check(o, OTF2_GlobalDefWriter_WriteRegion(
                     d, i, text, text, nothing, OTF2_REGION_ROLE_FUNCTION,
                     OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, file, line, line));
    }
    lib_text_free(&name);
}

static void define_locations(const struct traces_exporter *x, OTF2_GlobalDefWriter *d)
{
    struct otf2 *o = x->own;
    struct lib_text name = {0};
    const OTF2_StringRef machine = put_string(o, d, "machine");
    const uint32_t places = x->request->place_count;
    check(o, OTF2_GlobalDefWriter_WriteSystemTreeNode(d, 0, machine, machine,
                                                      OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t i = 0; i <= places; i++) { /* the last one is the machine's */
        lib_text_clear(&name);
        export_add_place(x, i, &name);
        check(o, OTF2_GlobalDefWriter_WriteLocationGroup(
                     d, i, i < places ? put_string(o, d, name.bytes) : machine,
                     OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
    }
    for (uint32_t i = 0; i < o->lines.count; i++) {
        const struct line *line = &o->lines.items[i];
        lib_text_clear(&name);
        lib_text_printf(&name, "%u.%u", line->place, line->lane);
        check(o, OTF2_GlobalDefWriter_WriteLocation(
                     d, i, i > 0 ? put_string(o, d, name.bytes) : machine,
                     OTF2_LOCATION_TYPE_CPU_THREAD, line->events, line->place));
    }
    lib_text_free(&name);
}

static void define_counters(const struct traces_exporter *x, OTF2_GlobalDefWriter *d)
{
    struct otf2 *o = x->own;
    OTF2_MetricMemberRef members[EXPORT_COUNTER_COUNT];
    const OTF2_StringRef unit = put_string(o, d, "#");
    for (uint32_t i = 0; i < EXPORT_COUNTER_COUNT; i++) {
        const OTF2_StringRef name = put_string(o, d, export_counter_names[i]);
        members[i] = i;
        check(o, OTF2_GlobalDefWriter_WriteMetricMember(
                     d, i, name, name, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
                     OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, unit));
    }
    check(o, OTF2_GlobalDefWriter_WriteMetricClass(d, 0, EXPORT_COUNTER_COUNT, members,
                                                   OTF2_METRIC_ASYNCHRONOUS,
                                                   OTF2_RECORDER_KIND_ABSTRACT));
}

/* --- the archive ----------------------------------------------------------------------------------- */

static bool failed(const struct traces_exporter *x)
{
    const struct otf2 *o = x->own;
    if (o->is_full)
        lib_diag_error(x->diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                       "cannot write %s: more than %d lines would be needed for what "
                       "happens at once; name fewer --cycles, or another format",
                       x->request->path, MOST_LOCATIONS);
    else if (o->error != OTF2_SUCCESS)
        lib_diag_error(x->diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                       "cannot write %s: OTF2: %s", x->request->path,
                       OTF2_Error_GetDescription(o->error));
    return o->is_full || o->error != OTF2_SUCCESS;
}

static bool start(struct traces_exporter *x)
{
    struct otf2 *o = x->own = lib_mem_new(sizeof *o);
    o->places = lib_mem_new(x->request->place_count * sizeof *o->places);
    o->is_used = lib_mem_new(2 * (size_t)x->request->graph->node_count);
    OTF2_Error_RegisterCallback(keep_quiet, NULL);
    o->archive = OTF2_Archive_Open(x->file.aside.bytes, "traces", OTF2_FILEMODE_WRITE,
                                   BUFFER, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
                                   OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!o->archive) {
        o->error = OTF2_ERROR_EACCES;
        return !failed(x);
    }
    check(o, OTF2_Archive_SetFlushCallbacks(o->archive, &flush, NULL));
    check(o, OTF2_Archive_SetSerialCollectiveCallbacks(o->archive));
    check(o, OTF2_Archive_SetCreator(o->archive, "hiaton"));
    check(o, OTF2_Archive_OpenEvtFiles(o->archive));
    add_line(o, x->request->place_count, 0);
    return !failed(x);
}

static void close_events(struct otf2 *o)
{
    for (size_t i = 0; i < o->lines.count; i++)
        if (o->lines.items[i].writer)
            check(o, OTF2_Archive_CloseEvtWriter(o->archive, o->lines.items[i].writer));
    check(o, OTF2_Archive_CloseEvtFiles(o->archive));
}

static void write_definitions(const struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    check(o, OTF2_Archive_OpenDefFiles(o->archive));
    for (uint32_t i = 0; i < o->lines.count; i++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(o->archive, i);
        check(o, OTF2_Archive_CloseDefWriter(o->archive, local));
    }
    check(o, OTF2_Archive_CloseDefFiles(o->archive));
    OTF2_GlobalDefWriter *d = OTF2_Archive_GetGlobalDefWriter(o->archive);
    check(o, OTF2_GlobalDefWriter_WriteClockProperties(d, 1000000000, x->request->from,
                                                       x->now - x->request->from + 1,
                                                       OTF2_UNDEFINED_TIMESTAMP));
    define_regions(x, d);
    define_locations(x, d);
    define_counters(x, d);
    check(o, OTF2_Archive_CloseGlobalDefWriter(o->archive, d));
}

static bool finish(struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    close_events(o);
    if (!o->is_full && o->error == OTF2_SUCCESS)
        write_definitions(x);
    check(o, OTF2_Archive_Close(o->archive));
    o->archive = NULL;
    return !failed(x);
}

static void free_otf2(struct traces_exporter *x)
{
    struct otf2 *o = x->own;
    if (!o)
        return;
    if (o->archive) {
        close_events(o);
        OTF2_Archive_Close(o->archive);
    }
    for (uint32_t i = 0; i < x->request->place_count; i++) {
        export_lanes_free(&o->places[i].lanes);
        LIB_VEC_FREE(&o->places[i].lines);
    }
    LIB_VEC_FREE(&o->lines);
    lib_mem_free(o->places);
    lib_mem_free(o->is_used);
    lib_mem_free(o);
}

const struct export_writer export_otf2 = {
    .format = {"otf2", false, NULL},
    .writes = EXPORT_FOLDER_BY_OTHERS,
    .start = start,
    .take = take,
    .due = due,
    .advance = put_counters,
    .finish = finish,
    .free = free_otf2,
};
