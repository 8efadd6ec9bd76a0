/* Implicit state of the calling thread: its locale, and the rounding, denormal and trap modes of
 * its floating-point unit.
 *
 * A host that embeds hiaton may have changed this state and must find it unchanged. So each entry
 * point of the library runs with C's defaults, by LIB_WORLD_OWN. Pairs of lib_world_enter and
 * lib_world_leave nest; a pair takes some 20 ns. A callback into the host must be made between
 * lib_world_leave and the next lib_world_enter. */
#ifndef LIB_WORLD_H
#define LIB_WORLD_H

#include <locale.h>
#include <stdint.h>
#if !defined __x86_64__
#include <fenv.h>
#endif

struct lib_world {
    /* the thread's locale; 0: unchanged, because the locale "C" is not available */
    locale_t locale;
#if defined __x86_64__
    uint32_t mxcsr; /* rounding, denormals, traps and raised flags of SSE */
    /* x87 control word, which affects how the C library reads and prints reals */
    uint16_t x87;
#else
    fenv_t env;
#endif
};

/* Sets the thread to C's defaults: locale "C", rounding to nearest, denormals kept, no traps.
 * Returns the thread's previous state. */
struct lib_world lib_world_enter(void);

/* Restores the thread's state that lib_world_enter returned, with the raised floating-point
 * flags. */
void lib_world_leave(const struct lib_world *host);

/* Sets the thread to C's defaults until the enclosing block is left, in whatever way. */
#define LIB_WORLD_OWN()                                                                  \
    const struct lib_world lib_world_of_host                                             \
        __attribute__((cleanup(lib_world_leave), unused)) = lib_world_enter()

#endif
