#include "analysis/view/counted_runs.h"

#define uthash_malloc(bytes) lib_mem_resize(NULL, bytes)
#define uthash_free(block, bytes) lib_mem_free(block)
#include <uthash.h>

struct analysis_counted_runs_entry {
    struct analysis_counted_runs_at {
        size_t key, place;
        uint64_t source;
    } at;
    UT_hash_handle hh;
};

static const char *const names[] = {"identity", "program", "machine"};
enum { NAME_COUNT = sizeof names / sizeof *names };

void analysis_counted_runs_want(struct traces_reader *frame)
{
    for (size_t i = 0; i < NAME_COUNT; i++)
        traces_reader_want(frame, traces_reader_column(frame, names[i]));
}

void analysis_counted_runs_start(struct analysis_counted_runs *once,
                                 const struct traces_reader *frame,
                                 struct lib_arena *arena)
{
    *once = (struct analysis_counted_runs){0};
    for (size_t i = 0; i < NAME_COUNT && traces_reader_column(frame, names[0]); i++)
        if (traces_reader_column(frame, names[i]))
            *LIB_VEC_PUSH(&once->columns) = traces_reader_column(frame, names[i]);
    analysis_keys_start(&once->keys, arena, &once->columns);
}

void analysis_counted_runs_free(struct analysis_counted_runs *once)
{
    HASH_CLEAR(hh, once->entries);
    analysis_keys_free(&once->keys);
    LIB_VEC_FREE(&once->columns);
}

bool analysis_counted_runs_take(struct analysis_counted_runs *once,
                                const struct traces_reader *frame, size_t run,
                                size_t place, uint64_t source)
{
    if (once->columns.count == 0)
        return true;
    const struct analysis_counted_runs_at at = {
        analysis_keys_add(&once->keys, frame, run), place, source};
    struct analysis_counted_runs_entry *entry;
    HASH_FIND(hh, once->entries, &at, sizeof at, entry);
    if (entry)
        return false;
    entry = LIB_ARENA_NEW(once->keys.arena, struct analysis_counted_runs_entry);
    entry->at = at;
    HASH_ADD(hh, once->entries, at, sizeof at, entry);
    return true;
}
