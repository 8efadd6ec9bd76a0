#include "lib/paged.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "lib/scratch_file.h"

enum { MIN_FRAMES = 4 };

void lib_paged_start(struct lib_paged *p, size_t size, size_t frames)
{
    *p = (struct lib_paged){.size = size, .frames = frames, .file = -1};
}

void lib_paged_free(struct lib_paged *p)
{
    if (p->file >= 0)
        close(p->file);
    for (size_t i = 0; i < p->made; i++)
        LIB_MEM_FREE(p->all[i]->items, p->all[i]);
    lib_mem_free(p->all);
    LIB_VEC_FREE(&p->where);
    lib_paged_start(p, p->size, p->frames);
}

void lib_paged_clear(struct lib_paged *p)
{
    for (size_t i = 0; i < p->made; i++)
        p->all[i]->block = SIZE_MAX;
    for (size_t i = 0; i < p->made; i++)
        p->all[i]->used = 0;
    p->newest = NULL;
    p->where.count = 0;
    p->count = 0;
}

static size_t bytes_of(const struct lib_paged *p)
{
    return LIB_PAGED_BLOCK * p->size;
}

static struct lib_paged_frame *new_frame(struct lib_paged *p)
{
    struct lib_paged_frame *frame = lib_mem_new(sizeof *frame);
    frame->items = lib_mem_resize(NULL, bytes_of(p));
    frame->block = SIZE_MAX;
    p->all = lib_mem_resize(p->all, (p->made + 1) * sizeof *p->all);
    p->all[p->made++] = frame;
    return frame;
}

/* Frees a frame for another block; writes its block if it was changed. Returns false if that
 * fails. */
static bool give_up(struct lib_paged *p, struct lib_paged_frame *frame)
{
    if (frame->block == SIZE_MAX)
        return true;
    if (frame->is_changed && !p->is_full && p->file < 0)
        p->is_full = lib_scratch_open(&p->file) != 0;
    if (frame->is_changed && !p->is_full)
        p->is_full = lib_scratch_write(p->file, frame->items, bytes_of(p),
                                       frame->block * bytes_of(p)) != 0;
    if (frame->is_changed && p->is_full)
        return false;
    p->where.items[frame->block] = NULL;
    return true;
}

/* Returns the least recently used frame, freed; or a new one. */
static struct lib_paged_frame *free_frame(struct lib_paged *p)
{
    struct lib_paged_frame *oldest = NULL;
    if (p->made < MIN_FRAMES || p->made < p->frames)
        return new_frame(p);
    for (size_t i = 0; i < p->made; i++)
        if (p->all[i] != p->newest && (!oldest || p->all[i]->used < oldest->used))
            oldest = p->all[i];
    return give_up(p, oldest) ? oldest : new_frame(p);
}

void lib_paged_add_block(struct lib_paged *p)
{
    if (p->newest)
        p->newest->used = ++p->uses;
    struct lib_paged_frame *frame = free_frame(p);
    frame->block = p->where.count;
    frame->is_changed = true;
    frame->used = ++p->uses;
    *LIB_VEC_PUSH(&p->where) = frame;
    p->newest = frame;
}

void *lib_paged_find(struct lib_paged *p, size_t item, bool changes)
{
    const size_t block = item / LIB_PAGED_BLOCK;
    assert(item < p->count);
    struct lib_paged_frame *frame = p->where.items[block];
    if (!frame) {
        frame = free_frame(p);
        frame->block = block;
        frame->is_changed = false;
        p->where.items[block] = frame;
        const int error = lib_scratch_read(p->file, frame->items, bytes_of(p),
                                           block * bytes_of(p));
        if (error)
            memset(frame->items, 0, bytes_of(p));
        p->error = p->error ? p->error : error;
    }
    frame->used = ++p->uses;
    frame->is_changed |= changes;
    return frame->items + item % LIB_PAGED_BLOCK * p->size;
}
