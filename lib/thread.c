#include "lib/thread.h"

#include <signal.h>

#include "lib/memory.h"
#include "lib/stack.h"
#include "lib/world.h"

struct start {
    void *(*run)(void *context);
    void *context;
    struct lib_mem_handler handler;
};

static void *run_thread(void *context)
{
    const struct start start = *(struct start *)context;
    lib_mem_free(context);
    LIB_WORLD_OWN();
    lib_mem_set_handler(start.handler);
    return start.run(start.context);
}

bool lib_thread_start(pthread_t *thread, void *(*run)(void *context), void *context)
{
    struct start *start = lib_mem_new(sizeof *start);
    *start = (struct start){run, context, lib_mem_get_handler()};
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pthread_attr_t attributes; /* by default a stack is as large as that of the process */
    pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, LIB_STACK_BYTES);
    const bool started = pthread_create(thread, &attributes, run_thread, start) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!started)
        lib_mem_free(start);
    return started;
}
