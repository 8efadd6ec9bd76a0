/* Files of the running command: those that it reads, and those that it writes. A file that is read
 * is not written, two outputs are not one file, and two commands do not write one place at once.
 *
 * Files are compared by device and inode, so that other paths, symbolic and hard links are the same
 * file. Only regular files and folders count. Everything here is off until lib_guard_start, which
 * the command line calls once: a host of the library may read and write what it wants. */
#ifndef LIB_GUARD_H
#define LIB_GUARD_H

#include "lib/diag.h"

void lib_guard_start(void);

/* Declares the value of an option, such as "--csv", as an output, before anything is read. Returns
 * false and adds the reason to `why` if it is also the value of another output option. */
bool lib_guard_declare(const char *option, const char *path, struct lib_text *why);

/* Registers a file that is read as an input; `what` is its name in messages: "the program". Returns
 * false and adds a diagnostic if it is declared as an output. A file that the command itself has
 * written is not an input. */
bool lib_guard_read(const char *path, const char *what, struct lib_diags *diags);

/* Registers a file that is written. Returns false and adds a diagnostic if it is an input. */
bool lib_guard_write(const char *path, struct lib_diags *diags);

/* Whether a file that an option makes under a name of its own, such as a table in the folder of
 * --outputs, may be written later. Returns false and adds a diagnostic if it is an input or the
 * value of another option. Does not register it. */
bool lib_guard_may_write(const char *option, const char *path, struct lib_diags *diags);

/* Registers a database: one that is read, or the one that is written, which is the value of
 * -o if that is given. Return false and add a diagnostic as above, or if the value of
 * another option is the database that is written. */
bool lib_guard_read_database(const char *path, struct lib_diags *diags);
bool lib_guard_write_database(const char *path, struct lib_diags *diags);

/* Locks a place until the process ends, so that no other command writes there: a folder by its file
 * .hiaton.lock, another file by PATH.lock. Returns false and adds a diagnostic if another command
 * has the lock. The system removes the lock of a process that ends in any way; a lock file that
 * such a process left is used again. Where no lock can be made, such as on a file system without
 * locks, returns true. */
bool lib_guard_lock(const char *place, struct lib_diags *diags);

/* Like lib_guard_lock, by PATH.lock even if PATH is a folder: one that is removed and made anew. */
bool lib_guard_lock_aside(const char *aside, struct lib_diags *diags);

/* Releases the lock of a place, if this process has it. */
void lib_guard_unlock(const char *place);

/* Opens and locks a file that others may remove or rename in between, making it if it is missing.
 * `flags` are those of open(2). Returns its descriptor; -1, with errno, if it cannot be opened; -2
 * if another process has the lock, and sets *holder to that process. Where no lock can be made, the
 * file is opened. The lock ends when the process closes any descriptor of the file. */
int lib_guard_open(const char *path, int flags, long *holder);

/* Adds the diagnostic that another process is writing a place. Returns false. */
bool lib_guard_report(const char *place, long holder, struct lib_diags *diags);

#endif
