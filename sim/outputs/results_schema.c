#include "sim/outputs/results_schema.h"

#include <string.h>

#include "lib/arena.h"
#include "lib/json.h"
#include "sim/experiment/columns.h"

/* --- pieces ----------------------------------------------------------------------------- */

static void put_type(struct lib_json *json, const char *type)
{
    lib_json_string(json, "type", type);
}

static void put_type_or_null(struct lib_json *json, const char *type)
{
    lib_json_open_line(json, "type", '[');
    lib_json_string(json, NULL, type);
    lib_json_string(json, NULL, "null");
    lib_json_close(json);
}

static void put_property(struct lib_json *json, const char *name, const char *type)
{
    lib_json_open_line(json, name, '{');
    put_type(json, type);
    lib_json_close(json);
}

/* `names` end with NULL. */
static void put_required(struct lib_json *json, const char *const *names)
{
    lib_json_open_line(json, "required", '[');
    for (; *names; names++)
        lib_json_string(json, NULL, *names);
    lib_json_close(json);
}

/* --- the experiment and the columns ----------------------------------------------------- */

static void put_experiment(struct lib_json *json)
{
    static const char *const texts[] = {"name",       "title",   "description",
                                        "overridden", "version", NULL};
    lib_json_open(json, "experiment", '{');
    lib_json_string(json, "type", "object");
    lib_json_open(json, "properties", '{');
    for (size_t i = 0; texts[i]; i++)
        put_property(json, texts[i], "string");
    put_property(json, "runs", "integer");
    lib_json_close(json);
    put_required(json, (const char *const[]){"name", "title", "description", "version",
                                             "runs", NULL});
    lib_json_close(json);
}

static void put_kinds(struct lib_json *json)
{
    lib_json_open(json, "kind", '{');
    lib_json_open_line(json, "enum", '[');
    for (enum traces_column_kind k = 0; k < TRACES_COLUMN_KIND_COUNT; k++)
        lib_json_string(json, NULL, traces_column_kind_name(k));
    lib_json_close(json);
    lib_json_close(json);
    lib_json_open(json, "type", '{');
    lib_json_open_line(json, "enum", '[');
    for (enum traces_column_type t = 0; t < TRACES_TYPE_COUNT; t++)
        lib_json_string(json, NULL, traces_column_type_name(t));
    lib_json_close(json);
    lib_json_close(json);
}

static void put_columns(struct lib_json *json)
{
    lib_json_open(json, "columns", '{');
    lib_json_string(json, "type", "array");
    lib_json_open(json, "items", '{');
    lib_json_string(json, "type", "object");
    lib_json_open(json, "properties", '{');
    put_property(json, "name", "string");
    put_kinds(json);
    put_property(json, "unit", "string");
    put_property(json, "meaning", "string");
    lib_json_close(json);
    put_required(json,
                 (const char *const[]){"name", "kind", "type", "unit", "meaning", NULL});
    lib_json_close(json);
    lib_json_close(json);
}

/* --- runs ------------------------------------------------------------------------------- */

/* What only a run that came to an end has. */
static bool may_be_null(const struct traces_column *c)
{
    bool outcome = c->kind == TRACES_COLUMN_OUTCOME && strcmp(c->name, "status") != 0;
    return outcome || c->kind == TRACES_COLUMN_STATISTIC;
}

/* Infinities are the texts "inf" and "-inf". */
static void put_column_type(struct lib_json *json, const struct traces_column *c)
{
    if (c->type != TRACES_TYPE_REAL) {
        const char *type = c->type == TRACES_TYPE_INT ? "integer" : "string";
        if (may_be_null(c))
            put_type_or_null(json, type);
        else
            put_type(json, type);
        return;
    }
    lib_json_open_line(json, "type", '[');
    lib_json_string(json, NULL, "number");
    lib_json_string(json, NULL, "string");
    lib_json_string(json, NULL, "null");
    lib_json_close(json);
}

static void put_choices(struct lib_json *json, const char *choices)
{
    struct lib_text one = {0};
    lib_json_open_line(json, "enum", '[');
    for (const char *p = choices;; p++) {
        size_t length = strcspn(p, "|");
        lib_text_clear(&one);
        lib_text_add(&one, p, length);
        lib_json_string(json, NULL, lib_text_get(&one));
        p += length;
        if (!*p)
            break;
    }
    lib_json_close(json);
    lib_text_free(&one);
}

static void put_run_column(struct lib_json *json, const struct traces_column *c)
{
    lib_json_open(json, c->name, '{');
    put_column_type(json, c);
    if (c->choices)
        put_choices(json, c->choices);
    lib_json_string(json, "description", c->meaning);
    if (*c->unit)
        lib_json_string(json, "$comment", c->unit);
    lib_json_close(json);
}

/* What runs are measured by, where an experiment asks for it. */
static void put_measures(struct lib_json *json)
{
    struct lib_text pattern = {0};
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++) {
        lib_text_clear(&pattern);
        lib_text_printf(&pattern, "^%s\\.", analysis_stream_table[i].name);
        lib_json_open_line(json, lib_text_get(&pattern), '{');
        lib_json_string(json, "description", analysis_stream_table[i].help);
        lib_json_close(json);
    }
    lib_text_free(&pattern);
}

/* Inputs have the types that programs give them. */
static void put_inputs(struct lib_json *json)
{
    lib_json_open(json, "patternProperties", '{');
    lib_json_open_line(json, "^inputs\\.", '{');
    lib_json_string(json, "description", "input of the program");
    lib_json_close(json);
    put_measures(json);
    lib_json_close(json);
}

/* Only `--host` writes it. */
static void put_host(struct lib_json *json)
{
    lib_json_open_line(json, "host", '{');
    put_type_or_null(json, "object");
    lib_json_close(json);
}

static void put_runs(struct lib_json *json, const struct traces_columns *columns)
{
    lib_json_open(json, "runs", '{');
    lib_json_string(json, "type", "array");
    lib_json_open(json, "items", '{');
    lib_json_string(json, "type", "object");
    lib_json_open(json, "properties", '{');
    for (size_t i = 0; i < columns->list.count; i++)
        put_run_column(json, &columns->list.items[i]);
    put_host(json);
    lib_json_close(json);
    put_inputs(json);
    lib_json_bool(json, "additionalProperties", false);
    lib_json_open(json, "required", '[');
    for (size_t i = 0; i < columns->list.count; i++)
        lib_json_string(json, NULL, columns->list.items[i].name);
    lib_json_close(json);
    lib_json_close(json);
    lib_json_close(json);
}

void sim_results_write_schema(struct lib_text *out)
{
    struct lib_json json = {.out = out};
    struct lib_arena *arena = lib_arena_new();
    struct traces_columns columns;
    sim_columns_make(&columns, arena, NULL, 0, NULL, false);
    lib_json_open(&json, NULL, '{');
    lib_json_string(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    lib_json_string(&json, "title", "Results of hiaton sweep");
    lib_json_string(&json, "type", "object");
    lib_json_open(&json, "properties", '{');
    put_experiment(&json);
    put_columns(&json);
    put_runs(&json, &columns);
    lib_json_close(&json);
    put_required(&json, (const char *const[]){"experiment", "columns", "runs", NULL});
    lib_json_close(&json);
    traces_columns_free(&columns);
    lib_arena_free(arena);
}
