/* Access to SimGrid, if the simulator was built with it. The shared module that contains SimGrid
 * (machine/simgrid/plugin.h) is loaded when a run first needs it. */
#ifndef MACHINE_SIMGRID_LIBRARY_H
#define MACHINE_SIMGRID_LIBRARY_H

#include "lib/text.h"
#include "machine/simgrid/plugin.h"

/* File name of the shared module that is linked with SimGrid. */
#define MACHINE_SIMGRID_MODULE "hiaton-simgrid.so"

/* Opens an instance of SimGrid without a platform for this thread; other threads wait until
 * machine_simgrid_close. On failure returns NULL and sets `why`. */
const struct machine_simgrid *machine_simgrid_open(struct lib_text *why);

/* Closes the open instance of SimGrid. `has_platform`: it has loaded a platform, so the next
 * machine_simgrid_open must load another copy of the module. About 12 copies fit into a process;
 * none is ever freed. */
void machine_simgrid_close(bool has_platform);

/* Whether this process has ever loaded a platform into SimGrid. */
bool machine_simgrid_has_loaded(void);

#endif
