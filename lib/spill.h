/* Growing array of which only the newest items are in memory. The others are in an unnamed file
 * (lib/scratch_file.h). Items must not contain addresses of items. */
#ifndef LIB_SPILL_H
#define LIB_SPILL_H

#include "lib/memory.h"

struct lib_spill {
    size_t size;           /* bytes per item */
    size_t count;          /* items in memory and file */
    size_t written;        /* items in the file */
    char *newest;          /* owned: items not in the file */
    char *block;           /* owned: items read last from the file */
    size_t from, in_block; /* index of the first item in `block`, and number of items */
    int file;              /* descriptor; -1: none yet */
    int error; /* errno of the first failure, which makes items undefined; 0: none */
};

void lib_spill_start(struct lib_spill *spill, size_t size);
void lib_spill_free(struct lib_spill *spill);

/* Appends an uninitialised item and returns it. The caller may change it until the next call of
 * lib_spill_add. */
void *lib_spill_add(struct lib_spill *spill);

/* Returns the last item, or NULL if there are no items. */
void *lib_spill_last(struct lib_spill *spill);

/* Returns item `i`. The pointer is valid until the next call. Fast for sequential access in either
 * direction. */
const void *lib_spill_get(struct lib_spill *spill, size_t i);

#endif
