#include "tests/random/shrink.h"

#include "programs/syntax/parse.h"
#include "programs/syntax/print.h"
#include "programs/types/datatype.h"
#include "programs/types/infer.h"
#include "programs/types/resolve.h"

#include <math.h>
#include <string.h>

/* Counts the edits of a tree, and makes one of them. */
struct editor {
    struct programs_ast *ast;
    struct programs_type *of_int;
    unsigned depth; /* of data that is being made */
    size_t number;  /* of the edit to be made */
    size_t count;   /* edits seen so far */
    bool done;
};

/* Whether this is the edit to be made. */
static bool now(struct editor *ed)
{
    if (ed->count++ != ed->number)
        return false;
    ed->done = true;
    return true;
}

static void remove_at(void *items, size_t count, size_t i, size_t size)
{
    char *at = (char *)items + i * size;
    memmove(at, at + size, (count - i - 1) * size);
}

#define REMOVE(items, count, i)                                                          \
    (remove_at((items), (count), (i), sizeof *(items)), (count)--)

/* --- expressions ---------------------------------------------------------------------- */

static bool is_literal(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_INT || e->kind == PROGRAMS_EXPR_REAL ||
           e->kind == PROGRAMS_EXPR_BOOL;
}

static void new_data(struct editor *ed, struct programs_expr *e, int value);

/* A literal of the type, each of its scalars `value`. */
static struct programs_expr *new_literal(struct editor *ed, struct programs_type *type,
                                         int value)
{
    struct programs_expr *e = LIB_ARENA_NEW(ed->ast->arena, struct programs_expr);
    type = programs_type_find(type);
    e->type = type;
    switch (type->kind) {
    case PROGRAMS_TYPE_REAL:
        e->kind = PROGRAMS_EXPR_REAL;
        e->real = value;
        break;
    case PROGRAMS_TYPE_BOOL:
        e->kind = PROGRAMS_EXPR_BOOL;
        e->boolean = value;
        break;
    case PROGRAMS_TYPE_TUPLE:
        e->kind = PROGRAMS_EXPR_TUPLE;
        e->operand_count = type->part_count;
        e->operands = LIB_ARENA_ARRAY(ed->ast->arena, struct programs_expr *,
                                      type->part_count);
        for (size_t i = 0; i < type->part_count; i++)
            e->operands[i] = new_literal(ed, type->parts[i], value);
        break;
    case PROGRAMS_TYPE_ARRAY: /* of `value` elements */
        e->kind = PROGRAMS_EXPR_ARRAY;
        e->operand_count = (uint32_t)value;
        e->operands = LIB_ARENA_NEW(ed->ast->arena, struct programs_expr *);
        e->operands[0] = new_literal(ed, type->parts[0], value);
        break;
    case PROGRAMS_TYPE_DATA:
        new_data(ed, e, value);
        break;
    default:
        e->kind = PROGRAMS_EXPR_INT;
        e->integer = value;
    }
    return e;
}

/* Makes `e` data of its type, of the first constructor (value 0) or the last; its fields are
 * literals. Data in data in data ... ends with ints, so that the program is invalid. */
static void new_data(struct editor *ed, struct programs_expr *e, int value)
{
    const struct programs_datatype *d = e->type->datatype;
    const struct programs_constructor *c =
        &d->constructors[value ? d->constructor_count - 1 : 0];
    e->kind = PROGRAMS_EXPR_CONSTRUCT;
    e->construct = LIB_ARENA_NEW(ed->ast->arena, struct programs_construct);
    e->construct->text = c->name;
    e->operand_count = c->field_count;
    e->operands = LIB_ARENA_ARRAY(ed->ast->arena, struct programs_expr *, c->field_count);
    for (uint32_t i = 0; i < c->field_count; i++) {
        struct programs_type *type = programs_type_find(
            programs_type_of_field(e->type, &c->fields[i]));
        const bool is_deep = ed->depth > 3;
        ed->depth++;
        e->operands[i] = new_literal(ed, is_deep ? ed->of_int : type, value);
        ed->depth--;
    }
}

/* A copy of an expression that stands elsewhere: it may contain the place it goes to. */
static struct programs_expr *copied(struct editor *ed, const struct programs_expr *e)
{
    struct lib_arena *arena = ed->ast->arena;
    struct programs_expr *copy = LIB_ARENA_NEW(arena, struct programs_expr);
    *copy = *e;
    copy->operands = LIB_ARENA_ARRAY(arena, struct programs_expr *, e->operand_count);
    for (size_t i = 0; i < e->operand_count; i++)
        copy->operands[i] = copied(ed, e->operands[i]);
    if (e->kind == PROGRAMS_EXPR_LOOP) {
        copy->loop = LIB_ARENA_NEW(arena, struct programs_loop);
        *copy->loop = *e->loop;
        copy->loop->names = LIB_ARENA_ARRAY(arena, struct programs_binding *,
                                            e->loop->count);
        memcpy(copy->loop->names, e->loop->names,
               e->loop->count * sizeof *e->loop->names);
    }
    if (e->kind == PROGRAMS_EXPR_CALL) {
        copy->call = LIB_ARENA_NEW(arena, struct programs_call);
        *copy->call = *e->call;
    }
    if (e->kind == PROGRAMS_EXPR_CASE) {
        copy->match = LIB_ARENA_NEW(arena, struct programs_case);
        *copy->match = *e->match;
        copy->match->arms = LIB_ARENA_ARRAY(arena, struct programs_arm,
                                            e->match->arm_count);
        for (size_t i = 0; i < e->match->arm_count; i++) {
            struct programs_arm *arm = &copy->match->arms[i];
            *arm = e->match->arms[i];
            arm->guard = arm->guard ? copied(ed, arm->guard) : NULL;
            arm->body = copied(ed, arm->body);
        }
    }
    if (e->kind != PROGRAMS_EXPR_LET)
        return copy;
    copy->let = LIB_ARENA_NEW(arena, struct programs_let);
    *copy->let = *e->let;
    copy->let->equations = LIB_ARENA_ARRAY(arena, struct programs_equation *,
                                           e->let->count);
    for (size_t i = 0; i < e->let->count; i++) {
        copy->let->equations[i] = LIB_ARENA_NEW(arena, struct programs_equation);
        *copy->let->equations[i] = *e->let->equations[i];
        copy->let->equations[i]->value = copied(ed, e->let->equations[i]->value);
    }
    copy->let->body = copied(ed, e->let->body);
    return copy;
}

static void edit_literal(struct editor *ed, struct programs_expr *e)
{
    if (e->kind == PROGRAMS_EXPR_INT && e->integer != 0) {
        if (now(ed))
            e->integer = 0;
        else if (now(ed))
            e->integer /= 2;
        else if (e->integer >= -8 && e->integer <= 8 && now(ed))
            e->integer -= e->integer > 0 ? 1 : -1;
    } else if (e->kind == PROGRAMS_EXPR_REAL && e->real != 0) {
        if (now(ed))
            e->real = 0;
        else if (e->real != 1 && now(ed))
            e->real = 1;
        else if (fabs(e->real) > 1 && now(ed))
            e->real = trunc(e->real / 2);
    } else if (e->kind == PROGRAMS_EXPR_BOOL && e->boolean && now(ed)) {
        e->boolean = false;
    }
}

/* What an expression may be replaced by: a literal, or a part of itself. */
static void replace(struct editor *ed, struct programs_expr **slot)
{
    struct programs_expr *e = *slot;
    if (is_literal(e)) {
        edit_literal(ed, e);
        return;
    }
    for (int value = 0; value < 2; value++)
        if (now(ed))
            *slot = new_literal(ed, e->type, value);
    for (size_t i = 0; i < e->operand_count; i++)
        if (now(ed))
            *slot = e->operands[i];
    if (e->kind == PROGRAMS_EXPR_LET) {
        if (now(ed))
            *slot = e->let->body;
        for (size_t i = 0; i < e->let->count; i++)
            if (now(ed))
                *slot = e->let->equations[i]->value;
    }
    for (size_t i = 0; e->kind == PROGRAMS_EXPR_CASE && i < e->match->arm_count; i++)
        if (now(ed))
            *slot = e->match->arms[i].body;
    if (e->kind == PROGRAMS_EXPR_CALL && e->call->function && now(ed))
        *slot = copied(ed, e->call->function->body);
    bool equation = e->kind == PROGRAMS_EXPR_NAME &&
                    (e->name.binding->kind == PROGRAMS_BIND_LET ||
                     e->name.binding->kind == PROGRAMS_BIND_CONST);
    if (equation && !e->name.binding->equation->is_tuple && now(ed))
        *slot = copied(ed, e->name.binding->equation->value);
}

static void edit_equation(struct editor *ed, struct programs_equation *q);

/* Makes the tuple after `do` as many expressions. */
static void list_parts(struct editor *ed, struct programs_expr *e)
{
    const size_t count = e->loop->count;
    const struct programs_expr *tuple = programs_loop_next(e, 0);
    struct programs_expr *result = programs_loop_result(e);
    struct programs_expr **operands = LIB_ARENA_ARRAY(
        ed->ast->arena, struct programs_expr *, 2 * count + 2);
    memcpy(operands, e->operands, (count + 1) * sizeof *operands);
    memcpy(operands + count + 1, tuple->operands, count * sizeof *operands);
    operands[2 * count + 1] = result;
    e->operands = operands;
    e->operand_count = (uint32_t)(2 * count + 1 + (result != NULL));
    e->loop->takes_tuple = false;
}

/* Leaves out the pragma, `return` with what is returned, or a variable with all that is
 * its own. Without `return`, the value is another one, but perhaps of the same type. */
static void edit_loop(struct editor *ed, struct programs_expr *e)
{
    struct programs_loop *loop = e->loop;
    if (loop->bound && now(ed)) {
        loop->bound = 0;
    } else if (loop->returns && now(ed)) {
        loop->returns = false;
        e->operand_count--;
    }
    if (loop->takes_tuple) {
        if (programs_loop_next(e, 0)->kind == PROGRAMS_EXPR_TUPLE && !ed->done && now(ed))
            list_parts(ed, e);
        return;
    }
    for (size_t k = 0; loop->count > 1 && k < loop->count && !ed->done; k++)
        if (now(ed)) {
            REMOVE(e->operands, e->operand_count, loop->count + 1 + k);
            REMOVE(e->operands, e->operand_count, k);
            REMOVE(loop->names, loop->count, k);
        }
}

static void edit(struct editor *ed, struct programs_expr **slot);

static void name_nothing(struct editor *ed, struct programs_pattern *pattern)
{
    pattern->kind = PROGRAMS_PATTERN_NAME;
    pattern->binding = LIB_ARENA_NEW(ed->ast->arena, struct programs_binding);
    pattern->binding->name = "_";
    pattern->part_count = 0;
}

/* Makes a pattern, or a part of one, `_`. */
static void edit_pattern(struct editor *ed, struct programs_pattern *pattern)
{
    const bool is_blank = pattern->kind == PROGRAMS_PATTERN_NAME &&
                          strcmp(pattern->binding->name, "_") == 0;
    if (!is_blank && !ed->done && now(ed))
        name_nothing(ed, pattern);
    for (size_t i = 0; i < pattern->part_count && !ed->done; i++)
        edit_pattern(ed, pattern->parts[i]);
}

static void edit_case(struct editor *ed, struct programs_case *match)
{
    for (size_t i = 0; i < match->arm_count && !ed->done; i++)
        if (match->arm_count > 1 && now(ed))
            REMOVE(match->arms, match->arm_count, i);
        else if (match->arms[i].guard && now(ed))
            match->arms[i].guard = NULL;
    for (size_t i = 0; i < match->arm_count && !ed->done; i++) {
        edit_pattern(ed, match->arms[i].pattern);
        if (match->arms[i].guard && !ed->done)
            edit(ed, &match->arms[i].guard);
        edit(ed, &match->arms[i].body);
    }
}

static void edit(struct editor *ed, struct programs_expr **slot)
{
    if (ed->done)
        return;
    replace(ed, slot);
    struct programs_expr *e = *slot;
    if (e->kind == PROGRAMS_EXPR_LOOP && !ed->done)
        edit_loop(ed, e);
    if (e->kind == PROGRAMS_EXPR_CASE && !ed->done)
        edit_case(ed, e->match);
    for (size_t i = 0;
         e->kind == PROGRAMS_EXPR_ARRAY && i < e->operand_count && !ed->done; i++)
        if (now(ed))
            REMOVE(e->operands, e->operand_count, i);
    for (size_t i = 0; i < e->operand_count && !ed->done; i++)
        edit(ed, &e->operands[i]);
    if (e->kind != PROGRAMS_EXPR_LET)
        return;
    for (size_t i = 0; e->let->count > 1 && i < e->let->count && !ed->done; i++)
        if (now(ed))
            REMOVE(e->let->equations, e->let->count, i);
    for (size_t i = 0; i < e->let->count && !ed->done; i++)
        edit_equation(ed, e->let->equations[i]);
    edit(ed, &e->let->body);
}

/* --- equations ------------------------------------------------------------------------ */

/* Name i of a pattern, with its part if the value is a tuple as written. */
static void remove_name(struct programs_equation *q, size_t i)
{
    REMOVE(q->names, q->name_count, i);
    REMOVE(q->value->operands, q->value->operand_count, i);
    if (q->name_count == 1) {
        q->is_tuple = false;
        q->value = q->value->operands[0];
    }
}

static void edit_equation(struct editor *ed, struct programs_equation *q)
{
    bool parts = q->is_tuple && q->value->kind == PROGRAMS_EXPR_TUPLE;
    for (size_t i = 0; parts && i < q->name_count && !ed->done; i++)
        if (now(ed)) {
            remove_name(q, i);
            return;
        }
    edit(ed, &q->value);
}

/* Calls whatever there is with each expression of the program, inside out. */
static void each_expr(struct programs_expr *e,
                      void (*visit)(struct programs_expr *e, void *context),
                      void *context)
{
    for (size_t i = 0; i < e->operand_count; i++)
        each_expr(e->operands[i], visit, context);
    if (e->kind == PROGRAMS_EXPR_LET) {
        for (size_t i = 0; i < e->let->count; i++)
            each_expr(e->let->equations[i]->value, visit, context);
        each_expr(e->let->body, visit, context);
    }
    for (size_t i = 0; e->kind == PROGRAMS_EXPR_CASE && i < e->match->arm_count; i++) {
        if (e->match->arms[i].guard)
            each_expr(e->match->arms[i].guard, visit, context);
        each_expr(e->match->arms[i].body, visit, context);
    }
    visit(e, context);
}

struct parameter {
    const struct programs_function *function;
    size_t index;
};

/* Whether an expression calls a function; or a copy of it, for some types of data. */
static bool is_call(const struct programs_expr *e, const struct programs_function *f)
{
    return e->kind == PROGRAMS_EXPR_CALL && e->call->function &&
           strcmp(e->call->text, f->name) == 0;
}

static void remove_argument(struct programs_expr *e, void *context)
{
    const struct parameter *p = context;
    if (is_call(e, p->function))
        REMOVE(e->operands, e->operand_count, p->index);
}

static void remove_param(struct programs_ast *ast, struct programs_function *f, size_t i)
{
    struct parameter p = {f, i};
    for (size_t k = 0; k < ast->function_count; k++)
        each_expr(ast->functions[k]->body, remove_argument, &p);
    for (size_t k = 0; k < ast->constant_count; k++)
        each_expr(ast->constants[k]->value, remove_argument, &p);
    REMOVE(f->params, f->param_count, i);
}

struct mention {
    const struct programs_function *function;
    bool found;
};

static void look_for(struct programs_expr *e, void *context)
{
    struct mention *m = context;
    m->found |= is_call(e, m->function);
}

/* A function, with the constants that call it: often nothing else does. */
static void remove_with_uses(struct programs_ast *ast, size_t function)
{
    for (size_t i = ast->constant_count; i-- > 0;) {
        struct mention m = {ast->functions[function], false};
        each_expr(ast->constants[i]->value, look_for, &m);
        if (m.found)
            REMOVE(ast->constants, ast->constant_count, i);
    }
    REMOVE(ast->functions, ast->function_count, function);
}

/* All at once: what is unused may need other such things to have types. */
static void remove_unused(struct programs_ast *ast)
{
    for (size_t i = ast->function_count; i-- > 0;)
        if (!ast->functions[i]->used)
            REMOVE(ast->functions, ast->function_count, i);
    for (size_t i = ast->constant_count; i-- > 0;)
        if (!ast->constants[i]->used)
            REMOVE(ast->constants, ast->constant_count, i);
}

/* A type of data, a constructor of one, or a field of one with what is given for it. */
static void edit_datatypes(struct editor *ed)
{
    struct programs_ast *ast = ed->ast;
    for (size_t i = 0; i < ast->datatype_count && !ed->done; i++)
        if (!ast->datatypes[i]->is_predefined && now(ed))
            REMOVE(ast->datatypes, ast->datatype_count, i);
    for (size_t i = 0; i < ast->datatype_count && !ed->done; i++) {
        struct programs_datatype *d = ast->datatypes[i];
        for (uint32_t k = 0; k < d->constructor_count && !ed->done; k++)
            if (!d->is_predefined && d->constructor_count > 1 && now(ed))
                REMOVE(d->constructors, d->constructor_count, k);
    }
}

static void edit_program(struct editor *ed)
{
    struct programs_ast *ast = ed->ast;
    if (now(ed))
        remove_unused(ast);
    for (size_t i = 0; i < ast->function_count && !ed->done; i++)
        if (now(ed))
            remove_with_uses(ast, i);
    for (size_t i = 0; i < ast->function_count && !ed->done; i++)
        if (now(ed))
            REMOVE(ast->functions, ast->function_count, i);
    for (size_t i = 0; i < ast->constant_count && !ed->done; i++)
        if (now(ed))
            REMOVE(ast->constants, ast->constant_count, i);
    for (size_t i = 0; i < ast->input_count && !ed->done; i++)
        if (now(ed))
            REMOVE(ast->inputs, ast->input_count, i);
    for (size_t f = 0; f < ast->function_count && !ed->done; f++) {
        struct programs_function *function = ast->functions[f];
        for (size_t i = 0; function->param_count > 1 && i < function->param_count; i++)
            if (!ed->done && now(ed))
                remove_param(ast, function, i);
    }
    edit_datatypes(ed);
    for (size_t i = 0; i < ast->constant_count && !ed->done; i++)
        edit_equation(ed, ast->constants[i]);
    for (size_t i = 0; i < ast->function_count && !ed->done; i++) {
        struct programs_function *f = ast->functions[i];
        edit(ed, f->pattern_count ? &f->body->let->body : &f->body);
    }
}

/* --- shrinking ------------------------------------------------------------------------ */

/* Makes a comparison of data again what inference has made a call, or one of numbers. */
static void restore_comparison(struct programs_expr *e, void *context)
{
    (void)context;
    for (size_t i = 0; i < e->operand_count; i++)
        if (e->operands[i]->kind == PROGRAMS_EXPR_NUMBER)
            e->operands[i] = e->operands[i]->operands[0];
    if (e->kind != PROGRAMS_EXPR_CALL || strncmp(e->call->text, "equal.", 6) != 0)
        return;
    e->kind = PROGRAMS_EXPR_BINARY;
    e->op = PROGRAMS_EQ;
}

/* Reads a program with types. It has its own functions, not copies for types of data. */
static bool read_typed(struct lib_arena *arena, const struct lib_source *source,
                       struct programs_ast **read)
{
    struct lib_diags diags = {0};
    struct programs_ast *ast = *read = programs_parse(arena, source, &diags);
    bool good = ast && programs_resolve(ast, &diags);
    if (good) {
        const size_t count = ast->function_count;
        struct programs_function **own = LIB_ARENA_ARRAY(
            arena, struct programs_function *, count);
        for (size_t i = 0; i < count; i++)
            own[i] = ast->functions[i];
        good = programs_infer(ast, &diags);
        ast->functions = own;
        ast->function_count = count;
    }
    for (size_t i = 0; good && i < ast->function_count; i++)
        each_expr(ast->functions[i]->body, restore_comparison, NULL);
    for (size_t i = 0; good && i < ast->constant_count; i++)
        each_expr(ast->constants[i]->value, restore_comparison, NULL);
    lib_diags_free(&diags);
    return good;
}

static bool is_typed(const char *text)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_source source = {"shrink.df", text, strlen(text)};
    struct programs_ast *ast;
    bool good = read_typed(arena, &source, &ast);
    lib_arena_free(arena);
    return good;
}

/* The program after an edit. false: there is no edit of this number. */
static bool edited(const struct lib_text *text, size_t number, struct lib_text *out)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_source source = {"shrink.df", lib_text_get(text), text->length};
    struct editor ed = {.number = number};
    lib_text_clear(out);
    ed.of_int = programs_type_new(arena, PROGRAMS_TYPE_INT);
    if (read_typed(arena, &source, &ed.ast)) {
        edit_program(&ed);
        if (ed.done)
            programs_print(ed.ast, out);
    }
    lib_arena_free(arena);
    return ed.done;
}

/* How much there is to read: names above all, brackets not at all. */
static size_t weight(const char *p)
{
    size_t sum = 0;
    while (*p) {
        size_t word = strspn(p, "abcdefghijklmnopqrstuvwxyz_'.+0123456789");
        bool boolean = (word == 4 && strncmp(p, "true", word) == 0) ||
                       (word == 5 && strncmp(p, "false", word) == 0);
        if (word > 0)
            sum += boolean || (*p >= '0' && *p <= '9') ? 1 : 10;
        else if (!strchr(" \n(),", *p))
            sum++;
        p += word ? word : 1;
    }
    return sum;
}

/* Whether `to` is a step towards the smallest program: a measure that always falls. */
static bool is_smaller(const struct lib_text *to, const struct lib_text *from)
{
    size_t a = weight(lib_text_get(to)), b = weight(lib_text_get(from));
    if (a != b)
        return a < b;
    if (to->length != from->length)
        return to->length < from->length;
    return strcmp(lib_text_get(to), lib_text_get(from)) < 0;
}

/* All edits once; returns whether one of them was kept. */
static bool try_all_edits(struct lib_text *text, unsigned *tests, shrink_test *fails,
                          void *context)
{
    struct lib_text next = {0};
    bool any = false;
    for (size_t number = 0; *tests > 0 && edited(text, number, &next);) {
        bool kept = false;
        if (is_smaller(&next, text) && is_typed(lib_text_get(&next))) {
            (*tests)--;
            kept = fails(lib_text_get(&next), context);
        }
        if (kept) {
            struct lib_text old = *text;
            *text = next;
            next = old;
            any = true;
        } else {
            number++;
        }
    }
    lib_text_free(&next);
    return any;
}

void shrink(struct lib_text *text, unsigned tests, shrink_test *fails, void *context)
{
    while (tests > 0 && try_all_edits(text, &tests, fails, context))
        ;
}
