#include "sim/cli/analyses.h"

#include <string.h>

/* Returns the analysis with a name. Ends the process if there is none. */
static size_t find_analysis(const struct sim_analyses *a, const char *name)
{
    LIB_TEXT_OWN known = {0};
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++) {
        if (strcmp(name, analysis_stream_table[i].name) == 0)
            return i;
        lib_text_printf(&known, "%s%s", i ? "|" : "", analysis_stream_table[i].name);
    }
    lib_text_puts(&known, "|causes");
    sim_options_no_choice("--only", name, known.bytes, a->command);
}

/* Causes have no tables to choose: options say which are made. */
static bool choose_causes(struct sim_analyses *a, const char *name, const char *table)
{
    if (strcmp(name, "causes") != 0)
        return false;
    if (table)
        sim_options_wrong(a->command, "--only: of `causes` no table can be chosen; --by, "
                                      "--chain and --why say what is told of them");
    *a->causes = true;
    return true;
}

/* Adds a choice once, in the order of the table, so that those of an analysis are together. */
static void choose(struct sim_analyses *a, size_t which, const char *table)
{
    size_t at = 0;
    for (; at < a->choices.count && a->choices.items[at].which <= which; at++) {
        const struct sim_analyses_choice *choice = &a->choices.items[at];
        if (choice->which != which)
            continue;
        if (choice->table == table ||
            (choice->table && table && strcmp(choice->table, table) == 0))
            return;
    }
    LIB_VEC_PUSH(&a->choices);
    for (size_t i = a->choices.count - 1; i > at; i--)
        a->choices.items[i] = a->choices.items[i - 1];
    a->choices.items[at] = (struct sim_analyses_choice){which, table};
}

/* Drops tables of analyses that are also chosen as a whole. */
static void drop_covered(struct sim_analyses *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->choices.count; i++) {
        const struct sim_analyses_choice *choice = &a->choices.items[i];
        bool is_covered = false;
        for (size_t k = 0; k < a->choices.count; k++)
            is_covered |= a->choices.items[k].which == choice->which &&
                          !a->choices.items[k].table && choice->table;
        if (!is_covered)
            a->choices.items[kept++] = *choice;
    }
    a->choices.count = kept;
}

void sim_analyses_choose_all(struct sim_analyses *a)
{
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        choose(a, i, NULL);
}

void sim_analyses_leave_whole(struct sim_analyses *a, bool are_named)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->choices.count; i++) {
        const struct sim_analyses_choice choice = a->choices.items[i];
        const struct analysis_stream_row *row = &analysis_stream_table[choice.which];
        if (row->window != ANALYSIS_STREAM_WHOLE)
            a->choices.items[kept++] = choice;
        else if (are_named)
            sim_options_wrong(a->command,
                              "--cycles: `%s` is of whole runs; leave it or --cycles out",
                              row->name);
    }
    a->choices.count = kept;
}

void sim_analyses_choose(struct sim_analyses *a, const char *text)
{
    if (!a->arena)
        a->arena = lib_arena_new();
    char *word, *rest = lib_arena_copy(a->arena, text, strlen(text));
    while ((word = strsep(&rest, ","))) {
        char *table = strchr(word, '.');
        if (table)
            *table++ = '\0';
        if (!choose_causes(a, word, table))
            choose(a, find_analysis(a, word), table);
    }
    drop_covered(a);
}

void sim_analyses_free(struct sim_analyses *a)
{
    if (a->streams)
        analysis_streams_free(a->streams);
    if (a->arena)
        lib_arena_free(a->arena);
    LIB_VEC_FREE(&a->choices);
}

void sim_analyses_complete(const struct sim_complete_value *value)
{
    const char *comma = strrchr(value->typed, ',');
    const size_t skip = comma ? (size_t)(comma + 1 - value->typed) : 0;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        sim_complete_offer(value, skip, analysis_stream_table[i].name, "",
                           analysis_stream_table[i].help);
    sim_complete_offer(value, skip, "causes", "", "every cycle by its one cause");
}

void sim_analyses_wanted(const struct sim_analyses *a, bool wanted[ANALYSIS_STREAM_COUNT])
{
    memcpy(wanted, a->shown, sizeof a->shown);
    for (size_t i = 0; i < a->choices.count; i++)
        wanted[a->choices.items[i].which] = true;
}

static const char *table_name(size_t i, const void *context)
{
    return ((const struct lib_findings *)context)->tables.items[i]->key;
}

static void check_table(const struct sim_analyses *a, const struct lib_findings *f,
                        const char *table)
{
    for (size_t i = 0; i < f->tables.count; i++)
        if (strcmp(table_name(i, f), table) == 0)
            return;
    const char *near = lib_text_nearest(table, f->tables.count, table_name, f);
    sim_options_wrong(a->command, "--only: `%s` has no table `%s`%s%s%s", f->name, table,
                      near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

/* Checks chosen tables before the run, by analyses of no events, which have the same tables. */
static void check_tables(const struct sim_analyses *a)
{
    for (size_t i = 0; i < a->choices.count; i++) {
        const struct sim_analyses_choice *choice = &a->choices.items[i];
        struct lib_findings f;
        if (!choice->table)
            continue;
        lib_findings_start(&f, analysis_stream_table[choice->which].name, false);
        analysis_streams_tell(a->streams, choice->which, &f);
        check_table(a, &f, choice->table);
        lib_findings_free(&f);
    }
}

void sim_analyses_open(struct sim_analyses *a, const struct analysis_stream_run *run)
{
    bool wanted[ANALYSIS_STREAM_COUNT];
    sim_analyses_wanted(a, wanted);
    a->run = *run;
    a->streams = analysis_streams_new(run, wanted);
    check_tables(a);
}

size_t sim_analyses_sinks(const struct sim_analyses *a,
                          struct traces_event_sink sinks[TRACES_LEVEL_COUNT])
{
    return analysis_streams_sinks(a->streams, sinks);
}

void sim_analyses_warn(const struct sim_analyses *a, const struct sim_printer *printer,
                       const struct lib_source *source, const char *name)
{
    for (size_t i = 0; i < a->choices.count && !source && !printer->quiet; i++)
        if (a->choices.items[i].which == ANALYSIS_STREAM_lines)
            sim_say(printer,
                    "the source of %s is not at hand, so that lines have no text", name);
}

static void start_findings(const struct sim_analyses *a, size_t i, bool for_people,
                           struct lib_findings *f)
{
    const size_t which = a->choices.items[i].which;
    lib_findings_start(f, analysis_stream_table[which].name, for_people);
    analysis_streams_tell(a->streams, which, f);
}

void sim_analyses_write_text(const struct sim_analyses *a, struct lib_text *out)
{
    for (size_t i = 0; i < a->choices.count; i++) {
        struct lib_findings f;
        start_findings(a, i, true, &f);
        lib_findings_write(&f, LIB_FORM_TEXT, a->choices.items[i].table, out);
        lib_findings_free(&f);
    }
}

void sim_analyses_write_csv(const struct sim_analyses *a, struct lib_text *out)
{
    for (size_t i = 0; i < a->choices.count; i++) {
        const char *table = a->choices.items[i].table;
        struct lib_findings f;
        start_findings(a, i, false, &f);
        const size_t parts = f.tables.count + (lib_findings_numbers(&f) > 0);
        f.untitled = a->choices.count == 1 && (table || parts <= 1);
        lib_findings_write(&f, LIB_FORM_CSV, table, out);
        lib_findings_free(&f);
    }
}

void sim_analyses_write_json(const struct sim_analyses *a, struct lib_json *json)
{
    const struct sim_analyses_choice *c = a->choices.items;
    lib_json_open(json, "analyses", '{');
    for (size_t i = 0; i < a->choices.count; i++) {
        struct lib_findings f;
        start_findings(a, i, false, &f);
        if (i == 0 || c[i - 1].which != c[i].which)
            lib_json_open(json, f.name, '{');
        lib_findings_put_json(&f, c[i].table, json);
        if (i + 1 == a->choices.count || c[i + 1].which != c[i].which)
            lib_json_close(json);
        lib_findings_free(&f);
    }
    lib_json_close(json);
}
