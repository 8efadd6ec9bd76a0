#include "sim/cli/output_options.h"

#include <string.h>

bool sim_figure_take(void *path, const char *text, struct lib_text *why)
{
    *(const char **)path = text;
    if (!sim_figure_form(text))
        lib_text_printf(
            why, "expected a name that ends with .pdf, .svg or .png, found `%s`", text);
    return !why->length;
}

static bool ends_in_npy(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

bool sim_tensor_files_take(void *place, const char *text, struct lib_text *why)
{
    struct sim_tensor_files *files = place;
    const size_t length = strcspn(text, "=");
    if (length == 0 || text[length] == '\0' || !ends_in_npy(text + length + 1)) {
        lib_text_printf(why,
                        "expected NAME=FILE.npy, found `%s'; NAME is `result' or a "
                        "constant of the program",
                        text);
        return false;
    }
    char *name = lib_mem_new(length + 1);
    memcpy(name, text, length);
    *LIB_VEC_PUSH(&files->names) = name;
    *LIB_VEC_PUSH(&files->paths) = text + length + 1;
    return true;
}
