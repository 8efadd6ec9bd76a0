#include "sim/outputs/graphviz.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/tool.h"

static bool put_all(int fd, const struct lib_text *text)
{
    size_t done = 0;
    while (done < text->length) {
        ssize_t put = write(fd, text->bytes + done, text->length - done);
        if (put < 0 && errno != EINTR)
            return false;
        done += put > 0 ? (size_t)put : 0;
    }
    return lseek(fd, 0, SEEK_SET) == 0;
}

static bool get_all(int fd, struct lib_text *out)
{
    char chunk[65536];
    ssize_t got = lseek(fd, 0, SEEK_SET) == 0 ? 1 : -1;
    while (got > 0 || (got < 0 && errno == EINTR)) {
        got = read(fd, chunk, sizeof chunk);
        if (got > 0)
            lib_text_add(out, chunk, (size_t)got);
    }
    return got == 0;
}

/* Both ends are files in memory, so that no process waits for the other. */
static int run_dot(const char *const *words, int input, int output)
{
    const struct lib_tool dot = {
        .words = words,
        .unset = (const char *const[]){"GVBINDIR", "DOTFONTPATH", "GV_FILE_PATH", NULL},
        .input = input,
        .output = output,
    };
    return lib_tool_run(&dot);
}

static void say_what_failed(struct lib_diags *diags, int status)
{
    const struct lib_pos nowhere = {0};
    if (status == LIB_TOOL_NOT_FOUND)
        lib_diag_error(diags, LIB_DIAG_HOST, NULL, nowhere,
                       "the program dot is not found, which draws SVG, PDF and PNG "
                       "(Debian package graphviz); --format=dot needs no other program");
    else
        lib_diag_error(diags, LIB_DIAG_HOST, NULL, nowhere,
                       "the program dot failed, and there is no drawing (status %d); "
                       "--format=dot shows what it was given",
                       status);
}

enum lib_fault sim_graphviz_draw(const struct lib_text *dot, enum sim_drawing form,
                                 struct lib_text *out, struct lib_diags *diags)
{
    static const char *const words[][4] = {{"dot", "-Tsvg:cairo", "-Gbgcolor=white"},
                                           {"dot", "-Tpdf"},
                                           {"dot", "-Tpng:cairo", "-Gdpi=192"},
                                           {"dot", "-Tsvg", "-Gbgcolor=white"}};
    const int input = memfd_create("dot", MFD_CLOEXEC),
              output = memfd_create("drawing", MFD_CLOEXEC);
    LIB_TEXT_OWN drawn = {0};
    int status = -1;
    if (input >= 0 && output >= 0 && put_all(input, dot))
        status = run_dot(words[form], input, output);
    const bool good = status == 0 && get_all(output, &drawn) && drawn.length > 0;
    if (good) {
        lib_tool_forget_time(drawn.bytes, drawn.length);
        lib_text_add(out, drawn.bytes, drawn.length);
    } else {
        say_what_failed(diags, status);
    }
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    return good ? LIB_FAULT_NONE : LIB_FAULT_HOST;
}
