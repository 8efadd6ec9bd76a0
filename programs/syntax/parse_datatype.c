/* Parses types of data: `data Tree(a) = Leaf | Node(a, left: Tree(a), right: Tree(a))`. */
#include "programs/syntax/parser.h"

#include <string.h>

#define DATA_FORM                                                                        \
    "a type is written `data Tree = Leaf(real) | Node(left: Tree, right: Tree)`"

/* Max number of fields of a constructor, and of constructors of a type. */
enum { FIELDS_MAX = 250, CONSTRUCTORS_MAX = 1000 };

struct field_list {
    struct programs_field *items;
    size_t count, capacity;
};

/* Reads `T` or `name: T`. */
static struct programs_field parse_field(struct programs_parser *p)
{
    struct programs_field field = {.pos = programs_parser_peek(p)->pos};
    const struct programs_token *t = programs_parser_peek(p);
    if (t->kind == PROGRAMS_TOKEN_NAME && programs_parser_is_sign(p, t + 1, ':')) {
        field.name = programs_parser_take(p)->text;
        programs_parse_colon(p);
    }
    field.type = programs_parse_type(p);
    return field;
}

static void parse_fields(struct programs_parser *p, struct programs_constructor *c)
{
    const struct programs_token *open = programs_parser_take(p);
    struct field_list fields = {0};
    if (programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT))
        PROGRAMS_PARSER_FAIL(p, c->pos,
                             "a constructor without fields is written without `()`: `%s`",
                             c->name);
    do
        *LIB_VEC_PUSH(&fields) = parse_field(p);
    while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    programs_cursor_close(&p->cursor, open);
    if (fields.count > FIELDS_MAX)
        programs_cursor_fail(&p->cursor, LIB_DIAG_LIMIT, c->pos,
                             "a constructor has at most %d fields", FIELDS_MAX);
    PROGRAMS_PARSER_KEEP(p, &fields, c->fields, c->field_count);
}

static struct programs_constructor parse_constructor(struct programs_parser *p)
{
    struct programs_constructor c = {.pos = programs_parser_peek(p)->pos};
    const struct programs_token *t = programs_parser_peek(p);
    if (t->kind == PROGRAMS_TOKEN_NAME)
        PROGRAMS_PARSER_FAIL(p, t->pos,
                             "`%s`: the name of a constructor begins with a capital "
                             "letter; " DATA_FORM,
                             t->text);
    else if (t->kind != PROGRAMS_TOKEN_CONSTRUCTOR)
        programs_parser_unexpected(p, "the name of a constructor");
    if (p->cursor.failed)
        return c;
    c.name = programs_parser_take(p)->text;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        parse_fields(p, &c);
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_NAME) ||
             programs_parser_sees(p, PROGRAMS_TOKEN_CONSTRUCTOR))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "the types of fields stand in parentheses: `%s(%s, ...)`",
                             c.name, programs_parser_peek(p)->text);
    return c;
}

/* Points the constructors and fields of a type to what has them. */
static void link_type(struct programs_datatype *d)
{
    for (uint32_t i = 0; i < d->constructor_count; i++) {
        struct programs_constructor *c = &d->constructors[i];
        c->number = i;
        c->datatype = d;
        for (uint32_t k = 0; k < c->field_count; k++) {
            c->fields[k].constructor = c;
            c->fields[k].index = k;
        }
    }
}

static void parse_params(struct programs_parser *p, struct programs_datatype *d)
{
    LIB_VEC(const char *) params = {0};
    const struct programs_token *open = programs_parser_take(p);
    do {
        const struct programs_token *name = programs_parse_name(
            p, "the name of a parameter, such as `a`");
        for (size_t i = 0; i < params.count && !p->cursor.failed; i++)
            if (strcmp(params.items[i], name->text) == 0)
                PROGRAMS_PARSER_FAIL(p, name->pos, "duplicate parameter `%s`",
                                     name->text);
        if (!p->cursor.failed)
            *LIB_VEC_PUSH(&params) = name->text;
    } while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    programs_parse_close_names(p, open);
    PROGRAMS_PARSER_KEEP(p, &params, d->params, d->param_count);
}

void programs_parse_datatype(struct programs_parser *p)
{
    struct programs_datatype *d = LIB_ARENA_NEW(p->arena, struct programs_datatype);
    LIB_VEC(struct programs_constructor) constructors = {0};
    programs_parser_take(p);
    const struct programs_token *name = programs_parser_peek(p);
    d->arena = p->arena;
    d->pos = name->pos;
    if (name->kind == PROGRAMS_TOKEN_DEFINE)
        PROGRAMS_PARSER_FAIL(p, name[-1].pos,
                             "`data` is a reserved word and cannot be a name");
    else if (name->kind == PROGRAMS_TOKEN_NAME)
        PROGRAMS_PARSER_FAIL(p, name->pos,
                             "`%s`: the name of a type of data begins with a capital "
                             "letter; " DATA_FORM,
                             name->text);
    else if (name->kind != PROGRAMS_TOKEN_CONSTRUCTOR)
        programs_parser_unexpected(p, "the name of a type; " DATA_FORM);
    if (p->cursor.failed)
        return;
    d->name = programs_parser_take(p)->text;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        parse_params(p, d);
    else if (programs_parser_sees(p, PROGRAMS_TOKEN_NAME))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "the parameters of a type stand in parentheses: `%s(%s)`",
                             d->name, programs_parser_peek(p)->text);
    if (!programs_parser_accept(p, PROGRAMS_TOKEN_DEFINE))
        programs_parser_unexpected(p, "`=` and the constructors");
    p->in_datatype = true;
    programs_parser_accept(p, PROGRAMS_TOKEN_BAR);
    do
        *LIB_VEC_PUSH(&constructors) = parse_constructor(p);
    while (!p->cursor.failed && programs_parser_accept(p, PROGRAMS_TOKEN_BAR));
    p->in_datatype = false;
    if (constructors.count > CONSTRUCTORS_MAX)
        programs_cursor_fail(&p->cursor, LIB_DIAG_LIMIT, d->pos,
                             "a type has at most %d constructors", CONSTRUCTORS_MAX);
    PROGRAMS_PARSER_KEEP(p, &constructors, d->constructors, d->constructor_count);
    link_type(d);
    d->index = (uint32_t)p->datatypes.count;
    *LIB_VEC_PUSH(&p->datatypes) = d;
}

/* --- names of constructors ------------------------------------------------------------------ */

static void declare(struct programs_parser *p, const char *name)
{
    if (lib_name_table_find(p->declared, name, strlen(name)) == LIB_NAME_TABLE_NONE)
        lib_name_table_add(p->declared, name, strlen(name), 0);
}

/* Collects the names before the program is read as a whole: a constructor may be used before its
 * type is declared. */
static void collect_names(struct programs_parser *p)
{
    bool in_data = false;
    p->declared = lib_name_table_new();
    declare(p, "Nil");
    declare(p, "Cons");
    for (const struct programs_token *t = p->cursor.tokens; t->kind != PROGRAMS_TOKEN_EOF;
         t++) {
        in_data = (in_data || t->kind == PROGRAMS_TOKEN_DATA) &&
                  t->kind != PROGRAMS_TOKEN_END && t->kind != PROGRAMS_TOKEN_SEMICOLON;
        if (in_data && t->kind == PROGRAMS_TOKEN_CONSTRUCTOR &&
            (t[-1].kind == PROGRAMS_TOKEN_DEFINE || t[-1].kind == PROGRAMS_TOKEN_BAR))
            declare(p, t->text);
    }
}

bool programs_parse_is_declared(struct programs_parser *p, const char *name)
{
    if (!p->declared)
        collect_names(p);
    return lib_name_table_find(p->declared, name, strlen(name)) != LIB_NAME_TABLE_NONE;
}

/* --- the predefined type ------------------------------------------------------------------ */

static bool hides_list(const struct programs_datatype *d)
{
    bool hides = strcmp(d->name, "List") == 0;
    for (uint32_t i = 0; i < d->constructor_count && !hides; i++)
        hides = d->constructors[i].name && (strcmp(d->constructors[i].name, "Nil") == 0 ||
                                            strcmp(d->constructors[i].name, "Cons") == 0);
    return hides;
}

/* Whether the program has a word that may be of the type List. */
static bool mentions_list(const struct programs_parser *p)
{
    for (const struct programs_token *t = p->cursor.tokens; t->kind != PROGRAMS_TOKEN_EOF;
         t++)
        if (t->kind == PROGRAMS_TOKEN_CONSTRUCTOR &&
            (strcmp(t->text, "List") == 0 || strcmp(t->text, "Nil") == 0 ||
             strcmp(t->text, "Cons") == 0))
            return true;
    return false;
}

static struct programs_annotation *new_annotation(struct programs_parser *p,
                                                  enum programs_annotation_kind kind,
                                                  const char *text)
{
    struct programs_annotation *a = LIB_ARENA_NEW(p->arena, struct programs_annotation);
    a->kind = kind;
    a->text = text;
    return a;
}

void programs_parse_predefined(struct programs_parser *p)
{
    bool hidden = !mentions_list(p);
    for (size_t i = 0; i < p->datatypes.count && !hidden; i++)
        hidden = hides_list(p->datatypes.items[i]);
    if (hidden)
        return;
    struct programs_datatype *d = LIB_ARENA_NEW(p->arena, struct programs_datatype);
    d->arena = p->arena;
    d->name = "List";
    d->is_predefined = true;
    d->params = LIB_ARENA_NEW(p->arena, const char *);
    d->params[0] = "a";
    d->param_count = 1;
    d->constructors = LIB_ARENA_ARRAY(p->arena, struct programs_constructor, 2);
    d->constructor_count = 2;
    d->constructors[0].name = "Nil";
    d->constructors[1].name = "Cons";
    struct programs_field *fields = LIB_ARENA_ARRAY(p->arena, struct programs_field, 2);
    fields[0].type = new_annotation(p, PROGRAMS_ANNOTATION_VARIABLE, "a");
    fields[1].type = new_annotation(p, PROGRAMS_ANNOTATION_DATA, "List");
    fields[1].type->parts = LIB_ARENA_NEW(p->arena, struct programs_annotation *);
    fields[1].type->parts[0] = fields[0].type;
    fields[1].type->part_count = 1;
    d->constructors[1].fields = fields;
    d->constructors[1].field_count = 2;
    link_type(d);
    d->index = (uint32_t)p->datatypes.count;
    *LIB_VEC_PUSH(&p->datatypes) = d;
}
