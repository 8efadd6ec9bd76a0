/* What a message on a platform costs the host (make bench): sends of a closed loop are written to
 * a file, and carried again from there, by SimGrid's module or by the native model.
 *
 *     carrier make PLATFORM SENDS AT_ONCE MESSAGES BYTES
 *     carrier simgrid|native PLATFORM SENDS
 *
 * The second prints microseconds per message, and a sum of dates and numbers, which for SimGrid
 * is that of tests/bench/shim.cpp. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "lib/memory.h"
#include "machine/simgrid/carrier.h"

enum { NODES = 64 };

struct send {
    double date;
    uint32_t from, to;
    uint64_t bytes;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "carrier: %s\n", what);
    exit(1);
}

/* SimGrid tells what came when it does; so the loop needs no list of what is to come. */
static void make_carrier(struct machine_carrier *c, FILE *file, uint64_t at_once,
                         uint64_t messages, uint64_t bytes)
{
    uint64_t number = 0, state = 7;
    size_t count = at_once;
    for (double date = 0;;) {
        for (; count > 0 && number < messages; count--) {
            struct send s = {.date = date, .bytes = bytes};
            state = lib_hash_mix(state + 1);
            s.from = (uint32_t)(state % NODES);
            s.to = (uint32_t)((s.from + 1 + (state >> 32) % (NODES - 1)) % NODES);
            c->send(c, number++, s.from, s.to, bytes);
            fwrite(&s, sizeof s, 1, file);
        }
        date = c->next(c);
        if (isinf(date))
            return;
        c->advance(c, date, &count);
    }
}

static void carry(struct machine_carrier *c, const struct send *sends, uint64_t total)
{
    uint64_t sum = 0, at = 0, came = 0;
    const double start = now();
    for (double date; came < total;) {
        size_t count;
        date = at < total ? sends[at].date : c->next(c);
        if (isinf(date))
            break;
        const struct machine_simgrid_done *done = c->advance(c, date, &count);
        for (size_t i = 0; i < count; i++)
            sum += done[i].number * 31 + (uint64_t)(done[i].date * 1e12);
        came += count;
        for (; at < total && sends[at].date == date; at++)
            c->send(c, at, sends[at].from, sends[at].to, sends[at].bytes);
    }
    printf("%.4f us/message, sum %016llx\n", (now() - start) / (double)total * 1e6,
           (unsigned long long)sum);
}

static struct send *read_sends(const char *path, uint64_t *total)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fail("the sends cannot be read");
    *total = (uint64_t)ftell(file) / sizeof(struct send);
    struct send *sends = lib_mem_new((*total + 1) * sizeof *sends);
    rewind(file);
    if (fread(sends, sizeof *sends, *total, file) != *total)
        fail("the sends cannot be read");
    fclose(file);
    return sends;
}

int main(int argc, char **argv)
{
    struct lib_diags diags = {0};
    struct lib_text why = {0};
    struct lib_arena *arena = lib_arena_new();
    if (argc < 4)
        fail("see tests/bench/carrier.c");
    const struct lib_source *source = lib_file_read(arena, argv[2], &diags);
    if (!source)
        fail("the platform cannot be read");
    const struct lib_setting_file file = {"", "", *source};
    struct machine_platform *p = machine_platform_read(&file, NODES, &diags);
    if (!p)
        fail(diags.items[0].text);
    struct machine_carrier *c = strcmp(argv[1], "native") == 0
                                    ? machine_carrier_native(p)
                                    : machine_carrier_simgrid(source, &why);
    if (!c)
        fail(lib_text_get(&why));
    if (strcmp(argv[1], "make") == 0 && argc == 7) {
        FILE *sends = fopen(argv[3], "wb");
        if (!sends)
            fail("the sends cannot be written");
        make_carrier(c, sends, strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10),
                     strtoull(argv[6], NULL, 10));
        return fclose(sends) != 0;
    }
    uint64_t total;
    struct send *sends = read_sends(argv[3], &total);
    carry(c, sends, total);
    lib_mem_free(sends);
    c->free(c);
    machine_platform_free(p);
    lib_arena_free(arena);
    return 0;
}
