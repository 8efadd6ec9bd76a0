#include "sim/replay/recording.h"

#include <inttypes.h>
#include <string.h>

#include "isa/format/image.h"
#include "lib/file.h"
#include "sim/loading/file_kind.h"

const struct traces_chunks_kind sim_recording_kind = {
    TRACES_FOUR("HREC"), SIM_RECORDING_FORMAT, "a recording", SIM_RECORDING_OLDEST};
const struct traces_chunks_kind sim_events_kind = {TRACES_FOUR("HEVT"), SIM_EVENTS_FORMAT,
                                                   "a file of events", SIM_EVENTS_OLDEST};

/* --- writing ---------------------------------------------------------------------------------- */

static void add_chunk(struct traces_chunks_writer *file, uint32_t type,
                      struct lib_text *bytes)
{
    traces_chunks_add(file, type, 0, 0, lib_text_get(bytes), bytes->length);
    lib_text_clear(bytes);
}

/* Writes the files of settings and inputs, which refer to them by digest. */
static void add_files(struct traces_chunks_writer *file,
                      const struct sim_session *session, struct lib_text *bytes)
{
    const struct sim_settings *settings = &session->setup.settings;
    const struct isa_graph *graph = session->program.graph;
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const struct isa_given *f = sim_input_file(&graph->inputs[i],
                                                   session->inputs.values[i]);
        if (!f)
            continue;
        lib_text_add(bytes, f->source->bytes, f->source->length);
        add_chunk(file, SIM_RECORDING_FILE, bytes);
    }
    for (size_t i = 0; i < sim_setting_count; i++) {
        const struct lib_setting_file *f = lib_setting_file(settings, sim_setting_at(i));
        if (!f)
            continue;
        lib_text_add(bytes, f->source.bytes, f->source.length);
        add_chunk(file, SIM_RECORDING_FILE, bytes);
    }
}

void sim_recording_write_run(struct traces_chunks_writer *file,
                             const struct sim_session *session, bool series, bool profile,
                             const struct sim_recorded_events *events)
{
    LIB_TEXT_OWN bytes = {0};
    struct lib_arena *arena = lib_arena_new();
    struct sim_description d = sim_description_of(session, arena);
    d.series = series;
    d.profile = profile;
    d.has_events = events != NULL;
    if (events)
        d.events = *events;
    sim_description_write(&d, &bytes);
    lib_arena_free(arena);
    add_chunk(file, SIM_RECORDING_HEAD, &bytes);
    isa_image_write(session->program.graph, &bytes);
    add_chunk(file, SIM_RECORDING_IMAGE, &bytes);
    if (d.source) {
        lib_text_add(&bytes, d.source->bytes, d.source->length);
        add_chunk(file, SIM_RECORDING_SOURCE, &bytes);
    }
    add_files(file, session, &bytes);
    if (session->feeds && session->feeds->all.count)
        sim_recorded_feeds_write_known(file, session);
}

/* --- opening ------------------------------------------------------------------------------ */

/* Returns the first chunk of a type; NULL if none exists or, with a diagnostic, it is damaged. */
static const struct lib_source *read_chunk(struct sim_recording *r, const char *path,
                                           uint32_t type, struct lib_diags *diags)
{
    const size_t i = traces_chunks_find(r->chunks, 0, type);
    LIB_TEXT_OWN bytes = {0};
    struct lib_source *source = NULL;
    if (i < traces_chunks_count(r->chunks) &&
        traces_chunks_read(r->chunks, i, &bytes, diags)) {
        source = LIB_ARENA_NEW(r->arena, struct lib_source);
        source->name = lib_arena_copy(r->arena, path, strlen(path));
        source->length = bytes.length;
        source->bytes = lib_arena_keep(r->arena, &bytes);
    }
    return source;
}

static bool report_damage(struct lib_diags *diags, const char *path, const char *text)
{
    lib_diag_plain(diags, LIB_DIAG_FILE, "%s: %s", path, text);
    return false;
}

bool sim_recording_run_again(const struct sim_recording *r, const char *program,
                             const char *const *sets, size_t set_count,
                             struct sim_session *s, struct lib_diags *diags)
{
    return sim_description_open(&r->run, program, sets, set_count, s, diags) &&
           sim_recorded_feeds_fit(r, s->program.graph, diags);
}

static bool read_files(struct sim_recording *r, struct lib_diags *diags)
{
    LIB_TEXT_OWN bytes = {0};
    bool good = true;
    const size_t count = traces_chunks_count(r->chunks);
    r->run.files.arena = r->arena;
    for (size_t i = 0; good && i < count; i++) {
        if (traces_chunks_get(r->chunks, i)->type != SIM_RECORDING_FILE)
            continue;
        good = traces_chunks_read(r->chunks, i, &bytes, diags);
        sim_setting_files_keep(&r->run.files, lib_text_get(&bytes), bytes.length);
    }
    return good;
}

static bool read_head(struct sim_recording *r, const char *path, struct lib_diags *diags)
{
    const struct lib_source *json = read_chunk(r, path, SIM_RECORDING_HEAD, diags);
    r->run.image = read_chunk(r, path, SIM_RECORDING_IMAGE, diags);
    r->run.source = read_chunk(r, path, SIM_RECORDING_SOURCE, diags);
    if (diags->errors)
        return false;
    if (!json || !r->run.image)
        return report_damage(diags, path, "it does not say what ran");
    if (!sim_description_read(&r->run, r->arena, json, diags) || !read_files(r, diags))
        return false;
    r->energy = r->run.energy != NULL;
    return sim_recording_run_again(r, NULL, NULL, 0, &r->session, diags) &&
           sim_recorded_feeds_read(r, path, diags);
}

static bool read_rest(struct sim_recording *r, const char *path, struct lib_diags *diags)
{
    const struct lib_source *digests = read_chunk(r, path, SIM_RECORDING_DIGESTS, diags);
    const struct lib_source *ending = read_chunk(r, path, SIM_RECORDING_ENDING, diags);
    if (diags->errors)
        return false;
    if (!digests || !ending)
        return report_damage(diags, path, "it does not say how the run ended");
    struct lib_pack pack = lib_pack_reader(digests->bytes, digests->length);
    traces_digests_pack(&pack, &r->digests);
    if (!lib_pack_is_whole(&pack) || r->digests.totals.count == 0)
        return report_damage(diags, path, "invalid digests");
    r->ending = ending->bytes;
    r->is_complete = true;
    return true;
}

bool sim_recording_refuse(struct sim_recording *r, const char *path, const char *wanted,
                          struct lib_diags *diags)
{
    *r = (struct sim_recording){.arena = lib_arena_new()};
    const struct lib_source *file = lib_file_read_as(r->arena, path, "the recording",
                                                     diags);
    if (file && sim_file_check(file, wanted, SIM_FILE_OTHER, diags))
        lib_diag_plain(diags, LIB_DIAG_FILE, "%s: expected %s, found something else",
                       path, wanted);
    return false;
}

/* Warns if the file is unfinished. */
static bool open_chunks(struct sim_recording *r, const char *path,
                        const struct traces_chunks_kind *kind, struct lib_diags *diags)
{
    if (!traces_chunks_is(path, kind))
        return sim_recording_refuse(r, path, kind->name, diags);
    *r = (struct sim_recording){.arena = lib_arena_new(), .path = path};
    r->chunks = traces_chunks_open(path, kind, diags);
    if (r->chunks && traces_chunks_damage(r->chunks))
        lib_diag_warning(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0}, "%s: %s", path,
                         traces_chunks_damage(r->chunks));
    return r->chunks;
}

bool sim_recording_open_events(struct sim_recording *r, const char *path,
                               struct lib_diags *diags)
{
    if (!open_chunks(r, path, &sim_events_kind, diags) || !read_head(r, path, diags))
        return false;
    return r->run.has_events ||
           report_damage(diags, path, "it does not say which events it has");
}

bool sim_recording_open(struct sim_recording *r, const char *path,
                        struct lib_diags *diags)
{
    if (!open_chunks(r, path, &sim_recording_kind, diags))
        return false;
    if (traces_chunks_damage(r->chunks))
        return read_head(r, path, diags);
    return traces_chunks_verify(r->chunks, diags) && read_head(r, path, diags) &&
           read_rest(r, path, diags);
}

void sim_recording_close(struct sim_recording *r)
{
    traces_chunks_close(r->chunks);
    traces_digests_free(&r->digests);
    if (r->session.arena)
        sim_session_close(&r->session);
    sim_setting_files_free(&r->run.files);
    sim_feeds_free(&r->run.feeds);
    LIB_VEC_FREE(&r->marks);
    lib_arena_free(r->arena);
}

/* --- checkpoints ---------------------------------------------------------------------------- */

size_t sim_recording_checkpoint(const struct sim_recording *r, uint64_t cycle)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < traces_chunks_count(r->chunks); i++) {
        const struct traces_chunk *c = traces_chunks_get(r->chunks, i);
        if (c->type == SIM_RECORDING_CHECKPOINT && c->from <= cycle)
            last = i;
    }
    return last;
}

/* Whether the checkpoints have this program's model and format. */
static bool is_understood(const struct sim_recording *r, struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    const struct sim_described_host here = sim_described_here(arena);
    const bool same_model = strcmp(r->run.by.model, here.model) == 0;
    const bool same = same_model && strcmp(r->run.by.format, here.format) == 0;
    if (!same)
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "%s: its checkpoints are of %s %s, and this is hiaton %s, with %s "
                       "%s; hiaton %s has written it",
                       r->run.image->name, same_model ? "format" : "model",
                       same_model ? r->run.by.format : r->run.by.model, here.version,
                       same_model ? "format" : "model",
                       same_model ? here.format : here.model, r->run.by.version);
    lib_arena_free(arena);
    return same;
}

bool sim_recording_restore(struct sim_recording *r, size_t checkpoint,
                           struct sim_simulation *simulation, struct lib_diags *diags)
{
    LIB_TEXT_OWN bytes = {0};
    bool restored = is_understood(r, diags) &&
                    traces_chunks_read(r->chunks, checkpoint, &bytes, diags);
    const struct traces_chunk *c = traces_chunks_get(r->chunks, checkpoint);
    if (restored &&
        (!sim_simulation_restore(simulation, lib_text_get(&bytes), bytes.length) ||
         sim_simulation_cycle(simulation) != c->from)) {
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "the checkpoint at cycle %" PRIu64 " is not one of this machine",
                       c->from);
        restored = false;
    }
    return restored;
}
