#include "sim/messages/stop.h"

#include <time.h>
#include <unistd.h>

#include "sim/messages/messages.h"

volatile sig_atomic_t sim_stop;

/* Signals come in pairs where a wrapper passes on what the terminal has sent to all. */
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
    /* Also where they are ignored, as a shell has it for what it starts in the
     * background: a run that cannot be interrupted helps nobody. */
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
