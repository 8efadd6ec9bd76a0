/* Compiled programs (images) in a database of results, each stored once, so that a run can be
 * repeated without the source of its program. */
#ifndef TRACES_RESULTS_IMAGES_H
#define TRACES_RESULTS_IMAGES_H

#include "traces/results/database.h"

/* Creates missing tables of the database: images, files of settings and trainings, energies,
 * sources of trainings with the files that they read, and inputs that SQLite cannot store (it has
 * no -0.0). */
bool traces_images_make_tables(struct traces_database *store);

/* Adds a compiled program unless the database has it. Runs refer to it by column `image_digest`. */
bool traces_images_add(struct traces_database *store, const char *digest,
                       const void *bytes, size_t length);

/* Adds a file to which a setting or a training refers as NAME@DIGEST. */
bool traces_images_add_file(struct traces_database *store, const char *digest,
                            const void *bytes, size_t length);

/* Adds or replaces a table of energies. Runs refer to it by column `energy_table`. */
bool traces_images_add_energy(struct traces_database *store, const char *name,
                              const char *text);

/* Copies compiled programs, files and tables of energies from the attached database `shard`, except
 * those that the database has. */
bool traces_images_copy(struct traces_database *store);

/* Calls `take` for the contents of each stored file. Returns false after an error. */
bool traces_images_each_file(struct traces_database *store,
                             void (*take)(const void *bytes, size_t length,
                                          void *context),
                             void *context);

/* Sets `bytes` to the compiled program with a digest. Returns false if it is missing, or after an
 * error. */
bool traces_images_find(struct traces_database *store, const char *digest,
                        struct lib_text *bytes);

#endif
