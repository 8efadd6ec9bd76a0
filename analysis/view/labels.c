#include "analysis/view/labels.h"

#include <string.h>

#include "traces/results/detail.h"

struct analysis_label {
    struct analysis_label *next;
    const struct traces_column *column;
    const char *value; /* NULL: the label is of the column itself */
    const char *text;
};

struct target {
    const struct traces_columns *columns;
    struct analysis_labels *labels;
    const struct traces_column *column;
};

static void add_label(struct lib_fields *r, size_t i, const struct target *t,
                      const char *value)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    const bool is_empty = value && e->kind == LIB_YAML_SCALAR && *e->value == '\0';
    const char *text = ""; /* a value with "" is left out of titles */
    if (!is_empty && !lib_fields_text(r, i, &text))
        return;
    struct analysis_label *label = LIB_ARENA_NEW(r->arena, struct analysis_label);
    *label = (struct analysis_label){t->labels->first, t->column, value, text};
    t->labels->first = label;
}

static void read_name(struct lib_fields *r, size_t i, void *into)
{
    add_label(r, i, into, NULL);
}

static bool is_among(const char *word, const char *choices)
{
    size_t length = strlen(word);
    for (const char *p = choices; *p; p += strcspn(p, "|"), p += *p == '|')
        if (strcspn(p, "|") == length && strncmp(p, word, length) == 0)
            return true;
    return false;
}

/* Whether a column may have this value. The texts in a column are not known before runs are
 * made. */
static bool may_hold(const struct traces_column *column, const char *value)
{
    int64_t whole;
    double real;
    if (column->choices)
        return is_among(value, column->choices);
    if (column->type == TRACES_TYPE_BOOL)
        return is_among(value, "true|false");
    return (column->type != TRACES_TYPE_INT || lib_text_to_int(value, &whole)) &&
           (column->type != TRACES_TYPE_REAL || lib_text_to_real(value, &real));
}

static void read_value(struct lib_fields *r, size_t i, const struct target *t,
                       const char *value)
{
    const struct traces_column *column = t->column;
    if (may_hold(column, value))
        add_label(r, i, t, value);
    else
        lib_fields_wrong_key(r, i, "%s is never `%s`; expected %s", column->name, value,
                             column->choices                    ? column->choices
                             : column->type == TRACES_TYPE_BOOL ? "true|false"
                                                                : "a number");
}

static void read_values(struct lib_fields *r, size_t i, void *into)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (e->kind != LIB_YAML_MAPPING) {
        lib_fields_expected(r, i, "a mapping of values: {VALUE: TEXT}");
        return;
    }
    for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
        read_value(r, c, into, lib_fields_entry(r, c)->key + strlen(e->key) + 1);
}

static const struct lib_field fields[] = {
    LIB_FIELD("name", READ, "TEXT", "Of the column", .read = read_name),
    LIB_FIELD("values", READ, "{VALUE: TEXT, ...}", "Of its values", .read = read_values),
};

const struct lib_field_table analysis_label_keys = {fields,
                                                    sizeof fields / sizeof *fields};

enum { ALL_KINDS = (1 << TRACES_COLUMN_KIND_COUNT) - 1 };

const char *analysis_column_hint(struct lib_fields *r,
                                 const struct traces_columns *columns, const char *wrong)
{
    const char *near = traces_columns_nearest(columns, wrong, ALL_KINDS);
    return near ? lib_fields_hint(r, near)
                : "; expected program, strategy, machine, seed, number, repetition, a "
                  "setting (pe.count), an input (inputs.NAME) or a statistic (cycles)";
}

/* Whether `name` is the first part of names of columns: `pe: {count: ...}`. */
static bool is_group(const struct traces_columns *columns, const char *name)
{
    size_t length = strlen(name);
    for (size_t c = 0; c < columns->list.count; c++)
        if (strncmp(columns->list.items[c].name, name, length) == 0 &&
            columns->list.items[c].name[length] == '.')
            return true;
    return false;
}

/* Returns the column of a name, among those of runs or of details; a name means the same in
 * both. */
static const struct traces_column *find_column(const struct target *t, const char *name)
{
    const struct traces_column *column = traces_columns_find(t->columns, name);
    for (enum traces_detail d = 0; d < TRACES_DETAIL_COUNT && !column; d++)
        column = traces_columns_find(traces_detail_values(d), name);
    return column;
}

/* Returns the column named at the start of a key with dots, as in "program.values", or NULL. Sets
 * `rest` to the text after the dot. */
static const struct traces_column *find_before_dot(struct lib_fields *r,
                                                   const struct target *t,
                                                   const char *name, const char **rest)
{
    const struct traces_column *column = NULL;
    for (const char *p = name; (p = strchr(p, '.')) && !column; *rest = ++p)
        column = find_column(t, lib_arena_copy(r->arena, name, (size_t)(p - name)));
    return column;
}

static bool read_dotted(struct lib_fields *r, size_t i, const char *name,
                        struct target *t)
{
    const char *rest = "";
    t->column = find_before_dot(r, t, name, &rest);
    if (t->column && strcmp(rest, "name") == 0)
        read_name(r, i, t);
    else if (t->column && strcmp(rest, "values") == 0)
        read_values(r, i, t);
    else if (t->column && strncmp(rest, "values.", 7) == 0)
        read_value(r, i, t, rest + 7);
    else
        return false;
    return true;
}

/* Returns a hint for an unknown name: a similar column; or, if none is similar, that it may be a
 * value. */
static const char *unknown_hint(struct lib_fields *r, const struct target *t,
                                const struct lib_yaml_entry *e, const char *name)
{
    const char *hint = analysis_column_hint(r, t->columns, name);
    if (e->kind != LIB_YAML_SCALAR || strchr(name, '.') ||
        traces_columns_nearest(t->columns, name, ALL_KINDS))
        return hint;
    return lib_arena_printf(r->arena,
                            "%s; a value has a label in that of its column, as `program: "
                            "{values: {%s: TEXT}}`",
                            hint, name);
}

static void read_column(struct lib_fields *r, size_t i, size_t prefix, struct target *t)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    const char *name = e->key + prefix;
    t->column = find_column(t, name);
    if (!t->column && e->kind == LIB_YAML_MAPPING && is_group(t->columns, name))
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            read_column(r, c, prefix, t);
    else if (!t->column && read_dotted(r, i, name, t))
        return;
    else if (!find_column(t, name))
        lib_fields_wrong_key(r, i, "there is no column `%s`%s", name,
                             unknown_hint(r, t, e, name));
    else if (e->kind == LIB_YAML_MAPPING)
        lib_fields_mapping(r, i, "the labels of a column", fields,
                           sizeof fields / sizeof fields[0], t);
    else if (e->kind == LIB_YAML_SCALAR && *e->value)
        add_label(r, i, t, NULL);
    else
        lib_fields_expected(r, i, "a text, or {name: TEXT, values: {VALUE: TEXT}}");
}

void analysis_labels_read(struct lib_fields *r, size_t i, size_t prefix,
                          const struct traces_columns *columns,
                          struct analysis_labels *labels)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    struct target t = {.columns = columns, .labels = labels};
    if (strlen(e->key) >= prefix)
        read_column(r, i, prefix, &t);
    else if (e->kind != LIB_YAML_MAPPING)
        lib_fields_expected(r, i, "a mapping of columns: {COLUMN: TEXT}");
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            read_column(r, c, prefix, &t);
}

static bool is_same(const struct traces_column *a, const struct traces_column *b)
{
    return a == b || strcmp(a->name, b->name) == 0;
}

const char *analysis_labels_of_column(const struct analysis_labels *labels,
                                      const struct traces_column *column)
{
    for (; labels; labels = labels->outer)
        for (const struct analysis_label *l = labels->first; l; l = l->next)
            if (is_same(l->column, column) && !l->value)
                return l->text;
    return NULL;
}

/* Compares reals as numbers, as they can be written in several ways. */
static bool is_value(const struct traces_column *column, const char *a, const char *b)
{
    double x, y;
    return strcmp(a, b) == 0 ||
           (column->type == TRACES_TYPE_REAL && lib_text_to_real(a, &x) &&
            lib_text_to_real(b, &y) && x == y);
}

bool analysis_labels_is_value(const struct traces_column *column,
                              const struct traces_cell *cell, const char *value)
{
    LIB_TEXT_OWN text = {0};
    traces_cell_write(cell, &text);
    bool is = is_value(column, value, lib_text_get(&text));
    if (!is) {
        lib_text_clear(&text);
        traces_cell_write_short(column, cell, &text);
        is = is_value(column, value, lib_text_get(&text));
    }
    return is;
}

const char *analysis_labels_of_value(const struct analysis_labels *labels,
                                     const struct traces_column *column,
                                     const struct traces_cell *cell)
{
    for (; labels; labels = labels->outer)
        for (const struct analysis_label *l = labels->first; l; l = l->next)
            if (is_same(l->column, column) && l->value &&
                analysis_labels_is_value(column, cell, l->value))
                return l->text;
    return NULL;
}

static void each_text(const struct analysis_label *label,
                      void (*found)(const struct traces_column *column, const char *value,
                                    void *context),
                      void *context)
{
    if (!label)
        return;
    each_text(label->next, found, context);
    if (label->value && label->column->type == TRACES_TYPE_TEXT &&
        !label->column->choices)
        found(label->column, label->value, context);
}

void analysis_labels_each_text(const struct analysis_labels *labels,
                               void (*found)(const struct traces_column *column,
                                             const char *value, void *context),
                               void *context)
{
    each_text(labels->first, found, context);
}

const char *analysis_labels_name(const struct analysis_labels *labels,
                                 const struct traces_column *column)
{
    const char *label = analysis_labels_of_column(labels, column);
    bool is_input = strncmp(column->name, "inputs.", 7) == 0;
    return label ? label : column->name + (is_input ? 7 : 0);
}

void analysis_labels_write_value(const struct analysis_labels *labels,
                                 const struct traces_column *column,
                                 const struct traces_cell *cell, struct lib_text *text)
{
    const char *label = analysis_labels_of_value(labels, column, cell);
    if (label)
        lib_text_puts(text, label);
    else
        traces_cell_write_short(column, cell, text);
}
