#include "programs/syntax/print.h"
#include "programs/syntax/syntax_hints.h"
#include "programs/types/blame_condition.h"
#include "programs/types/default_types.h"
#include "programs/types/infer_internal.h"
#include "programs/types/instance.h"
#include "programs/types/one_type.h"
#include "programs/types/unneeded.h"

#include <inttypes.h>
#include <stdarg.h>

enum rule {
    RULE_NUMERIC,
    RULE_REAL,
    RULE_INTS,
    RULE_TEST,
    RULE_DRAW,
    RULE_TO_REAL,
    RULE_TO_INT,
    RULE_LENGTH,
    RULE_SUM,
    RULE_APPEND,
    RULE_PART,
};

static const enum rule builtin_rules[PROGRAMS_BUILTIN_PLAIN] = {
#define BUILTIN(NAME, text, arity, rule, ...) RULE_##rule,
#include "programs/syntax/builtins.def"
#undef BUILTIN
};

struct programs_type *infer_open_type(struct infer *in, enum programs_type_class class)
{
    return programs_type_new_var(in->arena, class);
}

bool infer_is_kind(struct programs_type *type, enum programs_type_kind kind)
{
    return programs_type_find(type)->kind == kind;
}

/* --- errors ------------------------------------------------------------------------- */

/* Whether the name in an expression was already reported not to be of this kind. Which use is
 * wrong cannot be known, so one message must do. */
static bool is_blamed(struct infer *in, const struct programs_expr *e,
                      struct programs_type *expected)
{
    enum programs_type_kind kind = programs_type_find(expected)->kind;
    const void *named = e->kind == PROGRAMS_EXPR_NAME   ? (const void *)e->name.binding
                        : e->kind == PROGRAMS_EXPR_CALL ? (const void *)e->call->function
                                                        : NULL;
    if (!named)
        return false;
    for (size_t i = 0; i < in->blamed.count; i++)
        if (in->blamed.items[i].named == named && in->blamed.items[i].expected == kind)
            return true;
    *LIB_VEC_PUSH(&in->blamed) = (struct infer_blame){named, kind};
    return false;
}

static const char *conversion(struct programs_type *expected, struct programs_type *found,
                              enum infer_place place)
{
    bool wants_real = infer_is_kind(expected, PROGRAMS_TYPE_REAL);
    bool wants_int = infer_is_kind(expected, PROGRAMS_TYPE_INT);
    bool has_real = infer_is_kind(found, PROGRAMS_TYPE_REAL);
    bool has_int = infer_is_kind(found, PROGRAMS_TYPE_INT);
    if (place == PLACE_CONVERSION)
        return "";
    if ((wants_real && has_int) || (place == PLACE_MATCH && wants_int && has_real))
        return " (`real(...)` converts)";
    return wants_int && has_real ? " (`int(...)` truncates)" : "";
}

const char *infer_type_text(struct infer *in, struct programs_type *type)
{
    struct lib_text text = {0};
    programs_type_write(type, &text);
    return lib_arena_keep(in->arena, &text);
}

static void report_too_large(struct infer *in, struct lib_pos pos)
{
    if (!in->too_large)
        programs_default_types_too_large(in->ast, in->diags, pos);
    in->too_large = true;
}

/* Unifies the type of an expression with `type`. If that limits the former, records why: the reason
 * for `type`, or else the enclosing expression. */
static enum programs_unified unify_expr(struct infer *in, struct programs_type *type,
                                        const struct programs_expr *e)
{
    struct programs_type *before = programs_type_find(e->type);
    const bool is_open = before->kind == PROGRAMS_TYPE_VAR;
    const enum programs_type_class class = before->class;
    const struct programs_reason *reason = is_open ? programs_type_reason(type) : NULL;
    const enum programs_unified why = programs_type_unify(type, e->type);
    const struct programs_type *after = programs_type_find(before);
    if (!is_open || why != PROGRAMS_UNIFIED || !in->at ||
        (after->kind == PROGRAMS_TYPE_VAR && after->class == class))
        return why;
    if (!reason) {
        struct programs_reason *own = LIB_ARENA_NEW(in->arena, struct programs_reason);
        *own = (struct programs_reason){in->at, in->within};
        reason = own;
    }
    before->reason = reason;
    return why;
}

/* Returns the end of a message: what made an argument's type the expected one, if that is in
 * neither the function that is called nor the one that calls it. */
static const char *far_reason(struct infer *in, struct programs_type *expected)
{
    enum { SHOWN_MAX = 60 };
    const struct programs_reason *reason = programs_type_reason(expected);
    const struct programs_expr *call = in->at;
    LIB_TEXT_OWN text = {0};
    if (!reason || !call || call->kind != PROGRAMS_EXPR_CALL || !call->call->function ||
        !reason->within || reason->within == call->call->function ||
        reason->within == in->within)
        return "";
    programs_print_expr(reason->expr, &text);
    return lib_arena_printf(in->arena,
                            text.length <= SHOWN_MAX ? "; that follows from line %u: `%s`"
                                                     : "; that follows from line %u",
                            reason->expr->start.line, text.bytes);
}

static void report(struct infer *in, const struct programs_expr *e,
                   enum programs_unified why, const char *prefix,
                   struct programs_type *expected, struct programs_type *found,
                   enum infer_place place, const char *hint)
{
    const struct lib_source *source = in->ast->source;
    if (why == PROGRAMS_UNIFY_TOO_LARGE)
        report_too_large(in, e->start);
    else if (why == PROGRAMS_UNIFY_ENDLESS)
        lib_diag_error(in->diags, LIB_DIAG_TYPE, source, e->start,
                       "%sa type cannot contain itself, unless it is declared: `data "
                       "List(a) = Nil | Cons(a, List(a))`",
                       prefix);
    else {
        const char *other = programs_one_type_other_use(in, e, expected);
        if (!*other && place == PLACE_ARGUMENT)
            other = far_reason(in, expected);
        lib_diag_error(in->diags, LIB_DIAG_TYPE, source, e->start,
                       "%sexpected %s, found %s%s%s%s", prefix,
                       infer_type_text(in, expected), infer_type_text(in, found),
                       conversion(expected, found, place), other, hint);
    }
}

bool infer_expect(struct infer *in, const struct programs_expr *e,
                  struct programs_type *type, enum infer_place place, const char *format,
                  ...)
{
    enum programs_unified why = unify_expr(in, type, e);
    if (why == PROGRAMS_UNIFIED)
        return true;
    if (is_blamed(in, e, type))
        return false;
    LIB_TEXT_OWN prefix = {0};
    va_list ap;
    va_start(ap, format);
    lib_text_vprintf(&prefix, format, ap);
    va_end(ap);
    report(in, e, why, lib_text_get(&prefix), type, e->type, place, "");
    return false;
}

/* Returns why an operator does not take data. */
static const char *data_hint(struct infer *in, struct programs_type *found,
                             enum programs_type_class class)
{
    const struct programs_datatype *d = programs_type_find(found)->datatype;
    if (class != PROGRAMS_CLASS_SCALAR)
        return "; `case` takes data apart";
    if (!d->incomparable)
        return "; its parts cannot be compared";
    return lib_arena_printf(in->arena,
                            "; `%s` cannot be compared, because of field %" PRIu32
                            " of `%s` in line %" PRIu32,
                            d->name, d->incomparable->index + 1,
                            d->incomparable->constructor->name,
                            d->incomparable->pos.line);
}

static const char *operand_hint(struct infer *in, struct programs_type *found,
                                enum programs_type_class class,
                                const struct programs_expr *e)
{
    const bool is_array = infer_is_kind(found, PROGRAMS_TYPE_ARRAY);
    const bool is_join = e->op == PROGRAMS_ADD &&
                         infer_is_kind(e->operands[0]->type, PROGRAMS_TYPE_ARRAY) &&
                         infer_is_kind(e->operands[1]->type, PROGRAMS_TYPE_ARRAY);
    if (infer_is_kind(found, PROGRAMS_TYPE_DATA))
        return data_hint(in, found, class);
    if (is_array && class == PROGRAMS_CLASS_SCALAR)
        return "; arrays are compared by their elements: `sum([if x == b[i] then 0 else "
               "1 | x <- a at i]) == 0`";
    if (is_join)
        return lib_arena_printf(in->arena, "; %s", programs_syntax_hints_word("push"));
    if (is_array)
        return "; an operator takes elements of arrays: `[2 * x | x <- a]`";
    return infer_is_kind(found, PROGRAMS_TYPE_TUPLE)
               ? "; an operator takes parts of tuples, which `let (x, y) = ... in ...` "
                 "names"
               : "";
}

static bool expect_class(struct infer *in, const struct programs_expr *operation,
                         size_t i, enum programs_type_class class)
{
    const struct programs_expr *e = operation->operands[i];
    struct programs_type *type = infer_open_type(in, class);
    const enum programs_unified why = unify_expr(in, type, e);
    if (why == PROGRAMS_UNIFIED)
        return true;
    if (!is_blamed(in, e, type))
        report(in, e, why, "", type, e->type, PLACE_OPERAND,
               operand_hint(in, e->type, class, operation));
    return false;
}

static const char *array_hint(struct programs_type *found, enum programs_type_class class)
{
    found = programs_type_find(found);
    if (found->kind == PROGRAMS_TYPE_TUPLE)
        return "; the parts of a tuple get names: `let (x, y) = ... in x`";
    if (found->kind == PROGRAMS_TYPE_ARRAY && class == PROGRAMS_CLASS_NUMERIC &&
        infer_is_kind(found->parts[0], PROGRAMS_TYPE_BOOL))
        return "; `[if c then 1 else 0 | c <- a]` makes ints of bools";
    return "";
}

/* Unifies the type of an expression with an array, which messages call `expected`. Returns the
 * type of the elements, or NULL after an error. */
static struct programs_type *expect_array(struct infer *in, const struct programs_expr *e,
                                          enum programs_type_class class,
                                          const char *prefix, const char *expected)
{
    struct programs_type *element = infer_open_type(in, class);
    struct programs_type *array = programs_type_new_array(in->arena, element);
    enum programs_unified why = unify_expr(in, array, e);
    if (why == PROGRAMS_UNIFIED)
        return infer_is_kind(e->type, PROGRAMS_TYPE_ERROR) ? in->of_error : element;
    if (is_blamed(in, e, array))
        return NULL;
    if (why != PROGRAMS_UNIFY_MISMATCH)
        report(in, e, why, prefix, array, e->type, PLACE_OPERAND, "");
    else
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, e->start,
                       "%sexpected %s, found %s%s", prefix, expected,
                       infer_type_text(in, e->type), array_hint(e->type, class));
    return NULL;
}

/* --- expressions -------------------------------------------------------------------- */

/* Unifies the types of both operands. If one is int and the other real, the int is reported, as
 * it can be converted. */
static bool join_operands(struct infer *in, const struct programs_expr *e,
                          enum programs_type_class class)
{
    const struct programs_expr *a = e->operands[0], *b = e->operands[1];
    if (!expect_class(in, e, 0, class) || !expect_class(in, e, 1, class))
        return false;
    if (infer_is_kind(a->type, PROGRAMS_TYPE_INT) &&
        infer_is_kind(b->type, PROGRAMS_TYPE_REAL))
        return infer_expect(in, a, b->type, PLACE_OPERAND, "%s", "");
    return infer_expect(in, b, a->type, PLACE_OPERAND, "%s", "");
}

struct programs_type *infer_plain_binary(struct infer *in, const struct programs_expr *e)
{
    const struct programs_expr *a = e->operands[0], *b = e->operands[1];
    switch (programs_operator_level(e->op)) {
    case PROGRAMS_LEVEL_OR:
    case PROGRAMS_LEVEL_AND:
        infer_expect(in, a, in->of_bool, PLACE_OPERAND, "%s", "");
        infer_expect(in, b, in->of_bool, PLACE_OPERAND, "%s", "");
        return in->of_bool;
    case PROGRAMS_LEVEL_COMPARISON:
        if (e->op == PROGRAMS_EQ || e->op == PROGRAMS_NE) {
            join_operands(in, e, PROGRAMS_CLASS_SCALAR);
            if (in->ast->datatype_count)
                *LIB_VEC_PUSH(&in->equalities) = (struct infer_equality){
                    (struct programs_expr *)e, in->within};
        } else {
            join_operands(in, e, PROGRAMS_CLASS_NUMERIC);
        }
        return in->of_bool;
    default:
        return join_operands(in, e, PROGRAMS_CLASS_NUMERIC) ? a->type : in->of_error;
    }
}

struct programs_type *infer_plain_unary(struct infer *in, const struct programs_expr *e)
{
    const struct programs_expr *a = e->operands[0];
    if (e->op == PROGRAMS_NEG)
        return expect_class(in, e, 0, PROGRAMS_CLASS_NUMERIC) ? a->type : in->of_error;
    infer_expect(in, a, in->of_bool, PLACE_OPERAND, "%s", "");
    return in->of_bool;
}

/* Infers the condition last: if a name is the condition, and a number in a branch, the condition
 * is reported. */
static struct programs_type *infer_if(struct infer *in, const struct programs_expr *e)
{
    const struct programs_expr *yes = e->operands[1], *no = e->operands[2];
    bool one = infer_expect(in, no, yes->type, PLACE_MATCH, "%s",
                            "both branches of `if` must have one type: ");
    infer_expect(in, e->operands[0], in->of_bool, PLACE_OPERAND, "%s",
                 e->is_filter ? "condition of a comprehension: " : "");
    return one ? yes->type : in->of_error;
}

static bool expect_argument(struct infer *in, const struct programs_expr *call, size_t i,
                            struct programs_type *type, enum infer_place place)
{
    return infer_expect(in, call->operands[i], type, place,
                        "argument %zu of `%s`: ", i + 1, call->call->text);
}

static bool is_number(struct programs_type *type)
{
    type = programs_type_find(type);
    return type->kind == PROGRAMS_TYPE_INT || type->kind == PROGRAMS_TYPE_REAL ||
           (type->kind == PROGRAMS_TYPE_VAR && type->class >= PROGRAMS_CLASS_NUMERIC);
}

void infer_settle_doubts(struct infer *in)
{
    for (size_t i = 0; i < in->doubts.count; i++) {
        const struct infer_doubt *d = &in->doubts.items[i];
        const struct programs_expr *argument = d->call->operands[d->argument];
        struct programs_binding *param = d->call->call->function->params[d->argument];
        const struct programs_expr *condition = i < LIB_DIAG_MAX
                                                    ? programs_blame_condition(in->ast,
                                                                               param)
                                                    : NULL;
        if (!condition)
            expect_argument(in, d->call, d->argument, in->of_bool, PLACE_ARGUMENT);
        else if (!is_blamed(in, condition, in->of_bool))
            report(in, condition, PROGRAMS_UNIFY_MISMATCH, "", in->of_bool,
                   argument->type, PLACE_OPERAND, "");
    }
}

struct programs_type *infer_plain_builtin(struct infer *in, const struct programs_expr *e)
{
    struct programs_type *type;
    bool fits = true;
    switch (builtin_rules[e->call->builtin]) {
    case RULE_REAL:
        for (size_t i = 0; i < e->operand_count; i++)
            expect_argument(in, e, i, in->of_real, PLACE_ARGUMENT);
        return in->of_real;
    case RULE_INTS:
    case RULE_TEST:
    case RULE_DRAW:
        for (size_t i = 0; i < e->operand_count; i++)
            expect_argument(in, e, i, in->of_int, PLACE_ARGUMENT);
        return builtin_rules[e->call->builtin] == RULE_TEST   ? in->of_bool
               : builtin_rules[e->call->builtin] == RULE_DRAW ? in->of_real
                                                              : in->of_int;
    case RULE_TO_REAL:
        expect_argument(in, e, 0, in->of_int, PLACE_CONVERSION);
        return in->of_real;
    case RULE_TO_INT:
        expect_argument(in, e, 0, in->of_real, PLACE_CONVERSION);
        return in->of_int;
    case RULE_LENGTH:
        expect_array(in, e->operands[0], PROGRAMS_CLASS_ANY,
                     "argument 1 of `length`: ", "an array");
        return in->of_int;
    case RULE_SUM:
        type = expect_array(in, e->operands[0], PROGRAMS_CLASS_NUMERIC,
                            "argument 1 of `sum`: ", "an array of numbers");
        return type ? type : in->of_error;
    case RULE_APPEND:
    case RULE_PART:
        type = expect_array(
            in, e->operands[0], PROGRAMS_CLASS_ANY,
            lib_arena_printf(in->arena, "argument 1 of `%s`: ", e->call->text),
            "an array");
        for (size_t i = 1; type && i < e->operand_count; i++)
            fits = expect_argument(in, e, i,
                                   e->operand_count == 2 ? e->operands[0]->type
                                                         : in->of_int,
                                   PLACE_MATCH) &&
                   fits;
        return type && fits ? e->operands[0]->type : in->of_error;
    default:
        type = infer_open_type(in, PROGRAMS_CLASS_NUMERIC);
        for (size_t i = 0; i < e->operand_count; i++)
            fits = expect_argument(in, e, i, type, PLACE_MATCH) && fits;
        return fits ? type : in->of_error;
    }
}

struct programs_type **infer_use(struct infer *in, const struct programs_expr *e,
                                 const struct programs_function *f)
{
    const bool is_known = !in->within || in->within->component != f->component;
    struct programs_use *use = LIB_VEC_PUSH(&in->uses);
    *use = (struct programs_use){.expr = e, .within = in->within};
    if ((in->is_alone || f->is_polymorphic) && is_known)
        return use->types = programs_function_instance(in->arena, f, true);
    struct programs_type **types = LIB_ARENA_ARRAY(in->arena, struct programs_type *,
                                                   f->param_count + 1);
    for (size_t i = 0; i < f->param_count; i++)
        types[i] = f->params[i]->type;
    types[f->param_count] = f->result_type;
    return types;
}

static struct programs_type *infer_call(struct infer *in, const struct programs_expr *e)
{
    const struct programs_function *f = e->call->function;
    if (!f)
        return infer_plain_builtin(in, e);
    struct programs_type **types = infer_use(in, e, f);
    /* conflict with another use: the result proves nothing */
    bool conflicts = false;
    for (size_t i = 0; i < e->operand_count; i++) {
        struct programs_type *type = types[i];
        if (e->operands[i]->kind == PROGRAMS_EXPR_TEXT)
            lib_diag_error(
                in->diags, LIB_DIAG_TYPE, in->ast->source, e->operands[i]->start,
                "a text is the path that the built-in `%s` takes, and nothing else",
                f->name);
        if (infer_is_kind(type, PROGRAMS_TYPE_BOOL) && is_number(e->operands[i]->type))
            *LIB_VEC_PUSH(&in->doubts) = (struct infer_doubt){e, i};
        else if (!expect_argument(in, e, i, type, PLACE_ARGUMENT))
            conflicts |= *programs_one_type_other_use(in, e->operands[i], type) != '\0';
    }
    return conflicts ? in->of_error : types[f->param_count];
}

static struct programs_type *infer_tuple(struct infer *in, const struct programs_expr *e)
{
    struct programs_type *type = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    type->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *, e->operand_count);
    type->part_count = e->operand_count;
    for (size_t i = 0; i < e->operand_count; i++)
        type->parts[i] = e->operands[i]->type;
    if (programs_type_is_small(type))
        return type;
    report_too_large(in, e->start);
    return in->of_error;
}

static struct programs_type *
tuple_of_names(struct infer *in, struct programs_binding *const *names, size_t count)
{
    struct programs_type *tuple = programs_type_new(in->arena, PROGRAMS_TYPE_TUPLE);
    tuple->parts = LIB_ARENA_ARRAY(in->arena, struct programs_type *, count);
    tuple->part_count = count;
    for (size_t i = 0; i < count; i++)
        tuple->parts[i] = names[i]->type;
    return tuple;
}

/* --- arrays, loops ------------------------------------------------------------------- */

static struct programs_type *infer_array(struct infer *in, const struct programs_expr *e)
{
    struct programs_type *element = e->operand_count
                                        ? e->operands[0]->type
                                        : infer_open_type(in, PROGRAMS_CLASS_ANY);
    bool fits = true;
    for (size_t i = 1; i < e->operand_count; i++)
        fits = infer_expect(in, e->operands[i], element, PLACE_MATCH, "%s",
                            "the elements of an array must have one type: ") &&
               fits;
    return fits ? programs_type_new_array(in->arena, element) : in->of_error;
}

struct programs_type *infer_plain_index(struct infer *in, const struct programs_expr *e)
{
    struct programs_type *element = expect_array(in, e->operands[0], PROGRAMS_CLASS_ANY,
                                                 "", "an array");
    infer_expect(in, e->operands[1], in->of_int, PLACE_OPERAND, "%s",
                 "index of an array: ");
    return element ? element : in->of_error;
}

static struct programs_type *infer_over_array(struct infer *in,
                                              const struct programs_expr *e)
{
    const struct programs_expr *array = e->operands[1];
    const char *prefix = lib_arena_printf(in->arena, "`%s`: ", e->element->name);
    infer_expr(in, e->operands[1]);
    struct programs_type *element = expect_array(in, array, PROGRAMS_CLASS_ANY, prefix,
                                                 array->kind == PROGRAMS_EXPR_INT
                                                     ? "an array, or a range `lo .. hi`"
                                                     : "an array");
    e->element->type = element ? element : in->of_error;
    infer_expr(in, e->operands[0]);
    return programs_type_new_array(in->arena, e->operands[0]->type);
}

static struct programs_type *infer_comprehension(struct infer *in,
                                                 const struct programs_expr *e)
{
    if (e->index)
        e->index->type = in->of_int;
    if (programs_is_over_array(e))
        return infer_over_array(in, e);
    for (size_t i = 1; i < e->operand_count; i++)
        infer_expr(in, e->operands[i]);
    infer_expr(in, e->operands[0]);
    for (size_t i = 1; i < e->operand_count; i++)
        infer_expect(in, e->operands[i], in->of_int, PLACE_OPERAND,
                     "range of `%s`: ", e->index->name);
    return programs_type_new_array(in->arena, e->operands[0]->type);
}

/* Returns the expression `k -> E` of a comprehension that has it. */
static const struct programs_expr *find_pair(const struct programs_expr *e)
{
    for (;;)
        switch (e->kind) {
        case PROGRAMS_EXPR_LET:
            e = e->let->body;
            break;
        case PROGRAMS_EXPR_IF:
            e = e->operands[1];
            break;
        case PROGRAMS_EXPR_NAME: /* of all pairs of a JOINED */
            e = e->name.binding->expr->operands[1];
            break;
        case PROGRAMS_EXPR_TUPLE:
            return e;
        default:
            e = e->operands[0];
        }
}

static struct programs_type *infer_scatter(struct infer *in,
                                           const struct programs_expr *e)
{
    const struct programs_expr *pair = find_pair(e->operands[1]);
    infer_expect(in, e->operands[0], in->of_int, PLACE_OPERAND,
                 "length of `%s`: ", "scatter");
    infer_expect(in, pair->operands[0], in->of_int, PLACE_OPERAND,
                 "index before `->` of `%s`: ", "scatter");
    return programs_type_new_array(in->arena, pair->operands[1]->type);
}

/* Infers what an accumulating array begins with: an array, or its length and one element. */
static void infer_begin(struct infer *in, const struct programs_expr *e,
                        struct programs_type *array, struct programs_type *element)
{
    if (e->operand_count == 2) {
        infer_expect(in, e->operands[0], array, PLACE_MATCH, "%s",
                     "what `accumulate` adds to: ");
        return;
    }
    infer_expect(in, e->operands[0], in->of_int, PLACE_OPERAND,
                 "length of `%s`: ", "accumulate");
    infer_expect(in, e->operands[1], element, PLACE_MATCH, "%s",
                 "first value of `accumulate`: ");
}

static struct programs_type *infer_accumulate(struct infer *in,
                                              const struct programs_expr *e)
{
    const struct programs_expr *pair = find_pair(e->operands[e->operand_count - 1]);
    struct programs_type *element = e->fold >= PROGRAMS_FOLD_BIT_AND ? in->of_int
                                    : e->fold >= PROGRAMS_FOLD_AND
                                        ? in->of_bool
                                        : infer_open_type(in, PROGRAMS_CLASS_NUMERIC);
    struct programs_type *array = programs_type_new_array(in->arena, element);
    infer_expect(in, pair->operands[0], in->of_int, PLACE_OPERAND,
                 "index before `->` of `%s`: ", "accumulate");
    const bool fits = infer_expect(in, pair->operands[1], element, PLACE_OPERAND,
                                   "contribution of `%s`: ", programs_fold_text(e->fold));
    infer_begin(in, e, array, element);
    return fits ? array : in->of_error;
}

static struct programs_type *infer_variables(struct infer *in,
                                             const struct programs_expr *e)
{
    const struct programs_loop *loop = e->loop;
    if (loop->count == 1)
        return loop->names[0]->type;
    struct programs_type *type = tuple_of_names(in, loop->names, loop->count);
    if (programs_type_is_small(type))
        return type;
    report_too_large(in, e->start);
    return in->of_error;
}

/* Unifies the type of the one expression after `do` with a tuple of the variables' types. */
static void expect_new_values(struct infer *in, const struct programs_expr *e,
                              const struct programs_expr *next)
{
    struct programs_type *found = programs_type_find(next->type);
    const size_t count = e->loop->count;
    const bool is_open = found->kind == PROGRAMS_TYPE_VAR &&
                         found->class == PROGRAMS_CLASS_ANY;
    if (is_open || found->kind == PROGRAMS_TYPE_ERROR ||
        (found->kind == PROGRAMS_TYPE_TUPLE && found->part_count == count))
        infer_expect(in, next, infer_variables(in, e), PLACE_VALUE,
                     "the %zu new values of this loop: ", count);
    else
        lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, next->start,
                       "a loop of %zu variables has %zu expressions behind `do`, or one "
                       "tuple of %zu parts, found %s",
                       count, count, count, infer_type_text(in, found));
}

static struct programs_type *infer_loop(struct infer *in, const struct programs_expr *e)
{
    const struct programs_loop *loop = e->loop;
    for (size_t k = 0; k < loop->count; k++) {
        infer_expr(in, programs_loop_initial(e, k));
        loop->names[k]->type = programs_loop_initial(e, k)->type;
    }
    infer_expr(in, programs_loop_condition(e));
    for (size_t k = 0; k < programs_loop_next_count(e); k++) {
        struct programs_expr *next = programs_loop_next(e, k);
        infer_expr(in, next);
        if (loop->takes_tuple)
            expect_new_values(in, e, next);
        else
            infer_expect(in, next, loop->names[k]->type, PLACE_VALUE,
                         "`%s` of this loop: ", loop->names[k]->name);
    }
    infer_expect(in, programs_loop_condition(e), in->of_bool, PLACE_OPERAND, "%s", "");
    if (!loop->returns)
        return infer_variables(in, e);
    infer_expr(in, programs_loop_result(e));
    return programs_loop_result(e)->type;
}

/* --- equations ---------------------------------------------------------------------- */

static bool expect_parts(struct infer *in, const struct programs_equation *q)
{
    struct programs_type *value = programs_type_find(q->value->type);
    bool is_open = value->kind == PROGRAMS_TYPE_VAR && value->class == PROGRAMS_CLASS_ANY;
    if (q->pattern && q->pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR)
        return true;
    bool is_tuple = value->kind == PROGRAMS_TYPE_TUPLE;
    const size_t count = q->pattern ? q->pattern->part_count : q->name_count;
    if (is_open || value->kind == PROGRAMS_TYPE_ERROR)
        return is_open;
    if (is_tuple && value->part_count == count)
        return true;
    LIB_TEXT_OWN found = {0};
    if (is_tuple)
        lib_text_printf(&found, "one of %u: ", value->part_count);
    programs_type_write(value, &found);
    lib_diag_error(in->diags, LIB_DIAG_TYPE, in->ast->source, q->value->start,
                   "expected a tuple of %zu parts, found %s", count, found.bytes);
    return false;
}

void infer_equation(struct infer *in, const struct programs_equation *q)
{
    infer_expr(in, q->value);
    if (q->port && !q->port->is_input &&
        !expect_array(in, q->value, PROGRAMS_CLASS_ANY,
                      lib_arena_printf(in->arena, "port out `%s`: ", q->names[0]->name),
                      "an array")) {
        programs_type_unify(q->names[0]->type, in->of_error);
        return;
    }
    if (!q->is_tuple) {
        infer_expect(in, q->value, q->names[0]->type, PLACE_VALUE,
                     "`%s`: ", q->names[0]->name);
        return;
    }
    if (expect_parts(in, q) &&
        infer_expect(in, q->value,
                     q->pattern ? infer_pattern_type(in, q->pattern)
                                : tuple_of_names(in, q->names, q->name_count),
                     PLACE_VALUE, "%s", ""))
        return;
    for (size_t i = 0; i < q->name_count; i++)
        programs_type_unify(q->names[i]->type, in->of_error);
}

void infer_open_names(struct infer *in, const struct programs_equation *q)
{
    for (size_t i = 0; i < q->name_count; i++)
        q->names[i]->type = infer_open_type(in, PROGRAMS_CLASS_ANY);
    if (programs_equation_comprehension(q))
        q->names[0]->type = programs_type_new_array(in->arena, q->names[0]->type);
}

static struct programs_type *infer_let(struct infer *in, const struct programs_expr *e)
{
    for (size_t i = 0; i < e->let->count; i++) {
        const struct programs_equation *q = e->let->equations[i];
        infer_open_names(in, q);
        in->has_unneeded |= !q->used;
        if (in->needed_first && !q->used)
            *LIB_VEC_PUSH(&in->put_off) = (struct infer_put_off){q, in->within};
        else
            infer_equation(in, q);
    }
    infer_expr(in, e->let->body);
    return e->let->body->type;
}

/* Whether the type may be one of tensors, or wait for some. */
static bool is_of_tensors(const struct infer *in, const struct programs_expr *e)
{
    return in->ast->has_tensors &&
           (e->kind == PROGRAMS_EXPR_UNARY || e->kind == PROGRAMS_EXPR_BINARY ||
            e->kind == PROGRAMS_EXPR_PARAM || e->kind == PROGRAMS_EXPR_INDEX ||
            (e->kind == PROGRAMS_EXPR_CALL && !e->call->function));
}

static struct programs_type *find_type(struct infer *in, struct programs_expr *e)
{
    struct programs_type *type;
    if (is_of_tensors(in, e))
        return infer_tensor(in, e);
    switch (e->kind) {
    case PROGRAMS_EXPR_INT:
        if (e->is_bits)
            return in->of_int;
        type = infer_open_type(in, PROGRAMS_CLASS_LITERAL);
        *LIB_VEC_PUSH(&in->literals) = (struct infer_literal){e, type, true};
        return type;
    case PROGRAMS_EXPR_REAL:
        return in->of_real;
    case PROGRAMS_EXPR_BOOL:
        return in->of_bool;
    case PROGRAMS_EXPR_NAME:
        return e->name.binding->type;
    case PROGRAMS_EXPR_CALL:
        return infer_call(in, e);
    case PROGRAMS_EXPR_UNARY:
        return infer_plain_unary(in, e);
    case PROGRAMS_EXPR_BINARY:
        return infer_plain_binary(in, e);
    case PROGRAMS_EXPR_IF:
        return infer_if(in, e);
    case PROGRAMS_EXPR_CONSTRUCT:
        return infer_construct(in, e);
    case PROGRAMS_EXPR_FIELD:
        return infer_field(in, e);
    case PROGRAMS_EXPR_NUMBER:
        return in->of_int;
    case PROGRAMS_EXPR_CASE:
        return infer_case(in, e);
    case PROGRAMS_EXPR_LET:
        return infer_let(in, e);
    case PROGRAMS_EXPR_TUPLE:
        return infer_tuple(in, e);
    case PROGRAMS_EXPR_ARRAY:
        return infer_array(in, e);
    case PROGRAMS_EXPR_INDEX:
        return infer_plain_index(in, e);
    case PROGRAMS_EXPR_COMPREHENSION:
        return infer_comprehension(in, e);
    case PROGRAMS_EXPR_JOINED:
        return programs_type_find(e->operands[0]->type)->kind == PROGRAMS_TYPE_ARRAY
                   ? programs_type_find(e->operands[0]->type)->parts[0]
                   : in->of_error;
    case PROGRAMS_EXPR_SCATTER:
        return infer_scatter(in, e);
    case PROGRAMS_EXPR_ACCUMULATE:
        return infer_accumulate(in, e);
    case PROGRAMS_EXPR_LOOP:
        return infer_loop(in, e);
    case PROGRAMS_EXPR_GRAD:
        return infer_gradient(in, e);
    case PROGRAMS_EXPR_PORT:
        return infer_annotation(in, e->port->type);
    case PROGRAMS_EXPR_GIVEN:
        return infer_annotation(in, e->given->type);
    case PROGRAMS_EXPR_PARAM:
    case PROGRAMS_EXPR_TEXT:
        break;
    }
    return in->of_error;
}

static struct programs_type *type_of(struct infer *in, struct programs_expr *e)
{
    const struct programs_expr *outer = in->at;
    in->at = e;
    struct programs_type *type = find_type(in, e);
    in->at = outer;
    return type;
}

/* Gives an int among the elements of an array the type of the first one, if that is an int too:
 * they would become one type. Returns false if the elements are others. */
static bool take_literal_type(struct infer *in, const struct programs_expr *array,
                              struct programs_expr *e)
{
    const struct programs_expr *first = array->operands[0];
    if (array->kind != PROGRAMS_EXPR_ARRAY || e->kind != PROGRAMS_EXPR_INT ||
        first->kind != PROGRAMS_EXPR_INT)
        return false;
    e->type = first->type;
    *LIB_VEC_PUSH(&in->literals) = (struct infer_literal){e, e->type, true};
    if (in->unneeded)
        programs_unneeded_blame(in->unneeded, &in->literals, e, in->item);
    return true;
}

/* Operands of an expression that defines names are inferred in another order. */
static void infer_end(struct infer *in, struct programs_expr *e)
{
    bool defines = e->kind == PROGRAMS_EXPR_LOOP || e->kind == PROGRAMS_EXPR_CASE ||
                   e->kind == PROGRAMS_EXPR_COMPREHENSION;
    for (size_t i = 0; i < e->operand_count && !defines; i++)
        if (i == 0 || !take_literal_type(in, e, e->operands[i]))
            infer_expr(in, e->operands[i]);
    e->type = type_of(in, e);
    if (in->unneeded)
        programs_unneeded_blame(in->unneeded, &in->literals, e, in->item);
}

void infer_expr(struct infer *in, struct programs_expr *e)
{
    struct programs_expr *at = e;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at))
        for (size_t i = 0; at->kind == PROGRAMS_EXPR_IF && i < 2; i++)
            infer_expr(in, at->operands[i]);
    infer_end(in, at);
    while (at != e) {
        at = at->above;
        if (at->kind != PROGRAMS_EXPR_IF)
            infer_expr(in, at->operands[1]);
        at->type = type_of(in, at);
        if (in->unneeded)
            programs_unneeded_blame(in->unneeded, &in->literals, at, in->item);
    }
}
