#include "tests/random/generate_ports.h"

#include "tests/random/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 24, DEPTH = 3, MODULUS = 1009 };

/* What definitions made so far stand for. An array is as long as a port. */
struct known {
    char name[8];
    unsigned length;
    bool is_pairs;
};

struct generator {
    struct draw draw;
    struct ports_program *p;
    struct lib_text scope[NAMES_MAX]; /* ints that an expression may use */
    unsigned scope_count;
    struct known arrays[NAMES_MAX]; /* of ints, or of pairs of ints */
    unsigned array_count;
    char scalars[NAMES_MAX][8]; /* parts of the result, of any type */
    unsigned scalar_count;
    unsigned fresh;
};

static unsigned below(struct generator *g, unsigned n)
{
    return (unsigned)draw_below(&g->draw, n);
}

static bool one_in(struct generator *g, unsigned n)
{
    return below(g, n) == 0;
}

/* Adds to both texts. */
__attribute__((format(printf, 2, 3))) static void both(struct generator *g,
                                                       const char *format, ...)
{
    char line[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    lib_text_puts(&g->p->text, line);
    lib_text_puts(&g->p->literal, line);
}

static void fresh_name(struct generator *g, char name[8])
{
    snprintf(name, 8, "v%u", g->fresh++ % 10000);
}

/* --- ints ------------------------------------------------------------------------------------ */

static void enter(struct generator *g, const char *name)
{
    lib_text_clear(&g->scope[g->scope_count]);
    lib_text_puts(&g->scope[g->scope_count++], name);
}

static void leave_scope(struct generator *g, unsigned count)
{
    g->scope_count -= count;
}

static void leaf(struct generator *g, struct lib_text *out)
{
    if (g->scope_count && !one_in(g, 4))
        lib_text_puts(out, lib_text_get(&g->scope[below(g, g->scope_count)]));
    else if (one_in(g, 3))
        lib_text_puts(out, "n");
    else
        lib_text_printf(out, "%u", below(g, 20));
}

static void expression(struct generator *g, struct lib_text *out, unsigned depth);

static void two(struct generator *g, struct lib_text *out, unsigned depth,
                const char *before, const char *between, const char *after)
{
    lib_text_puts(out, before);
    expression(g, out, depth - 1);
    lib_text_puts(out, between);
    expression(g, out, depth - 1);
    lib_text_puts(out, after);
}

/* An int, which is small. */
static void expression(struct generator *g, struct lib_text *out, unsigned depth)
{
    if (depth == 0 || one_in(g, 5)) {
        leaf(g, out);
        return;
    }
    switch (below(g, 8)) {
    case 0:
        two(g, out, depth, "(", " + ", ")");
        break;
    case 1:
        two(g, out, depth, "(", " - ", ")");
        break;
    case 2:
        two(g, out, depth, "(", " % 1009 * (", " % 1009) % 1009)");
        break;
    case 3:
        two(g, out, depth, "min(", ", ", ")");
        break;
    case 4:
        two(g, out, depth, "max(", ", ", ")");
        break;
    case 5:
        two(g, out, depth, "(if ", " < ", " then ");
        two(g, out, depth, "", " else ", ")");
        break;
    case 6:
        lib_text_puts(out, "f(");
        expression(g, out, depth - 1);
        lib_text_printf(out, ", %u)", below(g, 4));
        break;
    default:
        two(g, out, depth, "((", ") % ", " * 0 + 7)");
        break;
    }
}

/* --- ports in ------------------------------------------------------------------------- */

static void write_value(struct lib_text *out, enum isa_type type,
                        const struct ports_value *v)
{
    if (type != ISA_TENSOR) {
        isa_value_write(out, type, v->value);
        return;
    }
    lib_text_puts(out, "tensor([");
    for (unsigned i = 0; i < v->count; i++) {
        lib_text_puts(out, i ? ", " : "");
        isa_value_write(out, ISA_REAL, isa_value_of_real(v->reals[i]));
    }
    lib_text_puts(out, "])");
}

static void draw_value(struct generator *g, enum isa_type type, struct ports_value *v)
{
    switch (type) {
    case ISA_INT:
        v->value = isa_value_of_int((int64_t)below(g, 41) - 20);
        break;
    case ISA_REAL:
        v->value = isa_value_of_real((double)below(g, 64) * 0.25 - 4.0);
        break;
    case ISA_BOOL:
        v->value = below(g, 2);
        break;
    default:
        v->count = 1 + below(g, PORTS_ELEMENTS_MAX);
        for (unsigned i = 0; i < v->count; i++)
            v->reals[i] = (double)below(g, 16) * 0.5;
        break;
    }
}

static void write_type(struct lib_text *out, const struct ports_in *in)
{
    lib_text_puts(out, in->part_count > 1 ? "(" : "");
    for (unsigned k = 0; k < in->part_count; k++)
        lib_text_printf(out, "%s%s", k ? ", " : "",
                        in->types[k] == ISA_TENSOR ? "tensor(real, 1)"
                                                   : isa_type_name(in->types[k]));
    lib_text_puts(out, in->part_count > 1 ? ")" : "");
}

/* Its values, as the literal has them. Of a tuple with ints the first part is the number of the
 * element. */
static void write_values(struct generator *g, struct ports_in *in)
{
    struct lib_text *out = &g->p->literal;
    lib_text_printf(out, "%s = [", in->name);
    for (unsigned i = 0; i < in->length; i++) {
        lib_text_puts(out, i ? ", " : "");
        lib_text_puts(out, in->part_count > 1 ? "(" : "");
        for (unsigned k = 0; k < in->part_count; k++) {
            struct ports_value *v = &in->values[i][k];
            draw_value(g, in->types[k], v);
            if (k == 0 && in->part_count > 1)
                v->value = isa_value_of_int(i);
            lib_text_puts(out, k ? ", " : "");
            write_value(out, in->types[k], v);
        }
        lib_text_puts(out, in->part_count > 1 ? ")" : "");
    }
    lib_text_puts(out, "]\n");
}

static void know_array(struct generator *g, const char *name, unsigned length,
                       bool is_pairs)
{
    struct known *known = &g->arrays[g->array_count++];
    *known = (struct known){.length = length, .is_pairs = is_pairs};
    snprintf(known->name, sizeof known->name, "%s", name);
}

static void know_scalar(struct generator *g, const char *name)
{
    snprintf(g->scalars[g->scalar_count++], 8, "%s", name);
}

/* A port of which the program reads one element, and then has no more reference. */
static void read_once(struct generator *g, const struct ports_in *in)
{
    char name[8];
    fresh_name(g, name);
    both(g, "%s = %s[0] + 1\n", name, in->name);
    know_scalar(g, name);
}

static void port_in(struct generator *g, unsigned kind)
{
    struct ports_in *in = &g->p->in[g->p->in_count++];
    snprintf(in->name, sizeof in->name, "p%u", g->p->in_count);
    in->part_count = kind == 1 ? 2 : 1;
    in->types[0] = kind == 2 ? ISA_REAL : kind == 3 ? ISA_TENSOR : ISA_INT;
    in->types[1] = one_in(g, 2) ? ISA_INT : ISA_REAL;
    in->length = 1 + below(g, PORTS_LENGTH_MAX);
    g->p->has_tensors |= kind == 3;
    lib_text_printf(&g->p->text, "port in %s : [", in->name);
    write_type(&g->p->text, in);
    lib_text_puts(&g->p->text, "]\n");
    write_values(g, in);
    if (kind == 0 && one_in(g, 4))
        read_once(g, in);
    else if (kind < 2 && in->types[in->part_count - 1] == ISA_INT)
        know_array(g, in->name, in->length, in->part_count > 1);
}

/* --- definitions ---------------------------------------------------------------------- */

/* A comprehension over a port, in both texts; `x` stands for the element. */
static void over(struct generator *g, const char *name, const char *port,
                 const char *element)
{
    lib_text_printf(&g->p->text, "%s = [%s | x <- %s]\n", name, element, port);
    lib_text_printf(&g->p->literal,
                    "%s = [let x = %s[k_] in %s | k_ <- 0 .. length(%s) - 1]\n", name,
                    port, element, port);
}

/* An array of ints that was defined before; NULL: there is none. */
static const struct known *draw_array(struct generator *g)
{
    for (unsigned tries = 0; tries < 8 && g->array_count; tries++) {
        const struct known *known = &g->arrays[below(g, g->array_count)];
        if (!known->is_pairs)
            return known;
    }
    return NULL;
}

static void comprehension_of_ints(struct generator *g, const struct ports_in *in)
{
    struct lib_text element = {0};
    const struct known *other = draw_array(g);
    char name[8];
    fresh_name(g, name);
    enter(g, "x");
    if (other && one_in(g, 2)) {
        lib_text_printf(&element, "%s[abs(x) %% %u] + ", other->name, other->length);
    }
    const bool is_pairs = one_in(g, 4) && element.length == 0;
    lib_text_puts(&element, is_pairs ? "(x, " : "");
    expression(g, &element, DEPTH);
    lib_text_puts(&element, is_pairs ? ")" : "");
    leave_scope(g, 1);
    over(g, name, in->name, lib_text_get(&element));
    know_array(g, name, in->length, is_pairs);
    lib_text_free(&element);
}

/* A state that goes from step to step: each element needs the one before. */
static void comprehension_of_steps(struct generator *g, const struct ports_in *in)
{
    struct lib_text element = {0};
    const bool is_int = in->types[1] == ISA_INT;
    char name[8];
    fresh_name(g, name);
    lib_text_puts(&element, "let (i, y) = x in ");
    if (is_int) {
        enter(g, "i");
        enter(g, "y");
        lib_text_puts(&element, "((");
        expression(g, &element, DEPTH);
        lib_text_printf(&element, ") + (if i == 0 then %u else %s[i - 1])) %% %d",
                        below(g, 9), name, MODULUS);
        leave_scope(g, 2);
    } else {
        lib_text_printf(&element, "y * 0.5 + (if i == 0 then 1.0 else %s[i - 1])", name);
    }
    over(g, name, in->name, lib_text_get(&element));
    if (is_int)
        know_array(g, name, in->length, false);
    else
        know_scalar(g, name);
    lib_text_free(&element);
}

static void comprehension(struct generator *g)
{
    const struct ports_in *in = &g->p->in[below(g, g->p->in_count)];
    char name[8];
    if (in->part_count > 1) {
        comprehension_of_steps(g, in);
        return;
    }
    if (in->types[0] == ISA_INT) {
        comprehension_of_ints(g, in);
        return;
    }
    fresh_name(g, name);
    over(g, name, in->name,
         in->types[0] == ISA_REAL ? "x * 0.5 + 1.0" : "reduce_sum(x * x) + 1.0");
    know_scalar(g, name);
}

/* An index of an array: once in a while one that never comes. */
static unsigned draw_index(struct generator *g, const struct known *array)
{
    return one_in(g, 40) ? array->length + below(g, 2) : below(g, array->length);
}

static void put_loop(struct generator *g, const char *name, const char *array)
{
    struct lib_text step = {0};
    enter(g, "a");
    expression(g, &step, 1);
    leave_scope(g, 1);
    both(g,
         "%s = loop i = 0, a = 0 while i < length(%s) do i + 1, (%s %% 1009 + %s[i]) %% "
         "1009 return a\n",
         name, array, lib_text_get(&step), array);
    lib_text_free(&step);
}

static void scalar(struct generator *g)
{
    const struct known *array = draw_array(g);
    char name[8];
    if (!array)
        return;
    fresh_name(g, name);
    switch (below(g, 6)) {
    case 0:
        both(g, "%s = sum(%s)\n", name, array->name);
        break;
    case 1:
        both(g, "%s = length(%s)\n", name, array->name);
        break;
    case 2:
        put_loop(g, name, array->name);
        break;
    case 3:
        both(g, "%s = walk(%s, 0, %u)\n", name, array->name, below(g, array->length + 1));
        break;
    default:
        both(g, "%s = %s[%u] * 3 + %s[%u]\n", name, array->name, draw_index(g, array),
             array->name, below(g, array->length));
        break;
    }
    enter(g, name);
    know_scalar(g, name);
}

/* An array of the length of another one, which is waited for. */
static void mapped(struct generator *g)
{
    const struct known *array = draw_array(g);
    struct lib_text element = {0};
    char name[8];
    if (!array)
        return;
    fresh_name(g, name);
    enter(g, "i");
    expression(g, &element, 2);
    leave_scope(g, 1);
    both(g, "%s = [%s[length(%s) - 1 - i] + (%s) | i <- 0 .. length(%s) - 1]\n", name,
         array->name, array->name, lib_text_get(&element), array->name);
    know_array(g, name, array->length, false);
    lib_text_free(&element);
}

/* --- what is delivered ---------------------------------------------------------------- */

static void port_out(struct generator *g, struct lib_text *further)
{
    const struct known *array = &g->arrays[below(g, g->array_count)];
    struct ports_out *out = &g->p->out[g->p->out_count++];
    snprintf(out->name, sizeof out->name, "o%u", g->p->out_count);
    out->part_count = array->is_pairs ? 2 : 1;
    out->types[0] = out->types[1] = ISA_INT;
    lib_text_printf(&g->p->text, "port out %s = %s\n", out->name, array->name);
    lib_text_printf(further, ", %s", array->name);
}

static void results(struct generator *g)
{
    struct lib_text further = {0};
    const unsigned outs = below(g, PORTS_OUT_MAX + 1);
    for (unsigned i = 0; i < outs && g->array_count; i++)
        port_out(g, &further);
    both(g, "result = (n");
    for (unsigned i = 0; i < g->scalar_count; i++)
        both(g, ", %s", g->scalars[i]);
    for (unsigned i = 0; i < g->array_count; i++)
        if (one_in(g, 2))
            both(g, ", %s", g->arrays[i].name);
    both(g, ", 0");
    lib_text_puts(&g->p->literal, lib_text_get(&further));
    both(g, ")\n");
    lib_text_free(&further);
}

void generate_ports(uint64_t seed, struct ports_program *program)
{
    *program = (struct ports_program){0};
    struct generator g = {.draw = {.seed = seed}, .p = program};
    const unsigned ports = 1 + below(&g, PORTS_MAX), definitions = 2 + below(&g, 6);
    both(&g, "input n = %u\n", 1 + below(&g, 9));
    both(&g, "f(a, k) = if k <= 0 then a %% 1009 else f(a + k, k - 1)\n");
    both(&g, "walk(a, i, m) = if i >= m then 0 else a[i] + walk(a, i + 1, m)\n");
    for (unsigned i = 0; i < ports; i++)
        port_in(&g, one_in(&g, 10) ? 3 : below(&g, 3));
    for (unsigned i = 0; i < definitions; i++)
        switch (below(&g, 5)) {
        case 0:
        case 1:
            comprehension(&g);
            break;
        case 2:
        case 3:
            scalar(&g);
            break;
        default:
            mapped(&g);
            break;
        }
    results(&g);
    for (unsigned i = 0; i < NAMES_MAX; i++)
        lib_text_free(&g.scope[i]);
}
