/* Interruption by SIGINT or SIGTERM.
 *
 * After sim_stop_catch the first such signal only asks the run to stop. A later one ends the
 * process, as such signals usually do. */
#ifndef SIM_MESSAGES_STOP_H
#define SIM_MESSAGES_STOP_H

#include <signal.h>

/* Time of the first signal in seconds; 0: none. The only mutable global variable, as a signal
 * handler has no arguments. */
extern volatile sig_atomic_t sim_stop;

void sim_stop_catch(void);

#endif
