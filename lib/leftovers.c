#include "lib/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_NAMES = 64, MAX_CHILDREN = 64, MAX_DEPTH = 16 };

/* States of a place in the list. */
enum { UNUSED, WRITING, KEPT };

static struct {
    int state;
    char path[PATH_MAX];
} names[MAX_NAMES];

static pid_t children[MAX_CHILDREN];

void lib_leftovers_hold(sigset_t *before)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1};
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaddset(&held, signals[i]);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

/* --- the list --------------------------------------------------------------------------------- */

/* Writes a path from the root. Returns its length with the 0; 0 if it is too long. */
static size_t write_absolute(const char *path, char absolute[PATH_MAX])
{
    const size_t length = strlen(path) + 1;
    size_t before = 0;
    if (path[0] != '/' && getcwd(absolute, PATH_MAX)) {
        before = strlen(absolute);
        absolute[before++] = '/';
    }
    if (before + length > PATH_MAX)
        return 0;
    memcpy(absolute + before, path, length);
    return before + length;
}

void lib_leftovers_add(const char *path)
{
    char absolute[PATH_MAX];
    const size_t length = write_absolute(path, absolute);
    for (size_t i = 0; i < MAX_NAMES && length; i++) {
        int unused = UNUSED;
        if (!__atomic_compare_exchange_n(&names[i].state, &unused, WRITING, false,
                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        memcpy(names[i].path, absolute, length);
        __atomic_store_n(&names[i].state, KEPT, __ATOMIC_RELEASE);
        return;
    }
}

void lib_leftovers_forget(const char *path)
{
    char absolute[PATH_MAX];
    const size_t length = write_absolute(path, absolute);
    for (size_t i = MAX_NAMES; i-- > 0 && length;)
        if (__atomic_load_n(&names[i].state, __ATOMIC_ACQUIRE) == KEPT &&
            strcmp(names[i].path, absolute) == 0) {
            __atomic_store_n(&names[i].state, UNUSED, __ATOMIC_RELEASE);
            return;
        }
}

bool lib_leftovers_make_folder(char *template)
{
    sigset_t before;
    lib_leftovers_hold(&before);
    const bool made = mkdtemp(template) != NULL;
    const int error = errno;
    if (made)
        lib_leftovers_add(template);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return made;
}

void lib_leftovers_add_child(pid_t child)
{
    for (size_t i = 0; i < MAX_CHILDREN; i++) {
        pid_t none = 0;
        if (__atomic_compare_exchange_n(&children[i], &none, child, false,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
            return;
    }
}

void lib_leftovers_forget_child(pid_t child)
{
    for (size_t i = 0; i < MAX_CHILDREN; i++) {
        pid_t wanted = child;
        if (__atomic_compare_exchange_n(&children[i], &wanted, 0, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
            return;
    }
}

void lib_leftovers_clear(void)
{
    for (size_t i = 0; i < MAX_NAMES; i++)
        __atomic_store_n(&names[i].state, UNUSED, __ATOMIC_RELEASE);
    for (size_t i = 0; i < MAX_CHILDREN; i++)
        __atomic_store_n(&children[i], 0, __ATOMIC_RELEASE);
}

/* --- removing --------------------------------------------------------------------------------- */

struct entry { /* of getdents64(2) */
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

/* Removes a file, or a folder with all that it contains. Allocates nothing, as opendir does. */
static void remove_at(int folder, const char *name, int depth)
{
    if (unlinkat(folder, name, 0) == 0 || depth == MAX_DEPTH)
        return;
    const int own = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (own < 0)
        return;
    _Alignas(struct entry) char block[2048];
    long length;
    while ((length = syscall(SYS_getdents64, own, block, sizeof block)) > 0)
        for (long at = 0; at < length;) {
            const struct entry *entry = (const struct entry *)(block + at);
            at += entry->length;
            if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0)
                remove_at(own, entry->name, depth + 1);
        }
    close(own);
    unlinkat(folder, name, AT_REMOVEDIR);
}

void lib_leftovers_remove(void)
{
    for (size_t i = 0; i < MAX_CHILDREN; i++) {
        const pid_t child = __atomic_load_n(&children[i], __ATOMIC_ACQUIRE);
        if (child > 0 && kill(child, SIGKILL) == 0)
            waitpid(child, NULL, 0);
    }
    for (size_t i = MAX_NAMES; i-- > 0;)
        if (__atomic_load_n(&names[i].state, __ATOMIC_ACQUIRE) == KEPT)
            remove_at(AT_FDCWD, names[i].path, 0);
}
