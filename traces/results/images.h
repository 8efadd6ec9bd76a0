/* The images that runs executed, each once, as bytes of a file, so that a run can be repeated
 * without the source of its program. */
#ifndef TRACES_RESULTS_IMAGES_H
#define TRACES_RESULTS_IMAGES_H

#include "traces/results/database.h"

/* Creates the missing tables: of images; of files of settings and trainings; of tables of energies;
 * of inputs that SQLite cannot store, as it has no -0.0; and of sources of trainings, with the
 * files that they read. */
bool traces_images_make_tables(struct traces_database *store);

/* Adds an image, unless the database has it. Its digest is that of the column `image_digest`. */
bool traces_images_add(struct traces_database *store, const char *digest,
                       const void *bytes, size_t length);

/* Adds a file of a setting, whose column has NAME@DIGEST, or of a training, likewise. */
bool traces_images_add_file(struct traces_database *store, const char *digest,
                            const void *bytes, size_t length);

/* Adds a table of energies, under the name in the column `energy_table`. Its text replaces an
 * existing one of that name. */
bool traces_images_add_energy(struct traces_database *store, const char *name,
                              const char *text);

/* Adds the images and files of the attached database `shard` that are missing. */
bool traces_images_copy(struct traces_database *store);

/* Calls `take` for each file. Returns false after an error. */
bool traces_images_each_file(struct traces_database *store,
                             void (*take)(const void *bytes, size_t length,
                                          void *context),
                             void *context);

/* Replaces the contents of `bytes` by the bytes of an image. Returns false if it is missing, or
 * after an error. */
bool traces_images_find(struct traces_database *store, const char *digest,
                        struct lib_text *bytes);

#endif
