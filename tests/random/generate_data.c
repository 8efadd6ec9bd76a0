/* Types of data of random programs, and expressions that make data. The height of a type bounds its
 * values: a constructor that contains its own type takes fields that are one less high. */
#include "tests/random/generate_internal.h"

/* Max nodes of a value, so that what follows two of them ends soon. */
enum { NODES_MAX = 16 };

/* --- types ------------------------------------------------------------------------------ */

static const struct type *data_type(struct generator *g, const struct datatype *d,
                                    int height, const struct type *const *arguments)
{
    struct type *type = LIB_ARENA_NEW(g->arena, struct type);
    *type = (struct type){.kind = DATA, .count = d->params, .data = d, .height = height};
    for (unsigned i = 0; i < d->params; i++)
        type->parts[i] = arguments[i];
    return type;
}

const struct type *draw_data_type(struct generator *g, unsigned depth)
{
    const struct datatype *d = g->datatypes[draw(g, g->datatype_count)];
    const struct type *arguments[PARTS_MAX] = {0};
    for (unsigned i = 0; i < d->params; i++)
        arguments[i] = draw_type(g, depth);
    return data_type(g, d, d->height, arguments);
}

/* The type with the parts that `change` makes of its parts. */
static struct type *copied(struct generator *g, const struct type *type)
{
    struct type *copy = LIB_ARENA_NEW(g->arena, struct type);
    *copy = *type;
    return copy;
}

const struct type *deepest(struct generator *g, const struct type *type)
{
    struct type *copy = copied(g, type);
    for (unsigned i = 0; i < type->count; i++)
        copy->parts[i] = deepest(g, type->parts[i]);
    if (type->kind == DATA)
        copy->height = type->data->height;
    return copy;
}

static const struct type *instance(struct generator *g, const struct type *data,
                                   const struct type *type)
{
    if (type->kind == VARIABLE)
        return data->parts[type->index];
    struct type *copy = copied(g, type);
    for (unsigned i = 0; i < type->count; i++)
        copy->parts[i] = instance(g, data, type->parts[i]);
    if (type->kind == DATA && type->data->group == data->data->group)
        copy->height = data->height - 1;
    return copy;
}

const struct type *field_type(struct generator *g, const struct type *data,
                              const struct field *field)
{
    return instance(g, data, field->type);
}

bool is_barren(const struct type *type)
{
    const struct type *element = type->parts[0];
    return type->kind == ARRAY && element->kind == DATA && element->height < 0;
}

static bool is_part_comparable(const struct type *type)
{
    bool good = type->kind != ARRAY && (type->kind != DATA || type->data->is_compared);
    for (unsigned i = 0; i < type->count && good; i++)
        good = is_part_comparable(type->parts[i]) &&
               (type->kind != DATA || type->parts[i]->kind != TUPLE);
    return good;
}

bool is_comparable(const struct type *type)
{
    return type->kind != TUPLE && is_part_comparable(type);
}

bool has_recursive_data(const struct type *type)
{
    bool has = type->kind == DATA && type->data->height > 0;
    for (unsigned i = 0; i < type->count && !has; i++)
        has = has_recursive_data(type->parts[i]);
    for (unsigned i = 0; type->kind == DATA && i < type->data->count && !has; i++)
        for (unsigned k = 0; k < type->data->constructors[i].count && !has; k++)
            has = has_recursive_data(type->data->constructors[i].fields[k].type);
    return has;
}

/* --- declarations ----------------------------------------------------------------------- */

static const struct type *variable(struct generator *g, unsigned index)
{
    struct type *type = LIB_ARENA_NEW(g->arena, struct type);
    *type = (struct type){.kind = VARIABLE, .index = index};
    return type;
}

/* The type itself, with its parameters as arguments. */
static const struct type *itself(struct generator *g, const struct datatype *d)
{
    const struct type *arguments[PARTS_MAX];
    for (unsigned i = 0; i < d->params; i++)
        arguments[i] = variable(g, i);
    return data_type(g, d, 0, arguments);
}

static bool is_of_group(const struct type *type, const struct datatype *d)
{
    bool is = type->kind == DATA && type->data->group == d->group;
    for (unsigned i = 0; i < type->count && !is; i++)
        is = is_of_group(type->parts[i], d);
    return is;
}

static void add_field(struct generator *g, struct datatype *d, struct constructor *c,
                      const struct type *type)
{
    struct field *field = &c->fields[c->count++];
    field->type = type;
    if (draw(g, 3) == 0)
        field->name = lib_arena_printf(g->arena, "l%u", g->fresh++);
    if (is_of_group(type, d) && type->kind != ARRAY)
        c->is_recursive = true;
    d->is_compared = d->is_compared && (type->kind == VARIABLE || is_of_group(type, d)
                                            ? type->kind != ARRAY
                                            : is_part_comparable(type));
}

/* Fields of a constructor: those of the parameters, of some type, of its own group. */
static void add_fields(struct generator *g, struct datatype *d, struct constructor *c,
                       const struct datatype *own, bool has_params)
{
    for (unsigned i = 0; i < d->params && has_params; i++)
        add_field(g, d, c, variable(g, i));
    c->determines = has_params;
    for (unsigned more = draw(g, 3); more > 0 && c->count < 2; more--)
        add_field(g, d, c, draw_type(g, 1));
    if (!own)
        return;
    const struct type *type = itself(g, own);
    if (draw(g, 8) == 0 && (g->features & GENERATE_ARRAYS)) {
        struct type *array = LIB_ARENA_NEW(g->arena, struct type);
        *array = (struct type){.kind = ARRAY, .parts = {type}, .count = 1};
        type = array;
    }
    for (unsigned more = 1 + draw(g, 2); more > 0 && c->count < FIELDS_MAX; more--)
        add_field(g, d, c, type);
}

static const char *constructor_name(struct generator *g)
{
    static const char *const usual[] = {"A", "B", "Leaf", "Node", "X'", "Some", "In_1"};
    return lib_arena_printf(g->arena, "%s%u", usual[draw(g, 7)], g->fresh++);
}

/* How high values may be, and how many nodes they have then. */
static void set_height(struct datatype *d, bool is_mutual)
{
    unsigned most = 0;
    for (unsigned i = 0; i < d->count; i++) {
        unsigned own = 0;
        for (unsigned k = 0; k < d->constructors[i].count; k++) {
            const struct type *type = d->constructors[i].fields[k].type;
            own += is_of_group(type, d) ? type->kind == ARRAY ? 4 : 1 : 0;
        }
        most = own > most ? own : most;
    }
    if (is_mutual)
        most = 2;
    unsigned level = 1;
    d->nodes = 1;
    d->height = 0;
    while (most && d->height < 4 && d->nodes + level * most <= NODES_MAX) {
        level *= most;
        d->nodes += level;
        d->height++;
    }
    d->is_record = d->count == 1 && d->constructors[0].count > 0 && most == 0;
}

static void write_type(struct generator *g, const struct type *type)
{
    static const char *const scalars[] = {"int", "real", "bool"};
    switch (type->kind) {
    case INT:
    case REAL:
    case BOOL:
        put(g, scalars[type->kind]);
        return;
    case VARIABLE:
        lib_text_printf(g->out, "%c", 'a' + (int)type->index);
        return;
    case ARRAY:
        put(g, "[");
        write_type(g, type->parts[0]);
        put(g, "]");
        return;
    case DATA:
        put(g, type->data->name);
        break;
    default:
        break;
    }
    for (unsigned i = 0; i < type->count; i++) {
        put(g, i ? ", " : "(");
        write_type(g, type->parts[i]);
    }
    put(g, type->count ? ")" : "");
}

static void write_datatype(struct generator *g, const struct datatype *d)
{
    lib_text_printf(g->out, "data %s", d->name);
    for (unsigned i = 0; i < d->params; i++)
        lib_text_printf(g->out, "%s%c", i ? ", " : "(", 'a' + (int)i);
    put(g, d->params ? ")" : "");
    for (unsigned i = 0; i < d->count; i++) {
        const struct constructor *c = &d->constructors[i];
        lib_text_printf(g->out, " %s %s", i ? "|" : "=", c->name);
        for (unsigned k = 0; k < c->count; k++) {
            put(g, k ? ", " : "(");
            if (c->fields[k].name)
                lib_text_printf(g->out, "%s: ", c->fields[k].name);
            write_type(g, c->fields[k].type);
        }
        put(g, c->count ? ")" : "");
    }
}

static struct datatype *new_datatype(struct generator *g, const char *name,
                                     unsigned params)
{
    struct datatype *d = LIB_ARENA_NEW(g->arena, struct datatype);
    *d = (struct datatype){.name = name,
                           .params = params,
                           .group = g->fresh++,
                           .is_listed = true,
                           .is_compared = true};
    return d;
}

/* The predefined type of lists, or one that hides it. */
static struct datatype *draw_list(struct generator *g)
{
    struct datatype *d = new_datatype(g, "List", 1);
    d->is_listed = draw(g, 4) == 0;
    const unsigned nil = d->is_listed ? draw(g, 2) : 0;
    struct constructor *c = &d->constructors[!nil];
    d->constructors[nil].name = "Nil";
    c->name = "Cons";
    c->determines = c->is_recursive = true;
    c->count = d->count = 2;
    c->fields[0].type = variable(g, 0);
    c->fields[1].type = itself(g, d);
    set_height(d, false);
    return d;
}

/* A type whose first constructor does not contain it, unless in an array. */
static void fill_datatype(struct generator *g, struct datatype *d,
                          const struct datatype *own, bool is_mutual)
{
    const bool is_enumeration = !own && d->params == 0 && draw(g, 3) == 0;
    d->count = own ? 2 + draw(g, 2) : 1 + draw(g, CONSTRUCTORS_MAX);
    d->count += is_enumeration && d->count == 1;
    for (unsigned i = 0; i < d->count; i++) {
        struct constructor *c = &d->constructors[i];
        const bool is_last = i + 1 == d->count;
        c->name = constructor_name(g);
        if (!is_enumeration && (d->count == 1 || i > 0 || draw(g, 2)))
            add_fields(g, d, c, is_last || (i > 0 && draw(g, 3) == 0) ? own : NULL,
                       d->params && (is_last || (own && i > 0) || draw(g, 3) == 0));
        if (d->count == 1 && c->count == 0)
            add_field(g, d, c, scalar_type(INT));
    }
    set_height(d, is_mutual);
}

static void add_datatype(struct generator *g, struct datatype *d, struct items *items)
{
    g->datatypes[g->datatype_count++] = d;
    if (!d->is_listed)
        return;
    write_datatype(g, d);
    add_item(items, taken(g));
}

void draw_datatypes(struct generator *g, struct items *items)
{
    unsigned count = 1 + draw(g, 4);
    if (draw(g, 2))
        add_datatype(g, draw_list(g), items);
    while (count-- > 0 && g->datatype_count + 2 <= DATATYPES_MAX) {
        const char *name = lib_arena_printf(g->arena, "T%u", g->datatype_count);
        struct datatype *d = new_datatype(g, name, draw(g, 3) ? 0 : 1 + draw(g, 2));
        const unsigned shape = draw(g, 8);
        if (shape == 0 && d->params == 0) { /* two that contain each other */
            struct datatype *other = new_datatype(g, "Other", 0);
            other->name = lib_arena_printf(g->arena, "%sOther", name);
            other->group = d->group;
            fill_datatype(g, d, other, true);
            fill_datatype(g, other, d, true);
            d->is_compared = other->is_compared = d->is_compared && other->is_compared;
            add_datatype(g, d, items);
            add_datatype(g, other, items);
        } else {
            fill_datatype(g, d, shape < 5 ? d : NULL, false);
            add_datatype(g, d, items);
        }
    }
}

/* --- making data ------------------------------------------------------------------------ */

/* A constructor that a value of the type may have; `determined`: what is around it says what the
 * arguments of the type are, else the constructor does if one can. */
static const struct constructor *draw_constructor(struct generator *g,
                                                  const struct type *type,
                                                  bool determined, bool small)
{
    const struct datatype *d = type->data;
    const struct constructor *fit[CONSTRUCTORS_MAX], *any[CONSTRUCTORS_MAX];
    unsigned fits = 0, count = 0;
    for (unsigned i = 0; i < d->count; i++) {
        const struct constructor *c = &d->constructors[i];
        if (c->is_recursive && type->height < 1)
            continue;
        any[count++] = c;
        if (determined || d->params == 0 || c->determines)
            fit[fits++] = c;
    }
    if (fits == 0)
        return any[draw(g, count)];
    return fit[small && draw(g, 4) ? 0 : draw(g, fits)];
}

static bool is_own(const struct type *field, const struct type *type)
{
    return field->kind == DATA && field->data->group == type->data->group;
}

void data_literal(struct generator *g, struct want want)
{
    const struct type *type = want.type;
    const struct constructor *c = draw_constructor(g, type, want.determined, true);
    put(g, c->name);
    for (unsigned i = 0; i < c->count; i++) {
        struct want field = whole(field_type(g, type, &c->fields[i]), NAMED_INT);
        field.determined = is_own(c->fields[i].type, type);
        put(g, i ? ", " : "(");
        literal(g, field);
    }
    put(g, c->count ? ")" : "");
}

static void put_constructor(struct generator *g, const struct type *type,
                            const struct constructor *c, unsigned size)
{
    put(g, c->name);
    for (unsigned i = 0; i < c->count; i++) {
        struct want field = whole(field_type(g, type, &c->fields[i]), NAMED_INT);
        const unsigned part = i + 1 < c->count ? split(g, size) : size;
        field.determined = is_own(c->fields[i].type, type);
        put(g, i ? ", " : "(");
        expression(g, field, part);
        size -= part;
    }
    put(g, c->count ? ")" : "");
}

void data_expression(struct generator *g, struct want want, unsigned size)
{
    const struct type *type = want.type;
    const struct datatype *d = type->data;
    const struct constructor *c = draw_constructor(g, type, want.determined, false);
    const struct constructor *other = &d->constructors[draw(g, d->count)];
    const bool either = d->params && !want.determined && !other->determines &&
                        !other->is_recursive;
    bool begun = false;
    size--;
    if (either) { /* one that does not say what the type is, or one that does */
        const unsigned part = split(g, size);
        begun = begin(g, &want, OR, true);
        put(g, "if ");
        expression(g, whole(scalar_type(BOOL), 0), part);
        put(g, " then ");
        put_constructor(g, type, other, 0);
        put(g, " else ");
        size -= part;
    }
    put_constructor(g, type, c, size);
    finish(g, begun);
}
