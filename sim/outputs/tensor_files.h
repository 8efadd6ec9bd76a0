/* Writes tensors of a run to files: `hiaton run --out NAME=FILE.npy`. */
#ifndef SIM_OUTPUTS_TENSOR_FILES_H
#define SIM_OUTPUTS_TENSOR_FILES_H

#include "lib/memory.h"
#include "sim/messages/messages.h"
#include "sim/session/simulation.h"

/* Tensors to write. Start with {0}; free with sim_tensor_files_free. */
struct sim_tensor_files {
    LIB_VEC(const char *) names; /* owned; names of the tensors */
    LIB_VEC(const char *) paths; /* borrowed; a file for each tensor */
};

enum sim_status sim_tensor_files_check(const struct sim_tensor_files *files,
                                       const struct sim_printer *printer);
void sim_tensor_files_observe(const struct sim_tensor_files *files,
                              struct sim_simulation_config *config);
enum sim_status sim_tensor_files_put(const struct sim_tensor_files *files,
                                     const struct sim_printer *printer,
                                     const struct sim_ending *ending);
void sim_tensor_files_free(struct sim_tensor_files *files);

#endif
