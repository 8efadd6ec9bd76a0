#include "analysis/figure/gnuplot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/guard.h"
#include "lib/leftovers.h"
#include "lib/tool.h"

/* Runs gnuplot in `folder`, without the user's settings. */
static int run_gnuplot(const char *folder, const char *script)
{
    const struct lib_tool gnuplot = {
        .words = (const char *const[]){"gnuplot", "--default-settings", script, NULL},
        .unset = (const char *const[]){"GNUTERM", "GNUPLOT_FONTPATH", NULL},
        .folder = folder,
        .input = -1,
        .output = -1,
    };
    return lib_tool_run(&gnuplot);
}

static const char *path_of(struct lib_arena *arena, const char *folder, const char *name,
                           const char *ending)
{
    return lib_arena_printf(arena, "%s/%s%s", folder, name, ending);
}

static bool forget_time(struct lib_arena *arena, const char *path,
                        struct lib_diags *diags)
{
    const struct lib_source *file = lib_guard_write(path, diags)
                                        ? lib_file_read(arena, path, diags)
                                        : NULL;
    if (!file)
        return false;
    char *bytes = lib_arena_copy(arena, file->bytes, file->length);
    lib_tool_forget_time(bytes, file->length);
    return lib_file_write(path, bytes, file->length, diags);
}

static const char *const endings[] = {".gp", ".dat", ".pdf", ".svg"};
enum { ENDINGS = sizeof endings / sizeof endings[0], WRITTEN = 2 };

static bool move_files(struct lib_arena *arena, const char *from, const char *to,
                       const char *name, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < ENDINGS; i++) {
        const char *source = path_of(arena, from, name, endings[i]);
        if (i < count)
            good &= rename(source, path_of(arena, to, name, endings[i])) == 0;
        else
            unlink(source);
    }
    rmdir(from);
    lib_leftovers_forget(from);
    return good;
}

/* Adds an error of the host, such as a missing gnuplot. */
__attribute__((format(printf, 2, 3))) static void complain(struct lib_diags *diags,
                                                           const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(diags, LIB_DIAG_HOST, NULL, (struct lib_pos){0}, format, ap);
    va_end(ap);
}

/* Reports that a file cannot be made: errno says why. Returns who is to blame. */
static enum lib_fault fail_write(struct lib_diags *diags, const char *path)
{
    const int error = errno;
    lib_diag_plain(diags, lib_file_write_code(error), "cannot write %s: %s", path,
                   strerror(error));
    return lib_file_fault(error);
}

static void say_what_failed(struct lib_diags *diags, const char *folder, const char *name,
                            int status)
{
    if (status == LIB_TOOL_NOT_FOUND)
        complain(diags,
                 "gnuplot is not found (Debian package gnuplot-nox): %s/%s.gp and %s.dat "
                 "are there, %s.pdf and %s.svg are not",
                 folder, name, name, name, name);
    else
        complain(diags, "gnuplot failed: %s/%s.gp and %s.dat are there, no figure",
                 folder, name, name);
}

/* Draws in a new folder, so that no incomplete figure is ever visible. */
static enum lib_fault draw_aside(struct lib_arena *arena, const char *aside,
                                 const char *folder, const char *name,
                                 struct lib_diags *diags)
{
    const char *script = lib_arena_printf(arena, "%s.gp", name);
    int status = run_gnuplot(aside, script);
    bool drawn = status == 0 && access(path_of(arena, aside, name, ".svg"), R_OK) == 0 &&
                 forget_time(arena, path_of(arena, aside, name, ".pdf"), diags);
    bool moved = move_files(arena, aside, folder, name, drawn ? ENDINGS : WRITTEN);
    if (!moved)
        complain(diags, "cannot write %s/%s.pdf: %s", folder, name, strerror(errno));
    else if (!drawn)
        say_what_failed(diags, folder, name, status);
    return moved && drawn ? LIB_FAULT_NONE : LIB_FAULT_HOST;
}

static enum lib_fault put_file(const char *path, const struct lib_text *text,
                               struct lib_diags *diags)
{
    errno = 0;
    if (lib_file_write(path, lib_text_get(text), text->length, diags))
        return LIB_FAULT_NONE;
    return lib_file_fault(errno);
}

static const char *folder_of(struct lib_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == path ? "/"
           : slash       ? lib_arena_copy(arena, path, (size_t)(slash - path))
                         : ".";
}

static enum lib_fault draw_file_aside(struct lib_arena *arena, const char *aside,
                                      const char *path, const char *form,
                                      const char *name, struct lib_diags *diags)
{
    int status = run_gnuplot(aside, lib_arena_printf(arena, "%s.gp", name));
    const char *drawn = lib_arena_printf(arena, "%s/%s.%s", aside, name, form);
    enum lib_fault fault = LIB_FAULT_HOST;
    if (status == LIB_TOOL_NOT_FOUND)
        complain(diags,
                 "gnuplot is not found (Debian package gnuplot-nox): %s is not drawn",
                 path);
    else if (status != 0 || access(drawn, R_OK) != 0)
        complain(diags, "gnuplot failed: %s is not drawn", path);
    else if (strcmp(form, "pdf") != 0 || forget_time(arena, drawn, diags))
        fault = LIB_FAULT_NONE;
    if (fault == LIB_FAULT_NONE && rename(drawn, path) != 0)
        fault = fail_write(diags, path);
    unlink(drawn);
    return fault;
}

enum lib_fault analysis_gnuplot_draw_file(const char *path, const char *form,
                                          const char *name, const struct lib_text *script,
                                          const struct lib_text *data,
                                          struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    char *aside = lib_arena_printf(arena, "%s/.%s.XXXXXX", folder_of(arena, path), name);
    enum lib_fault fault = LIB_FAULT_INPUT;
    const bool good = lib_guard_write(path, diags);
    if (good && !lib_leftovers_make_folder(aside)) {
        fault = fail_write(diags, path);
    } else if (good) {
        fault = put_file(path_of(arena, aside, name, ".gp"), script, diags);
        if (fault == LIB_FAULT_NONE)
            fault = put_file(path_of(arena, aside, name, ".dat"), data, diags);
        if (fault == LIB_FAULT_NONE)
            fault = draw_file_aside(arena, aside, path, form, name, diags);
        move_files(arena, aside, folder_of(arena, path), name, 0);
    }
    lib_arena_free(arena);
    return fault;
}

enum lib_fault analysis_gnuplot_draw_text(const char *form, const char *name,
                                          const struct lib_text *script,
                                          const struct lib_text *data,
                                          struct lib_text *out, struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    const char *temporary = getenv("TMPDIR");
    char *folder = lib_arena_printf(arena, "%s/hiaton.XXXXXX",
                                    temporary && *temporary ? temporary : "/tmp");
    enum lib_fault fault;
    if (!lib_leftovers_make_folder(folder)) {
        fault = fail_write(diags, folder);
        lib_arena_free(arena);
        return fault;
    }
    const char *path = lib_arena_printf(arena, "%s/%s.%s", folder, name, form);
    fault = analysis_gnuplot_draw_file(path, form, name, script, data, diags);
    if (fault == LIB_FAULT_NONE) {
        const struct lib_source *drawn = lib_file_read(arena, path, diags);
        if (drawn)
            lib_text_add(out, drawn->bytes, drawn->length);
        fault = drawn ? LIB_FAULT_NONE : LIB_FAULT_HOST;
        unlink(path);
    }
    rmdir(folder);
    lib_leftovers_forget(folder);
    lib_arena_free(arena);
    return fault;
}

enum lib_fault analysis_gnuplot_draw(const char *folder, const char *name,
                                     const struct lib_text *script,
                                     const struct lib_text *data, struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    char *aside = lib_arena_printf(arena, "%s/.%s.XXXXXX", folder, name);
    enum lib_fault fault = LIB_FAULT_INPUT;
    bool good = true;
    for (size_t i = 0; i < ENDINGS; i++)
        good &= lib_guard_write(path_of(arena, folder, name, endings[i]), diags);
    if (good && !lib_leftovers_make_folder(aside)) {
        fault = fail_write(diags, folder);
    } else if (good) {
        fault = put_file(path_of(arena, aside, name, ".gp"), script, diags);
        if (fault == LIB_FAULT_NONE)
            fault = put_file(path_of(arena, aside, name, ".dat"), data, diags);
        if (fault == LIB_FAULT_NONE)
            fault = draw_aside(arena, aside, folder, name, diags);
        else
            move_files(arena, aside, folder, name, 0);
    }
    lib_arena_free(arena);
    return fault;
}
