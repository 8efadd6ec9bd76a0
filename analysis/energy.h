/* Energies: a table of pJ for what a machine does, and what follows from it and from the counts
 * of a run: `energy` and `energy_delay` of traces/stats.def (doc/metrics.md, Energy).
 *
 * A table is a YAML file. It gives numbers only for what its source has: what it does not name
 * counts as 0 pJ. Each number has its source. */
#ifndef ANALYSIS_ENERGY_H
#define ANALYSIS_ENERGY_H

#include "lib/fields.h"
#include "traces/stats.h"

enum analysis_energy_event {
    ANALYSIS_ENERGY_UNITS = 0, /* and the other classes of function units */
    ANALYSIS_ENERGY_LAST_UNIT = ISA_UNIT_COUNT - 1,
#define EVENT(NAME, key, count, help) ANALYSIS_ENERGY_##NAME,
#include "analysis/energy.def"
#undef EVENT
    ANALYSIS_ENERGY_COUNT,
};

/* What an event is called in a table, "unit.alu"; and what it is. */
const char *analysis_energy_key(enum analysis_energy_event event);
const char *analysis_energy_help(enum analysis_energy_event event);

struct analysis_energy_entry {
    double pj;          /* 0 where the table has none */
    const char *source; /* NULL where the table has none */
};

/* Texts live in the arena of the reading. */
struct analysis_energy {
    const char *name;  /* "horowitz-45nm"; of a file its name without the folder */
    const char *title; /* "" if not given */
    const char *text;  /* YAML, from which it was read */
    struct analysis_energy_entry entries[ANALYSIS_ENERGY_COUNT];
};

/* The tables that come with the program: analysis/energies/NAME.yaml, embedded in it. */
struct analysis_energy_text {
    const char *name; /* NULL ends the list, which is sorted by name */
    const char *text; /* YAML; its first line is "# NAME: " and what is said of it */
};

extern const struct analysis_energy_text analysis_energy_texts[];

/* Reads a table that a file holds, as a mapping. false after errors. */
bool analysis_energy_read(struct analysis_energy *table, const char *name,
                          struct lib_arena *arena, const struct lib_source *source,
                          struct lib_diags *diags);

/* Adds its numbers, a line each, KEY=PJ: two tables that say the same of a run have the same
 * lines. */
void analysis_energy_describe(const struct analysis_energy *table, struct lib_text *out);

/* How often an event happened. */
uint64_t analysis_energy_count(enum analysis_energy_event event,
                               const struct traces_stats *stats);

/* Fills in what follows from the table and from counts, NaN without a table (NULL), or where the
 * work was not counted. */
void analysis_energy_derive(const struct analysis_energy *table,
                            struct traces_stats *stats);

#endif
