/* Fields of all kinds of events (traces/events.def) as columns of one table, for CSV and SQLite.
 * Fields with the same name share a column, unless one is a number and the other a word. Fields
 * that name a node are in column `node`. */
#ifndef TRACES_EXPORTS_COLUMNS_H
#define TRACES_EXPORTS_COLUMNS_H

#include "traces/exports/exports_internal.h"

enum { EXPORT_MAX_COLUMNS = 40, EXPORT_COLUMN_NAME = 24 };

struct export_column {
    char name[EXPORT_COLUMN_NAME];
    bool is_text;
};

struct export_columns {
    struct export_column items[EXPORT_MAX_COLUMNS];
    size_t count;
    /* Index of the column for each field of each kind of event. */
    uint8_t of[TRACES_EVENT_COUNT][TRACES_EVENT_MAX_FIELDS];
};

void export_columns_make(struct export_columns *columns);

struct export_cell {
    bool is_there; /* the event has a field in this column */
    uint64_t number;
    const char *text; /* value if it is a word; NULL for a number */
    bool is_fed;      /* `number` has the bits of a value that a host fed */
    /* Type of a value that a host fed. For a tensor, `number` is its hash. */
    enum isa_type type;
};

/* Fills `cells` with the values of an event, one for each column. */
void export_columns_get(const struct export_columns *columns,
                        const struct traces_exporter *exporter,
                        const struct traces_event *event, struct export_cell *cells);

/* Returns the instruction that an event names, or TRACES_NONE. */
uint32_t export_node_of(const struct traces_event *event);

/* Returns the live activation that an event names, or NULL. */
const struct traces_live_tag *export_tag_of(const struct traces_exporter *exporter,
                                            const struct traces_event *event);

#endif
