#include "sim/loading/energy.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"

static const char *name_of(size_t i, const void *context)
{
    (void)context;
    return analysis_energy_texts[i].name;
}

static size_t count_texts(void)
{
    size_t count = 0;
    while (analysis_energy_texts[count].name)
        count++;
    return count;
}

static const struct analysis_energy_text *find_text(const char *name)
{
    for (size_t i = 0; analysis_energy_texts[i].name; i++)
        if (strcmp(analysis_energy_texts[i].name, name) == 0)
            return &analysis_energy_texts[i];
    return NULL;
}

static const struct lib_source *embedded_source(struct lib_arena *arena,
                                                const struct analysis_energy_text *text)
{
    struct lib_source *source = LIB_ARENA_NEW(arena, struct lib_source);
    source->name = lib_arena_printf(arena, "table of energies %s", text->name);
    source->bytes = text->text;
    source->length = strlen(text->text);
    return source;
}

static bool looks_like_file(const char *name, const char *path)
{
    const char *dot = strrchr(name, '.');
    return strchr(name, '/') ||
           (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)) ||
           access(path, F_OK) == 0;
}

static void report_unknown(struct lib_arena *arena, const char *name,
                           struct lib_diags *diags)
{
    const char *near = lib_text_nearest(name, count_texts(), name_of, NULL);
    LIB_TEXT_OWN names = {0};
    for (size_t i = 0; i < count_texts(); i++)
        lib_text_printf(&names, "%s%s", i ? ", " : "", name_of(i, NULL));
    lib_diag_plain(diags, LIB_DIAG_NAME,
                   "unknown table of energies `%s`, neither one of the program nor a "
                   "file%s (tables: %s)",
                   name,
                   near ? lib_arena_printf(arena, "; did you mean `%s`?", near) : "",
                   names.bytes);
}

const struct analysis_energy *sim_energy_load(struct lib_arena *arena, const char *folder,
                                              const char *name, struct lib_diags *diags)
{
    const struct analysis_energy_text *text = find_text(name);
    const char *path = *name == '/' ? name
                                    : lib_arena_printf(arena, "%s%s", folder, name);
    struct analysis_energy *table = LIB_ARENA_NEW(arena, struct analysis_energy);
    const struct lib_source *source = NULL;
    if (text)
        source = embedded_source(arena, text);
    else if (looks_like_file(name, path))
        source = lib_file_read_as(arena, path, "the table of energies", diags);
    else
        report_unknown(arena, name, diags);
    if (!source ||
        !analysis_energy_read(table, lib_file_name(name), arena, source, diags))
        return NULL;
    return table;
}

static void add_events(const struct analysis_energy *table,
                       const struct traces_stats *stats, struct lib_table *t)
{
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++) {
        const struct analysis_energy_entry *e = &table->entries[event];
        const uint64_t count = analysis_energy_count(event, stats);
        const double pj = e->pj * (double)count;
        if (!e->source)
            continue;
        lib_row(t, "event", lib_word(analysis_energy_key(event)));
        lib_row(t, "count", lib_count(count));
        lib_row(t, "pJ_each", lib_real(e->pj))->style = LIB_STYLE_SHORT;
        lib_row(t, "pJ", lib_real(pj));
        struct lib_column *share = lib_row(t, "share",
                                           lib_real(lib_ratio(pj, stats->energy)));
        share->style = LIB_STYLE_PERCENT;
        share->hidden = LIB_ONLY_TEXT;
        lib_row(t, "source", lib_word(e->source));
    }
}

static bool is_missing(const struct analysis_energy *table,
                       const struct traces_stats *stats, unsigned event)
{
    return !table->entries[event].source && analysis_energy_count(event, stats) > 0;
}

void sim_energy_findings(const struct analysis_energy *table,
                         const struct traces_stats *stats, struct lib_findings *f)
{
    const char *help = lib_arena_printf(f->arena, "energy by %s%s%s", table->name,
                                        *table->title ? ", " : "", table->title);
    if (f->for_people) {
        add_events(table, stats, lib_findings_table(f, "energy", help));
        return;
    }
    lib_findings_open(f, "energy_table", NULL);
    lib_findings_word(f, "name", table->name, NULL);
    lib_findings_word(f, "title", table->title, NULL);
    add_events(table, stats, lib_findings_table(f, "events", help));
    lib_findings_open_list(f, "without", NULL);
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++)
        if (is_missing(table, stats, event))
            lib_findings_word(f, NULL, analysis_energy_key(event), NULL);
    lib_findings_close(f);
    lib_findings_close(f);
}

void sim_energy_write_missing(const struct analysis_energy *table,
                              const struct traces_stats *stats, struct lib_text *out)
{
    const char *before = "";
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++)
        if (is_missing(table, stats, event)) {
            lib_text_printf(out, "%s%s", before, analysis_energy_key(event));
            before = ", ";
        }
}
