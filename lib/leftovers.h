/* Temporary files and folders, and processes, that are not to outlive this process. The names are
 * kept in static memory, so that a handler of signals can remove them all. A process that no
 * handler ends removes its files itself.
 *
 * All functions may be called from any thread. What does not fit into the list is not removed. */
#ifndef LIB_LEFTOVERS_H
#define LIB_LEFTOVERS_H

#include <signal.h>
#include <sys/types.h>

/* Makes a folder by mkdtemp and keeps its name. Returns false and sets errno on failure. */
_Bool lib_leftovers_make_folder(char *template);

/* Keeps the name of a file or folder that is to be removed with all that it contains. */
void lib_leftovers_add(const char *path);

/* Forgets a name: the file was removed, renamed or is to stay. */
void lib_leftovers_forget(const char *path);

/* Keeps a child process that is to be killed; forgets it. */
void lib_leftovers_add_child(pid_t child);
void lib_leftovers_forget_child(pid_t child);

/* Forgets all names and processes: those of the parent, in a process that was forked. */
void lib_leftovers_clear(void);

/* Kills the child processes and removes the files. For handlers of signals: it uses system calls
 * alone. */
void lib_leftovers_remove(void);

/* Blocks the signals for which handlers remove what is left, so that a file and its name come
 * together. `before`: the mask to set again. */
void lib_leftovers_hold(sigset_t *before);

#endif
