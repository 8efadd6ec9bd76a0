/* Loops and arrays of random programs: tests/random/generate.h says when there are some. */
#include "tests/random/generate_internal.h"

#include <inttypes.h>

enum {
    TIMES_MAX =
        60, /* that the innermost loop or comprehension of a body is gone through */
    TRIPS_MAX = 4,
    MORE_MAX = 6, /* elements above the least number of an array's type */
    VARIABLES_MAX = 3,
};

/* Whether what is written next may be done so many times. */
static bool may_repeat(const struct generator *g, unsigned times)
{
    return g->times * times <= TIMES_MAX;
}

/* A name that no pool has: nothing is hidden by it, and nothing hides it. */
static const char *fresh_name(struct generator *g)
{
    return lib_arena_printf(g->arena, "w%u", g->fresh++);
}

static void put_plus(struct generator *g, const char *name, int64_t offset)
{
    put(g, name);
    if (offset)
        lib_text_printf(g->out, " %c %" PRId64, offset < 0 ? '-' : '+',
                        offset < 0 ? -offset : offset);
}

/* An element of a comprehension, before its `|`. */
static struct want barred(const struct type *element)
{
    return (struct want){.type = element, .limit = NAMED_INT, .barred = true};
}

/* --- loops ---------------------------------------------------------------------------- */

/* A loop that is being written. */
struct loop {
    struct name variables[VARIABLES_MAX];
    bool lonely[VARIABLES_MAX]; /* only feeds itself */
    unsigned count, counter;    /* which of them counts */
    bool returns, down;
    unsigned trips; /* at most */
};

/* Whether the variables can be what is wanted, or its parts; then they are. */
static bool is_bare(struct want want, struct loop *l)
{
    const struct type *type = want.type;
    if (type->kind == INT && want.limit >= 10) {
        l->variables[0].type = type;
        l->count = 1;
        return true;
    }
    for (unsigned i = 0; i < type->count && type->kind == TUPLE; i++) {
        if (type->parts[i]->kind != INT)
            continue;
        l->counter = i;
        l->count = type->count;
        for (unsigned k = 0; k < type->count; k++)
            l->variables[k].type = type->parts[k];
        return true;
    }
    return false;
}

static void draw_variables(struct generator *g, struct want want, struct loop *l)
{
    const size_t mark = g->scope.count;
    *l = (struct loop){.down = draw(g, 2), .trips = draw(g, TRIPS_MAX + 1)};
    l->returns = draw(g, 3) || !is_bare(want, l);
    if (l->returns) {
        l->count = 1 + draw(g, VARIABLES_MAX);
        l->counter = draw(g, l->count);
        for (unsigned k = 0; k < l->count; k++)
            l->variables[k].type = k == l->counter ? scalar_type(INT) : draw_type(g, 1);
    }
    for (unsigned k = 0; k < l->count; k++) {
        l->lonely[k] = l->returns && k != l->counter && draw(g, 4) == 0;
        l->variables[k].text = l->lonely[k] ? fresh_name(g) : draw_name(g, mark);
        enter_scope(g, l->variables[k].text, l->variables[k].type);
    }
    g->scope.count = mark; /* initial values do not see them */
}

static void put_initial(struct generator *g, const struct loop *l, unsigned k,
                        unsigned size)
{
    put(g, k ? ", " : "");
    put(g, l->variables[k].text);
    put(g, " = ");
    if (k != l->counter) {
        expression(g, whole(l->variables[k].type, NAMED_INT), size);
    } else if (!l->down) {
        put(g, "0");
    } else if (draw(g, 3)) {
        lib_text_printf(g->out, "%u", l->trips);
    } else { /* negative: no iteration */
        expression(g,
                   (struct want){.type = scalar_type(INT),
                                 .limit = ANY_INT,
                                 .level = PRODUCT,
                                 .followed = true},
                   size);
        lib_text_printf(g->out, " %% %u", l->trips + 1);
    }
}

static void put_condition(struct generator *g, const struct loop *l, unsigned size)
{
    const char *counter = l->variables[l->counter].text;
    if (l->down)
        lib_text_printf(g->out, "%s > 0", counter);
    else
        lib_text_printf(g->out, "%s < %u", counter, l->trips);
    if (draw(g, 4) == 0) {
        put(g, " and ");
        expression(g,
                   (struct want){.type = scalar_type(BOOL),
                                 .limit = 0,
                                 .level = COMPARISON,
                                 .followed = false},
                   size);
    }
}

/* A `return` behind the last would be taken in by a loop at its right end. */
static void put_next(struct generator *g, const struct loop *l, unsigned k, bool barred,
                     unsigned size)
{
    const struct name *v = &l->variables[k];
    const bool followed = l->returns && k + 1 == l->count;
    const size_t mark = g->scope.count;
    if (k == l->counter) {
        put_plus(g, v->text, l->down ? -1 : 1);
        return;
    }
    if (l->lonely[k])
        enter_scope(g, v->text, v->type);
    expression(g, (struct want){v->type, NAMED_INT, OR, followed, barred, false}, size);
    g->scope.count = mark;
}

static void loop(struct generator *g, struct want want, unsigned size)
{
    const size_t mark = g->scope.count;
    const unsigned times = g->times;
    struct loop l;
    draw_variables(g, want, &l);
    bool begun = begin(g, &want, OR, true);
    put(g, "loop ");
    if (draw(g, 6) == 0)
        lib_text_printf(g->out, "--# bound %u\n  ", 1 + draw(g, 4));
    for (unsigned k = 0; k < l.count; k++) {
        unsigned part = split(g, size / 2);
        put_initial(g, &l, k, part);
        size -= part;
    }
    for (unsigned k = 0; k < l.count; k++)
        if (!l.lonely[k])
            enter_scope(g, l.variables[k].text, l.variables[k].type);
    g->times *= l.trips + 1;
    blank(g);
    put(g, "while ");
    put_condition(g, &l, size / 4);
    const bool takes_tuple = (g->features & GENERATE_DATA) && l.count > 1 &&
                             (l.returns || begun) && draw(g, 3) == 0;
    for (unsigned k = 0; k < l.count; k++) {
        unsigned part = split(g, size);
        blank(g);
        put(g, k ? ", " : takes_tuple ? "do (" : "do ");
        put_next(g, &l, k, want.barred, part);
        size -= part;
    }
    put(g, takes_tuple ? ")" : "");
    g->times = times;
    if (l.returns) {
        blank(g);
        put(g, "return ");
        expression(g, rest_of(want), size);
    }
    g->scope.count = mark;
    finish(g, begun);
}

/* --- arrays --------------------------------------------------------------------------- */

const struct type *array_type(struct generator *g, const struct type *element)
{
    static const unsigned least[] = {0, 1, 2, 3};
    struct type *type = LIB_ARENA_NEW(g->arena, struct type);
    *type = (struct type){
        .kind = ARRAY, .parts = {element}, .count = 1, .least = least[draw(g, 4)]};
    return type;
}

/* What the elements of an array are to be that has a name. */
struct recurrence {
    const struct type *element;
    const char *array, *index;
    int64_t first, last; /* indices */
    bool knows_last;
};

static void put_own_element(struct generator *g, const struct recurrence *r,
                            int64_t offset)
{
    put(g, r->array);
    put(g, "[");
    put_plus(g, r->index, offset - r->first);
    put(g, "]");
}

/* A tuple of which one part reads another one of the same element: arrays of tuples are
 * tuples of arrays. */
static void put_own_part(struct generator *g, const struct recurrence *r, unsigned size)
{
    const size_t mark = g->scope.count;
    const unsigned count = r->element->count, reader = draw(g, count);
    const unsigned read = (reader + 1 + draw(g, count - 1)) % count;
    put(g, "(");
    for (unsigned k = 0; k < count; k++) {
        const char *name = fresh_name(g);
        put(g, k ? ", " : "");
        for (unsigned i = 0; i < count && k == reader; i++)
            lib_text_printf(g->out, "%s%s", i ? ", " : "let (", i == read ? name : "_");
        if (k == reader) {
            put(g, ") = ");
            put_own_element(g, r, 0);
            put(g, " in ");
            enter_scope(g, name, r->element->parts[read]);
        }
        expression(g, whole(r->element->parts[k], NAMED_INT), size / count);
        g->scope.count = mark;
    }
    put(g, ")");
}

/* An element that reads one before it, or behind it; at that end are `base` that do not. Wild
 * ones read what they like: themselves, or nothing that there is. */
static void put_recurrence(struct generator *g, const struct recurrence *r, unsigned size)
{
    const size_t mark = g->scope.count;
    const bool behind = r->knows_last && draw(g, 3) == 0;
    const int64_t base = 1 + draw(g, 2);
    const bool wild = !has_recursive_data(r->element) && is_wild(g); /* no circles */
    const int64_t step = !wild        ? 1 + draw(g, (unsigned)base)
                         : draw(g, 2) ? 0
                                      : draw(g, 5);
    const unsigned part = split(g, size);
    const char *name = fresh_name(g);
    if (r->element->kind == TUPLE && draw(g, 4) == 0) {
        put_own_part(g, r, size);
        return;
    }
    if (behind)
        lib_text_printf(g->out, "if %s > %" PRId64 " then ", r->index, r->last - base);
    else
        lib_text_printf(g->out, "if %s < %" PRId64 " then ", r->index, r->first + base);
    expression(g, whole(r->element, NAMED_INT), part);
    lib_text_printf(g->out, " else let %s = ", name);
    if (step == 1 && !behind && draw(g, 4) == 0)
        lib_text_printf(g->out, "%s[0]", r->array);
    else
        put_own_element(g, r, behind ? step : -step);
    put(g, " in ");
    enter_scope(g, name, r->element);
    expression(g, barred(r->element), size - part);
    g->scope.count = mark;
}

/* Writes the begin of a scatter, up to its arrow, of as many elements as a range has. Some write
 * an element twice, or in wild programs one that there is not. */
static void put_scatter(struct generator *g, const struct recurrence *r, unsigned way)
{
    const int64_t length = r->last - r->first + 1;
    lib_text_printf(g->out, "scatter(%" PRId64 ", [", length);
    if (way == 0)
        lib_text_printf(g->out, "%" PRId64 " - %s", r->last, r->index);
    else if (way == 1)
        lib_text_printf(g->out, "(3 * %s + 7) %% %" PRId64, r->index, length);
    else
        lib_text_printf(g->out, "%s - %" PRId64, r->index, is_wild(g) ? 0 : r->first);
    put(g, " -> ");
}

/* Writes the begin of an accumulating array, as that of a scatter. */
static void put_accumulate(struct generator *g, const struct recurrence *r)
{
    static const char *const folds[][6] = {
        [INT] = {"+", "min", "max", "bit_and", "bit_or", "bit_xor"},
        [REAL] = {"+", "min", "max", "+", "min", "max"},
        [BOOL] = {"and", "or", "and", "or", "and", "or"},
    };
    static const char *const begins[] = {[INT] = "7", [REAL] = "0.25", [BOOL] = "true"};
    const int64_t length = r->last - r->first + 1;
    const enum kind kind = r->element->kind;
    lib_text_printf(g->out, "accumulate(%s, ", folds[kind][draw(g, 6)]);
    if (draw(g, 3)) {
        lib_text_printf(g->out, "%" PRId64 ", %s", length, begins[kind]);
    } else {
        put(g, "[");
        for (int64_t i = 0; i < length; i++)
            lib_text_printf(g->out, "%s%s", i ? ", " : "", begins[kind]);
        put(g, "]");
    }
    lib_text_printf(g->out, ", [(%u * %s + 13) %% %" PRId64 " -> ", draw(g, 3), r->index,
                    is_wild(g) ? length + 1 : length);
}

/* Whether elements of a type can be accumulated. */
static bool can_accumulate(const struct type *element)
{
    return element->kind == INT || element->kind == REAL || element->kind == BOOL;
}

void comprehension(struct generator *g, const struct type *type, const char *own,
                   unsigned size)
{
    const size_t mark = g->scope.count;
    const unsigned times = g->times;
    const bool fixed = draw(g, 3);
    const int64_t first = (int64_t)draw(g, 4) - 1;
    const struct recurrence r = {
        .element = type->parts[0],
        .array = own,
        .index = own ? fresh_name(g) : draw_name(g, mark),
        .first = first,
        .last = first + type->least + draw(g, 3) - 1,
        .knows_last = fixed,
    };
    const unsigned part = split(g, size);
    size -= part;
    g->times *= type->least + MORE_MAX + 1;
    enter_scope(g, r.index, scalar_type(INT));
    const bool scatters = fixed && !own && part % 2;
    const bool accumulates = fixed && !own && r.last >= r.first &&
                             can_accumulate(r.element) && part % 4;
    if (accumulates)
        put_accumulate(g, &r);
    else if (scatters)
        put_scatter(g, &r, part / 2 % 3);
    else
        put(g, "[");
    if (own) {
        put_recurrence(g, &r, part);
    } else if (accumulates && r.element->kind != BOOL && !is_wild(g)) {
        expression(g,
                   (struct want){.type = r.element,
                                 .limit = NAMED_INT,
                                 .level = PRODUCT,
                                 .followed = true,
                                 .barred = true},
                   part);
        put(g, r.element->kind == INT ? " % 1000" : " * 0.1"); /* sums are rounded */
    } else {
        expression(g, barred(r.element), part);
    }
    g->scope.count = mark;
    g->times = times;
    lib_text_printf(g->out, " | %s <- %" PRId64 " .. ", r.index, first);
    if (fixed) {
        lib_text_printf(g->out, "%" PRId64, r.last);
    } else { /* from the least length, or below 0, up to MORE_MAX above it */
        int64_t centre = type->least ? type->least + 2 : 1;
        expression(g,
                   (struct want){.type = scalar_type(INT),
                                 .limit = ANY_INT,
                                 .level = PRODUCT,
                                 .followed = true},
                   size);
        lib_text_printf(g->out, " %% 4 + %" PRId64, first + centre);
    }
    put(g, scatters || accumulates ? "])" : "]");
}

static void elements(struct generator *g, const struct type *type, unsigned size)
{
    unsigned count = (type->least ? type->least : 1) + draw(g, 2);
    put(g, "[");
    for (unsigned i = 0; i < count; i++) {
        unsigned part = i + 1 < count ? split(g, size) : size;
        put(g, i ? ", " : "");
        expression(g, whole(type->parts[0], NAMED_INT), part);
        size -= part;
    }
    put(g, "]");
}

/* Qualifiers of a comprehension: a range, then what is drawn. */
struct qualifiers {
    const char *index, *defined, *second; /* NULL: none */
    const struct type *type;              /* of what is defined */
    const struct type *over; /* the array of the second generator; NULL: a range */
    bool filters, filters_last, has_step;
};

static struct qualifiers draw_qualifiers(struct generator *g)
{
    struct qualifiers q = {.index = fresh_name(g), .type = draw_type(g, 1)};
    q.has_step = draw(g, 3) == 0;
    q.defined = draw(g, 3) ? NULL : fresh_name(g);
    q.filters = draw(g, 2);
    if (draw(g, 3) == 0 && may_repeat(g, 25)) {
        q.second = fresh_name(g);
        q.over = draw(g, 2) ? array_type(g, draw_type(g, 1)) : NULL;
    }
    q.filters_last = draw(g, 3) == 0;
    return q;
}

static void put_condition_of(struct generator *g, unsigned size)
{
    put(g, ", ");
    expression(g, whole(scalar_type(BOOL), 0), size);
}

/* Writes an array of any length by qualifiers. */
static void qualified(struct generator *g, const struct type *type, unsigned size)
{
    const size_t mark = g->scope.count;
    const unsigned times = g->times, part = 1 + size / 4;
    const struct qualifiers q = draw_qualifiers(g);
    const int64_t first = (int64_t)draw(g, 4) - 1, last = first + draw(g, 4) - 1;
    const bool is_down = q.has_step && draw(g, 2);
    g->times *= q.second ? 25 : 5;
    enter_scope(g, q.index, scalar_type(INT));
    if (q.defined)
        enter_scope(g, q.defined, q.type);
    if (q.second)
        enter_scope(g, q.second, q.over ? q.over->parts[0] : scalar_type(INT));
    put(g, "[");
    expression(g, barred(type->parts[0]), part);
    g->scope.count = mark;
    lib_text_printf(g->out, " | %s <- %" PRId64 " .. %" PRId64, q.index,
                    is_down ? last : first, is_down ? first : last);
    if (q.has_step)
        lib_text_printf(g->out, " by %s%u", is_down ? "-" : "", 1 + draw(g, 3));
    enter_scope(g, q.index, scalar_type(INT));
    if (q.defined) {
        lib_text_printf(g->out, ", %s = ", q.defined);
        expression(g, whole(q.type, NAMED_INT), part);
        enter_scope(g, q.defined, q.type);
    }
    if (q.filters)
        put_condition_of(g, part);
    if (q.second) {
        lib_text_printf(g->out, ", %s <- ", q.second);
        if (q.over)
            elements(g, q.over, part);
        else
            lib_text_printf(g->out, "%s .. %" PRId64, q.index, last);
        enter_scope(g, q.second, q.over ? q.over->parts[0] : scalar_type(INT));
    }
    if (q.filters_last)
        put_condition_of(g, part);
    put(g, "]");
    g->scope.count = mark;
    g->times = times;
}

/* Writes an array of a type's least length by `append` or `subarray`. */
static void part_or_whole(struct generator *g, const struct type *type, unsigned size)
{
    const unsigned part = split(g, size);
    const unsigned first = draw(g, 3), more = draw(g, 3),
                   count = type->least + draw(g, 2);
    struct type *longer = LIB_ARENA_NEW(g->arena, struct type);
    *longer = *type;
    longer->least = first + count + more;
    if (draw(g, 2)) {
        put(g, "append(");
        qualified(g, type, part);
        put(g, ", ");
        elements(g, type, size - part);
        put(g, ")");
        return;
    }
    put(g, "subarray(");
    elements(g, longer, size);
    lib_text_printf(g->out, ", %u, %u)", first, is_wild(g) ? count + more + 1 : count);
}

void array_expression(struct generator *g, struct want want, unsigned size)
{
    bool repeats = may_repeat(g, want.type->least + MORE_MAX + 1);
    unsigned choice = draw(g, 10);
    size--;
    if (choice == 9 && want.type->least == 0 && may_repeat(g, 5)) {
        qualified(g, want.type, size);
    } else if (choice >= 8 && may_repeat(g, 5)) {
        part_or_whole(g, want.type, size);
    } else if (choice < 3 && repeats) {
        comprehension(g, want.type, NULL, size);
    } else if (choice < 6 && repeats) {
        const char *name = fresh_name(g);
        bool begun = begin(g, &want, OR, true);
        lib_text_printf(g->out, "let %s = ", name);
        comprehension(g, want.type, name, size);
        lib_text_printf(g->out, " in %s", name);
        finish(g, begun);
    } else if (choice == 6 && want.type->least == 0) {
        unsigned part = split(g, size);
        bool begun = begin(g, &want, OR, true);
        put(g, "if ");
        expression(g, whole(scalar_type(BOOL), 0), part);
        put(g, " then [] else ");
        elements(g, want.type, size - part);
        finish(g, begun);
    } else {
        elements(g, want.type, size);
    }
}

/* A name of an array of such elements that no other name hides, and which has at least so
 * many; or NULL. */
static const struct name *draw_array(struct generator *g, const struct type *element,
                                     unsigned least)
{
    for (size_t i = g->scope.count; i-- > 0;) {
        const struct name *n = &g->scope.items[i];
        bool fits = n->type->kind == ARRAY && n->type->least >= least &&
                    same_type(n->type->parts[0], element);
        for (size_t k = i + 1; k < g->scope.count && fits; k++)
            fits = strcmp(g->scope.items[k].text, n->text) != 0;
        if (fits && draw(g, 3))
            return n;
    }
    return NULL;
}

/* An array as an operand, of at least so many elements; its type. */
static const struct type *put_array(struct generator *g, const struct type *element,
                                    unsigned least, unsigned size)
{
    const struct name *n = draw_array(g, element, least);
    const struct type *type = n ? n->type : array_type(g, element);
    while (type->least < least)
        type = array_type(g, element);
    if (n)
        put(g, n->text);
    else
        expression(
            g,
            (struct want){.type = type, .limit = 0, .level = OPERAND, .followed = true},
            size);
    return type;
}

/* if length(A) > 0 then A[0] else E. false: there is no such array, nothing is written. */
static bool guarded_element(struct generator *g, struct want want, unsigned size)
{
    const struct name *n = draw_array(g, want.type, 0);
    if (!n || n->type->least || !is_visible(g, "length") ||
        (want.type->kind == INT && want.limit < NAMED_INT))
        return false;
    bool begun = begin(g, &want, OR, true);
    lib_text_printf(g->out, "if length(%s) > 0 then %s[0] else ", n->text, n->text);
    expression(g, rest_of(want), size);
    finish(g, begun);
    return true;
}

/* A[E], in range unless the program is wild. */
static void element(struct generator *g, struct want want, unsigned size)
{
    const struct type *number = scalar_type(INT);
    bool modulo = want.type->kind == INT && want.limit < NAMED_INT && !is_wild(g);
    bool wild = is_wild(g) && draw(g, 2);
    if (guarded_element(g, want, size - 1))
        return;
    bool begun = begin(g, &want, modulo ? PRODUCT : OPERAND, false);
    unsigned part = split(g, size - 1);
    const struct type *type = put_array(g, want.type, !wild, part);
    size -= 1 + part;
    put(g, "[");
    if (wild) {
        expression(g, whole(number, 6), size);
    } else if (draw(g, 2) || !is_visible(g, "abs")) {
        lib_text_printf(g->out, "%u", draw(g, type->least));
    } else {
        put(g, "abs(");
        expression(
            g,
            (struct want){
                .type = number, .limit = ANY_INT, .level = PRODUCT, .followed = true},
            size);
        lib_text_printf(g->out, " %% %u)", type->least);
    }
    put(g, "]");
    if (modulo)
        put_modulo(g, want.limit);
    finish(g, begun);
}

static void length(struct generator *g, struct want want, unsigned size)
{
    bool modulo = want.limit < 4 + MORE_MAX && !is_wild(g);
    bool begun = begin(g, &want, modulo ? PRODUCT : OPERAND, false);
    put(g, "length(");
    put_array(g, draw_type(g, 1), 0, size - 1);
    put(g, ")");
    if (modulo)
        put_modulo(g, want.limit);
    finish(g, begun);
}

static void sum(struct generator *g, struct want want, unsigned size)
{
    bool modulo = want.type->kind == INT && want.limit < 20 * NAMED_INT && !is_wild(g);
    bool begun = begin(g, &want, modulo ? PRODUCT : OPERAND, false);
    put(g, "sum(");
    put_array(g, want.type, 0, size - 1);
    put(g, ")");
    if (modulo)
        put_modulo(g, want.limit);
    finish(g, begun);
}

bool loop_or_array(struct generator *g, struct want want, unsigned size)
{
    unsigned choice = draw(g, 100);
    bool loops = g->features & GENERATE_LOOPS, arrays = g->features & GENERATE_ARRAYS;
    bool is_number = want.type->kind == INT || want.type->kind == REAL;
    if (choice < 10 && loops && may_repeat(g, TRIPS_MAX + 1))
        loop(g, want, size);
    else if (choice >= 10 && choice < 20 && arrays)
        element(g, want, size);
    else if (choice >= 20 && choice < 25 && arrays && is_number && is_visible(g, "sum"))
        sum(g, want, size);
    else if (choice >= 25 && choice < 28 && arrays && want.type->kind == INT &&
             is_visible(g, "length"))
        length(g, want, size);
    else
        return false;
    return true;
}

/* --- equations ------------------------------------------------------------------------ */

void put_recursive_array(struct generator *g, const struct type *type, const char *name,
                         const char *function, struct lib_text *array)
{
    const struct recurrence r = {
        .element = type->parts[0],
        .array = name,
        .index = "i",
        .last = draw(g, MORE_MAX),
        .knows_last = true,
    };
    lib_text_printf(array, "%s = [%s(i) | i <- 0 .. %" PRId64 "]", name, function,
                    r.last);
    const size_t mark = g->scope.count;
    g->times = MORE_MAX + 1;
    lib_text_printf(g->out, "%s(i) = ", function);
    enter_scope(g, "i", scalar_type(INT));
    put_recurrence(g, &r, 8);
    g->scope.count = mark;
    g->times = 1;
}

void put_mutual_arrays(struct generator *g, const struct type *type, const char *name,
                       const char *other, struct lib_text *array)
{
    const size_t mark = g->scope.count;
    const unsigned last = draw(g, MORE_MAX);
    const char *value = fresh_name(g);
    enter_scope(g, "i", scalar_type(INT));
    g->times = MORE_MAX + 1;
    for (int k = 0; k < 2; k++) {
        struct lib_text *out = g->out;
        g->out = k ? array : out;
        lib_text_printf(g->out, "%s = [if i < 1 then ", k ? other : name);
        expression(g, whole(type->parts[0], NAMED_INT), 3);
        lib_text_printf(g->out, " else let %s = %s[i%s] in ", value, k ? name : other,
                        k && !is_wild(g) ? "" : " - 1");
        enter_scope(g, value, type->parts[0]);
        expression(g, barred(type->parts[0]), 5);
        lib_text_printf(g->out, " | i <- 0 .. %u]", last);
        g->scope.count--;
        g->out = out;
    }
    g->scope.count = mark;
    g->times = 1;
}
