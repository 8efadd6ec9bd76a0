/* The images that runs executed, each once and as a file has it, so that a run can be made again
 * without the source of its program. */
#ifndef TRACES_RESULTS_IMAGES_H
#define TRACES_RESULTS_IMAGES_H

#include "traces/results/database.h"

/* Makes the tables that a database lacks: of images; of files of settings and trainings; of
 * tables of energies; of inputs that SQLite cannot hold, as it has no zero with a sign; and of
 * the sources of trainings, with the files that they read. */
bool traces_images_make_tables(struct traces_database *store);

/* Adds an image, if it is not there; its digest is that of the column `image_digest`. */
bool traces_images_add(struct traces_database *store, const char *digest,
                       const void *bytes, size_t length);

/* The same of a file of a setting, whose column has NAME@DIGEST, or of a training. */
bool traces_images_add_file(struct traces_database *store, const char *digest,
                            const void *bytes, size_t length);

/* The same of a table of energies, by the name in the column `energy_table`; its text replaces
 * what is there under that name. */
bool traces_images_add_energy(struct traces_database *store, const char *name,
                              const char *text);

/* Adds those that the attached database `shard` has, and the other has not. */
bool traces_images_copy(struct traces_database *store);

/* Calls `take` for each file. false after an error. */
bool traces_images_each_file(struct traces_database *store,
                             void (*take)(const void *bytes, size_t length,
                                          void *context),
                             void *context);

/* Whether an image is there; its bytes replace what `bytes` holds. false too after an error. */
bool traces_images_find(struct traces_database *store, const char *digest,
                        struct lib_text *bytes);

#endif
