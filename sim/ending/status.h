/* Exit statuses of commands (doc/running.md, "How a run ends"). */
#ifndef SIM_ENDING_STATUS_H
#define SIM_ENDING_STATUS_H

enum sim_status {
    SIM_DONE = 0,
    SIM_DIFFERS = 1, /* a check failed */
    SIM_USAGE = 2,   /* bad usage or bad input: nothing ran */
    SIM_FAILED = 3,  /* the program failed, or a pipe that fed it */
    SIM_LIMIT = 4,
    SIM_INTERNAL =
        5, /* an output cannot be written, or another error of the host or of hiaton */
    SIM_INTERRUPTED = 130,
};

#endif
