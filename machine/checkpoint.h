/* Checkpoints: the state of a machine between two cycles as bytes. A machine read from them
 * continues exactly as the saved one would have, given the same code, settings and seed; what
 * follows from these is not packed. Each part packs its own state (machine/part.h). */
#ifndef MACHINE_CHECKPOINT_H
#define MACHINE_CHECKPOINT_H

#include "lib/pack.h"
#include "machine/machine.h"
#include "traces/part_counts.h"

/* Version of the packed bytes: raise 1200 when they change. */
enum { MACHINE_CHECKPOINT_FORMAT = 1200 + TRACES_PART_COUNTS };

/* Packs a running machine, or reads into a new one with the same code, settings, seed and observers
 * (machine_observe_start). If the pack has failed, the machine can only be freed. */
void machine_checkpoint_pack(struct lib_pack *pack, struct machine *machine);

#endif
