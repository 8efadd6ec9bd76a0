/* The graph builder: names and literals.
 *
 * A constant that is another name for a literal or an input is an immediate wherever it is used.
 * Any other constant is computed once, under the empty tag, and written to cells, one per value;
 * every use is a READ. The trigger of a READ is absent at top level, where it fires once, at the
 * start; in a function it is the token of the first parameter; in a branch it comes from a
 * SWITCH. */
#include "programs/graph/builder.h"
#include "programs/types/type.h"

isa_value programs_build_literal(const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_INT:
        return programs_build_type(e->type) == ISA_REAL
                   ? isa_value_of_real((double)e->integer)
                   : isa_value_of_int(e->integer);
    case PROGRAMS_EXPR_REAL:
        return isa_value_of_real(e->real);
    default:
        return e->boolean;
    }
}

const char *programs_build_part_name(struct programs_builder *b,
                                     const struct programs_binding *binding, uint32_t k,
                                     uint32_t width)
{
    return width == 1 ? binding->name
                      : lib_arena_printf(b->arena, "%s.%u", binding->name, k);
}

/* --- constants ---------------------------------------------------------------------------- */

bool programs_build_is_literal(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_INT || e->kind == PROGRAMS_EXPR_REAL ||
           e->kind == PROGRAMS_EXPR_BOOL;
}

static const struct programs_expr *renames(const struct programs_equation *q)
{
    bool plain = q->name_count == 1 && (programs_build_is_literal(q->value) ||
                                        q->value->kind == PROGRAMS_EXPR_NAME);
    return plain ? q->value : NULL;
}

/* Chains of names are followed once: all of them learn the end. */
const struct programs_expr *programs_build_alias(struct programs_builder *b,
                                                 const struct programs_binding *binding)
{
    const struct programs_equation *first = binding->equation, *q = first;
    const struct programs_expr *end;
    for (;; q = end->name.binding->equation) {
        end = b->alias_known[q->index] ? b->aliases[q->index] : renames(q);
        bool goes_on = end && end->kind == PROGRAMS_EXPR_NAME &&
                       end->name.binding->kind == PROGRAMS_BIND_CONST;
        if (!goes_on)
            break;
    }
    for (const struct programs_equation *at = first; !b->alias_known[at->index];) {
        b->alias_known[at->index] = true;
        b->aliases[at->index] = end;
        if (at != q)
            at = at->value->name.binding->equation;
    }
    return end;
}

static struct programs_values build_cells(struct programs_builder *b,
                                          const struct programs_binding *binding)
{
    uint32_t first = b->cells[binding->equation->index][binding->index];
    struct programs_values v = programs_build_values(
        b, (uint32_t)programs_type_width(binding->type));
    for (uint32_t k = 0; k < v.count; k++)
        v.items[k] = form_read(b->at, first + k,
                               (enum isa_type)b->forms.cell_types.items[first + k]);
    return v;
}

static struct programs_values build_constant(struct programs_builder *b,
                                             const struct programs_expr *e)
{
    const struct programs_expr *alias = programs_build_alias(b, e->name.binding);
    return alias ? programs_build_expr(b, alias) : build_cells(b, e->name.binding);
}

/* --- inputs, names in scope --------------------------------------------------------------- */

static struct programs_values build_input(struct programs_builder *b,
                                          const struct programs_binding *input)
{
    const struct form_value v = {.kind = FORM_INPUT,
                                 .type = programs_build_type(input->type),
                                 .index = b->input_index[input->input->index]};
    return programs_build_value(b, form_add_value(b->at.form, v));
}

static uint32_t *bound_at(const struct programs_builder *b,
                          const struct programs_binding *binding)
{
    const struct lib_pos pos = binding->pos;
    return &b->bound_at[(pos.column + pos.line * UINT32_C(0x9e3779b1)) &
                        (b->bound_at_count - 1)];
}

static void grow_bound_at(struct programs_builder *b)
{
    b->bound_at_count = b->bound_at_count ? 4 * b->bound_at_count : 16;
    b->bound_at = LIB_ARENA_ARRAY(b->arena, uint32_t, b->bound_at_count);
    for (uint32_t i = 0; i < b->bound.count; i++)
        *bound_at(b, b->bound.items[i].binding) = i;
}

struct programs_bound *programs_build_bind(struct programs_builder *b,
                                           const struct programs_binding *binding,
                                           struct programs_values values)
{
    struct programs_bound *made = LIB_ARENA_PUSH(b->arena, &b->bound);
    *made = (struct programs_bound){binding, values, NULL, 0};
    if (b->bound.count > b->bound_at_count / 2)
        grow_bound_at(b);
    else
        *bound_at(b, binding) = b->bound.count - 1;
    return made;
}

/* Returns the innermost item of b->bound for a name. */
static struct programs_bound *find_bound(const struct programs_builder *b,
                                         const struct programs_binding *binding)
{
    const uint32_t at = *bound_at(b, binding);
    if (at < b->bound.count && b->bound.items[at].binding == binding)
        return &b->bound.items[at];
    struct programs_bound *l = &b->bound.items[b->bound.count - 1];
    while (l->binding != binding)
        l--;
    return l;
}

/* Only what a `return` uses leaves its loop. */
static struct programs_values build_bound(struct programs_builder *b,
                                          const struct programs_binding *binding)
{
    struct programs_bound *l = find_bound(b, binding);
    for (uint32_t k = 0; l->loop && k < l->values.count; k++)
        l->values.items[k] = programs_build_exit(programs_build_at(b, binding->pos),
                                                 l->loop, l->variable + k);
    l->loop = NULL;
    return l->values;
}

struct programs_values programs_build_name(struct programs_builder *b,
                                           const struct programs_expr *e)
{
    const struct programs_binding *binding = e->name.binding;
    switch (binding->kind) {
    case PROGRAMS_BIND_PARAM:
        return b->param_values[binding->index];
    case PROGRAMS_BIND_INPUT:
        return build_input(b, binding);
    case PROGRAMS_BIND_CONST:
        return build_constant(b, e);
    default:
        return build_bound(b, binding);
    }
}
