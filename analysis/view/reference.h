/* Reference lines in a figure: `y = x`, `y = NUMBER`, `x = NUMBER`. */
#ifndef ANALYSIS_VIEW_REFERENCE_H
#define ANALYSIS_VIEW_REFERENCE_H

#include "lib/fields.h"

enum analysis_reference_kind {
    ANALYSIS_REFERENCE_Y,        /* the line y = at */
    ANALYSIS_REFERENCE_X,        /* the line x = at */
    ANALYSIS_REFERENCE_DIAGONAL, /* the line y = x */
};

struct analysis_reference {
    enum analysis_reference_kind kind;
    double at;
    const char *label;  /* NULL: none */
    struct lib_pos pos; /* position in the file */
};

typedef LIB_VEC(struct analysis_reference) analysis_reference_list;

/* Keys of a reference line in a file, if it is a mapping: `line` and `label`. */
extern const struct lib_field_table analysis_reference_keys;

/* Reads entry `i` of a file: a reference line or a list of them. Each is text, or {line: TEXT,
 * label: TEXT}. */
void analysis_references_read(struct lib_fields *r, size_t i,
                              analysis_reference_list *references);

#endif
