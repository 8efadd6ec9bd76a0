#include "lib/stash.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"
#include "lib/scratch_file.h"

enum { PIECE = 1 << 18 };

void lib_stash_start(struct lib_stash *s)
{
    *s = (struct lib_stash){.file = -1};
}

void lib_stash_free(struct lib_stash *s)
{
    if (s->file >= 0)
        close(s->file);
    lib_text_free(&s->rest);
    lib_mem_free(s->block);
    lib_stash_start(s);
}

/* Appends to the file. Returns false on failure. */
static bool write_bytes(struct lib_stash *s, const void *bytes, size_t length)
{
    if (!s->is_full && s->file < 0)
        s->is_full = lib_scratch_open(&s->file) != 0;
    if (!s->is_full)
        s->is_full = lib_scratch_write(s->file, bytes, length, s->written) != 0;
    s->written += s->is_full ? 0 : length;
    return !s->is_full;
}

void lib_stash_add(struct lib_stash *s, const void *bytes, size_t length)
{
    const size_t all = s->rest.length + length;
    if (all > PIECE && s->rest.length && write_bytes(s, s->rest.bytes, s->rest.length))
        lib_text_clear(&s->rest);
    if (length <= PIECE || s->rest.length || !write_bytes(s, bytes, length))
        lib_text_add(&s->rest, bytes, length);
}

void lib_stash_end(struct lib_stash *s)
{
    if (s->written && s->rest.length && write_bytes(s, s->rest.bytes, s->rest.length))
        lib_text_free(&s->rest);
    if (s->rest.length)
        s->rest.bytes = lib_mem_resize(s->rest.bytes, s->rest.length + 1);
    s->rest.capacity = s->rest.length ? s->rest.length + 1 : 0;
}

/* Reads from the file through a block in memory. */
static bool read_bytes(struct lib_stash *s, size_t at, char *bytes, size_t length)
{
    if (length > PIECE)
        return lib_scratch_read(s->file, bytes, length, at) == 0;
    if (!s->block)
        s->block = lib_mem_new(PIECE);
    if (at < s->from || at + length > s->from + s->in_block) {
        s->from = at;
        s->in_block = s->written - at < PIECE ? s->written - at : PIECE;
        if (lib_scratch_read(s->file, s->block, s->in_block, at) != 0) {
            s->in_block = 0;
            return false;
        }
    }
    memcpy(bytes, s->block + (at - s->from), length);
    return true;
}

bool lib_stash_get(struct lib_stash *s, size_t at, void *bytes, size_t length)
{
    char *to = bytes;
    assert(at + length <= lib_stash_length(s));
    if (at < s->written) {
        const size_t left = s->written - at, n = length < left ? length : left;
        if (!read_bytes(s, at, to, n))
            return false;
        at += n;
        to += n;
        length -= n;
    }
    if (length)
        memcpy(to, s->rest.bytes + (at - s->written), length);
    return true;
}
