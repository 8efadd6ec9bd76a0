/* The state of the calling thread on which C code depends silently: its locale, and how its
 * floating-point unit rounds, flushes denormals and traps.
 *
 * A host that embeds hiaton may have changed any of it, and must find it unchanged. So each
 * entry point puts the state to C's defaults for as long as it runs, by LIB_WORLD_OWN. Pairs of
 * lib_world_enter and lib_world_leave nest, and a pair costs some 20 ns. A callback of the
 * host's belongs between lib_world_leave and another lib_world_enter. Nothing here fails. */
#ifndef LIB_WORLD_H
#define LIB_WORLD_H

#include <locale.h>
#include <stdint.h>
#if !defined __x86_64__
#include <fenv.h>
#endif

struct lib_world {
    locale_t locale; /* 0: left alone, as there is no locale "C" */
#if defined __x86_64__
    uint32_t mxcsr; /* rounding, denormals, traps and raised flags of SSE */
    uint16_t x87;   /* the control word, by which the C library reads and prints reals */
#else
    fenv_t env;
#endif
};

/* Puts the thread's state to C's defaults: locale "C", rounding to nearest, denormals kept, no
 * traps. Returns the state before. */
struct lib_world lib_world_enter(void);

/* Restores the state that lib_world_enter returned; raised floating-point flags are as they were then. */
void lib_world_leave(const struct lib_world *host);

/* Declares that the enclosing block runs in the default state, however it is left. */
#define LIB_WORLD_OWN()                                                                  \
    const struct lib_world lib_world_of_host                                             \
        __attribute__((cleanup(lib_world_leave), unused)) = lib_world_enter()

#endif
