#include "sim/outputs/results_schema.h"

#include <string.h>

#include "lib/findings.h"
#include "sim/experiment/columns.h"

/* --- pieces ----------------------------------------------------------------------------- */

static void put_words(struct lib_findings *f, const char *key, const char *words)
{
    lib_findings_add(f, key, lib_findings_choices(f, words), NULL);
}

static void put_type(struct lib_findings *f, const char *types)
{
    if (strchr(types, '|'))
        put_words(f, "type", types);
    else
        lib_findings_word(f, "type", types, NULL);
}

static void put_property(struct lib_findings *f, const char *name, const char *types)
{
    lib_findings_open(f, name, NULL);
    put_type(f, types);
    lib_findings_close(f);
}

static void open_properties(struct lib_findings *f)
{
    put_type(f, "object");
    lib_findings_open(f, "properties", NULL);
}

static void open_rows(struct lib_findings *f, const char *name)
{
    lib_findings_open(f, name, NULL);
    put_type(f, "array");
    lib_findings_open(f, "items", NULL);
    open_properties(f);
}

/* --- the experiment and the columns ----------------------------------------------------- */

static void put_experiment(struct lib_findings *f)
{
    lib_findings_open(f, "experiment", NULL);
    open_properties(f);
    put_property(f, "name", "string");
    put_property(f, "title", "string");
    put_property(f, "description", "string");
    put_property(f, "overridden", "string");
    put_property(f, "version", "string");
    put_property(f, "runs", "integer");
    lib_findings_close(f);
    put_words(f, "required", "name|title|description|version|runs");
    lib_findings_close(f);
}

static void put_names(struct lib_findings *f, const char *key, int count,
                      const char *(*name)(int number))
{
    lib_findings_open(f, key, NULL);
    lib_findings_open_list(f, "enum", NULL);
    for (int i = 0; i < count; i++)
        lib_findings_word(f, NULL, name(i), NULL);
    lib_findings_close(f);
    lib_findings_close(f);
}

static const char *kind_name(int kind)
{
    return traces_column_kind_name((enum traces_column_kind)kind);
}

static const char *type_name(int type)
{
    return traces_column_type_name((enum traces_column_type)type);
}

static void put_columns(struct lib_findings *f)
{
    open_rows(f, "columns");
    put_property(f, "name", "string");
    put_names(f, "kind", TRACES_COLUMN_KIND_COUNT, kind_name);
    put_names(f, "type", TRACES_TYPE_COUNT, type_name);
    put_property(f, "unit", "string");
    put_property(f, "meaning", "string");
    lib_findings_close(f);
    put_words(f, "required", "name|kind|type|unit|meaning");
    lib_findings_close(f);
    lib_findings_close(f);
}

/* --- runs ------------------------------------------------------------------------------- */

/* Results may be null. Infinities are the texts "inf" and "-inf". */
static const char *types_of(const struct traces_column *c)
{
    const bool may_be_null = (c->kind == TRACES_COLUMN_OUTCOME &&
                              strcmp(c->name, "status") != 0) ||
                             c->kind == TRACES_COLUMN_STATISTIC;
    return c->type == TRACES_TYPE_REAL  ? "number|string|null"
           : c->type == TRACES_TYPE_INT ? may_be_null ? "integer|null" : "integer"
           : may_be_null                ? "string|null"
                                        : "string";
}

static void put_run_column(struct lib_findings *f, const struct traces_column *c)
{
    lib_findings_open(f, c->name, NULL);
    put_type(f, types_of(c));
    if (c->choices)
        put_words(f, "enum", c->choices);
    lib_findings_word(f, "description", c->meaning, NULL);
    if (*c->unit)
        lib_findings_word(f, "$comment", c->unit, NULL);
    lib_findings_close(f);
}

static void put_pattern(struct lib_findings *f, const char *word, const char *description)
{
    lib_findings_open(f, lib_arena_printf(f->arena, "^%s\\.", word), NULL);
    lib_findings_word(f, "description", description, NULL);
    lib_findings_close(f);
}

/* Programs decide the types of inputs. Columns of analyses exist if measured; `host` exists with
 * --host. */
static void put_runs(struct lib_findings *f, const struct traces_columns *columns)
{
    open_rows(f, "runs");
    for (size_t i = 0; i < columns->list.count; i++)
        put_run_column(f, &columns->list.items[i]);
    put_property(f, "host", "object|null");
    lib_findings_close(f);
    lib_findings_open(f, "patternProperties", NULL);
    put_pattern(f, "inputs", "input of the program");
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        put_pattern(f, analysis_stream_table[i].name, analysis_stream_table[i].help);
    lib_findings_close(f);
    lib_findings_flag(f, "additionalProperties", false, NULL);
    lib_findings_open_list(f, "required", NULL);
    for (size_t i = 0; i < columns->list.count; i++)
        lib_findings_word(f, NULL, columns->list.items[i].name, NULL);
    lib_findings_close(f);
    lib_findings_close(f);
    lib_findings_close(f);
}

static void add_schema(const void *columns, struct lib_findings *f)
{
    lib_findings_word(f, "$schema", "https://json-schema.org/draft/2020-12/schema", NULL);
    lib_findings_word(f, "title", "Results of hiaton sweep", NULL);
    open_properties(f);
    put_experiment(f);
    put_columns(f);
    put_runs(f, columns);
    lib_findings_close(f);
    put_words(f, "required", "experiment|columns|runs");
}

void sim_results_write_schema(struct lib_text *out)
{
    struct lib_arena *arena = lib_arena_new();
    struct traces_columns columns;
    sim_columns_make(&columns, arena, NULL, 0, NULL, false);
    lib_findings_write_from(LIB_FORM_JSON, NULL, add_schema, &columns, out);
    traces_columns_free(&columns);
    lib_arena_free(arena);
}
