/* Checkpoints: a machine between two cycles, as bytes, from which another one goes on: with the
 * same code, settings and seed it does what the first one would have done, to the last bit of its
 * statistics.
 *
 * What a part holds it packs itself (machine/part.h); what follows from code, settings and seed
 * is not packed. */
#ifndef MACHINE_CHECKPOINT_H
#define MACHINE_CHECKPOINT_H

#include "lib/pack.h"
#include "machine/machine.h"

/* Changes with everything that changes what is packed. */
enum { MACHINE_CHECKPOINT_FORMAT = 12 };

/* Packs a machine that goes on; or reads one that has just been made, of the same code, settings
 * and seed, and observes the same (machine_observe_start). If the pack has failed, the machine
 * that was read is only to be freed. */
void machine_checkpoint_pack(struct lib_pack *pack, struct machine *machine);

#endif
