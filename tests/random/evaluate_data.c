/* Data: constructors, fields, `case`, equality. A `case` looks at its arms from the first to the
 * last, and at a pattern from the left to the right; it waits for a part only where a pattern has a
 * constructor or literal for it. */
#include "tests/random/evaluate_internal.h"

#include "programs/types/datatype.h"
#include "programs/types/type.h"

#include <assert.h>

enum fit { FITS, FITS_NOT, FIT_STUCK };

struct programs_type *evaluate_part_type(struct programs_type *type,
                                         const struct programs_constructor *c, size_t i)
{
    type = programs_type_find(type);
    return c ? programs_type_of_field(type, &c->fields[i]) : type->parts[i];
}

const struct programs_constructor *evaluate_record(const struct programs_type *type)
{
    return type->kind == PROGRAMS_TYPE_DATA && !type->datatype->is_boxed
               ? &type->datatype->constructors[0]
               : NULL;
}

/* --- patterns --------------------------------------------------------------------------- */

/* Whether the value of a pattern is a reference to data. */
static bool is_boxed(const struct programs_pattern *pattern)
{
    return pattern->constructor && pattern->constructor->datatype->is_boxed;
}

/* The parts of a tuple or data that a pattern takes apart. */
static struct thunk *parts_of(const struct programs_pattern *pattern, struct value v)
{
    return is_boxed(pattern) ? v.data->fields : v.parts;
}

static bool names(const struct programs_pattern *pattern,
                  const struct programs_binding *binding)
{
    bool any = pattern->binding == binding;
    for (size_t i = 0; i < pattern->part_count && !any; i++)
        any = names(pattern->parts[i], binding);
    return any;
}

struct value evaluate_named(struct evaluator *ev, const struct programs_pattern *pattern,
                            const struct programs_binding *binding, struct value v)
{
    while (pattern->kind != PROGRAMS_PATTERN_NAME && !v.stuck) {
        size_t i = 0;
        if (is_boxed(pattern) && v.data->constructor != pattern->constructor)
            return evaluate_fail(ev); /* an arm that does not fit: a mistake is planted */
        while (!names(pattern->parts[i], binding))
            i++;
        v = evaluate_force(ev, &parts_of(pattern, v)[i]);
        pattern = pattern->parts[i];
    }
    return v;
}

static enum fit fit_literal(const struct programs_expr *literal, struct value v)
{
    const struct value l = evaluate_literal(literal);
    bool same;
    switch (programs_type_find(literal->type)->kind) {
    case PROGRAMS_TYPE_BOOL:
        same = l.b == v.b;
        break;
    case PROGRAMS_TYPE_REAL:
        same = l.r == v.r;
        break;
    default:
        same = l.i == v.i;
    }
    return same ? FITS : FITS_NOT;
}

/* Parts of a tuple or record may be stuck one by one: nothing waits for the whole. */
static enum fit fit(struct evaluator *ev, const struct programs_pattern *pattern,
                    struct value v)
{
    const struct programs_constructor *c = pattern->constructor;
    const bool tests = pattern->kind == PROGRAMS_PATTERN_LITERAL ||
                       (is_boxed(pattern) && c->datatype->constructor_count > 1);
    enum fit found = FITS;
    if (tests && v.stuck)
        return FIT_STUCK;
    if (pattern->kind == PROGRAMS_PATTERN_LITERAL)
        return fit_literal(pattern->literal, v);
    if (tests && v.data->constructor != c)
        return FITS_NOT;
    for (size_t i = 0; i < pattern->part_count && found == FITS; i++) {
        if (pattern->parts[i]->kind != PROGRAMS_PATTERN_NAME)
            found = fit(ev, pattern->parts[i],
                        v.stuck ? v : evaluate_force(ev, &parts_of(pattern, v)[i]));
        if (ev->mistake == EVALUATE_MISTAKE_PARTS)
            break;
    }
    return found;
}

struct value evaluate_case(struct evaluator *ev, const struct place *place,
                           const struct programs_expr *e)
{
    struct thunk *whole = evaluate_later(ev, place, e->operands[0]);
    for (size_t i = 0; i < e->match->arm_count; i++) {
        const struct programs_arm *arm = &e->match->arms[i];
        enum fit found = FITS;
        if (arm->pattern->kind != PROGRAMS_PATTERN_NAME)
            found = fit(ev, arm->pattern, evaluate_force(ev, whole));
        if (found == FIT_STUCK)
            return evaluate_stuck;
        if (found == FITS_NOT)
            continue;
        const struct bound *bound = place->names;
        for (size_t k = 0; k < arm->name_count; k++) {
            struct bound *b = evaluate_bind(ev, bound, arm->names[k], whole);
            b->pattern = arm->pattern;
            bound = b;
        }
        const struct place *inner = evaluate_new_place(ev, place->arguments, bound);
        if (arm->guard && ev->mistake != EVALUATE_MISTAKE_GUARD) {
            const struct value holds = evaluate_expr(ev, inner, arm->guard);
            if (holds.stuck)
                return evaluate_stuck;
            if (!holds.b)
                continue;
        }
        return evaluate_expr(ev, inner, arm->body);
    }
    assert(ev->mistake != EVALUATE_MISTAKE_NONE || !"a `case` that has no arm");
    return evaluate_fail(ev);
}

/* --- constructors and fields -------------------------------------------------------------- */

/* Boxed data is there before its fields are. */
struct value evaluate_construct(struct evaluator *ev, const struct place *place,
                                const struct programs_expr *e)
{
    const struct programs_constructor *c = e->construct->constructor;
    struct thunk *fields = LIB_ARENA_ARRAY(ev->arena, struct thunk, c->field_count);
    if (ev->mistake != EVALUATE_MISTAKE_FIELDS || !c->datatype->is_boxed)
        fields = evaluate_operands(ev, place, e);
    for (size_t i = 0; i < c->field_count; i++) {
        fields[i].expr = e->operands[i];
        fields[i].place = place;
    }
    if (!c->datatype->is_boxed)
        return (struct value){.parts = fields};
    struct data *data = LIB_ARENA_NEW(ev->arena, struct data);
    *data = (struct data){c, fields};
    return (struct value){.data = data};
}

struct value evaluate_field(struct evaluator *ev, const struct place *place,
                            const struct programs_expr *e)
{
    const struct programs_field *field = e->selection->field;
    const struct programs_constructor *c = field->constructor;
    const struct value v = evaluate_expr(ev, place, e->operands[0]);
    if (v.stuck)
        return v;
    if (!c->datatype->is_boxed)
        return evaluate_force(ev, &v.parts[field->index]);
    if (v.data->constructor != c)
        return evaluate_fail(ev);
    return evaluate_force(ev, &v.data->fields[field->index]);
}

/* --- equality --------------------------------------------------------------------------- */

bool evaluate_compares(const struct evaluator *ev, const struct programs_function *f)
{
    for (size_t i = 0; i < ev->ast->instance_count && f->is_instance; i++)
        if (ev->ast->instances[i].function == f)
            return ev->ast->instances[i].of == NULL;
    return false;
}

/* Compares parts or fields, until some differ. */
static struct value equal_parts(struct evaluator *ev, struct programs_type *type,
                                const struct programs_constructor *c, size_t count,
                                struct thunk *a, struct thunk *b)
{
    struct value equal = bool_value(true);
    for (size_t i = 0; i < count && !equal.stuck && equal.b; i++) {
        struct programs_type *part = programs_type_find(evaluate_part_type(type, c, i));
        const struct value x = evaluate_force(ev, &a[i]), y = evaluate_force(ev, &b[i]);
        bool ready = !x.stuck && !y.stuck;
        if (part->kind == PROGRAMS_TYPE_DATA && !part->datatype->is_enumeration) {
            evaluate_count_call(ev, 2);
            ready = evaluate_wait_for(ev, part, x) && ready;
            ready = evaluate_wait_for(ev, part, y) && ready;
        }
        equal = ready ? evaluate_equal(ev, part, x, y) : evaluate_stuck;
    }
    return equal;
}

struct value evaluate_equal(struct evaluator *ev, struct programs_type *type,
                            struct value a, struct value b)
{
    type = programs_type_find(type);
    if (a.stuck || b.stuck)
        return evaluate_stuck;
    const struct programs_constructor *c = evaluate_record(type);
    switch (type->kind) {
    case PROGRAMS_TYPE_INT:
        return bool_value(a.i == b.i);
    case PROGRAMS_TYPE_REAL:
        return bool_value(a.r == b.r);
    case PROGRAMS_TYPE_BOOL:
        return bool_value(a.b == b.b);
    case PROGRAMS_TYPE_TUPLE:
        return equal_parts(ev, type, NULL, type->part_count, a.parts, b.parts);
    default:
        assert(type->kind == PROGRAMS_TYPE_DATA);
    }
    if (c)
        return equal_parts(ev, type, c, c->field_count, a.parts, b.parts);
    c = a.data->constructor;
    if (c != b.data->constructor)
        return bool_value(false);
    if (ev->mistake == EVALUATE_MISTAKE_EQUAL)
        return bool_value(true);
    return equal_parts(ev, type, c, c->field_count, a.data->fields, b.data->fields);
}

/* --- results ---------------------------------------------------------------------------- */

void evaluate_write_data(struct evaluator *ev, struct programs_type *type, struct value v,
                         void (*write)(struct evaluator *, struct programs_type *,
                                       struct value, struct lib_text *),
                         struct lib_text *out)
{
    const struct programs_constructor *c = evaluate_record(type);
    struct thunk *fields = c ? v.parts : v.data->fields;
    c = c ? c : v.data->constructor;
    lib_text_puts(out, c->name);
    for (size_t i = 0; i < c->field_count; i++) {
        lib_text_puts(out, i ? ", " : "(");
        write(ev, evaluate_part_type(type, c, i), evaluate_force(ev, &fields[i]), out);
    }
    lib_text_puts(out, c->field_count ? ")" : "");
}
