#include "sim/loading/setting.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/format/image.h"
#include "lib/file.h"
#include "lib/guard.h"
#include "lib/invisible.h"
#include "machine/needs.h"
#include "traces/results/column.h"

/* --- the table ---------------------------------------------------------------------- */

/* The names of options are joined as "|first|second". */
static const struct lib_setting compile_table[] = {
#define ROW(key, kind, field, help, ...)                                                 \
    LIB_SETTING_ROW(struct sim_settings, key, kind, compile.field,                       \
                    help "; used when a source is compiled", __VA_ARGS__),
#define NUMBER(key, field, unit_, standard_, least_, greatest_, strategies, help)        \
    ROW(key, NUMBER, field, help, .unit = unit_, .standard = standard_, .least = least_, \
        .greatest = greatest_)
#define OPTION(ENUMERATOR, name) "|" name
#define CHOICE(key, field, options, standard_, strategies, help)                         \
    ROW(key, CHOICE, field, help, .choices = &(options)[1], .standard = standard_)
#define WORDS(key, field, options, strategies, help)                                     \
    ROW(key, WORDS, field, help, .choices = &(options)[1], .word = "none")
#define OWNER(path)
#define NEEDS(...)
#include "programs/settings/settings.def"
#undef NEEDS
#undef OWNER
#undef WORDS
#undef CHOICE
#undef OPTION
#undef NUMBER
#undef ROW
};

/* Indices of the rows in machine_setting_table. */
enum {
#define NUMBER(key, field, ...) ROW_##field,
#define UNIT_LATENCY(key, UNIT, ...) ROW_##UNIT,
#define OF_UNIT(key, field, UNIT, ...) ROW_##field##_##UNIT,
#define CHOICE(key, field, ...) ROW_##field,
#define LIST(key, field, ...) ROW_##field,
#define TEXT(key, field, ...) ROW_##field,
#define PATH(key, field, ...) ROW_##field,
#include "machine/settings.def"
    ROWS
};

enum {
    COMPILE_COUNT = sizeof compile_table / sizeof *compile_table,
    COMPILE_FIRST = ROW_loop_bound + 1, /* index of the compiler's rows among all */
};

const size_t sim_setting_count = (size_t)ROWS + COMPILE_COUNT;

const struct lib_setting *sim_setting_at(size_t i)
{
    return i < COMPILE_FIRST ? &machine_setting_table[i]
           : i < COMPILE_FIRST + COMPILE_COUNT
               ? &compile_table[i - COMPILE_FIRST]
               : &machine_setting_table[i - COMPILE_COUNT];
}

_Static_assert(offsetof(struct sim_settings, machine) == 0,
               "rows of a machine are of both structs");

const struct lib_setting *sim_setting_find(const char *key)
{
    const struct lib_setting *row = machine_setting_find(key);
    return row ? row : lib_setting_find(compile_table, COMPILE_COUNT, key);
}

const struct lib_setting *sim_setting_find_in(struct lib_arena *arena, const char *key,
                                              struct lib_text *why)
{
    if (!machine_class_is_key(key))
        return sim_setting_find(key);
    struct lib_setting *row = LIB_ARENA_NEW(arena, struct lib_setting);
    key = lib_arena_copy(arena, key, strlen(key));
    return machine_class_make_row(key, row, why) ? row : NULL;
}

bool sim_setting_is_known(const char *key)
{
    struct lib_setting row;
    return sim_setting_find(key) || machine_class_make_row(key, &row, NULL);
}

bool sim_setting_is_group(const char *group)
{
    const size_t length = strlen(group);
    for (size_t i = 0; i < sim_setting_count; i++) {
        const char *key = sim_setting_at(i)->key;
        if (strncmp(key, group, length) == 0 && key[length] == '.')
            return true;
    }
    return machine_class_is_group(group);
}

const struct lib_setting *sim_setting_of(const struct sim_settings *settings,
                                         size_t index, struct machine_class_row *made)
{
    if (index < sim_setting_count)
        return sim_setting_at(index);
    return machine_class_row_at(&settings->machine, index - sim_setting_count, made)
               ? &made->row
               : NULL;
}

bool sim_setting_is_of_compiler(const struct lib_setting *setting)
{
    return setting->offset >= offsetof(struct sim_settings, compile);
}

static const char *key_of(size_t i, const void *context)
{
    (void)context;
    return sim_setting_at(i)->key;
}

const char *sim_setting_nearest(const char *key)
{
    return lib_text_nearest(key, sim_setting_count, key_of, NULL);
}

void sim_settings_default(struct sim_settings *settings)
{
    machine_settings_default(&settings->machine);
    memset(&settings->compile, 0, sizeof settings->compile); /* as those of machines */
    lib_settings_default(settings, compile_table, COMPILE_COUNT);
}

const char *sim_setting_needs(const struct sim_settings *settings,
                              const struct lib_setting *setting, bool expands)
{
    if (expands && !programs_setting_has_effect(setting->key, ISA_STAGE_EXPANDING))
        return "--strategy=static";
    const char *needs = programs_setting_needs(&settings->compile, setting->key);
    return needs ? needs : machine_setting_needs(&settings->machine, setting, expands);
}

/* --- files --------------------------------------------------------------------------- */

void sim_setting_files_free(struct sim_setting_files *files)
{
    LIB_VEC_FREE(&files->read, &files->kept);
}

static const char *digest_of(struct lib_arena *arena, const struct lib_source *source)
{
    return isa_digest_keep(arena, isa_digest_of(source->bytes, source->length));
}

static struct lib_setting_file *make_file(struct lib_arena *arena, const char *name,
                                          const struct lib_source *source)
{
    struct lib_setting_file *file = LIB_ARENA_NEW(arena, struct lib_setting_file);
    *file = (struct lib_setting_file){name, digest_of(arena, source), *source};
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
static const struct lib_setting_file *find_kept(const struct sim_setting_files *files,
                                                const char *text, const char *digest)
{
    for (size_t i = 0; i < files->kept.count; i++) {
        struct lib_setting_file *file = files->kept.items[i];
        if (strcmp(file->digest, digest) != 0)
            continue;
        struct lib_setting_file *named = LIB_ARENA_NEW(files->arena,
                                                       struct lib_setting_file);
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
static const struct lib_setting_file *find_read(const struct sim_setting_files *files,
                                                const char *path)
{
    for (size_t i = 0; i < files->read.count; i++)
        if (strcmp(files->read.items[i]->source.name, path) == 0)
            return files->read.items[i];
    return NULL;
}

/* What a file is for: its name in messages, its greatest length, and whether it is a text. */
struct purpose {
    const char *what;
    uint64_t most;
    bool is_text;
};

static const struct purpose of_setting = {"a file of the settings", SIM_SETTING_FILE_MAX,
                                          true};

static const struct lib_setting_file *read_file(const char *path,
                                                const struct purpose *purpose,
                                                struct sim_setting_files *files,
                                                struct lib_text *why)
{
    const struct lib_setting_file *before = find_read(files, path);
    struct lib_diags diags = {0};
    if (before)
        return before;
    const struct lib_source *source = NULL;
    if (lib_guard_read(path, purpose->what, &diags))
        source = lib_file_read_most(files->arena, path, purpose->most, &diags);
    const bool is_good = source &&
                         (!purpose->is_text || lib_source_is_text(source, &diags));
    if (!is_good && source)
        lib_text_printf(why, "%s: ", path);
    if (!is_good)
        lib_text_puts(why, diags.items[0].text);
    lib_diags_free(&diags);
    if (!is_good)
        return NULL;
    struct lib_setting_file *file = make_file(files->arena, lib_file_name(source->name),
                                              source);
    *LIB_VEC_PUSH(&files->read) = file;
    return file;
}

/* Returns the file PATH or PATH@DIGEST. Returns NULL and sets `why` on errors. */
static const struct lib_setting_file *find_file(const char *text, const char *folder,
                                                const struct purpose *purpose,
                                                struct sim_setting_files *files,
                                                struct lib_text *why)
{
    const char *path = *text == '/'
                           ? text
                           : lib_arena_printf(files->arena, "%s%s", folder, text);
    const char *digest = access(path, F_OK) == 0 ? NULL : traces_text_digest(text);
    const struct lib_setting_file *file = digest ? find_kept(files, text, digest) : NULL;
    if (file)
        return file;
    if (digest)
        path = lib_arena_copy(files->arena, path, strlen(path) - strlen(digest) - 1);
    file = read_file(path, purpose, files, why);
    if (!file || !digest || strcmp(file->digest, digest) == 0)
        return file;
    lib_text_printf(why, "expected %s with the digest %s, found one with %s", path,
                    digest, file->digest);
    return NULL;
}

const struct lib_setting_file *sim_setting_files_find(struct sim_setting_files *files,
                                                      const char *text,
                                                      const char *folder, uint64_t most,
                                                      struct lib_text *why)
{
    const struct purpose of_input = {
        "a value of an input",
        most && most < SIM_INPUT_FILE_MAX ? most : SIM_INPUT_FILE_MAX, false};
    if (*text && strcmp(text, "-") != 0 && lib_text_is_line(lib_file_name(text)))
        return find_file(text, folder, &of_input, files, why);
    lib_text_printf(why, "expected the path of a file, found `%s`%s", text,
                    *text ? "; standard input cannot be read again" : "");
    return NULL;
}

bool sim_setting_set(struct sim_settings *settings, const struct lib_setting *setting,
                     const char *text, const char *folder,
                     struct sim_setting_files *files, struct lib_text *why)
{
    LIB_TEXT_OWN problem = {0};
    const struct lib_setting_file *file = NULL;
    if (setting->kind != LIB_SETTING_FILE || strcmp(text, setting->word) == 0)
        return lib_setting_set(settings, setting, text, why);
    if (strcmp(text, "-") == 0 || !*text || !lib_text_is_line(lib_file_name(text))) {
        lib_text_printf(&problem, "expected %s, found `%s`",
                        sim_setting_words(files->arena, setting), text);
        if (strcmp(text, "-") == 0)
            lib_text_puts(&problem, "; standard input cannot be read again");
    } else {
        file = find_file(text, folder, &of_setting, files, &problem);
    }
    if (file)
        lib_setting_put_field(settings, setting, &file);
    else
        lib_text_printf(why, "%s: %s", setting->key, lib_text_get(&problem));
    return file;
}

const char *sim_setting_words(struct lib_arena *arena, const struct lib_setting *setting)
{
    struct lib_text text = {0};
    if (lib_setting_has_number(setting))
        return NULL;
    lib_setting_expect(setting, &text);
    return lib_arena_keep(arena, &text);
}

void sim_setting_files_check(const struct sim_setting_files *files,
                             struct lib_diags *diags)
{
    struct lib_arena *arena = lib_arena_new();
    for (size_t i = 0; i < files->read.count; i++) {
        const struct lib_setting_file *file = files->read.items[i];
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
