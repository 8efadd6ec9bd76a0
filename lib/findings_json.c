#include "lib/findings.h"

static void put_record(const struct lib_findings *f, const struct lib_record *record,
                       const char *only, struct lib_json *json);

static void put_value(const struct lib_findings *f, const struct lib_value *value,
                      const char *key, struct lib_json *json);

static void put_table(const struct lib_findings *f, const struct lib_table *t,
                      const char *key, struct lib_json *json)
{
    const size_t rows = lib_table_rows(t);
    lib_json_open(json, key, '[');
    for (size_t r = 0; r < rows; r++) {
        (t->spells_rows ? lib_json_open : lib_json_open_line)(json, NULL, '{');
        for (size_t c = 0; c < t->columns.count; c++) {
            const struct lib_column *column = &t->columns.items[c];
            if (!(column->hidden & LIB_NOT_IN_JSON) && !column->is_group)
                put_value(f, lib_table_cell(t, r, c), column->key, json);
        }
        lib_json_close(json);
        lib_findings_drain(f, json->out);
    }
    lib_json_close(json);
}

void lib_value_put_json(const struct lib_value *value, const char *key,
                        struct lib_json *json)
{
    put_value(NULL, value, key, json);
}

static void put_value(const struct lib_findings *f, const struct lib_value *value,
                      const char *key, struct lib_json *json)
{
    switch (value->kind) {
    case LIB_VALUE_COUNT:
        lib_json_uint(json, key, value->count);
        break;
    case LIB_VALUE_INT:
        lib_json_int(json, key, value->integer);
        break;
    case LIB_VALUE_REAL:
        lib_json_real(json, key, value->real);
        break;
    case LIB_VALUE_WORD:
        lib_json_string(json, key, value->word);
        break;
    case LIB_VALUE_FLAG:
        lib_json_bool(json, key, value->flag);
        break;
    case LIB_VALUE_HEX:
        lib_json_hex(json, key, value->count);
        break;
    case LIB_VALUE_NONE:
        lib_json_null(json, key);
        break;
    case LIB_VALUE_ABSENT:
        break;
    case LIB_VALUE_RECORD:
        lib_json_open(json, key, '{');
        put_record(f, value->record, NULL, json);
        lib_json_close(json);
        break;
    case LIB_VALUE_LIST:
        (lib_list_is_plain(value->record) ? lib_json_open_line : lib_json_open)(json, key,
                                                                                '[');
        put_record(f, value->record, NULL, json);
        lib_json_close(json);
        break;
    case LIB_VALUE_TABLE:
        put_table(f, value->table, key, json);
        break;
    }
}

static void put_record(const struct lib_findings *f, const struct lib_record *record,
                       const char *only, struct lib_json *json)
{
    for (size_t i = 0; i < record->items.count; i++) {
        const struct lib_item *item = &record->items.items[i];
        if (!(item->hidden & LIB_NOT_IN_JSON) && lib_findings_wants(only, item))
            put_value(f, &item->value, item->key, json);
    }
}

void lib_findings_put_json(const struct lib_findings *f, const char *only,
                           struct lib_json *json)
{
    put_record(f, &f->root, only, json);
}

void lib_findings_write_json(const struct lib_findings *f, const char *only,
                             struct lib_text *out)
{
    struct lib_json json = {.out = out};
    lib_json_open(&json, NULL, '{');
    put_record(f, &f->root, only, &json);
    lib_json_close(&json);
}
