/* `hiaton sweep emit': the shards of an experiment as jobs for Slurm, make and GNU parallel. */
#ifndef SIM_SWEEP_JOB_SCRIPTS_H
#define SIM_SWEEP_JOB_SCRIPTS_H

#include "sim/experiment/site.h"

/* The data of scripts; borrowed. */
struct sim_job_scripts {
    const char *path; /* path of the experiment, as given */
    const char *name; /* name of its results, without folder and ending */
    const struct sim_site *site;
    const char *const *inputs; /* files of programs and machines that it reads */
    size_t input_count;
    bool has_outputs; /* tables or figures */
};

/* Writes a job array for Slurm: task I is shard I, and task 0 merges them. */
void sim_job_scripts_slurm(const struct sim_job_scripts *emit, struct lib_text *out);

/* Writes a Makefile. Returns false, after an error, if make cannot have one of the names. */
bool sim_job_scripts_make(const struct sim_job_scripts *emit, struct lib_text *out,
                          struct lib_diags *diags);

/* Writes a script with a line for GNU parallel. */
void sim_job_scripts_parallel(const struct sim_job_scripts *emit, struct lib_text *out);

#endif
