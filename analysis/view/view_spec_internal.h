/* Functions to read the properties that tables and figures have in common. */
#ifndef ANALYSIS_VIEW_VIEW_SPEC_INTERNAL_H
#define ANALYSIS_VIEW_VIEW_SPEC_INTERNAL_H

#include "analysis/view/derived.h"
#include "analysis/view/view_spec.h"

#define VIEW_COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Columns that a list accepts. VIEW_A_VALUE and VIEW_ANY_VALUE accept formulas too
 * (analysis/view/derived.h). */
enum view_wanted { VIEW_ANY_COLUMN, VIEW_ANY_VALUE, VIEW_A_NUMBER, VIEW_A_VALUE };

/* The table or figure that is being read. */
struct view_target {
    struct analysis_view_specs *outputs;
    struct analysis_view_spec *common;
    struct analysis_table_spec *table; /* NULL for a figure */
    struct analysis_figure *figure;    /* NULL for a table */
    const struct traces_columns *columns;
    analysis_column_list *list; /* the list of columns that is being read */
    enum view_wanted wanted;
    analysis_column_list details; /* columns of details that are shown */
    bool has_kind;
    size_t y_at; /* index of the entry of the file that has the key `y` of a figure */
};

enum { VIEW_ALL_KINDS = (1 << TRACES_COLUMN_KIND_COUNT) - 1 };

/* --- columns ------------------------------------------------------------------------ */

bool view_is_number(const struct traces_column *column);
void view_not_a_number(struct lib_fields *r, size_t i, const struct traces_column *c);
void view_read_columns(struct lib_fields *r, size_t i, struct view_target *t,
                       analysis_column_list *list, enum view_wanted wanted);

/* Read a list of columns, or one column, from entry `i` of a file. Which columns are accepted is an
 * enum view_wanted in the member `least` of the struct lib_field. */
void view_read_list(struct lib_fields *r, size_t i, void *into);
void view_read_one(struct lib_fields *r, size_t i, void *into);

/* --- common properties --------------------------------------------------------------- */

void view_read_name(struct lib_fields *r, size_t i, void *into);
void view_read_condition(struct lib_fields *r, size_t i, void *into);
void view_read_of(struct lib_fields *r, size_t i, void *into);
void view_read_labels(struct lib_fields *r, size_t i, void *into);

/* Macros that make initialisers of struct lib_field from the rows of analysis/view/outputs.def. */
#define VIEW_VALUE_ONE(value) value
#define VIEW_VALUE_LIST(value) value
#define VIEW_VALUE_CHOICES(value) value ", or a list of them"
#define VIEW_VALUE_PAIR(value) "[" value "]"
#define VIEW_VALUE_MAPPINGS(value) value ", also mappings"
#define VIEW_FIELD(ID, key, option, value_, form, help_, ...)                            \
    {.name = key, .value = VIEW_VALUE_##form(value_), .help = help_, __VA_ARGS__},

/* Adds an error about a missing key, unless this table or figure has an error already. */
void view_say_missing(struct lib_fields *r, size_t i, const char *what, const char *key);

void view_read_one_of(struct lib_fields *r, size_t i, unsigned *of);

/* Adds a diagnostic if a geometric mean of percentages is wanted, which is undefined. */
void view_check_geomean(struct lib_fields *r, size_t i,
                        const struct analysis_view_spec *common);

/* Checks the common properties of a table or figure, after all were read. */
void view_check_common(struct lib_fields *r, size_t i, const struct view_target *t,
                       const char *what, const char *values);

/* --- one table or figure --------------------------------------------------------------- */

void view_read_table(struct lib_fields *r, size_t i, struct analysis_view_specs *outputs);
void view_read_figure(struct lib_fields *r, size_t i,
                      struct analysis_view_specs *outputs);

#endif
