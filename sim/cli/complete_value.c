/* Completes a value by the name that --help gives it. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "lib/file.h"
#include "machine/classes.h"
#include "machine/presets.h"
#include "sim/cli/complete.h"
#include "sim/experiment/columns.h"
#include "sim/experiment/experiment.h"
#include "sim/loading/file_kind.h"
#include "sim/loading/inputs.h"
#include "sim/loading/load.h"
#include "traces/results/detail.h"

void sim_complete_offer(const struct sim_complete_value *value, size_t skip,
                        const char *word, const char *suffix, const char *meaning)
{
    const char *typed = value->typed + skip;
    if (strncmp(word, typed, strlen(typed)) != 0)
        return;
    LIB_TEXT_OWN whole = {0};
    lib_text_printf(&whole, "%s%.*s%s%s", value->prefix, (int)skip, value->typed, word,
                    suffix);
    sim_complete_word(whole.bytes, meaning);
}

/* Offers each word of "a|b|c". Capitals are the name of a value, not a word. */
static void offer_choices(const struct sim_complete_value *value, size_t skip,
                          const char *choices)
{
    for (const char *p = choices; *p; p += strcspn(p, "|"), p += *p == '|') {
        LIB_TEXT_OWN one = {0};
        lib_text_add(&one, p, strcspn(p, "|"));
        if (!isupper((unsigned char)*lib_text_get(&one)))
            sim_complete_offer(value, skip, lib_text_get(&one), "", "");
    }
}

/* Offers the settings of the class that is typed, or `class.` while none is. */
static void offer_class_settings(const struct sim_complete_value *value)
{
    const char *key = machine_class_key(value->typed);
    const size_t skip = (size_t)(key - value->typed);
    sim_complete_offer(value, 0, "class.", "", "a setting of some PEs: class.NAME.KEY");
    for (size_t i = 0; skip && machine_class_key_at(i); i++) {
        LIB_TEXT_OWN whole = {0};
        struct lib_setting row;
        lib_text_printf(&whole, "%.*s%s", (int)skip, value->typed,
                        machine_class_key_at(i));
        if (machine_class_make_row(lib_text_get(&whole), &row, NULL))
            sim_complete_offer(value, skip, machine_class_key_at(i), "=", row.help);
    }
}

static void complete_setting(const struct sim_complete_value *value)
{
    const char *equals = strchr(value->typed, '=');
    struct sim_settings standard;
    sim_settings_default(&standard);
    if (!equals) {
        sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
        for (size_t i = 0; i < sim_setting_count; i++)
            sim_complete_offer(value, 0, sim_setting_at(i)->key, "=",
                               sim_setting_at(i)->help);
        offer_class_settings(value);
        return;
    }
    LIB_TEXT_OWN text = {0};
    lib_text_add(&text, value->typed, (size_t)(equals - value->typed));
    struct lib_setting of_class;
    const struct lib_setting *s = sim_setting_find(
        machine_class_key(lib_text_get(&text)));
    if (!s && machine_class_make_row(lib_text_get(&text), &of_class, NULL))
        s = &of_class; /* only classes have it: no value is the default */
    const size_t length = (size_t)(equals + 1 - value->typed);
    sim_complete_begin(s && s->kind == LIB_SETTING_FILE ? SIM_COMPLETE_VALUE_FILES
                                                        : SIM_COMPLETE_NOTHING,
                       NULL);
    lib_text_clear(&text);
    if (s)
        lib_setting_write(&standard, s, &text);
    if (s && s->choices)
        offer_choices(value, length, s->choices);
    else if (s)
        sim_complete_offer(value, length, lib_text_get(&text), "", "default");
}

static void complete_machine(const struct sim_complete_value *value)
{
    struct lib_arena *arena = lib_arena_new();
    sim_complete_begin(SIM_COMPLETE_FILES, "yaml");
    for (size_t i = 0; machine_preset_texts[i].name; i++)
        sim_complete_offer(value, 0, machine_preset_texts[i].name, "",
                           sim_preset_help(arena, machine_preset_texts[i].text));
    lib_arena_free(arena);
}

static void complete_energy(const struct sim_complete_value *value)
{
    struct lib_arena *arena = lib_arena_new();
    sim_complete_begin(SIM_COMPLETE_FILES, "yaml");
    for (size_t i = 0; analysis_energy_texts[i].name; i++)
        sim_complete_offer(value, 0, analysis_energy_texts[i].name, "",
                           sim_preset_help(arena, analysis_energy_texts[i].text));
    lib_arena_free(arena);
}

/* Returns where the last of several names begins. */
static size_t last_of(const struct sim_complete_value *value)
{
    const char *comma = strrchr(value->typed, ',');
    return comma ? (size_t)(comma + 1 - value->typed) : 0;
}

void sim_complete_column(const struct sim_complete_value *value,
                         const struct traces_column *column)
{
    sim_complete_offer(value, last_of(value), column->name, "", column->meaning);
}

static void complete_columns(const struct sim_complete_value *value)
{
    struct traces_columns columns;
    struct lib_arena *arena = lib_arena_new();
    sim_columns_make(&columns, arena, NULL, 0, NULL, false);
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    for (size_t i = 0; i < columns.list.count; i++)
        sim_complete_column(value, &columns.list.items[i]);
    sim_complete_offer(value, last_of(value), "inputs.", "", "an input of the program");
    traces_columns_free(&columns);
    lib_arena_free(arena);
}

static void complete_statistics(const struct sim_complete_value *value)
{
    size_t skip = last_of(value);
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    for (size_t i = 0; i < traces_stat_count; i++)
        sim_complete_offer(value, skip, traces_stat_table[i].key, "",
                           traces_stat_table[i].help);
    sim_complete_offer(value, skip, "speedup", "", "cycles of static / expanding");
}

static void complete_detail(const struct sim_complete_value *value,
                            enum traces_detail detail)
{
    const struct traces_columns *columns = traces_detail_values(detail);
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    for (size_t i = 0; i < columns->list.count; i++)
        sim_complete_offer(value, last_of(value), columns->list.items[i].name, "",
                           columns->list.items[i].meaning);
}

static void complete_series(const struct sim_complete_value *value)
{
    complete_detail(value, TRACES_DETAIL_SERIES);
}

static void complete_profiles(const struct sim_complete_value *value)
{
    complete_detail(value, TRACES_DETAIL_PROFILE);
}

static void complete_pe(const struct sim_complete_value *value)
{
    complete_detail(value, TRACES_DETAIL_PE);
}

static void complete_links(const struct sim_complete_value *value)
{
    complete_detail(value, TRACES_DETAIL_LINKS);
}

static void complete_epochs(const struct sim_complete_value *value)
{
    complete_detail(value, TRACES_DETAIL_EPOCHS);
}

static void offer_inputs(const struct sim_complete_value *value,
                         const struct lib_source *source)
{
    struct sim_experiment experiment;
    struct lib_diags diags = {0};
    sim_experiment_read(&experiment, source, NULL, &diags);
    for (size_t i = 0; i < experiment.columns.list.count; i++) {
        const struct traces_column *column = &experiment.columns.list.items[i];
        if (column->input)
            sim_complete_offer(value, 0, strchr(column->name, '.') + 1, "=",
                               traces_column_type_name(column->type));
    }
    lib_diags_free(&diags);
    sim_experiment_free(&experiment);
}

/* Whether a file is an experiment, whose inputs are then offered. */
static bool complete_inputs_of_experiment(const struct sim_complete_value *value,
                                          const char *path)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    const bool is = source && sim_file_kind(source) == SIM_FILE_EXPERIMENT;
    if (is)
        offer_inputs(value, source);
    lib_diags_free(&diags);
    lib_arena_free(arena);
    return is;
}

/* Completes inputs of the program or experiment in the first argument. Errors are ignored. */
static void complete_input(const struct sim_complete_value *value)
{
    struct sim_program program = {0};
    struct lib_diags diags = {0};
    const char *path = value->argument_count ? value->arguments[0] : "-";
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    if (strcmp(path, "-") == 0 || complete_inputs_of_experiment(value, path))
        return;
    if (sim_program_open(&program, path, &diags) &&
        sim_program_finish(&program, NULL, ISA_STAGE_COUNT, &diags))
        for (uint32_t i = 0; i < program.graph->input_count; i++) {
            const struct isa_input *input = &program.graph->inputs[i];
            LIB_TEXT_OWN meaning = {0};
            lib_text_printf(&meaning, "%s, by default ", input->text);
            sim_input_write(&meaning, input, input->value);
            sim_complete_offer(value, 0, input->name, "=", meaning.bytes);
        }
    lib_diags_free(&diags);
    sim_program_free(&program);
}

static void complete_files(const struct sim_complete_value *value)
{
    const char *dot = strrchr(value->name, '.');
    sim_complete_begin(SIM_COMPLETE_FILES, dot ? dot + 1 : NULL);
}

/* Completes a file after a name. The program's constants are not known without compiling. */
static void complete_named_file(const struct sim_complete_value *value)
{
    sim_complete_begin(strchr(value->typed, '=') ? SIM_COMPLETE_VALUE_FILES
                                                 : SIM_COMPLETE_NOTHING,
                       "npy");
}

static void complete_folders(const struct sim_complete_value *value)
{
    (void)value;
    sim_complete_begin(SIM_COMPLETE_FOLDERS, NULL);
}

/* For what only the user knows, such as a number or a caption. */
static void complete_nothing(const struct sim_complete_value *value)
{
    (void)value;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
}

static void complete_width(const struct sim_complete_value *value)
{
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    offer_choices(value, 0, "column|page");
}

/* Passes of the optimiser, after those that are typed. */
static void complete_passes(const struct sim_complete_value *value)
{
    const char *last = strrchr(value->typed, ',');
    const size_t skip = last ? (size_t)(last + 1 - value->typed) : 0;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    offer_choices(value, skip, sim_setting_find("optimise.passes")->choices);
    if (!skip)
        offer_choices(value, 0, "none|all");
}

/* of: 'a' for arguments, 'o' for options, 'b' for both. */
static const struct {
    const char *name;
    char of;
    void (*complete)(const struct sim_complete_value *value);
} kinds[] = {
    {"COLUMN", 'b', complete_columns},
    {"COLUMNS", 'b', complete_columns},
    {"CONDITION", 'b', complete_columns},
    {"DECAY", 'o', complete_nothing},
    {"DIR", 'b', complete_folders},
    {"EPOCH-NUMBERS", 'o', complete_epochs},
    {"EXPERIMENT.yaml", 'b', complete_files},
    {"FILE|PROGRAM", 'a', complete_files},
    {"FILE", 'b', complete_files},
    {"FILE.db", 'b', complete_files},
    {"FILE@CYCLE", 'o', complete_files},
    {"FROM..TO", 'b', complete_nothing},
    {"FROM..TO|FUNCTION", 'o', complete_nothing},
    {"FUNCTIONS", 'o', complete_nothing},
    {"I/N", 'o', complete_nothing},
    {"IMAGE", 'a', complete_files},
    {"KEY=VALUE", 'b', complete_setting},
    {"KEY=VALUES", 'b', complete_setting},
    {"LEAST,GREATEST", 'o', complete_nothing},
    {"LINES", 'o', complete_nothing},
    {"LINK-STATISTICS", 'o', complete_links},
    {"LOADS", 'o', complete_nothing},
    {"N", 'b', complete_nothing},
    {"NAME", 'o', complete_nothing},
    {"NAME,...", 'o', complete_statistics},
    {"NAME=FILE", 'o', complete_named_file},
    {"NAME=VALUE", 'b', complete_input},
    {"NAME=VALUES", 'b', complete_input},
    {"NAME[,NAME]...", 'o', complete_nothing},
    {"NORM", 'o', complete_nothing},
    {"NUMBERS", 'o', complete_nothing},
    {"NAME|FILE", 'b', complete_machine},
    {"PASS,...", 'o', complete_passes},
    {"PE", 'o', complete_nothing},
    {"PE-STATISTICS", 'o', complete_pe},
    {"PLACE", 'o', complete_nothing},
    {"PROFILES", 'o', complete_profiles},
    {"PROGRAM", 'b', complete_files},
    {"RATE", 'o', complete_nothing},
    {"RESULTS.db", 'b', complete_files},
    {"ROW", 'a', complete_nothing},
    {"SERIES", 'o', complete_series},
    {"SHARE", 'o', complete_nothing},
    {"TABLE|FILE", 'o', complete_energy},
    {"TAG", 'o', complete_nothing},
    {"TEXT", 'a', complete_files},
    {"TEXT", 'o', complete_nothing},
    {"TIME", 'o', complete_nothing},
    {"WIDTH", 'o', complete_width},
    {"WORD", 'o', complete_nothing},
};

void sim_complete_value(const struct sim_complete_value *value)
{
    if (value->usage->complete && value->usage->complete(value))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, value->name) == 0 &&
            (kinds[i].of == 'b' || (kinds[i].of == 'a') == value->is_argument)) {
            kinds[i].complete(value);
            return;
        }
    if (!islower((unsigned char)*value->name)) {
        sim_complete_begin(SIM_COMPLETE_UNKNOWN, value->name);
        return;
    }
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    offer_choices(value, 0, value->name);
}
