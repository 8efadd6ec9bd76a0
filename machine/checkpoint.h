/* Checkpoints: the state of a machine between two cycles as bytes. A machine that reads a
 * checkpoint continues exactly as the saved one would have, given the same code, settings and seed.
 * State that can be computed from these is not saved. Each part packs its own state
 * (machine/part.h). */
#ifndef MACHINE_CHECKPOINT_H
#define MACHINE_CHECKPOINT_H

#include "lib/pack.h"
#include "machine/machine.h"
#include "traces/part_counts.h"

/* Version of the bytes of a checkpoint. Raise the first number when what is packed changes; a new
 * counter in struct traces_part_counts changes the version by itself. */
enum { MACHINE_CHECKPOINT_FORMAT = 1201 + TRACES_PART_COUNTS };

/* Writes a running machine to a checkpoint; or reads a checkpoint into a new machine with the same
 * code, settings, seed and observers (machine_observe_start). If pack->failed is then set, the
 * machine can only be freed. */
void machine_checkpoint_pack(struct lib_pack *pack, struct machine *machine);

#endif
