/* The graph builder: loops (paper 1, figure 1; paper 2, section 4.2).
 *
 * A loop has a label of its own, like a call site, and a pseudo-function whose parameters are its
 * variables, which circulate. Each variable has
 *
 *   ENTER     for its initial value;
 *   MERGE     which passes it on in each iteration;
 *   SWITCHes  made as for a conditional when something first uses it: the condition decides
 *             between the body and the way out;
 *   NEXT      for its next value;
 *   EXIT      if something after the loop uses it.
 *
 * A value from outside is a constant of the loop: a HOLD keeps it, and the loop has it as the
 * immediate `held`; or it circulates like a variable that does not change, as loop.constants says.
 * A constant of the program is READ in each iteration. No node in a loop fires at the start: a
 * trigger comes from the only variable, or from a token that circulates for that purpose. The
 * operand of `return` is outside the loop. */
#include "programs/graph/builder.h"
#include "programs/types/type.h"

/* Adds a LOOP of the used variables of a loop, with their initial values. */
static struct form_entry *enter_variables(struct programs_builder *b,
                                          struct form_entry *declare,
                                          const struct programs_expr *e)
{
    const struct form_place p = b->at;
    const struct programs_loop *l = e->loop;
    struct programs_values *parts = LIB_ARENA_ARRAY(b->scratch, struct programs_values,
                                                    l->count);
    uint32_t width = 0, at = 0;
    for (size_t n = 0; n < l->count; n++)
        if (l->names[n]->used) {
            parts[n] = programs_build_expr(b, programs_loop_initial(e, n));
            width += parts[n].count;
        }
    struct form_entry *loop = form_add_entry(p, FORM_LOOP);
    struct form_name *names = LIB_ARENA_ARRAY(b->scratch, struct form_name, width);
    loop->early = declare;
    loop->names = names;
    form_add_blocks(p, loop);
    for (size_t n = 0; n < l->count; n++) {
        if (!l->names[n]->used)
            continue;
        const struct programs_values inside = programs_build_values(b, parts[n].count);
        const uint32_t first = at;
        for (uint32_t k = 0; k < inside.count; k++, at++) {
            const uint32_t initial = parts[n].items[k];
            names[at] = (struct form_name){
                programs_build_part_name(b, l->names[n], k, inside.count),
                l->names[n]->pos};
            form_add_operand(p, loop, initial);
            inside.items[k] = form_add_result(p, loop, form_type(b->at.form, initial));
        }
        programs_build_bind(b, l->names[n], inside)->variable = first;
    }
    return loop;
}

static void build_body(struct programs_builder *b, struct form_entry *loop,
                       const struct programs_expr *e)
{
    struct form_block *body = &loop->blocks[1];
    loop->inner =
        programs_build_in(b, &loop->blocks[0], programs_loop_condition(e)).items[0];
    uint32_t variable = 0;
    for (size_t n = 0; n < e->loop->count; n++) {
        if (!e->loop->names[n]->used)
            continue;
        const struct programs_expr *next = programs_loop_next(e, n);
        const struct programs_values v = programs_build_in(b, body, next);
        for (uint32_t k = 0; k < v.count; k++) {
            const struct form_place p = form_at(body, next->pos);
            struct form_entry *made = form_add_entry(p, FORM_NEXT);
            made->early = loop;
            made->index = variable++;
            form_add_operand(p, made, v.items[k]);
        }
    }
}

uint32_t programs_build_exit(struct form_place p, struct form_entry *loop,
                             uint32_t variable)
{
    struct form_entry *made = form_add_entry(p, FORM_EXIT);
    made->early = loop;
    made->index = variable;
    return form_add_result(p, made, form_type(p.form, loop->results.items[variable]));
}

static struct programs_values exit_all(struct programs_builder *b,
                                       struct form_entry *loop)
{
    struct programs_values v = programs_build_values(b, loop->results.count);
    for (uint32_t k = 0; k < v.count; k++)
        v.items[k] = programs_build_exit(b->at, loop, k);
    return v;
}

struct programs_values programs_build_loop(struct programs_builder *b,
                                           const struct programs_expr *e)
{
    const size_t outer = b->bound.count;
    const struct form_place p = b->at;
    struct form_entry *declare = form_add_entry(p, FORM_DECLARE);
    declare->inner = e->loop->bound;
    struct form_entry *loop = enter_variables(b, declare, e);
    build_body(b, loop, e);
    for (size_t i = outer; i < b->bound.count; i++)
        b->bound.items[i].loop = loop;
    const struct programs_values v = e->loop->returns
                                         ? programs_build_expr(b, programs_loop_result(e))
                                         : exit_all(b, loop);
    b->bound.count = outer;
    form_add_entry(p, FORM_CLOSE)->early = loop;
    return v;
}
