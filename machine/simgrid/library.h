/* SimGrid, if this hiaton was built with it: its module (machine/simgrid/plugin.h) is opened when a
 * run first needs it, so that other runs neither wait for it nor need it. */
#ifndef MACHINE_SIMGRID_LIBRARY_H
#define MACHINE_SIMGRID_LIBRARY_H

#include "lib/text.h"
#include "machine/simgrid/plugin.h"

/* The file name of the module. */
#define MACHINE_SIMGRID_MODULE "hiaton-simgrid.so"

/* Opens a SimGrid that has no platform yet, for this thread alone until machine_simgrid_close:
 * other threads wait. Returns NULL, and sets `why` to the reason, if there is none; then nothing
 * must be closed. */
const struct machine_simgrid *machine_simgrid_open(struct lib_text *why);

/* Closes it. `has_platform` means that this process has loaded a platform into it. Then the next
 * machine_simgrid_open opens another, independent one: about 12 fit into a process, and none is
 * ever freed. */
void machine_simgrid_close(bool has_platform);

/* Returns true if this process has ever loaded a platform. */
bool machine_simgrid_has_loaded(void);

#endif
