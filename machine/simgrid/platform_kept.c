/* The platforms that were read last. A run asks three times about its platform, and reading one
 * forks a process. A thread that finds its platform here does not fork beside other threads, whose
 * locks (such as those of a sanitizer's allocator) would stay locked in the child. */
#include "machine/simgrid/platform_internal.h"

#include "lib/memory.h"

#include <pthread.h>
#include <string.h>

enum { MAX_KEPT = 4 };
/* Bytes that all kept platforms may take. */
#define MAX_BYTES (UINT64_C(64) << 20)

struct kept {
    struct machine_platform *platform; /* NULL: free entry */
    char *bytes;                       /* of the file */
    size_t length;                     /* of these */
    uint32_t nodes;
    uint64_t clock; /* at which messages were tried; 0: not tried */
    uint64_t used;  /* time of the last use: the count of uses */
};

static struct {
    pthread_mutex_t lock; /* also guards `users` of all platforms */
    struct kept list[MAX_KEPT];
    uint64_t uses;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t bytes_of(const struct kept *k)
{
    const struct machine_platform *p = k->platform;
    if (!p)
        return 0;
    const uint64_t pairs = (uint64_t)p->node_count * p->node_count;
    return k->length + (pairs + 1) * sizeof *p->first +
           p->first[pairs] * sizeof *p->ways + (uint64_t)p->link_count * sizeof *p->links;
}

static void free_platform(struct machine_platform *p)
{
    lib_arena_free(p->arena);
    LIB_MEM_FREE(p->hosts, p->links, p->first, p->ways, p);
}

static void release(struct machine_platform *p)
{
    if (--p->users == 0)
        free_platform(p);
}

static void drop(struct kept *k)
{
    if (k->platform)
        release(k->platform);
    lib_mem_free(k->bytes);
    *k = (struct kept){0};
}

static bool is_about(const struct kept *k, const struct lib_setting_file *file,
                     const struct platform_question *q)
{
    return k->platform && k->nodes == q->nodes && k->length == file->source.length &&
           memcmp(k->bytes, file->source.bytes, k->length) == 0;
}

/* Returns the entry that was not used for the longest time; a free one first. */
static struct kept *find_oldest(void)
{
    struct kept *oldest = &all.list[0];
    for (size_t i = 1; i < MAX_KEPT; i++)
        if (all.list[i].used < oldest->used)
            oldest = &all.list[i];
    return oldest;
}

/* Drops platforms until the others take at most MAX_BYTES. */
static void limit_bytes(void)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < MAX_KEPT; i++)
        bytes += bytes_of(&all.list[i]);
    while (bytes > MAX_BYTES) {
        struct kept *next = NULL;
        for (size_t i = 0; i < MAX_KEPT; i++)
            if (all.list[i].platform && (!next || all.list[i].used < next->used))
                next = &all.list[i];
        bytes -= bytes_of(next);
        drop(next);
    }
}

struct machine_platform *platform_kept_find(const struct lib_setting_file *file,
                                            const struct platform_question *q)
{
    struct machine_platform *p = NULL;
    pthread_mutex_lock(&all.lock);
    for (size_t i = 0; i < MAX_KEPT && !p; i++) {
        struct kept *k = &all.list[i];
        if (!is_about(k, file, q) || (q->clock && q->clock != k->clock))
            continue;
        p = k->platform;
        p->users++;
        k->used = ++all.uses;
    }
    pthread_mutex_unlock(&all.lock);
    return p;
}

void platform_kept_add(const struct lib_setting_file *file,
                       const struct platform_question *q, struct machine_platform *p)
{
    char *bytes = lib_mem_new(file->source.length + 1);
    memcpy(bytes, file->source.bytes, file->source.length);
    pthread_mutex_lock(&all.lock);
    for (size_t i = 0; i < MAX_KEPT; i++)
        if (is_about(&all.list[i], file, q))
            drop(&all.list[i]);
    struct kept *k = find_oldest();
    drop(k);
    *k = (struct kept){p, bytes, file->source.length, q->nodes, q->clock, ++all.uses};
    p->users++;
    limit_bytes();
    pthread_mutex_unlock(&all.lock);
}

void machine_platform_free(struct machine_platform *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&all.lock);
    release(p);
    pthread_mutex_unlock(&all.lock);
}
