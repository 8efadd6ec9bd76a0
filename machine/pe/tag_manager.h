/* Identifiers of tags (settings tag.*). A tag is the identity of an
 * activation, the same on every machine (isa/exec/activation.h). This part models the identifier
 * that tokens carry for it: how it is assigned, how long that takes, and what happens if there are
 * too few.
 *
 * `interned`: a tag manager serves a few CALLs per cycle, oldest
 * first; tag.bits limits the number of activations. `pool`: each function has identifiers of its
 * own (the local tag spaces of TYR). A CALL that finds none waits (stall), takes a slower one
 * (spill), or ends the run (stop). Waiting CALLs get free identifiers in the order of their
 * arrival.
 *
 * In a pool of two or more, the last identifier is reserved for iterations of running loops: an
 * ENTER leaves it, and a NEXT waits behind no ENTER. So a loop that has begun can continue, and two
 * identifiers suffice for nested loops (TYR). */
#ifndef MACHINE_PE_TAG_MANAGER_H
#define MACHINE_PE_TAG_MANAGER_H

#include <stdint.h>

struct machine;

/* Returns the cycles that a tag manager adds to a CALL; 0 without tag managers. */
uint64_t machine_tag_manager_latency(const struct machine *m);

#endif
