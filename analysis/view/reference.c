#include "analysis/view/reference.h"

#include <math.h>
#include <stddef.h>

#include "lib/cursor.h"

/* "y = x", "y = 1.5", "x = 4". */
static bool parse(const char *text, struct analysis_reference *reference)
{
    struct lib_cursor c;
    lib_cursor_on(&c, text, NULL, NULL);
    c.blanks = " ";
    const bool is_x = lib_cursor_accept(&c, "x");
    if ((!is_x && !lib_cursor_accept(&c, "y")) || !lib_cursor_accept(&c, "="))
        return false;
    reference->kind = is_x                         ? ANALYSIS_REFERENCE_X
                      : lib_cursor_accept(&c, "x") ? ANALYSIS_REFERENCE_DIAGONAL
                                                   : ANALYSIS_REFERENCE_Y;
    const bool at_end = lib_cursor_at_end(&c);
    return reference->kind == ANALYSIS_REFERENCE_DIAGONAL
               ? at_end
               : lib_text_to_real(c.at, &reference->at) && isfinite(reference->at);
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
    LIB_FIELD("line", READ, "y = x, y = NUMBER or x = NUMBER", "The line",
              .read = read_line),
    LIB_FIELD("label", TEXT, "TEXT", "What it is called",
              .at = offsetof(struct analysis_reference, label)),
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
