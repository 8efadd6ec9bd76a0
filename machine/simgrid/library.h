/* SimGrid, where this hiaton was built with it: its module (machine/simgrid/plugin.h) is opened when a run first
 * needs it, so that other runs neither wait for it nor need it. */
#ifndef MACHINE_SIMGRID_LIBRARY_H
#define MACHINE_SIMGRID_LIBRARY_H

#include "lib/text.h"
#include "machine/simgrid/plugin.h"

/* The file name of the module. */
#define MACHINE_SIMGRID_MODULE "hiaton-simgrid.so"

/* A SimGrid that has no platform yet; the same again, until machine_simgrid_take. NULL: there is none, and
 * `why` says why not. */
const struct machine_simgrid *machine_simgrid_open(struct lib_text *why);

/* This process is about to load a platform into it. The next machine_simgrid_open opens another one, which knows
 * nothing of this one: some 12 fit into a process, and none is ever closed. */
void machine_simgrid_take(void);
/* Whether it has ever done so. */
bool machine_simgrid_has_taken(void);

#endif
