#include "lib/hash.h"
#include "tests/random/generate_internal.h"

enum { ITEMS_MAX = 64 };

/* Key of the draw whether a program has inputs that are arrays. */
#define GIVES UINT64_C(0x6769766573)

/* The equations of the program, to be put into some order. */
struct items {
    char *texts[ITEMS_MAX];
    size_t count;
};

/* --- drawing -------------------------------------------------------------------------- */

unsigned draw(struct generator *g, unsigned below)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)(lib_hash_mix(g->state) % below);
}

unsigned draw_weighted(struct generator *g, const unsigned char *weights, unsigned count)
{
    unsigned sum = 0, choice = 0;
    for (unsigned i = 0; i < count; i++)
        sum += weights[i];
    for (unsigned left = draw(g, sum); left >= weights[choice]; choice++)
        left -= weights[choice];
    return choice;
}

void put(struct generator *g, const char *text)
{
    lib_text_puts(g->out, text);
}

void blank(struct generator *g)
{
    if (g->layout == 0 || draw(g, g->layout))
        put(g, " ");
    else if (draw(g, 4))
        put(g, "\n  ");
    else
        put(g, " -- ( if\n\n ");
}

/* --- types, names --------------------------------------------------------------------- */

const struct type *scalar_type(enum kind kind)
{
    static const struct type types[] = {
        [INT] = {.kind = INT}, [REAL] = {.kind = REAL}, [BOOL] = {.kind = BOOL}};
    return &types[kind];
}

const struct type *draw_type(struct generator *g, unsigned depth)
{
    static const unsigned char weights[] = {36, 30, 16, 18, 18};
    if (depth && g->datatype_count && draw(g, 3) == 0)
        return draw_data_type(g, depth - 1);
    const unsigned kinds = g->features & GENERATE_ARRAYS ? 5 : 4;
    enum kind kind = draw_weighted(g, weights, depth ? kinds : 3);
    if (kind == ARRAY)
        return array_type(g, draw_type(g, depth - 1));
    if (kind != TUPLE)
        return scalar_type(kind);
    struct type *type = LIB_ARENA_NEW(g->arena, struct type);
    type->kind = TUPLE;
    type->count = 2 + draw(g, PARTS_MAX - 1);
    for (unsigned i = 0; i < type->count; i++)
        type->parts[i] = draw_type(g, depth - 1);
    return type;
}

bool same_type(const struct type *have, const struct type *want)
{
    if (have->kind != want->kind || have->count != want->count ||
        have->least != want->least || have->data != want->data ||
        have->height > want->height)
        return false;
    for (unsigned i = 0; i < have->count; i++)
        if (!same_type(have->parts[i], want->parts[i]))
            return false;
    return true;
}

static bool is_bound(const struct generator *g, size_t from, const char *name)
{
    for (size_t i = from; i < g->scope.count; i++)
        if (strcmp(g->scope.items[i].text, name) == 0)
            return true;
    return false;
}

bool is_visible(const struct generator *g, const char *function)
{
    return !is_bound(g, 0, function);
}

void enter_scope(struct generator *g, const char *name, const struct type *type)
{
    if (strcmp(name, "_") != 0)
        *LIB_VEC_PUSH(&g->scope) = (struct name){name, type};
}

const char *draw_name(struct generator *g, size_t from)
{
    static const char *const usual[] = {"a", "b", "c", "d", "x", "y", "z", "x'", "u_1"};
    static const char *const others[] = {"max", "abs", "real", "f0", "f1", "sqrt", "iff"};
    for (unsigned tries = 0; tries < 8; tries++) {
        const char *name = from > 0 && draw(g, 20) == 0 ? others[draw(g, 7)]
                                                        : usual[draw(g, 9)];
        if (!is_bound(g, from, name))
            return name;
    }
    return lib_arena_printf(g->arena, "v%u", draw(g, 1u << 30));
}

/* --- functions ------------------------------------------------------------------------ */

char *taken(struct generator *g)
{
    char *text = lib_arena_copy(g->arena, lib_text_get(g->out), g->out->length);
    lib_text_clear(g->out);
    return text;
}

void add_item(struct items *items, char *text)
{
    items->texts[items->count++] = text;
}

static void declare(struct generator *g, bool recursive)
{
    static const char *const fuels[] = {"n", "m", "k"};
    struct function f = {
        .name = lib_arena_printf(g->arena, "f%zu", g->functions.count),
        .result = draw_type(g, 2),
        .param_count = 1 + draw(g, PARAMS_MAX),
        .fuel = -1,
    };
    for (unsigned i = 0; i < f.param_count; i++)
        f.params[i] = draw_type(g, 2);
    if (recursive) {
        f.fuel = (int)draw(g, f.param_count);
        f.params[f.fuel] = scalar_type(INT);
        f.fuel_name = fuels[draw(g, 3)];
    }
    *LIB_VEC_PUSH(&g->functions) = f;
}

/* A `let` around what comes next, of a call with such a result if there is one. */
static void put_call(struct generator *g, const struct type *result, unsigned size)
{
    const char *name = draw_name(g, g->scope.count);
    lib_text_printf(g->out, "let %s = ", name);
    if (!call(g, whole(result, NAMED_INT), size))
        literal(g, whole(result, NAMED_INT));
    enter_scope(g, name, result);
    put(g, " in ");
}

/* What a function with fuel makes of it: perhaps by calls of its group. */
static void step(struct generator *g, const struct function *f, unsigned size)
{
    static const unsigned char calls[] = {0, 50, 35, 15};
    g->again = draw_weighted(g, calls, 4);
    unsigned allowed = g->again;
    size_t mark = g->scope.count;
    put(g, "(");
    if (draw(g, 4)) /* at least one */
        put_call(g, f->result, size / 3);
    expression(g, whole(f->result, NAMED_INT), size);
    put(g, ")");
    g->scope.count = mark;
    struct function *own = &g->functions.items[f - g->functions.items];
    own->again = allowed - g->again;
    g->again = 0;
}

static void base(struct generator *g, const struct function *f, unsigned size)
{
    expression(g, whole(f->result, NAMED_INT), size);
}

/* The body of a function with fuel: a conditional that looks after it. */
static void guarded(struct generator *g, const struct function *f, unsigned size)
{
    const char *n = f->fuel_name;
    const struct want condition = {
        .type = scalar_type(BOOL), .level = COMPARISON, .followed = true};
    unsigned rest = draw(g, size + 1);
    bool is_bool = f->result->kind == BOOL;
    switch (draw(g, is_bool ? 8 : 6)) {
    case 0:
    case 1:
        lib_text_printf(g->out, "if %s <= 0 then ", n);
        base(g, f, rest);
        put(g, " else ");
        step(g, f, size - rest);
        break;
    case 2:
        lib_text_printf(g->out, "if %s > 0 then ", n);
        step(g, f, size - rest);
        put(g, " else ");
        base(g, f, rest);
        break;
    case 3:
        lib_text_printf(g->out, "if %s < 1 or ", n);
        expression(g, condition, rest / 2);
        put(g, " then ");
        base(g, f, rest / 2);
        put(g, " else ");
        step(g, f, size - rest);
        break;
    case 4:
        lib_text_printf(g->out, "if not (%s <= 0) and ", n);
        expression(g, condition, rest / 2);
        put(g, " then ");
        step(g, f, size - rest);
        put(g, " else ");
        base(g, f, rest / 2);
        break;
    case 5:
        lib_text_printf(g->out, "if %s == 0 then ", n);
        base(g, f, rest / 2);
        lib_text_printf(g->out, " else if 0 > %s then ", n);
        base(g, f, rest / 2);
        put(g, " else ");
        step(g, f, size - rest);
        break;
    case 6:
        lib_text_printf(g->out, "%s > 0 and (", n);
        step(g, f, size);
        put(g, ")");
        break;
    default:
        lib_text_printf(g->out, "%s < 1 or (", n);
        step(g, f, size);
        put(g, ")");
    }
}

static char *define(struct generator *g, struct function *f, unsigned size)
{
    const double budget = 40;
    const size_t mark = g->scope.count;
    g->in = f;
    g->budget = budget;
    put(g, f->name);
    put(g, "(");
    for (unsigned i = 0; i < f->param_count; i++) {
        if ((g->features & GENERATE_DATA) && has_pattern(f->params[i]) && draw(g, 2)) {
            put(g, i ? ", " : "");
            put_pattern(g, f->params[i], mark);
            continue;
        }
        const char *name = (int)i == f->fuel ? f->fuel_name : draw_name(g, mark);
        enter_scope(g, name, f->params[i]);
        lib_text_printf(g->out, "%s%s", i ? ", " : "", name);
    }
    put(g, ") =");
    blank(g);
    if (f->fuel >= 0)
        guarded(g, f, size);
    else
        expression(g, whole(f->result, NAMED_INT), size);
    f->own = 1 + budget - g->budget;
    g->scope.count = mark;
    return taken(g);
}

/* How much fuel the functions of the group may be given, and what that costs. */
static void limit_fuel(struct generator *g)
{
    double own = 1, again = 0, most = 10 + draw(g, 120);
    for (size_t i = g->group; i < g->functions.count; i++) {
        const struct function *f = &g->functions.items[i];
        own = f->own > own ? f->own : own;
        again = f->again > again ? f->again : again;
    }
    double cost = own;
    unsigned fuel = 0;
    for (; fuel < 40 && own + again * cost <= most; fuel++)
        cost = own + again * cost;
    for (size_t i = g->group; i < g->functions.count; i++) {
        g->functions.items[i].fuel_most = fuel;
        g->functions.items[i].cost = cost;
    }
}

/* A constant that calls a function with literals, so that no type is left open. */
char *sample(struct generator *g, const struct function *f)
{
    const char *name = draw_name(g, 0);
    lib_text_printf(g->out, "%s = %s(", name, f->name);
    for (unsigned i = 0; i < f->param_count; i++) {
        put(g, i ? ", " : "");
        if ((int)i == f->fuel)
            lib_text_printf(g->out, "%u", draw(g, f->fuel_most + 1));
        else
            literal(g, whole(f->params[i], NAMED_INT));
    }
    put(g, ")");
    enter_scope(g, name, f->result);
    return taken(g);
}

static void add_group(struct generator *g, struct items *items, unsigned size)
{
    static const unsigned char counts[] = {0, 70, 20, 10};
    unsigned count = draw_weighted(g, counts, 4);
    bool recursive = count > 1 || draw(g, 5) < 3;
    g->group = g->functions.count;
    for (unsigned i = 0; i < count; i++)
        declare(g, recursive);
    for (size_t i = g->group; i < g->functions.count; i++)
        add_item(items, define(g, &g->functions.items[i], size / count + draw(g, 4)));
    limit_fuel(g);
    for (size_t i = g->group; i < g->functions.count; i++)
        add_item(items, sample(g, &g->functions.items[i]));
    g->group = g->functions.count;
}

/* Some type, or one that there is something of to be used. */
static const struct type *draw_useful_type(struct generator *g)
{
    if (g->functions.count > 0 && draw(g, 3))
        return g->functions.items[draw(g, (unsigned)g->functions.count)].result;
    if (g->scope.count > 0 && draw(g, 2))
        return deepest(g, g->scope.items[draw(g, (unsigned)g->scope.count)].type);
    return draw_type(g, 2);
}

/* --- constants, inputs ---------------------------------------------------------------- */

static void add_constant(struct generator *g, struct items *items, unsigned size)
{
    const struct type *type = draw_useful_type(g);
    struct name names[PARTS_MAX];
    bool pattern = type->kind == TUPLE && draw(g, 4);
    unsigned count = pattern ? type->count : 1;
    const size_t mark = g->scope.count;
    if ((g->features & GENERATE_DATA) && type->kind == TUPLE && draw(g, 3) == 0) {
        g->budget = 100;
        put_equation(g, type, 0, size);
        add_item(items, taken(g));
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        names[i].text = pattern && draw(g, 12) == 0 ? "_" : draw_name(g, 0);
        names[i].type = pattern ? type->parts[i] : type;
        enter_scope(g, names[i].text, names[i].type);
        lib_text_printf(g->out, "%s%s", i ? ", " : pattern ? "(" : "", names[i].text);
    }
    g->scope.count = mark; /* the names are not for the value itself */
    put(g, pattern ? ") = " : " = ");
    g->budget = 100;
    if (type->kind == ARRAY && draw(g, 2))
        comprehension(g, type, names[0].text, size);
    else
        expression(g, whole(type, NAMED_INT), size);
    for (unsigned i = 0; i < count; i++)
        enter_scope(g, names[i].text, names[i].type);
    add_item(items, taken(g));
}

/* An array and a function, or another array, that need each other. */
static void add_recursive_array(struct generator *g, struct items *items)
{
    const struct type *type = array_type(g, draw_type(g, 1));
    const char *name = lib_arena_printf(g->arena, "w%u", g->fresh++);
    const char *other = lib_arena_printf(g->arena, "g%u", g->fresh++);
    struct lib_text array = {0};
    g->budget = 100;
    if (draw(g, 2))
        put_recursive_array(g, type, name, other, &array);
    else
        put_mutual_arrays(g, type, name, other, &array);
    add_item(items, taken(g));
    lib_text_puts(g->out, lib_text_get(&array));
    lib_text_free(&array);
    add_item(items, taken(g));
    struct type *least = LIB_ARENA_NEW(g->arena, struct type);
    *least = (struct type){
        .kind = ARRAY, .parts = {type->parts[0]}, .count = 1, .least = 1};
    enter_scope(g, name, least);
}

static void add_input(struct generator *g, struct items *items)
{
    const struct type *type = draw_type(g, 0);
    const char *name = draw_name(g, 0);
    lib_text_printf(g->out, "input %s = ", name);
    literal(g, whole(type, NAMED_INT));
    enter_scope(g, name, type);
    add_item(items, taken(g));
}

/* Draws the type of the elements of an array that is given: a scalar, or a tuple of these. */
static const struct type *draw_given_element(struct generator *g)
{
    if (draw(g, 3))
        return scalar_type(draw(g, 3));
    struct type *type = LIB_ARENA_NEW(g->arena, struct type);
    *type = (struct type){.kind = TUPLE, .count = 2 + draw(g, PARTS_MAX - 1)};
    for (unsigned i = 0; i < type->count; i++)
        type->parts[i] = scalar_type(draw(g, 3));
    return type;
}

static void put_element_type(struct generator *g, const struct type *type)
{
    static const char *const names[] = {[INT] = "int", [REAL] = "real", [BOOL] = "bool"};
    if (type->kind != TUPLE)
        put(g, names[type->kind]);
    for (unsigned i = 0; type->kind == TUPLE && i < type->count; i++)
        lib_text_printf(g->out, "%s%s%s", i ? ", " : "(", names[type->parts[i]->kind],
                        i + 1 == type->count ? ")" : "");
}

/* An input that is an array, of one or two axes. Its type is written where its value does not say
 * it. */
static void add_given(struct generator *g, struct items *items)
{
    const struct type *element = draw_given_element(g), *type = element;
    const char *name = draw_name(g, 0);
    const unsigned axes = 1 + (draw(g, 4) == 0), length = draw(g, 5), row = draw(g, 4);
    for (unsigned axis = 0; axis < axes; axis++) {
        struct type *array = LIB_ARENA_NEW(g->arena, struct type);
        *array = (struct type){.kind = ARRAY,
                               .parts = {type},
                               .count = 1,
                               .least = axis + 1 == axes ? length : row};
        type = array;
    }
    lib_text_printf(g->out, "input %s : %s", name, axes == 2 ? "[[" : "[");
    put_element_type(g, element);
    put(g, axes == 2 ? "]] = [" : "] = [");
    for (unsigned i = 0; i < length; i++) {
        put(g, i ? ", " : "");
        put(g, axes == 2 ? "[" : "");
        for (unsigned k = 0; k < (axes == 2 ? row : 1); k++) {
            put(g, k ? ", " : "");
            literal(g, whole(element, NAMED_INT));
        }
        put(g, axes == 2 ? "]" : "");
    }
    put(g, "]");
    enter_scope(g, name, type);
    add_item(items, taken(g));
}

static void add_result(struct generator *g, struct items *items, unsigned size)
{
    g->budget = 250;
    put(g, "result =");
    blank(g);
    size_t mark = g->scope.count;
    for (unsigned calls = draw(g, 3); calls > 0 && g->functions.count > 0; calls--)
        put_call(g, g->functions.items[draw(g, (unsigned)g->functions.count)].result,
                 size / 4);
    const struct type *type = draw_useful_type(g);
    if (type->kind == ARRAY && g->scope.count == mark && draw(g, 2))
        comprehension(g, type, "result", size);
    else
        expression(g, whole(type, NAMED_INT), size);
    g->scope.count = mark;
    add_item(items, taken(g));
}

/* --- programs ------------------------------------------------------------------------- */

/* Equations may stand in any order. */
static void put_items(struct generator *g, struct items *items, struct lib_text *out)
{
    while (items->count > 0) {
        size_t i = draw(g, (unsigned)items->count);
        lib_text_puts(out, items->texts[i]);
        items->texts[i] = items->texts[--items->count];
        if (g->layout && items->count && draw(g, 8) == 0)
            lib_text_puts(out, "; ");
        else
            lib_text_puts(out, g->layout && draw(g, 8) == 0 ? " -- a = 1\n\n" : "\n");
    }
}

void generate(uint64_t seed, unsigned size, unsigned features, struct lib_text *out)
{
    struct lib_text scratch = {0};
    struct items items = {0};
    struct generator g = {
        .state = lib_hash_mix(seed + 1),
        .arena = lib_arena_new(),
        .out = &scratch,
        .features = features,
        .times = 1,
    };
    g.wild = draw(&g, 10) < 7 ? 1 + draw(&g, 4) : 0;
    g.layout = draw(&g, 3) ? 0 : 8 + draw(&g, 40);
    g.brackets = draw(&g, 3) ? 0 : 5 + draw(&g, 20);
    unsigned left = 1 + draw(&g, size);
    if ((features & GENERATE_DATA) && draw(&g, 2))
        draw_datatypes(&g, &items);
    for (unsigned inputs = draw(&g, 3); inputs > 0; inputs--)
        add_input(&g, &items);
    /* not drawn from the rest, so that other programs stay what they are */
    const uint64_t gives = lib_hash_mix(seed + GIVES);
    if ((features & GENERATE_ARRAYS) && gives % 4 == 0)
        for (unsigned inputs = 1 + gives / 4 % 2; inputs > 0; inputs--)
            add_given(&g, &items);
    while (left > 0 && items.count + 8 < ITEMS_MAX) {
        unsigned part = 1 + draw(&g, left < 24 ? left : 24);
        if (g.datatype_count && draw(&g, 3) == 0)
            add_data_function(&g, &items);
        else if (g.datatype_count && (features & GENERATE_ARRAYS) && draw(&g, 16) == 0)
            add_ring(&g, &items);
        else if (draw(&g, 5) < 3)
            add_group(&g, &items, part);
        else if ((features & GENERATE_ARRAYS) && draw(&g, 4) == 0)
            add_recursive_array(&g, &items);
        else if (draw(&g, 2))
            add_constant(&g, &items, part);
        else
            break;
        left -= part;
    }
    add_result(&g, &items, 2 + left + draw(&g, size / 2 + 1));
    put_items(&g, &items, out);
    LIB_VEC_FREE(&g.scope);
    LIB_VEC_FREE(&g.functions);
    lib_text_free(&scratch);
    lib_arena_free(g.arena);
}
