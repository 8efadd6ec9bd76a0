#include "analysis/view/hidden.h"

#include <stdlib.h>
#include <string.h>

/* A run and its group: runs of one cell that are equal in all columns found so far. */
struct member {
    size_t group, value, run;
};

static const struct traces_reader *runs_of(const struct traces_reader *frame)
{
    return frame->runs ? frame->runs : frame;
}

/* Whether a setting, such as fault.seed, only chooses random numbers. */
static bool is_seed(const struct traces_column *column)
{
    static const char ending[] = ".seed";
    const size_t length = strlen(column->name), end = strlen(ending);
    return column->kind == TRACES_COLUMN_SETTING && length > end &&
           strcmp(column->name + length - end, ending) == 0;
}

static int by_group(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return x->group != y->group ? (x->group > y->group ? 1 : -1)
                                : (x->value > y->value) - (x->value < y->value);
}

/* Sets `value` of each member to its key in a column. Sorts members by group and value. */
static void sort_members(struct member *members, size_t count,
                         const struct traces_reader *frame,
                         const struct traces_column *column)
{
    struct lib_arena *arena = lib_arena_new();
    analysis_column_list one = {0};
    struct analysis_keys keys;
    *LIB_VEC_PUSH(&one) = column;
    analysis_keys_start(&keys, arena, &one);
    for (size_t i = 0; i < count; i++)
        members[i].value = analysis_keys_add(&keys, frame, members[i].run);
    analysis_keys_free(&keys);
    LIB_VEC_FREE(&one);
    lib_arena_free(arena);
    qsort(members, count, sizeof *members, by_group);
}

static bool part_groups(struct member *members, size_t count)
{
    bool is_parted = false;
    size_t group = 0;
    struct member before = {0};
    for (size_t i = 0; i < count; i++) {
        const struct member m = members[i];
        const bool same = i && m.group == before.group;
        is_parted |= same && m.value != before.value;
        group += i && (!same || m.value != before.value);
        before = m;
        members[i].group = group;
    }
    return is_parted;
}

static void count_repetitions(struct analysis_hidden *hidden,
                              const struct member *members, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && members[end].group == members[i].group;)
            end++;
        hidden->most = end - i > hidden->most ? end - i : hidden->most;
        hidden->least = i == 0 || end - i < hidden->least ? end - i : hidden->least;
    }
}

void analysis_hidden_find(struct analysis_hidden *hidden,
                          const struct traces_reader *frame,
                          const analysis_shown_list *shown)
{
    const struct traces_reader *runs = runs_of(frame);
    const size_t count = shown->count;
    struct member *members = lib_mem_new((count + 1) * sizeof *members);
    *hidden = (struct analysis_hidden){0};
    for (size_t i = 0; i < count; i++)
        members[i] = (struct member){shown->items[i].place, 0, shown->items[i].run};
    qsort(members, count, sizeof *members, by_group);
    part_groups(members, count);
    for (size_t c = 0; c < runs->varying.count; c++) {
        if (is_seed(runs->varying.items[c]))
            continue;
        sort_members(members, count, frame, runs->varying.items[c]);
        if (part_groups(members, count))
            *LIB_VEC_PUSH(&hidden->columns) = runs->varying.items[c];
    }
    count_repetitions(hidden, members, count);
    lib_mem_free(members);
}

void analysis_hidden_free(struct analysis_hidden *hidden)
{
    LIB_VEC_FREE(&hidden->columns);
}

enum { VALUES_MAX = 4 };

static void write_values(const struct traces_column *column,
                         const struct traces_reader *frame,
                         const analysis_shown_list *shown, struct lib_text *text)
{
    struct lib_arena *arena = lib_arena_new();
    analysis_column_list one = {0};
    struct analysis_keys keys;
    *LIB_VEC_PUSH(&one) = column;
    analysis_keys_start(&keys, arena, &one);
    for (size_t i = 0; i < shown->count; i++)
        analysis_keys_add(&keys, frame, shown->items[i].run);
    for (size_t i = 0; i < keys.list.count && i < VALUES_MAX; i++) {
        lib_text_puts(text, i ? ", " : " (");
        if (keys.list.items[i]->type == TRACES_CELL_NULL)
            lib_text_puts(text, "none");
        traces_cell_write_short(column, keys.list.items[i], text);
    }
    lib_text_puts(text, keys.list.count > VALUES_MAX ? ", ...)" : ")");
    analysis_keys_free(&keys);
    LIB_VEC_FREE(&one);
    lib_arena_free(arena);
}

void analysis_hidden_write(const struct analysis_hidden *hidden,
                           const struct traces_reader *frame,
                           const analysis_shown_list *shown, struct lib_text *text)
{
    for (size_t i = 0; i < hidden->columns.count; i++) {
        lib_text_printf(text, "%s`%s`", i ? ", " : "", hidden->columns.items[i]->name);
        write_values(hidden->columns.items[i], frame, shown, text);
    }
}
