/* Energies: a table of pJ per event of a machine. With the counts of a run it gives `energy` and
 * `energy_delay` of traces/stats.def (doc/metrics.md, Energy).
 *
 * A table is a YAML file. Each number names its source. An event without a number counts as
 * 0 pJ. */
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
    double pj;          /* 0 if the table has none */
    const char *source; /* NULL if the table has none */
};

/* Texts live in the arena of the reading. */
struct analysis_energy {
    const char *name;  /* "horowitz-45nm", or the name of a file without its folder */
    const char *title; /* "" if not given */
    const char *text;  /* YAML from which the table was read */
    struct analysis_energy_entry entries[ANALYSIS_ENERGY_COUNT];
};

/* The tables embedded in the program: analysis/energies/NAME.yaml. */
struct analysis_energy_text {
    const char *name; /* NULL ends the list, which is sorted by name */
    const char *text; /* YAML; its first line is "# NAME: " and a description */
};

extern const struct analysis_energy_text analysis_energy_texts[];

/* Reads a table from a file, which has a mapping. Returns false after errors. */
bool analysis_energy_read(struct analysis_energy *table, const char *name,
                          struct lib_arena *arena, const struct lib_source *source,
                          struct lib_diags *diags);

/* Adds a line KEY=PJ for each number. Tables that give the same results have the same lines. */
void analysis_energy_describe(const struct analysis_energy *table, struct lib_text *out);

/* Returns the count of an event in a run. */
uint64_t analysis_energy_count(enum analysis_energy_event event,
                               const struct traces_stats *stats);

/* Computes the statistics of energy: NaN without a table (NULL), or if the work was not counted. */
void analysis_energy_derive(const struct analysis_energy *table,
                            struct traces_stats *stats);

#endif
