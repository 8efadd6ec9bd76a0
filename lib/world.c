#include "lib/world.h"

#include <pthread.h>

static struct {
    pthread_once_t once;
    locale_t c; /* lives as long as the process */
} locales = {.once = PTHREAD_ONCE_INIT};

static void make_c_locale(void)
{
    locales.c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t enter_locale(void)
{
    pthread_once(&locales.once, make_c_locale);
    return locales.c ? uselocale(locales.c) : (locale_t)0;
}

#if defined __x86_64__

enum {
    MXCSR_DEFAULT = 0x1F80, /* exceptions masked, rounding to nearest, denormals kept */
    MXCSR_FLAGS = 0x3F,     /* raised exceptions, which do not affect results */
    X87_DEFAULT = 0x37F
};

static uint32_t read_mxcsr(void)
{
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
    return mxcsr;
}

static void write_mxcsr(uint32_t mxcsr)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
}

static uint16_t read_x87(void)
{
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word) : : "memory");
    return word;
}

static void write_x87(uint16_t word)
{
    __asm__ volatile("fldcw %0" : : "m"(word) : "memory");
}

/* Loads of these registers are slow and seldom necessary, so the values are compared first. */
static void enter_floating_point(struct lib_world *host)
{
    host->mxcsr = read_mxcsr();
    host->x87 = read_x87();
    if ((host->mxcsr & ~(uint32_t)MXCSR_FLAGS) != MXCSR_DEFAULT)
        write_mxcsr(MXCSR_DEFAULT);
    if (host->x87 != X87_DEFAULT)
        write_x87(X87_DEFAULT);
}

static void leave_floating_point(const struct lib_world *host)
{
    if (read_mxcsr() != host->mxcsr)
        write_mxcsr(host->mxcsr);
    if (host->x87 != X87_DEFAULT)
        write_x87(host->x87);
}

#else

static void enter_floating_point(struct lib_world *host)
{
    fegetenv(&host->env);
    fesetenv(FE_DFL_ENV);
}

static void leave_floating_point(const struct lib_world *host)
{
    fesetenv(&host->env);
}

#endif

struct lib_world lib_world_enter(void)
{
    struct lib_world host = {.locale = enter_locale()};
    enter_floating_point(&host);
    return host;
}

void lib_world_leave(const struct lib_world *host)
{
    leave_floating_point(host);
    if (host->locale)
        uselocale(host->locale);
}
