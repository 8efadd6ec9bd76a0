/* Interruption by SIGINT or SIGTERM.
 *
 * After sim_stop_begin such a signal ends the process with status 130 and removes its temporary
 * files (lib/leftovers.h). After sim_stop_catch it first asks the command to stop, and ends the
 * process only if the command has not ended after 0.8 s. */
#ifndef SIM_MESSAGES_STOP_H
#define SIM_MESSAGES_STOP_H

#include <signal.h>

/* 1 after the first signal; 0 before. Global, as a signal handler has no arguments. */
extern volatile sig_atomic_t sim_stop;

/* Handles the signals. Called once, by main. */
void sim_stop_begin(void);

/* Makes the first signal set sim_stop, at which the command looks from now on. */
void sim_stop_catch(void);

#endif
