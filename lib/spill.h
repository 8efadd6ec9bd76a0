/* A growing array of items of one size, of which only the newest are in memory: the others lie in a file
 * that has no name, in the folder TMPDIR or /tmp. Items hold no addresses. */
#ifndef LIB_SPILL_H
#define LIB_SPILL_H

#include "lib/memory.h"

struct lib_spill {
    size_t size;  /* of an item */
    size_t count; /* of all */
    char *newest; /* owned: the items from `written` on; */
    size_t written;
    char *block; /* owned: `in_block` items from `from` on, which were read last */
    size_t from, in_block;
    int file;  /* -1: there is none yet */
    int error; /* of the host, which was the first; 0: none. Items may then be anything. */
};

void lib_spill_start(struct lib_spill *spill, size_t size);
void lib_spill_free(struct lib_spill *spill);

/* A new item, uninitialised. It can be changed until the next one is added. */
void *lib_spill_add(struct lib_spill *spill);
void *lib_spill_last(struct lib_spill *spill); /* NULL: there is none */

/* Valid until the next call. Fast where one follows the other, in either direction. */
const void *lib_spill_get(struct lib_spill *spill, size_t i);

#endif
