/* The settings of a run: those of its machine and those of the compiler, as one table. Reads them
 * as users write them: values as text, files as paths.
 *
 * The value of a setting that names a file is the bytes of the file, which is read once. Results
 * and recordings refer to it as NAME@DIGEST. Users may write that too. Then the bytes with this
 * digest are taken from the recording or database, or if it lacks them, from the file NAME. */
#ifndef SIM_LOADING_SETTING_H
#define SIM_LOADING_SETTING_H

#include "lib/arena.h"
#include "lib/memory.h"
#include "machine/settings.h"
#include "programs/settings/settings.h"

enum { SIM_SETTING_FILE_MAX = 16 << 20 }; /* max bytes of a file that a setting names */
#define SIM_INPUT_FILE_MAX                                                               \
    (UINT64_C(4) << 30) /* max bytes of a file that an input names */

/* The values. The rows below are of this struct; those of a machine are of its first member too. */
struct sim_settings {
    struct machine_settings machine;
    struct programs_settings compile;
};

/* The rows of machine/settings.def, and after loop.bound those of programs/settings/settings.def:
 * the order of options, columns and pages. */
const struct lib_setting *sim_setting_at(size_t index);
extern const size_t sim_setting_count;

const struct lib_setting *sim_setting_find(const char *key);

/* Like sim_setting_find, but also makes rows of classes of PEs (machine/classes.h), in the arena.
 * Returns NULL if there is none; for a key that begins like those of classes it then says why in
 * `why`, unless that is NULL. */
const struct lib_setting *sim_setting_find_in(struct lib_arena *arena, const char *key,
                                              struct lib_text *why);

/* Whether `key` is that of a setting, or of one of a class of PEs. */
bool sim_setting_is_known(const char *key);

/* Whether `group` and a point begin keys of settings, or of those of classes of PEs. */
bool sim_setting_is_group(const char *group);

/* Returns row `index` of `settings`: those of the table, then those that its classes of PEs have,
 * which are made in `made`. Returns NULL behind the last. */
const struct lib_setting *sim_setting_of(const struct sim_settings *settings,
                                         size_t index, struct machine_class_row *made);

/* Returns the key of the setting spelled most like `key`, or NULL. */
const char *sim_setting_nearest(const char *key);

/* Whether a setting is one of the compiler's, which code has been made with. */
bool sim_setting_is_of_compiler(const struct lib_setting *setting);

void sim_settings_default(struct sim_settings *settings);

/* Like machine_setting_needs, also for settings of the compiler. */
const char *sim_setting_needs(const struct sim_settings *settings,
                              const struct lib_setting *setting, bool expands);

/* Contents of files that settings name. They live in the arena; the arrays are owned. */
struct sim_setting_files {
    struct lib_arena *arena;
    /* files read from paths; source.name is the path */
    LIB_VEC(struct lib_setting_file *) read;
    /* files from a recording or database, which users name by their digest */
    LIB_VEC(struct lib_setting_file *) kept;
};

void sim_setting_files_free(struct sim_setting_files *files);

void sim_setting_files_keep(struct sim_setting_files *files, const void *bytes,
                            size_t length);

/* Returns the file PATH or PATH@DIGEST of an input, of any bytes, of which there are at most `most`
 * (0: SIM_INPUT_FILE_MAX). Otherwise as for settings. The file lives in files->arena. Returns NULL
 * and sets `why` on errors, also if the file has another digest. */
const struct lib_setting_file *sim_setting_files_find(struct sim_setting_files *files,
                                                      const char *text,
                                                      const char *folder, uint64_t most,
                                                      struct lib_text *why);

/* Like lib_setting_set, sets a setting from text, but also reads files. A path is relative to
 * `folder`, which is "" or ends with a slash. Returns false and sets `why` on errors. */
bool sim_setting_set(struct sim_settings *settings, const struct lib_setting *setting,
                     const char *text, const char *folder,
                     struct sim_setting_files *files, struct lib_text *why);

/* Returns what values a setting accepts, in words; NULL if its values are numbers. */
const char *sim_setting_words(struct lib_arena *arena, const struct lib_setting *setting);

/* Warns of files that have changed since they were read. Runs use the old content. */
void sim_setting_files_check(const struct sim_setting_files *files,
                             struct lib_diags *diags);

#endif
