/* Reads the parameters of an experiment: settings, inputs, grid, zip, and keys such as `program`.
 * Checks their values as far as no program is needed. */
#ifndef SIM_EXPERIMENT_PARAMS_H
#define SIM_EXPERIMENT_PARAMS_H

#include "sim/experiment/experiment.h"

/* Place of a parameter in the file, which decides what it may be. */
enum sim_params_place {
    SIM_PARAMS_TOP,      /* program, strategy, machine, seed, window, energy */
    SIM_PARAMS_SETTINGS, /* settings.KEY */
    SIM_PARAMS_INPUTS,   /* inputs.NAME */
    SIM_PARAMS_LIMITS,   /* limits.KEY, which are settings too */
    SIM_PARAMS_TRAIN,    /* train.OPTION */
    SIM_PARAMS_GRID,     /* below `grid`: any of the above */
};

/* Reads the parameters of entry `i` of the file. */
void sim_params_read(struct lib_fields *r, size_t i, enum sim_params_place place,
                     struct sim_experiment *experiment);

/* Reads `zip`, entry `i`: a mapping, or a list of mappings. */
void sim_params_read_zip(struct lib_fields *r, size_t i,
                         struct sim_experiment *experiment);

/* Like the two functions above, for own parameters of the newest program in `entries`, whose keys
 * begin with `prefix` more characters. */
void sim_params_read_own(struct lib_fields *r, size_t i, enum sim_params_place place,
                         size_t prefix, struct sim_experiment *experiment);
void sim_params_read_own_zip(struct lib_fields *r, size_t i, size_t prefix,
                             struct sim_experiment *experiment);

/* Parses the text of a setting; files are looked for in `folder`. Returns false and adds the reason
 * to `why` if it is invalid. */
bool sim_params_understand_setting(struct sim_experiment *experiment,
                                   const struct machine_setting *setting,
                                   const char *folder, struct sim_value *value,
                                   struct lib_text *why);

/* Sets a setting to a value that was parsed. */
void sim_params_put_setting(struct machine_settings *settings,
                            const struct machine_setting *setting,
                            const struct sim_value *value);

/* Sets an option of training to the value of a parameter. */
void sim_params_put_option(struct sim_training_options *options,
                           const struct sim_training_option *option,
                           const struct sim_value *value);

/* Returns the parameter `name` among those from index `from` up to `to` - 1, or NULL. */
struct sim_param *sim_params_find(const sim_param_list *list, size_t from, size_t to,
                                  const char *name);

enum {
    SIM_MAX_FILES = 1000
}; /* for programs and for machines, as names are searched linearly */

/* Adds default parameters that every run needs and the file does not give. */
void sim_params_complete(struct sim_experiment *experiment);

#endif
