#include "traces/results/column.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "lib/file.h"

void traces_columns_free(struct traces_columns *columns)
{
    LIB_VEC_FREE(&columns->list);
}

const struct traces_column *traces_columns_find(const struct traces_columns *columns,
                                                const char *name)
{
    for (size_t i = 0; i < columns->list.count; i++)
        if (strcmp(columns->list.items[i].name, name) == 0)
            return &columns->list.items[i];
    return NULL;
}

struct among {
    const struct traces_columns *columns;
    unsigned kinds;
};

static const char *name_of(size_t i, const void *context)
{
    const struct among *among = context;
    const struct traces_column *c = &among->columns->list.items[i];
    bool wanted = among->kinds & 1u << c->kind;
    return wanted ? c->name : "";
}

const char *traces_columns_nearest(const struct traces_columns *columns,
                                   const char *wrong, unsigned kinds)
{
    const struct among among = {columns, kinds};
    for (size_t i = 0; i < columns->list.count; i++) { /* `n` for `input.n` */
        const bool is_input = columns->list.items[i].kind == TRACES_COLUMN_INPUT;
        const char *name = name_of(i, &among), *part = strrchr(name, '.');
        if (is_input && part && strcasecmp(part + 1, wrong) == 0)
            return name;
    }
    const char *name = lib_text_nearest(wrong, columns->list.count, name_of, &among);
    return name && *name ? name : NULL;
}

const char *traces_column_kind_name(enum traces_column_kind kind)
{
    static const char *const names[TRACES_COLUMN_KIND_COUNT] = {
        "label", "setting", "input", "outcome", "statistic", "digest"};
    return names[kind];
}

const char *traces_column_type_name(enum traces_column_type type)
{
    static const char *const names[TRACES_TYPE_COUNT] = {"int", "real", "bool", "text",
                                                         "any"};
    return names[type];
}

double traces_cell_number(const struct traces_cell *cell)
{
    switch (cell->type) {
    case TRACES_CELL_INT:
    case TRACES_CELL_BOOL:
        return (double)cell->integer;
    case TRACES_CELL_REAL:
        return cell->real;
    default:
        return NAN;
    }
}

void traces_cell_write(const struct traces_cell *cell, struct lib_text *text)
{
    switch (cell->type) {
    case TRACES_CELL_NULL:
        break;
    case TRACES_CELL_INT:
        lib_text_int(text, cell->integer);
        break;
    case TRACES_CELL_REAL:
        lib_text_real(text, cell->real);
        break;
    case TRACES_CELL_BOOL:
        lib_text_puts(text, cell->integer ? "true" : "false");
        break;
    case TRACES_CELL_TEXT:
        lib_text_puts(text, cell->text);
        break;
    }
}

/* Hexadecimal digits of XXH3-128. */
enum { DIGITS = 32 };

const char *traces_text_digest(const char *text)
{
    const char *at = strrchr(text, '@');
    return at && at > text && strlen(at + 1) == DIGITS &&
                   strspn(at + 1, "0123456789abcdef") == DIGITS
               ? at + 1
               : NULL;
}

static bool is_name_of(const char *name, const char *file)
{
    const char *digest = traces_text_digest(file);
    size_t length = strlen(name);
    return digest && file + length + 1 == digest && memcmp(name, file, length) == 0;
}

bool traces_text_is_same(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || is_name_of(a, b) || is_name_of(b, a);
}

void traces_cell_write_short(const struct traces_column *column,
                             const struct traces_cell *cell, struct lib_text *text)
{
    if (cell->type != TRACES_CELL_TEXT) {
        traces_cell_write(cell, text);
    } else if (strcmp(column->name, "machine") == 0) {
        const char *name = lib_file_name(cell->text);
        size_t length = strcspn(name, ".");
        lib_text_add(text, name, length ? length : strlen(name));
    } else {
        const char *digest = column->kind == TRACES_COLUMN_SETTING ||
                                     column->kind == TRACES_COLUMN_INPUT
                                 ? traces_text_digest(cell->text)
                                 : NULL;
        lib_text_add(text, cell->text,
                     digest ? (size_t)(digest - 1 - cell->text) : strlen(cell->text));
    }
}

bool traces_column_is_name(const struct traces_column *column)
{
    return column->type == TRACES_TYPE_TEXT &&
           (column->kind == TRACES_COLUMN_STATISTIC ||
            column->kind == TRACES_COLUMN_DIGEST || strcmp(column->name, "result") == 0);
}
