/* Random machines on platforms of SimGrid. A process holds few platforms, so each run has a process
 * of its own. */
#ifndef TESTS_RANDOM_DRAW_PLATFORM_H
#define TESTS_RANDOM_DRAW_PLATFORM_H

#include "machine/settings.h"
#include "machine/simgrid/ready.h"

/* A platform as a value of network.platform. Settings borrow it; the caller frees `text`. */
struct draw_platform {
    struct lib_text text;
    struct lib_setting_file file;
};

bool draw_has_platforms(void);

void draw_ready_platform(enum machine_ready_kind kind, uint32_t nodes,
                         const char *bandwidth, const char *latency,
                         struct draw_platform *platform);

/* Draws a machine on a platform of `nodes` nodes, at least 2 (0: a random number), by either model
 * of SimGrid, with faults that do not change results. */
void draw_platform(uint64_t seed, uint32_t nodes, struct machine_settings *settings,
                   struct draw_platform *platform);

/* Calls `run` in another process, and copies the `size` bytes of `found` from there. Returns false
 * if that process did not end normally. */
bool draw_apart(void (*run)(void *context, void *found), void *context, void *found,
                size_t size);

#endif
