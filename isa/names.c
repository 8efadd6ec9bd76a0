#include "isa/names.h"

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

struct isa_names {
    struct lib_arena *arena; /* of the entries */
    struct entry *entries;
};

struct isa_names *isa_names_new(void)
{
    struct isa_names *names = lib_mem_new(sizeof *names);
    names->arena = lib_arena_new();
    return names;
}

void isa_names_free(struct isa_names *names)
{
    if (!names)
        return;
    HASH_CLEAR(hh, names->entries);
    lib_arena_free(names->arena);
    lib_mem_free(names);
}

static struct entry *find(const struct isa_names *names, const char *name, size_t length)
{
    struct entry *entry;
    HASH_FIND(hh, names->entries, name, length, entry);
    return entry;
}

bool isa_names_add(struct isa_names *names, const char *name, size_t length,
                   uint32_t index)
{
    struct entry *entry = find(names, name, length);
    if (entry) {
        entry->index = ISA_NAMES_AMBIGUOUS;
        return false;
    }
    entry = LIB_ARENA_NEW(names->arena, struct entry);
    entry->name = name;
    entry->index = index;
    HASH_ADD_KEYPTR(hh, names->entries, name, length, entry);
    return true;
}

uint32_t isa_names_find(const struct isa_names *names, const char *name, size_t length)
{
    const struct entry *entry = find(names, name, length);
    return entry ? entry->index : ISA_NAMES_NONE;
}
