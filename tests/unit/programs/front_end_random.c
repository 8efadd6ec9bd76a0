/* The front end, by oracles: printed programs read back as the same tree and need each of their
 * parentheses; programs with known types are inferred to have them; used definitions cannot be left
 * out, others can; damaged programs are refused with a position. */
#include "lib/hash.h"
#include "lib/memory.h"
#include "tests/unit/front_end.h"

#include <stdlib.h>

/* --- random programs ------------------------------------------------------------------ */

static const char *const type_texts[] = {
    "int", "real", "bool", "(int, real)", "(bool, (int, real))", "[int]"};
enum type { INT, REAL, BOOL, PAIR, NEST, ROW, TYPES };

static bool is_tuple(enum type type)
{
    return type == PAIR || type == NEST;
}

/* Of what the tuples consist. */
static const enum type halves[][2] = {[PAIR] = {INT, REAL}, [NEST] = {BOOL, PAIR}};

/* What was made, and of which type. */
struct made {
    struct programs_binding *binding;
    enum type type;
};

struct maker {
    struct lib_arena *arena;
    struct programs_ast *ast;
    uint64_t seed, draws;
    LIB_VEC(struct made) scope; /* the innermost last */
    LIB_VEC(struct made) all;   /* every binding, for the check */
    enum type results[8];       /* of the functions */
    enum type params[8][2];
};

static unsigned draw(struct maker *m, unsigned below)
{
    return (unsigned)(lib_hash_mix(m->seed * 1000003 + m->draws++) % below);
}

static struct programs_expr *make_expr(struct maker *m, enum type type, unsigned depth);

static struct programs_expr *node(struct maker *m, enum programs_expr_kind kind,
                                  size_t operands)
{
    struct programs_expr *e = programs_ast_new_expr(m->arena, kind, (struct lib_pos){0});
    e->operand_count = (uint32_t)operands;
    e->operands = LIB_ARENA_ARRAY(m->arena, struct programs_expr *, operands);
    return e;
}

static struct programs_expr *make_literal(struct maker *m, enum type type)
{
    static const int64_t ints[] = {0, 1, 24, INT64_MAX, INT64_MIN, -1};
    static const double reals[] = {0, 0.1, -2.5, 1e300, 5e-324, 1e16, -0.0};
    static const enum programs_expr_kind kinds[] = {PROGRAMS_EXPR_INT, PROGRAMS_EXPR_REAL,
                                                    PROGRAMS_EXPR_BOOL};
    if (is_tuple(type)) {
        struct programs_expr *e = node(m, PROGRAMS_EXPR_TUPLE, 2);
        e->operands[0] = make_literal(m, halves[type][0]);
        e->operands[1] = make_literal(m, halves[type][1]);
        return e;
    }
    if (type == ROW) {
        struct programs_expr *e = node(m, PROGRAMS_EXPR_ARRAY, 1 + draw(m, 3));
        for (size_t i = 0; i < e->operand_count; i++)
            e->operands[i] = make_literal(m, INT);
        return e;
    }
    struct programs_expr *e = node(m, kinds[type], 0);
    if (type == INT)
        e->integer = ints[draw(m, sizeof ints / sizeof *ints)];
    else if (type == REAL)
        e->real = reals[draw(m, sizeof reals / sizeof *reals)];
    else
        e->boolean = draw(m, 2);
    return e;
}

/* A name of the type that nothing hides, or a literal. */
static struct programs_expr *make_leaf(struct maker *m, enum type type)
{
    size_t count = m->scope.count, at = count ? draw(m, (unsigned)count) : 0;
    for (size_t i = 0; i < count; i++, at = (at + 1) % count) {
        bool fits = m->scope.items[at].type == type;
        for (size_t k = at + 1; k < count && fits; k++)
            fits = strcmp(m->scope.items[k].binding->name,
                          m->scope.items[at].binding->name) != 0;
        if (!fits)
            continue;
        struct programs_expr *e = node(m, PROGRAMS_EXPR_NAME, 0);
        e->name.text = m->scope.items[at].binding->name;
        return e;
    }
    return make_literal(m, type);
}

static struct programs_expr *make_call(struct maker *m, const char *name,
                                       enum type *types, size_t count, unsigned depth)
{
    struct programs_expr *e = node(m, PROGRAMS_EXPR_CALL, count);
    e->call->text = name;
    for (size_t i = 0; i < count; i++)
        e->operands[i] = make_expr(m, types[i], depth);
    return e;
}

static struct programs_expr *make_operation(struct maker *m, enum programs_operator op,
                                            enum type type, unsigned depth)
{
    bool unary = op == PROGRAMS_NEG || op == PROGRAMS_NOT;
    struct programs_expr *e = node(m, unary ? PROGRAMS_EXPR_UNARY : PROGRAMS_EXPR_BINARY,
                                   unary ? 1 : 2);
    e->op = op;
    for (size_t i = 0; i < e->operand_count; i++)
        e->operands[i] = make_expr(m, type, depth);
    return e;
}

static struct programs_binding *make_binding(struct maker *m, const char *name,
                                             enum programs_binding_kind kind,
                                             enum type type)
{
    struct programs_binding *b = LIB_ARENA_NEW(m->arena, struct programs_binding);
    b->name = name;
    b->kind = kind;
    *LIB_VEC_PUSH(&m->all) = (struct made){b, type};
    *LIB_VEC_PUSH(&m->scope) = (struct made){b, type};
    return b;
}

/* `name = E` or `(name, name') = E`. */
static struct programs_equation *make_equation(struct maker *m, const char *name,
                                               enum programs_binding_kind kind,
                                               enum type type,
                                               struct programs_expr *value)
{
    struct programs_equation *q = LIB_ARENA_NEW(m->arena, struct programs_equation);
    q->value = value;
    q->is_tuple = is_tuple(type);
    q->name_count = q->is_tuple ? 2 : 1;
    q->names = LIB_ARENA_ARRAY(m->arena, struct programs_binding *, 2);
    q->names[0] = make_binding(m, name, kind, q->is_tuple ? halves[type][0] : type);
    q->names[0]->equation = q;
    if (q->is_tuple) {
        const char *other = lib_arena_printf(m->arena, "%s'", name);
        q->names[1] = make_binding(m, other, kind, halves[type][1]);
        q->names[1]->equation = q;
        q->names[1]->index = 1;
    }
    return q;
}

static struct programs_expr *make_let(struct maker *m, enum type type, unsigned depth)
{
    static const char *const pool[] = {"a", "b", "c", "d"};
    struct programs_expr *e = node(m, PROGRAMS_EXPR_LET, 0);
    size_t mark = m->scope.count, start = draw(m, 4);
    e->let->count = 1 + draw(m, 3);
    e->let->equations = LIB_ARENA_ARRAY(m->arena, struct programs_equation *,
                                        e->let->count);
    for (size_t i = 0; i < e->let->count; i++) {
        enum type own = draw(m, TYPES);
        struct programs_expr *value = make_expr(m, own, depth);
        const char *name = pool[(start + i) % 4];
        if (own == ROW) /* a comprehension, which sees its name, may have been made */
            name = lib_arena_printf(m->arena, "row%zu", m->ast->let_count);
        e->let->equations[i] = make_equation(m, name, PROGRAMS_BIND_LET, own, value);
        e->let->equations[i]->index = (uint32_t)m->ast->let_count++;
    }
    e->let->body = make_expr(m, type, depth);
    m->scope.count = mark;
    return e;
}

static struct programs_expr *make_if(struct maker *m, enum type type, unsigned depth)
{
    struct programs_expr *e = node(m, PROGRAMS_EXPR_IF, 3);
    e->operands[0] = make_expr(m, BOOL, depth);
    e->operands[1] = make_expr(m, type, depth);
    e->operands[2] = make_expr(m, type, depth);
    return e;
}

/* Sets the variables of a loop: if it returns nothing, those that its value consists of. */
static void make_variables(struct maker *m, struct programs_expr *e, enum type type,
                           enum type *types)
{
    struct programs_loop *loop = e->loop;
    loop->returns = draw(m, 2);
    loop->count = loop->returns ? 1 + draw(m, 3) : is_tuple(type) ? 2 : 1;
    for (size_t k = 0; k < loop->count; k++)
        types[k] = loop->returns    ? draw(m, TYPES)
                   : is_tuple(type) ? halves[type][k]
                                    : type;
    loop->bound = draw(m, 4) ? 0 : 1 + draw(m, 9);
    loop->first = (uint32_t)m->ast->variable_count;
    m->ast->variable_count += loop->count;
    loop->names = LIB_ARENA_ARRAY(m->arena, struct programs_binding *, loop->count);
    e->operand_count = 2 * loop->count + 1 + loop->returns;
    e->operands = LIB_ARENA_ARRAY(m->arena, struct programs_expr *, e->operand_count);
}

static struct programs_expr *make_loop(struct maker *m, enum type type, unsigned depth)
{
    static const char *const pool[] = {"a", "b", "c", "d"};
    struct programs_expr *e = node(m, PROGRAMS_EXPR_LOOP, 0);
    enum type types[3];
    size_t mark = m->scope.count, start = draw(m, 4), at = 0;
    e->loop = LIB_ARENA_NEW(m->arena, struct programs_loop);
    make_variables(m, e, type, types);
    for (size_t k = 0; k < e->loop->count; k++)
        e->operands[at++] = make_expr(m, types[k], depth);
    for (size_t k = 0; k < e->loop->count; k++) {
        struct programs_binding *b = make_binding(m, pool[(start + k) % 4],
                                                  PROGRAMS_BIND_LOOP, types[k]);
        b->expr = e;
        b->index = (uint32_t)k;
        e->loop->names[k] = b;
    }
    e->operands[at++] = make_expr(m, BOOL, depth);
    for (size_t k = 0; k < e->loop->count; k++)
        e->operands[at++] = make_expr(m, types[k], depth);
    if (e->loop->returns)
        e->operands[at++] = make_expr(m, type, depth);
    m->scope.count = mark;
    return e;
}

static struct programs_expr *make_array(struct maker *m, unsigned depth)
{
    size_t mark = m->scope.count;
    struct programs_expr *e = node(m, PROGRAMS_EXPR_ARRAY, 1 + draw(m, 3));
    if (draw(m, 2)) {
        for (size_t i = 0; i < e->operand_count; i++)
            e->operands[i] = make_expr(m, INT, depth);
        return e;
    }
    e = node(m, PROGRAMS_EXPR_COMPREHENSION, 3);
    e->operands[1] = make_expr(m, INT, depth);
    e->operands[2] = make_expr(m, INT, depth);
    e->index = make_binding(m, draw(m, 2) ? "i" : "a", PROGRAMS_BIND_INDEX, INT);
    e->index->expr = e;
    e->operands[0] = make_expr(m, INT, depth);
    m->scope.count = mark;
    return e;
}

/* An int that an array has, or is. */
static struct programs_expr *make_element(struct maker *m, unsigned depth)
{
    if (draw(m, 3) == 0) {
        enum type row[] = {ROW};
        return make_call(m, draw(m, 2) ? "sum" : "length", row, 1, depth);
    }
    struct programs_expr *e = node(m, PROGRAMS_EXPR_INDEX, 2);
    e->operands[0] = make_expr(m, ROW, depth);
    e->operands[1] = make_expr(m, INT, depth);
    return e;
}

static struct programs_expr *make_number(struct maker *m, enum type type, unsigned depth)
{
    static const char *const reals[] = {"sqrt", "exp",  "log",  "sin",
                                        "cos",  "tanh", "floor"};
    enum type two[] = {type, type}, other[] = {type == INT ? REAL : INT};
    switch (draw(m, 9)) {
    case 0:
        return make_operation(m, PROGRAMS_NEG, type, depth);
    case 1:
        return make_call(m, draw(m, 2) ? "min" : "max", two, 2, depth);
    case 2:
        return make_call(m, type == INT ? "int" : "real", other, 1, depth);
    case 3:
        return make_call(m, type == INT ? "abs" : reals[draw(m, 7)], two, 1, depth);
    default:
        return make_operation(m, PROGRAMS_POW + draw(m, 6), type, depth);
    }
}

static struct programs_expr *make_truth(struct maker *m, unsigned depth)
{
    switch (draw(m, 4)) {
    case 0:
        return make_operation(m, PROGRAMS_NOT, BOOL, depth);
    case 1:
        return make_operation(m, PROGRAMS_AND + draw(m, 2), BOOL, depth);
    case 2:
        return make_operation(m, PROGRAMS_EQ + draw(m, 2), draw(m, 3), depth);
    default:
        return make_operation(m, PROGRAMS_EQ + draw(m, 6), draw(m, 2), depth);
    }
}

static struct programs_expr *make_expr(struct maker *m, enum type type, unsigned depth)
{
    if (depth == 0 || draw(m, 8) == 0)
        return make_leaf(m, type);
    depth--;
    for (size_t i = 0; i < m->ast->function_count && draw(m, 2); i++)
        if (m->results[i] == type)
            return make_call(m, m->ast->functions[i]->name, m->params[i],
                             m->ast->functions[i]->param_count, depth);
    switch (draw(m, 7)) {
    case 0:
        return make_if(m, type, depth);
    case 1:
        return make_let(m, type, depth);
    case 2:
        return make_loop(m, type, depth);
    default:
        break;
    }
    if (type == BOOL)
        return make_truth(m, depth);
    if (type == INT && draw(m, 5) == 0)
        return make_element(m, depth);
    if (type == ROW)
        return make_array(m, depth);
    if (type < PAIR)
        return make_number(m, type, depth);
    struct programs_expr *e = node(m, PROGRAMS_EXPR_TUPLE, 2);
    e->operands[0] = make_expr(m, halves[type][0], depth);
    e->operands[1] = make_expr(m, halves[type][1], depth);
    return e;
}

/* A function that may call itself and those before it. Its first branch is a literal, so
 * that its type does not hang on calls alone. */
static void make_function(struct maker *m)
{
    size_t i = m->ast->function_count, mark = m->scope.count;
    struct programs_function *f = LIB_ARENA_NEW(m->arena, struct programs_function);
    f->name = lib_arena_printf(m->arena, "f%zu", i);
    f->index = (uint32_t)i;
    f->param_count = 1 + draw(m, 2);
    f->params = LIB_ARENA_ARRAY(m->arena, struct programs_binding *, 2);
    for (size_t k = 0; k < f->param_count; k++) {
        m->params[i][k] = draw(m, TYPES);
        f->params[k] = make_binding(m, k ? "y" : "x", PROGRAMS_BIND_PARAM,
                                    m->params[i][k]);
        f->params[k]->function = f;
        f->params[k]->index = (uint32_t)k;
    }
    m->results[i] = draw(m, TYPES);
    m->ast->functions[i] = f;
    m->ast->function_count++;
    f->body = node(m, PROGRAMS_EXPR_IF, 3);
    f->body->operands[0] = make_expr(m, BOOL, 2);
    f->body->operands[1] = make_literal(m, m->results[i]);
    f->body->operands[2] = make_expr(m, m->results[i], 4);
    m->scope.count = mark;
}

/* Functions, a constant that calls each, so that it has arguments of known types, and a
 * result that uses some. */
static struct programs_ast *make_program(struct maker *m, uint64_t seed)
{
    m->seed = seed;
    m->arena = lib_arena_new();
    m->ast = LIB_ARENA_NEW(m->arena, struct programs_ast);
    m->ast->arena = m->arena;
    m->ast->source = LIB_ARENA_NEW(m->arena, struct lib_source);
    m->ast->functions = LIB_ARENA_ARRAY(m->arena, struct programs_function *, 8);
    m->ast->constants = LIB_ARENA_ARRAY(m->arena, struct programs_equation *, 16);
    size_t count = draw(m, 5);
    for (size_t i = 0; i < count; i++)
        make_function(m);
    for (size_t i = 0; i <= count; i++) {
        bool last = i == count;
        enum type type = last ? draw(m, PAIR) : m->results[i];
        const char *name = last ? "result" : lib_arena_printf(m->arena, "k%zu", i);
        struct programs_expr *value = last ? make_expr(m, type, 4)
                                           : make_call(m, m->ast->functions[i]->name,
                                                       m->params[i],
                                                       m->ast->functions[i]->param_count,
                                                       0);
        struct programs_equation *q = make_equation(m, name, PROGRAMS_BIND_CONST, type,
                                                    value);
        q->index = (uint32_t)i;
        m->ast->constants[m->ast->constant_count++] = q;
    }
    return m->ast;
}

static void unmake(struct maker *m)
{
    LIB_VEC_FREE(&m->scope);
    LIB_VEC_FREE(&m->all);
    lib_arena_free(m->arena);
}

static uint64_t programs(void)
{
    return test_is_quick() ? 40 : 300;
}

START_TEST(print_random)
{
    for (uint64_t seed = 0; seed < programs(); seed++) {
        struct maker m = {0};
        check_print(make_program(&m, seed));
        unmake(&m);
    }
}
END_TEST

static void check_type(struct programs_type *type, const char *expected)
{
    struct lib_text text = {0};
    programs_type_write(type, &text);
    ck_assert_str_eq(lib_text_get(&text), expected);
    lib_text_free(&text);
}

START_TEST(infer_random)
{
    for (uint64_t seed = 0; seed < 3 * programs(); seed++) {
        struct maker m = {0};
        struct lib_diags diags = {0};
        struct lib_text text = {0};
        struct programs_ast *ast = make_program(&m, seed);
        bool good = programs_resolve(ast, &diags) && programs_infer(ast, &diags);
        programs_print(ast, &text);
        ck_assert_msg(good, "%s\n%s", good ? "" : diags.items[0].text, text.bytes);
        for (size_t i = 0; i < m.all.count; i++)
            check_type(m.all.items[i].binding->type, type_texts[m.all.items[i].type]);
        for (size_t i = 0; i < ast->function_count; i++)
            check_type(ast->functions[i]->result_type, type_texts[m.results[i]]);
        lib_text_free(&text);
        lib_diags_free(&diags);
        unmake(&m);
    }
}
END_TEST

/* --- what is used --------------------------------------------------------------------- */

/* Takes what is unused out of an expression: equations of lets, and the text of variables
 * of loops. */
static void prune(struct programs_expr *e)
{
    for (size_t k = 0; e->kind == PROGRAMS_EXPR_LOOP && k < e->loop->count; k++)
        if (!e->loop->names[k]->used) {
            static struct programs_expr zero = {.kind = PROGRAMS_EXPR_INT};
            e->operands[k] = e->operands[e->loop->count + 1 + k] = &zero;
        }
    for (size_t i = 0; i < e->operand_count; i++)
        prune(e->operands[i]);
    if (e->kind != PROGRAMS_EXPR_LET)
        return;
    size_t count = e->let->count;
    e->let->count = 0;
    for (size_t i = 0; i < count; i++)
        if (e->let->equations[i]->used) {
            prune(e->let->equations[i]->value);
            e->let->equations[e->let->count++] = e->let->equations[i];
        }
    prune(e->let->body);
    if (e->let->count == 0)
        *e = *e->let->body;
}

/* Whether the equations of a program, without number `leave_out` of its functions and
 * constants, can be bound. */
static bool can_be_bound(const struct programs_ast *ast, bool used_only, size_t leave_out)
{
    struct programs_ast part = *ast;
    struct lib_text text = {0};
    size_t at = 0;
    part.functions = lib_mem_new(sizeof *part.functions * (ast->function_count + 1));
    part.constants = lib_mem_new(sizeof *part.constants * (ast->constant_count + 1));
    part.function_count = part.constant_count = 0;
    for (size_t i = 0; i < ast->function_count; i++)
        if (at++ != leave_out && (!used_only || ast->functions[i]->used))
            part.functions[part.function_count++] = ast->functions[i];
    for (size_t i = 0; i < ast->constant_count; i++)
        if (at++ != leave_out && (!used_only || ast->constants[i]->used))
            part.constants[part.constant_count++] = ast->constants[i];
    programs_print(&part, &text);
    struct program p = load(lib_text_get(&text), NAMED);
    bool bound = p.ast != NULL;
    unload(&p);
    lib_text_free(&text);
    lib_mem_free(part.functions);
    lib_mem_free(part.constants);
    return bound;
}

START_TEST(used_random)
{
    for (uint64_t seed = 0; seed < programs(); seed++) {
        struct maker m = {0};
        struct lib_diags diags = {0};
        struct programs_ast *ast = make_program(&m, seed);
        ck_assert(programs_resolve(ast, &diags));
        for (size_t i = 0; i < ast->function_count; i++)
            prune(ast->functions[i]->body);
        for (size_t i = 0; i < ast->constant_count; i++)
            prune(ast->constants[i]->value);
        ck_assert(can_be_bound(ast, true, SIZE_MAX));
        for (size_t i = 0; i < ast->function_count; i++)
            ck_assert(!ast->functions[i]->used || !can_be_bound(ast, true, i));
        for (size_t i = 0; i < ast->constant_count; i++)
            ck_assert(!ast->constants[i]->used ||
                      !can_be_bound(ast, true, ast->function_count + i));
        lib_diags_free(&diags);
        unmake(&m);
    }
}
END_TEST

/* --- damaged programs ----------------------------------------------------------------- */

static void damage(struct maker *m, struct lib_text *text)
{
    static const char *const pieces[] = {
        "(",    ")",        "=",           ";",        "let ", " in ",  "if ",
        "-",    "\n",       "not ",        "1e",       "\"",   ",",     "\n\n ",
        "[",    "]",        "|",           "<-",       "..",   "loop ", " while ",
        " do ", " return ", "--# bound 3", "\xe2\x88", "then", "else",  "9",
        "==",   "_",        "result"};
    struct lib_text after = {0};
    size_t at = draw(m, (unsigned)text->length), skip = draw(m, 3);
    skip = at + skip > text->length ? 0 : skip;
    lib_text_add(&after, text->bytes, at);
    if (draw(m, 2))
        lib_text_puts(&after, pieces[draw(m, sizeof pieces / sizeof *pieces)]);
    else /* a piece of the program itself */
        lib_text_add(&after, text->bytes + at / 2, draw(m, 9) % (text->length - at / 2));
    lib_text_add(&after, text->bytes + at + skip, text->length - at - skip);
    lib_text_free(text);
    *text = after;
}

/* Every message stands in the text, or just behind a line of it, and messages are in the
 * order of the text as far as one pass gives them. */
static void check_places(const struct program *p)
{
    for (size_t i = 0; i < p->diags.count; i++) {
        struct lib_pos pos = p->diags.items[i].pos;
        const char *line = p->source->bytes, *end = line + p->source->length;
        for (uint32_t n = 1; n < pos.line; n++) {
            line = memchr(line, '\n', (size_t)(end - line));
            ck_assert(line != NULL);
            line++;
        }
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((newline ? newline : end) - line);
        ck_assert(pos.line == 0 || (pos.column >= 1 && pos.column <= length + 1));
        ck_assert(pos.line == 0 || pos.column - 1 + pos.span <= length + 1);
        ck_assert(p->diags.items[i].text[0] != '\0');
    }
}

START_TEST(damaged)
{
    for (uint64_t seed = 0; seed < 3 * programs(); seed++) {
        struct maker m = {0};
        struct lib_text text = {0};
        programs_print(make_program(&m, seed), &text);
        for (int i = 0; i < 12 && text.length; i++) {
            damage(&m, &text);
            struct program p = load_bytes("test.df", text.bytes, text.length, TYPED);
            check_places(&p);
            if (p.ast)
                check_print(p.ast);
            unload(&p);
        }
        lib_text_free(&text);
        unmake(&m);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, print_random);
    tcase_add_test(tests, infer_random);
    tcase_add_test(tests, used_random);
    tcase_add_test(tests, damaged);
    return test_main("lang_random", tests);
}
