/* Fuzz target: a recording. The input says which run is recorded, and how the file is damaged
 * (tests/fuzz/recorded.h). It is refused; or it can be replayed, gone on with from each of its
 * checkpoints, and read as a source of events. One that was not damaged holds. */
#include "tests/fuzz/recorded.h"

#include "sim/explain/trace_info.h"
#include "sim/replay/recorder.h"
#include "sim/replay/replay.h"
#include "sim/replay/source.h"

#include <stdio.h>
#include <unistd.h>

enum { CHECKPOINT = 30, MAX_TOKENS = 1000 };

static void record(const struct sim_session *run, const char *path, unsigned observes)
{
    struct lib_diags diags = {0};
    struct sim_simulation_config config = sim_session_config(run);
    const struct sim_recorder_config to = {.path = path, .checkpoint = CHECKPOINT};
    struct sim_ending ending;
    config.series = config.profile = observes;
    struct sim_simulation *s = sim_simulation_open(&config, &diags);
    struct sim_recorder *recorder = s ? sim_recorder_new(&to, run, s, &diags) : NULL;
    if (!recorder)
        fuzz_fail("cannot record: %s", diags.items[0].text);
    sim_recorder_advance(recorder);
    sim_simulation_close(s, &ending);
    const struct sim_record measured = sim_session_record(run, &ending);
    if (!sim_recorder_finish(recorder, &measured, &diags))
        fuzz_fail("cannot record: %s", diags.items[0].text);
    sim_ending_free(&ending);
}

/* Returns whether it is the same run. */
static bool replay(const struct sim_recording *recording)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    struct lib_text text = {0};
    struct sim_replay_report report = {0};
    const bool ended = sim_replay_run(recording, &recording->session, NULL, arena,
                                      &report, &diags);
    fuzz_diags(&diags, !ended);
    if (ended) {
        lib_findings_write_from(LIB_FORM_TEXT, NULL, sim_replay_findings, &report, &text);
        lib_findings_write_from(LIB_FORM_JSON, NULL, sim_replay_findings, &report, &text);
    }
    lib_text_free(&text);
    lib_arena_free(arena);
    return ended && report.is_same;
}

static void go_on(struct sim_recording *recording, size_t checkpoint)
{
    struct lib_diags diags = {0};
    struct sim_simulation_config config = sim_session_config(&recording->session);
    struct sim_ending ending;
    const struct sim_until until = {.tokens = MAX_TOKENS};
    config.series = recording->run.series;
    config.profile = recording->run.profile;
    struct sim_simulation *s = sim_simulation_open(&config, &diags);
    if (!s)
        fuzz_fail("cannot go on: %s", diags.items[0].text);
    const bool restored = sim_recording_restore(recording, checkpoint, s, &diags);
    fuzz_diags(&diags, !restored);
    if (restored)
        sim_simulation_advance(s, &until);
    sim_simulation_close(s, &ending);
    sim_ending_free(&ending);
}

static void ignore(void *context, const struct traces_event *events, size_t count)
{
    (void)context, (void)events, (void)count;
}

static void read_events(struct sim_source *source)
{
    const struct traces_event_sink sink = {TRACES_LEVEL_QUEUES, ignore, NULL};
    struct lib_diags diags = {0};
    struct sim_trace_info info = {0};
    struct lib_text text = {0};
    const bool read = sim_source_read(source, (struct sim_source_window){50, 90}, &sink,
                                      1, NULL, &diags);
    fuzz_diags(&diags, !read);
    diags = (struct lib_diags){0};
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

static void use(const struct sim_session *run, struct sim_source *source, unsigned what,
                bool is_edited)
{
    struct sim_recording *r = &source->recording;
    if (!fuzz_is_run(run, &r->session.setup.settings))
        return;
    if (what == 0 && r->is_complete && !replay(r) && !is_edited)
        fuzz_fail("a recording does not hold");
    for (size_t i = 0; what == 1 && i < traces_chunks_count(r->chunks); i++)
        if (traces_chunks_get(r->chunks, i)->type == SIM_RECORDING_CHECKPOINT)
            go_on(r, i);
    if (what == 2)
        read_events(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes input = {data, size};
    char path[128];
    struct lib_diags diags = {0};
    struct sim_source source;
    const struct sim_session *run = fuzz_run("recording", fuzz_byte(&input));
    snprintf(path, sizeof path, "%s/%ld.rec", fuzz_folder("recording"), (long)getpid());
    const unsigned how = fuzz_byte(&input);
    const char *whole = fuzz_kept("recording", run, how % 2, record);
    const bool is_edited = fuzz_edit_file(&input, whole, path, &sim_recording_kind);
    const bool opened = sim_source_open(&source, path, &diags);
    fuzz_diags(&diags, !opened);
    if (opened)
        use(run, &source, how / 2 % 3, is_edited);
    else if (!is_edited)
        fuzz_fail("a recording is refused");
    sim_source_close(&source);
    unlink(path);
    return 0;
}
