#include "sim/explain/trace_info.h"

#include <inttypes.h>

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
    info->recording = &source->recording;
    info->is_whole = !traces_chunks_damage(chunks);
    for (size_t i = 0; i < traces_chunks_count(chunks); i++)
        info->checkpoints += traces_chunks_get(chunks, i)->type ==
                             SIM_RECORDING_CHECKPOINT;
    info->bytes = traces_chunks_bytes(chunks);
    return !source->recording.run.has_events ||
           sim_source_read(source, (struct sim_source_window){0, UINT64_MAX}, &sink, 1,
                           watch, diags);
}

static void add_only(const struct sim_recorded_events *e, struct lib_findings *f)
{
    const char *const filters[][2] = {{"pe", e->filter.pe},
                                      {"function", e->filter.function},
                                      {"line", e->filter.line},
                                      {"below", e->filter.below}};
    lib_findings_open(f, "only", NULL);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (filters[i][1])
            lib_findings_word(f, filters[i][0], filters[i][1], NULL);
    if (f->for_people && (e->from != 0 || e->to != UINT64_MAX)) {
        struct lib_text cycles = {0};
        lib_text_printf(&cycles, "%" PRIu64 "..", e->from);
        if (e->to != UINT64_MAX)
            lib_text_printf(&cycles, "%" PRIu64, e->to);
        lib_findings_text(f, "cycles", &cycles, NULL);
    } else if (e->from != 0 || e->to != UINT64_MAX) {
        lib_findings_count(f, "from", e->from, NULL);
        lib_findings_count(f, "to", e->to - 1, NULL);
    }
    lib_findings_close(f);
}

static void add_events(const struct sim_trace_info *info,
                       const struct sim_recorded_events *e, struct lib_findings *f)
{
    lib_findings_word(f, "level", traces_level_table[e->level].text,
                      "of events: which kinds there are");
    add_only(e, f);
    lib_findings_count(f, "first_cycle", info->from, "of its events");
    lib_findings_count(f, "last_cycle", info->to, "of its events");
    if (info->is_whole)
        lib_findings_word(f, "ended", sim_end_name(info->end.how), NULL);
    lib_findings_count(f, "events", info->events, "in all");
    lib_findings_open(f, "of", NULL);
    for (size_t i = 0; i < TRACES_EVENT_COUNT; i++)
        if (info->of[i])
            lib_findings_count(f, traces_event_table[i].text, info->of[i], NULL);
    lib_findings_close(f);
}

void sim_trace_info_findings(const void *found, struct lib_findings *f)
{
    const struct sim_trace_info *info = found;
    const struct sim_recording *r = info->recording;
    const bool has_events = r->run.has_events;
    lib_findings_word(f, "file", (has_events ? sim_events_kind : sim_recording_kind).name,
                      NULL);
    lib_findings_flag(f, "whole", info->is_whole, "whether it was written to its end");
    lib_findings_word(f, "program", sim_program_title(&r->session.program), NULL);
    lib_findings_open_list(f, "inputs", NULL);
    for (size_t i = 0; i < r->run.inputs.count; i++)
        lib_findings_word(f, NULL, r->run.inputs.items[i], NULL);
    lib_findings_close(f);
    lib_findings_word(f, "machine", r->run.machine, NULL);
    lib_findings_count(f, "seed", r->run.seed, NULL);
    lib_findings_word(f, "version", r->run.by.version, "of hiaton, which wrote it");
    lib_findings_word(f, "model", r->run.by.model,
                      "version of the model of the machine (doc/model.md)");
    lib_findings_word(f, "cpu", r->run.by.cpu, "of the host that made the run");
    if (has_events) {
        add_events(info, &r->run.events, f);
    } else {
        lib_findings_count(f, "checkpoints", info->checkpoints,
                           "states of the machine, from which a run can be resumed");
        if (r->is_complete)
            lib_findings_count(f, "interval", r->digests.interval,
                               "cycles between two digests");
    }
    lib_findings_count(f, "bytes", info->bytes, "size of the file");
    if (f->for_people && info->events)
        lib_findings_real(f, "bytes_per_event",
                          (double)info->bytes / (double)info->events, NULL);
}
