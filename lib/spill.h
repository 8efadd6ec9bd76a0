/* Growing array of which only the newest items are in memory. Older ones are in an unnamed file
 * (lib/scratch_file.h). Items must not contain addresses of items. */
#ifndef LIB_SPILL_H
#define LIB_SPILL_H

#include "lib/memory.h"

struct lib_spill {
    size_t size;    /* bytes per item */
    size_t count;   /* number of items */
    size_t written; /* number of items in the file; the others are in memory */
    char *newest;   /* owned: the items that are not in the file */
    char *block;    /* owned: consecutive items read from the file */
    /* index of the first item in `block`, and number of items in it */
    size_t from, in_block;
    int file;  /* descriptor of the file of older items; -1: none */
    int error; /* errno of the first failure, after which items are undefined; 0: none */
};

void lib_spill_start(struct lib_spill *spill, size_t size);
void lib_spill_free(struct lib_spill *spill);

/* Appends an uninitialised item and returns it. It may be changed until the next lib_spill_add. */
void *lib_spill_add(struct lib_spill *spill);

/* Returns the last item, or NULL if the array is empty. */
void *lib_spill_last(struct lib_spill *spill);

/* Returns item `i`, a pointer valid until the next call. Fast for sequential access in either
 * direction. */
const void *lib_spill_get(struct lib_spill *spill, size_t i);

#endif
