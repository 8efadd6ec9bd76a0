#include "lib/spill.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/text.h"

enum { BLOCK = 1 << 14 }; /* items that are in memory */

void lib_spill_start(struct lib_spill *s, size_t size)
{
    *s = (struct lib_spill){.size = size, .file = -1};
}

void lib_spill_free(struct lib_spill *s)
{
    if (s->file >= 0)
        close(s->file);
    lib_mem_free(s->newest);
    lib_mem_free(s->block);
    lib_spill_start(s, s->size);
}

static void note_error(struct lib_spill *s, int error)
{
    if (s->error == 0)
        s->error = error ? error : EIO;
}

/* It is gone when it is closed, however the process ends. */
static void open_file(struct lib_spill *s)
{
    const char *folder = getenv("TMPDIR");
    struct lib_text path = {0};
    lib_text_printf(&path, "%s/hiaton-XXXXXX", folder && *folder ? folder : "/tmp");
    s->file = mkstemp(path.bytes);
    if (s->file < 0)
        note_error(s, errno);
    else
        unlink(path.bytes);
    lib_text_free(&path);
}

/* All of some bytes, at a place of the file. */
static void transfer(struct lib_spill *s, char *bytes, size_t length, size_t at,
                     bool writes)
{
    while (length && !s->error) {
        const ssize_t done = writes ? pwrite(s->file, bytes, length, (off_t)at)
                                    : pread(s->file, bytes, length, (off_t)at);
        if (done <= 0) {
            if (done < 0 && errno == EINTR)
                continue;
            note_error(s, done < 0 ? errno : EIO);
            return;
        }
        bytes += done;
        at += (size_t)done;
        length -= (size_t)done;
    }
}

/* All but the last, which may still be changed. */
static void write_newest(struct lib_spill *s)
{
    const size_t count = s->count - s->written - 1;
    if (s->file < 0 && !s->error)
        open_file(s);
    transfer(s, s->newest, count * s->size, s->written * s->size, true);
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
        transfer(s, s->block, s->in_block * s->size, s->from * s->size, false);
    }
    return s->block + (i - s->from) * s->size;
}
