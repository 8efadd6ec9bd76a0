#include "sim/explain/trace_info.h"

#include <inttypes.h>
#include <stdio.h>

#include "lib/json.h"

/* --- finding it ----------------------------------------------------------------------------- */

static void info_consume(void *context, const struct traces_event *events, size_t count)
{
    struct sim_trace_info *info = context;
    if (info->events == 0)
        info->from = events->cycle;
    for (size_t i = 0; i < count; i++) {
        info->of[events[i].kind]++;
        if (events[i].kind == TRACES_EVENT_END)
            info->end = events[i];
        info->to = events[i].cycle;
    }
    info->events += count;
}

bool sim_trace_info_find(struct sim_trace_info *info, struct sim_source *source,
                         const struct sim_watch *watch, struct lib_diags *diags)
{
    const struct traces_chunks *chunks = source->recording.chunks;
    const struct traces_event_sink sink = {source->level, info_consume, info};
    info->is_whole = !traces_chunks_damage(chunks);
    for (size_t i = 0; i < traces_chunks_count(chunks); i++)
        info->checkpoints += traces_chunks_get(chunks, i)->type ==
                             SIM_RECORDING_CHECKPOINT;
    info->bytes = traces_chunks_bytes(chunks);
    return !source->recording.run.has_events ||
           sim_source_read(source, (struct sim_source_window){0, UINT64_MAX}, &sink, 1,
                           watch, diags);
}

/* --- writing it ------------------------------------------------------------------------------- */

struct text_key {
    const char *key, *value; /* value NULL: not given */
};

enum { FILTER_KEYS = 4 };

static void filter_keys(const struct sim_recorded_events *events,
                        struct text_key keys[FILTER_KEYS])
{
    keys[0] = (struct text_key){"pe", events->filter.pe};
    keys[1] = (struct text_key){"function", events->filter.function};
    keys[2] = (struct text_key){"line", events->filter.line};
    keys[3] = (struct text_key){"below", events->filter.below};
}

static const char *kind_of(const struct sim_source *source)
{
    return source->recording.run.has_events ? sim_events_kind.name
                                            : sim_recording_kind.name;
}

static void write_ran(const struct sim_recording *r, struct lib_text *out)
{
    lib_text_printf(out, "%-18s %s\n", "program", sim_program_title(&r->session.program));
    lib_text_printf(out, "%-18s", "inputs");
    for (size_t i = 0; i < r->run.inputs.count; i++)
        lib_text_printf(out, " %s", r->run.inputs.items[i]);
    lib_text_printf(out, "%s\n", r->run.inputs.count ? "" : " -");
    lib_text_printf(out, "%-18s %s\n", "machine", r->run.machine);
    lib_text_printf(out, "%-18s %" PRIu64 "\n", "seed", r->run.seed);
    lib_text_printf(out, "%-18s hiaton %s, model %s, %s\n", "made by", r->run.by.version,
                    r->run.by.model, r->run.by.cpu);
}

static void write_events(const struct sim_trace_info *info,
                         const struct sim_source *source, struct lib_text *out)
{
    const struct sim_recorded_events *e = &source->recording.run.events;
    struct text_key keys[FILTER_KEYS];
    char to[24] = "";
    if (e->to != UINT64_MAX)
        snprintf(to, sizeof to, "%" PRIu64, e->to);
    filter_keys(e, keys);
    lib_text_printf(out, "%-18s %s\n", "level", traces_level_table[e->level].text);
    for (size_t i = 0; i < FILTER_KEYS; i++)
        if (keys[i].value)
            lib_text_printf(out, "only %-13s %s\n", keys[i].key, keys[i].value);
    if (e->from != 0 || e->to != UINT64_MAX)
        lib_text_printf(out, "only %-13s %" PRIu64 "..%s\n", "cycles", e->from, to);
    lib_text_printf(out, "%-18s %" PRIu64 "..%" PRIu64 "\n", "cycles", info->from,
                    info->to + 1);
    lib_text_printf(out, "%-18s %s\n", "ended",
                    info->is_whole ? sim_end_name(info->end.how) : "not known");
    lib_text_printf(out, "%-18s %" PRIu64 "\n", "events", info->events);
    for (size_t i = 0; i < TRACES_EVENT_COUNT; i++)
        if (info->of[i])
            lib_text_printf(out, "  %-16s %" PRIu64 "\n", traces_event_table[i].text,
                            info->of[i]);
}

static void write_recorded(const struct sim_trace_info *info,
                           const struct sim_recording *r, struct lib_text *out)
{
    lib_text_printf(out, "%-18s of any level and cycles, made again\n", "events");
    lib_text_printf(out, "%-18s %" PRIu64 "\n", "checkpoints", info->checkpoints);
    if (r->is_complete)
        lib_text_printf(out, "%-18s every %" PRIu64 " cycles\n", "digests",
                        r->digests.interval);
}

void sim_trace_info_write(const struct sim_trace_info *info,
                          const struct sim_source *source, struct lib_text *out)
{
    const struct sim_recording *r = &source->recording;
    lib_text_printf(out, "%-18s %s%s\n", "file", kind_of(source),
                    info->is_whole ? "" : ", not whole");
    write_ran(r, out);
    if (r->run.has_events)
        write_events(info, source, out);
    else
        write_recorded(info, r, out);
    lib_text_printf(out, "%-18s %" PRIu64 "\n", "bytes", info->bytes);
    if (info->events)
        lib_text_printf(out, "%-18s %.2f\n", "bytes per event",
                        (double)info->bytes / (double)info->events);
}

static void json_events(const struct sim_trace_info *info,
                        const struct sim_source *source, struct lib_json *json)
{
    const struct sim_recorded_events *e = &source->recording.run.events;
    struct text_key keys[FILTER_KEYS];
    filter_keys(e, keys);
    lib_json_string(json, "level", traces_level_table[e->level].text);
    lib_json_open(json, "only", '{');
    for (size_t i = 0; i < FILTER_KEYS; i++)
        if (keys[i].value)
            lib_json_string(json, keys[i].key, keys[i].value);
    if (e->from != 0 || e->to != UINT64_MAX) {
        lib_json_uint(json, "from", e->from);
        lib_json_uint(json, "to", e->to - 1);
    }
    lib_json_close(json);
    lib_json_uint(json, "first_cycle", info->from);
    lib_json_uint(json, "last_cycle", info->to);
    if (info->is_whole)
        lib_json_string(json, "ended", sim_end_name(info->end.how));
    lib_json_uint(json, "events", info->events);
    lib_json_open(json, "of", '{');
    for (size_t i = 0; i < TRACES_EVENT_COUNT; i++)
        if (info->of[i])
            lib_json_uint(json, traces_event_table[i].text, info->of[i]);
    lib_json_close(json);
}

void sim_trace_info_write_json(const struct sim_trace_info *info,
                               const struct sim_source *source, struct lib_text *out)
{
    const struct sim_recording *r = &source->recording;
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "file", kind_of(source));
    lib_json_bool(&json, "whole", info->is_whole);
    lib_json_string(&json, "program", sim_program_title(&r->session.program));
    lib_json_open(&json, "inputs", '[');
    for (size_t i = 0; i < r->run.inputs.count; i++)
        lib_json_string(&json, NULL, r->run.inputs.items[i]);
    lib_json_close(&json);
    lib_json_string(&json, "machine", r->run.machine);
    lib_json_uint(&json, "seed", r->run.seed);
    lib_json_string(&json, "version", r->run.by.version);
    lib_json_string(&json, "model", r->run.by.model);
    lib_json_string(&json, "cpu", r->run.by.cpu);
    if (r->run.has_events) {
        json_events(info, source, &json);
    } else {
        lib_json_uint(&json, "checkpoints", info->checkpoints);
        if (r->is_complete)
            lib_json_uint(&json, "interval", r->digests.interval);
    }
    lib_json_uint(&json, "bytes", info->bytes);
    lib_json_close(&json);
}
