/* Machines on platforms of SimGrid, drawn at random. A process holds few of SimGrid's platforms,
 * so that each run has a process of its own. */
#ifndef TESTS_RANDOM_DRAW_PLATFORM_H
#define TESTS_RANDOM_DRAW_PLATFORM_H

#include "machine/settings.h"
#include "machine/simgrid/ready.h"

/* A platform as a value of network.platform. The settings that name it borrow it; its text is to
 * be freed. */
struct draw_platform {
    struct lib_text text;
    struct machine_file file;
};

/* Whether there is SimGrid here. */
bool draw_has_platforms(void);

void draw_ready_platform(enum machine_ready_kind kind, uint32_t nodes,
                         const char *bandwidth, const char *latency,
                         struct draw_platform *platform);

/* A machine on a platform, by either model, with faults that change nothing that is computed. It
 * has so many nodes, at least 2; 0: some. */
void draw_platform(uint64_t seed, uint32_t nodes, struct machine_settings *settings,
                   struct draw_platform *platform);

/* Calls `run` in another process, and takes over the `size` bytes that it left in `found`. false:
 * that process did not come to its end. */
bool draw_apart(void (*run)(void *context, void *found), void *context, void *found,
                size_t size);

#endif
