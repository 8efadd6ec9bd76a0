/* Energy tables: pJ per event of a machine. Energy tables and the counts of a run give `energy` and
 * `energy_delay` of traces/stats.def (doc/metrics.md, Energy).
 *
 * A table is a YAML file. Each number names its source. An event without a number costs 0 pJ. */
#ifndef ANALYSIS_ENERGY_H
#define ANALYSIS_ENERGY_H

#include "lib/fields.h"
#include "traces/stats.h"

enum analysis_energy_event {
    /* event N up to ANALYSIS_ENERGY_LAST_UNIT: a live firing in a function unit of class N */
    ANALYSIS_ENERGY_UNITS = 0,
    ANALYSIS_ENERGY_LAST_UNIT = ISA_UNIT_COUNT - 1,
#define EVENT(NAME, key, count, help) ANALYSIS_ENERGY_##NAME,
#include "analysis/energy.def"
#undef EVENT
    ANALYSIS_ENERGY_COUNT,
};

/* Return the key that an event has in energy tables, such as "unit.alu"; and its help text. */
const char *analysis_energy_key(enum analysis_energy_event event);
const char *analysis_energy_help(enum analysis_energy_event event);

struct analysis_energy_entry {
    double pj; /* 0 if the table does not list the event */
    /* origin of the number; NULL if the table does not list the event */
    const char *source;
};

/* An energy table. The strings belong to the arena that was passed to analysis_energy_read. */
struct analysis_energy {
    /* name of the table, such as "horowitz-45nm"; or a file name without folder */
    const char *name;
    const char *title; /* "" if the file has no title */
    const char *text;  /* the YAML file, unchanged */
    struct analysis_energy_entry entries[ANALYSIS_ENERGY_COUNT];
};

/* Energy tables that are compiled in, from analysis/energies/NAME.yaml. */
struct analysis_energy_text {
    /* name of the table; the list is sorted by name and ends with NULL */
    const char *name;
    const char *text; /* YAML; its first line is "# NAME: description" */
};

extern const struct analysis_energy_text analysis_energy_texts[];

/* Reads an energy table from YAML. Returns false and adds diagnostics on errors. */
bool analysis_energy_read(struct analysis_energy *table, const char *name,
                          struct lib_arena *arena, const struct lib_source *source,
                          struct lib_diags *diags);

/* Adds a line "KEY=PJ" for each number of the energy table. Tables with equal numbers give equal
 * lines. */
void analysis_energy_describe(const struct analysis_energy *table, struct lib_text *out);

/* Returns how often an event happened in the run with the statistics `stats`. */
uint64_t analysis_energy_count(enum analysis_energy_event event,
                               const struct traces_stats *stats);

/* Sets `energy` and `energy_delay` of `stats`. They are NaN if `table` is NULL or if the run did
 * not count its work. */
void analysis_energy_derive(const struct analysis_energy *table,
                            struct traces_stats *stats);

#endif
