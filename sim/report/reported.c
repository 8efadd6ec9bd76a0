#include "sim/report/reported.h"

#include <inttypes.h>

#include "sim/explain/analysed.h"

bool sim_reported_open_file(struct sim_reported *r, const char *path,
                            struct lib_diags *diags)
{
    r->is_file = true;
    if (!sim_source_open(&r->source, path, diags))
        return false;
    r->level = r->source.level;
    const struct sim_recording *recording = &r->source.recording;
    const bool is_whole = !recording->run.has_events ||
                          sim_recorded_events_are_all(&recording->run.events);
    if (!is_whole)
        lib_diag_plain(
            diags, LIB_DIAG_FILE,
            "%s: expected all events of a run, found those of a filter or of some cycles",
            path);
    else if (r->level < TRACES_LEVEL_FIRINGS)
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "%s: expected events of the level `%s` at least, found `%s`", path,
                       traces_level_table[TRACES_LEVEL_FIRINGS].text,
                       traces_level_table[r->level].text);
    return is_whole && r->level >= TRACES_LEVEL_FIRINGS;
}

bool sim_reported_open_program(struct sim_reported *r,
                               const struct sim_session_request *request,
                               struct lib_diags *diags)
{
    r->level = TRACES_LEVEL_QUEUES;
    return sim_session_open(&r->session, request, diags);
}

void sim_reported_free(struct sim_reported *r)
{
    sim_causes_summary_free(&r->causes);
    analysis_streams_free(r->streams);
    analysis_gantt_free(&r->gantt);
    traces_call_tree_free(&r->tree);
    lib_mem_free(r->heat);
    if (r->is_measured)
        sim_ending_free(&r->ending);
    if (r->is_file)
        sim_source_close(&r->source);
    else
        sim_session_close(&r->session);
}

const struct lib_source *sim_reported_text(const struct sim_reported *r)
{
    return r->is_file ? r->source.recording.run.source
                      : sim_program_source(&r->session.program);
}

/* --- running ------------------------------------------------------------------------------- */

bool sim_reported_measure(struct sim_reported *r, const struct sim_watch *watch,
                          struct lib_diags *diags)
{
    struct sim_simulation_config config = sim_session_config(sim_reported_session(r));
    config.window = NULL;
    config.watch = *watch;
    struct sim_simulation *simulation = sim_simulation_open(&config, diags);
    if (!simulation)
        return false;
    const bool done = sim_simulation_advance(simulation, NULL) == SIM_ADVANCED_TO_END;
    sim_simulation_close(simulation, &r->ending);
    r->is_measured = true;
    return done;
}

static void count_firings(void *context, const struct traces_event *events, size_t count)
{
    uint64_t *heat = context;
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == TRACES_EVENT_FIRED)
            heat[events[i].instr]++;
}

/* Starts the analyses for which the events suffice. */
static void start(struct sim_reported *r)
{
    const struct sim_session *session = sim_reported_session(r);
    const struct isa_graph *graph = session->program.graph;
    r->run = sim_analysed_run(graph, &session->setup.settings.machine,
                              sim_reported_text(r), 0, UINT64_MAX);
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        r->wanted[i] = analysis_stream_table[i].level <= r->level;
    r->streams = analysis_streams_new(&r->run, r->wanted);
    traces_call_tree_start(&r->tree, graph);
    analysis_gantt_start(&r->gantt, &r->run);
    r->heat = lib_mem_new((graph->node_count + 1) * sizeof *r->heat);
}

static bool read_events(struct sim_reported *r, const struct sim_watch *watch,
                        struct lib_diags *diags)
{
    struct traces_event_sink sinks[TRACES_LEVEL_COUNT + 3];
    size_t count = analysis_streams_sinks(r->streams, sinks);
    sinks[count++] = traces_call_tree_sink(&r->tree);
    sinks[count++] = analysis_gantt_sink(&r->gantt);
    sinks[count++] = (struct traces_event_sink){TRACES_LEVEL_FIRINGS, count_firings,
                                                r->heat};
    const struct sim_source_window all = {0, UINT64_MAX};
    if (r->is_file)
        return sim_source_read(&r->source, all, sinks, count, watch, diags);
    return sim_session_read(&r->session, UINT64_MAX, sinks, count, watch, diags);
}

/* Whether the events are of the measured run; not of another version or a stopped run. */
static bool are_of_that_run(const struct sim_reported *r, struct lib_diags *diags)
{
    const struct traces_event *end = analysis_streams_end(r->streams);
    const uint64_t firings = r->gantt.firing_count,
                   measured = r->ending.stats.firings + r->ending.stats.dead_firings;
    const bool same = end->how == r->ending.end && end->a == r->ending.stats.cycles &&
                      firings == measured;
    if (!same)
        lib_diag_plain(
            diags, LIB_DIAG_FILE,
            "the file has %" PRIu64 " firings up to cycle %" PRIu64
            " (%s), and the run that is made again has %" PRIu64 " up to cycle %" PRIu64
            " (%s): it was stopped, or is of a hiaton that does something else",
            firings, end->a, sim_end_name(end->how), measured, r->ending.stats.cycles,
            sim_end_name(r->ending.end));
    return same;
}

bool sim_reported_read(struct sim_reported *r, const struct sim_watch *watch,
                       struct lib_diags *diags)
{
    const struct sim_causes_request wish = {.chain = true, .is_brief = true};
    start(r);
    if (!read_events(r, watch, diags) || !are_of_that_run(r, diags))
        return false;
    traces_call_tree_sum(&r->tree);
    r->has_causes = r->level >= TRACES_LEVEL_QUEUES;
    const bool has_events = r->is_file && r->source.recording.run.has_events;
    return !r->has_causes ||
           sim_causes_find(&r->causes, sim_reported_session(r),
                           has_events ? &r->source : NULL, &wish, watch, diags);
}

/* --- what was found --------------------------------------------------------------------------- */

bool sim_reported_findings(const struct sim_reported *r, size_t which, bool for_people,
                           struct lib_findings *findings)
{
    lib_findings_start(findings, analysis_stream_table[which].name, for_people);
    if (r->wanted[which])
        analysis_streams_tell(r->streams, which, findings);
    return r->wanted[which];
}

bool sim_reported_causes_findings(const struct sim_reported *r,
                                  struct lib_findings *findings)
{
    const struct analysis_causes_tables tables = {
        .by = ANALYSIS_COST_BY_LINE, .chain = true, .source = sim_reported_text(r)};
    lib_findings_start(findings, "causes", true);
    if (r->has_causes)
        sim_causes_summary_write((struct sim_causes_summary *)&r->causes, &tables,
                                 findings);
    return r->has_causes;
}
