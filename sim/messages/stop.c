#include "sim/messages/stop.h"

#include <sys/time.h>
#include <unistd.h>

#include "lib/leftovers.h"
#include "sim/messages/messages.h"

volatile sig_atomic_t sim_stop;

/* Whether the command looks at sim_stop. */
static volatile sig_atomic_t asks;

static void end_now(int signal_number)
{
    static const char text[] = "hiaton: interrupted\n";
    (void)signal_number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    lib_leftovers_remove();
    _exit(SIM_INTERRUPTED);
}

/* Ends the process, or asks the command to stop and ends the process if it has not ended soon: it
 * may wait for a pipe, or be in a library. */
static void stop(int signal_number)
{
    static const struct itimerval soon = {.it_value = {.tv_usec = 800000}};
    if (!asks)
        end_now(signal_number);
    if (sim_stop)
        return;
    sim_stop = 1;
    setitimer(ITIMER_REAL, &soon, NULL);
}

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void sim_stop_begin(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    /* Also if they are ignored, as by shells for background jobs, or blocked: a command must always
     * be stoppable. */
    handle(SIGINT, stop);
    handle(SIGTERM, stop);
    handle(SIGALRM, end_now);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
}

void sim_stop_catch(void)
{
    asks = 1;
}
