#include "sim/experiment/measures.h"

#include <assert.h>
#include <string.h>

const char *const sim_measures_names[SIM_MEASURES_COUNT] = {
#define ANALYSIS(name, LEVEL, WINDOW, help) #name,
#include "analysis/stream/analyses.def"
    "causes",
};

bool sim_measures_are_any(const struct sim_measures *m)
{
    bool any = false;
    for (size_t i = 0; i < SIM_MEASURES_COUNT; i++)
        any |= m->wanted[i];
    return any;
}

/* --- reading ---------------------------------------------------------------------------- */

static bool has_numbers(size_t which)
{
    struct lib_findings f;
    if (which == SIM_MEASURES_CAUSES)
        return true;
    analysis_stream_numbers(which, &f);
    const bool has = lib_findings_numbers(&f) > 0;
    lib_findings_free(&f);
    return has;
}

static void read_name(struct lib_fields *r, size_t i, void *into)
{
    struct sim_measures *m = into;
    unsigned which;
    if (!lib_fields_choice(r, i, sim_measures_names, SIM_MEASURES_COUNT, &which))
        return;
    if (m->wanted[which])
        lib_fields_wrong(r, i, "measure: `%s` is there twice", sim_measures_names[which]);
    else if (!has_numbers(which))
        lib_fields_wrong(
            r, i,
            "measure: `%s` finds tables alone, and no number that could be a column",
            sim_measures_names[which]);
    m->wanted[which] = true;
}

void sim_measures_read(struct lib_fields *r, size_t i, struct sim_measures *measures)
{
    lib_fields_each(r, i, "an analysis, or a list of them", read_name, measures);
}

/* --- columns ---------------------------------------------------------------------------- */

static enum traces_column_type type_of(const struct lib_value *cell)
{
    return cell->kind == LIB_VALUE_COUNT  ? TRACES_TYPE_INT
           : cell->kind == LIB_VALUE_REAL ? TRACES_TYPE_REAL
                                          : TRACES_TYPE_TEXT;
}

static const char *copy(struct lib_arena *arena, const char *text)
{
    return lib_arena_copy(arena, text, strlen(text));
}

static void add_columns(size_t which, struct traces_columns *columns,
                        struct lib_arena *arena)
{
    struct lib_findings f;
    analysis_stream_numbers(which, &f);
    assert(lib_findings_numbers(&f) < SIM_MEASURES_MAX);
    for (size_t i = 0; i < lib_findings_numbers(&f); i++) {
        const struct lib_item *number = lib_findings_number(&f, i);
        *LIB_VEC_PUSH(&columns->list) = (struct traces_column){
            .name = lib_arena_printf(arena, "%s.%s", f.name, number->key),
            .kind = TRACES_COLUMN_STATISTIC,
            .type = type_of(&number->value),
            .unit = "",
            .meaning = copy(arena, number->help),
            .measure = sim_measure_of(which, i),
        };
    }
    lib_findings_free(&f);
}

static void add_causes(struct traces_columns *columns, struct lib_arena *arena)
{
    static_assert((int)ANALYSIS_CAUSE_COUNT < (int)SIM_MEASURES_MAX,
                  "each has its number");
    for (size_t i = 0; i < ANALYSIS_CAUSE_COUNT; i++)
        *LIB_VEC_PUSH(&columns->list) = (struct traces_column){
            .name = lib_arena_printf(arena, "causes.%s", analysis_cause_table[i].key),
            .kind = TRACES_COLUMN_STATISTIC,
            .type = TRACES_TYPE_INT,
            .unit = "cycles",
            .meaning = lib_arena_printf(arena, "of the critical path: %s",
                                        analysis_cause_table[i].help),
            .measure = sim_measure_of(SIM_MEASURES_CAUSES, i),
        };
}

void sim_measures_add_columns(const struct sim_measures *m,
                              struct traces_columns *columns, struct lib_arena *arena)
{
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT; i++)
        if (m->wanted[i])
            add_columns(i, columns, arena);
    if (m->wanted[SIM_MEASURES_CAUSES])
        add_causes(columns, arena);
}
