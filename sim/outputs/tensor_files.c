#include "sim/outputs/tensor_files.h"

enum sim_status sim_tensor_files_check(const struct sim_tensor_files *files,
                                       const struct sim_printer *printer)
{
    for (size_t i = 0; i < files->paths.count; i++) {
        const enum sim_status status = sim_check_writable(printer, files->paths.items[i]);
        if (status != SIM_DONE)
            return status;
    }
    return SIM_DONE;
}

void sim_tensor_files_observe(const struct sim_tensor_files *files,
                              struct sim_simulation_config *config)
{
    config->tensors = files->names.items;
    config->tensor_count = files->names.count;
}

enum sim_status sim_tensor_files_put(const struct sim_tensor_files *files,
                                     const struct sim_printer *printer,
                                     const struct sim_ending *ending)
{
    enum sim_status status = SIM_DONE;
    for (size_t i = 0; i < files->paths.count && status == SIM_DONE; i++)
        if (i < ending->tensor_count && ending->tensors[i].length)
            status = sim_put(printer, files->paths.items[i], &ending->tensors[i]);
    return status;
}

void sim_tensor_files_free(struct sim_tensor_files *files)
{
    for (size_t i = 0; i < files->names.count; i++)
        lib_mem_free((char *)files->names.items[i]);
    LIB_VEC_FREE(&files->names, &files->paths);
}
