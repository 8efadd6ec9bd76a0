/* Fuzz target: a file of events. The input says which run told them, and how the file is damaged
 * (tests/fuzz/recorded.h). It is refused; or it is read as text, exported, analysed, and compared
 * with the run. One that was not damaged holds. */
#include "tests/fuzz/recorded.h"

#include "analysis/stream/stream.h"
#include "sim/explain/analysed.h"
#include "sim/explain/trace_info.h"
#include "sim/replay/event_replay.h"
#include "sim/replay/event_text.h"
#include "sim/replay/tracer.h"
#include "traces/exports/exporter.h"

#include <stdio.h>
#include <unistd.h>

static void trace(const struct sim_session *run, const char *path, unsigned level)
{
    struct lib_diags diags = {0};
    const struct sim_recorded_events events = {.level = (enum traces_level)level,
                                               .to = UINT64_MAX};
    struct sim_simulation_config config = sim_session_config(run);
    struct sim_tracer *tracer = sim_tracer_new(path, &events, run, &diags);
    if (!tracer)
        fuzz_fail("cannot trace: %s", diags.items[0].text);
    const struct traces_event_sink sink = sim_tracer_sink(tracer);
    config.sinks = &sink;
    config.sink_count = 1;
    struct sim_simulation *s = sim_simulation_open(&config, &diags);
    if (!s)
        fuzz_fail("cannot trace: %s", diags.items[0].text);
    sim_simulation_advance(s, NULL);
    sim_simulation_close(s, NULL);
    if (!sim_tracer_finish(tracer, &diags))
        fuzz_fail("cannot trace: %s", diags.items[0].text);
}

/* --- what reads it ------------------------------------------------------------------------- */

static bool read_all(struct sim_source *source, const struct traces_event_sink *sinks,
                     size_t count)
{
    struct lib_diags diags = {0};
    const struct sim_source_window all = {0, UINT64_MAX};
    const bool read = sim_source_read(source, all, sinks, count, NULL, &diags);
    fuzz_diags(&diags, !read);
    return read;
}

struct text {
    struct sim_event_text text;
    struct lib_text out;
};

static void write_events(void *context, const struct traces_event *events, size_t count)
{
    struct text *t = context;
    for (size_t i = 0; i < count; i++) {
        lib_text_clear(&t->out);
        sim_event_text_add(&t->text, &events[i], &t->out);
    }
}

static bool read_text(struct sim_source *source, bool json)
{
    struct text t = {0};
    const struct traces_event_sink sink = {TRACES_LEVEL_QUEUES, write_events, &t};
    sim_event_text_start(&t.text, sim_source_graph(source), json);
    const bool read = read_all(source, &sink, 1);
    sim_event_text_free(&t.text);
    lib_text_free(&t.out);
    return read;
}

static void read_part(struct sim_source *source)
{
    struct text t = {0};
    const struct traces_event_sink sink = {TRACES_LEVEL_QUEUES, write_events, &t};
    struct lib_diags diags = {0};
    sim_event_text_start(&t.text, sim_source_graph(source), false);
    const bool read = sim_source_read(source, (struct sim_source_window){60, 90}, &sink,
                                      1, NULL, &diags);
    fuzz_diags(&diags, !read);
    sim_event_text_free(&t.text);
    lib_text_free(&t.out);
}

static void tell_info(struct sim_source *source)
{
    struct sim_trace_info info = {0};
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    const bool found = sim_trace_info_find(&info, source, NULL, &diags);
    fuzz_diags(&diags, !found);
    if (found) {
        lib_findings_write_from(LIB_FORM_TEXT, NULL, sim_trace_info_findings, &info,
                                &text);
        lib_findings_write_from(LIB_FORM_JSON, NULL, sim_trace_info_findings, &info,
                                &text);
    }
    lib_text_free(&text);
}

static const char *end_name(unsigned how)
{
    (void)how;
    return "ended";
}

static void export(struct sim_source *source, const char *path, const char *format)
{
    const struct machine_settings *settings =
        &source->recording.session.setup.settings.machine;
    struct lib_diags diags = {0};
    struct traces_exporter_counts counts;
    const struct traces_exporter_request request = {
        .format = traces_exporter_find(format),
        .path = path,
        .graph = sim_source_graph(source),
        .level = source->level,
        .has_workers = settings->executor_workers > 0,
        .place_count = (uint32_t)(settings->executor_workers ? settings->executor_workers
                                                             : settings->pe_count),
        .every = 1,
        .end_name = end_name,
    };
    struct traces_exporter *exporter = traces_exporter_open(&request, &diags);
    if (!exporter)
        fuzz_fail("cannot export: %s", diags.items[0].text);
    const struct traces_event_sink sink = traces_exporter_sink(exporter);
    if (!read_all(source, &sink, 1))
        traces_exporter_abandon(exporter);
    else if (!traces_exporter_finish(exporter, &counts))
        fuzz_fail("cannot export: %s", diags.items[0].text);
    lib_diags_free(&diags);
    unlink(path);
}

static void analyse(struct sim_source *source)
{
    const struct machine_settings *settings =
        &source->recording.session.setup.settings.machine;
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT];
    bool wanted[ANALYSIS_STREAM_COUNT];
    const struct analysis_stream_run run = sim_analysed_run(
        sim_source_graph(source), settings, NULL, 0, UINT64_MAX);
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        wanted[i] = analysis_stream_table[i].level <= source->level;
    struct analysis_streams *streams = analysis_streams_new(&run, wanted);
    const size_t count = analysis_streams_sinks(streams, sinks);
    const bool read = read_all(source, sinks, count);
    for (size_t i = 0; read && i < ANALYSIS_STREAM_COUNT; i++) {
        struct lib_findings findings;
        if (!wanted[i])
            continue;
        lib_findings_start(&findings, analysis_stream_table[i].name, true);
        analysis_streams_tell(streams, i, &findings);
        lib_findings_free(&findings);
    }
    analysis_streams_free(streams);
}

/* Returns whether the run is the same. */
static bool replay(struct sim_source *source)
{
    const struct sim_watch watch = {0};
    struct sim_event_replay_report report;
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    const bool ended = sim_event_replay_run(source, &source->recording.session, &watch,
                                            &report, &diags);
    fuzz_diags(&diags, !ended);
    if (ended) {
        lib_findings_write_from(LIB_FORM_TEXT, NULL, sim_event_replay_findings, &report,
                                &text);
        lib_findings_write_from(LIB_FORM_JSON, NULL, sim_event_replay_findings, &report,
                                &text);
    }
    const bool is_same = ended && report.is_same;
    sim_event_replay_free(&report);
    lib_text_free(&text);
    return is_same;
}

static void use(const struct sim_session *run, struct sim_source *source,
                const char *path, unsigned what, bool is_edited)
{
    enum { WAYS = 12 };
    static const char *const formats[WAYS - 6] = {"csv",  "perfetto", "konata",
                                                  "paje", "vcd",      "chakra"};
    char out[160];
    if (!fuzz_is_run(run, &source->recording.session.setup.settings))
        return;
    switch (what % WAYS) {
    case 0:
        if (!replay(source) && !is_edited)
            fuzz_fail("a file of events does not hold");
        break;
    case 1:
    case 2:
        if (!read_text(source, what % WAYS == 1) && !is_edited)
            fuzz_fail("a file of events cannot be read");
        break;
    case 3:
        read_part(source);
        break;
    case 4:
        tell_info(source);
        break;
    case 5:
        analyse(source);
        break;
    default:
        snprintf(out, sizeof out, "%s.out", path);
        export(source, out, formats[what % WAYS - 6]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes input = {data, size};
    char path[128];
    struct lib_diags diags = {0};
    struct sim_source source;
    const struct sim_session *run = fuzz_run("trace", fuzz_byte(&input));
    const unsigned level = fuzz_byte(&input) % TRACES_LEVEL_COUNT;
    const unsigned what = fuzz_byte(&input);
    snprintf(path, sizeof path, "%s/%ld.events", fuzz_folder("trace"), (long)getpid());
    const char *whole = fuzz_kept("trace", run, level, trace);
    const bool is_edited = fuzz_edit_file(&input, whole, path, &sim_events_kind);
    const bool opened = sim_source_open(&source, path, &diags);
    fuzz_diags(&diags, !opened);
    if (opened)
        use(run, &source, path, what, is_edited);
    else if (!is_edited)
        fuzz_fail("a file of events is refused");
    sim_source_close(&source);
    unlink(path);
    return 0;
}
