/* Threads of hiaton's own, beside those of the host. */
#ifndef LIB_THREAD_H
#define LIB_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that calls run(context), to be joined with pthread_join. It blocks all signals,
 * which are for threads of the host, and runs with C's defaults (lib/world.h) and with the caller's
 * handler of exhausted memory (lib/memory.h). Returns false if the host has no more threads. */
bool lib_thread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
