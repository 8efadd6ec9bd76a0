/* The programs of an experiment: the values of its key `program`. Each is a file name, or a mapping
 * with a file, and perhaps a name and values of parameters for this program only. Such a parameter
 * may take the place of one of the experiment that has a single value.
 *
 * The axis of programs has a position for each program with each combination of values of the
 * parameters that only this program has. So the combinations of parameters are all combinations of
 * positions on the axes. */
#ifndef SIM_EXPERIMENT_SUITE_H
#define SIM_EXPERIMENT_SUITE_H

#include "sim/experiment/experiment.h"

/* Keys of a mapping in the list `program`. */
extern const struct lib_field_table sim_suite_keys;

/* Reads the key `program`, which is entry `i` of the file, and the parameters of single
 * programs. */
void sim_suite_read(struct lib_fields *r, size_t i, enum sim_values_repeats repeats,
                    struct sim_experiment *experiment, struct sim_values *values);

/* Names each program to which the file gives no name after its path, without folder and extension.
 * Where names are equal, adds as few parent folders as make them differ; else uses the file name
 * with its extension, or the path. Adds an error if names are equal even so. */
void sim_suite_name(struct sim_experiment *experiment, struct lib_fields *r);

/* Computes which positions each program has on the axis of programs: one for each combination of
 * values of its own parameters. All parameters must have been read. Adds an error if a parameter of
 * one program would replace one that has several values for all programs. */
void sim_suite_lay_out(struct sim_experiment *experiment, struct lib_fields *r);

/* Returns the entry of the program at position `place`; NULL if no program has parameters of its
 * own. Positions count each program once for each combination of values of its own parameters. */
const struct sim_entry *sim_suite_find(const struct sim_experiment *experiment,
                                       size_t place);

/* Returns the value at position `place` of `param`, which is a parameter of the program of `entry`
 * only. Positions count each program once for each combination of values of its own parameters. */
static inline const struct sim_value *sim_suite_value(const struct sim_entry *entry,
                                                      const struct sim_param *param,
                                                      size_t place)
{
    size_t i = (place - entry->first) / param->stride % param->values.list.count;
    return &param->values.list.items[i];
}

/* Returns the parameter `name` that only the program of experiment->entries[e] has, or NULL. */
const struct sim_param *sim_suite_own(const struct sim_experiment *experiment, size_t e,
                                      const char *name);

#endif
