/* Calls on a stack that is large enough, however small that of the process is (`ulimit -s`). The
 * stack of a process cannot grow beyond its hard limit; one that is mapped can have any size. */
#ifndef LIB_STACK_H
#define LIB_STACK_H

/* Size of a stack that is large enough. */
enum { LIB_STACK_BYTES = 8 << 20 };

/* Calls `function` and returns its result. If the limit of the stack is below LIB_STACK_BYTES, the
 * call has a stack of its own of this size, until it returns or the process exits. Must not be
 * called on such a stack. If the memory for it is missing, the call has the stack of the caller. */
int lib_stack_call(int (*function)(void *context), void *context);

#endif
