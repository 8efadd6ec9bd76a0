/* hiaton machines: the presets, or all settings of a machine. */
#include "sim/commands/commands.h"

#include <string.h>

#include "lib/json.h"
#include "machine/presets.h"
#include "sim/cli/reference_table.h"
#include "sim/session/setup.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_JSON,
    .arguments = "\nNAME|FILE",
    .help = "List the presets; or print all settings of one, or of a YAML file, as YAML "
            "that reads back.",
    .most = 1,
};

/* --- the list ----------------------------------------------------------------------- */

static void write_list(struct lib_arena *arena, struct lib_text *out)
{
    for (size_t i = 0; machine_preset_texts[i].name; i++)
        lib_text_printf(out, "%-12s %s\n", machine_preset_texts[i].name,
                        sim_preset_help(arena, machine_preset_texts[i].text));
}

static void write_list_json(struct lib_arena *arena, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_open(&json, "machines", '[');
    for (size_t i = 0; machine_preset_texts[i].name; i++) {
        lib_json_open(&json, NULL, '{');
        lib_json_string(&json, "name", machine_preset_texts[i].name);
        lib_json_string(&json, "help",
                        sim_preset_help(arena, machine_preset_texts[i].text));
        lib_json_close(&json);
    }
    lib_json_close(&json);
    lib_json_close(&json);
}

/* --- one machine -------------------------------------------------------------------- */

static const char *help_of(struct lib_arena *arena, const char *machine)
{
    for (size_t i = 0; machine_preset_texts[i].name; i++)
        if (strcmp(machine_preset_texts[i].name, machine) == 0)
            return sim_preset_help(arena, machine_preset_texts[i].text);
    return "";
}

static bool same_group(const char *a, const char *b)
{
    size_t length = sim_group_length(a);
    return length == sim_group_length(b) && strncmp(a, b, length) == 0;
}

/* One mapping per group; a key without a group stands on its own. */
static void write_yaml(const struct sim_setup *setup, struct lib_arena *arena,
                       struct lib_text *out)
{
    const char *last = "", *help = help_of(arena, setup->machine);
    lib_text_printf(out, "# %s%s%s\n", setup->machine, *help ? ": " : "", help);
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct machine_setting *s = &machine_setting_table[i];
        size_t group = sim_group_length(s->key);
        bool grouped = s->key[group] == '.';
        if (grouped && !same_group(last, s->key))
            lib_text_printf(out, "%.*s:\n", (int)group, s->key);
        last = s->key;
        size_t start = out->length;
        lib_text_printf(out, "%s%s: ", grouped ? "  " : "",
                        grouped ? s->key + group + 1 : s->key);
        machine_setting_write(&setup->settings, s, out);
        size_t width = out->length - start;
        lib_text_printf(out, "%*s# %s\n", width < 28 ? (int)(28 - width) : 1, "",
                        s->choices ? s->choices : s->unit);
    }
}

static void write_machine_json(const struct sim_setup *setup, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    struct lib_text value = {0};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "machine", setup->machine);
    lib_json_open(&json, "settings", '{');
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct machine_setting *s = &machine_setting_table[i];
        lib_text_clear(&value);
        machine_setting_write(&setup->settings, s, &value);
        if (machine_setting_is_text(s))
            lib_json_string(&json, s->key, value.bytes);
        else
            lib_json_uint(&json, s->key, machine_setting_get(&setup->settings, s));
    }
    lib_json_close(&json);
    lib_json_close(&json);
    lib_text_free(&value);
}

/* --- the command -------------------------------------------------------------------- */

static bool write_machine(const struct sim_options *options, struct lib_arena *arena,
                          struct lib_text *out, struct lib_diags *diags)
{
    struct sim_setup setup;
    if (!sim_setup_load(&setup, arena, options->arguments[0], NULL, 0, diags))
        return false;
    if (options->json)
        write_machine_json(&setup, out);
    else
        write_yaml(&setup, arena, out);
    return true;
}

int sim_machines(int argc, char **argv)
{
    struct sim_options options = {0};
    struct lib_text text = {0};
    struct lib_diags diags = {0};
    sim_options_parse(&options, &usage, NULL, argc, argv);
    struct lib_arena *arena = lib_arena_new();
    bool good = true;
    if (options.argument_count > 0)
        good = write_machine(&options, arena, &text, &diags);
    else if (options.json)
        write_list_json(arena, &text);
    else
        write_list(arena, &text);
    enum sim_status status = sim_tell(&options.voice, &diags);
    if (good)
        status = sim_put(&options.voice, NULL, &text);
    lib_text_free(&text);
    lib_arena_free(arena);
    sim_options_free(&options);
    return status;
}
