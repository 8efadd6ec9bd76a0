/* Loads the programs and machines that an experiment file names, and checks what needs them, as the
 * values of inputs. Each program is compiled once. */
#ifndef SIM_EXPERIMENT_FILES_H
#define SIM_EXPERIMENT_FILES_H

#include "sim/experiment/experiment.h"

/* Loads the files and makes the columns of the experiment's results. Errors are reported where the
 * experiment names a file. Returns false without columns if a program cannot be loaded. */
bool sim_files_load(struct sim_experiment *experiment, struct lib_fields *r);

/* Checks the values of inputs with the loaded programs. An input that the file sets for all
 * programs must exist in each. */
void sim_files_check_inputs(const struct sim_experiment *experiment,
                            struct lib_fields *r);

/* Whether a database table can have the columns of the experiment: they are not too many, and names
 * differ by more than case. */
bool sim_files_check_columns(const struct sim_experiment *experiment,
                             struct lib_diags *diags);

/* Compiles the graphs of a loaded program for one strategy. Returns false and adds diagnostics on
 * errors. */
bool sim_files_load_images(struct sim_experiment_program *program, unsigned strategy,
                           struct lib_diags *diags);

#endif
