/* Reads the parameters of an experiment: the keys `settings`, `inputs`, `grid`, `zip`, and single
 * ones such as `program`. Checks values, unless that needs a loaded program. */
#ifndef SIM_EXPERIMENT_PARAMS_H
#define SIM_EXPERIMENT_PARAMS_H

#include "sim/experiment/experiment.h"

/* Section of the file in which a parameter is given; decides which names are valid. */
enum sim_params_place {
    SIM_PARAMS_TOP,      /* top level: program, strategy, machine, seed, window, energy */
    SIM_PARAMS_SETTINGS, /* parameters settings.KEY */
    SIM_PARAMS_INPUTS,   /* parameters inputs.NAME */
    SIM_PARAMS_LIMITS,   /* settings whose key begins with `limits.` */
    SIM_PARAMS_TRAIN,    /* parameters train.OPTION */
    SIM_PARAMS_GRID,     /* parameters below the key `grid` or `zip`: any of the above */
};

/* Reads the parameters in entry `i` of the file, which is in section `place`. */
void sim_params_read(struct lib_fields *r, size_t i, enum sim_params_place place,
                     struct sim_experiment *experiment);

/* Reads the key `zip` (parameters that vary together), entry `i` of the file: a mapping, or a list
 * of mappings. */
void sim_params_read_zip(struct lib_fields *r, size_t i,
                         struct sim_experiment *experiment);

/* Variants of sim_params_read and sim_params_read_zip for parameters of one program only: the last
 * in experiment->entries. `prefix` is the length of what the keys of entries begin with: the key of
 * the program's mapping and a dot. */
void sim_params_read_own(struct lib_fields *r, size_t i, enum sim_params_place place,
                         size_t prefix, struct sim_experiment *experiment);
void sim_params_read_own_zip(struct lib_fields *r, size_t i, size_t prefix,
                             struct sim_experiment *experiment);

/* Parses the text of a setting's value; relative paths start from `folder`. Returns false and
 * appends the reason to `why` if it is invalid. */
bool sim_params_understand_setting(struct sim_experiment *experiment,
                                   const struct lib_setting *setting, const char *folder,
                                   struct sim_value *value, struct lib_text *why);

/* Sets `setting` to a parsed value. */
void sim_params_put_setting(struct sim_settings *settings,
                            const struct lib_setting *setting,
                            const struct sim_value *value);

/* Sets a training option to a value that was checked before. */
void sim_params_put_option(struct sim_training_options *options,
                           const struct sim_training_option *option,
                           const struct sim_value *value);

/* Returns the parameter called `name` among list->items[from] to list->items[to - 1], or NULL. */
struct sim_param *sim_params_find(const sim_param_list *list, size_t from, size_t to,
                                  const char *name);

/* Maximum number of programs, and of machines, in an experiment: they are searched one by one. */
enum { SIM_MAX_FILES = 1000 };

/* Adds default values of the parameters that every run needs and the file does not give. */
void sim_params_complete(struct sim_experiment *experiment);

#endif
