#include "sim/commands/commands.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/energy.h"
#include "sim/cli/complete.h"
#include "sim/cli/reference_table.h"
#include "sim/loading/setting.h"
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
    for (size_t i = 0; i < sim_setting_count; i++)
        sim_complete_offer(value, 0, sim_setting_at(i)->key, "", sim_setting_at(i)->help);
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

static const char *standard_text(const struct lib_setting *s, struct lib_text *text)
{
    struct sim_settings standard;
    sim_settings_default(&standard);
    lib_text_clear(text);
    lib_setting_write(&standard, s, text);
    return lib_text_get(text);
}

/* Writes "16 (1 to 65536 PEs)", "crossbar (ideal | crossbar)". */
static void write_values(const struct lib_setting *s, struct lib_text *out)
{
    LIB_TEXT_OWN standard = {0};
    lib_text_puts(out, standard_text(s, &standard));
    if (s->choices) {
        lib_text_puts(out, " (");
        for (const char *p = s->choices; *p; p++)
            lib_text_printf(out, *p == '|' ? " %c " : "%c", *p);
        lib_text_puts(out, ")");
    } else if (s->kind != LIB_SETTING_NUMBER) {
        lib_text_puts(out, " (");
        lib_setting_expect(s, out);
        lib_text_puts(out, ")");
    } else if (s->greatest == UINT64_MAX) {
        lib_text_printf(out, " (%" PRIu64 " or more %s)", s->least, s->unit);
    } else {
        lib_text_printf(out, " (%" PRIu64 " to %" PRIu64 " %s)", s->least, s->greatest,
                        s->unit);
    }
}

/* Adds the valid values, for programs. */
static void add_kind(const struct lib_setting *s, struct lib_table *t,
                     struct lib_findings *f)
{
    const bool is_number = s->kind == LIB_SETTING_NUMBER;
    const bool has_range = is_number || s->kind == LIB_SETTING_LIST;
    LIB_TEXT_OWN standard = {0};
    (void)standard_text(s, &standard);
    lib_row(t, "default",
            is_number ? lib_count(s->standard)
                      : lib_word(lib_arena_copy(f->arena, lib_text_get(&standard),
                                                standard.length)));
    lib_row(t, "choices",
            s->choices ? lib_findings_choices(f, s->choices) : lib_absent());
    lib_row(t, "file", s->kind == LIB_SETTING_FILE ? lib_flag(true) : lib_absent());
    lib_row(t, "least", has_range ? lib_count(s->least) : lib_absent());
    lib_row(t, "greatest", has_range ? lib_count(s->greatest) : lib_absent());
    lib_row(t, "most", s->most ? lib_count(s->most) : lib_absent());
    lib_row(t, "unit", s->unit ? lib_word(s->unit) : lib_absent());
}

static void add_settings(const void *pattern, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "settings", "");
    t->is_entries = t->spells_rows = true;
    for (size_t i = 0; i < sim_setting_count; i++) {
        const struct lib_setting *s = sim_setting_at(i);
        struct lib_text values = {0};
        if (!sim_table_wants(pattern, s->key))
            continue;
        lib_row(t, "group",
                lib_word(lib_arena_copy(f->arena, s->key, sim_group_length(s->key))))
            ->is_group = true;
        lib_row(t, "key", lib_word(s->key));
        if (f->for_people) {
            write_values(s, &values);
            lib_row(t, "values", lib_word(lib_arena_keep(f->arena, &values)))->label =
                " = ";
        } else {
            add_kind(s, t, f);
        }
        lib_row(t, "help", lib_word(s->help));
    }
}

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

/* Lists with a row for each PE, link and so on of a run. */
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

static const char *part_text(enum traces_stat_part part)
{
    static const char *const texts[] = {
        [TRACES_PART_SUM] = "sum",         [TRACES_PART_PEAK] = "peak",
        [TRACES_PART_DERIVED] = "derived", [TRACES_PART_SAME] = "same",
        [TRACES_PART_WHOLE] = "null",
    };
    return texts[part];
}

static void add_statistic(const struct traces_stat *s, struct lib_table *t,
                          struct lib_findings *f)
{
    const char *kind = kind_text(s->kind);
    const bool both = s->by == TRACES_BY_BOTH;
    lib_row(t, "key", lib_word(s->key));
    if (!f->for_people)
        lib_row(t, "kind", lib_word(kind));
    lib_row(t, "unit", lib_word(f->for_people && !*s->unit ? kind : s->unit))->label =
        ", ";
    if (f->for_people)
        lib_row(t, "interp", lib_word(both ? "also by interp" : ""))->label = "; ";
    else
        lib_row(t, "interp", lib_flag(both));
    struct lib_column *part = lib_row(t, "part", lib_word(part_text(s->part)));
    part->label = "; in a part of a run: ";
    part->hidden = LIB_NOT_IN_TEXT;
    lib_row(t, "help", lib_word(s->help));
}

static void add_statistics(const void *pattern, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "statistics", "");
    t->no_heads = t->shows_all = t->spells_rows = true;
    for (size_t i = 0; i < traces_stat_count; i++)
        if (sim_table_wants(pattern, traces_stat_table[i].key))
            add_statistic(&traces_stat_table[i], t, f);
    for (const struct rows_of *p = rows_of_parts; p < rows_of_parts + PARTS; p++) {
        if (pattern && f->for_people)
            continue; /* only for parts of a run */
        t = lib_findings_table(f, p->key, p->title);
        t->no_heads = true;
        for (size_t i = 0; i < p->count; i++) {
            lib_row(t, "key", lib_word(p->rows[i].key));
            lib_row(t, "help", lib_word(p->rows[i].help));
        }
    }
}

/* Returns the help of a table, from its first line "# NAME: HELP". */
static const char *help_of(const char *text, struct lib_arena *arena)
{
    const char *colon = strchr(text, ':');
    const char *help = colon ? colon + 1 + strspn(colon + 1, " ") : text;
    return lib_arena_copy(arena, help, strcspn(help, "\n"));
}

static void add_energies(const void *context, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(f, "tables", "tables");
    (void)context;
    t->no_heads = t->spells_rows = true;
    for (size_t i = 0; analysis_energy_texts[i].name; i++) {
        const char *text = analysis_energy_texts[i].text;
        lib_row(t, "name", lib_word(analysis_energy_texts[i].name));
        lib_row(t, f->for_people ? "help" : "text",
                lib_word(f->for_people ? help_of(text, f->arena) : text));
    }
    t = lib_findings_table(f, "events", "pJ for each");
    t->no_heads = t->spells_rows = true;
    for (unsigned e = 0; e < ANALYSIS_ENERGY_COUNT; e++) {
        lib_row(t, "key", lib_word(analysis_energy_key(e)));
        lib_row(t, "help", lib_word(analysis_energy_help(e)));
    }
}

static const char *statistic_key(size_t i, const void *context)
{
    (void)context;
    return traces_stat_table[i].key;
}

/* Ends the process if a pattern fits no name, or chooses from another table. */
static void check_pattern(const struct sim_table_choice *choice, const char *pattern,
                          const char *command)
{
    if (choice->energies || choice->scdoc)
        sim_options_wrong(command,
                          "PATTERN chooses settings, or statistics: found `%s` "
                          "with --energies or --scdoc",
                          pattern);
    bool is_found = false;
    const size_t count = choice->statistics ? traces_stat_count : sim_setting_count;
    for (size_t i = 0; i < count; i++)
        is_found = is_found ||
                   sim_table_wants(pattern, choice->statistics ? traces_stat_table[i].key
                                                               : sim_setting_at(i)->key);
    if (is_found)
        return;
    if (!choice->statistics && strncmp(pattern, "class", strlen("class")) == 0)
        sim_options_wrong(
            command, "settings of classes of PEs are `class.NAME.pes`, "
                     "`class.NAME.units`, and `class.NAME.KEY` for keys of PEs, such as "
                     "`class.fast.pe.units`; those of each class are not listed");
    const char *near = choice->statistics ? lib_text_nearest(pattern, traces_stat_count,
                                                             statistic_key, NULL)
                                          : sim_setting_nearest(pattern);
    sim_options_wrong(command, "there is no %s with `%s` in its name%s%s%s",
                      choice->statistics ? "statistic" : "setting", pattern,
                      near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

int sim_settings(int argc, char **argv)
{
    struct sim_table_choice choice = {0};
    struct sim_options options = {0};
    sim_options_parse(&options, &usage, &choice, argc, argv);
    const char *pattern = options.argument_count > 0 ? options.arguments[0] : NULL;
    if (pattern)
        check_pattern(&choice, pattern, options.printer.command);
    const enum sim_status status = sim_table_put(&options, &choice,
                                                 choice.energies     ? add_energies
                                                 : choice.statistics ? add_statistics
                                                                     : add_settings,
                                                 pattern);
    sim_options_free(&options);
    return status;
}
