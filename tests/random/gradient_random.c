#include "tests/random/gradient_random.h"

#include "lib/hash.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum kind { REAL, INT, BOOL, PAIR, ROW, KINDS };

struct function {
    enum kind params[GRADIENT_PARAMS_MAX];
    unsigned count;
};

enum { FUNCTIONS = 3, NAMES_MAX = 40, NAME = 16 /* bytes of a name */ };

struct generator {
    uint64_t state;
    struct lib_text *out;
    struct function functions[FUNCTIONS];
    unsigned function;   /* whose body is written */
    bool may_call;       /* the fuel is known not to be used up */
    unsigned calls_left; /* of this body */
    struct {
        char text[NAME];
        enum kind kind;
    } names[NAMES_MAX];
    unsigned name_count, made;
    const char *constant; /* a real that is there everywhere; or NULL */
};

static unsigned draw(struct generator *g, unsigned below)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)(lib_hash_mix(g->state) % below);
}

static void put_text(struct generator *g, const char *text)
{
    lib_text_puts(g->out, text);
}

static const char *add_name(struct generator *g, enum kind kind)
{
    unsigned at = g->name_count < NAMES_MAX ? g->name_count++ : NAMES_MAX - 1;
    snprintf(g->names[at].text, sizeof g->names[at].text, "v%u", g->made++);
    g->names[at].kind = kind;
    return g->names[at].text;
}

/* A name of a kind in scope; NULL: there is none. */
static const char *find_name(struct generator *g, enum kind kind)
{
    unsigned found = 0;
    for (unsigned i = 0; i < g->name_count; i++)
        found += g->names[i].kind == kind;
    for (unsigned i = 0, k = found ? draw(g, found) : 0; found && i < g->name_count; i++)
        if (g->names[i].kind == kind && k-- == 0)
            return g->names[i].text;
    return NULL;
}

static void real(struct generator *g, unsigned depth);

static void literal(struct generator *g)
{
    lib_text_printf(g->out, "%.3f", (double)draw(g, 4001) / 1000 - 2);
}

/* An int from 0 to 3. */
static void integer(struct generator *g)
{
    const char *name = find_name(g, INT);
    if (name && draw(g, 3))
        lib_text_printf(g->out, "(%s + %u) %% 4", name, draw(g, 4));
    else
        lib_text_printf(g->out, "%u", draw(g, 4));
}

static void condition(struct generator *g, unsigned depth)
{
    const char *name = find_name(g, BOOL);
    switch (draw(g, 4)) {
    case 0:
        if (name) {
            put_text(g, name);
            break;
        }
        /* fall through */
    case 1:
        integer(g);
        put_text(g, draw(g, 2) ? " == " : " < ");
        integer(g);
        break;
    default:
        real(g, depth);
        put_text(g, draw(g, 2) ? " < " : " >= ");
        real(g, depth);
        if (draw(g, 4) == 0) {
            put_text(g, " and ");
            integer(g);
            put_text(g, " < 3");
        }
    }
}

/* Four reals. */
static void row(struct generator *g, unsigned depth)
{
    const char *name = find_name(g, ROW);
    const unsigned names = g->name_count;
    if (name && draw(g, 2)) {
        put_text(g, name);
        return;
    }
    if (depth == 0 || draw(g, 2)) {
        for (int i = 0; i < 4; i++) {
            put_text(g, i ? ", " : "[");
            real(g, depth ? depth - 1 : 0);
        }
        put_text(g, "]");
        return;
    }
    char index[12];
    put_text(g, "[");
    snprintf(index, sizeof index, "v%u", g->made);
    add_name(g, INT);
    real(g, depth - 1);
    if (name) /* in step */
        lib_text_printf(g->out, " + 0.5 * %s[%s]", name, index);
    lib_text_printf(g->out, " | %s <- 0 .. 3]", index);
    g->name_count = names;
}

static void arguments_of(struct generator *g, unsigned callee, unsigned depth)
{
    const struct function *f = &g->functions[callee];
    for (unsigned i = 0; i < f->count; i++) {
        put_text(g, i ? ", " : "(");
        switch (i == 0 ? KINDS : f->params[i]) {
        case KINDS: /* the fuel */
            put_text(g, "n - 1");
            break;
        case REAL:
            real(g, depth);
            break;
        case INT:
            integer(g);
            break;
        case BOOL:
            condition(g, 0);
            break;
        case PAIR:
            put_text(g, "(");
            real(g, depth);
            put_text(g, ", ");
            integer(g);
            put_text(g, ")");
            break;
        default:
            row(g, depth);
        }
    }
    put_text(g, ")");
}

static void leaf(struct generator *g)
{
    if (g->constant && draw(g, 4) == 0) {
        put_text(g, g->constant);
        return;
    }
    const char *name = find_name(g, draw(g, 3) ? REAL : ROW);
    const bool is_row = name && find_name(g, ROW) && draw(g, 3) == 0;
    if (is_row) {
        lib_text_printf(g->out, "%s[", find_name(g, ROW));
        integer(g);
        put_text(g, "]");
    } else if (find_name(g, REAL) && draw(g, 6)) {
        put_text(g, find_name(g, REAL));
    } else {
        literal(g);
    }
}

static void around(struct generator *g, unsigned depth, const char *before,
                   const char *behind)
{
    put_text(g, before);
    real(g, depth);
    put_text(g, behind);
}

/* An array that reads itself, upwards or downwards. */
static void own_row(struct generator *g, unsigned depth)
{
    const unsigned names = g->name_count, own = g->made++, index = g->made;
    const bool up = draw(g, 2);
    lib_text_printf(g->out, "(let v%u = [", own);
    add_name(g, INT);
    lib_text_printf(g->out, "if v%u %s then ", index, up ? "< 1" : "> 2");
    real(g, depth - 1);
    lib_text_printf(g->out, " else sin(v%u[v%u %s 1]) * ", own, index, up ? "-" : "+");
    real(g, depth - 1);
    lib_text_printf(g->out, " | v%u <- 0 .. 3] in sum(v%u) + v%u[", index, own, own);
    g->name_count = names;
    integer(g);
    put_text(g, "])");
}

/* An array of arrays whose elements read their neighbours. */
static void own_table(struct generator *g, unsigned depth)
{
    const unsigned names = g->name_count, own = g->made++, i = g->made, j = i + 1;
    lib_text_printf(g->out, "(let v%u = [[", own);
    add_name(g, INT);
    add_name(g, INT);
    lib_text_printf(g->out, "if v%u < 1 or v%u < 1 then ", i, j);
    real(g, depth - 1);
    lib_text_printf(g->out, " else sin(v%u[v%u - 1][v%u]", own, i, j);
    if (draw(g, 2))
        lib_text_printf(g->out, " + v%u[v%u - 1][v%u - 1]", own, i, j);
    lib_text_printf(g->out, ") * v%u[v%u][v%u - 1] + 0.3 * ", own, i, j);
    real(g, depth - 1);
    lib_text_printf(g->out, " | v%u <- 0 .. 3] | v%u <- 0 .. 3] in v%u[", j, i, own);
    g->name_count = names;
    integer(g);
    put_text(g, "][");
    integer(g);
    put_text(g, "])");
}

/* A row of elements that read others of another row, or of their own at an index that is
 * computed. */
static void reading_row(struct generator *g, unsigned depth)
{
    const unsigned names = g->name_count, own = g->made++, index = g->made;
    const char *name = find_name(g, ROW);
    lib_text_printf(g->out, "(let v%u = [", own);
    add_name(g, INT);
    if (name && draw(g, 2))
        lib_text_printf(g->out, "%s[v%u + 1] * (if v%u > 0 then %s[v%u - 1] else 0.5) + ",
                        name, index, index, name, index);
    else if (draw(g, 2))
        lib_text_printf(g->out, "if v%u > 0 then cos(v%u[v%u / 2]) else ", index, own,
                        index);
    else
        lib_text_printf(
            g->out,
            "(if v%u > 0 then sum([0.4 * v%u[v%u - 1] | v%uj <- 0 .. v%u]) else 0.1) + ",
            index, own, index, index, index);
    real(g, depth - 1);
    lib_text_printf(g->out, " | v%u <- 0 .. 2] in v%u[0] + sin(v%u[2]))", index, own,
                    own);
    g->name_count = names;
}

static void loop(struct generator *g, unsigned depth)
{
    const unsigned names = g->name_count, first = g->made;
    lib_text_printf(g->out, "(loop v%u = 0, v%u = ", first, first + 1);
    real(g, depth - 1);
    /* what was drawn has made names of its own */
    lib_text_printf(g->out, ", u%u = ", first);
    real(g, depth - 1);
    if (g->name_count + 2 > NAMES_MAX)
        g->name_count = NAMES_MAX - 2;
    snprintf(g->names[g->name_count].text, NAME, "v%u", first);
    g->names[g->name_count++].kind = INT;
    snprintf(g->names[g->name_count].text, NAME, "v%u", first + 1);
    g->names[g->name_count++].kind = REAL;
    g->made += 2;
    lib_text_printf(g->out, " while v%u < %u do v%u + 1, sin(", first, draw(g, 4), first);
    real(g, depth - 1);
    lib_text_printf(g->out, ") + 0.3 * u%u, ", first);
    real(g, depth - 1);
    lib_text_printf(g->out, " return v%u * u%u)", first + 1, first);
    g->name_count = names;
}

/* A loop that adds nothing to the derivative: its variables are not used behind it, or are
 * rounded. Another such loop may be in it. */
static void idle_loop(struct generator *g, unsigned depth)
{
    const unsigned first = g->made++, rounds = draw(g, 4);
    const bool is_rounded = draw(g, 2);
    lib_text_printf(g->out, "(loop v%u = 0", first);
    if (is_rounded) {
        lib_text_printf(g->out, ", u%u = ", first);
        real(g, depth - 1);
    }
    lib_text_printf(g->out, " while v%u < %u do v%u + 1", first, rounds, first);
    if (is_rounded) {
        lib_text_printf(g->out, ", cos(u%u) * ", first);
        if (depth > 1 && draw(g, 2))
            idle_loop(g, depth - 1);
        else
            real(g, depth - 1);
        lib_text_printf(g->out, " return 0.2 * floor(3.0 * u%u) + ", first);
    } else {
        put_text(g, " return ");
    }
    real(g, depth - 1);
    put_text(g, ")");
}

static void let(struct generator *g, unsigned depth)
{
    const unsigned names = g->name_count;
    if (draw(g, 3) == 0) {
        const unsigned first = g->made;
        g->made += 2;
        lib_text_printf(g->out, "(let (v%u, v%u) = (", first, first + 1);
        real(g, depth - 1);
        put_text(g, ", ");
        real(g, depth - 1);
        put_text(g, ") in ");
        for (unsigned i = 0; i < 2 && g->name_count < NAMES_MAX; i++) {
            snprintf(g->names[g->name_count].text, NAME, "v%u", first + i);
            g->names[g->name_count++].kind = REAL;
        }
    } else {
        const enum kind kind = draw(g, 3) ? REAL : ROW;
        const unsigned name = g->made++;
        lib_text_printf(g->out, "(let v%u = ", name);
        if (kind == REAL)
            real(g, depth - 1);
        else
            row(g, depth - 1);
        put_text(g, " in ");
        if (g->name_count < NAMES_MAX) {
            snprintf(g->names[g->name_count].text, NAME, "v%u", name);
            g->names[g->name_count++].kind = kind;
        }
    }
    real(g, depth - 1);
    put_text(g, ")");
    g->name_count = names;
}

static void binary(struct generator *g, unsigned depth, const char *open,
                   const char *between, const char *close)
{
    put_text(g, open);
    real(g, depth - 1);
    put_text(g, between);
    real(g, depth - 1);
    put_text(g, close);
}

static void real(struct generator *g, unsigned depth)
{
    if (depth == 0 || draw(g, 8) == 0) {
        leaf(g);
        return;
    }
    switch (draw(g, 33)) {
    case 0:
    case 1:
        binary(g, depth, "(", " + ", ")");
        break;
    case 2:
        binary(g, depth, "(", " - ", ")");
        break;
    case 3:
    case 4:
        binary(g, depth, "sin(", ") * (", ")");
        break;
    case 5:
        binary(g, depth, "(", ") / (1.5 + sin(", "))");
        break;
    case 6:
        binary(g, depth, "min(", ", ", ")");
        break;
    case 7:
        binary(g, depth, "max(", ", ", ")");
        break;
    case 8:
        around(g, depth - 1, "abs(", ")");
        break;
    case 9:
        around(g, depth - 1, "sqrt(1.2 + cos(", "))");
        break;
    case 10:
        around(g, depth - 1, "log(1.5 + sin(", "))");
        break;
    case 11:
        around(g, depth - 1, "exp(sin(", "))");
        break;
    case 12:
        around(g, depth - 1, "tanh(", ")");
        break;
    case 13:
        binary(g, depth, "(", ") % (1.7 + 0.1 * cos(", "))");
        break;
    case 14:
        binary(g, depth, "(floor(", ") + ", ")");
        break;
    case 15:
        binary(g, depth, "(real(int(3.0 * sin(", "))) * 0.3 + ", ")");
        break;
    case 16:
        put_text(g, "(if ");
        condition(g, depth - 1);
        binary(g, depth, " then ", " else ", ")");
        break;
    case 17:
        around(g, depth - 1, "(-(", "))");
        break;
    case 18:
    case 19:
        let(g, depth);
        break;
    case 20:
        loop(g, depth);
        break;
    case 21:
        put_text(g, "sum(");
        row(g, depth - 1);
        put_text(g, ")");
        break;
    case 22:
        own_row(g, depth);
        break;
    case 23:
        own_table(g, depth);
        break;
    case 24:
        reading_row(g, depth);
        break;
    case 25:
        put_text(g, "floor(2.0 * ");
        idle_loop(g, depth);
        around(g, depth - 1, ") * (", ")");
        break;
    case 26:
        idle_loop(g, depth);
        break;
    case 27:
        around(g, depth - 1, "atan(", ")");
        break;
    case 28:
        around(g, depth - 1, "erf(", ")");
        break;
    case 29:
        binary(g, depth, "atan2(", ", 1.5 + sin(", "))");
        break;
    case 30:
        binary(g, depth, "hypot(", ", 1.5 + cos(", "))");
        break;
    case 31:
        binary(g, depth, "((1.5 + sin(", ")) ** cos(", "))");
        break;
    default:
        if (!g->may_call || g->calls_left == 0) {
            leaf(g);
            break;
        }
        g->calls_left--;
        const unsigned callee = draw(g, FUNCTIONS);
        lib_text_printf(g->out, "f%u", callee);
        arguments_of(g, callee, depth - 1);
    }
}

static void function(struct generator *g, unsigned number)
{
    const struct function *f = &g->functions[number];
    g->function = number;
    g->name_count = 0;
    lib_text_printf(g->out, "f%u(n", number);
    for (unsigned i = 1; i < f->count; i++)
        lib_text_printf(g->out, ", p%u", i);
    put_text(g, ") = ");
    for (unsigned i = 1; i < f->count; i++) {
        if (f->params[i] == PAIR)
            lib_text_printf(g->out, "let (p%ua, p%ub) = p%u in ", i, i, i);
        const bool pair = f->params[i] == PAIR;
        snprintf(g->names[g->name_count].text, NAME, "p%u%s", i, pair ? "a" : "");
        g->names[g->name_count++].kind = pair ? REAL : f->params[i];
        if (!pair)
            continue;
        snprintf(g->names[g->name_count].text, NAME, "p%ub", i);
        g->names[g->name_count++].kind = INT;
    }
    g->may_call = false;
    put_text(g, "if n <= 0 then ");
    real(g, 3);
    put_text(g, " else ");
    g->may_call = true;
    g->calls_left = 2;
    lib_text_printf(g->out, "0.6 * f%u", draw(g, 2) ? number : draw(g, FUNCTIONS));
    const char *text = lib_text_get(g->out);
    const unsigned callee = (unsigned)(text[g->out->length - 1] - '0');
    arguments_of(g, callee, 1);
    put_text(g, " + ");
    real(g, 4);
    if (g->constant)
        lib_text_printf(g->out, " + 0.2 * %s", g->constant);
    /* All parameters are used as what they are. */
    for (unsigned i = 1; i < f->count; i++)
        if (f->params[i] == ROW)
            lib_text_printf(g->out, " + 0.1 * p%u[1]", i);
        else if (f->params[i] == BOOL)
            lib_text_printf(g->out, " + (if p%u then 0.5 else 0.25)", i);
        else if (f->params[i] == PAIR)
            lib_text_printf(g->out, " + 0.1 * p%ua * real(p%ub)", i, i);
        else if (f->params[i] == INT)
            lib_text_printf(g->out, " + real(p%u)", i);
        else if (f->params[i] == REAL)
            lib_text_printf(g->out, " + 0.2 * p%u", i);
    put_text(g, "\n");
}

static void argument(struct generator *g, struct gradient_program *program, unsigned i)
{
    struct lib_text text = {0};
    g->out = &text;
    program->is_real[i] = false;
    switch (i == 0 ? KINDS : g->functions[0].params[i]) {
    case KINDS:
        lib_text_printf(&text, "%u", draw(g, 4));
        break;
    case REAL:
        literal(g);
        program->is_real[i] = true;
        break;
    case INT:
        lib_text_printf(&text, "%u", draw(g, 4));
        break;
    case BOOL:
        put_text(g, draw(g, 2) ? "true" : "false");
        break;
    case PAIR:
        put_text(g, "(");
        literal(g);
        lib_text_printf(&text, ", %u)", draw(g, 4));
        break;
    default:
        for (int k = 0; k < 4; k++) {
            put_text(g, k ? ", " : "[");
            literal(g);
        }
        put_text(g, "]");
    }
    snprintf(program->arguments[i], sizeof program->arguments[i], "%s",
             lib_text_get(&text));
    lib_text_free(&text);
}

void gradient_random(unsigned seed, struct gradient_program *program)
{
    gradient_random_with(seed, NULL, program);
}

void gradient_random_with(unsigned seed, const char *what,
                          struct gradient_program *program)
{
    struct generator g = {.state = seed, .out = &program->functions, .constant = what};
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        g.functions[f].count = 2 + draw(&g, GRADIENT_PARAMS_MAX - 1);
        g.functions[f].params[1] = REAL;
        for (unsigned i = 2; i < g.functions[f].count; i++)
            g.functions[f].params[i] = (enum kind)draw(&g, KINDS);
    }
    for (unsigned f = 0; f < FUNCTIONS; f++)
        function(&g, f);
    program->count = g.functions[0].count;
    for (unsigned i = 1; i < program->count; i++) {
        const enum kind kind = g.functions[0].params[i];
        program->real_count += kind != INT && kind != BOOL;
    }
    for (unsigned i = 0; i < program->count; i++)
        argument(&g, program, i);
}
