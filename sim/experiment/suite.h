/* The programs of an experiment: the values of its key `program`. Each value is a file name, or a
 * mapping with a file and parameters that belong to this program only.
 *
 * The axis of programs has a place for every combination of a program's own parameters; those of
 * one program are adjacent. So the runs of the experiment are still all combinations of its
 * axes. */
#ifndef SIM_EXPERIMENT_SUITE_H
#define SIM_EXPERIMENT_SUITE_H

#include "sim/experiment/experiment.h"

/* The keys of a mapping in `program`. */
extern const struct lib_field_table sim_suite_keys;

/* Reads the values of `program`, entry `i` of the file, and the own parameters of programs. */
void sim_suite_read(struct lib_fields *r, size_t i, enum sim_values_repeats repeats,
                    struct sim_experiment *experiment, struct sim_values *values);

/* Names the programs that have no name in the file after their path, without folder and ending.
 * Programs of the same name get the shortest folders that tell them apart. */
void sim_suite_name(struct sim_experiment *experiment, struct lib_fields *r);

/* Makes the axis of programs when all parameters are known, and checks the own parameters of
 * programs against those of all programs. */
void sim_suite_lay_out(struct sim_experiment *experiment, struct lib_fields *r);

/* Returns the program entry to which a place of the axis belongs, or NULL if there are no
 * entries. */
const struct sim_entry *sim_suite_find(const struct sim_experiment *experiment,
                                       size_t place);

/* Returns the value that a parameter of an entry has at a place of the axis. */
static inline const struct sim_value *sim_suite_value(const struct sim_entry *entry,
                                                      const struct sim_param *param,
                                                      size_t place)
{
    size_t i = (place - entry->first) / param->stride % param->values.list.count;
    return &param->values.list.items[i];
}

/* Returns the own parameter `name` of entry number `e`, or NULL. */
const struct sim_param *sim_suite_own(const struct sim_experiment *experiment, size_t e,
                                      const char *name);

#endif
