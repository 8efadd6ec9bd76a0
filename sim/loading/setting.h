/* Settings as users write them: values by their texts, and files by their paths.
 *
 * A file is read once, and its bytes are the value. What results and recordings say of it is
 * NAME@DIGEST. That text is read too: it asks for those bytes, which a recording or a database
 * may keep, and else for the file of that name if its bytes are the same. */
#ifndef SIM_LOADING_SETTING_H
#define SIM_LOADING_SETTING_H

#include "lib/arena.h"
#include "lib/memory.h"
#include "machine/settings.h"

enum { SIM_SETTING_FILE_MAX = 16 << 20 }; /* bytes */

/* The files of settings that are known. They live in the arena; the list is owned. */
struct sim_setting_files {
    struct lib_arena *arena;
    LIB_VEC(struct machine_file *) read; /* from their paths, which are source.name */
    LIB_VEC(struct machine_file *) kept; /* found by their digests only */
};

void sim_setting_files_free(struct sim_setting_files *files);

/* Adds bytes that are kept elsewhere, in a recording or a database. */
void sim_setting_files_keep(struct sim_setting_files *files, const void *bytes,
                            size_t length);

/* Sets one as machine_setting_set does, a file too: its path is relative to `folder`, which is ""
 * or ends with a slash. */
bool sim_setting_set(struct machine_settings *settings,
                     const struct machine_setting *setting, const char *text,
                     const char *folder, struct sim_setting_files *files,
                     struct lib_text *why);

/* What a value must be, of a setting that is no number; else NULL. */
const char *sim_setting_words(struct lib_arena *arena,
                              const struct machine_setting *setting);

/* Warns of those that have changed since they were read: runs are of what they were then. */
void sim_setting_files_check(const struct sim_setting_files *files,
                             struct lib_diags *diags);

#endif
