#include "tests/random/generate_internal.h"

#include <inttypes.h>
#include <math.h>

bool begin(struct generator *g, struct want *want, enum level level, bool reaches)
{
    bool needed = level < want->level || (reaches && want->followed);
    if (!needed && !(g->brackets && draw(g, g->brackets) == 0))
        return false;
    put(g, "(");
    want->level = OR;
    want->followed = want->barred = false;
    return true;
}

void finish(struct generator *g, bool begun)
{
    if (begun)
        put(g, ")");
}

unsigned split(struct generator *g, unsigned size)
{
    if (size == 0)
        return 0;
    switch (draw(g, 6)) {
    case 0:
        return 0;
    case 1:
        return size;
    default:
        return draw(g, size + 1);
    }
}

bool is_wild(struct generator *g)
{
    return g->wild && draw(g, g->wild) == 0;
}

/* --- leaves --------------------------------------------------------------------------- */

static int64_t draw_int(struct generator *g, int64_t limit)
{
    static const int64_t extremes[] = {
        INT64_MIN,        INT64_MIN + 1,       INT64_MAX,  INT64_MAX - 1,
        INT64_C(1) << 62, -(INT64_C(1) << 53), 3037000500, -4294967296};
    int64_t v = (int64_t)draw(g, 10);
    if (limit == ANY_INT && draw(g, 6) == 0)
        return extremes[draw(g, sizeof extremes / sizeof *extremes)];
    if (limit > 1000 && draw(g, 4) == 0)
        v = (int64_t)draw(g, 1000);
    if (v > limit)
        v = limit;
    return draw(g, 3) ? v : -v;
}

static double draw_real(struct generator *g)
{
    static const double reals[] = {1.0,  0.5,   2.5,   -1.5,   1e-3,    3.0,  1e16,
                                   1e17, 1e308, 1e300, 5e-324, -2.5e10, 1e-5, 0.1};
    static const double bounds[] = {/* of int */
                                    9223372036854775808.0, 9223372036854774784.0,
                                    -9223372036854775808.0, -9223372036854777856.0};
    if (g->wild && draw(g, 16) == 0)
        return bounds[draw(g, 4)];
    if (draw(g, 4) == 0)
        return draw(g, 2) ? 0.0 : -0.0;
    if (draw(g, 3))
        return reals[draw(g, sizeof reals / sizeof *reals)];
    return ((double)draw(g, 2000001) - 1e6) / (double)(1 + draw(g, 1000));
}

void literal(struct generator *g, struct want want)
{
    /* the minus of -3 ** 2 does not belong to the literal */
    const bool is_base = want.level > POWER &&
                         (want.type->kind == INT || want.type->kind == REAL);
    put(g, is_base ? "(" : "");
    switch (want.type->kind) {
    case INT:
        lib_text_printf(g->out, "%" PRId64,
                        draw_int(g, is_wild(g) ? ANY_INT : want.limit));
        break;
    case REAL:
        if (draw(g, 5) == 0) /* an int stands for a real */
            lib_text_printf(g->out, "%u", draw(g, 10));
        else
            lib_text_real(g->out, draw_real(g));
        break;
    case BOOL:
        put(g, draw(g, 2) ? "true" : "false");
        break;
    case TUPLE:
        for (unsigned i = 0; i < want.type->count; i++) {
            put(g, i ? ", " : "(");
            literal(g, whole(want.type->parts[i], NAMED_INT));
        }
        put(g, ")");
        break;
    case DATA:
    case VARIABLE:
        data_literal(g, want);
        break;
    case ARRAY:
        if (is_barren(want.type)) {
            put(g, "[]");
            break;
        }
        for (unsigned i = 0; i < want.type->least || i == 0; i++) {
            put(g, i ? ", " : "[");
            literal(g, whole(want.type->parts[0], NAMED_INT));
        }
        put(g, "]");
    }
    put(g, is_base ? ")" : "");
}

void put_modulo(struct generator *g, int64_t limit)
{
    unsigned most = limit < 997 ? (unsigned)limit + 1 : 998;
    blank(g);
    put(g, "%");
    blank(g);
    lib_text_printf(g->out, "%u", 1 + draw(g, most));
}

/* A name of the type that no other hides; NULL: there is none. */
static const char *draw_visible(struct generator *g, const struct type *type)
{
    const size_t count = g->scope.count;
    if (count == 0)
        return NULL;
    /* The newest are the most likely: they have been bound to be used. */
    size_t at = draw(g, 2) ? count - 1 - draw(g, count < 4 ? (unsigned)count : 4)
                           : draw(g, (unsigned)count);
    for (size_t i = 0; i < count; i++, at = (at + 1) % count) {
        const struct name *n = &g->scope.items[at];
        bool fits = same_type(n->type, type);
        for (size_t k = at + 1; k < count && fits; k++)
            fits = strcmp(g->scope.items[k].text, n->text) != 0;
        if (fits)
            return n->text;
    }
    return NULL;
}

static void leaf(struct generator *g, struct want want)
{
    const char *name = draw(g, 4) ? draw_visible(g, want.type) : NULL;
    if (!name) {
        literal(g, want);
        return;
    }
    bool modulo = want.type->kind == INT && want.limit < NAMED_INT && !is_wild(g);
    bool begun = begin(g, &want, modulo ? PRODUCT : OPERAND, false);
    put(g, name);
    if (modulo)
        put_modulo(g, want.limit);
    finish(g, begun);
}

/* --- operators ------------------------------------------------------------------------ */

struct operator
{
    const char *text, *other; /* ways to write it */
    enum level level;
};

static void binary(struct generator *g, struct want want, struct operator op,
                   const struct type *type, int64_t left, int64_t right, unsigned size)
{
    unsigned first = split(g, size - 1);
    bool begun = begin(g, &want, op.level, false);
    enum level tight = op.level == COMPARISON ? SUM : op.level;
    expression(
        g, (struct want){.type = type, .limit = left, .level = tight, .followed = true},
        first);
    blank(g);
    put(g, op.other && draw(g, 4) == 0 ? op.other : op.text);
    blank(g);
    expression(g,
               (struct want){.type = type,
                             .limit = right,
                             .level = op.level + 1,
                             .followed = want.followed},
               size - 1 - first);
    finish(g, begun);
}

static void unary(struct generator *g, struct want want, const char *op, enum level level,
                  int64_t limit, unsigned size)
{
    bool begun = begin(g, &want, level, false);
    put(g, op);
    put(g, " "); /* `--` would be a comment */
    expression(
        g,
        (struct want){
            .type = want.type, .limit = limit, .level = level, .followed = want.followed},
        size - 1);
    finish(g, begun);
}

/* A ** B: operators as tight as a minus may stand on the right, but not on the left. */
static void power(struct generator *g, struct want want, int64_t base, unsigned size)
{
    const bool is_int = want.type == scalar_type(INT), is_safe = is_int && !is_wild(g);
    const unsigned first = split(g, size - 1);
    const bool begun = begin(g, &want, POWER, false);
    expression(
        g,
        (struct want){
            .type = want.type, .limit = base, .level = POWER + 1, .followed = true},
        first);
    blank(g);
    put(g, "**");
    blank(g);
    if (is_safe || (is_int && draw(g, 2)))
        lib_text_printf(g->out, "%u", is_safe ? 1 + draw(g, 2) : draw(g, 70));
    else
        expression(g,
                   (struct want){.type = want.type,
                                 .limit = is_int ? 9 : 0,
                                 .level = draw(g, 2) ? POWER : NEG,
                                 .followed = want.followed},
                   size - 1 - first);
    finish(g, begun);
}

static void apply(struct generator *g, const char *function, const struct type *type,
                  int64_t limit, unsigned arguments, unsigned size)
{
    put(g, function);
    put(g, "(");
    for (unsigned i = 0; i < arguments; i++) {
        unsigned part = i + 1 < arguments ? split(g, size - 1) : size - 1;
        if (i) {
            put(g, ",");
            blank(g);
        }
        expression(g, whole(type, limit), part);
        size -= part;
    }
    put(g, ")");
}

static int64_t root(int64_t limit)
{
    int64_t r = (int64_t)sqrt((double)limit);
    return r > 3037000499 ? 3037000499 : r > 0 ? r - 1 : 0;
}

/* --- ints ----------------------------------------------------------------------------- */

/* A / B or A % B, where B is not 0 unless the program is wild. */
static void divide(struct generator *g, struct want want, bool remainder, unsigned size)
{
    const struct type *type = want.type;
    bool wild = is_wild(g);
    unsigned first = split(g, size - 1);
    bool begun = begin(g, &want, PRODUCT, false);
    int64_t left = remainder || wild ? ANY_INT : want.limit;
    int64_t right = remainder && !wild ? want.limit : ANY_INT;
    if (!wild && left == ANY_INT && !remainder)
        left--;
    expression(
        g, (struct want){.type = type, .limit = left, .level = PRODUCT, .followed = true},
        first);
    blank(g);
    put(g, remainder ? "%" : "/");
    blank(g);
    if (wild && draw(g, 4) == 0) {
        put(g, draw(g, 2) ? "-1" : "0");
    } else if (wild) {
        expression(
            g,
            (struct want){
                .type = type, .limit = right, .level = NEG, .followed = want.followed},
            size - 1 - first);
    } else if (is_visible(g, "max") && draw(g, 2) && right > 0) {
        put(g, "max(");
        expression(g, whole(type, right), size - 1 - first);
        put(g, ", 1)");
    } else {
        unsigned most = right < 9 ? (unsigned)right + 1 : 9;
        lib_text_printf(g->out, "%s%u", draw(g, 4) ? "" : "-", 1 + draw(g, most));
    }
    finish(g, begun);
}

/* int(E), where E is in range unless the program is wild. */
static void convert(struct generator *g, struct want want, unsigned size)
{
    const struct type *real = scalar_type(REAL);
    if (!is_visible(g, "int") || !is_visible(g, "abs")) {
        leaf(g, want);
    } else if (is_wild(g)) {
        if (draw(g, 2))
            size = 1;
        apply(g, "int", real, 0, 1, size);
    } else {
        int64_t limit = want.limit < 1000000000 ? want.limit : 1000000000;
        bool begun = begin(g, &want, OR, true);
        put(g, "let r0 = ");
        expression(g, whole(real, 0), size - 1);
        lib_text_printf(g->out, " in if abs(r0) < %" PRId64 ".5 then int(r0) else ",
                        limit);
        literal(g,
                (struct want){
                    .type = want.type, .limit = limit, .level = OR, .followed = false});
        finish(g, begun);
    }
}

/* An int of any bits. Unless the program is wild, shifts and divisors are in range. */
static void word(struct generator *g, unsigned size)
{
    static const struct {
        const char *name;
        enum { ONE, TWO, SHIFT, DIVISOR } second;
    } words[] = {
        {"bit_and", TWO},
        {"bit_or", TWO},
        {"bit_xor", TWO},
        {"bit_not", ONE},
        {"shift_left", SHIFT},
        {"shift_right", SHIFT},
        {"shift_right_signed", SHIFT},
        {"rotate_left", SHIFT},
        {"count_ones", ONE},
        {"add_wrapping", TWO},
        {"sub_wrapping", TWO},
        {"mul_wrapping", TWO},
        {"mul_high", TWO},
        {"mul_high_unsigned", TWO},
        {"div_unsigned", DIVISOR},
        {"rem_unsigned", DIVISOR},
    };
    const unsigned choice = draw(g, sizeof words / sizeof *words);
    const bool is_safe = words[choice].second >= SHIFT && (!is_wild(g) || draw(g, 4));
    if (!is_safe) {
        apply(g, words[choice].name, scalar_type(INT), ANY_INT,
              words[choice].second == ONE ? 1 : 2, size);
        return;
    }
    lib_text_printf(g->out, "%s(", words[choice].name);
    expression(g, whole(scalar_type(INT), ANY_INT), size - 1);
    lib_text_printf(g->out, ", %u)",
                    words[choice].second == SHIFT ? draw(g, 64) : 1 + draw(g, 1000));
}

/* An int from 0 to `limit`, of bits that are written in hexadecimal, or binary. */
static void bits(struct generator *g, struct want want, unsigned size)
{
    uint64_t mask = (uint64_t)want.limit;
    for (unsigned by = 1; by < 64; by *= 2)
        mask |= mask >> by;
    mask = mask > (uint64_t)want.limit ? mask / 2 : mask;
    put(g, "bit_and(");
    word(g, size > 1 ? size - 1 : 1);
    if (mask < 64 && draw(g, 2)) {
        put(g, ", 0b");
        for (int i = 5; i >= 0; i--)
            put(g, mask >> i & 1 ? "1" : "0");
        put(g, ")");
    } else {
        lib_text_printf(g->out, ", 0x%" PRIx64 ")", mask);
    }
}

/* An int of at most `limit` by an operation whose operands are small enough. */
static void int_expression(struct generator *g, struct want want, unsigned size)
{
    static const unsigned char weights[] = {18, 18, 18, 9, 12, 6, 5, 6, 6, 9, 9, 6};
    const bool wild = is_wild(g);
    const struct type *type = want.type;
    const int64_t limit = want.limit;
    const int64_t half = wild ? ANY_INT : limit / 2, side = wild ? ANY_INT : root(limit);
    const int64_t no_least = wild || limit < ANY_INT ? limit : ANY_INT - 1;
    switch (draw_weighted(g, weights, sizeof weights)) {
    case 0:
        binary(g, want, (struct operator){"+", NULL, SUM}, type, half, half, size);
        return;
    case 1:
        binary(g, want, (struct operator){"-", NULL, SUM}, type, half, half, size);
        return;
    case 2:
        binary(g, want, (struct operator){"*", NULL, PRODUCT}, type, side, side, size);
        return;
    case 3:
        divide(g, want, false, size);
        return;
    case 4:
        divide(g, want, true, size);
        return;
    case 5:
        unary(g, want, "-", NEG, no_least, size);
        return;
    case 6:
        if (is_visible(g, "abs")) {
            apply(g, "abs", type, no_least, 1, size);
            return;
        }
        break;
    case 7:
        if (is_visible(g, "min")) {
            apply(g, "min", type, limit, 2, size);
            return;
        }
        break;
    case 8:
        if (is_visible(g, "max")) {
            apply(g, "max", type, limit, 2, size);
            return;
        }
        break;
    case 10:
        bits(g, want, size);
        return;
    case 11:
        power(g, want, side, size);
        return;
    default:
        convert(g, want, size);
        return;
    }
    leaf(g, want);
}

/* --- reals, bools, tuples ------------------------------------------------------------- */

/* min or max of two zeros of either sign, unless one is NaN. */
static void compare_zeros(struct generator *g, const char *function, unsigned size)
{
    static const char *const zeros[] = {"0.0", "-0.0"};
    bool first = draw(g, 2);
    lib_text_printf(g->out, "%s(", function);
    if (first)
        lib_text_printf(g->out, "%s, ", zeros[draw(g, 2)]);
    lib_text_printf(g->out, "%s * ", zeros[draw(g, 2)]);
    expression(
        g,
        (struct want){
            .type = scalar_type(REAL), .limit = 0, .level = NEG, .followed = false},
        size - 1);
    if (!first)
        lib_text_printf(g->out, ", %s", zeros[draw(g, 2)]);
    put(g, ")");
}

static void real_expression(struct generator *g, struct want want, unsigned size)
{
    static const unsigned char weights[] = {18, 18, 18, 12, 8, 6, 6, 9, 30, 10, 6, 6, 5};
    static const struct operator operators[] = {
        {"+", NULL, SUM},     {"-", NULL, SUM},     {"*", NULL, PRODUCT},
        {"/", NULL, PRODUCT}, {"%", NULL, PRODUCT},
    };
    static const char *const functions[] = {"sqrt", "exp",   "log",  "sin", "cos",
                                            "tanh", "floor", "atan", "erf"};
    unsigned choice = draw_weighted(g, weights, sizeof weights);
    const char *function = choice == 6    ? "abs"
                           : choice == 7  ? (draw(g, 2) ? "min" : "max")
                           : choice == 8  ? functions[draw(g, 9)]
                           : choice == 11 ? (draw(g, 2) ? "atan2" : "hypot")
                           : choice == 12 ? "random"
                                          : "real";
    if (choice < 5)
        binary(g, want, operators[choice], want.type, 0, 0, size);
    else if (choice == 5)
        unary(g, want, "-", NEG, 0, size);
    else if (choice == 10)
        power(g, want, 0, size);
    else if (!is_visible(g, function))
        leaf(g, want);
    else if (choice == 7 && draw(g, 3) == 0)
        compare_zeros(g, function, size);
    else if (choice == 12)
        apply(g, "random", scalar_type(INT), ANY_INT, 2, size);
    else if (choice == 9)
        apply(g, "real", scalar_type(INT), ANY_INT, 1, size);
    else
        apply(g, function, want.type, 0, choice == 7 || choice == 11 ? 2 : 1, size);
}

static void bool_expression(struct generator *g, struct want want, unsigned size)
{
    static const unsigned char weights[] = {10, 12, 12, 10, 22, 22, 5};
    static const struct operator comparisons[] = {
        {"==", NULL, COMPARISON}, {"/=", "!=", COMPARISON}, {"<", NULL, COMPARISON},
        {"<=", NULL, COMPARISON}, {">", NULL, COMPARISON},  {">=", NULL, COMPARISON},
    };
    switch (draw_weighted(g, weights, sizeof weights)) {
    case 0:
        unary(g, want, "not", NOT, 0, size);
        break;
    case 1:
        binary(g, want, (struct operator){"and", "&&", AND}, want.type, 0, 0, size);
        break;
    case 2:
        binary(g, want, (struct operator){"or", "||", OR}, want.type, 0, 0, size);
        break;
    case 3:
        binary(g, want, comparisons[draw(g, 2)], want.type, 0, 0, size);
        break;
    case 4:
        binary(g, want, comparisons[draw(g, 6)], scalar_type(INT), ANY_INT, ANY_INT,
               size);
        break;
    case 6:
        apply(g, "less_unsigned", scalar_type(INT), ANY_INT, 2, size);
        break;
    default:
        binary(g, want, comparisons[draw(g, 6)], scalar_type(REAL), 0, 0, size);
    }
}

static void tuple_expression(struct generator *g, const struct type *type, unsigned size)
{
    put(g, "(");
    for (unsigned i = 0; i < type->count; i++) {
        unsigned part = i + 1 < type->count ? split(g, size - 1) : size - 1;
        if (i) {
            put(g, ",");
            blank(g);
        }
        expression(g, whole(type->parts[i], NAMED_INT), part);
        size -= part;
    }
    put(g, ")");
}

/* --- conditionals, lets --------------------------------------------------------------- */

static void conditional(struct generator *g, struct want want, unsigned size)
{
    unsigned condition = split(g, size - 1), rest = size - 1 - condition;
    unsigned first = split(g, rest);
    bool begun = begin(g, &want, OR, true);
    put(g, "if ");
    expression(g, whole(scalar_type(BOOL), 0), condition);
    blank(g);
    put(g, "then ");
    expression(g, (struct want){want.type, want.limit, OR, false, false, want.determined},
               first);
    blank(g);
    put(g, "else ");
    expression(g, rest_of(want), rest - first);
    finish(g, begun);
}

/* The names of an equation of a let that began at `from` in the scope. They are bound
 * after its value was written; returns how many there are. An array may be a comprehension,
 * which sees its own name: that one must hide nothing. */
static unsigned draw_names(struct generator *g, size_t from, const struct type *type,
                           struct name *names)
{
    bool pattern = type->kind == TUPLE && draw(g, 4);
    unsigned count = pattern ? type->count : 1;
    size_t mark = g->scope.count;
    for (unsigned i = 0; i < count; i++) {
        names[i].text = type->kind == ARRAY
                            ? lib_arena_printf(g->arena, "w%u", g->fresh++)
                        : draw(g, 12) ? draw_name(g, from)
                                      : "_";
        names[i].type = pattern ? type->parts[i] : type;
        enter_scope(g, names[i].text, names[i].type); /* so that the next one differs */
        put(g, i ? ", " : pattern ? "(" : "");
        put(g, names[i].text);
    }
    put(g, pattern ? ")" : "");
    g->scope.count = mark;
    return count;
}

static void let(struct generator *g, struct want want, unsigned size)
{
    const size_t mark = g->scope.count;
    unsigned equations = 1 + draw(g, 3);
    bool begun = begin(g, &want, OR, true);
    size--;
    put(g, "let ");
    for (unsigned i = 0; i < equations; i++) {
        struct name names[PARTS_MAX];
        const struct type *type = draw_type(g, 2);
        unsigned part = split(g, size);
        if (i) {
            put(g, ";");
            blank(g);
        }
        if ((g->features & GENERATE_DATA) && has_pattern(type) && draw(g, 3) == 0) {
            put_equation(g, type, mark, part);
            size -= part;
            continue;
        }
        unsigned count = draw_names(g, mark, type, names);
        put(g, " = ");
        expression(g, whole(type, NAMED_INT), part);
        size -= part;
        for (unsigned k = 0; k < count; k++)
            enter_scope(g, names[k].text, names[k].type);
    }
    blank(g);
    put(g, "in ");
    expression(g, rest_of(want), size);
    g->scope.count = mark;
    finish(g, begun);
}

/* --- calls ---------------------------------------------------------------------------- */

/* A function of the result type that may be called here; NULL: there is none. */
static const struct function *draw_function(struct generator *g,
                                            const struct type *result)
{
    const size_t count = g->functions.count;
    size_t at = count ? draw(g, (unsigned)count) : 0;
    for (size_t i = 0; i < count; i++, at = (at + 1) % count) {
        const struct function *f = &g->functions.items[at];
        bool may = at >= g->group ? g->again >= g->times
                                  : f->cost * g->times <= g->budget;
        if (may && same_type(f->result, result) && is_visible(g, f->name))
            return f;
    }
    return NULL;
}

static void put_fuel(struct generator *g, const struct function *f, unsigned size)
{
    const struct type *type = scalar_type(INT);
    if (f >= &g->functions.items[g->group]) { /* less than there is */
        static const char *const less[] = {" - 1", " - 1", " - 2", " / 2", " / 2 - 1"};
        put(g, g->in->fuel_name);
        put(g, less[draw(g, sizeof less / sizeof *less)]);
    } else if (draw(g, 3) == 0) {
        expression(
            g,
            (struct want){
                .type = type, .limit = ANY_INT, .level = PRODUCT, .followed = true},
            size);
        lib_text_printf(g->out, " %% %u", f->fuel_most + 1);
    } else if (draw(g, 2) && is_visible(g, "min")) {
        put(g, "min(");
        expression(g, whole(type, NAMED_INT), size);
        lib_text_printf(g->out, ", %u)", f->fuel_most);
    } else {
        lib_text_printf(g->out, "%u", draw(g, f->fuel_most + 1));
    }
}

bool call(struct generator *g, struct want want, unsigned size)
{
    const struct function *f = draw_function(g, want.type);
    if (!f)
        return false;
    if (f >= &g->functions.items[g->group])
        g->again -= g->times;
    else
        g->budget -= f->cost * g->times;
    bool modulo = want.type->kind == INT && want.limit < NAMED_INT && !is_wild(g);
    bool begun = begin(g, &want, modulo ? PRODUCT : OPERAND, false);
    size -= size > 0;
    put(g, f->name);
    put(g, "(");
    for (unsigned i = 0; i < f->param_count; i++) {
        unsigned part = split(g, size);
        if (i) {
            put(g, ",");
            blank(g);
        }
        if ((int)i == f->fuel)
            put_fuel(g, f, part);
        else
            expression(g, whole(f->params[i], NAMED_INT), part);
        size -= part;
    }
    put(g, ")");
    if (modulo)
        put_modulo(g, want.limit);
    finish(g, begun);
    return true;
}

void expression(struct generator *g, struct want want, unsigned size)
{
    static const unsigned char weights[] = {4, 14, 9, 20, 60};
    if (size == 0 || (want.type->kind == ARRAY && is_barren(want.type))) {
        leaf(g, want);
        return;
    }
    if (g->datatype_count && data_use(g, want, size))
        return;
    if (g->features && loop_or_array(g, want, size))
        return;
    switch (draw_weighted(g, weights, sizeof weights)) {
    case 0:
        leaf(g, want);
        return;
    case 1:
        conditional(g, want, size);
        return;
    case 2:
        let(g, want, size);
        return;
    case 3:
        if (call(g, want, size))
            return;
        break;
    default:
        break;
    }
    switch (want.type->kind) {
    case INT:
        int_expression(g, want, size);
        break;
    case REAL:
        real_expression(g, want, size);
        break;
    case BOOL:
        bool_expression(g, want, size);
        break;
    case TUPLE:
        tuple_expression(g, want.type, size);
        break;
    case ARRAY:
        array_expression(g, want, size);
        break;
    default:
        data_expression(g, want, size);
    }
}
