#include "tests/evaluate.h"

#include "programs/type.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { DEPTH_MAX = 1 << 20 }; /* expressions within expressions, calls included */

#define STACK_BYTES (UINT64_C(2) << 30) /* reserved, not touched unless it is needed */

/* A value; its type is that of the expression. */
union value {
    int64_t i;
    double r;
    unsigned char b; /* 0 or 1; not a bool, so that `nothing` has it */
    const union value *parts;
};

/* What the names of `let`s are bound to, the innermost first. */
struct bound {
    const struct programs_binding *binding;
    union value value;
    const struct bound *outer;
};

/* Where an expression stands: an activation, and the lets around it. */
struct place {
    const union value *arguments;
    const struct bound *lets;
};

struct constant {
    bool known;
    union value value;
};

struct evaluator {
    const struct programs_ast *ast;
    struct lib_arena *arena;
    struct constant *constants; /* per equation of the top level */
    uint64_t steps, calls;
    uint32_t depth;
    enum evaluate_mistake mistake;
    struct evaluate_outcome
        *outcome;               /* its end is COMPLETED until something else is known */
    const union value *nothing; /* parts, whose parts are themselves such */
};

static union value value_of(struct evaluator *ev, const struct place *place,
                            const struct programs_expr *e);

/* Ends the evaluation: from here on every expression has this value, of any type. */
static union value end(struct evaluator *ev, enum evaluate_end how)
{
    if (ev->outcome->end == EVALUATE_COMPLETED)
        ev->outcome->end = how;
    return (union value){.parts = ev->nothing};
}

/* Not on the stack of the host, which recursion makes deep. */
static struct place *new_place(struct evaluator *ev, const union value *arguments,
                               const struct bound *lets)
{
    struct place *place = LIB_ARENA_NEW(ev->arena, struct place);
    *place = (struct place){arguments, lets};
    return place;
}

static enum programs_type_kind kind_of(const struct programs_expr *e)
{
    return programs_type_find(e->type)->kind;
}

/* --- arithmetic ----------------------------------------------------------------------- */

/* An exact result, if an int can be it. */
static union value exact(struct evaluator *ev, __int128 v)
{
    if (v < -((__int128)1 << 63) || v >= (__int128)1 << 63)
        return end(ev, EVALUATE_FAILED);
    return (union value){.i = (int64_t)v};
}

static union value int_remainder(struct evaluator *ev, __int128 a, __int128 b)
{
    if (b == 0)
        return end(ev, EVALUATE_FAILED);
    __int128 r = a % b;
    if (ev->mistake == EVALUATE_MISTAKE_REMAINDER && r != 0 && (r < 0) != (b < 0))
        r += b;
    return exact(ev, r);
}

static union value int_operation(struct evaluator *ev, enum programs_operator op,
                                 int64_t left, int64_t right)
{
    const __int128 a = left, b = right;
    switch (op) {
    case PROGRAMS_ADD:
        if (ev->mistake == EVALUATE_MISTAKE_WRAP)
            return (union value){.i = (int64_t)((uint64_t)left + (uint64_t)right)};
        return exact(ev, a + b);
    case PROGRAMS_SUB:
        return exact(ev, a - b);
    case PROGRAMS_MUL:
        return exact(ev, a * b);
    case PROGRAMS_DIV:
        if (b == 0)
            return end(ev, EVALUATE_FAILED);
        return exact(ev, a / b);
    case PROGRAMS_REM:
        return int_remainder(ev, a, b);
    case PROGRAMS_EQ:
        return (union value){.b = a == b};
    case PROGRAMS_NE:
        return (union value){.b = a != b};
    case PROGRAMS_LT:
        return (union value){.b = a < b};
    case PROGRAMS_LE:
        return (union value){.b = a <= b};
    case PROGRAMS_GT:
        return (union value){.b = a > b};
    default:
        assert(op == PROGRAMS_GE);
        return (union value){.b = a >= b};
    }
}

static union value real_operation(enum programs_operator op, double a, double b)
{
    switch (op) {
    case PROGRAMS_ADD:
        return (union value){.r = a + b};
    case PROGRAMS_SUB:
        return (union value){.r = a - b};
    case PROGRAMS_MUL:
        return (union value){.r = a * b};
    case PROGRAMS_DIV:
        return (union value){.r = a / b};
    case PROGRAMS_REM:
        return (union value){.r = fmod(a, b)};
    case PROGRAMS_EQ:
        return (union value){.b = a == b};
    case PROGRAMS_NE:
        return (union value){.b = a != b};
    case PROGRAMS_LT:
        return (union value){.b = a < b};
    case PROGRAMS_LE:
        return (union value){.b = a <= b};
    case PROGRAMS_GT:
        return (union value){.b = a > b};
    default:
        assert(op == PROGRAMS_GE);
        return (union value){.b = a >= b};
    }
}

/* The smaller real (the greater one): NaN with a NaN, -0.0 before 0.0. */
static double real_extreme(const struct evaluator *ev, double a, double b, bool greater)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == 0 && b == 0 && ev->mistake != EVALUATE_MISTAKE_ZERO) {
        bool minus = greater ? signbit(a) && signbit(b) : signbit(a) || signbit(b);
        return minus ? -0.0 : 0.0;
    }
    if (greater)
        return a > b ? a : b;
    return a < b ? a : b;
}

static union value real_builtin(struct evaluator *ev, enum programs_builtin builtin,
                                double a, double b)
{
    switch (builtin) {
    case PROGRAMS_BUILTIN_ABS:
        return (union value){.r = signbit(a) ? -a : a};
    case PROGRAMS_BUILTIN_MIN:
        return (union value){.r = real_extreme(ev, a, b, false)};
    case PROGRAMS_BUILTIN_MAX:
        return (union value){.r = real_extreme(ev, a, b, true)};
    case PROGRAMS_BUILTIN_SQRT:
        return (union value){.r = sqrt(a)};
    case PROGRAMS_BUILTIN_EXP:
        return (union value){.r = exp(a)};
    case PROGRAMS_BUILTIN_LOG:
        return (union value){.r = log(a)};
    case PROGRAMS_BUILTIN_SIN:
        return (union value){.r = sin(a)};
    case PROGRAMS_BUILTIN_COS:
        return (union value){.r = cos(a)};
    case PROGRAMS_BUILTIN_TANH:
        return (union value){.r = tanh(a)};
    case PROGRAMS_BUILTIN_FLOOR:
        return (union value){.r = floor(a)};
    default:
        assert(builtin == PROGRAMS_BUILTIN_INT);
        a = trunc(a);
        if (isnan(a) || a < -9223372036854775808.0 || a >= 9223372036854775808.0)
            return end(ev, EVALUATE_FAILED);
        return (union value){.i = (int64_t)a};
    }
}

static union value int_builtin(struct evaluator *ev, enum programs_builtin builtin,
                               int64_t a, int64_t b)
{
    switch (builtin) {
    case PROGRAMS_BUILTIN_ABS:
        return exact(ev, a < 0 ? -(__int128)a : a);
    case PROGRAMS_BUILTIN_MIN:
        return (union value){.i = b < a ? b : a};
    case PROGRAMS_BUILTIN_MAX:
        return (union value){.i = b > a ? b : a};
    default:
        assert(builtin == PROGRAMS_BUILTIN_REAL);
        return (union value){.r = (double)a};
    }
}

/* --- names ---------------------------------------------------------------------------- */

static union value literal(const struct programs_expr *e)
{
    if (e->kind == PROGRAMS_EXPR_BOOL)
        return (union value){.b = e->boolean};
    if (e->kind == PROGRAMS_EXPR_REAL)
        return (union value){.r = e->real};
    assert(e->kind == PROGRAMS_EXPR_INT);
    if (kind_of(e) == PROGRAMS_TYPE_REAL)
        return (union value){.r = (double)e->integer};
    return (union value){.i = e->integer};
}

/* The value of an equation of the top level, computed once. */
static union value constant(struct evaluator *ev, const struct programs_equation *q)
{
    struct constant *c = &ev->constants[q->index];
    if (!c->known) {
        c->value = value_of(ev, new_place(ev, NULL, NULL), q->value);
        c->known = true;
    }
    return c->value;
}

static union value name(struct evaluator *ev, const struct place *place,
                        const struct programs_binding *binding)
{
    const struct bound *b = place->lets;
    switch (binding->kind) {
    case PROGRAMS_BIND_PARAM:
        return place->arguments[binding->index];
    case PROGRAMS_BIND_INPUT:
        return literal(binding->input->literal);
    case PROGRAMS_BIND_LET:
        while (b->binding != binding)
            b = b->outer;
        return b->value;
    default:
        break;
    }
    union value v = constant(ev, binding->equation);
    return binding->equation->is_tuple ? v.parts[binding->index] : v;
}

/* --- expressions ---------------------------------------------------------------------- */

static const union value *values(struct evaluator *ev, const struct place *place,
                                 struct programs_expr *const *items, size_t count)
{
    union value *v = LIB_ARENA_ARRAY(ev->arena, union value, count);
    for (size_t i = 0; i < count; i++)
        v[i] = value_of(ev, place, items[i]);
    return v;
}

static union value call(struct evaluator *ev, const struct place *place,
                        const struct programs_expr *e)
{
    const struct programs_function *f = e->call.function;
    union value *arguments = LIB_ARENA_ARRAY(ev->arena, union value, e->operand_count);
    for (size_t i = 0; i < e->operand_count; i++)
        if (ev->mistake != EVALUATE_MISTAKE_LAZY || f->params[i]->used)
            arguments[i] = value_of(ev, place, e->operands[i]);
    ev->calls += ev->mistake == EVALUATE_MISTAKE_CALLS ? e->operand_count : 1;
    return value_of(ev, new_place(ev, arguments, NULL), f->body);
}

static union value builtin(struct evaluator *ev, const struct place *place,
                           const struct programs_expr *e)
{
    union value a = value_of(ev, place, e->operands[0]);
    union value b = e->operand_count == 2 ? value_of(ev, place, e->operands[1]) : a;
    if (kind_of(e->operands[0]) == PROGRAMS_TYPE_INT)
        return int_builtin(ev, e->call.builtin, a.i, b.i);
    return real_builtin(ev, e->call.builtin, a.r, b.r);
}

static union value unary(struct evaluator *ev, const struct place *place,
                         const struct programs_expr *e)
{
    union value a = value_of(ev, place, e->operands[0]);
    if (e->op == PROGRAMS_NOT)
        return (union value){.b = !a.b};
    if (kind_of(e) == PROGRAMS_TYPE_INT)
        return exact(ev, -(__int128)a.i);
    return (union value){.r = -a.r};
}

static union value binary(struct evaluator *ev, const struct place *place,
                          const struct programs_expr *e)
{
    union value a = value_of(ev, place, e->operands[0]);
    if (e->op == PROGRAMS_AND || e->op == PROGRAMS_OR) {
        bool decided = a.b == (e->op == PROGRAMS_OR);
        return decided ? a : value_of(ev, place, e->operands[1]);
    }
    union value b = value_of(ev, place, e->operands[1]);
    switch (kind_of(e->operands[0])) {
    case PROGRAMS_TYPE_INT:
        return int_operation(ev, e->op, a.i, b.i);
    case PROGRAMS_TYPE_REAL:
        return real_operation(e->op, a.r, b.r);
    default:
        return (union value){.b = (a.b == b.b) == (e->op == PROGRAMS_EQ)};
    }
}

static union value let(struct evaluator *ev, const struct place *place,
                       const struct programs_expr *e)
{
    struct place *inner = new_place(ev, place->arguments, place->lets);
    for (size_t i = 0; i < e->let.count; i++) {
        const struct programs_equation *q = e->let.equations[i];
        if (!q->used && ev->mistake != EVALUATE_MISTAKE_UNUSED)
            continue;
        union value v = value_of(ev, inner, q->value);
        for (size_t n = 0; n < q->name_count; n++) {
            struct bound *b = LIB_ARENA_NEW(ev->arena, struct bound);
            *b = (struct bound){q->names[n], q->is_tuple ? v.parts[n] : v, inner->lets};
            inner->lets = b;
        }
    }
    return value_of(ev, inner, e->let.body);
}

static union value value_inside(struct evaluator *ev, const struct place *place,
                                const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_NAME:
        return name(ev, place, e->name.binding);
    case PROGRAMS_EXPR_CALL:
        return e->call.function ? call(ev, place, e) : builtin(ev, place, e);
    case PROGRAMS_EXPR_UNARY:
        return unary(ev, place, e);
    case PROGRAMS_EXPR_BINARY:
        return binary(ev, place, e);
    case PROGRAMS_EXPR_IF:
        if (value_of(ev, place, e->operands[0]).b)
            return value_of(ev, place, e->operands[1]);
        return value_of(ev, place, e->operands[2]);
    case PROGRAMS_EXPR_LET:
        return let(ev, place, e);
    case PROGRAMS_EXPR_TUPLE:
        return (union value){.parts = values(ev, place, e->operands, e->operand_count)};
    default:
        return literal(e);
    }
}

static union value value_of(struct evaluator *ev, const struct place *place,
                            const struct programs_expr *e)
{
    if (ev->outcome->end != EVALUATE_COMPLETED)
        return end(ev, ev->outcome->end);
    if (ev->steps-- == 0 || ++ev->depth > DEPTH_MAX)
        return end(ev, EVALUATE_LIMIT);
    union value v = value_inside(ev, place, e);
    ev->depth--;
    return v;
}

/* --- programs ------------------------------------------------------------------------- */

static void write_value(struct programs_type *type, union value v, struct lib_text *out)
{
    type = programs_type_find(type);
    switch (type->kind) {
    case PROGRAMS_TYPE_INT:
        lib_text_printf(out, "%" PRId64, v.i);
        break;
    case PROGRAMS_TYPE_REAL:
        lib_text_real(out, v.r);
        break;
    case PROGRAMS_TYPE_BOOL:
        lib_text_puts(out, v.b ? "true" : "false");
        break;
    default:
        for (size_t i = 0; i < type->part_count; i++) {
            lib_text_puts(out, i ? ", " : "(");
            write_value(type->parts[i], v.parts[i], out);
        }
        lib_text_puts(out, ")");
    }
}

/* The result needs its own constants only, but all that are used are computed: any of
 * them may fail. */
static void *run(void *argument)
{
    struct evaluator *ev = argument;
    for (size_t i = 0; i < ev->ast->constant_count; i++)
        if (ev->ast->constants[i]->used)
            constant(ev, ev->ast->constants[i]);
    const struct programs_equation *result = ev->ast->result;
    union value v = constant(ev, result);
    if (ev->outcome->end == EVALUATE_COMPLETED)
        write_value(result->value->type, v, &ev->outcome->result);
    ev->outcome->calls = ev->calls;
    return NULL;
}

/* See end. */
static const union value *new_nothing(struct lib_arena *arena)
{
    union value *parts = LIB_ARENA_ARRAY(arena, union value, PROGRAMS_TYPE_SIZE_MAX);
    for (int i = 0; i < PROGRAMS_TYPE_SIZE_MAX; i++)
        parts[i].parts = parts;
    return parts;
}

void evaluate(const struct programs_ast *ast, uint64_t steps,
              enum evaluate_mistake mistake, struct evaluate_outcome *outcome)
{
    struct lib_arena *arena = lib_arena_new();
    struct evaluator ev = {
        .ast = ast,
        .arena = arena,
        .constants = LIB_ARENA_ARRAY(arena, struct constant, ast->constant_count),
        .steps = steps,
        .mistake = mistake,
        .outcome = outcome,
        .nothing = new_nothing(arena),
    };
    *outcome = (struct evaluate_outcome){0};
    pthread_attr_t attributes;
    pthread_t thread;
    int status = pthread_attr_init(&attributes);
    assert(status == 0);
    status = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    assert(status == 0);
    status = pthread_create(&thread, &attributes, run, &ev);
    assert(status == 0);
    status = pthread_join(thread, NULL);
    assert(status == 0);
    (void)status;
    pthread_attr_destroy(&attributes);
    lib_arena_free(arena);
}
