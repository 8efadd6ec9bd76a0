#include "lib/scratch_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/text.h"

int lib_scratch_open(int *file)
{
    const char *folder = getenv("TMPDIR");
    LIB_TEXT_OWN path = {0};
    int error = 0;
    lib_text_printf(&path, "%s/hiaton-XXXXXX", folder && *folder ? folder : "/tmp");
    *file = mkstemp(path.bytes);
    if (*file < 0)
        error = errno ? errno : EIO;
    else
        unlink(path.bytes);
    return error;
}

/* Reads or writes. Writing does not change `bytes`. */
static int transfer_bytes(int file, char *bytes, size_t length, size_t at, bool writes)
{
    while (length) {
        const ssize_t done = writes ? pwrite(file, bytes, length, (off_t)at)
                                    : pread(file, bytes, length, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 && errno ? errno : EIO;
        bytes += done;
        at += (size_t)done;
        length -= (size_t)done;
    }
    return 0;
}

int lib_scratch_read(int file, void *bytes, size_t length, size_t at)
{
    return transfer_bytes(file, bytes, length, at, false);
}

int lib_scratch_write(int file, const void *bytes, size_t length, size_t at)
{
    return transfer_bytes(file, (char *)bytes, length, at, true);
}
