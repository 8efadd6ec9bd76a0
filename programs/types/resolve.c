#include "programs/types/given.h"
#include "programs/types/resolve.h"

#include "lib/memory.h"
#include "lib/name_table.h"
#include "programs/syntax/syntax_hints.h"
#include "programs/types/datatype.h"
#include "programs/types/depend.h"
#include "programs/types/on_class.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    const char *name;
    struct programs_binding *local; /* innermost parameter or let name, or NULL */
    uint32_t scope;                 /* scope of `local` */
    struct programs_binding *global;
    struct programs_function *function;
    struct lib_pos first; /* definition at top level; line 0: none */
    int builtin;          /* a built-in function; -1: none */
    const struct programs_constructor *constructor;
    bool can_hide; /* a definition of the program hides the built-in */
    bool reported; /* reported as unknown, which once is enough */
};

/* A local meaning that another one hides until the end of a scope. */
struct hidden {
    uint32_t symbol;
    uint32_t scope;
    struct programs_binding *binding;
};

/* A comprehension whose elements are being bound, with the name that a `let` gives it. */
struct own {
    const struct programs_binding *name;
    struct programs_expr *comprehension;
    const struct own *outer;
};

struct names {
    struct programs_ast *ast;
    struct lib_diags *diags;
    struct programs_depend *depend;
    LIB_VEC(struct symbol) symbols; /* in the order of their first appearance */
    struct lib_name_table *known;   /* numbers of `symbols`, by name */
    LIB_VEC(struct hidden) hidden;
    uint32_t scope, scopes;
    const struct own *own; /* the innermost */
};

static const struct {
    const char *text;
    size_t least, most; /* numbers of arguments */
} builtins[PROGRAMS_BUILTIN_COUNT] = {
#define BUILTIN(NAME, text, arity, ...) {text, arity, arity},
#include "programs/syntax/builtins.def"
#undef BUILTIN
#define TENSOR_BUILTIN(NAME, text, least, most, ...) {text, least, most},
#include "programs/syntax/tensors.def"
#undef TENSOR_BUILTIN
};

/* --- symbols ------------------------------------------------------------------------ */

/* Returns the symbol of a name; it moves when another one is made. */
static struct symbol *find_symbol(struct names *n, const char *name)
{
    const uint32_t at = lib_name_table_find(n->known, name, strlen(name));
    if (at != LIB_NAME_TABLE_NONE)
        return &n->symbols.items[at];
    lib_name_table_add(n->known, name, strlen(name), (uint32_t)n->symbols.count);
    struct symbol *s = LIB_VEC_PUSH(&n->symbols);
    *s = (struct symbol){.name = name, .builtin = -1};
    return s;
}

static bool is_nameless(const char *name)
{
    return strcmp(name, "_") == 0;
}

static void report_error(struct names *n, struct lib_pos pos, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void report_error(struct names *n, struct lib_pos pos, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(n->diags, LIB_DIAG_NAME, n->ast->source, pos, format, ap);
    va_end(ap);
}

/* --- definitions -------------------------------------------------------------------- */

static void report_twice(struct names *n, const char *name, struct lib_pos first,
                         struct lib_pos pos, const char *advice)
{
    char place[40];
    if (first.line == pos.line)
        snprintf(place, sizeof place, "in column %u of this line", first.column);
    else
        snprintf(place, sizeof place, "at line %u", first.line);
    report_error(n, pos, "`%s` is defined twice; first %s%s", name, place, advice);
}

/* Returns NULL after an error. */
static struct symbol *define_global(struct names *n, const char *name, struct lib_pos pos)
{
    if (is_nameless(name))
        return NULL;
    struct symbol *s = find_symbol(n, name);
    if (s->can_hide)
        s->builtin = -1;
    if (s->builtin >= 0) {
        report_error(n, pos, "`%s` is built in and cannot be defined", name);
        return NULL;
    }
    if (s->first.line) {
        report_twice(n, name, s->first, pos,
                     s->function ? "; a function has one equation, which chooses with "
                                   "`if ... then ... else ...`"
                                 : "; names do not change: a new value has a name of its "
                                   "own, or goes round in a `loop`");
        return NULL;
    }
    s->first = pos;
    return s;
}

static void define_value(struct names *n, struct programs_binding *binding)
{
    struct symbol *s = define_global(n, binding->name, binding->pos);
    if (s)
        s->global = binding;
}

/* Defines in source order, so that the second definition is reported. */
static void define_constructors(struct names *n)
{
    for (size_t i = 0; i < n->ast->datatype_count; i++) {
        const struct programs_datatype *d = n->ast->datatypes[i];
        for (uint32_t k = 0; k < d->constructor_count; k++)
            find_symbol(n, d->constructors[k].name)->constructor = &d->constructors[k];
    }
}

static void define_top(struct names *n)
{
    struct programs_walk walk = {0};
    struct programs_item item;
    for (int i = 0; i < PROGRAMS_BUILTIN_COUNT; i++) {
        struct symbol *s = find_symbol(n, builtins[i].text);
        s->builtin = i;
        s->can_hide = i > PROGRAMS_BUILTIN_SUM;
    }
    define_constructors(n);
    while (programs_ast_next(n->ast, &walk, &item)) {
        if (item.function) {
            struct programs_function *f = item.function;
            struct symbol *s = define_global(n, f->name, f->pos);
            if (s)
                s->function = f;
        } else if (item.input) {
            define_value(n, item.input->binding);
        } else {
            for (size_t i = 0; i < item.constant->name_count; i++)
                define_value(n, item.constant->names[i]);
        }
    }
}

/* Returns what the end of the scope restores. */
static size_t open_scope(struct names *n, uint32_t *outer)
{
    *outer = n->scope;
    n->scope = ++n->scopes;
    return n->hidden.count;
}

static void close_scope(struct names *n, size_t mark, uint32_t outer)
{
    while (n->hidden.count > mark) {
        struct hidden h = n->hidden.items[--n->hidden.count];
        n->symbols.items[h.symbol].local = h.binding;
        n->symbols.items[h.symbol].scope = h.scope;
    }
    n->scope = outer;
}

static void define_local(struct names *n, struct programs_binding *binding)
{
    if (is_nameless(binding->name))
        return;
    struct symbol *s = find_symbol(n, binding->name);
    if (s->local && s->scope == n->scope) {
        report_twice(n, binding->name, s->local->pos, binding->pos, "");
        return;
    }
    uint32_t number = (uint32_t)(s - n->symbols.items);
    *LIB_VEC_PUSH(&n->hidden) = (struct hidden){number, s->scope, s->local};
    s->local = binding;
    s->scope = n->scope;
}

/* --- uses --------------------------------------------------------------------------- */

/* Returns the names of the program first: of equally near names the first is suggested. */
static const char *known_name(size_t i, const void *context)
{
    const struct names *n = context;
    const size_t at = (i + PROGRAMS_BUILTIN_COUNT) % n->symbols.count;
    const struct symbol *s = &n->symbols.items[at];
    bool known = s->local || s->global || s->function || s->builtin >= 0;
    return known ? s->name : ""; /* the empty name is near to none */
}

static const char *global_name(size_t i, const void *context)
{
    const struct names *n = context;
    const struct symbol *s = &n->symbols.items[i];
    return s->global ? s->name : "";
}

/* Reports an unknown name once, at its first use. */
static void report_unknown(struct names *n, struct symbol *s, struct lib_pos pos)
{
    if (s->reported)
        return;
    s->reported = true;
    const char *near = NULL;
    if (n->diags->errors < LIB_DIAG_MAX) /* else the message is not printed */
        near = lib_text_nearest(s->name, n->symbols.count, known_name, n);
    if (is_nameless(s->name))
        report_error(n, pos, "`_` names nothing and cannot be read");
    else if (programs_syntax_hints_word(s->name))
        report_error(n, pos, "unknown name `%s`; %s", s->name,
                     programs_syntax_hints_word(s->name));
    else if (near)
        report_error(n, pos, "unknown name `%s`; did you mean `%s`?", s->name, near);
    else
        report_error(n, pos, "unknown name `%s`", s->name);
}

static void bind_name(struct names *n, struct programs_expr *e, uint32_t owner)
{
    struct symbol *s = find_symbol(n, e->name.text);
    if (!e->name.binding) /* else it is a parameter that is taken apart */
        e->name.binding = s->local ? s->local : s->global;
    for (const struct own *own = n->own; own; own = own->outer)
        own->comprehension->reads_itself |= own->name == e->name.binding;
    if (e->name.binding)
        programs_depend_on_binding(n->depend, owner, e->name.binding);
    else if (s->function || s->builtin >= 0)
        report_error(n, e->pos,
                     "`%s` is a function, not a value; a call is written `%s(...)`, and "
                     "functions cannot be passed on",
                     s->name, s->name);
    else
        report_unknown(n, s, e->pos);
}

static const char *describe(const struct programs_binding *binding)
{
    switch (binding->kind) {
    case PROGRAMS_BIND_PARAM:
        return "a parameter";
    case PROGRAMS_BIND_LET:
        return "a value named by a `let`";
    case PROGRAMS_BIND_INPUT:
        return "an input";
    case PROGRAMS_BIND_LOOP:
        return "a variable of a loop";
    case PROGRAMS_BIND_INDEX:
        return "an index";
    case PROGRAMS_BIND_ELEMENT:
        return "an element of an array";
    case PROGRAMS_BIND_PATTERN:
        return "a value named by a `case`";
    default:
        return "a constant";
    }
}

/* Returns NULL after an error. */
static struct programs_function *find_differentiated(struct names *n,
                                                     const struct programs_expr *e)
{
    const struct programs_expr *first = e->operands[0];
    if (first->kind != PROGRAMS_EXPR_NAME) {
        report_error(
            n, first->start,
            "the first argument of `grad` is the name of a function, as in `grad(f, x)`");
        return NULL;
    }
    struct symbol *s = find_symbol(n, first->name.text);
    const struct programs_binding *value = s->local ? s->local : s->global;
    if (value)
        report_error(n, first->start,
                     "`%s` is %s; the first argument of `grad` is a function", s->name,
                     describe(value));
    else if (!s->function && s->builtin >= 0)
        report_error(n, first->start,
                     "`%s` is built in; `grad` takes a function that the program defines",
                     s->name);
    else if (!s->function)
        report_unknown(n, s, first->start);
    return value ? NULL : s->function;
}

/* Returns NULL after an error. */
static struct programs_binding *find_wanted(struct names *n,
                                            const struct programs_expr *e)
{
    if (e->kind != PROGRAMS_EXPR_NAME) {
        report_error(n, e->start, "expected names of params after the `;` of `grad`");
        return NULL;
    }
    struct symbol *s = find_symbol(n, e->name.text);
    struct programs_binding *value = s->local ? s->local : s->global;
    if (value && value->kind == PROGRAMS_BIND_CONST && value->equation->param)
        return value;
    if (value)
        report_error(n, e->start, "`%s` is %s; expected params after the `;` of `grad`",
                     s->name, describe(value));
    else if (s->function || s->builtin >= 0)
        report_error(n, e->start,
                     "`%s` is a function; expected params after the `;` of `grad`",
                     s->name);
    else
        report_unknown(n, s, e->start);
    return NULL;
}

static void bind_gradient(struct names *n, struct programs_expr *e, uint32_t owner)
{
    const size_t all = e->operand_count, own = e->call->own ? e->call->own : all;
    struct programs_gradient *g = LIB_ARENA_NEW(n->ast->arena, struct programs_gradient);
    g->function = find_differentiated(n, e);
    g->params = LIB_ARENA_ARRAY(n->ast->arena, struct programs_binding *, all - own);
    for (size_t i = own; i < all; i++) {
        struct programs_binding *param = find_wanted(n, e->operands[i]);
        if (param)
            programs_depend_on_binding(n->depend, owner, param);
        for (size_t k = 0; param && k < g->param_count; k++)
            if (g->params[k] == param)
                report_error(n, e->operands[i]->start, "duplicate param `%s`",
                             param->name);
        g->params[g->param_count++] = param;
    }
    if (g->function && g->function->param_count + 1 != own)
        report_error(n, e->pos, "`%s` takes %zu argument%s, and `grad` found %zu",
                     g->function->name, g->function->param_count,
                     g->function->param_count == 1 ? "" : "s", own - 1);
    if (g->function)
        programs_depend_on_function(n->depend, owner, g->function);
    n->ast->has_gradients = true;
    g->gives_rows = e->call->gives_rows;
    e->kind = PROGRAMS_EXPR_GRAD;
    e->operands++;
    e->operand_count = own - 1;
    e->gradient = g;
}

/* Whether `grad` is the built-in here: any definition of the name hides it. */
static bool is_gradient(struct names *n, const struct programs_expr *e)
{
    if (strcmp(e->call->text, "grad") != 0)
        return false;
    const struct symbol *s = find_symbol(n, e->call->text);
    return !s->local && !s->global && !s->function;
}

static void bind_element(struct names *n, struct programs_expr *e)
{
    static const char *const words[] = {"int", "real", "bool"};
    if (e->operand_count != 2 || (e->call->builtin != PROGRAMS_BUILTIN_TENSOR &&
                                  e->call->builtin != PROGRAMS_BUILTIN_ZEROS &&
                                  e->call->builtin != PROGRAMS_BUILTIN_ONES))
        return;
    const struct programs_expr *word = e->operands[--e->operand_count];
    for (size_t i = 0; word->kind == PROGRAMS_EXPR_NAME && i < 3; i++)
        if (strcmp(word->name.text, words[i]) == 0)
            e->call->element = words[i];
    if (!e->call->element)
        report_error(
            n, word->start,
            "argument 2 of `%s` is what the elements are: `int`, `bool` or `real`",
            e->call->text);
}

static void bind_call(struct names *n, struct programs_expr *e, uint32_t owner)
{
    struct symbol *s = find_symbol(n, e->call->text);
    const struct programs_binding *value = s->local ? s->local : s->global;
    size_t least, most;
    if (value) {
        report_error(
            n, e->pos, "`%s` is %s, not a function%s", s->name, describe(value),
            value->kind == PROGRAMS_BIND_PARAM
                ? "; functions cannot be passed: call one by the name of its equation"
                : "");
        return;
    }
    if (e->call->own) {
        report_error(n, e->pos,
                     "`%s` is a function of the program: only the built-in one takes `;`",
                     s->name);
        return;
    }
    if (s->function) {
        e->call->function = s->function;
        least = most = s->function->param_count;
        programs_depend_on_function(n->depend, owner, s->function);
    } else if (s->builtin >= 0) {
        e->call->builtin = (enum programs_builtin)s->builtin;
        least = builtins[s->builtin].least;
        most = builtins[s->builtin].most;
        n->ast->has_tensors |= s->builtin >= PROGRAMS_BUILTIN_PLAIN;
        if (e->operand_count <= most)
            bind_element(n, e);
    } else {
        report_unknown(n, s, e->pos);
        return;
    }
    if (least == most && most != e->operand_count)
        report_error(n, e->pos, "`%s` takes %zu argument%s, found %u", s->name, most,
                     most == 1 ? "" : "s", e->operand_count);
    else if (e->operand_count < least || e->operand_count > most)
        report_error(n, e->pos, "`%s` takes %zu to %zu arguments, found %u", s->name,
                     least, most, e->operand_count);
}

/* Binds the names in an expression, on which node `owner` depends. */
static void bind_expr(struct names *n, struct programs_expr *e, uint32_t owner);

static bool is_port_in(const struct programs_expr *e)
{
    const struct programs_binding *b = e->kind == PROGRAMS_EXPR_NAME ? e->name.binding
                                                                     : NULL;
    return b && b->kind == PROGRAMS_BIND_CONST && b->equation->port &&
           b->equation->port->is_input;
}

/* Binds the names in a comprehension: node `ends` depends on those in its range, node `elements`
 * on those in its elements. `own` is the name that a `let` gives it, which its elements see; or
 * NULL. */
static void bind_elements(struct names *n, struct programs_expr *e, uint32_t ends,
                          uint32_t elements, struct programs_binding *own)
{
    uint32_t outer;
    for (size_t i = 1; i < e->operand_count; i++)
        bind_expr(n, e->operands[i], ends);
    e->follows = programs_is_over_array(e) && is_port_in(e->operands[1]);
    const struct own inner = {own, e, n->own};
    if (own) {
        define_local(n, own);
        n->own = &inner;
    }
    size_t mark = open_scope(n, &outer);
    if (e->element)
        define_local(n, e->element);
    if (e->index)
        define_local(n, e->index);
    bind_expr(n, e->operands[0], elements);
    close_scope(n, mark, outer);
    n->own = inner.outer;
}

/* Binds the names in the last operand of a SCATTER or ACCUMULATE. */
static void bind_accumulation(struct names *n, const struct programs_expr *e,
                              uint32_t owner)
{
    struct programs_expr *comprehension = e->operands[e->operand_count - 1];
    if (comprehension->kind == PROGRAMS_EXPR_COMPREHENSION && comprehension->has_arrow)
        bind_elements(n, comprehension, owner, owner, NULL);
    else
        report_error(n, comprehension->start,
                     "the last argument of `accumulate` is `[k -> E | ...]`");
}

/* Binds the names in a comprehension that is not scattered. */
static void bind_comprehension(struct names *n, struct programs_expr *e, uint32_t ends,
                               uint32_t elements, struct programs_binding *own)
{
    if (e->has_arrow)
        report_error(n, e->operands[0]->pos,
                     "`->` is in `case`, in `scatter(n, [k -> E | ...])`, whose "
                     "arguments are a length and this alone, and in `accumulate`");
    bind_elements(n, e, ends, elements, own);
}

/* --- data --------------------------------------------------------------------------- */

static const char *constructor_name(size_t i, const void *context)
{
    const struct names *n = context;
    const struct symbol *s = &n->symbols.items[i];
    return s->constructor ? s->name : "";
}

/* Returns NULL after an error. */
static const struct programs_constructor *
find_constructor(struct names *n, const char *name, size_t found, struct lib_pos pos)
{
    struct symbol *s = find_symbol(n, name);
    const struct programs_constructor *c = s->constructor;
    const char *small = programs_syntax_hints_small(n->ast->arena, name);
    if (c && c->field_count == found)
        return c;
    if (c && found == 0) {
        report_error(n, pos, "`%s` has %u field%s, found none: `%s(...)`", name,
                     c->field_count, c->field_count == 1 ? "" : "s", name);
        return NULL;
    }
    if (c) {
        report_error(n, pos, "`%s` has %u field%s, found %zu", name, c->field_count,
                     c->field_count == 1 ? "" : "s", found);
        return NULL;
    }
    if (s->reported)
        return NULL;
    s->reported = true;
    for (size_t i = 0; i < n->ast->datatype_count; i++) {
        const struct programs_datatype *d = n->ast->datatypes[i];
        if (strcmp(d->name, name) != 0)
            continue;
        report_error(n, pos,
                     "`%s` is a type; its values are made by constructors, such as `%s`",
                     name, d->constructors[0].name);
        return NULL;
    }
    const struct symbol *meant = find_symbol(n, small);
    const char *near = lib_text_nearest(name, n->symbols.count, constructor_name, n);
    if (meant->local || meant->global || meant->function || meant->builtin >= 0 ||
        programs_syntax_hints_has(small))
        report_error(n, pos,
                     "`%s`: a name begins with a small letter; did you mean `%s`?", name,
                     small);
    else if (near && *near)
        report_error(n, pos, "unknown constructor `%s`; did you mean `%s`?", name, near);
    else
        report_error(
            n, pos,
            "unknown constructor `%s`; a type is declared by `data T = %s(real) | "
            "...`",
            name, name);
    return NULL;
}

static void bind_pattern(struct names *n, struct programs_pattern *pattern, bool in_case)
{
    if (pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR) {
        const struct programs_constructor *c = find_constructor(
            n, pattern->text, pattern->part_count, pattern->pos);
        if (c && !in_case && c->datatype->is_boxed)
            report_error(n, pattern->pos,
                         "a value of `%s` may be of another constructor, or contain its "
                         "own type: take it apart by `case ... of %s(...) -> ...`",
                         c->datatype->name, c->name);
        pattern->constructor = c;
    }
    for (size_t i = 0; i < pattern->part_count; i++)
        bind_pattern(n, pattern->parts[i], in_case);
}

static void bind_case(struct names *n, struct programs_expr *e, uint32_t owner)
{
    bind_expr(n, e->operands[0], owner);
    for (size_t i = 0; i < e->match->arm_count; i++) {
        struct programs_arm *arm = &e->match->arms[i];
        uint32_t outer;
        size_t mark = open_scope(n, &outer);
        bind_pattern(n, arm->pattern, true);
        for (size_t k = 0; k < arm->name_count; k++)
            define_local(n, arm->names[k]);
        if (arm->guard)
            bind_expr(n, arm->guard, owner);
        bind_expr(n, arm->body, owner);
        close_scope(n, mark, outer);
    }
}

/* Returns the field of a name, or NULL. */
static const struct programs_field *find_field(const struct programs_ast *ast,
                                               const char *name)
{
    for (size_t i = 0; i < ast->datatype_count; i++)
        for (uint32_t c = 0; c < ast->datatypes[i]->constructor_count; c++) {
            const struct programs_constructor *k = &ast->datatypes[i]->constructors[c];
            for (uint32_t f = 0; f < k->field_count; f++)
                if (k->fields[f].name && strcmp(k->fields[f].name, name) == 0)
                    return &k->fields[f];
        }
    return NULL;
}

static size_t count_fields(const struct programs_ast *ast)
{
    size_t count = 0;
    for (size_t i = 0; i < ast->datatype_count; i++)
        for (uint32_t c = 0; c < ast->datatypes[i]->constructor_count; c++)
            count += ast->datatypes[i]->constructors[c].field_count;
    return count;
}

/* Returns the name of a field, numbered through all types; "" if it has none. */
static const char *field_name(size_t number, const void *context)
{
    const struct programs_ast *ast = context;
    for (size_t i = 0; i < ast->datatype_count; i++)
        for (uint32_t c = 0; c < ast->datatypes[i]->constructor_count; c++) {
            const struct programs_constructor *k = &ast->datatypes[i]->constructors[c];
            if (number < k->field_count)
                return k->fields[number].name ? k->fields[number].name : "";
            number -= k->field_count;
        }
    return "";
}

static void bind_field(struct names *n, struct programs_expr *e)
{
    const char *name = e->selection->text;
    e->selection->field = find_field(n->ast, name);
    if (e->selection->field)
        return;
    const struct symbol *s = find_symbol(n, name);
    if (s->function || s->builtin >= 0 || programs_syntax_hints_word(name))
        report_error(
            n, e->pos,
            "no type has a field `%s`; an argument stands in parentheses: `%s(a)`", name,
            name);
    else {
        const char *near = lib_text_nearest(name, count_fields(n->ast), field_name,
                                            n->ast);
        report_error(n, e->pos, "no type has a field `%s`%s%s%s", name,
                     near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    }
}

static void define_all(struct names *n, const struct programs_equation *q)
{
    for (size_t k = 0; k < q->name_count; k++)
        define_local(n, q->names[k]);
}

static void bind_let(struct names *n, struct programs_expr *e, uint32_t owner)
{
    uint32_t outer;
    size_t mark = open_scope(n, &outer);
    for (size_t i = 0; i < e->let->count; i++) {
        struct programs_equation *q = e->let->equations[i];
        struct programs_expr *comprehension = programs_equation_comprehension(q);
        uint32_t node = programs_depend_equation(n->depend, q);
        if (comprehension) {
            bind_comprehension(n, comprehension, node, node, q->names[0]);
            continue;
        }
        bind_expr(n, q->value, node);
        if (q->pattern)
            bind_pattern(n, q->pattern, false);
        define_all(n, q);
    }
    bind_expr(n, e->let->body, owner);
    close_scope(n, mark, outer);
}

/* Binds the names in a loop: variables depend on their initial and next values, `owner` on the
 * condition and the operand of `return`, or on all variables. If one tuple has all next values,
 * the first variable depends on it, and the others on the first. */
static void bind_loop(struct names *n, struct programs_expr *e, uint32_t owner)
{
    const struct programs_loop *loop = e->loop;
    uint32_t outer;
    for (size_t k = 0; k < loop->count; k++)
        bind_expr(n, programs_loop_initial(e, k),
                  programs_depend_variable(n->depend, loop->names[k]));
    size_t mark = open_scope(n, &outer);
    for (size_t k = 0; k < loop->count; k++)
        define_local(n, loop->names[k]);
    bind_expr(n, programs_loop_condition(e), owner);
    for (size_t k = 0; k < programs_loop_next_count(e); k++)
        bind_expr(n, programs_loop_next(e, k),
                  programs_depend_variable(n->depend, loop->names[k]));
    for (size_t k = 1; k < loop->count && loop->takes_tuple; k++)
        programs_depend_on_binding(n->depend,
                                   programs_depend_variable(n->depend, loop->names[k]),
                                   loop->names[0]);
    if (loop->returns)
        bind_expr(n, programs_loop_result(e), owner);
    for (size_t k = 0; k < loop->count && !loop->returns; k++)
        programs_depend_on_binding(n->depend, owner, loop->names[k]);
    close_scope(n, mark, outer);
}

static void bind_end(struct names *n, struct programs_expr *e, uint32_t owner)
{
    switch (e->kind) {
    case PROGRAMS_EXPR_NAME:
        bind_name(n, e, owner);
        break;
    case PROGRAMS_EXPR_LET:
        bind_let(n, e, owner);
        break;
    case PROGRAMS_EXPR_LOOP:
        bind_loop(n, e, owner);
        break;
    case PROGRAMS_EXPR_COMPREHENSION:
        bind_comprehension(n, e, owner, owner, NULL);
        break;
    case PROGRAMS_EXPR_SCATTER:
    case PROGRAMS_EXPR_ACCUMULATE:
        for (size_t i = 0; i + 1 < e->operand_count; i++)
            bind_expr(n, e->operands[i], owner);
        bind_accumulation(n, e, owner);
        break;
    case PROGRAMS_EXPR_CASE:
        bind_case(n, e, owner);
        break;
    case PROGRAMS_EXPR_CONSTRUCT:
        e->construct->constructor = find_constructor(n, e->construct->text,
                                                     e->operand_count, e->pos);
        for (size_t i = 0; i < e->operand_count; i++)
            bind_expr(n, e->operands[i], owner);
        break;
    case PROGRAMS_EXPR_FIELD:
        bind_expr(n, e->operands[0], owner);
        bind_field(n, e);
        break;
    case PROGRAMS_EXPR_CALL:
        if (is_gradient(n, e))
            bind_gradient(n, e, owner);
        else
            bind_call(n, e, owner);
        /* fall through */
    default:
        for (size_t i = 0; i < e->operand_count; i++)
            bind_expr(n, e->operands[i], owner);
    }
}

static void bind_expr(struct names *n, struct programs_expr *e, uint32_t owner)
{
    struct programs_expr *at = e;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at))
        for (size_t i = 0; at->kind == PROGRAMS_EXPR_IF && i < 2; i++)
            bind_expr(n, at->operands[i], owner);
    bind_end(n, at, owner);
    while (at != e) {
        at = at->above;
        if (at->kind != PROGRAMS_EXPR_IF)
            bind_expr(n, at->operands[1], owner);
    }
}

static bool names_tensor(const struct programs_annotation *a)
{
    bool found = a->kind == PROGRAMS_ANNOTATION_TENSOR;
    for (size_t i = 0; i < a->part_count; i++)
        found = found || names_tensor(a->parts[i]);
    return found;
}

static bool has_tensors(const struct programs_port *port)
{
    return port && port->is_input && names_tensor(port->type);
}

static void bind_constant(struct names *n, struct programs_equation *q)
{
    if (q->pattern)
        bind_pattern(n, q->pattern, false);
    struct programs_expr *comprehension = programs_equation_comprehension(q);
    uint32_t node = programs_depend_equation(n->depend, q);
    n->ast->has_tensors |= q->param != NULL || has_tensors(q->port) ||
                           (q->given &&
                            programs_given_settle(n->ast, q->given, n->diags) &&
                            names_tensor(q->given->type));
    if (comprehension)
        bind_comprehension(n, comprehension, programs_depend_ends(n->depend, q), node,
                           NULL);
    else
        bind_expr(n, q->value, node);
}

static void bind_function(struct names *n, struct programs_function *f)
{
    uint32_t outer;
    size_t mark = open_scope(n, &outer);
    for (size_t i = 0; i < f->param_count; i++)
        if (*f->params[i]->name != '(')
            define_local(n, f->params[i]);
    for (size_t i = 0; i < f->pattern_count; i++) {
        struct programs_equation *q = f->body->let->equations[i];
        bind_expr(n, q->value, programs_depend_equation(n->depend, q));
        if (q->pattern)
            bind_pattern(n, q->pattern, false);
        define_all(n, q);
    }
    bind_expr(n, programs_function_value(f), programs_depend_function(n->depend, f));
    close_scope(n, mark, outer);
}

/* --- the program -------------------------------------------------------------------- */

/* Returns the name that was meant for the output: a similar one, or one of other languages. */
static const struct symbol *output_of(const struct names *n)
{
    static const char *const others[] = {"main", "output", "out", "answer", "return"};
    const char *near = lib_text_nearest("result", n->symbols.count, global_name, n);
    for (size_t i = 0; i < n->symbols.count; i++) {
        const struct symbol *s = &n->symbols.items[i];
        bool is_meant = near && strcmp(s->name, near) == 0;
        for (size_t k = 0; !near && k < sizeof others / sizeof *others; k++)
            is_meant = is_meant || strcmp(s->name, others[k]) == 0;
        if (is_meant && s->global)
            return s;
    }
    return NULL;
}

static void report_no_result(struct names *n)
{
    const struct symbol *s = output_of(n);
    if (s)
        report_error(n, s->first,
                     "no equation defines `result`, the output; is `%s` meant?", s->name);
    else
        report_error(
            n, (struct lib_pos){0, 0, 0},
            "no equation defines `result`, the output; one is written `result = ...`");
}

static void find_result(struct names *n)
{
    const struct symbol *s = find_symbol(n, "result");
    if (s->function)
        report_error(n, s->first, "`result` is the output and takes no parameters");
    else if (!s->global)
        report_no_result(n);
    else if (s->global->kind == PROGRAMS_BIND_INPUT)
        report_error(n, s->first, "`result` is the output and cannot be an input");
    else if (s->global->equation->is_tuple)
        report_error(n, s->first,
                     "`result` is the output and must have an equation of its own");
    else if (s->global->equation->port)
        report_error(n, s->first, "`result` is the output and cannot be a port");
    else
        n->ast->result = s->global->equation;
}

bool programs_resolve(struct programs_ast *ast, struct lib_diags *diags)
{
    size_t errors = diags->errors, from = diags->count;
    struct names n = {.ast = ast, .diags = diags, .depend = programs_depend_new(ast)};
    n.known = lib_name_table_new();
    struct programs_walk walk = {0};
    struct programs_item item;
    programs_datatypes(ast, diags);
    define_top(&n);
    while (programs_ast_next(ast, &walk, &item)) {
        if (item.function)
            bind_function(&n, item.function);
        else if (item.constant)
            bind_constant(&n, item.constant);
    }
    find_result(&n);
    programs_depend_order(n.depend, ast, diags);
    if (ast->result)
        programs_depend_mark(n.depend, ast);
    programs_place_top(ast, diags);
    programs_sort_diags(diags, from);
    programs_depend_free(n.depend);
    LIB_VEC_FREE(&n.symbols, &n.hidden);
    lib_name_table_free(n.known);
    return diags->errors == errors;
}
