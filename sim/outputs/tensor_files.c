#include "sim/outputs/tensor_files.h"

#include <string.h>

static bool ends_in_npy(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

error_t sim_tensor_files_parse(int key, const char *text, const struct argp_state *state,
                               struct sim_tensor_files *files)
{
    if (key != SIM_KEY_OUT)
        return ARGP_ERR_UNKNOWN;
    const char *path = strchr(text, '=');
    if (!path || path == text || !ends_in_npy(path + 1))
        sim_options_wrong(
            state->name,
            "--out: expected NAME=FILE.npy, found `%s'; NAME is `result' or a "
            "constant of the program",
            text);
    char *name = lib_mem_new((size_t)(path - text) + 1);
    memcpy(name, text, (size_t)(path - text));
    *LIB_VEC_PUSH(&files->names) = name;
    *LIB_VEC_PUSH(&files->paths) = path + 1;
    return 0;
}

enum sim_status sim_tensor_files_check(const struct sim_tensor_files *files,
                                       const struct sim_voice *voice)
{
    for (size_t i = 0; i < files->paths.count; i++) {
        const enum sim_status status = sim_check_writable(voice, files->paths.items[i]);
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
                                     const struct sim_voice *voice,
                                     const struct sim_ending *ending)
{
    enum sim_status status = SIM_DONE;
    for (size_t i = 0; i < files->paths.count && status == SIM_DONE; i++)
        if (i < ending->tensor_count && ending->tensors[i].length)
            status = sim_put(voice, files->paths.items[i], &ending->tensors[i]);
    return status;
}

void sim_tensor_files_free(struct sim_tensor_files *files)
{
    for (size_t i = 0; i < files->names.count; i++)
        lib_mem_free((char *)files->names.items[i]);
    LIB_VEC_FREE(&files->names);
    LIB_VEC_FREE(&files->paths);
}
