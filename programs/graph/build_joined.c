/* Arrays of elements of other arrays: comprehensions with more than one qualifier, `append` and
 * `subarray`.
 *
 *   [E | x <- a, p(x)]           TABULATE of p(x) for all x; SIFT; TABULATE of E for those
 *   [E | x <- a, y = f(x), p(y)] the same, with an array for y: it is computed once
 *   [E | x <- a, y <- f(x)]      TABULATE of [E | y <- f(x)] and its length for all x; EXPAND;
 *                                TABULATE of their elements
 *
 *   append(a, b), subarray(a, k, n)    TABULATE of their elements
 *
 * Other qualifiers are as those of the third one, by the arrays that the JOINED has. */
#include "programs/graph/builder.h"
#include "programs/types/type.h"

#include <string.h>

/* --- tables ------------------------------------------------------------------------------ */

/* Begins a TABULATE for `e` of `count` elements. Entries are added in its block from here on. */
static struct form_entry *start_table(struct programs_builder *b,
                                      const struct programs_expr *e, uint32_t count)
{
    const struct form_place p = b->at;
    struct form_entry *made = form_add_entry(p, FORM_TABULATE);
    programs_build_results(b, made, e->type);
    form_add_operand(p, made, count);
    form_add_blocks(p, made);
    made->inner = form_add_value(p.form,
                                 (struct form_value){.kind = FORM_MADE, .type = ISA_INT});
    b->at.block = &made->blocks[0];
    return made;
}

/* Stores the element, and returns the arrays. */
static struct form_ids end_table(struct programs_builder *b, struct form_entry *made,
                                 struct form_ids element, struct form_place outer)
{
    programs_build_store(b->at, made, 0, element);
    b->at = outer;
    return made->results;
}

/* --- conditions -------------------------------------------------------------------------- */

/* Whether a comprehension has only conditions behind its definitions. Sets *first to the first
 * condition, and *element to the array of the element. */
static bool has_conditions(const struct programs_expr *comprehension,
                           const struct programs_expr **first,
                           const struct programs_expr **element)
{
    const struct programs_expr *e = comprehension->operands[0];
    while (e->kind == PROGRAMS_EXPR_LET)
        e = e->let->body;
    for (*first = e; e->kind == PROGRAMS_EXPR_IF;)
        e = e->operands[1];
    *element = e;
    return e != *first && e->kind == PROGRAMS_EXPR_ARRAY;
}

/* Builds the conditions from `e` on: whether all of them hold. */
static uint32_t build_conditions(struct programs_builder *b,
                                 const struct programs_expr *e)
{
    const struct form_place p = programs_build_at(b, e->pos);
    const uint32_t holds = programs_build_one(b, e->operands[0]);
    if (e->operands[1]->kind != PROGRAMS_EXPR_IF)
        return holds;
    struct form_entry *branch = form_split(p, holds);
    b->at.block = &branch->blocks[0];
    const uint32_t rest = build_conditions(b, e->operands[1]);
    b->at.block = p.block;
    return form_merge(p, branch, rest, form_literal(p.form, ISA_BOOL, 0));
}

/* A step through the used names of the definitions before `first`. */
struct defined {
    const struct programs_expr *let, *first;
    size_t equation, name;
};

static const struct programs_binding *next_name(struct defined *d)
{
    while (d->let != d->first) {
        const struct programs_equation *q = d->let->let->equations[d->equation];
        if (q->used && d->name < q->name_count)
            return q->names[d->name++];
        d->name = 0;
        if (++d->equation == d->let->let->count) {
            d->equation = 0;
            d->let = d->let->let->body;
        }
    }
    return NULL;
}

/* Adds the entry that makes an array of whether the conditions hold, then those of definitions. */
static struct form_entry *build_bools(struct programs_builder *b,
                                      const struct programs_expr *comprehension,
                                      const struct programs_generator *from,
                                      const struct programs_expr *first)
{
    const struct form_place p = b->at;
    const struct programs_expr *definitions = comprehension->operands[0];
    const size_t outer = b->bound.count;
    struct form_entry *made = programs_build_table(b, comprehension, from);
    form_add_result(p, made, isa_type_array_of(ISA_BOOL));
    struct defined d = {definitions, first, 0, 0};
    for (const struct programs_binding *n; (n = next_name(&d));)
        programs_build_results(b, made, programs_type_new_array(b->arena, n->type));
    programs_build_start(b, comprehension, from, made);
    programs_build_names(b, comprehension, from, made->inner);
    for (const struct programs_expr *e = definitions; e != first; e = e->let->body)
        for (size_t i = 0; i < e->let->count; i++)
            if (e->let->equations[i]->used)
                programs_build_equation(b, e->let->equations[i]);
    struct form_ids stored = {0};
    form_push_id(b->scratch, &stored, build_conditions(b, first));
    d = (struct defined){definitions, first, 0, 0};
    for (const struct programs_binding *n; (n = next_name(&d));) {
        const struct form_ids v = programs_build_bound(b, n);
        for (uint32_t k = 0; k < v.count; k++)
            form_push_id(b->scratch, &stored, v.items[k]);
    }
    programs_build_store(programs_build_at(b, first->pos), made, 0, stored);
    b->bound.count = outer;
    b->at = p;
    return made;
}

/* Builds an array of the element where the conditions hold. */
static struct form_ids build_filtered(struct programs_builder *b,
                                      const struct programs_expr *comprehension,
                                      const struct programs_expr *first,
                                      const struct programs_expr *element)
{
    const struct form_place p = b->at;
    const size_t outer = b->bound.count;
    struct programs_generator from = programs_build_generator(b, comprehension);
    const struct form_entry *bools = build_bools(b, comprehension, &from, first);
    struct form_entry *sift = form_add_entry(p, FORM_SIFT);
    form_add_operand(p, sift, bools->results.items[0]);
    const uint32_t chosen = form_add_result(p, sift, isa_type_array_of(ISA_INT));
    const uint32_t count = form_add_result(p, sift, ISA_INT);
    struct form_entry *made = start_table(b, element, count);
    const uint32_t place = form_fetch(b->at, chosen, made->inner);
    programs_build_names(b, comprehension, &from, place);
    struct defined d = {comprehension->operands[0], first, 0, 0};
    uint32_t next = 1;
    for (const struct programs_binding *n; (n = next_name(&d));) {
        const uint32_t width = (uint32_t)programs_type_width(n->type);
        const struct form_ids arrays = {&bools->results.items[next], width, width};
        programs_build_bind(
            b, n, programs_build_fetch(b, programs_build_at(b, n->pos), arrays, place));
        next += width;
    }
    const struct form_ids v = programs_build_expr(b, element->operands[0]);
    b->at.pos = element->operands[0]->pos;
    b->bound.count = outer;
    return end_table(b, made, v, p);
}

/* --- parts ------------------------------------------------------------------------------- */

/* Adds the entry that makes arrays of the parts, then one of their lengths. */
static struct form_entry *build_parts(struct programs_builder *b,
                                      const struct programs_expr *comprehension)
{
    const struct form_place p = b->at;
    const size_t outer = b->bound.count;
    const struct programs_generator from = programs_build_generator(b, comprehension);
    struct form_entry *made = programs_build_table(b, comprehension, &from);
    programs_build_results(b, made, comprehension->type);
    form_add_result(p, made, isa_type_array_of(ISA_INT));
    programs_build_start(b, comprehension, &from, made);
    programs_build_names(b, comprehension, &from, made->inner);
    const struct form_ids part = programs_build_expr(b, comprehension->operands[0]);
    const struct form_place at = programs_build_at(b, comprehension->operands[0]->pos);
    struct form_ids stored = programs_build_values(b, part.count + 1);
    memcpy(stored.items, part.items, part.count * sizeof *part.items);
    stored.items[part.count] = form_length(at, part.items[0]);
    programs_build_store(at, made, 0, stored);
    b->bound.count = outer;
    b->at = p;
    return made;
}

/* Builds an array of the elements of all parts. */
static struct form_ids build_parts_joined(struct programs_builder *b,
                                          const struct programs_expr *e)
{
    const struct form_place p = b->at;
    const struct form_entry *parts = build_parts(b, e->operands[0]);
    const uint32_t width = parts->results.count - 1;
    struct form_entry *expand = form_add_entry(p, FORM_EXPAND);
    form_add_operand(p, expand, parts->results.items[width]);
    const uint32_t part = form_add_result(p, expand, isa_type_array_of(ISA_INT));
    const uint32_t index = form_add_result(p, expand, isa_type_array_of(ISA_INT));
    struct form_entry *made = start_table(b, e, form_length(p, part));
    const struct form_place at = b->at;
    const struct form_ids arrays = {parts->results.items, width, width};
    const struct form_ids one = programs_build_fetch(b, at, arrays,
                                                     form_fetch(at, part, made->inner));
    programs_build_store(
        at, made, 0,
        programs_build_fetch(b, at, one, form_fetch(at, index, made->inner)));
    b->at = p;
    return made->results;
}

struct form_ids programs_build_joined(struct programs_builder *b,
                                      const struct programs_expr *e)
{
    const struct form_place outer = b->at;
    const struct programs_expr *comprehension = e->operands[0], *first, *element;
    b->at = programs_build_at(b, e->pos);
    const struct form_ids v = has_conditions(comprehension, &first, &element)
                                  ? build_filtered(b, comprehension, first, element)
                                  : build_parts_joined(b, e);
    b->at = outer;
    return v;
}

/* --- append, subarray ------------------------------------------------------------------- */

struct form_ids programs_build_append(struct programs_builder *b,
                                      const struct programs_expr *e)
{
    const struct form_place outer = b->at;
    const struct form_ids both = programs_build_operands(b, e);
    const uint32_t width = both.count / 2;
    const struct form_ids first = {both.items, width, width},
                          second = {both.items + width, width, width};
    const uint32_t length = form_length(outer, first.items[0]);
    struct form_entry *made = start_table(
        b, e,
        form_compute_2(outer, ISA_OP_ADD_I, length, form_length(outer, second.items[0])));
    const struct form_place p = b->at;
    struct form_entry *in_first = form_split(
        p, form_compute_2(p, ISA_OP_LT_I, made->inner, length));
    const struct form_place yes = form_side(p, in_first, 0),
                            no = form_side(p, in_first, 1);
    const struct form_ids a = programs_build_fetch(b, yes, first, made->inner);
    const struct form_ids c = programs_build_fetch(
        b, no, second, form_compute_2(no, ISA_OP_SUB_I, made->inner, length));
    const struct form_ids element = programs_build_values(b, width);
    for (uint32_t k = 0; k < width; k++)
        element.items[k] = form_merge(p, in_first, a.items[k], c.items[k]);
    return end_table(b, made, element, outer);
}

struct form_ids programs_build_subarray(struct programs_builder *b,
                                        const struct programs_expr *e)
{
    const struct form_place outer = b->at;
    const struct form_ids all = programs_build_operands(b, e);
    const uint32_t width = all.count - 2, first = all.items[width];
    const struct form_ids arrays = {all.items, width, width};
    struct form_entry *made = start_table(b, e, all.items[width + 1]);
    const struct form_ids element = programs_build_fetch(
        b, b->at, arrays, form_compute_2(b->at, ISA_OP_ADD_I, first, made->inner));
    return end_table(b, made, element, outer);
}
