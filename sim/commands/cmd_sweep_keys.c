/* hiaton sweep keys: what may stand in an experiment, from the tables of its reader. */
#include "sim/commands/cmd_sweep.h"

#include <string.h>

#include "lib/json.h"
#include "sim/cli/reference_table.h"

static const struct lib_field own_options[] = {
    SIM_FLAG("scdoc", offsetof(struct sim_table_choice, scdoc),
             "Print a piece of a manual page for scdoc"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_JSON,
    .help = "List the keys of experiments: name, what may stand there, meaning."
            "\vVALUES are a value, a list, {range: [FIRST, LAST, STEP]} or {log2: "
            "[FIRST, LAST]}. "
            "`man hiaton-experiment' has more.",
    .most = 0,
    .options = own_options,
};

/* Calls `put` for each key, with all names that lead to it before its own. Keys that stand in
 * others come behind all of the table, after a call with the name of what they stand in and no
 * field. */
static void each_key(const struct lib_field_table *table, const char *before,
                     void (*put)(const char *key, const struct lib_field *f,
                                 void *context),
                     void *context)
{
    struct lib_text key = {0};
    for (size_t i = 0; i < table->count; i++) {
        lib_text_clear(&key);
        lib_text_printf(&key, "%s%s", before, table->fields[i].name);
        put(key.bytes, &table->fields[i], context);
    }
    for (size_t i = 0; i < table->count; i++) {
        const struct lib_field *f = &table->fields[i];
        if (!f->inside)
            continue;
        lib_text_clear(&key);
        lib_text_printf(&key, "%s%s%s", before, f->name, f->item ? f->item : "");
        put(key.bytes, NULL, context);
        lib_text_puts(&key, ".");
        each_key(f->inside, key.bytes, put, context);
    }
    lib_text_free(&key);
}

/* What a row says; tests/shell/keys.sh finds one that says nothing. */
static const char *given(const char *text)
{
    return text ? text : "";
}

static void put_text(const char *key, const struct lib_field *f, void *out)
{
    if (f)
        lib_text_printf(out, "%s: %s\n    %s\n", key, given(f->value), given(f->help));
    else
        lib_text_puts(out, "\n");
}

static void put_scdoc(const char *key, const struct lib_field *f, void *out)
{
    struct lib_text detail = {0};
    if (!f) {
        lib_text_puts(out, "## ");
        sim_scdoc_text(out, key);
        lib_text_puts(out, "\n\n");
        return;
    }
    lib_text_printf(&detail, ": %s", given(f->value));
    sim_scdoc_entry(out, key, detail.bytes, given(f->help));
    lib_text_free(&detail);
}

static void put_json(const char *key, const struct lib_field *f, void *json)
{
    if (!f)
        return;
    lib_json_open_line(json, NULL, '{');
    lib_json_string(json, "key", key);
    lib_json_string(json, "value", given(f->value));
    lib_json_string(json, "help", given(f->help));
    lib_json_close(json);
}

static void write_json(struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_open(&json, "keys", '[');
    each_key(&sim_experiment_keys, "", put_json, &json);
    lib_json_close(&json);
    lib_json_close(&json);
}

int sim_sweep_keys(int argc, char **argv)
{
    struct sim_table_choice choice = {0};
    struct sim_options options = {0};
    struct lib_text text = {0};
    sim_options_parse(&options, &usage, &choice, argc, argv);
    enum sim_table_form form = sim_table_form(&options, &choice);
    if (form == SIM_TABLE_JSON)
        write_json(&text);
    else
        each_key(&sim_experiment_keys, "", form == SIM_TABLE_SCDOC ? put_scdoc : put_text,
                 &text);
    enum sim_status status = sim_put(&options.voice, NULL, &text);
    lib_text_free(&text);
    sim_options_free(&options);
    return status;
}
