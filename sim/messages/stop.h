/* Interruption: a request to stop, made by SIGINT or SIGTERM.
 *
 * Before sim_stop_catch these signals end the process as usual. Then the first one asks the run to
 * stop in order. A later one ends the process, as the run has not stopped. */
#ifndef SIM_MESSAGES_STOP_H
#define SIM_MESSAGES_STOP_H

#include <signal.h>

/* Time of the first signal in seconds, or 0. The only mutable global, as a handler has no
 * arguments. */
extern volatile sig_atomic_t sim_stop;

void sim_stop_catch(void);

#endif
