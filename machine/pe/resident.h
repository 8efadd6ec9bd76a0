/* Bytes of tensors and arrays in each memory while memories are unlimited, for `peak_resident`: the
 * capacity that suffices. machine/pe/swap.h counts them where memories are finite.
 *
 * Bytes are counted when a structure is made, grows or is freed, so a run without any pays nothing.
 */
#ifndef MACHINE_PE_RESIDENT_H
#define MACHINE_PE_RESIDENT_H

#include "machine/state.h"

/* Updates the peak when a memory has `bytes`. */
static inline void machine_resident_note(struct machine *m, uint64_t bytes)
{
    if (bytes > m->watch.counts.peak_resident)
        m->watch.counts.peak_resident = bytes;
}

#endif
