#include "sim/commands/cmd_sweep.h"

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
            "[FIRST, LAST]}. `man hiaton-experiment' has more.",
    .most = 0,
    .options = own_options,
};

/* Returns the text of a row. tests/shell/keys.sh finds empty ones. */
static const char *given(const char *text)
{
    return text ? text : "";
}

/* Adds the keys of a table with their groups, then those inside their values. */
static void add_keys(const struct lib_field_table *keys, const char *group,
                     struct lib_findings *f, struct lib_table *t)
{
    const char *dot = *group ? "." : "";
    for (size_t i = 0; i < keys->count; i++) {
        const struct lib_field *field = &keys->fields[i];
        lib_row(t, "group", lib_word(group))->is_group = true;
        lib_row(t, "key",
                lib_word(lib_arena_printf(f->arena, "%s%s%s", group, dot, field->name)));
        lib_row(t, "value", lib_word(given(field->value)))->label = ": ";
        lib_row(t, "help", lib_word(given(field->help)));
    }
    for (size_t i = 0; i < keys->count; i++) {
        const struct lib_field *field = &keys->fields[i];
        if (field->inside)
            add_keys(field->inside,
                     lib_arena_printf(f->arena, "%s%s%s%s", group, dot, field->name,
                                      given(field->item)),
                     f, t);
    }
}

static void add(const void *context, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "keys", "");
    t->is_entries = true;
    add_keys(context, "", f, t);
}

int sim_sweep_keys(int argc, char **argv)
{
    struct sim_table_choice choice = {0};
    struct sim_options options = {0};
    sim_options_parse(&options, &usage, &choice, argc, argv);
    const enum sim_status status = sim_table_put(&options, &choice, add,
                                                 &sim_experiment_keys);
    sim_options_free(&options);
    return status;
}
