#include "analysis/energy.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *key, *help;
} events[] = {
#define UNIT(NAME, text, help) {"unit." text, "a live firing of the class: " help},
    ISA_UNITS(UNIT)
#undef UNIT
#define EVENT(NAME, key, count, help) {key, help},
#include "analysis/energy.def"
#undef EVENT
};

const char *analysis_energy_key(enum analysis_energy_event event)
{
    return events[event].key;
}

const char *analysis_energy_help(enum analysis_energy_event event)
{
    return events[event].help;
}

struct reading {
    const char *source; /* source of numbers that name none, or NULL */
    struct analysis_energy *table;
    struct lib_pos places[ANALYSIS_ENERGY_COUNT];
};

/* The value of an event in the file: a number, or a mapping with a source. */
struct entry {
    double pj;
    bool has_number;
    const char *source;
};

static void read_number(struct lib_fields *r, size_t i, void *into)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    struct entry *entry = into;
    entry->has_number = true; /* a mistake counts as a number */
    if (e->kind != LIB_YAML_SCALAR || !lib_text_to_real(e->value, &entry->pj) ||
        !isfinite(entry->pj) || entry->pj < 0) {
        entry->pj = 0;
        lib_fields_expected(r, i, "a number of pJ, 0 or more");
    }
}

static void read_mapping(struct lib_fields *r, size_t i, struct entry *entry)
{
    static const struct lib_field fields[] = {
        {.name = "pJ", .read = read_number},
        {.name = "source", .kind = LIB_FIELD_TEXT, .at = offsetof(struct entry, source)},
    };
    const size_t errors = r->diags->errors;
    if (lib_fields_entry(r, i)->kind != LIB_YAML_MAPPING) {
        lib_fields_expected(r, i, "a number of pJ, or a mapping of `pJ` and `source`");
        return;
    }
    lib_fields_mapping(r, i, "the energy of an event", fields, 2, entry);
    if (!entry->has_number && r->diags->errors == errors)
        lib_fields_wrong(r, i, "%s: `pJ` is missing: the energy of one such event",
                         lib_fields_entry(r, i)->key);
}

static enum analysis_energy_event event_of(const char *key)
{
    unsigned event = 0;
    while (strcmp(events[event].key, key) != 0)
        event++;
    return event;
}

static void read_event(struct lib_fields *r, size_t i, void *into)
{
    struct reading *reading = into;
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    const enum analysis_energy_event event = event_of(e->key);
    struct entry entry = {0};
    if (e->kind == LIB_YAML_SCALAR)
        read_number(r, i, &entry);
    else
        read_mapping(r, i, &entry);
    reading->places[event] = e->value_pos;
    reading->table->entries[event] = (struct analysis_energy_entry){entry.pj,
                                                                    entry.source};
}

static void give_sources(struct lib_fields *r, struct reading *reading)
{
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++) {
        struct analysis_energy_entry *entry = &reading->table->entries[event];
        if (!reading->places[event].line || entry->source)
            continue;
        entry->source = reading->source;
        if (!entry->source)
            lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, reading->places[event],
                           "%s: `source` is missing: where the number comes from (one "
                           "`source` at the top of the table serves all)",
                           events[event].key);
    }
}

static bool has_number(const struct reading *reading)
{
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++)
        if (reading->places[event].line)
            return true;
    return false;
}

static void read_table(struct lib_fields *r, struct reading *reading)
{
    struct lib_field fields[ANALYSIS_ENERGY_COUNT + 2];
    size_t count = 0;
    const size_t errors = r->diags->errors;
    fields[count++] = (struct lib_field){.name = "title",
                                         .kind = LIB_FIELD_TEXT,
                                         .via = offsetof(struct reading, table),
                                         .at = offsetof(struct analysis_energy, title)};
    fields[count++] = (struct lib_field){
        .name = "source", .kind = LIB_FIELD_TEXT, .at = offsetof(struct reading, source)};
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++)
        fields[count++] = (struct lib_field){.name = events[event].key,
                                             .read = read_event};
    lib_fields_mapping(r, LIB_WHOLE, "a table of energies", fields, count, reading);
    if (r->diags->errors != errors)
        return;
    give_sources(r, reading);
    if (!has_number(reading))
        lib_diag_error(
            r->diags, LIB_DIAG_NAME, r->source, (struct lib_pos){1, 1, 1},
            "there is no number in this table of energies; expected some of "
            "`unit.alu`, `match`, `hop` ... (`hiaton settings --energies` lists them)");
}

bool analysis_energy_read(struct analysis_energy *table, const char *name,
                          struct lib_arena *arena, const struct lib_source *source,
                          struct lib_diags *diags)
{
    const size_t errors = diags->errors;
    *table = (struct analysis_energy){
        .name = name,
        .title = "",
        .text = lib_arena_copy(arena, source->bytes, source->length)};
    struct lib_yaml yaml;
    struct lib_fields r = {
        .arena = arena, .source = source, .yaml = &yaml, .diags = diags};
    struct reading reading = {.table = table};
    if (lib_yaml_read(&yaml, arena, source, diags))
        read_table(&r, &reading);
    lib_yaml_free(&yaml);
    return diags->errors == errors;
}

void analysis_energy_describe(const struct analysis_energy *table, struct lib_text *out)
{
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++) {
        if (table->entries[event].pj == 0)
            continue;
        lib_text_printf(out, "energy.%s=", events[event].key);
        lib_text_real(out, table->entries[event].pj);
        lib_text_puts(out, "\n");
    }
}

uint64_t analysis_energy_count(enum analysis_energy_event event,
                               const struct traces_stats *stats)
{
    const struct traces_stats *s = stats;
    switch (event) {
#define EVENT(NAME, key, count, help)                                                    \
    case ANALYSIS_ENERGY_##NAME:                                                         \
        return count;
#include "analysis/energy.def"
#undef EVENT
    default:
        return s->unit_firings[event - ANALYSIS_ENERGY_UNITS];
    }
}

void analysis_energy_derive(const struct analysis_energy *table,
                            struct traces_stats *stats)
{
    stats->energy = stats->energy_delay = NAN;
    if (!table || !stats->counts_work)
        return;
    stats->energy = 0;
    for (unsigned event = 0; event < ANALYSIS_ENERGY_COUNT; event++)
        stats->energy += table->entries[event].pj *
                         (double)analysis_energy_count(event, stats);
    stats->energy_delay = stats->energy * (double)stats->cycles;
}
