/* SimGrid, where this hiaton was built with it: its module (machine/simgrid/plugin.h) is opened
 * when a run first needs it, so that other runs neither wait for it nor need it. */
#ifndef MACHINE_SIMGRID_LIBRARY_H
#define MACHINE_SIMGRID_LIBRARY_H

#include "lib/text.h"
#include "machine/simgrid/plugin.h"

/* The file name of the module. */
#define MACHINE_SIMGRID_MODULE "hiaton-simgrid.so"

/* A SimGrid that has no platform yet, for this thread alone until machine_simgrid_close: other
 * threads wait. NULL: there is none, `why` says why not, and nothing is to be closed. */
const struct machine_simgrid *machine_simgrid_open(struct lib_text *why);

/* `has_platform`: this process has loaded a platform into it. The next machine_simgrid_open then
 * opens another one, which knows nothing of this one: some 12 fit into a process, and none is
 * ever freed. */
void machine_simgrid_close(bool has_platform);
/* Whether this process has ever loaded a platform. */
bool machine_simgrid_has_loaded(void);

#endif
