/* The parameters of an experiment, as its file gives them: settings, inputs, grid, zip and
 * the keys that are parameters themselves. What their values mean is checked as far as
 * no program is needed for it. */
#ifndef SIM_EXPERIMENT_PARAMS_H
#define SIM_EXPERIMENT_PARAMS_H

#include "sim/experiment/experiment.h"

/* Where a parameter stands decides which it may be. */
enum sim_params_place {
    SIM_PARAMS_TOP,      /* program, strategy, machine, seed, window, energy */
    SIM_PARAMS_SETTINGS, /* settings.KEY */
    SIM_PARAMS_INPUTS,   /* inputs.NAME */
    SIM_PARAMS_LIMITS,   /* limits.KEY, which are settings */
    SIM_PARAMS_TRAIN,    /* train.OPTION */
    SIM_PARAMS_GRID,     /* all */
};

/* Reads the parameters that entry `i` of the file gives. */
void sim_params_read(struct lib_fields *r, size_t i, enum sim_params_place place,
                     struct sim_experiment *experiment);

/* Reads `zip`: a mapping, or a list of mappings. */
void sim_params_read_zip(struct lib_fields *r, size_t i,
                         struct sim_experiment *experiment);

/* The same for what the newest entry of the experiment has of its own: keys of entry `i` have
 * `prefix` characters more before what they say. */
void sim_params_read_own(struct lib_fields *r, size_t i, enum sim_params_place place,
                         size_t prefix, struct sim_experiment *experiment);
void sim_params_read_own_zip(struct lib_fields *r, size_t i, size_t prefix,
                             struct sim_experiment *experiment);

/* Fills in what the text of a setting's value means; or says why it means nothing. Files are looked
 * for in `folder`. */
bool sim_params_understand_setting(struct sim_experiment *experiment,
                                   const struct machine_setting *setting,
                                   const char *folder, struct sim_value *value,
                                   struct lib_text *why);

/* Puts such a value. */
void sim_params_put_setting(struct machine_settings *settings,
                            const struct machine_setting *setting,
                            const struct sim_value *value);

/* Gives an option of training the value that a parameter has there. */
void sim_params_put_option(struct sim_training_options *options,
                           const struct sim_training_option *option,
                           const struct sim_value *value);

/* The parameter of that name among those from place `from` up to `to`, or NULL. */
struct sim_param *sim_params_find(const sim_param_list *list, size_t from, size_t to,
                                  const char *name);

enum {
    SIM_MAX_FILES = 1000
}; /* programs, and machines: a name is found by a search of all */

/* Adds what every run has and the file does not give. */
void sim_params_complete(struct sim_experiment *experiment);

#endif
