#include "lib/spill.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "lib/scratch_file.h"

enum { BLOCK = 1 << 14 }; /* max items in memory */

void lib_spill_start(struct lib_spill *s, size_t size)
{
    *s = (struct lib_spill){.size = size, .file = -1};
}

void lib_spill_free(struct lib_spill *s)
{
    if (s->file >= 0)
        close(s->file);
    LIB_MEM_FREE(s->newest, s->block);
    lib_spill_start(s, s->size);
}

static void transfer_bytes(struct lib_spill *s, char *bytes, size_t length, size_t at,
                           bool writes)
{
    if (!s->error)
        s->error = writes ? lib_scratch_write(s->file, bytes, length, at)
                          : lib_scratch_read(s->file, bytes, length, at);
}

/* Writes all items but the last, which the caller may still change. */
static void write_newest(struct lib_spill *s)
{
    const size_t count = s->count - s->written - 1;
    if (s->file < 0 && !s->error)
        s->error = lib_scratch_open(&s->file);
    transfer_bytes(s, s->newest, count * s->size, s->written * s->size, true);
    memmove(s->newest, s->newest + count * s->size, s->size);
    s->written += count;
}

void *lib_spill_add(struct lib_spill *s)
{
    if (!s->newest)
        s->newest = lib_mem_new(BLOCK * s->size);
    if (s->count - s->written == BLOCK)
        write_newest(s);
    return s->newest + (s->count++ - s->written) * s->size;
}

void *lib_spill_last(struct lib_spill *s)
{
    return s->count ? s->newest + (s->count - 1 - s->written) * s->size : NULL;
}

const void *lib_spill_get(struct lib_spill *s, size_t i)
{
    assert(i < s->count);
    if (i >= s->written)
        return s->newest + (i - s->written) * s->size;
    if (!s->block)
        s->block = lib_mem_new(BLOCK * s->size);
    if (i < s->from || i >= s->from + s->in_block) {
        s->from = i - i % BLOCK;
        s->in_block = s->written - s->from < BLOCK ? s->written - s->from : BLOCK;
        transfer_bytes(s, s->block, s->in_block * s->size, s->from * s->size, false);
    }
    return s->block + (i - s->from) * s->size;
}
