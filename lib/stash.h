/* Stash: a sequence of bytes that is written once, in order, and may be read later. A short
 * sequence stays in memory. A long one goes to an unnamed file (lib/scratch_file.h); if the file
 * cannot grow, the bytes stay in memory, so writing never fails. */
#ifndef LIB_STASH_H
#define LIB_STASH_H

#include "lib/text.h"

struct lib_stash {
    struct lib_text rest; /* last bytes of the sequence, which are not in the file */
    size_t written;       /* number of bytes in the file */
    int file; /* descriptor of the file that has the first bytes; -1: all are in memory */
    bool is_full;          /* the file cannot be made or cannot grow */
    char *block;           /* owned: a block of bytes read from the file */
    size_t from, in_block; /* offset of `block` in the file, and its length in bytes */
};

void lib_stash_start(struct lib_stash *stash);
void lib_stash_free(struct lib_stash *stash);

void lib_stash_add(struct lib_stash *stash, const void *bytes, size_t length);

/* Ends writing, and frees memory that only writing needs. */
void lib_stash_end(struct lib_stash *stash);

static inline size_t lib_stash_length(const struct lib_stash *stash)
{
    return stash->written + stash->rest.length;
}

/* Reads `length` bytes at offset `at` of the sequence. Fast for sequential access. Returns false if
 * the file cannot be read. */
bool lib_stash_get(struct lib_stash *stash, size_t at, void *bytes, size_t length);

#endif
