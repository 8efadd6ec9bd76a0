/* Energy tables: pJ per event of a machine. Multiplied with the counts of a run they give `energy`
 * and `energy_delay` of traces/stats.def (doc/metrics.md, Energy).
 *
 * A table is a YAML file. Each number names its source. An event without a number counts as 0
 * pJ. */
#ifndef ANALYSIS_ENERGY_H
#define ANALYSIS_ENERGY_H

#include "lib/fields.h"
#include "traces/stats.h"

enum analysis_energy_event {
    ANALYSIS_ENERGY_UNITS = 0, /* first class of function units */
    ANALYSIS_ENERGY_LAST_UNIT = ISA_UNIT_COUNT - 1,
#define EVENT(NAME, key, count, help) ANALYSIS_ENERGY_##NAME,
#include "analysis/energy.def"
#undef EVENT
    ANALYSIS_ENERGY_COUNT,
};

/* Return the key of an event in a table, such as "unit.alu", and its help. */
const char *analysis_energy_key(enum analysis_energy_event event);
const char *analysis_energy_help(enum analysis_energy_event event);

struct analysis_energy_entry {
    double pj;          /* 0 if missing */
    const char *source; /* NULL if missing */
};

/* An energy table. Strings live in the arena of the reader. */
struct analysis_energy {
    const char *name;  /* "horowitz-45nm", or a file name without folder */
    const char *title; /* "" if not given */
    const char *text;  /* its text in YAML */
    struct analysis_energy_entry entries[ANALYSIS_ENERGY_COUNT];
};

/* Tables that come with Hiaton: analysis/energies/NAME.yaml, compiled in. */
struct analysis_energy_text {
    const char *name; /* NULL ends the list, which is sorted by name */
    const char *text; /* YAML; the first line is "# NAME: " and a description */
};

extern const struct analysis_energy_text analysis_energy_texts[];

/* Reads a table from YAML. Returns false and adds diagnostics on errors. */
bool analysis_energy_read(struct analysis_energy *table, const char *name,
                          struct lib_arena *arena, const struct lib_source *source,
                          struct lib_diags *diags);

/* Adds a line KEY=PJ for each number. Tables with equal numbers have equal lines. */
void analysis_energy_describe(const struct analysis_energy *table, struct lib_text *out);

/* Returns how often an event happened in a run. */
uint64_t analysis_energy_count(enum analysis_energy_event event,
                               const struct traces_stats *stats);

/* Computes the energy statistics: NaN if `table` is NULL or work was not counted. */
void analysis_energy_derive(const struct analysis_energy *table,
                            struct traces_stats *stats);

#endif
