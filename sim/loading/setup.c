#include "sim/loading/setup.h"

#include <string.h>
#include <unistd.h>

#include "lib/fields.h"
#include "lib/file.h"
#include "lib/yaml.h"
#include "machine/machine.h"
#include "machine/needs.h"
#include "machine/presets.h"
#include "sim/loading/energy.h"
#include "sim/loading/file_kind.h"
#include "sim/loading/fit.h"
#include "sim/loading/setup_words.h"

enum { MAX_BASES = 8 }; /* a preset may be based on another one, but not on itself */

struct load {
    struct lib_arena *arena;
    struct lib_diags *diags;
    struct sim_settings *settings;
    struct sim_setting_files *files;
    unsigned bases;
    const struct analysis_energy *energy;  /* NULL: no table was named */
    bool named_energy;                     /* the current file has named one */
    const struct lib_source *file;         /* the configuration file; NULL: a preset */
    LIB_VEC(struct sim_setup_named) named; /* settings of `file` */
};

static const char *preset_name(size_t i, const void *context)
{
    (void)context;
    return machine_preset_texts[i].name;
}

static size_t preset_count(void)
{
    size_t count = 0;
    while (machine_preset_texts[count].name)
        count++;
    return count;
}

static const struct machine_preset_text *find_preset(const char *name)
{
    for (size_t i = 0; machine_preset_texts[i].name; i++)
        if (strcmp(machine_preset_texts[i].name, name) == 0)
            return &machine_preset_texts[i];
    return NULL;
}

static const char *suggestion(struct lib_arena *arena, const char *nearest)
{
    return nearest ? lib_arena_printf(arena, "; did you mean `%s`?", nearest) : "";
}

static const char *preset_suggestion(struct lib_arena *arena, const char *wrong)
{
    return suggestion(arena, lib_text_nearest(wrong, preset_count(), preset_name, NULL));
}

/* --- groups of settings ------------------------------------------------------------- */

static bool is_in_group(const char *key, const char *group)
{
    size_t length = strlen(group);
    return strncmp(key, group, length) == 0 && key[length] == '.';
}

/* Returns valid key i of configuration files. */
static const char *key_name(size_t i, const void *context)
{
    (void)context;
    return i == 0                   ? "base"
           : i <= sim_setting_count ? sim_setting_at(i - 1)->key
                                    : "class.NAME.pes";
}

/* --- one file ----------------------------------------------------------------------- */

/* Returns the folder of a file with a final slash, or "". */
static const char *folder_of(struct lib_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? lib_arena_copy(arena, path, (size_t)(slash + 1 - path)) : "";
}

static void report_unknown_key(struct load *load, const struct lib_source *source,
                               const struct lib_yaml_entry *e)
{
    bool group = e->kind == LIB_YAML_MAPPING;
    LIB_TEXT_OWN why = {0};
    if (!group && !sim_setting_find_in(load->arena, e->key, &why) && why.length) {
        lib_diag_error(load->diags, LIB_DIAG_NAME, source, e->key_pos, "%s",
                       lib_text_get(&why));
        return;
    }
    lib_diag_error(load->diags, LIB_DIAG_NAME, source, e->key_pos, "unknown %s `%s`%s",
                   group ? "group of settings" : "setting", e->key,
                   lib_fields_keys_hint(load->arena, e->key,
                                        group ? LIB_FIELDS_GROUP : LIB_FIELDS_KEY,
                                        sim_setting_count + 2, key_name, NULL));
}

/* Returns the entry before `e` that sets the same setting, or NULL. */
static const struct lib_yaml_entry *find_same(const struct lib_yaml *yaml,
                                              const struct lib_yaml_entry *e)
{
    for (const struct lib_yaml_entry *before = yaml->items; before < e; before++)
        if (before->kind == LIB_YAML_SCALAR && !before->is_item &&
            strcmp(before->key, e->key) == 0)
            return before;
    return NULL;
}

/* Applies an entry of a file. Returns whether to apply the entries inside it. */
static bool apply_entry(struct load *load, const struct lib_source *source,
                        const struct lib_yaml *yaml, const struct lib_yaml_entry *e)
{
    const struct lib_setting *setting = sim_setting_find_in(load->arena, e->key, NULL);
    const struct lib_yaml_entry *before = setting ? find_same(yaml, e) : NULL;
    const char *words = setting ? sim_setting_words(load->arena, setting) : NULL;
    bool group = sim_setting_is_group(e->key);
    if (e->kind == LIB_YAML_MAPPING && group)
        return true;
    if (!setting && !group) {
        report_unknown_key(load, source, e);
    } else if (e->kind != LIB_YAML_SCALAR || !setting) {
        lib_diag_error(load->diags, LIB_DIAG_TYPE, source, e->value_pos,
                       "%s: expected %s, found %s", e->key,
                       words   ? words
                       : group ? "a mapping of settings"
                               : "a value",
                       lib_yaml_text(e));
    } else if (before) {
        lib_diag_error(load->diags, LIB_DIAG_NAME, source, e->key_pos,
                       "`%s` is set twice; first in line %u", e->key,
                       before->key_pos.line);
    } else {
        if (source == load->file)
            *LIB_VEC_PUSH(&load->named) = (struct sim_setup_named){setting, source,
                                                                   e->key_pos};
        LIB_TEXT_OWN why = {0};
        if (!sim_setting_set(load->settings, setting, e->value,
                             folder_of(load->arena, source->name), load->files, &why))
            lib_diag_error(load->diags, LIB_DIAG_TYPE, source, e->value_pos, "%s",
                           lib_text_get(&why));
    }
    return false;
}

static void apply_text(struct load *load, const struct lib_source *source);

static bool is_base(const struct lib_yaml_entry *e)
{
    return e->depth == 0 && strcmp(e->key, "base") == 0;
}

static void apply_preset(struct load *load, const struct machine_preset_text *preset)
{
    struct lib_source *source = LIB_ARENA_NEW(load->arena, struct lib_source);
    source->name = lib_arena_printf(load->arena, "preset %s", preset->name);
    source->bytes = preset->text;
    source->length = strlen(preset->text);
    apply_text(load, source);
}

static bool looks_like_file(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || strcmp(name, "-") == 0 ||
           (length > 5 && strcmp(name + length - 5, ".yaml") == 0) ||
           (length > 4 && strcmp(name + length - 4, ".yml") == 0) ||
           access(name, F_OK) == 0;
}

static void apply_base(struct load *load, const struct lib_source *source,
                       const struct lib_yaml_entry *e)
{
    const struct machine_preset_text *preset = e->value ? find_preset(e->value) : NULL;
    if (preset && load->bases++ < MAX_BASES) {
        apply_preset(load, preset);
        return;
    }
    if (preset)
        lib_diag_error(load->diags, LIB_DIAG_MEANING, source, e->value_pos,
                       "base: `%s` is based on itself", e->value);
    else if (e->value)
        lib_diag_error(
            load->diags, LIB_DIAG_NAME, source, e->value_pos,
            "base: unknown preset `%s`%s%s", e->value,
            preset_suggestion(load->arena, e->value),
            looks_like_file(e->value)
                ? "; a base is a preset, not a file (`hiaton machines` lists them)"
                : "");
    else
        lib_diag_error(load->diags, LIB_DIAG_TYPE, source, e->key_pos,
                       "base: expected the name of a preset, found %s", lib_yaml_text(e));
}

static bool is_energy(const struct lib_yaml_entry *e)
{
    return e->depth == 0 && strcmp(e->key, "energy") == 0;
}

static void apply_energy(struct load *load, const struct lib_source *source,
                         const struct lib_yaml_entry *e)
{
    struct lib_diags diags = {0};
    if (e->kind != LIB_YAML_SCALAR || !*e->value)
        lib_diag_error(load->diags, LIB_DIAG_TYPE, source, e->key_pos,
                       "energy: expected the name of a table of energies, or a file, "
                       "found %s",
                       lib_yaml_text(e));
    else if (load->named_energy)
        lib_diag_error(load->diags, LIB_DIAG_NAME, source, e->key_pos,
                       "`energy` is set twice");
    else
        load->energy = sim_energy_load(load->arena, folder_of(load->arena, source->name),
                                       e->value, &diags);
    load->named_energy = true;
    lib_diags_adopt(load->diags, &diags, source, e->value_pos, "energy: ", "");
}

/* Applies the base first, wherever the file names it. */
static void apply_text(struct load *load, const struct lib_source *source)
{
    struct lib_yaml yaml;
    if (!lib_yaml_read(&yaml, load->arena, source, load->diags)) {
        lib_yaml_free(&yaml);
        return;
    }
    for (size_t i = 0; i < yaml.count; i++)
        if (is_base(&yaml.items[i]))
            apply_base(load, source, &yaml.items[i]);
    load->named_energy = false;
    for (size_t i = 0; i < yaml.count; i++)
        if (is_energy(&yaml.items[i]))
            apply_energy(load, source, &yaml.items[i]);
    for (size_t i = 0; i < yaml.count; i++) {
        const struct lib_yaml_entry *e = &yaml.items[i];
        bool enter = !is_base(e) && !is_energy(e) && apply_entry(load, source, &yaml, e);
        while (!enter && i + 1 < yaml.count && yaml.items[i + 1].depth > e->depth)
            i++;
    }
    lib_yaml_free(&yaml);
}

/* --- machine and settings ----------------------------------------------------------- */

/* Returns "; did you mean `NAME.yaml`?" if that file exists, else the most similar preset. */
static const char *machine_suggestion(struct lib_arena *arena, const char *name)
{
    static const char *const endings[] = {".yaml", ".yml"};
    for (size_t i = 0; i < 2; i++) {
        const char *path = lib_arena_printf(arena, "%s%s", name, endings[i]);
        if (access(path, F_OK) == 0)
            return suggestion(arena, path);
    }
    return preset_suggestion(arena, name);
}

static void load_machine(struct load *load, struct sim_setup *setup, const char *name)
{
    const struct machine_preset_text *preset = find_preset(name);
    setup->machine = lib_file_name(name);
    setup->is_preset = preset != NULL;
    if (preset) {
        apply_preset(load, preset);
        setup->preset = setup->settings;
    } else if (looks_like_file(name)) {
        const struct lib_source *source = lib_file_read_as(load->arena, name,
                                                           "the machine", load->diags);
        load->file = source;
        if (source &&
            sim_file_check(source, "a file of settings", SIM_FILE_MACHINE, load->diags))
            apply_text(load, source);
    } else {
        lib_diag_plain(load->diags, LIB_DIAG_USAGE,
                       "unknown machine `%s`, neither a preset nor a file%s (`hiaton "
                       "machines` lists the presets)",
                       name, machine_suggestion(load->arena, name));
    }
}

/* Returns the first few settings of a group. */
static const char *group_members(struct lib_arena *arena, const char *group)
{
    enum { SHOWN = 4 };
    const char *list = "";
    size_t count = 0;
    for (size_t i = 0; i < sim_setting_count; i++) {
        const char *key = sim_setting_at(i)->key;
        if (is_in_group(key, group) && count++ <= SHOWN)
            list = count > SHOWN ? lib_arena_printf(arena, "%s ...", list)
                                 : lib_arena_printf(arena, "%s%s%s", list,
                                                    count > 1 ? ", " : "", key);
    }
    return count ? list : "class.NAME.pes, class.NAME.KEY";
}

/* Reports a -s without `=`: its value may be the next argument, or follow a colon. */
static void report_no_setting(struct lib_arena *arena, const char *set,
                              struct lib_diags *diags)
{
    const char *key = lib_arena_copy(arena, set, strcspn(set, ":=")),
               *behind = set + strlen(key), *hint = "";
    if (sim_setting_find(key) && *behind == ':' && behind[1])
        hint = lib_arena_printf(arena, "; did you mean `%s=%s`?", key, behind + 1);
    else if (sim_setting_find(key))
        hint = lib_arena_printf(arena, "; write `-s %s=VALUE`, without blanks", key);
    lib_diag_plain(diags, LIB_DIAG_USAGE, "--set: expected KEY=VALUE, found `%s`%s", set,
                   hint);
}

static void report_unknown_set(struct lib_arena *arena, const char *key,
                               struct lib_diags *diags)
{
    LIB_TEXT_OWN hint = {0};
    sim_setup_hint(key, &hint);
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "--set: unknown setting `%s`%s (`hiaton settings` lists them)", key,
                   lib_arena_copy(arena, lib_text_get(&hint), hint.length));
}

const struct lib_setting *sim_setup_find(struct lib_arena *arena, const char *set,
                                         const char **value, struct lib_diags *diags)
{
    const struct lib_pos nowhere = {0};
    const char *equals = strchr(set, '=');
    if (!equals || equals == set) {
        report_no_setting(arena, set, diags);
        return NULL;
    }
    const char *key = lib_arena_copy(arena, set, (size_t)(equals - set));
    LIB_TEXT_OWN why = {0};
    const struct lib_setting *setting = sim_setting_find_in(arena, key, &why);
    *value = equals + 1;
    if (setting && **value)
        return setting;
    if (setting)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "--set: the value of `%s` is missing", key);
    else if (sim_setting_is_group(key))
        lib_diag_error(
            diags, LIB_DIAG_USAGE, NULL, nowhere,
            "--set: `%s` is a group of settings (`hiaton settings` lists them): %s", key,
            group_members(arena, key));
    else if (why.length)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere, "--set: %s",
                       lib_text_get(&why));
    else
        report_unknown_set(arena, key, diags);
    return NULL;
}

/* Returns what a setting lacks with both strategies; NULL if it has an effect with one. */
static const char *needs_always(const struct sim_settings *settings,
                                const struct lib_setting *setting)
{
    return sim_setting_needs(settings, setting, false)
               ? sim_setting_needs(settings, setting, true)
               : NULL;
}

/* Finds the settings of the configuration file that have no effect, and are not the defaults: these
 * are in files that `hiaton machines` has written. */
static void find_idle(struct load *load, struct sim_setup *setup)
{
    struct sim_setup_named *idle = LIB_ARENA_ARRAY(load->arena, struct sim_setup_named,
                                                   load->named.count);
    for (size_t i = 0; i < load->named.count; i++)
        if (!lib_setting_is_standard(load->settings, load->named.items[i].setting) &&
            needs_always(load->settings, load->named.items[i].setting))
            idle[setup->idle_count++] = load->named.items[i];
    setup->idle = idle;
    LIB_VEC_FREE(&load->named);
}

/* Applies KEY=VALUE. Returns the setting, or NULL after an error. */
static const struct lib_setting *apply_set(struct load *load, const char *set)
{
    const char *value;
    const struct lib_setting *setting = sim_setup_find(load->arena, set, &value,
                                                       load->diags);
    LIB_TEXT_OWN why = {0};
    if (setting &&
        !sim_setting_set(load->settings, setting, value, "", load->files, &why)) {
        sim_setup_hint_several(setting, value, &why);
        lib_diag_plain(load->diags, LIB_DIAG_USAGE, "--set: %s", lib_text_get(&why));
    }
    return setting;
}

bool sim_setup_load_with(struct sim_setup *setup, struct sim_setting_files *files,
                         const char *machine, const char *const *sets, size_t set_count,
                         struct lib_diags *diags)
{
    struct lib_arena *arena = files->arena;
    size_t errors = diags->errors;
    *setup = (struct sim_setup){0};
    sim_settings_default(&setup->settings);
    setup->preset = setup->settings;
    struct load load = {
        .arena = arena, .diags = diags, .settings = &setup->settings, .files = files};
    load_machine(&load, setup, machine ? machine : "default");
    find_idle(&load, setup);
    setup->given = LIB_ARENA_ARRAY(arena, const struct lib_setting *, set_count);
    for (size_t i = 0; i < set_count; i++) {
        const struct lib_setting *setting = apply_set(&load, sets[i]);
        if (setting)
            setup->given[setup->given_count++] = setting;
    }
    setup->energy = load.energy;
    return diags->errors == errors;
}

bool sim_setup_load(struct sim_setup *setup, struct lib_arena *arena, const char *machine,
                    const char *const *sets, size_t set_count, struct lib_diags *diags)
{
    struct sim_setting_files files = {.arena = arena};
    bool good = sim_setup_load_with(setup, &files, machine, sets, set_count, diags);
    sim_setting_files_free(&files);
    return good;
}

bool sim_setup_warn(const struct sim_setup *setup, const struct lib_source *source,
                    struct lib_pos pos, struct lib_diags *diags)
{
    return sim_settings_warn(&setup->settings.machine, source, pos, diags);
}

bool sim_settings_warn(const struct machine_settings *settings,
                       const struct lib_source *source, struct lib_pos pos,
                       struct lib_diags *diags)
{
    const bool is_raised = machine_latency_is_raised(settings);
    if (is_raised)
        lib_diag_warning(diags, LIB_DIAG_FILE, source, pos,
                         "network.latency=0 counts as 1: a link takes a cycle at least; "
                         "on the network `ideal` 0 is 0");
    return is_raised;
}

/* Writes what there is in place of the assignment `needs`: "KEY=VALUE", or an option. */
static void write_now(const struct sim_settings *settings, const char *needs,
                      struct lib_text *out)
{
    LIB_TEXT_OWN key = {0};
    lib_text_printf(&key, "%.*s", (int)strcspn(needs, "="), needs);
    const struct lib_setting *setting = sim_setting_find(lib_text_get(&key));
    if (!setting || !sim_setting_is_of_compiler(setting)) {
        machine_setting_write_now(&settings->machine, needs, out);
        return;
    }
    lib_text_printf(out, "%s=", setting->key);
    lib_setting_write(settings, setting, out);
}

void sim_settings_warn_needs(const struct sim_settings *settings,
                             const struct lib_setting *const *given, size_t count,
                             bool expands, struct lib_diags *diags)
{
    for (size_t i = 0; i < count; i++) {
        const char *needs = sim_setting_needs(settings, given[i], expands);
        LIB_TEXT_OWN now = {0};
        bool is_known = !needs; /* has an effect, or was warned about */
        for (size_t k = 0; k < i; k++)
            is_known = is_known || given[k] == given[i];
        if (is_known)
            continue;
        write_now(settings, needs, &now);
        lib_diag_warning(diags, LIB_DIAG_MEANING, NULL, (struct lib_pos){0},
                         "%s has no effect with %s: it needs %s", given[i]->key,
                         lib_text_get(&now), needs);
    }
}

const char *sim_setup_idle_needs(const struct sim_setup *setup,
                                 const struct sim_settings *settings,
                                 const struct sim_setup_named *idle)
{
    for (size_t i = 0; i < setup->given_count; i++)
        if (setup->given[i] == idle->setting)
            return NULL;
    return needs_always(settings, idle->setting);
}

void sim_setup_warn_idle(const struct sim_setup *setup, struct lib_diags *diags)
{
    for (size_t i = 0; i < setup->idle_count; i++) {
        const struct sim_setup_named *idle = &setup->idle[i];
        const char *needs = sim_setup_idle_needs(setup, &setup->settings, idle);
        LIB_TEXT_OWN now = {0};
        if (!needs)
            continue;
        machine_setting_write_now(&setup->settings.machine, needs, &now);
        lib_diag_warning(diags, LIB_DIAG_MEANING, idle->source, idle->pos,
                         "%s has no effect with %s: it needs %s", idle->setting->key,
                         lib_text_get(&now), needs);
    }
}

void sim_setup_warn_needs(const struct sim_setup *setup, bool expands,
                          struct lib_diags *diags)
{
    sim_setup_warn_idle(setup, diags);
    sim_settings_warn_needs(&setup->settings, setup->given, setup->given_count, expands,
                            diags);
}

void sim_setup_warn_seed(const struct sim_setup *setup, const struct isa_graph *graph,
                         struct lib_diags *diags)
{
    if (!sim_program_draws(graph) &&
        !(setup && machine_settings_draw(&setup->settings.machine)))
        lib_diag_warning(
            diags, LIB_DIAG_MEANING, NULL, (struct lib_pos){0},
            "--seed changes nothing, as nothing is random "
            "(placement.policy=random draws, on more than one PE; so do params)");
}

const char *sim_preset_help(struct lib_arena *arena, const char *text)
{
    size_t length = strcspn(text, "\n");
    const char *colon = memchr(text, ':', length);
    if (*text != '#' || !colon)
        return "";
    colon += 1 + strspn(colon + 1, " ");
    return lib_arena_copy(arena, colon, (size_t)(text + length - colon));
}
