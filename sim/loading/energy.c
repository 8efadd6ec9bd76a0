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
    struct lib_text names = {0};
    for (size_t i = 0; i < count_texts(); i++)
        lib_text_printf(&names, "%s%s", i ? ", " : "", name_of(i, NULL));
    lib_diag_error(diags, LIB_DIAG_NAME, NULL, (struct lib_pos){0},
                   "unknown table of energies `%s`, neither one of the program nor a "
                   "file%s (tables: %s)",
                   name,
                   near ? lib_arena_printf(arena, "; did you mean `%s`?", near) : "",
                   names.bytes);
    lib_text_free(&names);
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
        source = lib_file_read(arena, path, diags);
    else
        report_unknown(arena, name, diags);
    const char *slash = strrchr(name, '/');
    if (!source ||
        !analysis_energy_read(table, slash ? slash + 1 : name, arena, source, diags))
        return NULL;
    return table;
}

/* --- writing ------------------------------------------------------------------------ */

static double total_energy(const struct analysis_energy *table,
                           const struct traces_stats *stats,
                           enum analysis_energy_event event)
{
    return table->entries[event].pj * (double)analysis_energy_count(event, stats);
}

void sim_energy_write(const struct analysis_energy *table,
                      const struct traces_stats *stats, struct lib_text *out)
{
    lib_text_printf(out, "\nenergy by %s%s%s:\n", table->name, *table->title ? ", " : "",
                    table->title);
    lib_text_printf(out, "  %-14s %14s %8s %16s %7s  %s\n", "event", "count", "pJ each",
                    "pJ", "share", "source");
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++) {
        const struct analysis_energy_entry *e = &table->entries[event];
        const double pj = total_energy(table, stats, event);
        if (!e->source)
            continue;
        lib_text_printf(out, "  %-14s %14" PRIu64 " %8.4g %16.1f %5.1f %%  %s\n",
                        analysis_energy_key(event), analysis_energy_count(event, stats),
                        e->pj, pj, stats->energy > 0 ? 100 * pj / stats->energy : 0,
                        e->source);
    }
}

void sim_energy_write_missing(const struct analysis_energy *table,
                              const struct traces_stats *stats, struct lib_text *out)
{
    const char *before = "";
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++) {
        if (table->entries[event].source || analysis_energy_count(event, stats) == 0)
            continue;
        lib_text_printf(out, "%s%s", before, analysis_energy_key(event));
        before = ", ";
    }
}

void sim_energy_write_json(const struct analysis_energy *table,
                           const struct traces_stats *stats, struct lib_json *json)
{
    lib_json_open(json, "energy_table", '{');
    lib_json_string(json, "name", table->name);
    lib_json_string(json, "title", table->title);
    lib_json_open(json, "events", '[');
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++) {
        const struct analysis_energy_entry *e = &table->entries[event];
        if (!e->source)
            continue;
        lib_json_open_line(json, NULL, '{');
        lib_json_string(json, "event", analysis_energy_key(event));
        lib_json_uint(json, "count", analysis_energy_count(event, stats));
        lib_json_real(json, "pJ_each", e->pj);
        lib_json_real(json, "pJ", total_energy(table, stats, event));
        lib_json_string(json, "source", e->source);
        lib_json_close(json);
    }
    lib_json_close(json);
    lib_json_open(json, "without", '[');
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++)
        if (!table->entries[event].source && analysis_energy_count(event, stats))
            lib_json_string(json, NULL, analysis_energy_key(event));
    lib_json_close(json);
    lib_json_close(json);
}
