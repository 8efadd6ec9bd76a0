#include "lib/stack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

struct call {
    int (*function)(void *);
    void *context;
    int result;
};

/* The arguments of makecontext are ints: the halves of the address of a call. */
static void run_call(unsigned high, unsigned low)
{
    struct call *call = (struct call *)(uintptr_t)((uint64_t)high << 32 | low);
    call->result = call->function(call->context);
}

static bool is_large(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           limit.rlim_cur >= LIB_STACK_BYTES;
}

/* Maps a stack above a page that cannot be written. Returns NULL if memory is missing. */
static void *map_stack(size_t page)
{
    char *all = mmap(NULL, LIB_STACK_BYTES + page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    (void)mprotect(all, page, PROT_NONE);
    return all + page;
}

int lib_stack_call(int (*function)(void *context), void *context)
{
#ifdef __SANITIZE_ADDRESS__ /* it knows only the stack of the process */
    return function(context);
#endif
    const long page = sysconf(_SC_PAGESIZE);
    struct call call = {.function = function, .context = context};
    ucontext_t here, there;
    void *stack = is_large() || page <= 0 ? NULL : map_stack((size_t)page);
    if (!stack || getcontext(&there) != 0)
        return function(context);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = LIB_STACK_BYTES;
    there.uc_link = &here;
    const uint64_t address = (uintptr_t)&call;
    makecontext(&there, (void (*)(void))run_call, 2, (unsigned)(address >> 32),
                (unsigned)address);
    if (swapcontext(&here, &there) != 0)
        return function(context);
    (void)munmap((char *)stack - page, LIB_STACK_BYTES + (size_t)page);
    return call.result;
}
