#include "programs/gradient/settle.h"

#include "programs/gradient/arrays.h"

/* --- how arrays are read ------------------------------------------------------------ */

static bool reads_elements(struct form_program *program, const struct form *form,
                           uint32_t array, bool is_element);

static bool entry_reads_elements(struct form_program *program, const struct form *form,
                                 const struct form_entry *e, uint32_t array,
                                 bool is_element)
{
    switch (e->kind) {
    case FORM_COMPUTE:
        return e->op == ISA_OP_LENGTH;
    case FORM_SUM:
    case FORM_TO_TENSOR:
        return is_element;
    case FORM_FETCH:
        return isa_type_rank(form_type(form, e->results.items[0])) == 0 ||
               reads_elements(program, form, e->results.items[0], true);
    case FORM_TABULATE:
        for (uint32_t i = 1; i < e->operands.count; i++) {
            const struct form *inner = form_of(program, e->routine);
            const uint32_t value = form_find_param(inner, i);
            if (e->operands.items[i] == array && value != FORM_NONE &&
                !reads_elements(program, inner, value, is_element))
                return false;
        }
        return true;
    default:
        return false;
    }
}

/* Whether a form reads an array only element by element. `is_element`: it is itself an element
 * of that array, and may also be summed or made a tensor. */
static bool reads_elements(struct form_program *program, const struct form *form,
                           uint32_t array, bool is_element)
{
    bool good = !form_has_id(&form->results, array);
    struct form_walk walk = form_walk_of(&form->top);
    for (const struct form_entry *e; good && (e = form_walk_next(&walk));)
        good = !form_has_id(&e->operands, array) ||
               entry_reads_elements(program, form, e, array, is_element);
    form_walk_end(&walk);
    return good;
}

bool form_reads_elements(struct form_program *program, uint32_t routine, uint32_t param)
{
    const struct form *form = form_of(program, routine);
    const uint32_t array = form_find_param(form, param);
    return array == FORM_NONE || reads_elements(program, form, array, false);
}

/* --- sweeps ------------------------------------------------------------------------- */

uint32_t form_count_leaves(struct form_place p, uint32_t array)
{
    const enum isa_type type = form_type(p.form, array), row = isa_type_element(type);
    const enum isa_type count = ISA_INT;
    const uint32_t length = form_length(p, array);
    if (isa_type_rank(row) == 0)
        return length;
    const struct form_maker m = form_make(
        p.program, "leaves", (const enum isa_type[]){ISA_INT, type}, 2, &count, 1, p.pos);
    form_give(&m, form_count_leaves(m.p, form_fetch(m.p, 1, 0)));
    const uint32_t all = form_tabulate(p, length, m.routine, &array, 1)->results.items[0];
    return form_convert(p, FORM_SUM, all, 0, ISA_INT);
}

uint32_t form_settle(struct form_program *program, uint32_t back,
                     const enum isa_type *types, uint32_t count, uint32_t adjoints,
                     const uint32_t *own, const uint32_t *own_result, struct lib_pos pos)
{
    const uint32_t width = 2 + count + 2 * adjoints;
    enum isa_type *params = LIB_ARENA_ARRAY(program->arena, enum isa_type, width);
    params[0] = params[1] = ISA_INT;
    for (uint32_t i = 0; i < count; i++)
        params[2 + i] = types[i];
    for (uint32_t k = 0; k < 2 * adjoints; k++)
        params[2 + count + k] = types[count + k % adjoints];
    struct form_maker m = form_make(program, "settle", params, width, &params[2 + count],
                                    adjoints, pos);
    const struct form_place p = m.p;
    struct form_entry *is_done = form_split(
        p, form_compute_2(p, ISA_OP_EQ_I, 0, form_integer(p, 0)));
    const struct form_place more = form_side(p, is_done, 1);
    struct form_ids arguments = {0}, next = {0};
    for (uint32_t i = 0; i < count; i++)
        form_push_id(program->arena, &arguments, 2 + i);
    for (uint32_t k = 0; k < adjoints; k++)
        form_push_id(program->arena, &arguments, 2 + count + adjoints + k);
    const struct form_entry *swept = form_tabulate(more, 1, back, arguments.items,
                                                   arguments.count);
    form_push_id(program->arena, &next,
                 form_compute_2(more, ISA_OP_SUB_I, 0, form_integer(p, 1)));
    for (uint32_t i = 1; i < 2 + count + adjoints; i++)
        form_push_id(program->arena, &next, i);
    for (uint32_t k = 0; k < adjoints; k++) {
        const uint32_t outside = 2 + count + k;
        form_push_id(program->arena, &next,
                     own[k] == FORM_NONE
                         ? outside
                         : form_add(more, outside,
                                    form_total(more, swept->results.items[own_result[k]],
                                               2 + own[k])));
    }
    const struct form_entry *rest = form_apply(more, m.routine, next.items, next.count);
    for (uint32_t k = 0; k < adjoints; k++)
        form_give(
            &m, form_merge(p, is_done, 2 + count + adjoints + k, rest->results.items[k]));
    return m.routine;
}
