#include "machine/simgrid/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copies of SimGrid that this process has opened. `fresh` has no platform yet; `has_loaded`:
 * another copy has one. `lock` is held from machine_simgrid_open to machine_simgrid_close,
 * because two threads may each load a platform. */
static struct {
    pthread_mutex_t lock;
    const struct machine_simgrid *fresh;
    bool has_loaded;
} opened = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- where the module is ---------------------------------------------------------------------- */

/* Finds the folder of this program, where the module is before installation. */
static bool own_folder(struct lib_text *path)
{
    char own[4096];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return false;
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    if (!slash)
        return false;
    lib_text_add(path, own, (size_t)(slash - own));
    return true;
}

static bool is_there(struct lib_text *path)
{
    lib_text_puts(path, "/" MACHINE_SIMGRID_MODULE);
    return access(lib_text_get(path), R_OK) == 0;
}

/* HIATON_MODULES is for tests, which are in another folder than the module. */
static bool find(struct lib_text *path)
{
    const char *said = getenv("HIATON_MODULES");
    if (said) {
        lib_text_puts(path, said);
        return is_there(path);
    }
    if (own_folder(path) && is_there(path))
        return true;
    lib_text_clear(path);
    lib_text_puts(path, HIATON_MODULES);
    return is_there(path);
}

/* --- opening ---------------------------------------------------------------------------------- */

/* Opens a separate copy of the module, because SimGrid keeps its state in variables. */
static void *open_module(const char *path)
{
    return opened.has_loaded ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL)
                             : dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static const struct machine_simgrid *open_at(const char *path, struct lib_text *why)
{
    machine_simgrid_plugin *plugin = NULL;
    void *module = open_module(path);
    void *symbol = module ? dlsym(module, MACHINE_SIMGRID_SYMBOL) : NULL;
    if (!symbol) {
        lib_text_printf(why, "SimGrid's module cannot be opened: %s", dlerror());
        return NULL;
    }
    memcpy(&plugin, &symbol, sizeof plugin);
    const struct machine_simgrid *simgrid = plugin(MACHINE_SIMGRID_VERSION);
    if (!simgrid)
        lib_text_printf(why, "%s is of another hiaton", path);
    return simgrid;
}

const struct machine_simgrid *machine_simgrid_open(struct lib_text *why)
{
    LIB_TEXT_OWN path = {0};
    pthread_mutex_lock(&opened.lock);
    if (!opened.fresh && find(&path))
        opened.fresh = open_at(lib_text_get(&path), why);
    else if (!opened.fresh)
        lib_text_printf(why,
                        "this hiaton was built without SimGrid (Debian package "
                        "libsimgrid-dev), or its module is not installed: there is no %s",
                        lib_text_get(&path));
    if (!opened.fresh)
        pthread_mutex_unlock(&opened.lock);
    return opened.fresh;
}

void machine_simgrid_close(bool has_platform)
{
    if (has_platform) {
        opened.fresh = NULL;
        opened.has_loaded = true;
    }
    pthread_mutex_unlock(&opened.lock);
}

bool machine_simgrid_has_loaded(void)
{
    pthread_mutex_lock(&opened.lock);
    const bool has = opened.has_loaded;
    pthread_mutex_unlock(&opened.lock);
    return has;
}
