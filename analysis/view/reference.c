#include "analysis/view/reference.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " ");
}

/* "y = x", "y = 1.5", "x = 4". */
static bool parse(const char *text, struct analysis_reference *reference)
{
    const char *p = skip_blanks(text), letter = *p;
    if (letter != 'x' && letter != 'y')
        return false;
    p = skip_blanks(p + 1);
    if (*p != '=')
        return false;
    p = skip_blanks(p + 1);
    reference->kind = letter == 'x' ? ANALYSIS_REFERENCE_X : ANALYSIS_REFERENCE_Y;
    if (letter == 'y' && *p == 'x' && !*skip_blanks(p + 1)) {
        reference->kind = ANALYSIS_REFERENCE_DIAGONAL;
        return true;
    }
    return lib_text_to_real(p, &reference->at) && isfinite(reference->at);
}

static void read_line(struct lib_fields *r, size_t i, void *into)
{
    struct analysis_reference *reference = into;
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    reference->pos = e->value_pos;
    if (e->kind != LIB_YAML_SCALAR || !parse(e->value, reference))
        lib_fields_expected(r, i, "`y = x`, `y = NUMBER` or `x = NUMBER`");
}

static const struct lib_field fields[] = {
    {.name = "line",
     .read = read_line,
     .value = "y = x, y = NUMBER or x = NUMBER",
     .help = "The line"},
    {.name = "label",
     .kind = LIB_FIELD_TEXT,
     .at = offsetof(struct analysis_reference, label),
     .value = "TEXT",
     .help = "What it is called"},
};

const struct lib_field_table analysis_reference_keys = {fields,
                                                        sizeof fields / sizeof *fields};

static void read_one(struct lib_fields *r, size_t i, analysis_reference_list *references)
{
    struct analysis_reference *reference = LIB_VEC_PUSH(references);
    size_t errors = r->diags->errors;
    *reference = (struct analysis_reference){0};
    if (lib_fields_entry(r, i)->kind != LIB_YAML_MAPPING) {
        read_line(r, i, reference);
        return;
    }
    lib_fields_mapping(r, i, "a reference line", fields, sizeof fields / sizeof fields[0],
                       reference);
    if (!reference->pos.line && r->diags->errors == errors)
        lib_fields_wrong(r, i, "the reference line has no `line`: `y = x`, say");
}

void analysis_references_read(struct lib_fields *r, size_t i,
                              analysis_reference_list *references)
{
    if (lib_fields_entry(r, i)->kind != LIB_YAML_SEQUENCE)
        read_one(r, i, references);
    else
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
            read_one(r, c, references);
}
