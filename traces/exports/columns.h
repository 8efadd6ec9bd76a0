/* The fields of all events as columns of one table, made from traces/events.def. Fields with the
 * same name share a column, except a number and a word; all fields that name a node are in
 * `node`. */
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
    uint8_t of[TRACES_EVENT_COUNT][TRACES_EVENT_MAX_FIELDS]; /* column of each field */
};

void export_columns_make(struct export_columns *columns);

/* The value of an event in a column. */
struct export_cell {
    bool is_there; /* the event has such a field */
    uint64_t number;
    const char *text;   /* NULL for a number */
    bool is_fed;        /* `number` has the bits of a fed value */
    enum isa_type type; /* of this type; ISA_TENSOR: the word of a tensor */
};

/* Fills a cell for each column. */
void export_columns_get(const struct export_columns *columns,
                        const struct traces_exporter *exporter,
                        const struct traces_event *event, struct export_cell *cells);

/* Returns the node that an event names, or TRACES_NONE. */
uint32_t export_node_of(const struct traces_event *event);

/* Returns the activation that an event names, or NULL if it names none that is alive. */
const struct traces_live_tag *export_tag_of(const struct traces_exporter *exporter,
                                            const struct traces_event *event);

#endif
