#include "sim/experiment/columns.h"

#include <string.h>

#include "lib/arena.h"
#include "sim/experiment/trained.h"
#include "sim/loading/setting.h"
#include "sim/training/options.h"

#define FACT(NAME, name_, kind_, type_, meaning_)                                        \
    {                                                                                    \
        .name = #name_,                                                                  \
        .kind = TRACES_COLUMN_##kind_,                                                   \
        .type = TYPE_##type_,                                                            \
        .unit = "",                                                                      \
        .meaning = meaning_,                                                             \
        .fact = SIM_FACT_##NAME,                                                         \
    },
#define TYPE_int TRACES_TYPE_INT
#define TYPE_text TRACES_TYPE_TEXT
#define TYPE_cycle TRACES_TYPE_INT

static const struct traces_column facts[] = {
#define OF_PLACE(NAME, name, kind, type, meaning) FACT(NAME, name, kind, type, meaning)
#define OF_CONFIG(NAME, name, kind, type, value, meaning)                                \
    FACT(NAME, name, kind, type, meaning)
#define OF_OUTCOME(NAME, name, kind, type, value, meaning)                               \
    FACT(NAME, name, kind, type, meaning)
#include "sim/experiment/columns.def"
#undef OF_OUTCOME
#undef OF_CONFIG
#undef OF_PLACE
};

static void add_facts(struct traces_columns *columns, enum traces_column_kind kind)
{
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (facts[i].kind == kind)
            *LIB_VEC_PUSH(&columns->list) = facts[i];
}

/* `number`: 1 + index of the row in the table; 0: it is not there. */
static void add_setting(struct traces_columns *columns, const struct lib_setting *s,
                        size_t number)
{
    const bool is_number = s->kind == LIB_SETTING_NUMBER;
    *LIB_VEC_PUSH(&columns->list) = (struct traces_column){
        .name = s->key,
        .kind = TRACES_COLUMN_SETTING,
        .type = is_number ? TRACES_TYPE_INT : TRACES_TYPE_TEXT,
        .unit = is_number ? s->unit : "",
        .meaning = s->help,
        .choices = s->choices,
        .setting = (unsigned)number,
    };
}

static void add_settings(struct traces_columns *columns)
{
    for (size_t i = 0; i < sim_setting_count; i++)
        add_setting(columns, sim_setting_at(i), i + 1);
}

void sim_columns_add_class(struct traces_columns *columns, const struct lib_setting *row)
{
    if (!traces_columns_find(columns, row->key))
        add_setting(columns, row, 0);
}

static void add_statistics(struct traces_columns *columns)
{
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        *LIB_VEC_PUSH(&columns->list) = (struct traces_column){
            .name = s->key,
            .kind = TRACES_COLUMN_STATISTIC,
            .type = s->kind == TRACES_STAT_COUNT   ? TRACES_TYPE_INT
                    : s->kind == TRACES_STAT_RATIO ? TRACES_TYPE_REAL
                                                   : TRACES_TYPE_TEXT,
            .unit = s->unit,
            .meaning = s->help,
            .stat = s,
        };
    }
}

static enum traces_column_type type_of(enum isa_type type)
{
    switch (type) {
    case ISA_INT:
        return TRACES_TYPE_INT;
    case ISA_REAL:
        return TRACES_TYPE_REAL;
    case ISA_BOOL:
        return TRACES_TYPE_BOOL;
    default:
        return TRACES_TYPE_TEXT;
    }
}

static void add_inputs(struct traces_columns *columns, struct lib_arena *arena,
                       const struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->input_count; i++) {
        const struct isa_input *input = &graph->inputs[i];
        const char *name = lib_arena_printf(arena, "inputs.%s", input->name);
        struct traces_column *there = (struct traces_column *)traces_columns_find(columns,
                                                                                  name);
        if (there && there->type != type_of(input->type))
            there->type = TRACES_TYPE_ANY;
        if (there)
            continue;
        *LIB_VEC_PUSH(&columns->list) = (struct traces_column){
            .name = name,
            .kind = TRACES_COLUMN_INPUT,
            .type = type_of(input->type),
            .unit = "",
            .meaning = "input of the program",
            .input = name + strlen("inputs."),
        };
    }
}

/* Training options have the kind INPUT, as they parametrise the program, not the machine. */
static void add_options(struct traces_columns *columns, struct lib_arena *arena)
{
    static const enum traces_column_type types[] = {
        [LIB_FIELD_CHOICE] = TRACES_TYPE_TEXT,
        [LIB_FIELD_U64] = TRACES_TYPE_INT,
        [LIB_FIELD_REAL] = TRACES_TYPE_REAL,
        [LIB_FIELD_FILE] = TRACES_TYPE_TEXT,
    };
    for (size_t i = 0; i < sim_training_option_count; i++) {
        const struct sim_training_option *option = &sim_training_option_table[i];
        *LIB_VEC_PUSH(&columns->list) = (struct traces_column){
            .name = lib_arena_printf(arena, "train.%s", option->field.name),
            .kind = TRACES_COLUMN_INPUT,
            .type = types[option->field.kind],
            .unit = "",
            .meaning = option->field.help,
            .choices = option->field.kind == LIB_FIELD_CHOICE ? option->field.value
                                                              : NULL,
            .option = (unsigned)i + 1,
        };
    }
}

void sim_columns_make(struct traces_columns *columns, struct lib_arena *arena,
                      const struct isa_graph *const *graphs, size_t graph_count,
                      const struct sim_measures *measures, bool trains)
{
    *columns = (struct traces_columns){0};
    add_facts(columns, TRACES_COLUMN_LABEL);
    add_settings(columns);
    for (size_t i = 0; i < graph_count; i++)
        add_inputs(columns, arena, graphs[i]);
    if (trains)
        add_options(columns, arena);
    add_facts(columns, TRACES_COLUMN_OUTCOME);
    add_statistics(columns);
    if (measures)
        sim_measures_add_columns(measures, columns, arena);
    if (trains)
        sim_trained_add_columns(columns);
    add_facts(columns, TRACES_COLUMN_DIGEST);
}

bool sim_column_is_of_outcome(const struct traces_column *column)
{
    static const bool is_of_outcome[SIM_FACT_COUNT] = {
#define OF_PLACE(...)
#define OF_CONFIG(...)
#define OF_OUTCOME(NAME, ...) [SIM_FACT_##NAME] = true,
#include "sim/experiment/columns.def"
#undef OF_OUTCOME
#undef OF_CONFIG
#undef OF_PLACE
    };
    return column->stat || column->measure || is_of_outcome[column->fact];
}
