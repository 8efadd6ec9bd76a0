#include "lib/name_table.h"

#include "lib/arena.h"
#include "lib/memory.h"

#define uthash_malloc(bytes) lib_mem_resize(NULL, bytes)
#define uthash_free(block, bytes) lib_mem_free(block)
#include <uthash.h>

struct entry {
    const char *name;
    uint32_t index;
    UT_hash_handle hh;
};

struct lib_name_table {
    struct lib_arena *arena;
    struct entry *entries;
};

struct lib_name_table *lib_name_table_new(void)
{
    struct lib_name_table *names = lib_mem_new(sizeof *names);
    names->arena = lib_arena_new();
    return names;
}

void lib_name_table_free(struct lib_name_table *names)
{
    if (!names)
        return;
    HASH_CLEAR(hh, names->entries);
    lib_arena_free(names->arena);
    lib_mem_free(names);
}

bool lib_name_table_add(struct lib_name_table *names, const char *name, size_t length,
                        uint32_t index)
{
    struct entry *entry;
    unsigned hash;
    HASH_VALUE(name, length, hash);
    HASH_FIND_BYHASHVALUE(hh, names->entries, name, length, hash, entry);
    if (entry) {
        entry->index = LIB_NAME_TABLE_AMBIGUOUS;
        return false;
    }
    entry = LIB_ARENA_NEW(names->arena, struct entry);
    entry->name = name;
    entry->index = index;
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, names->entries, name, length, hash, entry);
    return true;
}

uint32_t lib_name_table_find(const struct lib_name_table *names, const char *name,
                             size_t length)
{
    const struct entry *entry;
    HASH_FIND(hh, names->entries, name, length, entry);
    return entry ? entry->index : LIB_NAME_TABLE_NONE;
}
