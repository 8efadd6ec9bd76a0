#include "analysis/view/keys.h"

#include <stdlib.h>
#include <string.h>

#define uthash_malloc(bytes) lib_mem_resize(NULL, bytes)
#define uthash_free(block, bytes) lib_mem_free(block)
#include <uthash.h>

struct analysis_key_entry {
    const char *text;
    size_t place;
    UT_hash_handle hh;
};

bool analysis_cells_are_alike(const struct traces_cell *a, const struct traces_cell *b)
{
    if (a->type != b->type)
        return false;
    return a->type == TRACES_CELL_TEXT ? strcmp(a->text, b->text) == 0
           : a->type == TRACES_CELL_REAL
               ? a->real == b->real
               : a->type == TRACES_CELL_NULL || a->integer == b->integer;
}

void analysis_keys_start(struct analysis_keys *keys, struct lib_arena *arena,
                         const analysis_column_list *columns)
{
    *keys = (struct analysis_keys){.arena = arena, .columns = columns};
}

void analysis_keys_free(struct analysis_keys *keys)
{
    HASH_CLEAR(hh, keys->entries);
    LIB_VEC_FREE(&keys->list, &keys->first);
}

/* Writes a unique text for a key: it contains types and lengths. */
static void write_identity(const struct analysis_keys *keys,
                           const struct traces_reader *frame, size_t run,
                           struct lib_text *text)
{
    LIB_TEXT_OWN one = {0};
    for (size_t i = 0; i < keys->columns->count; i++) {
        struct traces_cell cell = traces_reader_cell(frame, run, keys->columns->items[i]);
        lib_text_clear(&one);
        traces_cell_write(&cell, &one);
        lib_text_printf(text, "%d:%zu:%s", (int)cell.type, one.length,
                        lib_text_get(&one));
    }
}

static struct analysis_key_entry *find_entry(const struct analysis_keys *keys,
                                             const char *text)
{
    struct analysis_key_entry *entry;
    HASH_FIND_STR(keys->entries, text, entry);
    return entry;
}

size_t analysis_keys_find(const struct analysis_keys *keys,
                          const struct traces_reader *frame, size_t run)
{
    LIB_TEXT_OWN text = {0};
    write_identity(keys, frame, run, &text);
    const struct analysis_key_entry *entry = find_entry(keys, lib_text_get(&text));
    return entry ? entry->place : SIZE_MAX;
}

static size_t add_key(struct analysis_keys *keys, const struct traces_reader *frame,
                      size_t run, const struct lib_text *text)
{
    size_t count = keys->columns->count;
    struct analysis_key_entry *entry = LIB_ARENA_NEW(keys->arena,
                                                     struct analysis_key_entry);
    struct traces_cell *cells = LIB_ARENA_ARRAY(keys->arena, struct traces_cell,
                                                count + 1);
    for (size_t i = 0; i < count; i++)
        cells[i] = traces_reader_cell(frame, run, keys->columns->items[i]);
    entry->text = lib_arena_copy(keys->arena, lib_text_get(text), text->length);
    entry->place = keys->list.count;
    HASH_ADD_KEYPTR(hh, keys->entries, entry->text, text->length, entry);
    *LIB_VEC_PUSH(&keys->list) = cells;
    *LIB_VEC_PUSH(&keys->first) = run;
    return entry->place;
}

size_t analysis_keys_add(struct analysis_keys *keys, const struct traces_reader *frame,
                         size_t run)
{
    LIB_TEXT_OWN text = {0};
    write_identity(keys, frame, run, &text);
    const struct analysis_key_entry *entry = find_entry(keys, lib_text_get(&text));
    return entry ? entry->place : add_key(keys, frame, run, &text);
}

/* A key, and for each of its values the order in which values first occurred. */
struct ranked {
    size_t place;
    const size_t *ranks;
};

static int by_ranks(const void *a, const void *b, void *context)
{
    const struct ranked *x = a, *y = b;
    for (size_t c = 0; c < *(const size_t *)context; c++)
        if (x->ranks[c] != y->ranks[c])
            return x->ranks[c] > y->ranks[c] ? 1 : -1;
    return 0;
}

static void rank_column(const struct analysis_keys *keys,
                        const struct traces_reader *frame, size_t c, size_t *ranks)
{
    analysis_column_list one = {0};
    struct analysis_keys values;
    *LIB_VEC_PUSH(&one) = keys->columns->items[c];
    analysis_keys_start(&values, keys->arena, &one);
    for (size_t i = 0; i < keys->list.count; i++)
        ranks[i * keys->columns->count + c] = analysis_keys_add(&values, frame,
                                                                keys->first.items[i]);
    analysis_keys_free(&values);
    LIB_VEC_FREE(&one);
}

static void move_keys(struct analysis_keys *keys, const struct ranked *sorted)
{
    size_t count = keys->list.count;
    const struct traces_cell **list = lib_mem_new(count * sizeof *list);
    size_t *first = lib_mem_new(count * sizeof *first);
    size_t *places = lib_mem_new(count * sizeof *places);
    for (size_t i = 0; i < count; i++) {
        list[i] = keys->list.items[sorted[i].place];
        first[i] = keys->first.items[sorted[i].place];
        places[sorted[i].place] = i;
    }
    for (size_t i = 0; i < count; i++) {
        keys->list.items[i] = list[i];
        keys->first.items[i] = first[i];
    }
    for (struct analysis_key_entry *e = keys->entries; e; e = e->hh.next)
        e->place = places[e->place];
    LIB_MEM_FREE(list, first, places);
}

void analysis_keys_sort(struct analysis_keys *keys, const struct traces_reader *frame)
{
    size_t count = keys->list.count, width = keys->columns->count;
    if (count < 2 || width < 2)
        return; /* already in order */
    size_t *ranks = lib_mem_new(count * width * sizeof *ranks);
    struct ranked *sorted = lib_mem_new(count * sizeof *sorted);
    for (size_t c = 0; c < width; c++)
        rank_column(keys, frame, c, ranks);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct ranked){i, &ranks[i * width]};
    qsort_r(sorted, count, sizeof *sorted, by_ranks, &width);
    move_keys(keys, sorted);
    LIB_MEM_FREE(sorted, ranks);
}

static bool needs_name(const struct analysis_keys *keys, size_t i, size_t c,
                       const struct analysis_labels *labels)
{
    const struct traces_cell *cell = &keys->list.items[i][c];
    return cell->type != TRACES_CELL_TEXT &&
           !analysis_labels_of_value(labels, keys->columns->items[c], cell);
}

/* Whether a value is part of a text: not if a program lacks it, or if its label is empty. */
static bool is_shown(const struct analysis_keys *keys, size_t i, size_t c,
                     const struct analysis_labels *labels)
{
    const struct traces_cell *cell = &keys->list.items[i][c];
    const char *label = analysis_labels_of_value(labels, keys->columns->items[c], cell);
    return cell->type != TRACES_CELL_NULL && !(label && *label == '\0');
}

enum form { WITH_NAMES, VALUES };

static void write_key(const struct analysis_keys *keys, size_t i, enum form form,
                      const struct analysis_labels *labels, struct lib_text *text)
{
    const size_t start = text->length;
    struct lib_text nothing = {0}; /* stays empty if a program lacks all values */
    bool some = false;
    for (size_t c = 0; c < keys->columns->count; c++)
        some |= is_shown(keys, i, c, labels);
    labels = some ? labels : NULL; /* no labels if they would leave no text */
    for (size_t c = 0; c < keys->columns->count; c++) {
        const struct traces_column *column = keys->columns->items[c];
        const struct traces_cell *cell = &keys->list.items[i][c];
        if (!is_shown(keys, i, c, labels))
            continue;
        lib_text_puts(text, text->length > start ? ", " : "");
        if (form == WITH_NAMES && needs_name(keys, i, c, labels))
            lib_text_printf(text, "%s = ", analysis_labels_name(labels, column));
        analysis_labels_write_value(labels, column, cell, text);
    }
    for (size_t c = 0; text->length == start && c < keys->columns->count; c++)
        lib_text_printf(&nothing, "%s%s", c > 0 ? ", " : "without ",
                        analysis_labels_name(labels, keys->columns->items[c]));
    lib_text_puts(text, lib_text_get(&nothing));
    lib_text_free(&nothing);
}

void analysis_keys_write(const struct analysis_keys *keys, size_t i,
                         const struct analysis_labels *labels, struct lib_text *text)
{
    write_key(keys, i, WITH_NAMES, labels, text);
}

void analysis_keys_write_values(const struct analysis_keys *keys, size_t i,
                                const struct analysis_labels *labels,
                                struct lib_text *text)
{
    write_key(keys, i, VALUES, labels, text);
}

void analysis_keys_write_title(const struct analysis_keys *keys,
                               const struct analysis_labels *labels,
                               struct lib_text *text)
{
    bool named = false;
    for (size_t i = 0; i < keys->list.count; i++)
        for (size_t c = 0; c < keys->columns->count; c++)
            named |= needs_name(keys, i, c, labels);
    for (size_t c = 0; named && c < keys->columns->count; c++)
        lib_text_printf(text, "%s%s", c ? ", " : "",
                        analysis_labels_name(labels, keys->columns->items[c]));
}
