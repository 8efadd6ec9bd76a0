/* `hiaton sweep emit': the shards of an experiment as work for engines that exist. */
#ifndef SIM_SWEEP_JOB_SCRIPTS_H
#define SIM_SWEEP_JOB_SCRIPTS_H

#include "sim/experiment/site.h"

/* What is written into scripts; borrowed. */
struct sim_job_scripts {
    const char *path; /* of the experiment, as given */
    const char *name; /* of its results: without folder and ending */
    const struct sim_site *site;
    const char *const *inputs; /* files of programs and machines that it reads */
    size_t input_count;
    bool has_outputs; /* tables or figures */
};

/* A job array for Slurm: task I is shard I, and task 0 puts them together. */
void sim_job_scripts_slurm(const struct sim_job_scripts *emit, struct lib_text *out);
/* A Makefile. false: a name that make cannot have, which is said. */
bool sim_job_scripts_make(const struct sim_job_scripts *emit, struct lib_text *out,
                          struct lib_diags *diags);
/* A script with a line for GNU parallel. */
void sim_job_scripts_parallel(const struct sim_job_scripts *emit, struct lib_text *out);

#endif
