/* Files are written whole or not at all: whatever the disk says, however little it takes
 * at a time, and whatever signal comes meanwhile. The system calls are the test's own. */
#include "lib/file.h"
#include "tests/unit/main.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- a disk with moods -------------------------------------------------------------- */

static struct disk {
    size_t most;  /* bytes that a call of write takes; 0: all */
    size_t room;  /* bytes until the disk is full, */
    int full;     /* which is this error; 0: never */
    int closing;  /* the error of close; 0: none */
    int renaming; /* the error of rename; 0: none */
    int signals;  /* SIGTERM comes before: 1 the first write, 2 rename */
    bool interrupted;
    unsigned writes;
} disk;

ssize_t write(int fd, const void *bytes, size_t length)
{
    if (fd <= STDERR_FILENO)
        return syscall(SYS_write, fd, bytes, length);
    if (disk.signals == 1 && disk.writes == 0)
        raise(SIGTERM);
    if (disk.interrupted && disk.writes++ % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    disk.writes++;
    if (disk.most && length > disk.most)
        length = disk.most;
    if (disk.full && length > disk.room)
        length = disk.room;
    if (disk.full && length == 0) {
        errno = disk.full;
        return -1;
    }
    disk.room -= disk.full ? length : 0;
    return syscall(SYS_write, fd, bytes, length);
}

int close(int fd)
{
    int closed = (int)syscall(SYS_close, fd);
    if (!disk.closing || fd <= STDERR_FILENO)
        return closed;
    errno = disk.closing;
    return -1;
}

int rename(const char *from, const char *to)
{
    if (disk.signals == 2)
        raise(SIGTERM);
    if (!disk.renaming)
        return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = disk.renaming;
    return -1;
}

/* --- checks ------------------------------------------------------------------------- */

static const char text[] = "what stands in the file, in some words\n", old[] = "old\n";

/* In a new folder, with a file `there`. */
static void make_folder(void)
{
    char folder[] = "/tmp/unit_file.XXXXXX";
    struct lib_diags diags = {0};
    disk = (struct disk){0};
    ck_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    ck_assert(lib_file_write("there", old, strlen(old), &diags));
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *folder = opendir(".");
    ck_assert(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void holds(const char *path, const char *expected)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    disk = (struct disk){0};
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    ck_assert_msg(source != NULL, "there is no %s", path);
    ck_assert_str_eq(source->bytes, expected);
    lib_arena_free(arena);
}

static void remove_folder(void)
{
    char *folder = getcwd(NULL, 0);
    ck_assert(folder != NULL);
    unlink("there");
    unlink("new");
    ck_assert(chdir("/") == 0);
    ck_assert_msg(rmdir(folder) == 0, "something was left in %s", folder);
    free(folder);
}

/* Both a new file and one that is there are written. */
static void succeeds(struct disk how)
{
    const char *const names[] = {"there", "new"};
    make_folder();
    for (int i = 0; i < 2; i++) {
        struct lib_diags diags = {0};
        disk = how;
        ck_assert(lib_file_write(names[i], text, strlen(text), &diags));
        ck_assert_uint_eq(diags.count, 0);
        holds(names[i], text);
    }
    ck_assert_uint_eq(count_files(), 2);
    remove_folder();
}

/* Neither is touched, and it is said why. */
static void fails(struct disk how, int error)
{
    const char *const names[] = {"there", "new"};
    make_folder();
    for (int i = 0; i < 2; i++) {
        struct lib_diags diags = {0};
        char expected[128];
        disk = how;
        ck_assert(!lib_file_write(names[i], text, strlen(text), &diags));
        ck_assert_int_eq(errno, error);
        ck_assert_uint_eq(diags.errors, 1);
        snprintf(expected, sizeof expected, "cannot write %s: %s", names[i],
                 strerror(error));
        ck_assert_str_eq(diags.items[0].text, expected);
        lib_diags_free(&diags);
    }
    holds("there", old);
    ck_assert_uint_eq(count_files(), 1);
    remove_folder();
}

START_TEST(written_in_pieces)
{
    succeeds((struct disk){0});
    succeeds((struct disk){.most = 1});
    succeeds((struct disk){.most = 7, .interrupted = true});
    succeeds((struct disk){.full = ENOSPC, .room = strlen(text)});
}
END_TEST

START_TEST(the_disk_is_full)
{
    for (size_t room = 0; room < strlen(text); room++)
        fails((struct disk){.full = ENOSPC, .room = room}, ENOSPC);
    fails((struct disk){.full = EFBIG, .room = 3}, EFBIG);
    fails((struct disk){.full = EIO}, EIO);
    fails((struct disk){.closing = EDQUOT}, EDQUOT);
    fails((struct disk){.renaming = EXDEV}, EXDEV);
}
END_TEST

START_TEST(a_signal_comes)
{
    for (int when = 1; when <= 2; when++) {
        int status;
        make_folder();
        pid_t child = fork();
        if (child == 0) {
            struct lib_diags diags = {0};
            signal(SIGTERM, SIG_DFL);
            disk = (struct disk){.signals = when};
            lib_file_write("there", text, strlen(text), &diags);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        holds("there", text);
        ck_assert_uint_eq(count_files(), 1);
        remove_folder();
    }
}
END_TEST

START_TEST(what_a_file_is)
{
    struct lib_diags diags = {0};
    struct stat st;
    make_folder();
    mode_t mask = umask(027);
    ck_assert(lib_file_write("new", text, strlen(text), &diags));
    ck_assert(stat("new", &st) == 0 && (st.st_mode & 0777) == 0640);
    ck_assert(umask(mask) == 027);
    ck_assert(lib_file_write("new", text, 0, &diags));
    holds("new", "");
    ck_assert(lib_file_write("/dev/null", text, strlen(text), &diags));
    ck_assert(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
    ck_assert_uint_eq(diags.count, 0);
    ck_assert(!lib_file_write("none/new", text, strlen(text), &diags));
    ck_assert(!lib_file_write(".", text, strlen(text), &diags));
    ck_assert_uint_eq(diags.errors, 2);
    lib_diags_free(&diags);
    remove_folder();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("file");
    tcase_add_test(tcase, written_in_pieces);
    tcase_add_test(tcase, the_disk_is_full);
    tcase_add_test(tcase, a_signal_comes);
    tcase_add_test(tcase, what_a_file_is);
    return test_main("file", tcase);
}
