#include "lib/tool.h"

#include "lib/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs in the child process. */
static _Noreturn void become(const struct lib_tool *tool)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int input = tool->input >= 0 ? tool->input : open("/dev/null", O_RDWR);
    const int output = tool->output >= 0 ? tool->output : STDERR_FILENO;
    bool good = (!tool->folder || chdir(tool->folder) == 0) && input >= 0 &&
                dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
                setenv("LC_ALL", "C.UTF-8", 1) == 0 && setenv("TZ", "UTC0", 1) == 0;
    for (const char *const *name = tool->unset; good && *name; name++)
        good = unsetenv(*name) == 0;
    if (good)
        execvp(tool->words[0], (char *const *)tool->words);
    _exit(good && errno == ENOENT ? LIB_TOOL_NOT_FOUND : 126);
}

int lib_tool_run(const struct lib_tool *tool)
{
    int status;
    sigset_t before;
    fflush(stderr);
    lib_leftovers_hold(&before);
    pid_t child = fork();
    if (child > 0)
        lib_leftovers_add_child(child);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child == 0)
        become(tool);
    if (child < 0)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    lib_leftovers_forget_child(child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void lib_tool_forget_time(char *pdf, size_t length)
{
    static const char key[] = "/CreationDate (D:", then[] = "19700101000000";
    char *date = memmem(pdf, length, key, strlen(key));
    if (date && (size_t)(pdf + length - date) > strlen(key) + strlen(then))
        memcpy(date + strlen(key), then, strlen(then));
}
