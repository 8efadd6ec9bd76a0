/* What random programs do with data: `case` with patterns and guards, fields, comparisons,
 * functions that make data, follow it and rebuild it, data that contains itself. */
#include "tests/random/generate_internal.h"

enum { ROWS_MAX = 12, ARMS_MAX = 16 };

/* A pattern before it is written. */
struct pattern {
    enum { NAMED, LITERAL, PARTS, CONSTRUCTOR } form;
    const struct type *type;
    const struct constructor *constructor;
    const struct pattern *parts[FIELDS_MAX];
    unsigned count;
    const char *text; /* of a LITERAL */
};

struct patterns {
    const struct pattern *items[ARMS_MAX];
    bool is_guarded[ARMS_MAX];
    unsigned count;
};

/* --- patterns --------------------------------------------------------------------------- */

static struct pattern *named(struct generator *g, const struct type *type)
{
    struct pattern *p = LIB_ARENA_NEW(g->arena, struct pattern);
    *p = (struct pattern){.form = NAMED, .type = type};
    return p;
}

/* A pattern that takes a tuple, or data of constructor `c`, apart, with names for the parts. */
static struct pattern *apart(struct generator *g, const struct type *type,
                             const struct constructor *c)
{
    struct pattern *p = named(g, type);
    p->form = c ? CONSTRUCTOR : PARTS;
    p->constructor = c;
    p->count = c ? c->count : type->count;
    for (unsigned i = 0; i < p->count; i++)
        p->parts[i] = named(g, c ? field_type(g, type, &c->fields[i]) : type->parts[i]);
    return p;
}

static const struct pattern *a_literal(struct generator *g, const struct type *type,
                                       unsigned number)
{
    static const char *const ints[] = {"0", "1", "2", "-1", "7"};
    static const char *const reals[] = {"0.0", "1.5", "-0.5", "2", "1e16"};
    struct pattern *p = named(g, type);
    p->form = LITERAL;
    p->text = type->kind == BOOL  ? number % 2 ? "true" : "false"
              : type->kind == INT ? ints[number % 5]
                                  : reals[number % 5];
    return p;
}

/* Some pattern of the type. */
static const struct pattern *draw_pattern(struct generator *g, const struct type *type,
                                          unsigned depth)
{
    if (type->kind == ARRAY || depth == 0 || draw(g, 4) == 0)
        return named(g, type);
    if (type->kind != TUPLE && type->kind != DATA)
        return a_literal(g, type, draw(g, 5));
    const struct datatype *d = type->data;
    struct pattern *p = apart(g, type, d ? &d->constructors[draw(g, d->count)] : NULL);
    for (unsigned i = 0; i < p->count; i++)
        p->parts[i] = draw_pattern(g, p->parts[i]->type, depth - 1);
    return p;
}

static void add_row(struct patterns *rows, const struct pattern *p)
{
    rows->items[rows->count++] = p;
}

static void cover(struct generator *g, const struct type *type, unsigned depth,
                  struct patterns *rows);

/* Adds a row for each way to cover one of the parts of a pattern. */
static void cover_part(struct generator *g, const struct pattern *whole, unsigned depth,
                       struct patterns *rows)
{
    struct patterns ways = {0};
    const unsigned at = whole->count ? draw(g, whole->count) : 0;
    if (whole->count && depth)
        cover(g, whole->parts[at]->type, depth - 1, &ways);
    if (ways.count == 0 || rows->count + ways.count > ROWS_MAX - CONSTRUCTORS_MAX) {
        add_row(rows, whole);
        return;
    }
    for (unsigned i = 0; i < ways.count; i++) {
        struct pattern *p = LIB_ARENA_NEW(g->arena, struct pattern);
        *p = *whole;
        p->parts[at] = ways.items[i];
        add_row(rows, p);
    }
}

/* Adds rows of which one at least fits any value of the type. */
static void cover(struct generator *g, const struct type *type, unsigned depth,
                  struct patterns *rows)
{
    const unsigned first = draw(g, 5);
    switch (type->kind) {
    case BOOL:
        add_row(rows, a_literal(g, type, first));
        add_row(rows, a_literal(g, type, first + 1));
        break;
    case TUPLE:
        cover_part(g, apart(g, type, NULL), depth, rows);
        break;
    case DATA:
        for (unsigned i = 0; i < type->data->count; i++) {
            const unsigned at = (i + first) % type->data->count;
            cover_part(g, apart(g, type, &type->data->constructors[at]), depth, rows);
        }
        break;
    case INT:
    case REAL:
        for (unsigned i = draw(g, 3); i > 0; i--)
            add_row(rows, a_literal(g, type, first + i));
        add_row(rows, named(g, type));
        break;
    default:
        add_row(rows, named(g, type));
    }
}

static void write_pattern(struct generator *g, const struct pattern *p, size_t from)
{
    if (p->form == NAMED) {
        const char *name = draw(g, 4) ? draw_name(g, from) : "_";
        put(g, name);
        enter_scope(g, name, p->type);
    }
    if (p->form == LITERAL)
        put(g, p->text);
    if (p->form == CONSTRUCTOR)
        put(g, p->constructor->name);
    for (unsigned i = 0; i < p->count; i++) {
        put(g, i ? ", " : "(");
        write_pattern(g, p->parts[i], from);
    }
    put(g, p->count ? ")" : "");
}

bool has_pattern(const struct type *type)
{
    return type->kind == TUPLE || (type->kind == DATA && type->data->is_record);
}

/* A pattern of tuples and records, which every value fits. */
static const struct pattern *draw_sure(struct generator *g, const struct type *type)
{
    if (!has_pattern(type))
        return named(g, type);
    struct pattern *p = apart(g, type, type->data ? type->data->constructors : NULL);
    for (unsigned i = 0; i < p->count; i++)
        if (draw(g, 2))
            p->parts[i] = draw_sure(g, p->parts[i]->type);
    return p;
}

void put_pattern(struct generator *g, const struct type *type, size_t from)
{
    write_pattern(g, draw_sure(g, type), from);
}

void put_equation(struct generator *g, const struct type *type, size_t from,
                  unsigned size)
{
    const size_t mark = g->scope.count;
    put_pattern(g, type, from);
    const size_t count = g->scope.count - mark;
    struct name *names = LIB_ARENA_ARRAY(g->arena, struct name, count);
    for (size_t i = 0; i < count; i++)
        names[i] = g->scope.items[mark + i];
    g->scope.count = mark;
    put(g, " = ");
    expression(g, whole(type, NAMED_INT), size);
    for (size_t i = 0; i < count; i++)
        enter_scope(g, names[i].text, names[i].type);
}

/* --- case ------------------------------------------------------------------------------- */

static void insert_arm(struct patterns *arms, unsigned at, const struct pattern *p,
                       bool is_guarded)
{
    for (unsigned i = arms->count++; i > at; i--) {
        arms->items[i] = arms->items[i - 1];
        arms->is_guarded[i] = arms->is_guarded[i - 1];
    }
    arms->items[at] = p;
    arms->is_guarded[at] = is_guarded;
}

/* Arms for a value of the type; the last may fit all that the others leave. */
static void draw_arms(struct generator *g, const struct type *type, struct patterns *arms)
{
    cover(g, type, 2, arms);
    const bool has_rest = draw(g, 3) == 0;
    for (unsigned i = 0; i < arms->count && has_rest; i++)
        arms->is_guarded[i] = draw(g, 3) == 0;
    if (has_rest && arms->count > 1 && draw(g, 2))
        arms->count--;
    if (draw(g, 3) == 0)
        insert_arm(arms, draw(g, arms->count), draw_pattern(g, type, 2), draw(g, 2));
    if (draw(g, 3) == 0)
        insert_arm(arms, draw(g, arms->count), draw_pattern(g, type, 3), draw(g, 3));
    if (has_rest)
        insert_arm(arms, arms->count, named(g, type), false);
}

/* The type of what is looked at: of a name that has data, or some type. */
static const struct type *draw_subject(struct generator *g)
{
    const struct type *type = NULL;
    for (unsigned tries = 0; tries < 3 && g->scope.count && !type; tries++) {
        const struct name *n = &g->scope.items[draw(g, (unsigned)g->scope.count)];
        if (n->type->kind == DATA || n->type->kind == TUPLE)
            type = deepest(g, n->type);
    }
    if (!type)
        type = draw(g, 2) ? draw_data_type(g, 1) : draw_type(g, 2);
    if (draw(g, 4))
        return type;
    struct type *both = LIB_ARENA_NEW(g->arena, struct type);
    *both = (struct type){.kind = TUPLE, .parts = {type, draw_type(g, 1)}, .count = 2};
    return both;
}

static void put_case(struct generator *g, struct want want, unsigned size)
{
    const size_t mark = g->scope.count;
    struct patterns arms = {0};
    const struct type *type = draw_subject(g);
    const unsigned part = split(g, size);
    draw_arms(g, type, &arms);
    want.followed = want.followed || want.barred;
    const bool begun = begin(g, &want, OR, true);
    put(g, "case ");
    expression(g, whole(type, NAMED_INT), part);
    put(g, " of ");
    size -= part;
    for (unsigned i = 0; i < arms.count; i++) {
        struct want body = rest_of(want);
        const unsigned own = i + 1 < arms.count ? split(g, size) / 2 : size;
        body.barred = body.barred || i + 1 < arms.count;
        put(g, i ? " | " : "");
        write_pattern(g, arms.items[i], mark);
        if (arms.is_guarded[i]) {
            put(g, " if ");
            expression(g, (struct want){.type = scalar_type(BOOL), .followed = true},
                       own / 2);
        }
        put(g, " ->");
        blank(g);
        expression(g, body, own);
        g->scope.count = mark;
        size -= own;
    }
    finish(g, begun);
}

/* --- fields, comparisons ---------------------------------------------------------------- */

/* A field of the type of a name in scope that no other hides. Unless the program is wild, no value
 * of the name is without it. */
static bool put_field(struct generator *g, struct want want)
{
    for (size_t i = g->scope.count; i-- > 0;) {
        const struct name *n = &g->scope.items[i];
        const struct datatype *d = n->type->data;
        bool fits = d && (d->count == 1 || is_wild(g));
        for (size_t k = i + 1; k < g->scope.count && fits; k++)
            fits = strcmp(g->scope.items[k].text, n->text) != 0;
        for (unsigned c = 0; fits && c < d->count; c++)
            for (unsigned f = 0; f < d->constructors[c].count; f++) {
                const struct field *field = &d->constructors[c].fields[f];
                if (!field->name || !same_type(field_type(g, n->type, field), want.type))
                    continue;
                const bool modulo = want.type->kind == INT && want.limit < NAMED_INT &&
                                    !is_wild(g);
                const bool begun = begin(g, &want, modulo ? PRODUCT : OPERAND, false);
                lib_text_printf(g->out, "%s.%s", n->text, field->name);
                if (modulo)
                    put_modulo(g, want.limit);
                finish(g, begun);
                return true;
            }
    }
    return false;
}

static bool put_comparison(struct generator *g, struct want want, unsigned size)
{
    const struct type *type = draw_data_type(g, 1);
    const unsigned part = split(g, size);
    if (!is_comparable(type))
        return false;
    const bool begun = begin(g, &want, COMPARISON, false);
    expression(g, (struct want){.type = type, .level = SUM, .followed = true}, part);
    put(g, draw(g, 3) ? " == " : " /= ");
    expression(g, (struct want){.type = type, .level = SUM, .followed = want.followed},
               size - part);
    finish(g, begun);
    return true;
}

bool data_use(struct generator *g, struct want want, unsigned size)
{
    const unsigned choice = draw(g, 100);
    if (choice < 16) {
        put_case(g, want, size - 1);
        return true;
    }
    if (choice < 24)
        return put_field(g, want);
    return choice < 34 && want.type->kind == BOOL && put_comparison(g, want, size - 1);
}

/* --- functions of data ------------------------------------------------------------------ */

static struct function new_function(struct generator *g, const struct type *result)
{
    return (struct function){
        .name = lib_arena_printf(g->arena, "h%zu", g->functions.count),
        .result = result,
        .fuel = -1,
    };
}

static bool is_itself(const struct type *type, const struct field *field)
{
    return field->type->kind == DATA && field->type->data == type->data;
}

/* A constructor of the type that contains it; NULL: none does. */
static const struct constructor *recursive(const struct type *type)
{
    for (unsigned i = 0; i < type->data->count; i++)
        for (unsigned k = 0; k < type->data->constructors[i].count; k++)
            if (is_itself(type, &type->data->constructors[i].fields[k]))
                return &type->data->constructors[i];
    return NULL;
}

/* Writes the call of the function for a field, as an argument or a value. */
static void put_own_call(struct generator *g, const struct function *f,
                         const char *argument, unsigned size)
{
    lib_text_printf(g->out, "%s(%s", f->name, argument);
    for (unsigned i = 1; i < f->param_count; i++) {
        put(g, ", ");
        expression(g, whole(f->params[i], NAMED_INT), size);
    }
    put(g, ")");
}

/* f(n, x) = if n < 1 then BASE else C(.., f(n - 1, E)). */
static void write_maker(struct generator *g, const struct function *f)
{
    const struct type *type = f->result;
    const struct constructor *c = recursive(type);
    struct type *flat = LIB_ARENA_NEW(g->arena, struct type);
    *flat = *type;
    flat->height = 0;
    put(g, "if n < 1 then ");
    expression(g, (struct want){.type = flat, .limit = NAMED_INT, .determined = true}, 2);
    lib_text_printf(g->out, " else %s(", c->name);
    for (unsigned i = 0; i < c->count; i++) {
        put(g, i ? ", " : "");
        if (is_itself(type, &c->fields[i]))
            put_own_call(g, f, "n - 1", 2);
        else
            expression(g, whole(field_type(g, type, &c->fields[i]), NAMED_INT), 3);
    }
    put(g, ")");
}

/* An arm C(x, y) -> E, where E may use what the function makes of fields, or is data of the same
 * constructor with them. */
static void write_arm(struct generator *g, const struct function *f,
                      const struct constructor *c, bool rebuilds, bool is_last)
{
    const struct type *type = f->params[0];
    const size_t mark = g->scope.count;
    const char *names[FIELDS_MAX];
    put(g, c->name);
    for (unsigned i = 0; i < c->count; i++) {
        names[i] = lib_arena_printf(g->arena, "w%u", g->fresh++);
        lib_text_printf(g->out, "%s%s", i ? ", " : "(", names[i]);
        enter_scope(g, names[i], field_type(g, type, &c->fields[i]));
    }
    put(g, c->count ? ") -> " : " -> ");
    if (rebuilds) {
        put(g, c->name);
        for (unsigned i = 0; i < c->count; i++) {
            put(g, i ? ", " : "(");
            if (is_itself(type, &c->fields[i]))
                put_own_call(g, f, names[i], 2);
            else
                expression(g, whole(field_type(g, type, &c->fields[i]), NAMED_INT), 4);
        }
        put(g, c->count ? ")" : "");
        g->scope.count = mark;
        return;
    }
    for (unsigned i = 0; i < c->count; i++) {
        if (!is_itself(type, &c->fields[i]) || draw(g, 8) == 0)
            continue;
        const char *name = lib_arena_printf(g->arena, "w%u", g->fresh++);
        lib_text_printf(g->out, "let %s = ", name);
        put_own_call(g, f, names[i], 2);
        put(g, " in ");
        enter_scope(g, name, f->result);
    }
    expression(g,
               (struct want){.type = f->result, .limit = NAMED_INT, .barred = !is_last},
               3 + draw(g, 8));
    g->scope.count = mark;
}

void add_data_function(struct generator *g, struct items *items)
{
    const struct type *type = draw_data_type(g, 1);
    const unsigned way = recursive(type) ? draw(g, 3) : 1;
    const size_t mark = g->scope.count;
    struct function f = new_function(g, way == 1 ? draw_type(g, 2) : type);
    const double budget = 4;
    f.params[0] = way == 0 ? scalar_type(INT) : type;
    f.param_count = 1 + draw(g, 2);
    for (unsigned i = 1; i < f.param_count; i++)
        f.params[i] = draw_type(g, 1);
    g->budget = budget;
    g->again = 0;
    lib_text_printf(g->out, "%s(%s", f.name, way == 0 ? "n" : "t");
    enter_scope(g, way == 0 ? "n" : "t", f.params[0]);
    for (unsigned i = 1; i < f.param_count; i++) {
        const char *name = draw_name(g, mark);
        lib_text_printf(g->out, ", %s", name);
        enter_scope(g, name, f.params[i]);
    }
    put(g, way == 0 ? ") = " : ") = case t of ");
    if (way == 0)
        write_maker(g, &f);
    for (unsigned i = 0; i < type->data->count && way > 0; i++) {
        put(g, i ? " | " : "");
        write_arm(g, &f, &type->data->constructors[i], way == 2,
                  i + 1 == type->data->count);
    }
    g->scope.count = mark;
    if (way == 0) {
        f.fuel = 0;
        f.fuel_name = "n";
        f.fuel_most = (unsigned)type->height;
    }
    f.cost = type->data->nodes * (1 + budget - g->budget);
    *LIB_VEC_PUSH(&g->functions) = f;
    g->group = g->functions.count;
    add_item(items, taken(g));
    add_item(items, sample(g, &g->functions.items[g->functions.count - 1]));
}

/* A ring of lists, and a function that goes round. */
void add_ring(struct generator *g, struct items *items)
{
    const char *ring = lib_arena_printf(g->arena, "w%u", g->fresh++);
    const char *walk = lib_arena_printf(g->arena, "g%u", g->fresh++);
    const unsigned length = 1 + draw(g, 4);
    const struct datatype *d = g->datatypes[0];
    if (strcmp(d->name, "List") != 0 || d->is_listed)
        return;
    g->budget = 20;
    g->times = length;
    const size_t mark = g->scope.count;
    enter_scope(g, "i", scalar_type(INT));
    lib_text_printf(g->out, "%s = [Cons(", ring);
    expression(g, whole(scalar_type(INT), 1000), 4);
    lib_text_printf(g->out, ", %s[(i + %u) %% %u]) | i <- 0 .. %u]", ring,
                    1 + draw(g, length), length, length - 1);
    g->scope.count = mark;
    g->times = 1;
    add_item(items, taken(g));
    lib_text_printf(g->out,
                    "%s(k, t) = if k < 1 then 0 else case t of Nil -> 1 | Cons(x, y) -> "
                    "x + %s(k - 1, y)",
                    walk, walk);
    add_item(items, taken(g));
    const char *name = draw_name(g, 0);
    lib_text_printf(g->out, "%s = %s(%u, %s[%u])", name, walk, draw(g, 8), ring,
                    draw(g, length));
    enter_scope(g, name, scalar_type(INT));
    add_item(items, taken(g));
}
