#include "lib/findings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void lib_csv_quoted(struct lib_text *out, const char *word)
{
    if (!*word)
        return; /* no table */
    lib_text_puts(out, "\"");
    for (; *word; word++) {
        lib_text_add(out, "\"", *word == '"');
        lib_text_add(out, word, 1);
    }
    lib_text_puts(out, "\"");
}

void lib_csv_word(struct lib_text *out, const char *word)
{
    if (word[strcspn(word, ",\"\r\n")])
        lib_csv_quoted(out, word);
    else
        lib_text_puts(out, word);
}

static void put_value(const struct lib_value *value, struct lib_text *out)
{
    struct lib_text list = {0};
    switch (value->kind) {
    case LIB_VALUE_REAL:
        if (isfinite(value->real))
            lib_text_real(out, value->real);
        break;
    case LIB_VALUE_WORD:
        lib_csv_word(out, value->word);
        break;
    case LIB_VALUE_FLAG:
        lib_text_puts(out, value->flag ? "true" : "false");
        break;
    case LIB_VALUE_LIST:
        lib_value_write(value, LIB_STYLE_PLAIN, &list);
        lib_csv_word(out, lib_text_get(&list));
        lib_text_free(&list);
        break;
    case LIB_VALUE_NONE:
    case LIB_VALUE_ABSENT:
        break;
    default:
        lib_value_write(value, LIB_STYLE_PLAIN, out);
        break;
    }
}

/* Writes the line "# NAME.KEY" before a table, after an empty line if it is not the first. */
static void put_title(const struct lib_findings *f, const char *key, struct lib_text *out)
{
    lib_text_printf(out, "%s# %s%s%s\n", out->length ? "\n" : "", f->name,
                    *key ? "." : "", key);
}

static void put_table(const struct lib_findings *f, const struct lib_table *t,
                      struct lib_text *out)
{
    const size_t rows = lib_table_rows(t);
    for (size_t r = 0; r <= rows; r++) {
        const char *before = "";
        for (size_t c = 0; c < t->columns.count; c++) {
            if (t->columns.items[c].hidden & LIB_NOT_IN_CSV ||
                t->columns.items[c].is_group)
                continue;
            lib_text_puts(out, before);
            if (r == 0)
                lib_csv_word(out, t->columns.items[c].key);
            else
                put_value(lib_table_cell(t, r - 1, c), out);
            before = ",";
        }
        lib_text_puts(out, "\n");
        lib_findings_drain(f, out);
    }
}

/* Writes a line for each value of a record, with its key after `before`. Nested records are
 * flattened. */
static void put_lines(const struct lib_record *record, const char *before,
                      struct lib_text *out)
{
    for (size_t i = 0; i < record->items.count; i++) {
        const struct lib_item *item = &record->items.items[i];
        if (item->hidden & LIB_NOT_IN_CSV || item->value.kind == LIB_VALUE_TABLE ||
            !item->key ||
            (item->value.kind == LIB_VALUE_LIST &&
             !lib_list_is_plain(item->value.record)))
            continue;
        if (item->value.kind == LIB_VALUE_RECORD) {
            LIB_TEXT_OWN key = {0};
            lib_text_printf(&key, "%s%s.", before, item->key);
            put_lines(item->value.record, lib_text_get(&key), out);
            continue;
        }
        lib_text_printf(out, "%s%s,", before, item->key);
        put_value(&item->value, out);
        lib_text_puts(out, "\n");
    }
}

void lib_findings_write_csv(const struct lib_findings *f, const char *only,
                            struct lib_text *out)
{
    if ((!only || !*only) && lib_findings_numbers(f)) {
        if (!f->untitled)
            put_title(f, "", out);
        lib_text_puts(out, "key,value\n");
        put_lines(&f->root, "", out);
    }
    for (size_t i = 0; i < f->tables.count; i++) {
        const struct lib_table *t = f->tables.items[i];
        if (only && strcmp(only, t->key) != 0)
            continue;
        if (!f->untitled)
            put_title(f, t->key, out);
        put_table(f, t, out);
    }
}
