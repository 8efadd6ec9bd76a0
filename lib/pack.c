#include "lib/pack.h"

#include <string.h>

void lib_pack_bytes(struct lib_pack *pack, void *data, size_t size)
{
    if (size == 0)
        return; /* memcpy must not get a `data` of NULL */
    if (pack->out) {
        if (pack->stash)
            lib_stash_add(pack->stash, data, size);
        else
            lib_text_add(pack->out, data, size);
        return;
    }
    if (!lib_pack_expect(pack, size <= pack->length - pack->at)) {
        memset(data, 0, size);
        return;
    }
    if (!pack->stash)
        memcpy(data, pack->in + pack->at, size);
    else if (!lib_pack_expect(pack, lib_stash_get(pack->stash, pack->at, data, size)))
        memset(data, 0, size);
    pack->at += size;
}

void lib_pack_bool(struct lib_pack *pack, bool *value)
{
    uint8_t byte = lib_pack_reads(pack) ? 0 : *value;
    LIB_PACK(pack, byte);
    if (lib_pack_reads(pack))
        *value = lib_pack_expect(pack, byte <= 1) && byte;
}

uint64_t lib_pack_count(struct lib_pack *pack, uint64_t count, size_t size)
{
    LIB_PACK(pack, count);
    if (!pack->out && !lib_pack_expect(pack, count <= (pack->length - pack->at) / size))
        return 0;
    return count;
}

void *lib_pack_items(struct lib_pack *pack, void *items, size_t *count, size_t *capacity,
                     size_t size)
{
    const uint64_t found = lib_pack_count(pack, *count, size);
    if (lib_pack_reads(pack)) {
        items = lib_mem_resize(items, found * size);
        *count = *capacity = found;
    }
    if (found)
        lib_pack_bytes(pack, items, found * size);
    return items;
}
