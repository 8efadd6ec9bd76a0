#include "lib/scratch_file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/text.h"

int lib_scratch_open(int *file)
{
    const char *folder = getenv("TMPDIR");
    struct lib_text path = {0};
    int error = 0;
    lib_text_printf(&path, "%s/hiaton-XXXXXX", folder && *folder ? folder : "/tmp");
    *file = mkstemp(path.bytes);
    if (*file < 0)
        error = errno ? errno : EIO;
    else
        unlink(path.bytes);
    lib_text_free(&path);
    return error;
}

int lib_scratch_read(int file, void *bytes, size_t length, size_t at)
{
    char *next = bytes;
    while (length) {
        const ssize_t done = pread(file, next, length, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 && errno ? errno : EIO;
        next += done;
        at += (size_t)done;
        length -= (size_t)done;
    }
    return 0;
}

int lib_scratch_write(int file, const void *bytes, size_t length, size_t at)
{
    const char *next = bytes;
    while (length) {
        const ssize_t done = pwrite(file, next, length, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 && errno ? errno : EIO;
        next += done;
        at += (size_t)done;
        length -= (size_t)done;
    }
    return 0;
}
