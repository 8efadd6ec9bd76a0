#include "lib/file.h"

#include "lib/guard.h"
#include "lib/leftovers.h"
#include "lib/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { FILES_MAX = 4096 };

/* Numbers of devices: major of /dev/null, /dev/zero and others, minor of /dev/null. */
enum { MEMORY_DEVICES = 1, NULL_DEVICE = 3 };

static char *folder_of(struct lib_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return lib_arena_copy(arena, path, slash ? (size_t)(slash - path) : 0);
}

struct names {
    const char **items;
    size_t count, capacity;
};

static const char *name_at(size_t i, const void *context)
{
    return ((const struct names *)context)->items[i];
}

static int in_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the files in a folder, sorted, so that advice does not depend on the host. */
static struct names files_in(struct lib_arena *arena, const char *folder)
{
    struct names names = {0};
    DIR *open = opendir(*folder ? folder : ".");
    const struct dirent *entry;
    while (open && names.count < FILES_MAX && (entry = readdir(open)))
        if (entry->d_name[0] != '.')
            *LIB_VEC_PUSH(&names) = lib_arena_copy(arena, entry->d_name,
                                                   strlen(entry->d_name));
    if (open)
        closedir(open);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, in_order);
    return names;
}

/* Returns the first name that is `wrong` with a suffix, else the most similar name. */
static const char *nearest_file(const struct names *names, const char *wrong)
{
    const size_t length = strlen(wrong);
    for (size_t i = 0; i < names->count; i++)
        if (strncmp(names->items[i], wrong, length) == 0 &&
            names->items[i][length] == '.')
            return names->items[i];
    return lib_text_nearest(wrong, names->count, name_at, names);
}

void lib_file_hint(struct lib_text *text, const char *path, bool is_read)
{
    const int error = errno;
    struct stat st;
    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode))
            lib_text_puts(text, "; it is a folder");
        errno = error;
        return;
    }
    if (is_read && lstat(path, &st) == 0) {
        lib_text_puts(text, "; it is a link to a file that does not exist");
        errno = error;
        return;
    }
    struct lib_arena *arena = lib_arena_new();
    const char *folder = folder_of(arena, path), *name = lib_file_name(path);
    if (*folder && access(folder, F_OK) != 0) {
        lib_text_printf(text, "; the folder `%s` does not exist", folder);
    } else if (is_read) {
        struct names names = files_in(arena, folder);
        const char *near = *name ? nearest_file(&names, name) : NULL;
        if (near)
            lib_text_printf(text, "; did you mean `%s%s%s`?", folder, *folder ? "/" : "",
                            near);
        LIB_VEC_FREE(&names);
    }
    lib_arena_free(arena);
    errno = error;
}

static void report_failure(struct lib_diags *diags, const char *verb, const char *path,
                           bool is_read)
{
    const int error = errno;
    struct lib_text text = {0};
    lib_text_printf(&text, "cannot %s %s: %s", verb, path, strerror(error));
    if (error == ENOENT)
        lib_file_hint(&text, path, is_read);
    lib_diag_plain(diags, is_read ? LIB_DIAG_FILE : lib_file_write_code(error), "%s",
                   text.bytes);
    lib_text_free(&text);
    errno = error;
}

/* --- standard input --------------------------------------------------------------------------- */

/* Whether two files are one pipe, socket or terminal. */
static bool are_one_stream(const struct stat *a, const struct stat *b)
{
    const bool is_stream = S_ISFIFO(a->st_mode) || S_ISSOCK(a->st_mode) ||
                           (S_ISCHR(a->st_mode) && major(a->st_rdev) != MEMORY_DEVICES);
    return is_stream && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_standard_input(const char *path)
{
    struct stat named, input;
    return strcmp(path, "-") == 0 ||
           (stat(path, &named) == 0 && fstat(STDIN_FILENO, &input) == 0 &&
            are_one_stream(&named, &input));
}

bool lib_file_is_one_stream(const char *path, const char *other)
{
    struct stat a, b;
    if (is_standard_input(path) && is_standard_input(other))
        return true;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && are_one_stream(&a, &b);
}

bool lib_file_claim_input(const char *path, struct lib_diags *diags)
{
    static atomic_bool is_claimed; /* standard input is a resource of the process */
    if (!is_standard_input(path) || !atomic_exchange(&is_claimed, true))
        return true;
    lib_diag_plain(diags, LIB_DIAG_USAGE,
                   "standard input (`%s`) is read twice: expected one file that is `-`",
                   path);
    return false;
}

/* --- reading ---------------------------------------------------------------------------------- */

static const struct lib_source *fail_read(struct lib_diags *diags, const char *path)
{
    report_failure(diags, "read", path, true);
    return NULL;
}

const struct lib_source *lib_file_read(struct lib_arena *arena, const char *path,
                                       struct lib_diags *diags)
{
    return lib_file_read_most(arena, path, SIZE_MAX, diags);
}

const struct lib_source *lib_file_read_as(struct lib_arena *arena, const char *path,
                                          const char *what, struct lib_diags *diags)
{
    return lib_guard_read(path, what, diags) ? lib_file_read(arena, path, diags) : NULL;
}

/* Whether a file is a device such as /dev/zero, which would fill all memory. */
static bool is_endless(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) &&
           major(st.st_rdev) == MEMORY_DEVICES && minor(st.st_rdev) != NULL_DEVICE;
}

static const struct lib_source *fail_endless(struct lib_diags *diags, const char *path)
{
    lib_diag_plain(diags, LIB_DIAG_FILE, "cannot read %s: the device has no end", path);
    return NULL;
}

static const struct lib_source *fail_length(struct lib_diags *diags, const char *path,
                                            size_t most)
{
    lib_diag_plain(diags, LIB_DIAG_LIMIT, "%s is too long: expected at most %zu bytes",
                   path, most);
    return NULL;
}

const struct lib_source *lib_file_read_most(struct lib_arena *arena, const char *path,
                                            size_t most, struct lib_diags *diags)
{
    bool standard_input = strcmp(path, "-") == 0;
    if (!lib_guard_read(path, "an input", diags) || !lib_file_claim_input(path, diags))
        return NULL;
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_read(diags, path);
    if (most == SIZE_MAX && is_endless(fd)) {
        if (!standard_input)
            close(fd);
        return fail_endless(diags, path);
    }
    struct lib_text text = {0};
    char chunk[65536];
    ssize_t got = 1;
    while (text.length <= most && (got = read(fd, chunk, sizeof chunk)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        lib_text_add(&text, chunk, (size_t)got);
    }
    int error = errno;
    if (!standard_input)
        close(fd);
    struct lib_source *source = NULL;
    if (text.length > most) {
        lib_text_free(&text);
        return fail_length(diags, path, most);
    }
    if (got == 0) {
        source = LIB_ARENA_NEW(arena, struct lib_source);
        const char *name = standard_input ? "<stdin>" : path;
        source->name = lib_arena_copy(arena, name, strlen(name));
        source->bytes = lib_arena_copy(arena, lib_text_get(&text), text.length);
        source->length = text.length;
    }
    lib_text_free(&text);
    errno = error;
    return source ? source : fail_read(diags, path);
}

bool lib_file_is_at(int fd, const char *path)
{
    struct stat own, there;
    return fstat(fd, &own) == 0 && stat(path, &there) == 0 &&
           own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

const char *lib_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *lib_file_stem(struct lib_arena *arena, const char *path, size_t folders)
{
    const char *name = lib_file_name(path);
    const char *dot = strrchr(name, '.');
    const char *end = dot && dot > name ? dot : name + strlen(name);
    for (; folders > 0 && name > path; folders--)
        for (name--; name > path && name[-1] != '/';)
            name--;
    return lib_arena_copy(arena, name, (size_t)(end - name));
}

bool lib_file_write_all(int fd, const void *bytes, size_t length)
{
    const char *left = bytes;
    while (length > 0) {
        const ssize_t put = write(fd, left, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        left += put;
        length -= (size_t)put;
    }
    return true;
}

/* Returns the mode of a new file: 0666 without the bits of the process's umask. */
static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool write_open(int fd, const void *bytes, size_t length)
{
    const bool ok = fd >= 0 && lib_file_write_all(fd, bytes, length);
    return fd >= 0 && close(fd) == 0 && ok;
}

static bool write_aside(const char *path, const void *bytes, size_t length)
{
    struct lib_text aside = {0};
    sigset_t before;
    lib_text_printf(&aside, "%s.XXXXXX", path);
    lib_leftovers_hold(&before); /* they would leave the temporary file behind */
    int fd = mkstemp(aside.bytes);
    bool ok = fd >= 0;
    if (ok) {
        ok = lib_file_write_all(fd, bytes, length) && fchmod(fd, default_mode()) == 0;
        ok = close(fd) == 0 && ok && rename(aside.bytes, path) == 0;
        int error = errno;
        if (!ok)
            unlink(aside.bytes);
        errno = error;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    lib_text_free(&aside);
    return ok;
}

int lib_file_standard_output(const char *path)
{
    struct stat st, own;
    if (fstat(STDOUT_FILENO, &own) != 0 || !S_ISREG(own.st_mode) ||
        stat(path, &st) != 0 || st.st_dev != own.st_dev || st.st_ino != own.st_ino)
        return -1;
    fflush(NULL);
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

bool lib_file_write(const char *path, const void *bytes, size_t length,
                    struct lib_diags *diags)
{
    struct stat st;
    char real[PATH_MAX];
    if (!lib_guard_write(path, diags))
        return false;
    /* for example /dev/null or a pipe */
    bool device = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    const int output = device ? -1 : lib_file_standard_output(path);
    bool ok = output >= 0 ? write_open(output, bytes, length)
              : device    ? write_open(open(path, O_WRONLY | O_CLOEXEC), bytes, length)
                       : write_aside(realpath(path, real) ? real : path, bytes, length);
    if (!ok)
        report_failure(diags, "write", path, false);
    return ok;
}

enum lib_fault lib_file_fault(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case EPIPE: /* the reader of a pipe has ended */
    case EMFILE:
    case ENFILE:
    case ENOMEM:
        return LIB_FAULT_HOST;
    default:
        return LIB_FAULT_INPUT;
    }
}

enum lib_diag_code lib_file_write_code(int error)
{
    return lib_file_fault(error) == LIB_FAULT_HOST ? LIB_DIAG_HOST : LIB_DIAG_FILE;
}
