#include "lib/findings.h"

#include <assert.h>
#include <string.h>

enum { MAX_FOR_PEOPLE = 24, MOST = 4096 };

void lib_findings_start(struct lib_findings *findings, const char *name, bool for_people)
{
    *findings = (struct lib_findings){
        .name = name,
        .arena = lib_arena_new(),
        .most = for_people ? MAX_FOR_PEOPLE : MOST,
        .for_people = for_people,
    };
}

void lib_findings_free(struct lib_findings *findings)
{
    for (struct lib_table *t = findings->last_table; t; t = t->made_before)
        LIB_VEC_FREE(&t->columns, &t->cells);
    for (struct lib_record *r = findings->last_record; r; r = r->made_before)
        LIB_VEC_FREE(&r->items);
    LIB_VEC_FREE(&findings->root.items, &findings->tables);
    lib_arena_free(findings->arena);
}

struct lib_item *lib_findings_add(struct lib_findings *f, const char *key,
                                  struct lib_value value, const char *help)
{
    struct lib_record *into = f->depth ? f->open[f->depth - 1] : &f->root;
    struct lib_item *item = LIB_VEC_PUSH(&into->items);
    *item = (struct lib_item){.key = key, .help = help ? help : "", .value = value};
    return item;
}

struct lib_item *lib_findings_count(struct lib_findings *f, const char *key,
                                    uint64_t value, const char *help)
{
    return lib_findings_add(f, key, lib_count(value), help);
}

struct lib_item *lib_findings_real(struct lib_findings *f, const char *key, double value,
                                   const char *help)
{
    return lib_findings_add(f, key, lib_real(value), help);
}

struct lib_item *lib_findings_flag(struct lib_findings *f, const char *key, bool value,
                                   const char *help)
{
    return lib_findings_add(f, key, lib_flag(value), help);
}

struct lib_item *lib_findings_word(struct lib_findings *f, const char *key,
                                   const char *value, const char *help)
{
    return lib_findings_add(f, key, lib_word(value), help);
}

struct lib_item *lib_findings_text(struct lib_findings *f, const char *key,
                                   struct lib_text *text, const char *help)
{
    return lib_findings_word(f, key, lib_arena_keep(f->arena, text), help);
}

void lib_findings_note(struct lib_findings *f, const char *format, ...)
{
    struct lib_text text = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&text, format, ap);
    va_end(ap);
    lib_findings_text(f, NULL, &text, NULL)->hidden = LIB_ONLY_TEXT;
}

struct lib_value lib_findings_open_value(struct lib_findings *f, int kind)
{
    struct lib_record *record = LIB_ARENA_NEW(f->arena, struct lib_record);
    assert(f->depth < LIB_MAX_NESTING);
    *record = (struct lib_record){.made_before = f->last_record};
    f->last_record = f->open[f->depth++] = record;
    return (struct lib_value){.kind = kind, .record = record};
}

static struct lib_item *open_item(struct lib_findings *f, const char *key,
                                  const char *help, int kind)
{
    struct lib_item *item = lib_findings_add(f, key, lib_none(), help);
    item->value = lib_findings_open_value(f, kind);
    return item;
}

struct lib_item *lib_findings_open(struct lib_findings *f, const char *key,
                                   const char *help)
{
    return open_item(f, key, help, LIB_VALUE_RECORD);
}

struct lib_item *lib_findings_open_list(struct lib_findings *f, const char *key,
                                        const char *help)
{
    return open_item(f, key, help, LIB_VALUE_LIST);
}

struct lib_value lib_findings_choices(struct lib_findings *f, const char *choices)
{
    const struct lib_value list = lib_findings_open_value(f, LIB_VALUE_LIST);
    char *rest = lib_arena_copy(f->arena, choices, strlen(choices));
    for (char *word; (word = strsep(&rest, "|"));)
        lib_findings_word(f, NULL, word, NULL);
    lib_findings_close(f);
    return list;
}

void lib_findings_close(struct lib_findings *f)
{
    assert(f->depth > 0);
    f->depth--;
}

struct lib_table *lib_findings_table(struct lib_findings *f, const char *key,
                                     const char *help)
{
    struct lib_table *t = LIB_ARENA_NEW(f->arena, struct lib_table);
    *t = (struct lib_table){
        .key = key, .help = help ? help : "", .made_before = f->last_table};
    f->last_table = t;
    if (f->depth == 0)
        *LIB_VEC_PUSH(&f->tables) = t;
    lib_findings_add(f, key, (struct lib_value){.kind = LIB_VALUE_TABLE, .table = t},
                     help);
    return t;
}

struct lib_column *lib_table_column(struct lib_table *t, const char *key)
{
    struct lib_column *column = LIB_VEC_PUSH(&t->columns);
    *column = (struct lib_column){.key = key};
    return column;
}

void lib_table_columns(struct lib_table *t, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lib_table_column(t, keys[i]);
}

void lib_table_add(struct lib_table *t, struct lib_value value)
{
    *LIB_VEC_PUSH(&t->cells) = value;
}

void lib_table_count(struct lib_table *t, uint64_t value)
{
    lib_table_add(t, lib_count(value));
}

void lib_table_real(struct lib_table *t, double value)
{
    lib_table_add(t, lib_real(value));
}

void lib_table_word(struct lib_table *t, const char *value)
{
    lib_table_add(t, lib_word(value));
}

struct lib_column *lib_row(struct lib_table *t, const char *key, struct lib_value value)
{
    const size_t columns = t->columns.count;
    const bool is_first = t->cells.count == columns &&
                          (columns == 0 || strcmp(key, t->columns.items[0].key) != 0);
    const size_t place = is_first ? columns : t->cells.count % columns;
    if (is_first)
        lib_table_column(t, key);
    assert(strcmp(key, t->columns.items[place].key) == 0 &&
           "all rows have the same keys");
    lib_table_add(t, value);
    return &t->columns.items[place];
}

void lib_table_make(struct lib_findings *f, struct lib_table *t, size_t rows,
                    void (*make)(void *context, size_t row, struct lib_value *cells),
                    void *context)
{
    t->made = LIB_ARENA_ARRAY(f->arena, struct lib_made_rows, 1);
    *t->made = (struct lib_made_rows){
        .count = rows,
        .make = make,
        .context = context,
        .row = SIZE_MAX,
        .cells = LIB_ARENA_ARRAY(f->arena, struct lib_value, t->columns.count),
    };
}

bool lib_list_is_plain(const struct lib_record *list)
{
    for (size_t i = 0; i < list->items.count; i++)
        if (lib_value_is_compound(&list->items.items[i].value))
            return false;
    return true;
}

const struct lib_value *lib_table_cell(const struct lib_table *t, size_t row,
                                       size_t column)
{
    struct lib_made_rows *made = t->made;
    if (!made)
        return &t->cells.items[row * t->columns.count + column];
    if (made->row != row)
        made->make(made->context, row, made->cells);
    made->row = row;
    return &made->cells[column];
}

const struct lib_item *lib_findings_number(const struct lib_findings *f, size_t number)
{
    const struct lib_item *item = f->root.items.items;
    while (item->value.kind == LIB_VALUE_TABLE || number-- > 0)
        item++;
    return item;
}

const struct lib_value *lib_findings_value(const struct lib_findings *f, const char *key)
{
    for (size_t i = 0; f && i < f->root.items.count; i++) {
        const struct lib_item *item = &f->root.items.items[i];
        if (item->key && strcmp(item->key, key) == 0)
            return &item->value;
    }
    return NULL;
}

const struct lib_table *lib_findings_find(const struct lib_findings *f, const char *key)
{
    for (size_t i = 0; f && i < f->tables.count; i++)
        if (strcmp(f->tables.items[i]->key, key) == 0)
            return f->tables.items[i];
    return NULL;
}

size_t lib_table_find(const struct lib_table *t, const char *key)
{
    size_t column = 0;
    while (column < t->columns.count && strcmp(t->columns.items[column].key, key) != 0)
        column++;
    assert(column < t->columns.count && "a table has that column");
    return column;
}

void lib_findings_write(const struct lib_findings *f, enum lib_form form,
                        const char *only, struct lib_text *out)
{
    static void (*const writers[LIB_FORM_COUNT])(const struct lib_findings *,
                                                 const char *, struct lib_text *) = {
#define FORM(NAME, name) lib_findings_write_##name,
        LIB_FORMS(FORM)
#undef FORM
    };
    writers[form](f, only, out);
}

void lib_findings_write_from(enum lib_form form, const char *name,
                             void (*add)(const void *context,
                                         struct lib_findings *findings),
                             const void *context, struct lib_text *out)
{
    struct lib_findings f;
    lib_findings_start(&f, name, form == LIB_FORM_TEXT || form == LIB_FORM_SCDOC);
    add(context, &f);
    lib_findings_write(&f, form, NULL, out);
    lib_findings_free(&f);
}

bool lib_findings_wants(const char *only, const struct lib_item *item)
{
    return !only ||
           strcmp(only, item->value.kind == LIB_VALUE_TABLE ? item->key : "") == 0;
}

size_t lib_table_covers(const struct lib_table *t, size_t level, size_t column)
{
    size_t next = column + 1;
    for (; next < t->columns.count; next++) {
        const char *over = lib_table_over(t, level, next);
        if (!over || *over)
            break;
    }
    return next - column;
}

const char *lib_table_group(const struct lib_table *t, size_t row)
{
    size_t c = 0;
    while (c < t->columns.count && !t->columns.items[c].is_group)
        c++;
    if (c == t->columns.count)
        return NULL;
    const char *group = lib_table_cell(t, row, c)->word;
    return row == 0 || strcmp(group, lib_table_cell(t, row - 1, c)->word) != 0 ? group
                                                                               : NULL;
}

void lib_findings_drain(const struct lib_findings *f, struct lib_text *out)
{
    enum { MUCH = 1 << 16 };
    if (f->drain && out->length > MUCH)
        f->drain(f->drain_context, out);
}
