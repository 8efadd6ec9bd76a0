#include "sim/messages/stop.h"

#include <time.h>
#include <unistd.h>

#include "sim/messages/messages.h"

volatile sig_atomic_t sim_stop;

/* Signals arrive in pairs if a wrapper forwards what the terminal sends to all processes. */
enum { PATIENCE = 2 }; /* seconds */

static void ask_to_stop(int signal_number)
{
    (void)signal_number;
    sig_atomic_t now = (sig_atomic_t)(time(NULL) | 1);
    if (sim_stop && now - sim_stop > PATIENCE)
        _exit(SIM_INTERRUPTED);
    if (!sim_stop)
        sim_stop = now;
}

void sim_stop_catch(void)
{
    /* Also if they are ignored, as by shells for background jobs: a run must always be
     * stoppable. */
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
