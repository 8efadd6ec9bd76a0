#include "config.h"

#include "sim/session/description.h"

#include <stddef.h>
#include <string.h>

#include "lib/fields.h"
#include "lib/json.h"
#include "machine/checkpoint.h"
#include "sim/loading/model.h"
#include "sim/session/host.h"

#define MEMBER(member) .place = offsetof(struct sim_description, member)
#define BY(key_, member)                                                                 \
    .group = "by", .key = key_, MEMBER(by.member), .is_required = true
#define EVENTS(key_, kind_)                                                              \
    .group = "events", .key = #key_, MEMBER(events.key_), .kind = SIM_DESCRIBED_##kind_
#define FILTER(key_) .group = "events", .key = #key_, MEMBER(events.filter.key_)

/* In the order of file headers. */
const struct sim_described_field sim_described_fields[] = {
    {BY("version", version), .column = "version", .cause = "version"},
    {BY("model", model), .host = "model", .since = 3, .cause = "model"},
    {BY("checkpoints", format)},
    {BY("cpu", cpu), .host = "cpu", .cause = "processor"},
    {BY("features", features), .host = "features", .since = 3, .cause = "its features"},
    {BY("library", c_library), .host = "library", .since = 3, .cause = "library"},
    {.key = "machine", MEMBER(machine), .is_required = true, .column = "machine"},
    {.key = "preset", MEMBER(is_preset), .kind = SIM_DESCRIBED_FLAG},
    {.key = "seed", MEMBER(seed), .kind = SIM_DESCRIBED_NUMBER, .column = "seed"},
    {.key = "series", MEMBER(series), .kind = SIM_DESCRIBED_FLAG},
    {.key = "profile", MEMBER(profile), .kind = SIM_DESCRIBED_FLAG},
    {.key = "window", MEMBER(window), .column = "window"},
    {.key = "energy_name", MEMBER(energy_name), .column = "energy_table"},
    {.key = "energy", MEMBER(energy)},
    {.key = "settings", MEMBER(settings), .kind = SIM_DESCRIBED_PAIRS},
    {.key = "inputs", MEMBER(inputs), .kind = SIM_DESCRIBED_PAIRS},
    {EVENTS(level, LEVEL)},
    {FILTER(pe)},
    {FILTER(function)},
    {FILTER(line)},
    {FILTER(below)},
    {EVENTS(from, BOUND)},
    {EVENTS(to, BOUND), .unless = UINT64_MAX},
};
const size_t sim_described_field_count = sizeof sim_described_fields /
                                         sizeof *sim_described_fields;
#define FOR_EACH(f)                                                                      \
    for (const struct sim_described_field *f = sim_described_fields;                     \
         f < sim_described_fields + sim_described_field_count; f++)

static void *place_of(struct sim_description *d, const struct sim_described_field *f)
{
    return (char *)d + f->place;
}

static const void *value_of(const struct sim_description *d,
                            const struct sim_described_field *f)
{
    return (const char *)d + f->place;
}

const char *sim_described_text(const struct sim_description *d,
                               const struct sim_described_field *f)
{
    return *(const char *const *)value_of(d, f);
}

void sim_described_set_text(struct sim_description *d,
                            const struct sim_described_field *f, const char *text)
{
    *(const char **)place_of(d, f) = text;
}

void sim_described_set_number(struct sim_description *d,
                              const struct sim_described_field *f, uint64_t number)
{
    *(uint64_t *)place_of(d, f) = number;
}

/* --- of a session --------------------------------------------------------------------- */

static const char *keep_text(struct lib_arena *arena, void (*add)(struct lib_text *out))
{
    struct lib_text text = {0};
    add(&text);
    return lib_arena_keep(arena, &text);
}

struct sim_described_host sim_described_here(struct lib_arena *arena)
{
    return (struct sim_described_host){
        .version = PACKAGE_VERSION,
        .model = lib_arena_printf(arena, "%d", SIM_MODEL_VERSION),
        .format = lib_arena_printf(arena, "%d", MACHINE_CHECKPOINT_FORMAT),
        .cpu = keep_text(arena, sim_host_processor),
        .features = keep_text(arena, sim_host_features),
        .c_library = keep_text(arena, sim_host_library),
    };
}

/* Lists all settings, as presets may differ in another version. */
static void list_settings(const struct sim_settings *settings, struct lib_arena *arena,
                          struct sim_described_pairs *pairs)
{
    LIB_TEXT_OWN value = {0};
    struct machine_class_row made;
    const struct lib_setting *s;
    size_t count = 0;
    while (sim_setting_of(settings, count, &made))
        count++;
    pairs->items = LIB_ARENA_ARRAY(arena, const char *, count);
    for (size_t i = 0; (s = sim_setting_of(settings, i, &made)); i++) {
        lib_text_clear(&value);
        lib_setting_write(settings, s, &value);
        pairs->items[pairs->count++] = lib_arena_printf(arena, "%s=%s", s->key,
                                                        lib_text_get(&value));
    }
}

/* Lists the inputs that the user gave; the image has the other values. */
static void list_inputs(const struct sim_session *session, struct lib_arena *arena,
                        struct sim_described_pairs *pairs)
{
    const struct isa_graph *graph = session->program.graph;
    LIB_TEXT_OWN value = {0};
    pairs->items = LIB_ARENA_ARRAY(arena, const char *, graph->input_count);
    for (uint32_t i = 0; i < graph->input_count; i++) {
        if (!session->inputs.given[i])
            continue;
        lib_text_clear(&value);
        sim_input_write(&value, &graph->inputs[i], session->inputs.values[i]);
        pairs->items[pairs->count++] = lib_arena_printf(
            arena, "%s=%s", graph->inputs[i].name, lib_text_get(&value));
    }
}

struct sim_description sim_description_of(const struct sim_session *session,
                                          struct lib_arena *arena)
{
    const struct analysis_energy *energy = session->setup.energy;
    struct sim_description d = {
        .by = sim_described_here(arena),
        .machine = session->setup.machine,
        .is_preset = session->setup.is_preset,
        .seed = session->seed,
        .window = session->window.text,
        .energy_name = energy ? energy->name : NULL,
        .energy = energy ? energy->text : NULL,
        .source = sim_program_source(&session->program),
    };
    list_settings(&session->setup.settings, arena, &d.settings);
    list_inputs(session, arena, &d.inputs);
    return d;
}

/* --- as JSON ---------------------------------------------------------------------------- */

static void write_pairs(const struct sim_described_pairs *pairs, const char *key,
                        struct lib_json *json)
{
    LIB_TEXT_OWN name = {0};
    lib_json_open(json, key, '{');
    for (size_t i = 0; i < pairs->count; i++) {
        const size_t length = strcspn(pairs->items[i], "=");
        lib_text_clear(&name);
        lib_text_add(&name, pairs->items[i], length);
        lib_json_string(json, lib_text_get(&name), pairs->items[i] + length + 1);
    }
    lib_json_close(json);
}

static void write_field(const struct sim_description *d,
                        const struct sim_described_field *f, struct lib_json *json)
{
    const void *value = value_of(d, f);
    switch (f->kind) {
    case SIM_DESCRIBED_TEXT:
        if (sim_described_text(d, f))
            lib_json_string(json, f->key, sim_described_text(d, f));
        return;
    case SIM_DESCRIBED_FLAG:
        lib_json_bool(json, f->key, *(const bool *)value);
        return;
    case SIM_DESCRIBED_BOUND:
        if (*(const uint64_t *)value == f->unless)
            return;
        /* fallthrough */
    case SIM_DESCRIBED_NUMBER:
        lib_json_uint(json, f->key, *(const uint64_t *)value);
        return;
    case SIM_DESCRIBED_LEVEL:
        lib_json_string(json, f->key,
                        traces_level_table[*(const enum traces_level *)value].text);
        return;
    case SIM_DESCRIBED_PAIRS:
        write_pairs(value, f->key, json);
        return;
    }
}

static bool is_same_group(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_events(const char *group)
{
    return is_same_group(group, "events");
}

void sim_description_write(const struct sim_description *d, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    const char *group = NULL;
    lib_json_open(&json, NULL, '{');
    FOR_EACH(f)
    {
        if (is_events(f->group) && !d->has_events)
            continue;
        if (!is_same_group(f->group, group)) {
            if (group)
                lib_json_close(&json);
            if (f->group)
                lib_json_open(&json, f->group, '{');
            group = f->group;
        }
        write_field(d, f, &json);
    }
    if (group)
        lib_json_close(&json);
    lib_json_close(&json);
}

static void read_pairs(struct lib_fields *r, size_t i, struct sim_described_pairs *pairs)
{
    const size_t prefix = strlen(lib_fields_entry(r, i)->key) + 1;
    const char *value;
    *pairs = (struct sim_described_pairs){
        LIB_ARENA_ARRAY(r->arena, const char *, r->yaml->count), 0};
    for (size_t k = i; (k = lib_fields_inside(r, i, k)) != SIZE_MAX;)
        if (lib_fields_text(r, k, &value))
            pairs->items[pairs->count++] = lib_arena_printf(
                r->arena, "%s=%s", lib_fields_entry(r, k)->key + prefix, value);
}

static void read_level(struct lib_fields *r, size_t i, enum traces_level *level)
{
    static const char *const names[] = {
#define LEVEL(NAME, text, help) text,
#include "traces/events.def"
    };
    unsigned place = 0;
    lib_fields_choice(r, i, names, TRACES_LEVEL_COUNT, &place);
    *level = place;
}

static const struct sim_described_field *find_field(const char *key)
{
    const char *dot = strchr(key, '.');
    FOR_EACH(f)
    {
        const size_t length = f->group ? strlen(f->group) : 0;
        if (!dot
                ? !f->group && strcmp(f->key, key) == 0
                : f->group && length == (size_t)(dot - key) &&
                      strncmp(f->group, key, length) == 0 && strcmp(f->key, dot + 1) == 0)
            return f;
    }
    return NULL;
}

static void read_field(struct lib_fields *r, size_t i, void *into)
{
    const struct sim_described_field *f = find_field(lib_fields_entry(r, i)->key);
    void *value = place_of(into, f);
    switch (f->kind) {
    case SIM_DESCRIBED_TEXT:
        lib_fields_text(r, i, value);
        return;
    case SIM_DESCRIBED_FLAG:
        lib_fields_bool(r, i, value);
        return;
    case SIM_DESCRIBED_BOUND:
    case SIM_DESCRIBED_NUMBER:
        lib_fields_whole(r, i, 0, UINT64_MAX, value);
        return;
    case SIM_DESCRIBED_LEVEL:
        read_level(r, i, value);
        return;
    case SIM_DESCRIBED_PAIRS:
        read_pairs(r, i, value);
        return;
    }
}

static void read_group(struct lib_fields *r, size_t i, void *into)
{
    const char *group = lib_fields_entry(r, i)->key;
    struct sim_description *d = into;
    struct lib_field fields[LIB_MAX_FIELDS] = {0};
    size_t count = 0;
    FOR_EACH(f)
    {
        if (is_same_group(f->group, group))
            fields[count++] = (struct lib_field){.name = f->key, .read = read_field};
    }
    if (is_events(group)) {
        d->has_events = true;
        d->events.to = UINT64_MAX;
    }
    lib_fields_mapping(r, i, lib_arena_printf(r->arena, "`%s`", group), fields, count,
                       into);
}

static size_t list_keys(struct lib_field fields[LIB_MAX_FIELDS])
{
    const char *group = NULL;
    size_t count = 0;
    FOR_EACH(f)
    {
        if (!f->group)
            fields[count++] = (struct lib_field){.name = f->key, .read = read_field};
        else if (!is_same_group(f->group, group))
            fields[count++] = (struct lib_field){.name = f->group, .read = read_group};
        group = f->group;
    }
    return count;
}

bool sim_description_read(struct sim_description *d, struct lib_arena *arena,
                          const struct lib_source *source, struct lib_diags *diags)
{
    struct lib_field fields[LIB_MAX_FIELDS] = {0};
    const size_t count = list_keys(fields), errors = diags->errors;
    struct lib_yaml yaml;
    if (lib_yaml_read(&yaml, arena, source, diags)) {
        struct lib_fields r = {
            .arena = arena, .source = source, .yaml = &yaml, .diags = diags};
        lib_fields_mapping(&r, LIB_WHOLE, "a recording", fields, count, d);
    }
    lib_yaml_free(&yaml);
    bool is_whole = true;
    FOR_EACH(f)
    {
        is_whole &= !f->is_required || sim_described_text(d, f);
    }
    if (diags->errors == errors && !is_whole)
        lib_diag_error(diags, LIB_DIAG_FILE, source, (struct lib_pos){0},
                       "it does not say what ran, or where");
    return diags->errors == errors;
}

/* --- to a session ----------------------------------------------------------------------- */

bool sim_description_setup(const struct sim_description *d, const char *const *sets,
                           size_t set_count, struct lib_arena *arena,
                           struct sim_setup *setup, struct lib_diags *diags)
{
    const size_t count = d->settings.count + set_count;
    struct sim_setting_files files = {.arena = arena, .kept = d->files.kept};
    const char **all = LIB_ARENA_ARRAY(arena, const char *, count);
    if (d->settings.count)
        memcpy(all, d->settings.items, d->settings.count * sizeof *all);
    if (set_count)
        memcpy(all + d->settings.count, sets, set_count * sizeof *all);
    const bool good = sim_setup_load_with(setup, &files, d->is_preset ? d->machine : NULL,
                                          all, count, diags);
    LIB_VEC_FREE(&files.read);
    return good;
}

bool sim_description_energy(const struct sim_description *d, struct lib_arena *arena,
                            const struct analysis_energy **energy,
                            struct lib_diags *diags)
{
    if (!d->energy || !d->energy_name)
        return true;
    struct analysis_energy *table = LIB_ARENA_NEW(arena, struct analysis_energy);
    struct lib_source *source = LIB_ARENA_NEW(arena, struct lib_source);
    *source = (struct lib_source){d->energy_name, d->energy, strlen(d->energy)};
    *energy = table;
    return analysis_energy_read(table, d->energy_name, arena, source, diags);
}

static bool open_program(const struct sim_description *d, const char *path,
                         struct sim_program *program, struct lib_diags *diags)
{
    if (path)
        return sim_program_open(program, path, diags);
    *program = (struct sim_program){.arena = lib_arena_new(),
                                    .file = d->image,
                                    .kind = SIM_IMAGE,
                                    .is_recorded = true};
    return true;
}

static bool read_inputs(const struct sim_description *d, struct sim_session *s,
                        struct lib_diags *diags)
{
    struct sim_setting_files files = {.arena = s->arena, .kept = d->files.kept};
    const struct sim_inputs_from from = {
        .files = &files,
        .folder = "",
        .limit_memory = s->setup.settings.machine.limit_memory,
    };
    const bool good = sim_inputs_read(&s->inputs, s->arena, s->program.graph,
                                      d->inputs.items, d->inputs.count, &from, diags);
    LIB_VEC_FREE(&files.read);
    return good;
}

bool sim_description_open(const struct sim_description *d, const char *program,
                          const char *const *sets, size_t set_count,
                          struct sim_session *s, struct lib_diags *diags)
{
    *s = (struct sim_session){.arena = lib_arena_new(), .seed = d->seed};
    if (!sim_description_setup(d, sets, set_count, s->arena, &s->setup, diags))
        return false;
    s->setup.machine = d->machine;
    s->setup.is_preset = d->is_preset;
    if (!d->is_preset)
        sim_settings_default(&s->setup.preset);
    if (!open_program(d, program, &s->program, diags) ||
        !sim_program_finish(&s->program, &s->setup.settings, ISA_STAGE_COUNT, diags) ||
        !read_inputs(d, s, diags) || !sim_session_measure(s, d->window, NULL, diags) ||
        !sim_description_energy(d, s->arena, &s->setup.energy, diags))
        return false;
    sim_session_prepare(s);
    s->feeds = &d->feeds;
    return true;
}
