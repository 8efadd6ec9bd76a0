#include "sim/cli/reference_table.h"

#include <fnmatch.h>
#include <string.h>

enum sim_table_form sim_table_form(const struct sim_options *options,
                                   const struct sim_table_choice *choice)
{
    return options->json   ? SIM_TABLE_JSON
           : choice->scdoc ? SIM_TABLE_SCDOC
                           : SIM_TABLE_TEXT;
}

bool sim_table_wants(const char *pattern, const char *key)
{
    if (!pattern)
        return true;
    return strpbrk(pattern, "*?[") ? fnmatch(pattern, key, 0) == 0
                                   : strstr(key, pattern) != NULL;
}

void sim_scdoc_text(struct lib_text *out, const char *text)
{
    const char *start = text; /* where `-`, `.` and others begin lists and tables */
    for (const char *p = text; *p; p++) {
        if (strchr("\\*_`", *p) || (p == start && strchr("-.#|[]:", *p)))
            lib_text_puts(out, "\\");
        lib_text_add(out, p, 1);
    }
}

void sim_scdoc_entry(struct lib_text *out, const char *name, const char *detail,
                     const char *help)
{
    lib_text_puts(out, "*");
    sim_scdoc_text(out, name);
    lib_text_puts(out, "*");
    sim_scdoc_text(out, detail);
    lib_text_puts(out, "\n\t");
    sim_scdoc_text(out, help);
    lib_text_puts(out, "\n\n");
}

size_t sim_group_length(const char *key)
{
    return strcspn(key, ".");
}
