#include "sim/session/host.h"

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "lib/memory.h"

double sim_host_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Calls `found` with the rest of the first line that starts with `key`, after blanks and a
 * colon. */
static void find_line(const char *path, const char *key,
                      void (*found)(const char *value, void *context), void *context)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    char line[512];
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        char *value = line + strlen(key);
        value += strspn(value, " \t:");
        value[strcspn(value, "\n")] = '\0';
        found(value, context);
        break;
    }
    fclose(file);
}

static void take_kilobytes(const char *value, void *context)
{
    *(uint64_t *)context = strtoull(value, NULL, 10) * 1024;
}

/* getrusage would include the process that started this one, if it called exec. */
uint64_t sim_host_peak_memory(void)
{
    uint64_t bytes = 0;
    find_line("/proc/self/status", "VmHWM:", take_kilobytes, &bytes);
    return bytes;
}

uint64_t sim_host_peak_memory_of_fork(void)
{
    struct rusage usage;
    const bool is_known = getrusage(RUSAGE_SELF, &usage) == 0;
    return is_known ? (uint64_t)usage.ru_maxrss * 1024 : sim_host_peak_memory();
}

/* Counts processors that the scheduler allows: taskset and batch systems restrict them. */
unsigned sim_host_processors(void)
{
    enum { MOST = 1 << 16 };
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    size_t size = CPU_ALLOC_SIZE(MOST);
    cpu_set_t *set = lib_mem_new(size);
    int allowed = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    lib_mem_free(set);
    return allowed > 0 ? (unsigned)allowed : online > 0 ? (unsigned)online : 1;
}

static void take_text(const char *value, void *context)
{
    lib_text_puts(context, value);
}

void sim_host_processor(struct lib_text *out)
{
    find_line("/proc/cpuinfo", "model name", take_text, out);
}

void sim_host_features(struct lib_text *out)
{
#if defined __x86_64__ || defined __i386__
    __builtin_cpu_init();
#define FEATURE(name)                                                                    \
    if (__builtin_cpu_supports(name))                                                    \
        lib_text_printf(out, "%s" name, out->length ? " " : "");
    FEATURE("sse4.2")
    FEATURE("avx")
    FEATURE("avx2")
    FEATURE("fma")
    FEATURE("avx512f")
#undef FEATURE
#else
    lib_text_puts(out, "unknown");
#endif
}

void sim_host_library(struct lib_text *out)
{
#ifdef __GLIBC__
    lib_text_printf(out, "glibc %s", gnu_get_libc_version());
#else
    lib_text_puts(out, "unknown");
#endif
}
