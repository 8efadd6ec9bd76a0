#include "sim/library/library_internal.h"

#include <errno.h>
#include <stdio.h>

#include "sim/library/look.h"
#include "sim/replay/event_replay.h"
#include "sim/replay/recorder.h"
#include "sim/replay/replay.h"

/* --- recording a session ----------------------------------------------------------------- */

struct stream {
    const struct hiaton_session *session;
    struct hiaton_record_options options;
    bool has_failed;
};

static ssize_t write_stream(void *context, const char *bytes, size_t length)
{
    struct stream *stream = context;
    if (!stream->has_failed) {
        sim_library_go_out(stream->session);
        stream->has_failed = stream->options.write(stream->options.context, bytes,
                                                   length) != 0;
        sim_library_come_back();
    }
    if (!stream->has_failed)
        return (ssize_t)length;
    errno = EIO;
    return 0;
}

static int close_stream(void *stream)
{
    lib_mem_free(stream);
    return 0;
}

static FILE *open_stream(const struct hiaton_session *session,
                         const struct hiaton_record_options *options)
{
    struct stream *stream = lib_mem_new(sizeof *stream);
    const cookie_io_functions_t functions = {.write = write_stream,
                                             .close = close_stream};
    stream->session = session;
    stream->options = *options;
    FILE *file = fopencookie(stream, "w", functions);
    if (!file)
        lib_mem_exhausted(0);
    return file;
}

enum hiaton_status hiaton_session_record(struct hiaton_session *s,
                                         const struct hiaton_record_options *options)
{
    struct hiaton_record_options own;
    struct lib_diags diags = {0};
    if (!s || !sim_library_has_size(options))
        return HIATON_MISUSE;
    SIM_TAKE(own, options);
    if (s->has_begun || s->engine == SIM_ENGINE_INTERPRETER || !own.write) {
        sim_library_complain(&s->reporter, LIB_DIAG_USAGE,
                             !own.write     ? "nobody takes the recording"
                             : s->has_begun ? "the run has begun: it cannot be recorded"
                                            : "an untimed run cannot be recorded");
        return HIATON_MISUSE;
    }
    if (!sim_library_begin(s))
        return HIATON_REJECTED;
    const struct sim_recorder_config config = {.interval = own.interval,
                                               .checkpoint = own.checkpoint,
                                               .stream = open_stream(s, &own)};
    sim_library_enter(s);
    s->recorder = sim_recorder_new(&config, &s->session, s->simulation, &diags);
    sim_library_leave(s);
    sim_library_report(&s->reporter, &diags);
    return HIATON_OK;
}

bool sim_library_finish_recording(struct hiaton_session *s)
{
    struct lib_diags diags = {0};
    sim_library_describe(s);
    const struct sim_record record = sim_session_record(&s->session, &s->ending);
    sim_library_enter(s);
    const bool is_written = sim_recorder_finish(s->recorder, &record, &diags);
    sim_library_leave(s);
    s->recorder = NULL;
    sim_library_report(&s->reporter, &diags);
    return is_written;
}

/* --- replaying --------------------------------------------------------------------------- */

struct hiaton_recording {
    struct lib_text path;
    struct sim_source source;
    struct lib_text text, json; /* of the last replay */
};

struct hiaton_recording *hiaton_recording_open(const char *path,
                                               const struct hiaton_reporter *reporter)
{
    if (!path)
        return NULL;
    struct lib_diags diags = {0};
    struct hiaton_recording *r = lib_mem_new(sizeof *r);
    lib_text_puts(&r->path, path);
    const struct lib_world host = lib_world_enter();
    bool good = sim_source_open(&r->source, r->path.bytes, &diags);
    lib_world_leave(&host);
    const struct sim_recording *recording = &r->source.recording;
    if (good && !recording->run.has_events && !recording->is_complete &&
        !recording->marks.count) {
        lib_diag_plain(
            &diags, LIB_DIAG_FILE,
            "%s: the recorded run was interrupted: there is nothing to compare with",
            path);
        good = false;
    }
    sim_library_report(reporter, &diags);
    if (good)
        return r;
    hiaton_recording_free(r);
    return NULL;
}

/* The host's callback that watches a replay, and the locale and floating-point state of the
 * host. */
struct looker {
    struct hiaton_replay_options options;
    struct lib_world host;
};

static bool look_at_replay(const struct sim_simulation *simulation, void *context)
{
    const struct looker *l = context;
    struct hiaton_progress progress;
    if (!l->options.look)
        return true;
    if (simulation)
        sim_library_progress(simulation, &progress);
    lib_world_leave(&l->host);
    const bool goes_on = l->options.look(l->options.context,
                                         simulation ? &progress : NULL) == 0;
    (void)lib_world_enter();
    return goes_on;
}

static void write_found(struct hiaton_recording *r,
                        void (*add)(const void *context, struct lib_findings *f),
                        const void *context)
{
    lib_findings_write_from(LIB_FORM_TEXT, NULL, add, context, &r->text);
    lib_findings_write_from(LIB_FORM_JSON, NULL, add, context, &r->json);
}

static bool replay_run(struct hiaton_recording *r, const struct sim_session *session,
                       const struct sim_watch *watch, bool *is_same,
                       struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    struct sim_replay_report report = {0};
    const struct sim_recording *recording = &r->source.recording;
    const bool ended = (recording->is_complete ? sim_replay_run : sim_replay_unfinished)(
        recording, session, watch, arena, &report, diags);
    if (ended) {
        write_found(r, sim_replay_findings, &report);
        *is_same = report.is_same;
    }
    lib_arena_free(arena);
    return ended;
}

static bool replay_events(struct hiaton_recording *r, const struct sim_session *session,
                          const struct sim_watch *watch, bool *is_same,
                          struct lib_diags *diags)
{
    struct sim_event_replay_report report;
    const bool ended = sim_event_replay_run(&r->source, session, watch, &report, diags);
    if (ended) {
        write_found(r, sim_event_replay_findings, &report);
        *is_same = report.is_same;
    }
    sim_event_replay_free(&report);
    return ended;
}

enum hiaton_status hiaton_recording_replay(struct hiaton_recording *r,
                                           const struct hiaton_replay_options *options,
                                           struct hiaton_replay *replay,
                                           const struct hiaton_reporter *reporter)
{
    struct looker l;
    struct lib_diags diags = {0};
    struct sim_session session;
    bool is_same = false, ended = false;
    if (!r || (replay && !sim_library_has_size(replay)))
        return HIATON_MISUSE;
    SIM_TAKE(l.options, options);
    const struct sim_watch watch = {.look = look_at_replay, .context = &l};
    l.host = lib_world_enter();
    lib_text_clear(&r->text);
    lib_text_clear(&r->json);
    const struct sim_recording *recording = &r->source.recording;
    if (sim_recording_run_again(recording, l.options.program, l.options.sets,
                                l.options.set_count, &session, &diags))
        ended = (recording->run.has_events ? replay_events : replay_run)(
            r, &session, &watch, &is_same, &diags);
    lib_world_leave(&l.host);
    const bool is_wrong = diags.errors > 0;
    sim_library_report(reporter, &diags);
    sim_session_close(&session);
    const struct hiaton_replay found = {.is_same = is_same,
                                        .text = lib_text_get(&r->text),
                                        .json = lib_text_get(&r->json)};
    if (replay)
        SIM_GIVE(replay, found);
    return is_wrong  ? HIATON_REJECTED
           : !ended  ? HIATON_CANCELLED
           : is_same ? HIATON_OK
                     : HIATON_DIFFERS;
}

void hiaton_recording_free(struct hiaton_recording *r)
{
    if (!r)
        return;
    sim_source_close(&r->source);
    LIB_TEXT_FREE(&r->path, &r->text, &r->json);
    lib_mem_free(r);
}
