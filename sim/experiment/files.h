/* Loads the programs, machines and energy tables that an experiment names, and checks the values of
 * program inputs. */
#ifndef SIM_EXPERIMENT_FILES_H
#define SIM_EXPERIMENT_FILES_H

#include "sim/experiment/experiment.h"

/* Loads the files that the experiment names, and sets experiment->columns. Errors have the position
 * of the file's name in the experiment file, which `r` reads. Returns false, without columns, if a
 * program cannot be loaded. */
bool sim_files_load(struct sim_experiment *experiment, struct lib_fields *r);

/* Checks the values of program inputs. An input that is set for all programs must exist in each. */
void sim_files_check_inputs(const struct sim_experiment *experiment,
                            struct lib_fields *r);

/* Whether a database table can hold the columns of the results. Adds an error if they are too many,
 * or if names of inputs differ in case only. */
bool sim_files_check_columns(const struct sim_experiment *experiment,
                             struct lib_diags *diags);

/* Fills program->images[strategy]: compiles a loaded program once for each combination of settings
 * that affect the compiler. `loop_bound` is the setting loop.bound, for warnings. Returns false and
 * adds diagnostics on errors. */
bool sim_files_load_images(struct sim_experiment_program *program, unsigned strategy,
                           uint64_t loop_bound, struct lib_diags *diags);

#endif
