/* The programs of an experiment: the values of `program`, of which each is the name of a file,
 * or a mapping with a file and parameters that this program has of its own.
 *
 * Each value has a stretch of the programs' axis, with a place for every combination of its
 * own parameters: so the runs of the experiment are still all combinations of its axes. */
#ifndef SIM_EXPERIMENT_SUITE_H
#define SIM_EXPERIMENT_SUITE_H

#include "sim/experiment/experiment.h"

/* The keys of such a mapping. */
extern const struct lib_field_table sim_suite_keys;

/* Reads the values of `program`, entry `i`, and what the programs have of their own. */
void sim_suite_read(struct lib_fields *r, size_t i, enum sim_values_repeats repeats,
                    struct sim_experiment *experiment, struct sim_values *values);

/* Names the programs whose names are not given: by the file, without folder and ending; where
 * several would have one name, with the shortest folders that tell them apart. */
void sim_suite_name(struct sim_experiment *experiment, struct lib_fields *r);

/* Lays out the axis of programs, when all parameters are known, and checks what programs have
 * of their own beside what all have. */
void sim_suite_lay_out(struct sim_experiment *experiment, struct lib_fields *r);

/* The entry in whose stretch a place of the axis is; NULL where there are no entries. */
const struct sim_entry *sim_suite_find(const struct sim_experiment *experiment,
                                       size_t place);

/* What a parameter of an entry has there. */
static inline const struct sim_value *sim_suite_value(const struct sim_entry *entry,
                                                      const struct sim_param *param,
                                                      size_t place)
{
    size_t i = (place - entry->first) / param->stride % param->values.list.count;
    return &param->values.list.items[i];
}

/* The parameter of that name that entry number `e` has of its own, or NULL. */
const struct sim_param *sim_suite_own(const struct sim_experiment *experiment, size_t e,
                                      const char *name);

#endif
