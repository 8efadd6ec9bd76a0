#include "programs/types/on_class.h"

#include <inttypes.h>
#include <string.h>

/* Returns the directive for the equation that begins at `pos`, or NULL. */
static const struct programs_placing *find_placing(const struct programs_ast *ast,
                                                   struct lib_pos pos)
{
    for (size_t i = 0; i < ast->placing_count; i++) {
        const struct programs_placing *p = &ast->placings[i];
        if (p->class && p->lines.first <= pos.line && pos.line <= p->lines.last)
            return p;
    }
    return NULL;
}

const char *programs_class_at(const struct programs_ast *ast, struct lib_pos pos)
{
    const struct programs_placing *p = find_placing(ast, pos);
    return p ? p->class : NULL;
}

static void refuse(const struct programs_ast *ast, struct lib_pos pos, const char *what,
                   struct lib_diags *diags)
{
    const struct programs_placing *p = find_placing(ast, pos);
    if (p)
        lib_diag_error(diags, LIB_DIAG_SYNTAX, ast->source, p->lines.pos,
                       "`--# on` places functions, constants and params, not %s", what);
}

/* Places a used constant, where *first, the first one that has a class, is. */
static void place_constant(struct programs_ast *ast, const struct programs_equation *q,
                           const struct programs_placing **first, struct lib_diags *diags)
{
    const struct programs_placing *p = find_placing(ast, q->names[0]->pos);
    if (!p)
        return;
    if (*first && strcmp((*first)->class, p->class) != 0)
        lib_diag_error(diags, LIB_DIAG_MEANING, ast->source, p->lines.pos,
                       "constants are at one PE, that of the top level: expected class "
                       "`%s`, as in line %" PRIu32 ", found `%s`",
                       (*first)->class, (*first)->lines.pos.line, p->class);
    *first = *first ? *first : p;
}

void programs_place_top(struct programs_ast *ast, struct lib_diags *diags)
{
    const struct programs_placing *first = NULL;
    for (size_t i = 0; i < ast->input_count; i++)
        refuse(ast, ast->inputs[i]->binding->pos, "inputs", diags);
    for (size_t i = 0; i < ast->datatype_count; i++)
        if (!ast->datatypes[i]->is_predefined)
            refuse(ast, ast->datatypes[i]->pos, "types of data", diags);
    for (size_t i = 0; i < ast->constant_count; i++) {
        const struct programs_equation *q = ast->constants[i];
        if (q->port)
            refuse(ast, q->names[0]->pos, "ports", diags);
        else if (q->used)
            place_constant(ast, q, &first, diags);
    }
    ast->on = first ? first->class : NULL;
}
