#include "lib/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/leftovers.h"
#include "lib/memory.h"

struct input {
    dev_t device;
    ino_t inode;
    char *path;
    const char *what;
};

enum output_state { DECLARED, WRITTEN };

struct output {
    char *path;
    char *option; /* NULL: no option names it */
    enum output_state state;
};

struct lock {
    char *path; /* of the lock file */
    int fd;
    pid_t owner; /* a child has no lock of its parent */
};

/* The files of the process. */
static struct {
    pthread_mutex_t mutex;
    bool is_on;
    LIB_VEC(struct input) inputs;
    LIB_VEC(struct output) outputs;
    LIB_VEC(struct lock) locks;
} guard = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static char *copy_text(const char *text)
{
    const size_t length = strlen(text) + 1;
    return memcpy(lib_mem_new(length), text, length);
}

/* --- which file a path names ------------------------------------------------------------- */

/* A file that exists, or a name in a folder. */
struct identity {
    dev_t device;
    ino_t inode;
    const char *name; /* NULL: the file exists */
};

/* Returns false for what is neither a file nor a folder, and for what cannot exist. */
static bool identify(const char *path, struct identity *identity)
{
    struct stat st;
    if (strcmp(path, "-") == 0)
        return false;
    if (stat(path, &st) == 0) {
        *identity = (struct identity){st.st_dev, st.st_ino, NULL};
        return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
    }
    const char *name = lib_file_name(path);
    LIB_TEXT_OWN folder = {0};
    lib_text_add(&folder, path, (size_t)(name - path));
    if (!folder.length)
        lib_text_puts(&folder, ".");
    if (errno != ENOENT || stat(folder.bytes, &st) != 0)
        return false;
    *identity = (struct identity){st.st_dev, st.st_ino, name};
    return true;
}

static bool are_same(const struct identity *a, const struct identity *b)
{
    return a->device == b->device && a->inode == b->inode && !a->name == !b->name &&
           (!a->name || strcmp(a->name, b->name) == 0);
}

/* Returns the index of the output, or of the declared output, that is a file; or SIZE_MAX. */
static size_t find_output(const struct identity *file, bool is_declared)
{
    struct identity own;
    for (size_t i = 0; i < guard.outputs.count; i++)
        if ((guard.outputs.items[i].option || !is_declared) &&
            identify(guard.outputs.items[i].path, &own) && are_same(&own, file))
            return i;
    return SIZE_MAX;
}

/* Returns the input that is a file, or NULL. An inode whose path leads elsewhere by now may be that
 * of another file. */
static const struct input *find_input(const struct identity *file)
{
    struct identity now;
    for (size_t i = 0; i < guard.inputs.count && !file->name; i++) {
        const struct input *input = &guard.inputs.items[i];
        if (input->device == file->device && input->inode == file->inode &&
            identify(input->path, &now) && are_same(&now, file))
            return input;
    }
    return NULL;
}

/* Whether the option of a declared output may name a database to write. */
static bool is_of_database(const struct output *output)
{
    return output->option && strcmp(output->option, "-o") == 0;
}

static void add_output(const char *option, const char *path, enum output_state state)
{
    /* Copied first: an exit for lack of memory frees what is in the list. */
    const struct output output = {copy_text(path), option ? copy_text(option) : NULL,
                                  state};
    *LIB_VEC_PUSH(&guard.outputs) = output;
}

static void add_input(const struct identity *file, const char *path, const char *what)
{
    const struct input input = {file->device, file->inode, copy_text(path), what};
    *LIB_VEC_PUSH(&guard.inputs) = input;
}

static void add_lock(const char *path, int fd)
{
    const struct lock lock = {copy_text(path), fd, getpid()};
    *LIB_VEC_PUSH(&guard.locks) = lock;
    lib_leftovers_add(path); /* a signal ends the process without release_locks */
}

/* --- inputs and outputs ------------------------------------------------------------------ */

static void release_locks(void);

void lib_guard_start(void)
{
    guard.is_on = true;
    atexit(release_locks);
}

static bool report(struct lib_diags *diags, const char *option, const char *path,
                   const char *what)
{
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s%s%s would overwrite %s",
                   option ? option : "", option ? " " : "", path, what);
    errno = EEXIST;
    return false;
}

/* Begins a check of a path. Returns false if there is nothing to check; else holds the mutex. */
static bool begin_check(const char *path, struct identity *file)
{
    if (!guard.is_on || !identify(path, file))
        return false;
    pthread_mutex_lock(&guard.mutex);
    return true;
}

static bool end_check(bool good)
{
    pthread_mutex_unlock(&guard.mutex);
    return good;
}

bool lib_guard_declare(const char *option, const char *path, struct lib_text *why)
{
    struct identity file;
    if (!begin_check(path, &file))
        return true;
    const size_t at = find_output(&file, false);
    const char *other = at < SIZE_MAX ? guard.outputs.items[at].option : NULL;
    const bool good = !other || strcmp(other, option) == 0;
    if (!good)
        lib_text_printf(why, "%s and %s name the same file", other, option);
    else if (at == SIZE_MAX)
        add_output(option, path, DECLARED);
    return end_check(good);
}

enum read_as { READ_FILE, READ_DATABASE };

static bool check_read(const char *path, const char *what, enum read_as as,
                       struct lib_diags *diags)
{
    struct identity file;
    bool good = true;
    const int error = errno;
    if (!begin_check(path, &file))
        return true;
    if (file.name)
        return end_check(true); /* it does not exist */
    const size_t at = find_output(&file, false);
    const struct output *output = at < SIZE_MAX ? &guard.outputs.items[at] : NULL;
    /* A database that is written may be read before. */
    const bool is_both = output && as == READ_DATABASE && is_of_database(output);
    if (output && output->state == DECLARED && !is_both)
        good = report(diags, output->option, output->path, what);
    else if ((!output || output->state == DECLARED) && !find_input(&file))
        add_input(&file, path, what);
    if (good)
        errno = error;
    return end_check(good);
}

bool lib_guard_read(const char *path, const char *what, struct lib_diags *diags)
{
    return check_read(path, what, READ_FILE, diags);
}

bool lib_guard_read_database(const char *path, struct lib_diags *diags)
{
    return check_read(path, "the database", READ_DATABASE, diags);
}

enum write_as { WRITE_FILE, WRITE_DATABASE };

static bool check_write(const char *path, enum write_as as, struct lib_diags *diags)
{
    struct identity file;
    bool good = true;
    const int error = errno;
    if (!begin_check(path, &file))
        return true;
    const size_t at = find_output(&file, true);
    struct output *output = at < SIZE_MAX ? &guard.outputs.items[at] : NULL;
    const struct input *input = find_input(&file);
    if (input && as == WRITE_DATABASE && strcmp(input->what, "the database") == 0)
        input = NULL; /* it was read to be continued */
    if (input && (!output || output->state == DECLARED))
        good = report(diags, output ? output->option : NULL, path, input->what);
    else if (output && as == WRITE_DATABASE && output->state == DECLARED &&
             !is_of_database(output))
        good = report(diags, output->option, output->path, "the database");
    else if (output)
        output->state = WRITTEN;
    else
        add_output(NULL, path, WRITTEN);
    if (good)
        errno = error;
    return end_check(good);
}

bool lib_guard_write(const char *path, struct lib_diags *diags)
{
    return check_write(path, WRITE_FILE, diags);
}

bool lib_guard_may_write(const char *option, const char *path, struct lib_diags *diags)
{
    struct identity file;
    bool good = true;
    if (!begin_check(path, &file))
        return true;
    const size_t at = find_output(&file, true);
    const char *other = at < SIZE_MAX ? guard.outputs.items[at].option : NULL;
    const struct input *input = find_input(&file);
    if (other && strcmp(other, option) != 0) {
        lib_diag_plain(diags, LIB_DIAG_USAGE, "%s and %s name the same file: %s", other,
                       option, path);
        good = false;
    } else if (input) {
        good = report(diags, option, path, input->what);
    }
    return end_check(good);
}

bool lib_guard_write_database(const char *path, struct lib_diags *diags)
{
    return check_write(path, WRITE_DATABASE, diags);
}

/* --- locks ------------------------------------------------------------------------------- */

static bool lock_open(int fd, long *holder)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN))
        return true;
    *holder = 0;
    if (fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
        *holder = (long)lock.l_pid;
    return false;
}

int lib_guard_open(const char *path, int flags, long *holder)
{
    for (;;) {
        const int fd = open(path, flags | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return -1;
        const bool is_locked = lock_open(fd, holder);
        if (is_locked && lib_file_is_at(fd, path))
            return fd;
        close(fd);
        if (!is_locked)
            return -2;
    }
}

static void write_lock_path(const char *place, struct lib_text *out)
{
    struct stat st;
    const bool is_folder = stat(place, &st) == 0 && S_ISDIR(st.st_mode);
    char *real = realpath(place, NULL);
    lib_text_printf(out, "%s%s", real ? real : place,
                    is_folder ? "/.hiaton.lock" : ".lock");
    free(real);
}

static struct lock *find_lock(const char *path)
{
    for (size_t i = 0; i < guard.locks.count; i++)
        if (lib_file_is_at(guard.locks.items[i].fd, path))
            return &guard.locks.items[i];
    return NULL;
}

/* Opens and locks a lock file. Returns its descriptor; -1 if there can be no lock; -2 if another
 * process has it. */
static int take_lock(const char *path, long *holder)
{
    struct stat st;
    const int fd = lib_guard_open(path, O_RDWR | O_NOFOLLOW, holder);
    if (fd < 0 || (fstat(fd, &st) == 0 && st.st_size == 0))
        return fd;
    close(fd);
    return -1; /* a file of the user, not a lock */
}

bool lib_guard_report(const char *place, long holder, struct lib_diags *diags)
{
    lib_diag_plain(diags, LIB_DIAG_FILE,
                   "cannot write %s: another command (process %ld) is writing it", place,
                   holder);
    return false;
}

/* Locks a place by the lock file `path`. */
static bool lock_by(const char *path, const char *place, struct lib_diags *diags)
{
    long holder = 0;
    int fd = -1;
    pthread_mutex_lock(&guard.mutex);
    if (!find_lock(path)) {
        fd = take_lock(path, &holder);
        if (fd >= 0)
            add_lock(path, fd);
    }
    return end_check(fd != -2 || lib_guard_report(place, holder, diags));
}

bool lib_guard_lock(const char *place, struct lib_diags *diags)
{
    struct stat st;
    LIB_TEXT_OWN path = {0};
    if (!guard.is_on ||
        (stat(place, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
        return true;
    write_lock_path(place, &path);
    return lock_by(path.bytes, place, diags);
}

bool lib_guard_lock_aside(const char *aside, struct lib_diags *diags)
{
    LIB_TEXT_OWN path = {0};
    lib_text_printf(&path, "%s.lock", aside);
    return !guard.is_on || lock_by(path.bytes, aside, diags);
}

static void release_lock(struct lock *lock)
{
    if (lock->owner == getpid()) {
        unlink(lock->path);
        lib_leftovers_forget(lock->path);
    }
    close(lock->fd);
    lib_mem_free(lock->path);
}

void lib_guard_unlock(const char *place)
{
    LIB_TEXT_OWN path = {0};
    if (!guard.is_on)
        return;
    write_lock_path(place, &path);
    pthread_mutex_lock(&guard.mutex);
    struct lock *lock = find_lock(path.bytes);
    if (lock) {
        release_lock(lock);
        *lock = guard.locks.items[--guard.locks.count];
    }
    pthread_mutex_unlock(&guard.mutex);
}

static void release_locks(void)
{
    while (guard.locks.count)
        release_lock(&guard.locks.items[--guard.locks.count]);
    for (size_t i = 0; i < guard.inputs.count; i++)
        lib_mem_free(guard.inputs.items[i].path);
    for (size_t i = 0; i < guard.outputs.count; i++)
        lib_mem_free(guard.outputs.items[i].path),
            lib_mem_free(guard.outputs.items[i].option);
    LIB_VEC_FREE(&guard.locks, &guard.inputs, &guard.outputs);
}
