/* The process that asks SimGrid about a platform: it is forked, as SimGrid ends the process on
 * errors and may never return, and it has limits. */
#ifndef MACHINE_SIMGRID_PLATFORM_INTERNAL_H
#define MACHINE_SIMGRID_PLATFORM_INTERNAL_H

#include "machine/simgrid/library.h"
#include "machine/simgrid/platform.h"

/* Question about a platform. `clock`: cycles per second of the machine if messages are to be tried,
 * else 0. */
struct platform_question {
    uint32_t nodes;
    uint64_t clock;
};

/* Statuses of the process: the platform cannot be read, or used. */
enum { PLATFORM_NOT_READ = 3, PLATFORM_TOO_LONG, PLATFORM_TOO_LATE };
/* Limits of the process: seconds of a processor that it may take for the file, and for the routes
 * from one host; seconds until it has ended; bytes beyond those of its parent. */
enum { PLATFORM_MAX_CPU_SECONDS = 10, PLATFORM_MAX_SECONDS = 120 };
#define PLATFORM_MAX_BYTES (UINT64_C(4) << 30)

/* Runs the forked process. It may print much, so to a file; its results go through a pipe.
 * Returns false if the host has no process or file. */
bool machine_platform_ask(const struct machine_simgrid *simgrid,
                          const struct lib_setting_file *file,
                          const struct platform_question *q, struct lib_text *said,
                          struct lib_text *known, char path[MACHINE_PLATFORM_PATH],
                          int *status);

/* Platforms that were read last, for all threads. Returns NULL if the answer is not among them. */
struct machine_platform *platform_kept_find(const struct lib_setting_file *file,
                                            const struct platform_question *q);
/* Keeps a platform for later questions, as a further user of it. */
void platform_kept_add(const struct lib_setting_file *file,
                       const struct platform_question *q,
                       struct machine_platform *platform);

#endif
