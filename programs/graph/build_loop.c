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

/* Enters the used variables of a loop with their initial values. Returns the number of their
 * parts. */
static uint32_t enter_variables(struct programs_builder *b, struct region *r,
                                struct region_loop *loop, const struct programs_expr *e)
{
    const struct programs_loop *l = e->loop;
    struct programs_values *parts = LIB_ARENA_ARRAY(b->arena, struct programs_values,
                                                    l->count);
    uint32_t width = 0;
    for (size_t n = 0; n < l->count; n++)
        if (l->names[n]->used)
            parts[n] = programs_build_expr(b, r, programs_loop_initial(e, n));
    for (size_t n = 0; n < l->count; n++) {
        if (!l->names[n]->used)
            continue;
        struct programs_values inside = programs_build_values(b, parts[n].count);
        for (uint32_t k = 0; k < inside.count; k++)
            inside.items[k] = region_loop_enter(
                loop, parts[n].items[k],
                programs_build_part_name(b, l->names[n], k, inside.count),
                l->names[n]->pos);
        programs_build_bind(b, l->names[n], inside)->variable = width;
        width += inside.count;
    }
    return width;
}

static void build_body(struct programs_builder *b, struct region_loop *loop,
                       const struct programs_expr *e)
{
    struct region *header = region_loop_header(loop);
    struct region *body = region_loop_test(
        loop, programs_build_one(b, header, programs_loop_condition(e)));
    uint32_t variable = 0;
    for (size_t n = 0; n < e->loop->count; n++) {
        if (!e->loop->names[n]->used)
            continue;
        const struct programs_expr *next = programs_loop_next(e, n);
        struct programs_values v = programs_build_expr(b, body, next);
        for (uint32_t k = 0; k < v.count; k++)
            region_loop_next(loop, variable++, v.items[k], next->pos);
    }
}

static struct programs_values exit_all(struct programs_builder *b,
                                       struct region_loop *loop, uint32_t width,
                                       struct lib_pos pos)
{
    struct programs_values v = programs_build_values(b, width);
    for (uint32_t k = 0; k < width; k++)
        v.items[k] = region_loop_exit(loop, k, pos);
    return v;
}

struct programs_values programs_build_loop(struct programs_builder *b, struct region *r,
                                           const struct programs_expr *e)
{
    const size_t outer = b->bound_count;
    struct region_loop *loop = region_loop_open(r, "loop", e->loop->bound, e->pos);
    uint32_t width = enter_variables(b, r, loop, e);
    build_body(b, loop, e);
    for (size_t i = outer; i < b->bound_count; i++)
        b->bound[i].loop = loop;
    struct programs_values v = e->loop->returns
                                   ? programs_build_expr(b, r, programs_loop_result(e))
                                   : exit_all(b, loop, width, e->pos);
    b->bound_count = outer;
    region_loop_close(loop);
    return v;
}
