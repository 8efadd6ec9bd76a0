#include "tests/random/evaluate_internal.h"

#include "programs/types/type.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>

/* Evaluation is eager and data-driven: everything that is reached is computed, in any
 * order in which it waits for nothing but what it needs. Here that is: when somebody needs
 * it, or in the end. So what `let` names, the parts of tuples, the elements of arrays and
 * the variables of loops are thunks; a thunk that is needed for its own value is a
 * deadlock, and stuck; what needs something stuck is stuck as well, but its other operands
 * are computed all the same, for they may fail. Nothing waits for an element if no thunk is
 * running, and then thunks other than elements are computed at once, which keeps the stack
 * low. */

/* Expressions within expressions, calls included; steps for an element of an array. */
enum { DEPTH_MAX = 1 << 20, ELEMENT_STEPS = 512 };

#define STACK_BYTES (UINT64_C(6) << 30) /* reserved, not touched unless it is needed */

static struct value end_of_loop(struct evaluator *ev, const struct place *place,
                                const struct programs_expr *e);

/* Ends the evaluation: from here on every expression is stuck. */
static struct value give_up(struct evaluator *ev)
{
    ev->outcome->end = EVALUATE_LIMIT;
    return evaluate_stuck;
}

/* What needs the value never gets it; all else goes on. */
struct value evaluate_fail(struct evaluator *ev)
{
    ev->failed = true;
    return evaluate_stuck;
}

enum evaluate_mistake evaluate_mistake_of(const struct evaluator *ev)
{
    return ev->mistake;
}

/* Not on the stack of the host, which recursion makes deep: what recurses here has no
 * local whose address is taken, else sanitizers move whole frames to the heap. */
struct place *evaluate_new_place(struct evaluator *ev, const struct value *arguments,
                                 const struct bound *names)
{
    struct place *place = LIB_ARENA_NEW(ev->arena, struct place);
    *place = (struct place){arguments, names, NULL};
    return place;
}

static enum programs_type_kind kind_of(const struct programs_expr *e)
{
    return programs_type_find(e->type)->kind;
}

/* --- thunks --------------------------------------------------------------------------- */

static struct value total(struct evaluator *ev, struct accumulation *a, uint32_t index);

struct value evaluate_force(struct evaluator *ev, struct thunk *t)
{
    if (t->whole) {
        const struct value v = evaluate_force(ev, t->whole);
        return v.stuck ? v : evaluate_force(ev, &v.parts[t->index]);
    }
    if (t->state == THUNK_RUNNING) {
        ev->deadlock = true;
        return evaluate_stuck;
    }
    if (t->state == THUNK_WAITING) {
        t->state = THUNK_RUNNING;
        ev->running++;
        t->value = t->is_end ? end_of_loop(ev, t->place, t->expr)
                   : t->sums ? total(ev, t->sums, t->index)
                             : evaluate_expr(ev, t->place, t->expr);
        ev->running--;
        t->state = THUNK_DONE;
    }
    return t->value;
}

/* Thunks to be computed later. */
static void defer(struct evaluator *ev, struct thunk *thunks, size_t count)
{
    *LIB_VEC_PUSH(&ev->work) = (struct work){thunks, count};
}

/* Computes thunks now if nothing can wait for them, else later. */
static void compute(struct evaluator *ev, struct thunk *thunks, size_t count)
{
    if (ev->running)
        defer(ev, thunks, count);
    for (size_t i = 0; i < count && !ev->running; i++)
        evaluate_force(ev, &thunks[i]);
}

/* Sets thunks of expressions. */
static void start(struct evaluator *ev, struct thunk *thunks, const struct place *place,
                  struct programs_expr *const *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        thunks[i] = (struct thunk){.expr = items[i], .place = place};
    compute(ev, thunks, count);
}

static struct thunk *new_thunks(struct evaluator *ev, const struct place *place,
                                struct programs_expr *const *items, size_t count)
{
    struct thunk *thunks = LIB_ARENA_ARRAY(ev->arena, struct thunk, count);
    start(ev, thunks, place, items, count);
    return thunks;
}

struct thunk *evaluate_operands(struct evaluator *ev, const struct place *place,
                                const struct programs_expr *e)
{
    return new_thunks(ev, place, e->operands, e->operand_count);
}

struct thunk *evaluate_later(struct evaluator *ev, const struct place *place,
                             struct programs_expr *e)
{
    return new_thunks(ev, place, &e, 1);
}

/* Waits for all scalars of a value. false: some are stuck. */
bool evaluate_wait_for(struct evaluator *ev, struct programs_type *type, struct value v)
{
    type = programs_type_find(type);
    bool all = !v.stuck;
    const struct programs_constructor *c = evaluate_record(type);
    const size_t count = c                                   ? c->field_count
                         : type->kind == PROGRAMS_TYPE_TUPLE ? type->part_count
                                                             : 0;
    for (size_t i = 0; i < count && !v.stuck; i++)
        all = evaluate_wait_for(ev, evaluate_part_type(type, c, i),
                                evaluate_force(ev, &v.parts[i])) &&
              all;
    return all;
}

/* --- names ---------------------------------------------------------------------------- */

struct value evaluate_literal(const struct programs_expr *e)
{
    if (e->kind == PROGRAMS_EXPR_BOOL)
        return bool_value(e->boolean);
    if (e->kind == PROGRAMS_EXPR_REAL)
        return real_value(e->real);
    return kind_of(e) == PROGRAMS_TYPE_REAL ? real_value((double)e->integer)
                                            : int_value(e->integer);
}

/* The value of an equation of the top level, computed once. */
static struct value constant(struct evaluator *ev, const struct programs_equation *q)
{
    struct constant *c = &ev->constants[q->index];
    if (!c->known) {
        c->value = evaluate_expr(ev, evaluate_new_place(ev, NULL, NULL), q->value);
        c->known = true;
    }
    return c->value;
}

static struct value part(struct evaluator *ev, struct value tuple, uint32_t index)
{
    return tuple.stuck ? tuple : evaluate_force(ev, &tuple.parts[index]);
}

struct bound *evaluate_bind(struct evaluator *ev, const struct bound *outer,
                            const struct programs_binding *binding, struct thunk *thunk)
{
    struct bound *b = LIB_ARENA_NEW(ev->arena, struct bound);
    *b = (struct bound){.binding = binding, .thunk = thunk, .outer = outer};
    return b;
}

static const struct bound *bind_part(struct evaluator *ev, const struct bound *outer,
                                     const struct programs_binding *binding,
                                     struct thunk *thunk)
{
    struct bound *b = evaluate_bind(ev, outer, binding, thunk);
    b->is_part = true;
    return b;
}

static struct value bound_name(struct evaluator *ev, const struct place *place,
                               const struct programs_binding *binding)
{
    const struct bound *b = place->names;
    while (b->binding != binding)
        b = b->outer;
    if (!b->thunk)
        return b->value;
    struct value v = evaluate_force(ev, b->thunk);
    if (b->pattern)
        return evaluate_named(ev, b->pattern, binding, v);
    return b->is_part ? part(ev, v, binding->index) : v;
}

static struct value name(struct evaluator *ev, const struct place *place,
                         const struct programs_binding *binding)
{
    switch (binding->kind) {
    case PROGRAMS_BIND_PARAM:
        return place->arguments[binding->index];
    case PROGRAMS_BIND_INPUT:
        return evaluate_literal(binding->input->literal);
    case PROGRAMS_BIND_CONST: {
        struct value v = constant(ev, binding->equation);
        if (binding->equation->pattern)
            return evaluate_named(ev, binding->equation->pattern, binding, v);
        return binding->equation->is_tuple ? part(ev, v, binding->index) : v;
    }
    default:
        return bound_name(ev, place, binding);
    }
}

/* --- arrays --------------------------------------------------------------------------- */

struct value evaluate_array(struct evaluator *ev, struct thunk *elements, int64_t length)
{
    struct array *array = LIB_ARENA_NEW(ev->arena, struct array);
    *array = (struct array){elements, length};
    return (struct value){.array = array};
}

/* Counts the calls that make `count` elements by a tree of strands. */
static uint64_t strand_calls(const struct evaluator *ev, int64_t count)
{
    const int64_t strand = ev->strand, rest = count - strand;
    if (rest <= 0)
        return 1;
    const int64_t lower = (rest + strand) / (2 * strand) * strand;
    return 1 + strand_calls(ev, lower) + strand_calls(ev, rest - lower);
}

/* The calls of the tree that makes a comprehension of `length` elements: its first strand needs
 * none. */
static void count_tree(struct evaluator *ev, int64_t length)
{
    if (ev->strand && length > ev->strand)
        ev->calls += strand_calls(ev, length - ev->strand);
}

static void count_strands(struct evaluator *ev, const struct programs_expr *e,
                          int64_t length)
{
    if (!e->reads_itself)
        count_tree(ev, length);
}

/* The elements of a comprehension over a range, not computed: they may name it. */
static struct value list_range(struct evaluator *ev, const struct place *place,
                               const struct programs_expr *e)
{
    struct value first = evaluate_expr(ev, place, e->operands[1]);
    struct value last = evaluate_expr(ev, place, e->operands[2]);
    if (first.stuck || last.stuck)
        return evaluate_stuck;
    __int128 step = 1, length = (__int128)last.i - first.i;
    if (e->operand_count == 4) {
        const struct value by = evaluate_expr(ev, place, e->operands[3]);
        if (by.stuck || by.i == 0)
            return by.stuck ? by : evaluate_fail(ev);
        step = by.i;
    }
    length = (length < 0) != (step < 0) && length != 0 ? 0 : length / step + 1;
    if (length > (__int128)(ev->steps / ELEMENT_STEPS))
        return give_up(ev);
    ev->steps -= (uint64_t)length * ELEMENT_STEPS;
    ev->iterations += (uint64_t)length;
    count_strands(ev, e, (int64_t)length);
    struct thunk *elements = LIB_ARENA_ARRAY(ev->arena, struct thunk, (size_t)length);
    for (int64_t i = 0; i < (int64_t)length; i++) {
        struct bound *index = LIB_ARENA_NEW(ev->arena, struct bound);
        *index = (struct bound){.binding = e->index,
                                .value = int_value((int64_t)(first.i + i * step)),
                                .outer = place->names};
        elements[i].expr = e->operands[0];
        elements[i].place = evaluate_new_place(ev, place->arguments, index);
    }
    return evaluate_array(ev, elements, (int64_t)length);
}

/* The same of a comprehension over the elements of an array. */
static struct value list_over_array(struct evaluator *ev, const struct place *place,
                                    const struct programs_expr *e)
{
    const struct value array = evaluate_expr(ev, place, e->operands[1]);
    if (array.stuck)
        return evaluate_stuck;
    const int64_t length = array.array->length;
    if ((uint64_t)length > ev->steps / ELEMENT_STEPS)
        return give_up(ev);
    ev->steps -= (uint64_t)length * ELEMENT_STEPS;
    ev->iterations += (uint64_t)length;
    count_strands(ev, e, (int64_t)length);
    struct thunk *elements = LIB_ARENA_ARRAY(ev->arena, struct thunk, (size_t)length);
    for (int64_t i = 0; i < length; i++) {
        const struct bound *names = evaluate_bind(ev, place->names, e->element,
                                                  &array.array->elements[i]);
        struct bound *index = LIB_ARENA_NEW(ev->arena, struct bound);
        *index = (struct bound){
            .binding = e->index, .value = int_value(i), .outer = names};
        elements[i].expr = e->operands[0];
        elements[i].place = evaluate_new_place(ev, place->arguments,
                                               e->index ? index : names);
    }
    return evaluate_array(ev, elements, length);
}

static struct value list_elements(struct evaluator *ev, const struct place *place,
                                  const struct programs_expr *e)
{
    return programs_is_over_array(e) ? list_over_array(ev, place, e)
                                     : list_range(ev, place, e);
}

static struct value comprehension(struct evaluator *ev, const struct place *place,
                                  const struct programs_expr *e)
{
    const struct value v = list_elements(ev, place, e);
    if (!v.stuck && ev->mistake != EVALUATE_MISTAKE_UNREAD)
        defer(ev, v.array->elements, (size_t)v.array->length);
    return v;
}

/* Lets a thunk of an array have the value of another one. */
static void forward(struct evaluator *ev, struct thunk *to, struct thunk *from)
{
    struct programs_expr *name = LIB_ARENA_NEW(ev->arena, struct programs_expr);
    struct programs_binding *binding = LIB_ARENA_NEW(ev->arena, struct programs_binding);
    binding->kind = PROGRAMS_BIND_ELEMENT;
    name->kind = PROGRAMS_EXPR_NAME;
    name->name.binding = binding;
    *to = (struct thunk){
        .expr = name,
        .place = evaluate_new_place(ev, NULL, evaluate_bind(ev, NULL, binding, from))};
}

/* Returns an array with the elements of `count` arrays, each in a tree of its own. */
static struct value join(struct evaluator *ev, const struct array *const *arrays,
                         int64_t count)
{
    int64_t length = 0, next = 0;
    for (int64_t i = 0; i < count; i++)
        length += arrays[i]->length;
    if ((uint64_t)length > ev->steps / ELEMENT_STEPS)
        return give_up(ev);
    ev->steps -= (uint64_t)length * ELEMENT_STEPS;
    ev->iterations += (uint64_t)length;
    count_tree(ev, length);
    struct thunk *elements = LIB_ARENA_ARRAY(ev->arena, struct thunk, (size_t)length);
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < arrays[i]->length; k++)
            forward(ev, &elements[next++], &arrays[i]->elements[k]);
    defer(ev, elements, (size_t)length);
    return evaluate_array(ev, elements, length);
}

/* Whether all qualifiers behind the generator are definitions, then conditions. */
static bool is_filtered(const struct programs_expr *e)
{
    while (e->kind == PROGRAMS_EXPR_LET)
        e = e->let->body;
    bool found = false;
    for (; e->kind == PROGRAMS_EXPR_IF; e = e->operands[1])
        found = true;
    return found && e->kind == PROGRAMS_EXPR_ARRAY;
}

/* Counts the calls that find the places of `count` conditions by a tree of strands. */
static uint64_t half_calls(const struct evaluator *ev, int64_t count)
{
    return count <= ev->strand
               ? 1
               : 1 + half_calls(ev, count / 2) + half_calls(ev, count - count / 2);
}

/* All of the arrays are looked at, though one is stuck. A loop, or a tree of strands, finds the
 * places of what a condition chooses; those of other arrays two loops and a sum of their lengths.
 */
static struct value joined(struct evaluator *ev, const struct place *place,
                           const struct programs_expr *e)
{
    const struct value all = comprehension(ev, place, e->operands[0]);
    if (all.stuck)
        return all;
    const int64_t count = all.array->length;
    const struct array **arrays = LIB_ARENA_ARRAY(ev->arena, const struct array *,
                                                  (size_t)count);
    bool stuck = false;
    for (int64_t i = 0; i < count; i++) {
        const struct value v = evaluate_force(ev, &all.array->elements[i]);
        stuck |= v.stuck;
        arrays[i] = v.stuck ? NULL : v.array;
    }
    if (stuck)
        return evaluate_stuck;
    const bool filters = is_filtered(e->operands[0]->operands[0]);
    const bool is_tree = filters && ev->strand && count > ev->strand;
    ev->iterations += (uint64_t)count;
    ev->calls += is_tree ? half_calls(ev, count) : 0;
    if (!filters) {
        for (int64_t i = 0; i < count; i++)
            ev->iterations += (uint64_t)arrays[i]->length;
        ev->calls += count ? 2 * (uint64_t)count - 1 : 0;
    }
    return join(ev, arrays, count);
}

/* An element that nothing writes needs itself; one that is written twice fails. */
static struct value scatter(struct evaluator *ev, const struct place *place,
                            const struct programs_expr *e)
{
    const struct programs_expr *pair = e->operands[1]->operands[0];
    const struct value length = evaluate_expr(ev, place, e->operands[0]);
    const struct value from = list_elements(ev, place, e->operands[1]);
    if (length.stuck || from.stuck)
        return evaluate_stuck;
    if (length.i < 0)
        return evaluate_fail(ev);
    if ((uint64_t)length.i > ev->steps / ELEMENT_STEPS)
        return give_up(ev);
    struct thunk *elements = LIB_ARENA_ARRAY(ev->arena, struct thunk, (size_t)length.i);
    for (int64_t i = 0; i < length.i; i++)
        elements[i].state = THUNK_RUNNING;
    for (int64_t i = 0; i < from.array->length; i++) {
        const struct place *inner = from.array->elements[i].place;
        const struct value index = evaluate_expr(ev, inner, pair->operands[0]);
        if (index.stuck)
            continue;
        if (index.i < 0 || index.i >= length.i || elements[index.i].expr) {
            evaluate_fail(ev);
            continue;
        }
        elements[index.i] = (struct thunk){.expr = pair->operands[1], .place = inner};
        defer(ev, &elements[index.i], 1);
    }
    return evaluate_array(ev, elements, length.i);
}

static enum programs_type_kind element_kind(const struct accumulation *a)
{
    return programs_type_find(programs_type_find(a->expr->type)->parts[0])->kind;
}

/* Adds an int or bool to what an element accumulates. */
static void accumulate_int(struct accumulation *a, int64_t index, struct value v)
{
    const bool is_first = a->counts[index]++ == 0;
    const __int128 sum = a->ints[index];
    const bool is_bool = element_kind(a) == PROGRAMS_TYPE_BOOL;
    const int64_t i = is_bool ? v.b : v.i;
    switch (a->expr->fold) {
    case PROGRAMS_FOLD_ADD:
        a->ints[index] += i;
        break;
    case PROGRAMS_FOLD_MIN:
        a->ints[index] = is_first || i < sum ? i : sum;
        break;
    case PROGRAMS_FOLD_MAX:
        a->ints[index] = is_first || i > sum ? i : sum;
        break;
    case PROGRAMS_FOLD_BIT_XOR:
        a->ints[index] = (int64_t)sum ^ i;
        break;
    case PROGRAMS_FOLD_OR:
    case PROGRAMS_FOLD_BIT_OR:
        a->ints[index] = (int64_t)sum | i;
        break;
    default:
        a->ints[index] = is_first ? i : (int64_t)sum & i;
    }
}

/* The same for the least or greatest of reals. */
static void accumulate_choice(struct accumulation *a, int64_t index, struct value v)
{
    struct evaluate_sum *kept = &a->reals[index];
    const double r = kept->special;
    const bool is_max = a->expr->fold == PROGRAMS_FOLD_MAX;
    const bool is_less = v.r < r || (v.r == r && signbit(v.r) && !signbit(r));
    const bool is_more = v.r > r || (v.r == r && !signbit(v.r) && signbit(r));
    if (kept->count++ == 0 || isnan(v.r) || (!isnan(r) && (is_max ? is_more : is_less)))
        kept->special = isnan(v.r) ? (double)NAN : v.r;
}

static void accumulate(struct accumulation *a, int64_t index, struct value v,
                       bool is_real)
{
    if (!is_real)
        accumulate_int(a, index, v);
    else if (a->expr->fold == PROGRAMS_FOLD_ADD)
        evaluate_sum_add(&a->reals[index], v.r);
    else
        accumulate_choice(a, index, v);
}

/* Makes all contributions of an array. Returns false if one never comes. */
static bool contribute(struct evaluator *ev, struct accumulation *a)
{
    if (a->state == THUNK_RUNNING)
        ev->deadlock = true;
    if (a->state != THUNK_WAITING)
        return a->state == THUNK_DONE && !a->stuck;
    a->state = THUNK_RUNNING;
    for (int64_t i = 0; i < a->from->length; i++) {
        const struct thunk *pair = &a->from->elements[i];
        const struct value both = evaluate_expr(ev, pair->place, pair->expr);
        const struct value index = part(ev, both, 0), v = part(ev, both, 1);
        a->stuck |= index.stuck || v.stuck;
        if (!index.stuck && (index.i < 0 || index.i >= a->length)) {
            evaluate_fail(ev);
            a->stuck = true;
        } else if (!index.stuck && !v.stuck) {
            accumulate(a, index.i, v, element_kind(a) == PROGRAMS_TYPE_REAL);
        }
    }
    a->state = THUNK_DONE;
    return !a->stuck;
}

/* An element of an accumulating array; beyond the last one, whether all contributions are made. */
static struct value total(struct evaluator *ev, struct accumulation *a, uint32_t index)
{
    const bool is_real = element_kind(a) == PROGRAMS_TYPE_REAL;
    const bool is_all = contribute(ev, a);
    if (!is_all || index == a->length)
        return is_all ? int_value(0) : evaluate_stuck;
    const struct value first = evaluate_force(ev, a->begin ? &a->begin->elements[index]
                                                           : a->first);
    if (first.stuck)
        return evaluate_stuck;
    accumulate(a, index, first, is_real);
    const __int128 sum = a->ints[index];
    if (is_real)
        return real_value(a->expr->fold == PROGRAMS_FOLD_ADD
                              ? evaluate_sum_total(&a->reals[index])
                              : a->reals[index].special);
    if (sum != (int64_t)sum)
        return evaluate_fail(ev);
    return a->expr->fold == PROGRAMS_FOLD_AND || a->expr->fold == PROGRAMS_FOLD_OR
               ? bool_value(sum != 0)
               : int_value((int64_t)sum);
}

static struct value accumulating(struct evaluator *ev, const struct place *place,
                                 const struct programs_expr *e)
{
    const bool has_begin = e->operand_count == 2;
    const struct value given = evaluate_expr(ev, place, e->operands[0]);
    const struct value from = list_elements(ev, place, e->operands[e->operand_count - 1]);
    if (given.stuck || from.stuck)
        return evaluate_stuck;
    const int64_t length = has_begin ? given.array->length : given.i;
    if (length < 0)
        return evaluate_fail(ev);
    if ((uint64_t)length > ev->steps / ELEMENT_STEPS)
        return give_up(ev);
    ev->steps -= (uint64_t)length * ELEMENT_STEPS;
    ev->iterations += (uint64_t)length; /* that write the totals */
    if (ev->strand && length > ev->strand)
        ev->calls += strand_calls(ev, length - ev->strand);
    const size_t count = (size_t)length + 1;
    struct accumulation *a = LIB_ARENA_NEW(ev->arena, struct accumulation);
    *a = (struct accumulation){
        .expr = e,
        .from = from.array,
        .begin = has_begin ? given.array : NULL,
        .first = has_begin ? NULL : evaluate_later(ev, place, e->operands[1]),
        .length = length,
        .reals = LIB_ARENA_ARRAY(ev->arena, struct evaluate_sum, count),
        .ints = LIB_ARENA_ARRAY(ev->arena, __int128, count),
        .counts = LIB_ARENA_ARRAY(ev->arena, uint64_t, count),
    };
    struct thunk *elements = LIB_ARENA_ARRAY(ev->arena, struct thunk, count);
    for (size_t i = 0; i < count; i++)
        elements[i] = (struct thunk){.sums = a, .index = (uint32_t)i};
    defer(ev, elements, count);
    return evaluate_array(ev, elements, length);
}

static struct value element(struct evaluator *ev, const struct place *place,
                            const struct programs_expr *e)
{
    struct value array = evaluate_expr(ev, place, e->operands[0]);
    struct value index = evaluate_expr(ev, place, e->operands[1]);
    if (array.stuck || index.stuck)
        return evaluate_stuck;
    if (index.i < 0 || index.i >= array.array->length)
        return evaluate_fail(ev);
    return evaluate_force(ev, &array.array->elements[index.i]);
}

static struct value real_operation(enum programs_operator op, struct value a,
                                   struct value b)
{
    struct value v = evaluate_real_operation(op, a.r, b.r);
    v.d = evaluate_dual_operation(op, a, b);
    return v;
}

/* The fixed tree of the elements from number `first` up to that before `behind`. */
static struct value sum(struct evaluator *ev, const struct array *array, int64_t first,
                        int64_t behind, bool is_int)
{
    if (first == behind)
        return is_int ? int_value(0) : real_value(0);
    ev->calls++;
    if (behind - first == 1)
        return evaluate_force(ev, &array->elements[first]);
    bool tree = ev->mistake != EVALUATE_MISTAKE_TREE;
    int64_t middle = tree ? first + (behind - first) / 2 : behind - 1;
    struct value a = sum(ev, array, first, middle, is_int);
    struct value b = sum(ev, array, middle, behind, is_int);
    if (a.stuck || b.stuck)
        return evaluate_stuck;
    return is_int ? evaluate_int_operation(ev, PROGRAMS_ADD, a.i, b.i)
                  : real_operation(PROGRAMS_ADD, a, b);
}

/* --- calls ---------------------------------------------------------------------------- */

void evaluate_count_call(struct evaluator *ev, size_t arguments)
{
    ev->calls += ev->mistake == EVALUATE_MISTAKE_CALLS ? arguments : 1;
}

/* A call returns when its result and all its arguments are there; the body starts before. */
static struct value call(struct evaluator *ev, const struct place *place,
                         const struct programs_expr *e)
{
    const struct programs_function *f = e->call->function;
    struct value *arguments = LIB_ARENA_ARRAY(ev->arena, struct value, e->operand_count);
    bool all = true;
    for (size_t i = 0; i < e->operand_count; i++) {
        if (ev->mistake == EVALUATE_MISTAKE_LAZY && !f->params[i]->used)
            continue;
        arguments[i] = evaluate_expr(ev, place, e->operands[i]);
        all = evaluate_wait_for(ev, e->operands[i]->type, arguments[i]) && all;
    }
    evaluate_count_call(ev, e->operand_count);
    struct value v = evaluate_compares(ev, f)
                         ? evaluate_equal(ev, e->operands[0]->type, arguments[0],
                                          arguments[1])
                         : evaluate_expr(ev, evaluate_new_place(ev, arguments, NULL),
                                         f->body);
    return all ? v : evaluate_stuck;
}

/* Part of an array: that it has no such elements is a failure of each of them. */
static struct value subarray(struct evaluator *ev, const struct array *array,
                             int64_t first, int64_t count)
{
    if (count < 0)
        return evaluate_fail(ev);
    if (count && (first < 0 || first > array->length || count > array->length - first))
        return evaluate_fail(ev);
    const struct array part = {array->elements + (count ? first : 0), count};
    return join(ev, (const struct array *const[]){&part}, 1);
}

static struct value builtin(struct evaluator *ev, const struct place *place,
                            const struct programs_expr *e)
{
    if (e->call->builtin == PROGRAMS_BUILTIN_SUBARRAY) {
        const struct value array = evaluate_expr(ev, place, e->operands[0]);
        const struct value first = evaluate_expr(ev, place, e->operands[1]);
        const struct value count = evaluate_expr(ev, place, e->operands[2]);
        return array.stuck || first.stuck || count.stuck
                   ? evaluate_stuck
                   : subarray(ev, array.array, first.i, count.i);
    }
    struct value a = evaluate_expr(ev, place, e->operands[0]);
    struct value b = e->operand_count == 2 ? evaluate_expr(ev, place, e->operands[1]) : a;
    if (a.stuck || b.stuck)
        return evaluate_stuck;
    if (e->call->builtin == PROGRAMS_BUILTIN_APPEND)
        return join(ev, (const struct array *const[]){a.array, b.array}, 2);
    if (e->call->builtin == PROGRAMS_BUILTIN_LENGTH)
        return int_value(a.array->length);
    if (e->call->builtin == PROGRAMS_BUILTIN_SUM)
        return sum(ev, a.array, 0, a.array->length, kind_of(e) == PROGRAMS_TYPE_INT);
    if (kind_of(e->operands[0]) == PROGRAMS_TYPE_INT)
        return evaluate_int_builtin(ev, e->call->builtin, a.i, b.i);
    struct value v = evaluate_real_builtin(ev, e->call->builtin, a.r, b.r);
    v.d = evaluate_dual_builtin(e->call->builtin, a, b);
    return v;
}

/* --- expressions ---------------------------------------------------------------------- */

static struct value unary(struct evaluator *ev, const struct place *place,
                          const struct programs_expr *e)
{
    struct value a = evaluate_expr(ev, place, e->operands[0]);
    if (a.stuck)
        return evaluate_stuck;
    if (e->op == PROGRAMS_NOT)
        return bool_value(!a.b);
    return kind_of(e) == PROGRAMS_TYPE_INT ? evaluate_int_negation(ev, a.i)
                                           : (struct value){.r = -a.r, .d = -a.d};
}

static struct value binary(struct evaluator *ev, const struct place *place,
                           const struct programs_expr *e)
{
    struct value a = evaluate_expr(ev, place, e->operands[0]);
    if (e->op == PROGRAMS_AND || e->op == PROGRAMS_OR) {
        bool decided = a.stuck || a.b == (e->op == PROGRAMS_OR);
        return decided ? a : evaluate_expr(ev, place, e->operands[1]);
    }
    struct value b = evaluate_expr(ev, place, e->operands[1]);
    if (a.stuck || b.stuck)
        return evaluate_stuck;
    switch (kind_of(e->operands[0])) {
    case PROGRAMS_TYPE_INT:
        return evaluate_int_operation(ev, e->op, a.i, b.i);
    case PROGRAMS_TYPE_REAL:
        return real_operation(e->op, a, b);
    default:
        return bool_value((a.b == b.b) == (e->op == PROGRAMS_EQ));
    }
}

static struct value conditional(struct evaluator *ev, const struct place *place,
                                const struct programs_expr *e)
{
    struct value condition = evaluate_expr(ev, place, e->operands[0]);
    if (condition.stuck)
        return evaluate_stuck;
    const bool holds = condition.b ||
                       (e->is_filter && ev->mistake == EVALUATE_MISTAKE_FILTER);
    return evaluate_expr(ev, place, e->operands[holds ? 1 : 2]);
}

/* The name of a comprehension is bound before it is looked at, for its elements. */
static struct value let(struct evaluator *ev, const struct place *place,
                        const struct programs_expr *e)
{
    const struct bound *names = place->names;
    for (size_t i = 0; i < e->let->count; i++) {
        struct programs_equation *q = e->let->equations[i];
        if (!q->used && ev->mistake != EVALUATE_MISTAKE_UNUSED)
            continue;
        struct thunk *t = LIB_ARENA_NEW(ev->arena, struct thunk);
        const struct bound *outer = names;
        for (size_t n = 0; n < q->name_count; n++) {
            struct bound *b = evaluate_bind(ev, names, q->names[n], t);
            b->pattern = q->pattern;
            b->is_part = q->is_tuple;
            names = b;
        }
        bool sees_itself = programs_equation_comprehension(q) != NULL;
        start(ev, t,
              evaluate_new_place(ev, place->arguments, sees_itself ? names : outer),
              &q->value, 1);
    }
    return evaluate_expr(ev, evaluate_new_place(ev, place->arguments, names),
                         e->let->body);
}

/* The place within `outer` in which the variables have new values, those of `items`; what
 * is not used is not computed. */
static struct place *bind_variables(struct evaluator *ev, const struct place *outer,
                                    const struct place *place,
                                    const struct programs_expr *e,
                                    struct programs_expr *const *items)
{
    struct thunk *values = LIB_ARENA_ARRAY(ev->arena, struct thunk, e->loop->count);
    struct place *inner = evaluate_new_place(ev, outer->arguments, outer->names);
    struct thunk *tuple = NULL; /* of all next values, if one expression gives them */
    if (e->loop->takes_tuple && items != e->operands)
        tuple = evaluate_later(ev, place, items[0]);
    inner->variables = values;
    for (size_t k = 0; k < e->loop->count; k++) {
        if (!e->loop->names[k]->used && ev->mistake != EVALUATE_MISTAKE_UNUSED)
            continue;
        inner->names = evaluate_bind(ev, inner->names, e->loop->names[k], &values[k]);
        if (tuple)
            values[k] = (struct thunk){.whole = tuple, .index = (uint32_t)k};
        else
            start(ev, &values[k], place, &items[k], 1);
    }
    return inner;
}

static struct value end_of_loop(struct evaluator *ev, const struct place *place,
                                const struct programs_expr *e)
{
    const size_t count = e->loop->count;
    struct place *inner = bind_variables(ev, place, place, e, e->operands);
    const struct thunk *values = inner->variables;
    for (;;) {
        struct value condition = evaluate_expr(ev, inner, programs_loop_condition(e));
        if (condition.stuck)
            return evaluate_stuck;
        bool first = ev->mistake == EVALUATE_MISTAKE_ROUND && inner->variables == values;
        ev->iterations += condition.b || ev->mistake == EVALUATE_MISTAKE_ITERATIONS;
        if (!condition.b && !first)
            break;
        inner = bind_variables(ev, place, inner, e, e->operands + count + 1);
    }
    return (struct value){.parts = inner->variables};
}

/* What stands behind `return` waits for those variables only that it uses. */
static struct value loop(struct evaluator *ev, const struct place *place,
                         const struct programs_expr *e)
{
    struct thunk *end = LIB_ARENA_NEW(ev->arena, struct thunk);
    *end = (struct thunk){.expr = e, .place = place, .is_end = true};
    compute(ev, end, 1);
    if (!e->loop->returns)
        return e->loop->count == 1 ? part(ev, evaluate_force(ev, end), 0)
                                   : evaluate_force(ev, end);
    const struct bound *names = place->names;
    for (size_t k = 0; k < e->loop->count; k++)
        names = bind_part(ev, names, e->loop->names[k], end);
    return evaluate_expr(ev, evaluate_new_place(ev, place->arguments, names),
                         programs_loop_result(e));
}

/* The number of a constructor, of which `==` is made if no constructor of the type has fields. */
static struct value number(struct evaluator *ev, const struct place *place,
                           const struct programs_expr *e)
{
    const struct value v = evaluate_expr(ev, place, e->operands[0]);
    return v.stuck ? v : int_value(v.data->constructor->number);
}

/* Counts the iterations that make the rows of an array of arrays that is given: one for each part
 * of its elements. */
static void count_rows(struct evaluator *ev, struct programs_type *type, int64_t length)
{
    const struct programs_type *row = programs_type_find(type->parts[0]);
    if (row->kind != PROGRAMS_TYPE_ARRAY)
        return;
    const struct programs_type *element = programs_type_find(row->parts[0]);
    const bool is_tuple = element->kind == PROGRAMS_TYPE_TUPLE;
    ev->iterations += (uint64_t)length * (is_tuple ? element->part_count : 1);
}

/* The value of an input that is an array: literals, of which ints may stand for reals. */
static struct value given(struct evaluator *ev, struct programs_type *type,
                          const struct programs_expr *literal)
{
    type = programs_type_find(type);
    if (type->kind != PROGRAMS_TYPE_ARRAY && type->kind != PROGRAMS_TYPE_TUPLE)
        return literal->kind == PROGRAMS_EXPR_BOOL   ? bool_value(literal->boolean)
               : literal->kind == PROGRAMS_EXPR_REAL ? real_value(literal->real)
               : type->kind == PROGRAMS_TYPE_REAL ? real_value((double)literal->integer)
                                                  : int_value(literal->integer);
    const bool is_array = type->kind == PROGRAMS_TYPE_ARRAY;
    struct thunk *parts = LIB_ARENA_ARRAY(ev->arena, struct thunk,
                                          literal->operand_count);
    for (size_t i = 0; i < literal->operand_count; i++)
        parts[i] = (struct thunk){
            .state = THUNK_DONE,
            .value = given(ev, type->parts[is_array ? 0 : i], literal->operands[i])};
    if (!is_array)
        return (struct value){.parts = parts};
    count_rows(ev, type, (int64_t)literal->operand_count);
    return evaluate_array(ev, parts, (int64_t)literal->operand_count);
}

static struct value value_inside(struct evaluator *ev, const struct place *place,
                                 const struct programs_expr *e)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_NAME:
        return name(ev, place, e->name.binding);
    case PROGRAMS_EXPR_CALL:
        return e->call->function ? call(ev, place, e) : builtin(ev, place, e);
    case PROGRAMS_EXPR_UNARY:
        return unary(ev, place, e);
    case PROGRAMS_EXPR_BINARY:
        return binary(ev, place, e);
    case PROGRAMS_EXPR_IF:
        return conditional(ev, place, e);
    case PROGRAMS_EXPR_LET:
        return let(ev, place, e);
    case PROGRAMS_EXPR_LOOP:
        return loop(ev, place, e);
    case PROGRAMS_EXPR_TUPLE:
        return (struct value){.parts = evaluate_operands(ev, place, e)};
    case PROGRAMS_EXPR_CONSTRUCT:
        return evaluate_construct(ev, place, e);
    case PROGRAMS_EXPR_FIELD:
        return evaluate_field(ev, place, e);
    case PROGRAMS_EXPR_CASE:
        return evaluate_case(ev, place, e);
    case PROGRAMS_EXPR_NUMBER:
        return number(ev, place, e);
    case PROGRAMS_EXPR_ARRAY:
        return evaluate_array(ev, evaluate_operands(ev, place, e),
                              (int64_t)e->operand_count);
    case PROGRAMS_EXPR_COMPREHENSION:
        return comprehension(ev, place, e);
    case PROGRAMS_EXPR_JOINED:
        return joined(ev, place, e);
    case PROGRAMS_EXPR_SCATTER:
        return scatter(ev, place, e);
    case PROGRAMS_EXPR_ACCUMULATE:
        return accumulating(ev, place, e);
    case PROGRAMS_EXPR_INDEX:
        return element(ev, place, e);
    case PROGRAMS_EXPR_GRAD:
        return evaluate_gradient(ev, place, e);
    case PROGRAMS_EXPR_GIVEN:
        return given(ev, e->type, e->given->literal);
    default:
        return evaluate_literal(e);
    }
}

struct value evaluate_expr(struct evaluator *ev, const struct place *place,
                           const struct programs_expr *e)
{
    if (ev->outcome->end != EVALUATE_COMPLETED)
        return evaluate_stuck;
    if (ev->steps == 0 || ++ev->depth > DEPTH_MAX)
        return give_up(ev);
    ev->steps--;
    struct value v = value_inside(ev, place, e);
    ev->depth--;
    return v;
}

/* --- programs ------------------------------------------------------------------------- */

static void write_value(struct evaluator *ev, struct programs_type *type, struct value v,
                        struct lib_text *out)
{
    type = programs_type_find(type);
    if (v.stuck)
        return; /* a mistake is planted */
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
    case PROGRAMS_TYPE_ARRAY:
        for (int64_t i = 0; i < v.array->length; i++) {
            lib_text_puts(out, i ? ", " : "[");
            write_value(ev, type->parts[0], evaluate_force(ev, &v.array->elements[i]),
                        out);
        }
        lib_text_puts(out, v.array->length ? "]" : "[]");
        break;
    case PROGRAMS_TYPE_DATA:
        evaluate_write_data(ev, type, v, write_value, out);
        break;
    default:
        for (size_t i = 0; i < type->part_count; i++) {
            lib_text_puts(out, i ? ", " : "(");
            write_value(ev, type->parts[i], evaluate_force(ev, &v.parts[i]), out);
        }
        lib_text_puts(out, ")");
    }
}

/* The result needs its own constants only, but all that are used are computed, and all
 * that is within them: any of it may fail. */
static void *run(void *argument)
{
    struct evaluator *ev = argument;
    for (size_t i = 0; i < ev->ast->constant_count; i++)
        if (ev->ast->constants[i]->used)
            constant(ev, ev->ast->constants[i]);
    while (ev->work.count && ev->outcome->end == EVALUATE_COMPLETED) {
        struct work w = ev->work.items[--ev->work.count];
        for (size_t i = 0; i < w.count; i++)
            evaluate_force(ev, &w.thunks[i]);
    }
    struct evaluate_outcome *o = ev->outcome;
    o->deadlocks = ev->deadlock || (ev->failed && o->end == EVALUATE_LIMIT);
    if (ev->failed || ev->deadlock)
        o->end = ev->failed ? EVALUATE_FAILED : EVALUATE_DEADLOCKED;
    const struct programs_equation *result = ev->ast->result;
    if (o->end == EVALUATE_COMPLETED)
        write_value(ev, result->value->type, constant(ev, result), &o->result);
    ev->outcome->calls = ev->calls;
    ev->outcome->iterations = ev->iterations;
    return NULL;
}

void evaluate(const struct programs_ast *ast, uint64_t steps,
              enum evaluate_mistake mistake, uint64_t strand,
              struct evaluate_outcome *outcome)
{
    struct lib_arena *arena = lib_arena_new();
    struct evaluator ev = {
        .ast = ast,
        .arena = arena,
        .constants = LIB_ARENA_ARRAY(arena, struct constant, ast->constant_count),
        .steps = steps,
        .mistake = mistake,
        .strand = (int64_t)strand,
        .outcome = outcome,
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
    LIB_VEC_FREE(&ev.work);
    lib_arena_free(arena);
}
