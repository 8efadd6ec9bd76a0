#include "sim/commands/commands.h"

#include <string.h>

#include "lib/json.h"
#include "machine/presets.h"
#include "sim/cli/reference_table.h"
#include "sim/loading/fit.h"
#include "sim/loading/setup.h"
#include "sim/session/record.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_JSON,
    .arguments = "\nNAME|FILE",
    .help = "List the presets; or print all settings of one, or of a YAML file, as YAML "
            "that reads back.",
    .most = 1,
};

static void add_list(const void *context, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "machines", "");
    (void)context;
    t->no_heads = t->spells_rows = true;
    for (size_t i = 0; machine_preset_texts[i].name; i++) {
        lib_row(t, "name", lib_word(machine_preset_texts[i].name));
        lib_row(t, "help",
                lib_word(sim_preset_help(f->arena, machine_preset_texts[i].text)));
    }
}

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

/* Writes a value, in quotes if YAML would misread it. */
static void write_value(const struct sim_setup *setup, const struct lib_setting *s,
                        struct lib_text *out)
{
    LIB_TEXT_OWN value = {0};
    lib_setting_write(&setup->settings, s, &value);
    const bool is_name = s->kind == LIB_SETTING_TEXT || s->kind == LIB_SETTING_FILE;
    const size_t plain = strspn(lib_text_get(&value), "abcdefghijklmnopqrstuvwxyz"
                                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                      "0123456789._/@+-");
    if (is_name && (plain < value.length || strchr("@-", *value.bytes)))
        lib_text_json(out, value.bytes);
    else
        lib_text_puts(out, lib_text_get(&value));
}

/* Writes a mapping per group of settings. */
static void write_yaml(const struct sim_setup *setup, struct lib_arena *arena,
                       struct lib_text *out)
{
    const char *last = "", *help = help_of(arena, setup->machine);
    lib_text_printf(out, "# %s%s%s\n", setup->machine, *help ? ": " : "", help);
    struct machine_class_row made;
    const struct lib_setting *s;
    for (size_t i = 0; (s = sim_setting_of(&setup->settings, i, &made)); i++) {
        size_t group = sim_group_length(s->key);
        bool grouped = s->key[group] == '.';
        if (grouped && !same_group(last, s->key))
            lib_text_printf(out, "%.*s:\n", (int)group, s->key);
        last = s->key;
        size_t start = out->length;
        lib_text_printf(out, "%s%s: ", grouped ? "  " : "",
                        grouped ? s->key + group + 1 : s->key);
        write_value(setup, s, out);
        size_t width = out->length - start;
        lib_text_printf(out, "%*s# %s\n", width < 28 ? (int)(28 - width) : 1, "",
                        s->kind == LIB_SETTING_FILE   ? "a file"
                        : s->kind == LIB_SETTING_TEXT ? "a text"
                        : s->choices                  ? s->choices
                                                      : s->unit);
    }
}

static void write_machine_json(const struct sim_setup *setup, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "machine", setup->machine);
    lib_json_open(&json, "settings", '{');
    struct machine_class_row made;
    const struct lib_setting *s;
    for (size_t i = 0; (s = sim_setting_of(&setup->settings, i, &made)); i++)
        sim_record_write_setting(&setup->settings, s, &json);
    lib_json_close(&json);
    lib_json_close(&json);
}

static bool write_machine(const struct sim_options *options, struct lib_arena *arena,
                          struct lib_text *out, struct lib_diags *diags)
{
    struct sim_setup setup;
    if (!sim_setup_load(&setup, arena, options->arguments[0], NULL, 0, diags) ||
        !sim_settings_fit(&setup.settings.machine, diags))
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
    LIB_TEXT_OWN text = {0};
    struct lib_diags diags = {0};
    sim_options_parse(&options, &usage, NULL, argc, argv);
    struct lib_arena *arena = lib_arena_new();
    bool good = true;
    if (options.argument_count > 0)
        good = write_machine(&options, arena, &text, &diags);
    else
        lib_findings_write_from(options.json ? LIB_FORM_JSON : LIB_FORM_TEXT, NULL,
                                add_list, NULL, &text);
    enum sim_status status = sim_tell(&options.printer, &diags);
    if (good)
        status = sim_put(&options.printer, NULL, &text);
    lib_arena_free(arena);
    sim_options_free(&options);
    return status;
}
