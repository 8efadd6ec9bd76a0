#include "sim/cli/reference_table.h"

#include <fnmatch.h>
#include <string.h>

enum sim_status sim_table_put(const struct sim_options *options,
                              const struct sim_table_choice *choice,
                              void (*add)(const void *context, struct lib_findings *f),
                              const void *context)
{
    const enum lib_form form = options->json             ? LIB_FORM_JSON
                               : choice && choice->scdoc ? LIB_FORM_SCDOC
                                                         : LIB_FORM_TEXT;
    LIB_TEXT_OWN text = {0};
    lib_findings_write_from(form, NULL, add, context, &text);
    return sim_put(&options->printer, NULL, &text);
}

bool sim_table_wants(const char *pattern, const char *key)
{
    if (!pattern)
        return true;
    return strpbrk(pattern, "*?[") ? fnmatch(pattern, key, 0) == 0
                                   : strstr(key, pattern) != NULL;
}

size_t sim_group_length(const char *key)
{
    return strcspn(key, ".");
}
