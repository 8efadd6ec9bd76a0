#include "lib/memory.h"
#include "machine/simgrid/carrier.h"
#include "machine/simgrid/library.h"

#include <signal.h>
#include <unistd.h>

struct carrier {
    struct machine_carrier base;
    const struct machine_simgrid *simgrid;
};

static const struct machine_simgrid *simgrid_of(struct machine_carrier *c)
{
    return ((struct carrier *)c)->simgrid;
}

static void send(struct machine_carrier *c, uint64_t number, uint32_t from, uint32_t to,
                 uint64_t bytes)
{
    simgrid_of(c)->send(number, from, to, bytes);
}

static const struct machine_simgrid_done *advance(struct machine_carrier *c, double date,
                                                  size_t *count)
{
    return simgrid_of(c)->advance(date, count);
}

static double next(struct machine_carrier *c)
{
    return simgrid_of(c)->next();
}

/* SimGrid's own memory cannot be freed. */
static void free_carrier(struct machine_carrier *c)
{
    lib_mem_free(c);
}

/* Handlers that SimGrid replaces by its own, which print its state. */
static const int replaced[] = {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGABRT};
enum { HANDLERS = sizeof replaced / sizeof replaced[0] };

/* Reads the handlers, or sets them again. */
static void keep_handlers(struct sigaction handlers[HANDLERS], bool sets)
{
    for (size_t i = 0; i < HANDLERS; i++)
        sigaction(replaced[i], sets ? &handlers[i] : NULL, sets ? NULL : &handlers[i]);
}

/* Loads a platform. Returns NULL, or the error. The module can then load no other one. */
static const char *load(const struct machine_simgrid *simgrid,
                        const struct lib_source *source)
{
    const char *config[MACHINE_PLATFORM_CONFIG];
    char path[MACHINE_PLATFORM_PATH];
    struct sigaction before[HANDLERS];
    const int file = machine_platform_file(source, path);
    if (file < 0)
        return "the platform cannot be handed to SimGrid";
    machine_platform_config(source, config);
    keep_handlers(before, false);
    const char *wrong = simgrid->load(path, config);
    keep_handlers(before, true);
    close(file);
    return wrong;
}

struct machine_carrier *machine_carrier_simgrid(const struct lib_source *source,
                                                struct lib_text *why)
{
    const struct machine_simgrid *simgrid = machine_simgrid_open(why);
    if (!simgrid)
        return NULL;
    const char *wrong = load(simgrid, source);
    machine_simgrid_close(true);
    if (wrong) {
        lib_text_puts(why, wrong);
        return NULL;
    }
    struct carrier *c = lib_mem_new(sizeof *c);
    *c = (struct carrier){{send, advance, next, NULL, free_carrier}, simgrid};
    return &c->base;
}
