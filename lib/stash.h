/* A stash: bytes that are written once, in order, and read later, perhaps never. Few bytes stay in memory. Many go
 * into a file without a name (lib/scratch_file.h), a piece at a time; if the host takes no more, the rest
 * stays in memory. So writing never fails. */
#ifndef LIB_STASH_H
#define LIB_STASH_H

#include "lib/text.h"

struct lib_stash {
    struct lib_text rest; /* the bytes from `written` on */
    size_t written;       /* bytes in the file */
    int file;             /* -1: there is none */
    bool is_full;         /* the host has no file, or no more room in it */
    char *block; /* owned: `in_block` bytes of the file from `from` on, read last */
    size_t from, in_block;
};

void lib_stash_start(struct lib_stash *stash);
void lib_stash_free(struct lib_stash *stash);

void lib_stash_add(struct lib_stash *stash, const void *bytes, size_t length);

/* Gives back memory that only adding needs. */
void lib_stash_end(struct lib_stash *stash);

static inline size_t lib_stash_length(const struct lib_stash *stash)
{
    return stash->written + stash->rest.length;
}

/* Reads `length` bytes from a place on; fast in order. Returns false if the host cannot read the file. */
bool lib_stash_get(struct lib_stash *stash, size_t at, void *bytes, size_t length);

#endif
