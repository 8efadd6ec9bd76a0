/* Settings as users write them: values by their texts, files by their paths.
 *
 * A file is read once, and its bytes are the value. Results and recordings name it NAME@DIGEST.
 * That is a value too: it means bytes of that digest that a recording or database has, or else the
 * file of that name and digest. */
#ifndef SIM_LOADING_SETTING_H
#define SIM_LOADING_SETTING_H

#include "lib/arena.h"
#include "lib/memory.h"
#include "machine/settings.h"

enum { SIM_SETTING_FILE_MAX = 16 << 20 }; /* bytes */

/* Files of settings that were read or kept. They live in the arena; the lists are owned. */
struct sim_setting_files {
    struct lib_arena *arena;
    LIB_VEC(struct machine_file *) read; /* from their paths, which are source.name */
    LIB_VEC(struct machine_file *) kept; /* from elsewhere, identified by their digests */
};

void sim_setting_files_free(struct sim_setting_files *files);

/* Adds bytes that were kept in a recording or a database. */
void sim_setting_files_keep(struct sim_setting_files *files, const void *bytes,
                            size_t length);

/* Sets a setting, also a file, as machine_setting_set does. A path is relative to `folder`, which
 * is "" or ends with a slash. Returns false and sets `why` on errors. */
bool sim_setting_set(struct machine_settings *settings,
                     const struct machine_setting *setting, const char *text,
                     const char *folder, struct sim_setting_files *files,
                     struct lib_text *why);

/* Returns the expected value of a setting that is not a number, in words; NULL if it is one. */
const char *sim_setting_words(struct lib_arena *arena,
                              const struct machine_setting *setting);

/* Warns of files that have changed since they were read; the runs have the old content. */
void sim_setting_files_check(const struct sim_setting_files *files,
                             struct lib_diags *diags);

#endif
