/* The files that an experiment names: its programs, compiled once, and its machines; and
 * what can be checked only with them, the inputs. */
#ifndef SIM_EXPERIMENT_FILES_H
#define SIM_EXPERIMENT_FILES_H

#include "sim/experiment/experiment.h"

/* Loads them, and makes the experiment's columns. What is wrong is told at the place where
 * the experiment names it. false: the columns are not there, because a program could not be
 * loaded. */
bool sim_files_load(struct sim_experiment *experiment, struct lib_fields *r);

/* Checks the values of inputs with the programs, which are loaded: what is given for all
 * programs must be an input of each. */
void sim_files_check_inputs(const struct sim_experiment *experiment,
                            struct lib_fields *r);

/* Returns whether a table can have the columns of the experiment: names differ by more than
 * case, and there are not too many. */
bool sim_files_check_columns(const struct sim_experiment *experiment,
                             struct lib_diags *diags);

/* Makes the images of a program that was opened, for one strategy. false after errors. */
bool sim_files_load_images(struct sim_experiment_program *program, unsigned strategy,
                           struct lib_diags *diags);

#endif
