/* Report of injected faults whose message was never sent (machine/nodes/report.c). */
#ifndef MACHINE_UNUSED_FAULTS_H
#define MACHINE_UNUSED_FAULTS_H

#include "machine/machine.h"

/* Adds a line for each fault in the setting fault.list whose message was never sent, such as
 * "lose:0-1:5: node 0 sent 3 messages to node 1". */
void machine_write_unused_faults(const struct machine *machine, struct lib_text *out);

#endif
