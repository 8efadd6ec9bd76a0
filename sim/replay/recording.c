#include "config.h"

#include "sim/replay/recording.h"

#include <inttypes.h>
#include <string.h>

#include "isa/format/image.h"
#include "lib/fields.h"
#include "lib/file.h"
#include "machine/checkpoint.h"
#include "sim/loading/file_kind.h"
#include "sim/loading/model.h"
#include "sim/session/host.h"

const struct traces_chunks_kind sim_recording_kind = {
    TRACES_FOUR("HREC"), SIM_RECORDING_FORMAT, "a recording", SIM_RECORDING_OLDEST};
const struct traces_chunks_kind sim_events_kind = {TRACES_FOUR("HEVT"), SIM_EVENTS_FORMAT,
                                                   "a file of events", SIM_EVENTS_OLDEST};

/* --- HEAD: writing --------------------------------------------------------------------------- */

static const char *keep(struct lib_arena *arena, void (*add)(struct lib_text *out))
{
    struct lib_text text = {0};
    add(&text);
    const char *kept = lib_arena_copy(arena, lib_text_get(&text), text.length);
    lib_text_free(&text);
    return kept;
}

struct sim_recorded_by sim_recorded_here(struct lib_arena *arena)
{
    return (struct sim_recorded_by){
        .version = PACKAGE_VERSION,
        .model = lib_arena_printf(arena, "%d", SIM_MODEL_VERSION),
        .format = lib_arena_printf(arena, "%d", MACHINE_CHECKPOINT_FORMAT),
        .cpu = keep(arena, sim_host_processor),
        .features = keep(arena, sim_host_features),
        .library = keep(arena, sim_host_library),
    };
}

static void write_by(struct lib_json *json)
{
    struct lib_arena *arena = lib_arena_new();
    const struct sim_recorded_by by = sim_recorded_here(arena);
    lib_json_open(json, "by", '{');
    lib_json_string(json, "version", by.version);
    lib_json_string(json, "model", by.model);
    lib_json_string(json, "checkpoints", by.format);
    lib_json_string(json, "cpu", by.cpu);
    lib_json_string(json, "features", by.features);
    lib_json_string(json, "library", by.library);
    lib_json_close(json);
    lib_arena_free(arena);
}

/* All of them, so that no preset of another version can change what they are. */
static void write_settings(const struct machine_settings *settings, struct lib_json *json)
{
    struct lib_text value = {0};
    lib_json_open(json, "settings", '{');
    for (size_t i = 0; i < machine_setting_count; i++) {
        lib_text_clear(&value);
        machine_setting_write(settings, &machine_setting_table[i], &value);
        lib_json_string(json, machine_setting_table[i].key, lib_text_get(&value));
    }
    lib_json_close(json);
    lib_text_free(&value);
}

static void write_inputs(const struct sim_session *session, struct lib_json *json)
{
    const struct isa_graph *graph = session->program.graph;
    struct lib_text value = {0};
    lib_json_open(json, "inputs", '{');
    for (uint32_t i = 0; i < graph->input_count; i++) {
        if (!session->inputs.given[i])
            continue; /* the image says what it is */
        lib_text_clear(&value);
        isa_value_write(&value, graph->inputs[i].type, session->inputs.values[i]);
        lib_json_string(json, graph->inputs[i].name, lib_text_get(&value));
    }
    lib_json_close(json);
    lib_text_free(&value);
}

/* What is measured of the run, where that is not all, or more than counts. */
static void write_measures(const struct sim_session *session, struct lib_json *json)
{
    const struct analysis_energy *energy = session->setup.energy;
    if (session->window.text)
        lib_json_string(json, "window", session->window.text);
    if (!energy)
        return;
    lib_json_string(json, "energy_name", energy->name);
    lib_json_string(json, "energy", energy->text);
}

/* Each text of a filter, and its key. */
#define FILTER_TEXTS(ROW) ROW(pe) ROW(function) ROW(line) ROW(below)

static void write_events(const struct sim_recorded_events *events, struct lib_json *json)
{
    lib_json_open(json, "events", '{');
    lib_json_string(json, "level", traces_level_table[events->level].text);
#define ROW(name)                                                                        \
    if (events->filter.name)                                                             \
        lib_json_string(json, #name, events->filter.name);
    FILTER_TEXTS(ROW)
#undef ROW
    if (events->from != 0)
        lib_json_uint(json, "from", events->from);
    if (events->to != UINT64_MAX)
        lib_json_uint(json, "to", events->to);
    lib_json_close(json);
}

static void write_head(const struct sim_session *session, bool series, bool profile,
                       const struct sim_recorded_events *events, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    write_by(&json);
    lib_json_string(&json, "machine", session->setup.machine);
    lib_json_bool(&json, "preset", session->setup.is_preset);
    lib_json_uint(&json, "seed", session->seed);
    lib_json_bool(&json, "series", series);
    lib_json_bool(&json, "profile", profile);
    write_measures(session, &json);
    write_settings(&session->setup.settings, &json);
    write_inputs(session, &json);
    if (events)
        write_events(events, &json);
    lib_json_close(&json);
}

/* Adds a chunk, and clears its bytes. */
static void add_chunk(struct traces_chunks_writer *file, uint32_t type,
                      struct lib_text *bytes)
{
    traces_chunks_add(file, type, 0, 0, lib_text_get(bytes), bytes->length);
    lib_text_clear(bytes);
}

/* The bytes; which setting has them its digest says. */
static void add_files(struct traces_chunks_writer *file,
                      const struct machine_settings *settings, struct lib_text *bytes)
{
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct machine_file *f = machine_setting_file(settings,
                                                            &machine_setting_table[i]);
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
    struct lib_text bytes = {0};
    write_head(session, series, profile, events, &bytes);
    add_chunk(file, SIM_RECORDING_HEAD, &bytes);
    isa_image_write(session->program.graph, &bytes);
    add_chunk(file, SIM_RECORDING_IMAGE, &bytes);
    const struct lib_source *source = sim_program_source(&session->program);
    if (source) {
        lib_text_add(&bytes, source->bytes, source->length);
        add_chunk(file, SIM_RECORDING_SOURCE, &bytes);
    }
    add_files(file, &session->setup.settings, &bytes);
    lib_text_free(&bytes);
    if (session->feeds && session->feeds->all.count)
        sim_recorded_feeds_write_known(file, session);
}

/* --- HEAD: reading --------------------------------------------------------------------------- */

#define TEXT_FIELD(name, place)                                                          \
    static void read_##name(struct lib_fields *r, size_t i, void *into)                  \
    {                                                                                    \
        struct sim_recording *recording = into;                                          \
        lib_fields_text(r, i, &recording->place);                                        \
    }
TEXT_FIELD(machine, run.machine)
TEXT_FIELD(version, by.version)
TEXT_FIELD(model, by.model)
TEXT_FIELD(format, by.format)
TEXT_FIELD(cpu, by.cpu)
TEXT_FIELD(features, by.features)
TEXT_FIELD(library, by.library)
TEXT_FIELD(window, run.window)
TEXT_FIELD(energy_name, run.energy_name)
TEXT_FIELD(energy, run.energy)
#define ROW(name) TEXT_FIELD(name, events.filter.name)
FILTER_TEXTS(ROW)
#undef ROW
#undef TEXT_FIELD

static void read_preset(struct lib_fields *r, size_t i, void *into)
{
    struct sim_recording *recording = into;
    lib_fields_bool(r, i, &recording->run.is_preset);
}

static void read_series(struct lib_fields *r, size_t i, void *into)
{
    struct sim_recording *recording = into;
    lib_fields_bool(r, i, &recording->series);
}

static void read_profile(struct lib_fields *r, size_t i, void *into)
{
    struct sim_recording *recording = into;
    lib_fields_bool(r, i, &recording->profile);
}

static void read_seed(struct lib_fields *r, size_t i, void *into)
{
    struct sim_recording *recording = into;
    lib_fields_whole(r, i, 0, UINT64_MAX, &recording->run.seed);
}

static void read_by(struct lib_fields *r, size_t i, void *into)
{
    static const struct lib_field fields[] = {
        {.name = "version", .read = read_version},
        {.name = "model", .read = read_model},
        {.name = "checkpoints", .read = read_format},
        {.name = "cpu", .read = read_cpu},
        {.name = "features", .read = read_features},
        {.name = "library", .read = read_library},
    };
    lib_fields_mapping(r, i, "`by`", fields, sizeof fields / sizeof *fields, into);
}

static void read_level(struct lib_fields *r, size_t i, void *into)
{
    static const char *const names[] = {
#define LEVEL(NAME, text, help) text,
#include "traces/events.def"
    };
    struct sim_recording *recording = into;
    unsigned level = 0;
    lib_fields_choice(r, i, names, TRACES_LEVEL_COUNT, &level);
    recording->events.level = level;
}

static void read_from(struct lib_fields *r, size_t i, void *into)
{
    struct sim_recording *recording = into;
    lib_fields_whole(r, i, 0, UINT64_MAX, &recording->events.from);
}

static void read_to(struct lib_fields *r, size_t i, void *into)
{
    struct sim_recording *recording = into;
    lib_fields_whole(r, i, 0, UINT64_MAX, &recording->events.to);
}

static void read_events(struct lib_fields *r, size_t i, void *into)
{
    static const struct lib_field fields[] = {{.name = "level", .read = read_level},
                                              {.name = "from", .read = read_from},
                                              {.name = "to", .read = read_to},
#define ROW(key) {.name = #key, .read = read_##key},
                                              FILTER_TEXTS(ROW)
#undef ROW
    };
    struct sim_recording *recording = into;
    recording->has_events = true;
    recording->events.to = UINT64_MAX;
    lib_fields_mapping(r, i, "`events`", fields, sizeof fields / sizeof *fields, into);
}

/* "KEY=VALUE" of each entry of a mapping. */
static size_t read_pairs(struct lib_fields *r, size_t i, const char ***pairs)
{
    const size_t prefix = strlen(lib_fields_entry(r, i)->key) + 1;
    const char *value;
    size_t count = 0;
    *pairs = LIB_ARENA_ARRAY(r->arena, const char *, r->yaml->count);
    for (size_t k = i; (k = lib_fields_inside(r, i, k)) != SIZE_MAX;)
        if (lib_fields_text(r, k, &value))
            (*pairs)[count++] = lib_arena_printf(
                r->arena, "%s=%s", lib_fields_entry(r, k)->key + prefix, value);
    return count;
}

static void read_settings(struct lib_fields *r, size_t i, void *into)
{
    struct sim_recording *recording = into;
    recording->run.set_count = read_pairs(r, i, &recording->run.sets);
}

static void read_inputs(struct lib_fields *r, size_t i, void *into)
{
    struct sim_recording *recording = into;
    recording->run.input_count = read_pairs(r, i, &recording->run.inputs);
}

static bool parse_head(struct sim_recording *recording, const struct lib_source *source,
                       struct lib_diags *diags)
{
    static const struct lib_field fields[] = {
        {.name = "by", .read = read_by},
        {.name = "machine", .read = read_machine},
        {.name = "preset", .read = read_preset},
        {.name = "seed", .read = read_seed},
        {.name = "series", .read = read_series},
        {.name = "profile", .read = read_profile},
        {.name = "window", .read = read_window},
        {.name = "energy_name", .read = read_energy_name},
        {.name = "energy", .read = read_energy},
        {.name = "settings", .read = read_settings},
        {.name = "inputs", .read = read_inputs},
        {.name = "events", .read = read_events},
    };
    const size_t errors = diags->errors;
    struct lib_yaml yaml;
    if (lib_yaml_read(&yaml, recording->arena, source, diags)) {
        struct lib_fields r = {recording->arena, source, &yaml, diags};
        lib_fields_mapping(&r, LIB_WHOLE, "a recording", fields,
                           sizeof fields / sizeof *fields, recording);
    }
    lib_yaml_free(&yaml);
    const struct sim_recorded_by *by = &recording->by;
    if (diags->errors == errors &&
        (!recording->run.machine || !by->version || !by->model || !by->format ||
         !by->cpu || !by->features || !by->library))
        lib_diag_error(diags, LIB_DIAG_FILE, source, (struct lib_pos){0},
                       "it does not say what ran, or where");
    return diags->errors == errors;
}

/* --- opening ------------------------------------------------------------------------------ */

/* The bytes of the first chunk of a type, in the arena; NULL: there is none, or it is damaged. */
static const struct lib_source *read_chunk(struct sim_recording *r, const char *path,
                                           uint32_t type, struct lib_diags *diags)
{
    const size_t i = traces_chunks_find(r->chunks, 0, type);
    struct lib_text bytes = {0};
    struct lib_source *source = NULL;
    if (i < traces_chunks_count(r->chunks) &&
        traces_chunks_read(r->chunks, i, &bytes, diags)) {
        source = LIB_ARENA_NEW(r->arena, struct lib_source);
        source->name = lib_arena_copy(r->arena, path, strlen(path));
        source->bytes = lib_arena_copy(r->arena, lib_text_get(&bytes), bytes.length);
        source->length = bytes.length;
    }
    lib_text_free(&bytes);
    return source;
}

static bool fail(struct lib_diags *diags, const char *path, const char *text)
{
    lib_diag_error(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0}, "%s: %s", path, text);
    return false;
}

/* The table of energies, if there is one. */
static bool read_table(const struct sim_recorded_run *run, struct sim_session *s,
                       struct lib_diags *diags)
{
    if (!run->energy || !run->energy_name)
        return true;
    struct analysis_energy *table = LIB_ARENA_NEW(s->arena, struct analysis_energy);
    struct lib_source *source = LIB_ARENA_NEW(s->arena, struct lib_source);
    *source = (struct lib_source){run->energy_name, run->energy, strlen(run->energy)};
    s->setup.energy = table;
    return analysis_energy_read(table, run->energy_name, s->arena, source, diags);
}

bool sim_recording_run_again(const struct sim_recording *r, const char *program,
                             const char *const *sets, size_t set_count,
                             struct sim_session *s, struct lib_diags *diags)
{
    const struct sim_recorded_run *run = &r->run;
    struct sim_setting_files files = {.kept = run->files.kept};
    *s = (struct sim_session){.arena = lib_arena_new(), .seed = run->seed};
    const char **all = LIB_ARENA_ARRAY(s->arena, const char *,
                                       run->set_count + set_count);
    memcpy(all, run->sets, run->set_count * sizeof *all);
    if (set_count)
        memcpy(all + run->set_count, sets, set_count * sizeof *all);
    files.arena = s->arena;
    const bool is_set = sim_setup_load_with(&s->setup, &files,
                                            run->is_preset ? run->machine : NULL, all,
                                            run->set_count + set_count, diags);
    LIB_VEC_FREE(&files.read);
    if (!is_set)
        return false;
    s->setup.machine = run->machine;
    s->setup.is_preset = run->is_preset;
    if (!run->is_preset)
        machine_settings_default(&s->setup.preset);
    if (program) {
        if (!sim_program_open(&s->program, program, diags))
            return false;
    } else {
        s->program = (struct sim_program){.arena = lib_arena_new(),
                                          .file = run->image,
                                          .kind = SIM_IMAGE,
                                          .is_recorded = true};
    }
    if (!sim_program_finish(&s->program, &s->setup.settings, ISA_STAGE_COUNT, diags) ||
        !sim_inputs_read(&s->inputs, s->arena, s->program.graph, run->inputs,
                         run->input_count, diags) ||
        !sim_session_measure(s, run->window, NULL, diags) || !read_table(run, s, diags))
        return false;
    sim_session_prepare(s);
    s->feeds = &run->feeds;
    return sim_recorded_feeds_fit(r, s->program.graph, diags);
}

/* The files of settings. */
static bool read_files(struct sim_recording *r, struct lib_diags *diags)
{
    struct lib_text bytes = {0};
    bool good = true;
    const size_t count = traces_chunks_count(r->chunks);
    r->run.files.arena = r->arena;
    for (size_t i = 0; good && i < count; i++) {
        if (traces_chunks_get(r->chunks, i)->type != SIM_RECORDING_FILE)
            continue;
        good = traces_chunks_read(r->chunks, i, &bytes, diags);
        sim_setting_files_keep(&r->run.files, lib_text_get(&bytes), bytes.length);
    }
    lib_text_free(&bytes);
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
        return fail(diags, path, "it does not say what ran");
    if (!parse_head(r, json, diags) || !read_files(r, diags))
        return false;
    r->energy = r->run.energy != NULL;
    return sim_recording_run_again(r, NULL, NULL, 0, &r->session, diags) &&
           sim_recorded_feeds_read(r, path, diags);
}

/* What stands at the end. */
static bool read_rest(struct sim_recording *r, const char *path, struct lib_diags *diags)
{
    const struct lib_source *digests = read_chunk(r, path, SIM_RECORDING_DIGESTS, diags);
    const struct lib_source *ending = read_chunk(r, path, SIM_RECORDING_ENDING, diags);
    if (diags->errors)
        return false;
    if (!digests || !ending)
        return fail(diags, path, "it does not say how the run ended");
    struct lib_pack pack = lib_pack_reader(digests->bytes, digests->length);
    traces_digests_pack(&pack, &r->digests);
    if (!lib_pack_is_whole(&pack) || r->digests.totals.count == 0)
        return fail(diags, path, "its digests are none");
    r->ending = ending->bytes;
    r->is_complete = true;
    return true;
}

bool sim_recording_refuse(struct sim_recording *r, const char *path, const char *wanted,
                          struct lib_diags *diags)
{
    *r = (struct sim_recording){.arena = lib_arena_new()};
    const struct lib_source *file = lib_file_read(r->arena, path, diags);
    if (file && sim_file_check(file, wanted, SIM_FILE_OTHER, diags))
        lib_diag_error(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                       "%s: expected %s, found something else", path, wanted);
    return false;
}

/* Warns of a file that is not whole. */
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
    return r->has_events || fail(diags, path, "it does not say which events it has");
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

/* Whether checkpoints of the recording mean here what they meant there. */
static bool is_understood(const struct sim_recording *r, struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    const struct sim_recorded_by here = sim_recorded_here(arena);
    const bool same_model = strcmp(r->by.model, here.model) == 0;
    const bool same = same_model && strcmp(r->by.format, here.format) == 0;
    if (!same)
        lib_diag_error(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                       "%s: its checkpoints are of %s %s, and this is hiaton %s, with %s "
                       "%s; hiaton %s has written it",
                       r->run.image->name, same_model ? "format" : "model",
                       same_model ? r->by.format : r->by.model, here.version,
                       same_model ? "format" : "model",
                       same_model ? here.format : here.model, r->by.version);
    lib_arena_free(arena);
    return same;
}

bool sim_recording_restore(struct sim_recording *r, size_t checkpoint,
                           struct sim_simulation *simulation, struct lib_diags *diags)
{
    struct lib_text bytes = {0};
    bool restored = is_understood(r, diags) &&
                    traces_chunks_read(r->chunks, checkpoint, &bytes, diags);
    const struct traces_chunk *c = traces_chunks_get(r->chunks, checkpoint);
    if (restored &&
        (!sim_simulation_restore(simulation, lib_text_get(&bytes), bytes.length) ||
         sim_simulation_cycle(simulation) != c->from)) {
        lib_diag_error(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                       "the checkpoint at cycle %" PRIu64 " is not one of this machine",
                       c->from);
        restored = false;
    }
    lib_text_free(&bytes);
    return restored;
}
