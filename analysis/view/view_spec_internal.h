/* Readers of the common properties of tables and figures, for analysis/view/view_*.c. */
#ifndef ANALYSIS_VIEW_VIEW_SPEC_INTERNAL_H
#define ANALYSIS_VIEW_VIEW_SPEC_INTERNAL_H

#include "analysis/view/derived.h"
#include "analysis/view/view_spec.h"

#define VIEW_COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Which columns a list takes; a value may be a formula too (analysis/view/derived.h). */
enum view_wanted { VIEW_ANY_COLUMN, VIEW_ANY_VALUE, VIEW_A_NUMBER, VIEW_A_VALUE };

/* The table or figure that is being read. */
struct view_target {
    struct analysis_view_specs *outputs;
    struct analysis_view_spec *common;
    struct analysis_table_spec *table; /* NULL for a figure */
    struct analysis_figure *figure;    /* NULL for a table */
    const struct traces_columns *columns;
    analysis_column_list *list; /* list that is being read */
    enum view_wanted wanted;
    analysis_column_list details; /* columns that a figure of details shows */
    bool has_kind;
    size_t y_at; /* entry of `y` of a figure */
};

/* Places of fields. */
#define VIEW_OF_FIGURE(member)                                                           \
    .via = offsetof(struct view_target, figure),                                         \
    .at = offsetof(struct analysis_figure, member)
#define VIEW_OF_TABLE(member)                                                            \
    .via = offsetof(struct view_target, table),                                          \
    .at = offsetof(struct analysis_table_spec, member)
#define VIEW_OF_COMMON(member)                                                           \
    .via = offsetof(struct view_target, common),                                         \
    .at = offsetof(struct analysis_view_spec, member)

enum { VIEW_ALL_KINDS = (1 << TRACES_COLUMN_KIND_COUNT) - 1 };

/* --- columns ------------------------------------------------------------------------ */

bool view_is_number(const struct traces_column *column);
void view_not_a_number(struct lib_fields *r, size_t i, const struct traces_column *c);
void view_read_columns(struct lib_fields *r, size_t i, struct view_target *t,
                       analysis_column_list *list, enum view_wanted wanted);

/* Read the columns of the field, whose `least` is their enum view_wanted, or one column. */
void view_read_list(struct lib_fields *r, size_t i, void *into);
void view_read_one(struct lib_fields *r, size_t i, void *into);

/* --- common properties --------------------------------------------------------------- */

void view_read_name(struct lib_fields *r, size_t i, void *into);
void view_read_condition(struct lib_fields *r, size_t i, void *into);
void view_read_of(struct lib_fields *r, size_t i, void *into);
void view_read_labels(struct lib_fields *r, size_t i, void *into);

#define VIEW_COMMON_FIELDS                                                               \
    LIB_FIELD("name", READ, "WORD",                                                      \
              "Of its files; once among tables, and among figures",                      \
              .read = view_read_name),                                                   \
        LIB_FIELD("caption", TEXT, "TEXT", "What stands over it",                        \
                  VIEW_OF_COMMON(caption)),                                              \
        LIB_FIELD("of", READ, "mean|median|min|max|sum|geomean",                         \
                  "What several runs come to; by default mean, of repetitions only",     \
                  .read = view_read_of),                                                 \
        LIB_FIELD("spread", CHOICE, "none|sd|ci95|range",                                \
                  "Shown beside it; by default none", VIEW_OF_COMMON(spread)),           \
        LIB_FIELD("where", READ, "CONDITION",                                            \
                  "Which runs; also on statistics and status",                           \
                  .read = view_read_condition, VIEW_OF_COMMON(where)),                   \
        LIB_FIELD(                                                                       \
            "per", READ, "COLUMN",                                                       \
            "Numbers by which the values of each run are divided, such as an input",     \
            .read = view_read_one, VIEW_OF_COMMON(per), .least = VIEW_A_NUMBER),         \
        LIB_FIELD("labels", READ, "{COLUMN: TEXT or a mapping, ...}",                    \
                  "What columns and values are called in it; x, y and z are its axes",   \
                  .read = view_read_labels, .is_open = true, .item = ".COLUMN",          \
                  .inside = &analysis_label_keys),                                       \
        LIB_FIELD("relative.to", READ, "CONDITION",                                      \
                  "Compares each run with its base: the run for which it holds, and "    \
                  "that is alike in all parameters that it does not name",               \
                  .read = view_read_condition, VIEW_OF_COMMON(base)),                    \
        LIB_FIELD("relative.as", CHOICE, "ratio|speedup|percent",                        \
                  "How: value / base, base / value, or 100 * (base - value) / base; by " \
                  "default ratio",                                                       \
                  VIEW_OF_COMMON(relative))

/* Adds an error about a missing key, unless the output has another error already. */
void view_say_missing(struct lib_fields *r, size_t i, const char *what, const char *key);

/* Reads the name of a summary: mean, geomean, ... */
void view_read_one_of(struct lib_fields *r, size_t i, unsigned *of);

/* Adds a diagnostic if the values are percents, which have no geometric mean. */
void view_check_geomean(struct lib_fields *r, size_t i,
                        const struct analysis_view_spec *common);

/* Checks the common properties, after all of them were read. */
void view_check_common(struct lib_fields *r, size_t i, const struct view_target *t,
                       const char *what, const char *values);

/* --- one table or figure --------------------------------------------------------------- */

void view_read_table(struct lib_fields *r, size_t i, struct analysis_view_specs *outputs);
void view_read_figure(struct lib_fields *r, size_t i,
                      struct analysis_view_specs *outputs);

#endif
