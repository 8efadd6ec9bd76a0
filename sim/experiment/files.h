/* Loads the programs, machines and energy tables that an experiment names, and checks the values of
 * program inputs. */
#ifndef SIM_EXPERIMENT_FILES_H
#define SIM_EXPERIMENT_FILES_H

#include "sim/experiment/experiment.h"

/* Loads the files that the experiment names, and sets experiment->columns. Errors have the position
 * of the file's name in the experiment file, which `r` reads. Returns false, without columns, if a
 * program cannot be loaded. `overrides`, or NULL, will be applied later. */
bool sim_files_load(struct sim_experiment *experiment,
                    const struct sim_overrides *overrides, struct lib_fields *r);

/* Checks the values of program inputs. An input that is set for all programs must exist in each. */
void sim_files_check_inputs(const struct sim_experiment *experiment,
                            struct lib_fields *r);

/* Whether a database table can hold the columns of the results. Adds an error if they are too many,
 * or if names of inputs differ in case only. */
bool sim_files_check_columns(const struct sim_experiment *experiment,
                             struct lib_diags *diags);

/* Compiles the programs for the strategies and settings of the compiler that runs have. All
 * parameters must have been read and laid out. Returns false and adds diagnostics on errors. */
bool sim_files_load_images(struct sim_experiment *experiment, struct lib_fields *r);

/* Compiles a loaded program for a strategy, an index in sim_strategy_names or SIM_STRATEGY_OWN, and
 * settings (NULL: defaults), unless that was done. `loop_bound` is the setting loop.bound, for
 * warnings. Returns NULL and adds diagnostics on errors. */
const struct sim_image *sim_files_load_image(struct sim_experiment_program *program,
                                             size_t strategy,
                                             const struct programs_settings *settings,
                                             uint64_t loop_bound,
                                             struct lib_diags *diags);

/* The strategy of which an image or an assembly text is. */
#define SIM_STRATEGY_OWN sim_strategy_count

/* Returns the program compiled for a strategy and settings, or NULL. */
const struct sim_image *sim_files_find_image(const struct sim_experiment_program *program,
                                             size_t strategy,
                                             const struct programs_settings *settings);

#endif
