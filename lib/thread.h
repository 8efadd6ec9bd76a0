/* Threads that hiaton starts. */
#ifndef LIB_THREAD_H
#define LIB_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that calls run(context); the caller joins it with pthread_join. The thread blocks
 * all signals, runs with C's defaults (lib/world.h) and inherits the caller's memory handler
 * (lib/memory.h). Returns false on failure. */
bool lib_thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
