#include "sim/outputs/database_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/file.h"
#include "lib/memory.h"
#include "sim/loading/file_kind.h"

/* --- what a file is ----------------------------------------------------------------- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

/* Returns "an image", ... by the first bytes; NULL: perhaps a database. */
static const char *kind_of(const struct lib_source *file)
{
    const enum sim_file_kind kind = sim_file_kind(file);
    if (file->length == 0)
        return "an empty file";
    if (kind == SIM_FILE_DATABASE)
        return NULL;
    if (kind != SIM_FILE_OTHER)
        return sim_file_kind_name(kind);
    return ends_with(file->name, ".yaml") || ends_with(file->name, ".yml") ? "a YAML file"
                                                                           : "a text";
}

static bool read_head(const char *path, struct lib_arena *arena, struct lib_source *file)
{
    enum { HEAD_BYTES = 1 << 16 };
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return false;
    char *bytes = lib_arena_alloc(arena, HEAD_BYTES + 1);
    file->name = path;
    file->bytes = bytes;
    file->length = fread(bytes, 1, HEAD_BYTES, stream);
    bytes[file->length] = '\0';
    fclose(stream);
    return true;
}

/* --- what may have been meant ------------------------------------------------------- */

typedef LIB_VEC(const char *) name_list;

static const char *name_at(size_t i, const void *names)
{
    return ((const name_list *)names)->items[i];
}

/* Returns the .db file with the nearest name in the folder, or NULL. */
static const char *nearest_database(struct lib_arena *arena, const char *path)
{
    const char *name = lib_file_name(path);
    const char *folder = lib_arena_copy(arena, path, (size_t)(name - path));
    DIR *directory = opendir(*folder ? folder : ".");
    name_list names = {0};
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (ends_with(entry->d_name, ".db"))
            *LIB_VEC_PUSH(&names) = lib_arena_copy(arena, entry->d_name,
                                                   strlen(entry->d_name));
    const char *nearest = lib_text_nearest(name, names.count, name_at, &names);
    if (directory)
        closedir(directory);
    LIB_VEC_FREE(&names);
    return nearest ? lib_arena_printf(arena, "%s%s", folder, nearest) : NULL;
}

static void add_error(struct lib_diags *diags, const char *path, const char *what,
                      const char *advice)
{
    lib_diag_plain(diags, LIB_DIAG_FILE, "%s: %s%s", path, what, advice);
}

static void say_missing(struct lib_arena *arena, const char *path,
                        struct lib_diags *diags)
{
    size_t stem = strlen(path) - (ends_with(path, ".db") ? strlen(".db") : 0);
    const char *experiment = lib_arena_printf(arena, "%.*s.yaml", (int)stem, path);
    const char *nearest = nearest_database(arena, path), *advice = "";
    if (access(experiment, F_OK) == 0)
        advice = lib_arena_printf(arena, "; `hiaton sweep run %s` makes it", experiment);
    else if (nearest)
        advice = lib_arena_printf(arena, "; did you mean `%s`?", nearest);
    add_error(diags, path, "there is no such file", advice);
}

bool sim_database_file_check(const char *path, struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_source file = {0};
    struct stat status;
    const char *kind = NULL, *advice = "";
    bool found = stat(path, &status) == 0;
    if (!found && errno == ENOENT)
        say_missing(arena, path, diags);
    else if (!found)
        add_error(diags, path, strerror(errno), "");
    else if (S_ISDIR(status.st_mode))
        kind = "a folder";
    else if (S_ISREG(status.st_mode) && read_head(path, arena, &file))
        kind = kind_of(&file);
    if (kind && strcmp(kind, "an experiment") == 0)
        advice = lib_arena_printf(arena, "; `hiaton sweep run %s` makes one", path);
    if (kind)
        add_error(diags, path,
                  lib_arena_printf(arena, "this is %s, and no database of results", kind),
                  advice);
    lib_arena_free(arena);
    return found && !kind;
}

static const char *beside(const char *path, const char *ending, struct lib_arena *arena)
{
    const size_t stem = strlen(path) - (ends_with(path, ".db") ? strlen(".db") : 0);
    return lib_arena_printf(arena, "%.*s%s", (int)stem, path, ending);
}

const char *sim_database_file_recordings(const char *path, struct lib_arena *arena)
{
    return beside(path, ".rec", arena);
}

const char *sim_database_file_events(const char *path, struct lib_arena *arena)
{
    return beside(path, ".events", arena);
}
