/* `hiaton sweep emit`: scripts that run the shards (parts) of an experiment as jobs of Slurm, make
 * or GNU parallel. */
#ifndef SIM_SWEEP_JOB_SCRIPTS_H
#define SIM_SWEEP_JOB_SCRIPTS_H

#include "sim/experiment/site.h"

/* Data to write into a script; borrowed. */
struct sim_job_scripts {
    const char *path; /* path of the experiment, as the user wrote it */
    const char *name; /* name of the results file, without folder and extension */
    const struct sim_site *site;
    /* Files of programs and machines that the experiment reads. */
    const char *const *inputs;
    size_t input_count;
    bool has_outputs; /* the experiment has tables or figures */
};

/* Writes a job array for Slurm: task I runs shard I (a part of the experiment), and task 0 merges
 * the results. Returns false and adds a diagnostic if a line #SBATCH cannot have a name. */
bool sim_job_scripts_slurm(const struct sim_job_scripts *emit, struct lib_text *out,
                           struct lib_diags *diags);

/* Writes a Makefile. Returns false and adds a diagnostic if make cannot use a name. */
bool sim_job_scripts_make(const struct sim_job_scripts *emit, struct lib_text *out,
                          struct lib_diags *diags);

/* Writes a script that runs the shards (parts) of the experiment by GNU parallel. */
void sim_job_scripts_parallel(const struct sim_job_scripts *emit, struct lib_text *out);

#endif
