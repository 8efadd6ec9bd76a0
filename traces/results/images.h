/* Images in a database of results: the compiled programs that were run, each stored once, so that a
 * run can be repeated without the source of its program. */
#ifndef TRACES_RESULTS_IMAGES_H
#define TRACES_RESULTS_IMAGES_H

#include "traces/results/database.h"

/* Creates missing tables of the database: images, files of settings and trainings, energies,
 * sources of trainings with the files that they read, and inputs that SQLite cannot store (it has
 * no -0.0). */
bool traces_images_make_tables(struct traces_database *store);

/* Adds an image unless the database has it. Column `image_digest` of the runs has its digest. */
bool traces_images_add(struct traces_database *store, const char *digest,
                       const void *bytes, size_t length);

/* Adds a file that a setting or a training names as NAME@DIGEST. */
bool traces_images_add_file(struct traces_database *store, const char *digest,
                            const void *bytes, size_t length);

/* Adds or replaces a table of energies. Column `energy_table` of the runs has its name. */
bool traces_images_add_energy(struct traces_database *store, const char *name,
                              const char *text);

/* Copies images and files that are missing from the attached database `shard`. */
bool traces_images_copy(struct traces_database *store);

/* Calls `take` for the contents of each stored file. Returns false after an error. */
bool traces_images_each_file(struct traces_database *store,
                             void (*take)(const void *bytes, size_t length,
                                          void *context),
                             void *context);

/* Sets `bytes` to the image with a digest. Returns false if it is missing, or after an error. */
bool traces_images_find(struct traces_database *store, const char *digest,
                        struct lib_text *bytes);

#endif
