#include "lib/atomic_file.h"

#include "lib/file.h"
#include "lib/guard.h"
#include "lib/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS_OPEN = 16 };

static void cannot_write(const struct lib_atomic_file *a, int error,
                         struct lib_diags *diags)
{
    LIB_TEXT_OWN hint = {0};
    if (error == ENOENT)
        lib_file_hint(&hint, a->path.bytes, false);
    lib_diag_plain(diags, lib_file_write_code(error), "cannot write %s: %s%s",
                   a->path.bytes, strerror(error), lib_text_get(&hint));
}

/* Whether `path` exists but is not a regular file (or folder, if is_folder). */
static bool is_other(const char *path, bool is_folder)
{
    struct stat st;
    return stat(path, &st) == 0 &&
           (is_folder ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode));
}

static void start_file(struct lib_atomic_file *a, const char *path)
{
    char real[PATH_MAX];
    *a = (struct lib_atomic_file){0};
    lib_text_puts(&a->path, path);
    lib_text_puts(&a->place, realpath(path, real) ? real : path);
    lib_text_printf(&a->aside, "%s.part", a->place.bytes);
}

/* Opens and locks PATH.part, which another command may rename in between. */
static bool open_aside(struct lib_atomic_file *a, struct lib_diags *diags)
{
    long holder;
    const int fd = lib_guard_open(a->aside.bytes, O_WRONLY, &holder);
    if (fd == -2) {
        lib_text_clear(&a->aside); /* it is not ours */
        return lib_guard_report(a->path.bytes, holder, diags);
    }
    if (fd >= 0 && ftruncate(fd, 0) == 0)
        a->file = fdopen(fd, "wb");
    if (a->file) {
        lib_leftovers_add(a->aside.bytes);
    } else {
        cannot_write(a, errno, diags);
        if (fd >= 0)
            close(fd);
    }
    return a->file != NULL;
}

bool lib_atomic_file_open(struct lib_atomic_file *a, const char *path,
                          struct lib_diags *diags)
{
    start_file(a, path);
    const int output = lib_file_standard_output(path);
    if (is_other(path, false) || output >= 0)
        lib_text_clear(&a->aside);
    if (!lib_guard_write(path, diags) ||
        (a->aside.length && !lib_guard_write(a->aside.bytes, diags))) {
        lib_text_clear(&a->aside);
        if (output >= 0)
            close(output);
        return false;
    }
    if (a->aside.length)
        return open_aside(a, diags);
    a->file = output >= 0 ? fdopen(output, "wb") : fopen(path, "wbe");
    if (!a->file)
        cannot_write(a, errno, diags);
    return a->file != NULL;
}

void lib_atomic_file_stream(struct lib_atomic_file *a, FILE *stream, const char *name)
{
    *a = (struct lib_atomic_file){.file = stream};
    lib_text_puts(&a->path, name);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static void remove_all(const char *path)
{
    nftw(path, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}

static bool is_full(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count > 2; /* besides . and .. */
}

bool lib_atomic_file_name(struct lib_atomic_file *a, const char *path, bool is_folder,
                          struct lib_diags *diags)
{
    start_file(a, path);
    if (is_other(path, is_folder)) {
        lib_diag_plain(diags, LIB_DIAG_FILE, "cannot write %s: it is there, and is no %s",
                       path, is_folder ? "folder" : "regular file");
        lib_text_clear(&a->aside);
        return false;
    }
    if (is_folder && is_full(path)) {
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "cannot write %s: the folder is there, and is not empty", path);
        lib_text_clear(&a->aside);
        return false;
    }
    if (!lib_guard_write(path, diags) || !lib_guard_write(a->aside.bytes, diags) ||
        !lib_guard_lock_aside(a->aside.bytes, diags)) {
        lib_text_clear(&a->aside);
        return false;
    }
    remove_all(a->aside.bytes);
    lib_leftovers_add(a->aside.bytes);
    return true;
}

void lib_atomic_file_keep(struct lib_atomic_file *a)
{
    if (a->aside.length)
        lib_leftovers_forget(a->aside.bytes);
}

void lib_atomic_file_put(struct lib_atomic_file *a, const void *bytes, size_t length)
{
    if (a->error == 0 && fwrite(bytes, 1, length, a->file) != length)
        a->error = errno ? errno : EIO;
}

void lib_atomic_file_flush(struct lib_atomic_file *a)
{
    if (a->error == 0 && fflush(a->file) != 0)
        a->error = errno;
}

static void free_names(struct lib_atomic_file *a)
{
    if (a->aside.length)
        lib_leftovers_forget(a->aside.bytes);
    LIB_TEXT_FREE(&a->path, &a->place, &a->aside);
    *a = (struct lib_atomic_file){0};
}

bool lib_atomic_file_finish(struct lib_atomic_file *a, struct lib_diags *diags)
{
    if (a->file)
        lib_atomic_file_flush(a);
    if (a->error == 0 && a->aside.length && rename(a->aside.bytes, a->place.bytes) != 0)
        a->error = errno;
    /* Closing ends the lock of PATH.part. */
    if (a->file && fclose(a->file) != 0 && a->error == 0)
        a->error = errno;
    a->file = NULL;
    const int error = a->error;
    if (error) {
        cannot_write(a, error, diags);
        lib_atomic_file_abandon(a);
    }
    free_names(a);
    return error == 0;
}

void lib_atomic_file_leave(struct lib_atomic_file *a)
{
    if (a->file)
        fclose(a->file);
    free_names(a);
}

void lib_atomic_file_abandon(struct lib_atomic_file *a)
{
    if (a->aside.length)
        remove_all(a->aside.bytes);
    if (a->file)
        fclose(a->file);
    free_names(a);
}
