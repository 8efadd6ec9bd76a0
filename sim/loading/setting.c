#include "sim/loading/setting.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/format/image.h"
#include "lib/file.h"
#include "lib/guard.h"
#include "lib/invisible.h"
#include "traces/results/column.h"

void sim_setting_files_free(struct sim_setting_files *files)
{
    LIB_VEC_FREE(&files->read, &files->kept);
}

static const char *digest_of(struct lib_arena *arena, const struct lib_source *source)
{
    return isa_digest_keep(arena, isa_digest_of(source->bytes, source->length));
}

static struct machine_file *make_file(struct lib_arena *arena, const char *name,
                                      const struct lib_source *source)
{
    struct machine_file *file = LIB_ARENA_NEW(arena, struct machine_file);
    *file = (struct machine_file){name, digest_of(arena, source), *source};
    return file;
}

void sim_setting_files_keep(struct sim_setting_files *files, const void *bytes,
                            size_t length)
{
    const struct lib_source source = {"", lib_arena_copy(files->arena, bytes, length),
                                      length};
    *LIB_VEC_PUSH(&files->kept) = make_file(files->arena, "", &source);
}

/* Returns the file of a recording or database, under the name in the text; NULL if none has the
 * digest. */
static const struct machine_file *find_kept(const struct sim_setting_files *files,
                                            const char *text, const char *digest)
{
    for (size_t i = 0; i < files->kept.count; i++) {
        struct machine_file *file = files->kept.items[i];
        if (strcmp(file->digest, digest) != 0)
            continue;
        struct machine_file *named = LIB_ARENA_NEW(files->arena, struct machine_file);
        const char *name = lib_file_name(text);
        *named = *file;
        named->name = lib_arena_copy(files->arena, name,
                                     strlen(name) - strlen(digest) - 1);
        named->source.name = named->name;
        return named;
    }
    return NULL;
}

/* Returns a file that was read before, or NULL, so that all runs have the same bytes. */
static const struct machine_file *find_read(const struct sim_setting_files *files,
                                            const char *path)
{
    for (size_t i = 0; i < files->read.count; i++)
        if (strcmp(files->read.items[i]->source.name, path) == 0)
            return files->read.items[i];
    return NULL;
}

static const struct machine_file *
read_file(const char *path, struct sim_setting_files *files, struct lib_text *why)
{
    const struct machine_file *before = find_read(files, path);
    struct lib_diags diags = {0};
    if (before)
        return before;
    const struct lib_source *source = NULL;
    if (lib_guard_read(path, "a file of the settings", &diags))
        source = lib_file_read_most(files->arena, path, SIM_SETTING_FILE_MAX, &diags);
    const bool is_good = source && lib_source_is_text(source, &diags);
    if (!is_good && source)
        lib_text_printf(why, "%s: ", path);
    if (!is_good)
        lib_text_puts(why, diags.items[0].text);
    lib_diags_free(&diags);
    if (!is_good)
        return NULL;
    struct machine_file *file = make_file(files->arena, lib_file_name(source->name),
                                          source);
    *LIB_VEC_PUSH(&files->read) = file;
    return file;
}

/* Returns the file PATH or PATH@DIGEST. Returns NULL and sets `why` on errors. */
static const struct machine_file *find_file(const char *text, const char *folder,
                                            struct sim_setting_files *files,
                                            struct lib_text *why)
{
    const char *path = *text == '/'
                           ? text
                           : lib_arena_printf(files->arena, "%s%s", folder, text);
    const char *digest = access(path, F_OK) == 0 ? NULL : traces_text_digest(text);
    const struct machine_file *file = digest ? find_kept(files, text, digest) : NULL;
    if (file)
        return file;
    if (digest)
        path = lib_arena_copy(files->arena, path, strlen(path) - strlen(digest) - 1);
    file = read_file(path, files, why);
    if (!file || !digest || strcmp(file->digest, digest) == 0)
        return file;
    lib_text_printf(why, "expected %s with the digest %s, found one with %s", path,
                    digest, file->digest);
    return NULL;
}

bool sim_setting_set(struct machine_settings *settings,
                     const struct machine_setting *setting, const char *text,
                     const char *folder, struct sim_setting_files *files,
                     struct lib_text *why)
{
    LIB_TEXT_OWN problem = {0};
    const struct machine_file *file = NULL;
    if (setting->kind != MACHINE_SETTING_FILE || strcmp(text, setting->word) == 0)
        return machine_setting_set(settings, setting, text, why);
    if (strcmp(text, "-") == 0 || !*text || !lib_text_is_line(lib_file_name(text))) {
        lib_text_printf(&problem, "expected %s, found `%s`",
                        sim_setting_words(files->arena, setting), text);
        if (strcmp(text, "-") == 0)
            lib_text_puts(&problem, "; standard input cannot be read again");
    } else {
        file = find_file(text, folder, files, &problem);
    }
    if (file)
        machine_setting_put_field(settings, setting, &file);
    else
        lib_text_printf(why, "%s: %s", setting->key, lib_text_get(&problem));
    return file;
}

const char *sim_setting_words(struct lib_arena *arena,
                              const struct machine_setting *setting)
{
    struct lib_text text = {0};
    if (machine_setting_has_number(setting))
        return NULL;
    machine_setting_expect(setting, &text);
    return lib_arena_keep(arena, &text);
}

void sim_setting_files_check(const struct sim_setting_files *files,
                             struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    for (size_t i = 0; i < files->read.count; i++) {
        const struct machine_file *file = files->read.items[i];
        struct lib_diags ignored = {0};
        struct stat st;
        if (stat(file->source.name, &st) == 0 && !S_ISREG(st.st_mode))
            continue; /* a pipe cannot be read again */
        const struct lib_source *now = lib_file_read_most(arena, file->source.name,
                                                          SIM_SETTING_FILE_MAX, &ignored);
        if (!now || strcmp(digest_of(arena, now), file->digest) != 0)
            lib_diag_warning(diags, LIB_DIAG_FILE, NULL, (struct lib_pos){0},
                             "%s %s since it was read; the runs are of what it was, %s",
                             file->source.name, now ? "has changed" : "has gone",
                             file->digest);
        lib_diags_free(&ignored);
        lib_arena_clear(arena);
    }
    lib_arena_free(arena);
}
