/* Tensors of a run as files: `hiaton run --out NAME=FILE.npy'. */
#ifndef SIM_OUTPUTS_TENSOR_FILES_H
#define SIM_OUTPUTS_TENSOR_FILES_H

#include "lib/memory.h"
#include "sim/cli/options.h"
#include "sim/session/simulation.h"

/* Start with {0}; give back with sim_tensor_files_free. */
struct sim_tensor_files {
    LIB_VEC(const char *) names; /* of the tensors; owned, */
    LIB_VEC(const char *) paths; /* and where each goes: borrowed */
};

enum { SIM_KEY_OUT = 0x4a0 };
#define SIM_TENSOR_FILES_OPTIONS                                                         \
    {                                                                                    \
        "out", SIM_KEY_OUT, "NAME=FILE", 0,                                              \
            "Write a tensor, `result' or a constant that the program names, as "         \
            "FILE.npy; "                                                                 \
            "repeatable",                                                                \
            0                                                                            \
    }

/* ARGP_ERR_UNKNOWN if the key is none of these; ends the process if a value is wrong. */
error_t sim_tensor_files_parse(int key, const char *text, const struct argp_state *state,
                               struct sim_tensor_files *files);
enum sim_status sim_tensor_files_check(const struct sim_tensor_files *files,
                                       const struct sim_voice *voice);
void sim_tensor_files_observe(const struct sim_tensor_files *files,
                              struct sim_simulation_config *config);
enum sim_status sim_tensor_files_put(const struct sim_tensor_files *files,
                                     const struct sim_voice *voice,
                                     const struct sim_ending *ending);
void sim_tensor_files_free(struct sim_tensor_files *files);

#endif
