/* SimGrid, if this hiaton was built with it. The module with it (machine/simgrid/plugin.h) is
 * opened when a run first needs it. */
#ifndef MACHINE_SIMGRID_LIBRARY_H
#define MACHINE_SIMGRID_LIBRARY_H

#include "lib/text.h"
#include "machine/simgrid/plugin.h"

/* File name of the module that is linked with SimGrid. */
#define MACHINE_SIMGRID_MODULE "hiaton-simgrid.so"

/* Opens a SimGrid without a platform, for this thread alone: other threads wait until
 * machine_simgrid_close. On failure returns NULL and sets `why` to the reason. */
const struct machine_simgrid *machine_simgrid_open(struct lib_text *why);

/* Closes the SimGrid. `has_platform`: the process has loaded a platform into it, so that the next
 * machine_simgrid_open must open another copy of SimGrid. About 12 copies fit into a process; none
 * is ever freed. */
void machine_simgrid_close(bool has_platform);

/* Returns true if this process has ever loaded a platform into SimGrid. */
bool machine_simgrid_has_loaded(void);

#endif
