/* Interruption: a request to stop, made by SIGINT or SIGTERM.
 *
 * Before sim_stop_catch these signals end the process as usual. After it the first one
 * asks the run to stop in order; one that comes later still, because it does not, ends
 * the process. */
#ifndef SIM_MESSAGES_STOP_H
#define SIM_MESSAGES_STOP_H

#include <signal.h>

/* Nonzero once a signal has come: when, in seconds. The only mutable global, because a
 * handler has no arguments. */
extern volatile sig_atomic_t sim_stop;

void sim_stop_catch(void);

#endif
