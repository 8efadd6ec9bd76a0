#include "analysis/stream/findings.h"

#include <assert.h>
#include <string.h>

enum { MAX_FOR_PEOPLE = 24, MOST = 4096 };

void analysis_findings_start(struct analysis_findings *findings, const char *name,
                             bool for_people)
{
    *findings = (struct analysis_findings){
        .name = name,
        .arena = lib_arena_new(),
        .most = for_people ? MAX_FOR_PEOPLE : MOST,
        .for_people = for_people,
    };
}

void analysis_findings_free(struct analysis_findings *findings)
{
    for (size_t i = 0; i < findings->tables.count; i++) {
        LIB_VEC_FREE(&findings->tables.items[i].columns);
        LIB_VEC_FREE(&findings->tables.items[i].cells);
    }
    LIB_VEC_FREE(&findings->tables);
    LIB_VEC_FREE(&findings->numbers);
    lib_arena_free(findings->arena);
}

static struct analysis_cell count_cell(uint64_t value)
{
    return (struct analysis_cell){.kind = ANALYSIS_CELL_COUNT, .count = value};
}

static struct analysis_cell real_cell(double value)
{
    return (struct analysis_cell){.kind = ANALYSIS_CELL_REAL, .real = value};
}

static struct analysis_cell word_cell(const char *value)
{
    return (struct analysis_cell){.kind = ANALYSIS_CELL_WORD, .word = value};
}

void analysis_findings_count(struct analysis_findings *findings, const char *key,
                             uint64_t value, const char *help)
{
    *LIB_VEC_PUSH(&findings->numbers) = (struct analysis_number){key, help,
                                                                 count_cell(value)};
}

void analysis_findings_real(struct analysis_findings *findings, const char *key,
                            double value, const char *help)
{
    *LIB_VEC_PUSH(&findings->numbers) = (struct analysis_number){key, help,
                                                                 real_cell(value)};
}

void analysis_findings_word(struct analysis_findings *findings, const char *key,
                            const char *value, const char *help)
{
    *LIB_VEC_PUSH(&findings->numbers) = (struct analysis_number){key, help,
                                                                 word_cell(value)};
}

struct analysis_findings_table *
analysis_findings_table(struct analysis_findings *findings, const char *key,
                        const char *help)
{
    struct analysis_findings_table *table = LIB_VEC_PUSH(&findings->tables);
    *table = (struct analysis_findings_table){.key = key, .help = help};
    return table;
}

void analysis_table_column(struct analysis_findings_table *table, const char *key)
{
    *LIB_VEC_PUSH(&table->columns) = key;
}

void analysis_table_count(struct analysis_findings_table *table, uint64_t value)
{
    *LIB_VEC_PUSH(&table->cells) = count_cell(value);
}

void analysis_table_real(struct analysis_findings_table *table, double value)
{
    *LIB_VEC_PUSH(&table->cells) = real_cell(value);
}

void analysis_table_word(struct analysis_findings_table *table, const char *value)
{
    *LIB_VEC_PUSH(&table->cells) = word_cell(value);
}

void analysis_table_make(struct analysis_findings *findings,
                         struct analysis_findings_table *table, size_t rows,
                         void (*make)(void *context, size_t row,
                                      struct analysis_cell *cells),
                         void *context)
{
    table->made = LIB_ARENA_ARRAY(findings->arena, struct analysis_made_rows, 1);
    *table->made = (struct analysis_made_rows){
        .count = rows,
        .make = make,
        .context = context,
        .row = SIZE_MAX,
        .cells = LIB_ARENA_ARRAY(findings->arena, struct analysis_cell,
                                 table->columns.count),
    };
}

const struct analysis_cell *analysis_table_cell(const struct analysis_findings_table *t,
                                                size_t row, size_t column)
{
    struct analysis_made_rows *made = t->made;
    if (!made)
        return &t->cells.items[row * t->columns.count + column];
    if (made->row != row)
        made->make(made->context, row, made->cells);
    made->row = row;
    return &made->cells[column];
}

const struct analysis_findings_table *
analysis_findings_find(const struct analysis_findings *findings, const char *key)
{
    for (size_t i = 0; findings && i < findings->tables.count; i++)
        if (strcmp(findings->tables.items[i].key, key) == 0)
            return &findings->tables.items[i];
    return NULL;
}

size_t analysis_table_find(const struct analysis_findings_table *t, const char *key)
{
    size_t column = 0;
    while (column < t->columns.count && strcmp(t->columns.items[column], key) != 0)
        column++;
    assert(column < t->columns.count && "a table has that column");
    return column;
}
