#include "programs/param_extents.h"

#include "programs/syntax/parse.h"
#include "programs/syntax/print.h"

static bool is_open(const struct programs_equation *q)
{
    for (size_t i = 0; q->param && i < q->param->rank; i++)
        if (q->value->operands[i]->kind != PROGRAMS_EXPR_INT)
            return true;
    return false;
}

static void add_extents(const struct programs_equation *q, struct lib_text *declared,
                        struct lib_text *found)
{
    for (size_t i = 0; i < q->param->rank; i++) {
        lib_text_puts(declared, declared->length ? ", " : "");
        programs_print_expr(q->value->operands[i], declared);
        lib_text_printf(found, ", shape(%s)[%zu]", q->names[0]->name, i);
    }
}

size_t programs_param_extents_find(struct programs_param_extents *extents,
                                   struct lib_arena *arena,
                                   const struct lib_source *source, size_t first,
                                   size_t most)
{
    struct lib_diags diags = {0};
    LIB_TEXT_OWN declared = {0}, found = {0};
    const struct programs_ast *ast = programs_parse(arena, source, &diags);
    struct programs_open_param *params = LIB_ARENA_ARRAY(
        arena, struct programs_open_param, most);
    size_t at = first;
    *extents = (struct programs_param_extents){.params = params};
    for (; ast && !diags.errors && at < ast->constant_count && extents->count < most;
         at++) {
        const struct programs_equation *q = ast->constants[at];
        if (!is_open(q))
            continue;
        params[extents->count++] = (struct programs_open_param){
            q->names[0]->name, q->names[0]->pos, q->param->rank};
        add_extents(q, &declared, &found);
    }
    extents->result = lib_arena_printf(arena, "result = (%s%s)\n",
                                       lib_text_get(&declared), lib_text_get(&found));
    lib_diags_free(&diags);
    return at;
}
