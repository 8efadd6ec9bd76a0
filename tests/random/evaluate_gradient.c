/* Gradients: a function is computed as often as it has reals, with the derivative by one of them
 * each time. */
#include "tests/random/evaluate_internal.h"

#include "programs/types/type.h"

static struct thunk *done(struct evaluator *ev, size_t count)
{
    struct thunk *thunks = LIB_ARENA_ARRAY(ev->arena, struct thunk, count);
    for (size_t i = 0; i < count; i++)
        thunks[i].state = THUNK_DONE;
    return thunks;
}

/* The value, of whose reals number *left from here on has the derivative 1 and the others 0. */
static struct value turned(struct evaluator *ev, struct programs_type *type,
                           struct value v, uint64_t *left)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_REAL)
        v.d = (*left)-- == 0;
    if (type->kind == PROGRAMS_TYPE_ARRAY) {
        const struct array *array = v.array;
        struct thunk *elements = done(ev, (size_t)array->length);
        for (int64_t i = 0; i < array->length; i++)
            elements[i].value = turned(ev, type->parts[0],
                                       evaluate_force(ev, &array->elements[i]), left);
        v = evaluate_array(ev, elements, array->length);
    }
    if (type->kind == PROGRAMS_TYPE_TUPLE) {
        struct thunk *parts = done(ev, type->part_count);
        for (size_t i = 0; i < type->part_count; i++)
            parts[i].value = turned(ev, type->parts[i], evaluate_force(ev, &v.parts[i]),
                                    left);
        v.parts = parts;
    }
    return v;
}

/* The derivative by real number `direction` of all that the arguments hold. */
static struct value derivative(struct evaluator *ev, const struct programs_function *f,
                               const struct value *arguments, uint64_t direction)
{
    struct value *all = LIB_ARENA_ARRAY(ev->arena, struct value, f->param_count);
    for (size_t i = 0; i < f->param_count; i++)
        all[i] = turned(ev, f->params[i]->type, arguments[i], &direction);
    struct value v = evaluate_expr(ev, evaluate_new_place(ev, all, NULL), f->body);
    return v.stuck ? v : real_value(v.d);
}

struct directions {
    const struct programs_function *f;
    const struct value *arguments;
    uint64_t next; /* real */
};

static bool holds_reals(struct programs_type *type)
{
    type = programs_type_find(type);
    for (size_t i = 0; i < type->part_count; i++)
        if (holds_reals(type->parts[i]))
            return true;
    return type->kind == PROGRAMS_TYPE_REAL;
}

/* The derivatives by all reals of a value that holds some, in its form. */
static struct value gradient_by(struct evaluator *ev, struct directions *d,
                                struct programs_type *type, struct value v)
{
    type = programs_type_find(type);
    if (type->kind == PROGRAMS_TYPE_REAL)
        return derivative(ev, d->f, d->arguments, d->next++);
    if (type->kind == PROGRAMS_TYPE_ARRAY) {
        const struct array *array = v.array;
        struct thunk *elements = done(ev, (size_t)array->length);
        for (int64_t i = 0; i < array->length; i++)
            elements[i].value = gradient_by(ev, d, type->parts[0],
                                            evaluate_force(ev, &array->elements[i]));
        return evaluate_array(ev, elements, array->length);
    }
    struct thunk *parts = done(ev, type->part_count);
    size_t count = 0;
    for (size_t i = 0; i < type->part_count; i++)
        if (holds_reals(type->parts[i]))
            parts[count++].value = gradient_by(ev, d, type->parts[i],
                                               evaluate_force(ev, &v.parts[i]));
    return count == 1 ? parts[0].value : (struct value){.parts = parts};
}

/* What a gradient is, as often as there are reals: of functions whose gradient is not
 * differentiated again. */
struct value evaluate_gradient(struct evaluator *ev, const struct place *place,
                               const struct programs_expr *e)
{
    const struct programs_function *f = e->gradient->function;
    struct value *arguments = LIB_ARENA_ARRAY(ev->arena, struct value, f->param_count);
    struct thunk *parts = done(ev, f->param_count);
    struct directions d = {f, arguments, 0};
    size_t count = 0;
    for (size_t i = 0; i < f->param_count; i++) {
        arguments[i] = evaluate_expr(ev, place, e->operands[i]);
        if (!evaluate_wait_for(ev, e->operands[i]->type, arguments[i]))
            return evaluate_stuck;
    }
    for (size_t i = 0; i < f->param_count; i++)
        if (holds_reals(f->params[i]->type))
            parts[count++].value = gradient_by(ev, &d, f->params[i]->type, arguments[i]);
    return count == 1 ? parts[0].value : (struct value){.parts = parts};
}
