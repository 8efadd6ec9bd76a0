/* Tensors of a run as files: `hiaton run --out NAME=FILE.npy'. */
#ifndef SIM_OUTPUTS_TENSOR_FILES_H
#define SIM_OUTPUTS_TENSOR_FILES_H

#include "lib/memory.h"
#include "sim/messages/messages.h"
#include "sim/session/simulation.h"

/* Start with {0}; give back with sim_tensor_files_free. */
struct sim_tensor_files {
    LIB_VEC(const char *) names; /* of the tensors; owned, */
    LIB_VEC(const char *) paths; /* and where each goes: borrowed */
};

enum sim_status sim_tensor_files_check(const struct sim_tensor_files *files,
                                       const struct sim_voice *voice);
void sim_tensor_files_observe(const struct sim_tensor_files *files,
                              struct sim_simulation_config *config);
enum sim_status sim_tensor_files_put(const struct sim_tensor_files *files,
                                     const struct sim_voice *voice,
                                     const struct sim_ending *ending);
void sim_tensor_files_free(struct sim_tensor_files *files);

#endif
