#include "sim/cli/output_options.h"

#include <string.h>

error_t sim_publish_parse(int key, char *text, const struct argp_state *state,
                          struct sim_publish *publish)
{
    if (text && !*text)
        sim_options_wrong(state->name, "the name of a file is empty");
    if (text && strcmp(text, "-") == 0)
        sim_options_wrong(state->name, "results are written to files, which need a name");
    switch (key) {
    case SIM_KEY_OUTPUTS:
        publish->outputs = text;
        return 0;
    case SIM_KEY_CSV:
        publish->csv = text;
        return 0;
    case SIM_KEY_JSON_FILE:
        publish->json = text;
        return 0;
    case SIM_KEY_DETAILS + TRACES_DETAIL_SERIES:
    case SIM_KEY_DETAILS + TRACES_DETAIL_PROFILE:
    case SIM_KEY_DETAILS + TRACES_DETAIL_PE:
    case SIM_KEY_DETAILS + TRACES_DETAIL_LINKS:
    case SIM_KEY_DETAILS + TRACES_DETAIL_EPOCHS:
        publish->details[key - SIM_KEY_DETAILS] = text;
        return 0;
    case SIM_KEY_HOST:
        publish->host = TRACES_EXPORT_WITH_HOST;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const char *sim_figure_path(const char *text, const char *command)
{
    if (!sim_figure_form(text))
        sim_options_wrong(command,
                          "--figure: expected a name that ends with .pdf, .svg or .png, "
                          "found `%s`",
                          text);
    return text;
}

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
    const size_t length = strcspn(text, "=");
    if (length == 0 || text[length] == '\0' || !ends_in_npy(text + length + 1))
        sim_options_wrong(
            state->name,
            "--out: expected NAME=FILE.npy, found `%s'; NAME is `result' or a "
            "constant of the program",
            text);
    char *name = lib_mem_new(length + 1);
    memcpy(name, text, length);
    *LIB_VEC_PUSH(&files->names) = name;
    *LIB_VEC_PUSH(&files->paths) = text + length + 1;
    return 0;
}
