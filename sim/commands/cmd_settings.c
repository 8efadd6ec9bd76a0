/* hiaton settings: the table of settings, that of statistics, and what energies are of. */
#include "sim/commands/commands.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/energy.h"
#include "lib/json.h"
#include "machine/settings.h"
#include "sim/cli/complete.h"
#include "sim/cli/reference_table.h"
#include "traces/stats.h"

static const struct lib_field own_options[] = {
    SIM_FLAG("statistics", offsetof(struct sim_table_choice, statistics),
             "List what `hiaton run' measures instead of what can be set"),
    SIM_FLAG("energies", offsetof(struct sim_table_choice, energies),
             "List the tables of energies that there are, and what a table can give "
             "numbers for"),
    SIM_FLAG("scdoc", offsetof(struct sim_table_choice, scdoc),
             "Print a piece of a manual page for scdoc"),
    {0},
};

static bool complete(const struct sim_complete_value *value)
{
    if (strcmp(value->name, "PATTERN") != 0)
        return false;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    for (size_t i = 0; i < machine_setting_count; i++)
        sim_complete_offer(value, 0, machine_setting_table[i].key, "",
                           machine_setting_table[i].help);
    return true;
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_JSON,
    .arguments = "\nPATTERN",
    .help = "List the settings of machines: name, default, what is possible, meaning."
            "\vPATTERN is a part of a name, such as `network', or all of it with `*': "
            "`*.latency'.",
    .most = 1,
    .complete = complete,
    .options = own_options,
};

/* --- settings ----------------------------------------------------------------------- */

static const char *standard_text(const struct machine_setting *s, struct lib_text *text)
{
    struct machine_settings standard;
    machine_settings_default(&standard);
    lib_text_clear(text);
    machine_setting_write(&standard, s, text);
    return lib_text_get(text);
}

/* "16 (1 to 65536 PEs)", "crossbar (ideal | crossbar)". */
static void write_values(const struct machine_setting *s, struct lib_text *out)
{
    struct lib_text standard = {0};
    lib_text_puts(out, standard_text(s, &standard));
    lib_text_free(&standard);
    if (s->choices) {
        lib_text_puts(out, " (");
        for (const char *p = s->choices; *p; p++)
            lib_text_printf(out, *p == '|' ? " %c " : "%c", *p);
        lib_text_puts(out, ")");
    } else if (s->kind != MACHINE_SETTING_NUMBER) {
        lib_text_puts(out, " (");
        machine_setting_expect(s, out);
        lib_text_puts(out, ")");
    } else if (s->greatest == UINT64_MAX) {
        lib_text_printf(out, " (%" PRIu64 " or more %s)", s->least, s->unit);
    } else {
        lib_text_printf(out, " (%" PRIu64 " to %" PRIu64 " %s)", s->least, s->greatest,
                        s->unit);
    }
}

/* Whether a setting is of another group than the one before; NULL: it is the first. */
static bool starts_group(const char *key, const char *last)
{
    last = last ? last : "";
    size_t length = sim_group_length(key);
    return sim_group_length(last) != length || strncmp(key, last, length) != 0;
}

static void write_settings_text(enum sim_table_form form, const char *pattern,
                                struct lib_text *out)
{
    const bool is_scdoc = form == SIM_TABLE_SCDOC;
    const char *last = NULL;
    struct lib_text values = {0};
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct machine_setting *s = &machine_setting_table[i];
        if (!sim_table_wants(pattern, s->key))
            continue;
        lib_text_clear(&values);
        lib_text_puts(&values, " = ");
        write_values(s, &values);
        if (is_scdoc && starts_group(s->key, last))
            lib_text_printf(out, "## %.*s\n\n", (int)sim_group_length(s->key), s->key);
        else if (last && starts_group(s->key, last))
            lib_text_puts(out, "\n");
        last = s->key;
        if (is_scdoc)
            sim_scdoc_entry(out, s->key, values.bytes, s->help);
        else
            lib_text_printf(out, "%s%s\n    %s\n", s->key, values.bytes, s->help);
    }
    lib_text_free(&values);
}

static void write_choices(struct lib_json *json, const char *choices)
{
    struct lib_text one = {0};
    lib_json_open_line(json, "choices", '[');
    for (const char *p = choices;; p++) {
        size_t length = strcspn(p, "|");
        lib_text_clear(&one);
        lib_text_add(&one, p, length);
        lib_json_string(json, NULL, one.bytes);
        p += length;
        if (!*p)
            break;
    }
    lib_json_close(json);
    lib_text_free(&one);
}

/* What values there are. */
static void write_kind(const struct machine_setting *s, struct lib_json *json)
{
    if (s->choices)
        write_choices(json, s->choices);
    if (s->kind == MACHINE_SETTING_FILE)
        lib_json_bool(json, "file", true);
    if (s->kind == MACHINE_SETTING_NUMBER || s->kind == MACHINE_SETTING_LIST) {
        lib_json_uint(json, "least", s->least);
        lib_json_uint(json, "greatest", s->greatest);
    }
    if (s->most)
        lib_json_uint(json, "most", s->most);
    if (s->unit)
        lib_json_string(json, "unit", s->unit);
}

static void write_settings_json(const char *pattern, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    struct lib_text standard = {0};
    lib_json_open(&json, NULL, '{');
    lib_json_open(&json, "settings", '[');
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct machine_setting *s = &machine_setting_table[i];
        if (!sim_table_wants(pattern, s->key))
            continue;
        lib_json_open(&json, NULL, '{');
        lib_json_string(&json, "key", s->key);
        if (s->kind != MACHINE_SETTING_NUMBER)
            lib_json_string(&json, "default", standard_text(s, &standard));
        else
            lib_json_uint(&json, "default", s->standard);
        write_kind(s, &json);
        lib_json_string(&json, "help", s->help);
        lib_json_close(&json);
    }
    lib_json_close(&json);
    lib_json_close(&json);
    lib_text_free(&standard);
}

/* --- statistics --------------------------------------------------------------------- */

struct part_row {
    const char *key, *help;
};

static const struct part_row pe_rows[] = {
#define COUNT(key, help) {#key, help},
#define RATIO(key, part, help) {#key, help},
    TRACES_PE_COUNTS(COUNT) TRACES_PE_RATIOS(RATIO)
#undef RATIO
#undef COUNT
};

static const struct part_row link_rows[] = {
    {"port", "output or input port of a PE; link: between routers"},
    {"number", "of the PE, or of the link among those between routers"},
    {"from", "PE or router that it leads from; a crossbar has no routers"},
    {"to", "PE or router that it leads to"},
#define COUNT(key, help) {#key, help},
    TRACES_LINK_SUMS(COUNT)
#undef COUNT
        {"load", "busy / cycles"},
};

/* What a run has a row of for each of its PEs, and the like. */
static const struct rows_of {
    const char *key, *title;
    const struct part_row *rows;
    size_t count;
} rows_of_parts[] = {
    {"pe", "of each PE", pe_rows, sizeof pe_rows / sizeof *pe_rows},
    {"links", "of each link or port of a network (only in JSON)", link_rows,
     sizeof link_rows / sizeof *link_rows},
};

enum { PARTS = sizeof rows_of_parts / sizeof *rows_of_parts };

static const char *kind_text(enum traces_stat_kind kind)
{
    return kind == TRACES_STAT_COUNT   ? "count"
           : kind == TRACES_STAT_RATIO ? "ratio"
                                       : "digest";
}

/* What it is of a part of a run. */
static const char *part_text(enum traces_stat_part part)
{
    static const char *const texts[] = {
        [TRACES_PART_SUM] = "sum",         [TRACES_PART_PEAK] = "peak",
        [TRACES_PART_DERIVED] = "derived", [TRACES_PART_SAME] = "same",
        [TRACES_PART_WHOLE] = "null",
    };
    return texts[part];
}

static void write_statistics_text(const char *pattern, struct lib_text *out)
{
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        if (!sim_table_wants(pattern, s->key))
            continue;
        lib_text_printf(out, "%-18s %-8s %s%s\n", s->key,
                        *s->unit ? s->unit : kind_text(s->kind), s->help,
                        s->by == TRACES_BY_BOTH ? " *" : "");
    }
    for (const struct rows_of *p = rows_of_parts; p < rows_of_parts + PARTS; p++) {
        if (pattern)
            continue; /* these are not of a whole run */
        lib_text_printf(out, "\n%s:\n", p->title);
        for (size_t i = 0; i < p->count; i++)
            lib_text_printf(out, "%-18s          %s\n", p->rows[i].key, p->rows[i].help);
    }
    if (out->length > 0)
        lib_text_puts(out, "\n* measured by `hiaton interp` as well\n");
}

static void write_statistics_scdoc(struct lib_text *out)
{
    struct lib_text detail = {0};
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        lib_text_clear(&detail);
        lib_text_printf(&detail, " (%s%s; in a part of a run: %s)",
                        *s->unit ? s->unit : kind_text(s->kind),
                        s->by == TRACES_BY_BOTH ? "; also by hiaton interp" : "",
                        part_text(s->part));
        sim_scdoc_entry(out, s->key, detail.bytes, s->help);
    }
    for (const struct rows_of *p = rows_of_parts; p < rows_of_parts + PARTS; p++) {
        lib_text_printf(out, "## %s\n\n", p->title);
        for (size_t i = 0; i < p->count; i++)
            sim_scdoc_entry(out, p->rows[i].key, "", p->rows[i].help);
    }
    lib_text_free(&detail);
}

static void write_statistics_json(const char *pattern, struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_open(&json, "statistics", '[');
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        if (!sim_table_wants(pattern, s->key))
            continue;
        lib_json_open(&json, NULL, '{');
        lib_json_string(&json, "key", s->key);
        lib_json_string(&json, "kind", kind_text(s->kind));
        lib_json_string(&json, "unit", s->unit);
        lib_json_bool(&json, "interp", s->by == TRACES_BY_BOTH);
        lib_json_string(&json, "part", part_text(s->part));
        lib_json_string(&json, "help", s->help);
        lib_json_close(&json);
    }
    lib_json_close(&json);
    for (const struct rows_of *p = rows_of_parts; p < rows_of_parts + PARTS; p++) {
        lib_json_open(&json, p->key, '[');
        for (size_t i = 0; i < p->count; i++) {
            lib_json_open_line(&json, NULL, '{');
            lib_json_string(&json, "key", p->rows[i].key);
            lib_json_string(&json, "help", p->rows[i].help);
            lib_json_close(&json);
        }
        lib_json_close(&json);
    }
    lib_json_close(&json);
}

/* --- energies ----------------------------------------------------------------------- */

/* "# NAME: HELP", the first line of a table. */
static int help_length(const char *text)
{
    return (int)strcspn(text, "\n");
}

static const char *help_of(const char *text)
{
    const char *colon = strchr(text, ':');
    return colon ? colon + 1 + strspn(colon + 1, " ") : text;
}

static void write_energies_text(struct lib_text *out)
{
    lib_text_puts(out, "tables:\n");
    for (size_t i = 0; analysis_energy_texts[i].name; i++) {
        const char *help = help_of(analysis_energy_texts[i].text);
        lib_text_printf(out, "%-17s %.*s\n", analysis_energy_texts[i].name,
                        help_length(help), help);
    }
    lib_text_puts(out, "\npJ for each:\n");
    for (unsigned e = 0; e < ANALYSIS_ENERGY_COUNT; e++)
        lib_text_printf(out, "%-17s %s\n", analysis_energy_key(e),
                        analysis_energy_help(e));
}

static void write_energies_scdoc(struct lib_text *out)
{
    for (unsigned e = 0; e < ANALYSIS_ENERGY_COUNT; e++)
        sim_scdoc_entry(out, analysis_energy_key(e), "", analysis_energy_help(e));
}

static void write_energies_json(struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    lib_json_open(&json, "tables", '[');
    for (size_t i = 0; analysis_energy_texts[i].name; i++) {
        lib_json_open(&json, NULL, '{');
        lib_json_string(&json, "name", analysis_energy_texts[i].name);
        lib_json_string(&json, "text", analysis_energy_texts[i].text);
        lib_json_close(&json);
    }
    lib_json_close(&json);
    lib_json_open(&json, "events", '[');
    for (unsigned e = 0; e < ANALYSIS_ENERGY_COUNT; e++) {
        lib_json_open(&json, NULL, '{');
        lib_json_string(&json, "key", analysis_energy_key(e));
        lib_json_string(&json, "help", analysis_energy_help(e));
        lib_json_close(&json);
    }
    lib_json_close(&json);
    lib_json_close(&json);
}

/* --- the command -------------------------------------------------------------------- */

static void write_settings(enum sim_table_form form, const char *pattern,
                           struct lib_text *out)
{
    if (form == SIM_TABLE_JSON)
        write_settings_json(pattern, out);
    else
        write_settings_text(form, pattern, out);
}

static void write_statistics(enum sim_table_form form, const char *pattern,
                             struct lib_text *out)
{
    if (form == SIM_TABLE_JSON)
        write_statistics_json(pattern, out);
    else if (form == SIM_TABLE_SCDOC)
        write_statistics_scdoc(out);
    else
        write_statistics_text(pattern, out);
}

static void write_energies(enum sim_table_form form, struct lib_text *out)
{
    if (form == SIM_TABLE_JSON)
        write_energies_json(out);
    else if (form == SIM_TABLE_SCDOC)
        write_energies_scdoc(out);
    else
        write_energies_text(out);
}

static const char *statistic_key(size_t i, const void *context)
{
    (void)context;
    return traces_stat_table[i].key;
}

/* A pattern that no name fits, or that chooses from a table of other things, ends the program. */
static void check_pattern(const struct sim_table_choice *choice, const char *pattern,
                          const char *command)
{
    if (choice->energies || choice->scdoc)
        sim_options_wrong(command,
                          "PATTERN chooses settings, or statistics: found `%s` "
                          "with --energies or --scdoc",
                          pattern);
    bool is_found = false;
    const size_t count = choice->statistics ? traces_stat_count : machine_setting_count;
    for (size_t i = 0; i < count; i++)
        is_found = is_found ||
                   sim_table_wants(pattern, choice->statistics
                                                ? traces_stat_table[i].key
                                                : machine_setting_table[i].key);
    if (is_found)
        return;
    const char *near = choice->statistics ? lib_text_nearest(pattern, traces_stat_count,
                                                             statistic_key, NULL)
                                          : machine_setting_nearest(pattern);
    sim_options_wrong(command, "there is no %s with `%s` in its name%s%s%s",
                      choice->statistics ? "statistic" : "setting", pattern,
                      near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

int sim_settings(int argc, char **argv)
{
    struct sim_table_choice choice = {0};
    struct sim_options options = {0};
    struct lib_text text = {0};
    sim_options_parse(&options, &usage, &choice, argc, argv);
    enum sim_table_form form = sim_table_form(&options, &choice);
    const char *pattern = options.argument_count > 0 ? options.arguments[0] : NULL;
    if (pattern)
        check_pattern(&choice, pattern, options.voice.command);
    if (choice.energies)
        write_energies(form, &text);
    else if (choice.statistics)
        write_statistics(form, pattern, &text);
    else
        write_settings(form, pattern, &text);
    enum sim_status status = sim_put(&options.voice, NULL, &text);
    lib_text_free(&text);
    sim_options_free(&options);
    return status;
}
