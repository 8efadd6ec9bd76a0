#include "programs/syntax/parser.h"
#include "programs/syntax/syntax_hints.h"

#include <inttypes.h>
#include <string.h>

/* --- making nodes ------------------------------------------------------------------- */

struct programs_expr *programs_parser_expr(struct programs_parser *p,
                                           enum programs_expr_kind kind,
                                           struct lib_pos pos)
{
    return programs_ast_new_expr(p->nodes->arena, kind, pos);
}

void *programs_parser_keep(struct programs_parser *p, const void *items, size_t count,
                           size_t size)
{
    void *kept = lib_arena_alloc(p->arena, count * size);
    if (count)
        memcpy(kept, items, count * size);
    return kept;
}

struct programs_expr *programs_parser_operands(struct programs_parser *p,
                                               struct programs_expr *e,
                                               struct programs_expr_list *operands)
{
    programs_ast_make_operands(p->nodes->arena, e, operands->count);
    if (operands->count)
        memcpy(e->operands, operands->items, operands->count * sizeof *operands->items);
    LIB_VEC_FREE(operands);
    e->start = programs_parser_stretch(p, e->start);
    return e;
}

struct programs_expr *programs_parser_two(struct programs_parser *p,
                                          struct programs_expr *e,
                                          struct programs_expr *a,
                                          struct programs_expr *b)
{
    programs_ast_make_operands(p->nodes->arena, e, b ? 2 : 1);
    e->operands[0] = a;
    if (b)
        e->operands[1] = b;
    e->start = programs_parser_stretch(p, e->start);
    return e;
}

struct programs_binding *programs_parser_binding(struct programs_parser *p,
                                                 enum programs_binding_kind kind,
                                                 const struct programs_token *name,
                                                 uint32_t index)
{
    struct programs_binding *b = LIB_ARENA_NEW(p->arena, struct programs_binding);
    b->kind = kind;
    b->name = name->kind == PROGRAMS_TOKEN_NAME ? name->text : "";
    b->pos = name->pos;
    b->index = index;
    return b;
}

/* --- operands ----------------------------------------------------------------------- */

struct programs_expr *programs_parse_literal(struct programs_parser *p,
                                             const char *expected)
{
    const struct programs_token *minus = programs_parser_sees(p, PROGRAMS_TOKEN_MINUS)
                                             ? programs_parser_take(p)
                                             : NULL;
    const struct programs_token *t = programs_parser_peek(p);
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_INT,
                                                   minus ? minus->pos : t->pos);
    if (t->kind == PROGRAMS_TOKEN_INT) {
        if (t->is_bits ? minus && t->integer == (uint64_t)INT64_MIN
                       : !minus && t->integer > INT64_MAX)
            PROGRAMS_PARSER_FAIL(p, t->pos,
                                 "this literal is out of range; the largest int is %lld",
                                 (long long)INT64_MAX);
        e->is_bits = t->is_bits;
        e->integer = (int64_t)(minus ? 0 - t->integer : t->integer);
    } else if (t->kind == PROGRAMS_TOKEN_REAL) {
        e->kind = PROGRAMS_EXPR_REAL;
        e->real = minus ? -t->real : t->real;
    } else if (!minus &&
               (t->kind == PROGRAMS_TOKEN_TRUE || t->kind == PROGRAMS_TOKEN_FALSE)) {
        e->kind = PROGRAMS_EXPR_BOOL;
        e->boolean = t->kind == PROGRAMS_TOKEN_TRUE;
    } else {
        programs_parser_unexpected(p, expected);
        return e;
    }
    if (!p->cursor.failed)
        programs_parser_take(p);
    e->pos = e->start = programs_parser_stretch(p, e->start);
    return e;
}

static bool find_data_kind(const char *name, enum programs_data_kind *kind)
{
    static const char *const names[] = {"file", "trees", "conllu"};
    for (int i = 0; i <= PROGRAMS_DATA_CONLLU; i++)
        if (strcmp(name, names[i]) == 0) {
            *kind = (enum programs_data_kind)i;
            return true;
        }
    return false;
}

/* Reads `, N` if it follows: a literal, because the reader of the file needs it. */
static void parse_data_number(struct programs_parser *p, int64_t least, int64_t *number,
                              struct programs_expr_list *arguments)
{
    if (!programs_parser_accept(p, PROGRAMS_TOKEN_COMMA))
        return;
    struct programs_expr *literal = programs_parse_literal(p, "a number, as a literal");
    *LIB_VEC_PUSH(arguments) = literal;
    if (p->cursor.failed)
        return;
    if (literal->kind != PROGRAMS_EXPR_INT ||
        (literal->integer != 0 && literal->integer < least))
        PROGRAMS_PARSER_FAIL(p, literal->pos, "expected 0, or an int from %" PRId64 " on",
                             least);
    *number = literal->integer;
}

static void parse_data(struct programs_parser *p, enum programs_data_kind kind,
                       struct programs_expr_list *arguments)
{
    struct programs_expr *path = programs_parser_expr(p, PROGRAMS_EXPR_TEXT,
                                                      programs_parser_peek(p)->pos);
    path->data = programs_parse_path(p, kind);
    *LIB_VEC_PUSH(arguments) = path;
    if (kind == PROGRAMS_DATA_CONLLU) {
        parse_data_number(p, 2, &path->data->held, arguments);
        parse_data_number(p, 1, &path->data->least, arguments);
    }
}

/* --- scatter, accumulate -------------------------------------------------------------- */

#define OPERATIONS                                                                       \
    "expected an operation of `accumulate`: `+`, `min`, `max`, `and`, `or`, `bit_and`, " \
    "`bit_or` or `bit_xor`"

/* Whether a token is an operator that `accumulate` does not take, alone before a comma. */
static bool is_other_operation(const struct programs_token *t)
{
    return (t->kind == PROGRAMS_TOKEN_MINUS || t->kind == PROGRAMS_TOKEN_STAR ||
            t->kind == PROGRAMS_TOKEN_SLASH || t->kind == PROGRAMS_TOKEN_PERCENT) &&
           t[1].kind == PROGRAMS_TOKEN_COMMA;
}

/* Reads an operation of `accumulate` that is no name, and the comma after it. */
static bool take_operation(struct programs_parser *p, enum programs_fold *fold)
{
    static const struct {
        enum programs_token_kind kind;
        enum programs_fold fold;
    } folds[] = {{PROGRAMS_TOKEN_PLUS, PROGRAMS_FOLD_ADD},
                 {PROGRAMS_TOKEN_AND, PROGRAMS_FOLD_AND},
                 {PROGRAMS_TOKEN_OR, PROGRAMS_FOLD_OR}};
    const struct programs_token *t = programs_parser_peek(p);
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
        if (t->kind == folds[i].kind && t[1].kind == PROGRAMS_TOKEN_COMMA) {
            programs_parser_take(p);
            programs_parser_take(p);
            *fold = folds[i].fold;
            return true;
        }
    if (is_other_operation(t))
        PROGRAMS_PARSER_FAIL(p, t->pos, OPERATIONS);
    return false;
}

static bool ends_in_arrows(const struct programs_expr_list *arguments)
{
    const struct programs_expr *last = arguments->items[arguments->count - 1];
    return last->kind == PROGRAMS_EXPR_COMPREHENSION && last->has_arrow;
}

/* Finds the operation of `accumulate` in the first of its arguments, a name, and removes it. */
static bool take_operation_name(struct programs_expr_list *arguments,
                                enum programs_fold *fold)
{
    const struct programs_expr *first = arguments->items[0];
    for (unsigned f = 0; first->kind == PROGRAMS_EXPR_NAME && f < PROGRAMS_FOLDS; f++)
        if (strcmp(first->name.text, programs_fold_text((enum programs_fold)f)) == 0) {
            *fold = (enum programs_fold)f;
            arguments->count--;
            memmove(arguments->items, arguments->items + 1,
                    arguments->count * sizeof *arguments->items);
            return true;
        }
    return false;
}

/* Makes the tree of a call of `accumulate` whose last argument has an arrow. */
static struct programs_expr *make_accumulate(struct programs_parser *p,
                                             struct lib_pos pos, bool has_fold,
                                             enum programs_fold fold,
                                             struct programs_expr_list *arguments)
{
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_ACCUMULATE, pos);
    if (!has_fold && !take_operation_name(arguments, &fold))
        PROGRAMS_PARSER_FAIL(p, arguments->items[0]->start, OPERATIONS);
    else if (arguments->count < 2 || arguments->count > 3)
        PROGRAMS_PARSER_FAIL(
            p, pos,
            "`accumulate` takes an operation, a length and a first value, "
            "or an array, and `[k -> E | ...]`");
    e->fold = fold;
    return e;
}

static struct programs_expr *parse_call(struct programs_parser *p,
                                        const struct programs_token *name)
{
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_CALL, name->pos);
    const struct programs_token *open = programs_parser_take(p);
    struct programs_expr_list arguments = {0};
    e->call->text = name->text;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT))
        PROGRAMS_PARSER_FAIL(p, name->pos, "a function has at least one parameter; %s",
                             programs_syntax_hints_empty(name->text));
    enum programs_fold fold = PROGRAMS_FOLD_ADD;
    const bool accumulates = strcmp(name->text, "accumulate") == 0;
    const bool has_fold = accumulates && take_operation(p, &fold);
    enum programs_data_kind kind;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_STRING) &&
        find_data_kind(name->text, &kind)) {
        parse_data(p, kind, &arguments);
    } else {
        do
            programs_parse_item(p, &arguments);
        while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
        if (strcmp(name->text, "grad") == 0 &&
            programs_parser_accept(p, PROGRAMS_TOKEN_SEMICOLON)) {
            e->call->own = (uint32_t)arguments.count;
            do
                programs_parse_item(p, &arguments);
            while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
        }
    }
    programs_cursor_close(&p->cursor, open);
    if (accumulates && (has_fold || ends_in_arrows(&arguments)))
        e = make_accumulate(p, name->pos, has_fold, fold, &arguments);
    else if (strcmp(name->text, "scatter") == 0 && arguments.count == 2 &&
             ends_in_arrows(&arguments))
        e = programs_parser_expr(p, PROGRAMS_EXPR_SCATTER, name->pos);
    return programs_parser_operands(p, e, &arguments);
}

/* Reads a tuple, or an expression in parentheses, whose tree gets a wider position. */
static struct programs_expr *parse_parentheses(struct programs_parser *p)
{
    const struct programs_token *open = programs_parser_take(p);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT))
        PROGRAMS_PARSER_FAIL(p, programs_parser_stretch(p, open->pos),
                             "expected an expression, found `)`");
    struct programs_expr_list parts = {0};
    do
        programs_parse_item(p, &parts);
    while (programs_parser_accept(p, PROGRAMS_TOKEN_COMMA));
    programs_cursor_close(&p->cursor, open);
    if (parts.count > 1) {
        struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_TUPLE, open->pos);
        return programs_parser_operands(p, e, &parts);
    }
    struct programs_expr *only = parts.items[0];
    only->start = programs_parser_stretch(p, open->pos);
    LIB_VEC_FREE(&parts);
    return only;
}

/* Reads `if E then E else`, before the last operand. */
static struct programs_expr *parse_if_else(struct programs_parser *p)
{
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_IF,
                                                   programs_parser_take(p)->pos);
    struct programs_expr_list operands = {0};
    *LIB_VEC_PUSH(&operands) = programs_parse_expr(p);
    if (!programs_parser_accept(p, PROGRAMS_TOKEN_THEN))
        programs_parser_unexpected_after(p, "`then`");
    *LIB_VEC_PUSH(&operands) = programs_parse_expr(p);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_END) ||
        programs_parser_sees(p, PROGRAMS_TOKEN_SEMICOLON) ||
        programs_parser_sees(p, PROGRAMS_TOKEN_RIGHT))
        PROGRAMS_PARSER_FAIL(p, e->pos, "this `if` has no `else`");
    else if (!programs_parser_accept(p, PROGRAMS_TOKEN_ELSE))
        programs_parser_unexpected_after(p, "`else`");
    *LIB_VEC_PUSH(&operands) = NULL;
    return programs_parser_operands(p, e, &operands);
}

static struct programs_expr *parse_if(struct programs_parser *p)
{
    struct programs_expr *last = NULL;
    do {
        struct programs_expr *e = parse_if_else(p);
        e->above = last;
        last = e;
    } while (!p->cursor.failed && programs_parser_sees(p, PROGRAMS_TOKEN_IF));
    struct programs_expr *value = programs_parse_expr(p);
    for (; last; last = last->above) {
        last->operands[2] = value;
        last->start = programs_parser_stretch(p, last->start);
        value = last;
    }
    return value;
}

#define LET_FORM "a `let` is written `let x = 1; y = 2 in x + y`"

/* Whether a token can begin the value of a `let`, after a complete binding. */
static bool is_value(const struct programs_token *t)
{
    switch (t->kind) {
    case PROGRAMS_TOKEN_COMMA: /* separates bindings in other languages */
    case PROGRAMS_TOKEN_IF:
    case PROGRAMS_TOKEN_LET:
    case PROGRAMS_TOKEN_LOOP:
        return true;
    case PROGRAMS_TOKEN_NAME:
        if (programs_syntax_hints_word(t->text))
            return false; /* a hint explains it */
        /* fall through */
    case PROGRAMS_TOKEN_INT:
    case PROGRAMS_TOKEN_REAL:
        /* After a name on the same line, a call without parentheses is more likely. */
        return t->first || t[-1].kind != PROGRAMS_TOKEN_NAME;
    default:
        return false;
    }
}

static bool is_binding(const struct programs_token *t)
{
    const bool is_name = t->kind == PROGRAMS_TOKEN_NAME;
    if (is_name && t[1].kind != PROGRAMS_TOKEN_LEFT)
        return t[1].kind == PROGRAMS_TOKEN_DEFINE || t[1].kind == PROGRAMS_TOKEN_EQ;
    unsigned open = 0;
    for (t += is_name ? 1 : 0; t->kind != PROGRAMS_TOKEN_END; t++) {
        open += t->kind == PROGRAMS_TOKEN_LEFT;
        open -= t->kind == PROGRAMS_TOKEN_RIGHT;
        if (open == 0)
            return t[1].kind == PROGRAMS_TOKEN_DEFINE;
    }
    return false;
}

/* Reports an expression after a `;` of a `let`: the value, before which `in` is missing. */
static void check_binding(struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    switch (t->kind) {
    case PROGRAMS_TOKEN_NAME: /* before another name, a type or a port */
        if (is_binding(t) || t[1].kind == PROGRAMS_TOKEN_NAME ||
            t[1].kind == PROGRAMS_TOKEN_IN || t[1].kind == PROGRAMS_TOKEN_ERROR)
            return;
        break;
    case PROGRAMS_TOKEN_LEFT:
        if (is_binding(t))
            return;
        break;
    case PROGRAMS_TOKEN_INT:
    case PROGRAMS_TOKEN_REAL:
    case PROGRAMS_TOKEN_MINUS:
    case PROGRAMS_TOKEN_LEFT_SQUARE:
    case PROGRAMS_TOKEN_IF:
    case PROGRAMS_TOKEN_LET:
    case PROGRAMS_TOKEN_LOOP:
        break;
    default:
        return;
    }
    PROGRAMS_PARSER_FAIL(p, t->pos,
                         "expected `in`, or a name and `=`, found %s; " LET_FORM,
                         programs_cursor_describe(&p->cursor, t));
}

static struct programs_expr *parse_let(struct programs_parser *p)
{
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_LET,
                                                   programs_parser_take(p)->pos);
    struct programs_equation_list equations = {0};
    p->cursor.lets++;
    do {
        if (equations.count)
            check_binding(p);
        struct programs_equation *q = programs_parse_equation(p, PROGRAMS_BIND_LET);
        q->index = (uint32_t)p->ast->let_count++;
        *LIB_VEC_PUSH(&equations) = q;
    } while (programs_parser_accept(p, PROGRAMS_TOKEN_SEMICOLON) &&
             !programs_parser_sees(p, PROGRAMS_TOKEN_IN));
    if (programs_parser_sees(p, PROGRAMS_TOKEN_END))
        PROGRAMS_PARSER_FAIL(p, e->pos, "this `let` has no `in`; " LET_FORM);
    else if (programs_cursor_at_equation(&p->cursor, p->cursor.at))
        PROGRAMS_PARSER_FAIL(
            p, programs_parser_peek(p)->pos,
            "expected `;` or `in` before %s; `;` separates the bindings of a `let`",
            programs_cursor_describe(&p->cursor, programs_parser_peek(p)));
    else if (is_value(programs_parser_peek(p)))
        PROGRAMS_PARSER_FAIL(
            p, programs_parser_peek(p)->pos, "expected `;` or `in`, found %s; " LET_FORM,
            programs_cursor_describe(&p->cursor, programs_parser_peek(p)));
    else if (!programs_parser_accept(p, PROGRAMS_TOKEN_IN))
        programs_parser_unexpected_after(p, "`;` or `in`");
    p->cursor.lets--;
    PROGRAMS_PARSER_KEEP(p, &equations, e->let->equations, e->let->count);
    e->let->body = programs_parse_expr(p);
    e->start = programs_parser_stretch(p, e->start);
    return e;
}

static bool find_binary(enum programs_token_kind token, enum programs_operator *op)
{
    static const struct {
        enum programs_token_kind token;
        enum programs_operator op;
    } binary[] = {
        {PROGRAMS_TOKEN_POWER, PROGRAMS_POW}, {PROGRAMS_TOKEN_STAR, PROGRAMS_MUL},
        {PROGRAMS_TOKEN_SLASH, PROGRAMS_DIV}, {PROGRAMS_TOKEN_PERCENT, PROGRAMS_REM},
        {PROGRAMS_TOKEN_PLUS, PROGRAMS_ADD},  {PROGRAMS_TOKEN_MINUS, PROGRAMS_SUB},
        {PROGRAMS_TOKEN_EQ, PROGRAMS_EQ},     {PROGRAMS_TOKEN_NE, PROGRAMS_NE},
        {PROGRAMS_TOKEN_LT, PROGRAMS_LT},     {PROGRAMS_TOKEN_LE, PROGRAMS_LE},
        {PROGRAMS_TOKEN_GT, PROGRAMS_GT},     {PROGRAMS_TOKEN_GE, PROGRAMS_GE},
        {PROGRAMS_TOKEN_AND, PROGRAMS_AND},   {PROGRAMS_TOKEN_OR, PROGRAMS_OR},
    };
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        if (binary[i].token == token) {
            *op = binary[i].op;
            return true;
        }
    return false;
}

/* --- expressions -------------------------------------------------------------------- */

static struct programs_expr *parse_name(struct programs_parser *p)
{
    const struct programs_token *name = programs_parser_take(p);
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        return parse_call(p, name);
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_NAME, name->pos);
    e->name.text = name->text;
    return e;
}

/* Reports a keyword that begins a statement in other languages. */
static void report_statement(struct programs_parser *p)
{
    const struct programs_token *t = programs_parser_peek(p);
    const char *word = t->kind == PROGRAMS_TOKEN_WHILE   ? "while"
                       : t->kind == PROGRAMS_TOKEN_INPUT ? "input"
                                                         : "return";
    PROGRAMS_PARSER_FAIL(p, t->pos, "expected an expression, found `%s`; %s", word,
                         programs_syntax_hints_word(word));
}

bool programs_parser_enter(struct programs_parser *p)
{
    if (++p->nesting > PROGRAMS_NESTING_MAX)
        programs_cursor_fail(
            &p->cursor, LIB_DIAG_LIMIT, programs_parser_peek(p)->pos,
            "expressions are nested more than %d deep; name parts of them",
            PROGRAMS_NESTING_MAX);
    return !p->cursor.failed;
}

static struct programs_expr *parse_operand(struct programs_parser *p)
{
    struct programs_expr *e;
    switch (programs_parser_peek(p)->kind) {
    case PROGRAMS_TOKEN_IF:
        return parse_if(p);
    case PROGRAMS_TOKEN_LET:
        return parse_let(p);
    case PROGRAMS_TOKEN_LOOP:
        return programs_parse_loop(p);
    case PROGRAMS_TOKEN_CASE:
        return programs_parse_case(p);
    case PROGRAMS_TOKEN_CONSTRUCTOR:
        e = programs_parse_construct(p);
        break;
    case PROGRAMS_TOKEN_NAME:
        e = parse_name(p);
        break;
    case PROGRAMS_TOKEN_LEFT:
        e = parse_parentheses(p);
        break;
    case PROGRAMS_TOKEN_LEFT_SQUARE:
        e = programs_parse_array(p);
        break;
    case PROGRAMS_TOKEN_WHILE:
    case PROGRAMS_TOKEN_INPUT:
    case PROGRAMS_TOKEN_RETURN:
        report_statement(p);
        __attribute__((fallthrough));
    default:
        e = programs_parse_literal(p, "an expression");
    }
    const unsigned nesting = p->nesting;
    while (!p->cursor.failed && (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT_SQUARE) ||
                                 programs_parser_sees(p, PROGRAMS_TOKEN_DOT)))
        if (programs_parser_sees(p, PROGRAMS_TOKEN_DOT) && programs_parser_enter(p))
            e = programs_parse_selection(p, e);
        else if (!p->cursor.failed)
            e = programs_parse_index(p, e);
    p->nesting = nesting;
    if (programs_parser_sees(p, PROGRAMS_TOKEN_LEFT))
        PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                             "only the name of a function can be called");
    return e;
}

static struct programs_expr *parse_level(struct programs_parser *p,
                                         enum programs_level level);

static struct programs_expr *parse_unary(struct programs_parser *p,
                                         enum programs_operator op)
{
    struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_UNARY,
                                                   programs_parser_take(p)->pos),
                         *operand = e;
    e->op = op;
    if (programs_parser_enter(p))
        operand = parse_level(p, programs_operator_level(op));
    p->nesting--;
    return p->cursor.failed ? e : programs_parser_two(p, e, operand, NULL);
}

static struct programs_expr *parse_prefix(struct programs_parser *p,
                                          enum programs_level level)
{
    enum programs_token_kind next = programs_parser_peek(p)->kind;
    if (next == PROGRAMS_TOKEN_NOT && level > PROGRAMS_LEVEL_NOT)
        PROGRAMS_PARSER_FAIL(
            p, programs_parser_peek(p)->pos,
            "`not` binds less tightly than %s; write `(not ...)`",
            programs_cursor_describe(&p->cursor, programs_parser_peek(p) - 1));
    if (next == PROGRAMS_TOKEN_NOT)
        return p->cursor.failed ? parse_operand(p) : parse_unary(p, PROGRAMS_NOT);
    if (next != PROGRAMS_TOKEN_MINUS)
        return parse_operand(p);
    const struct programs_token *behind = programs_parser_peek(p) + 1;
    if ((behind->kind == PROGRAMS_TOKEN_INT || behind->kind == PROGRAMS_TOKEN_REAL) &&
        behind[1].kind != PROGRAMS_TOKEN_POWER)
        return parse_operand(p);
    return parse_unary(p, PROGRAMS_NEG);
}

/* Reads operands joined by operators that bind at least as tightly as `level`. */
static struct programs_expr *parse_level(struct programs_parser *p,
                                         enum programs_level level)
{
    struct programs_expr *left = parse_prefix(p, level);
    enum programs_operator op;
    bool compared = false;
    while (find_binary(programs_parser_peek(p)->kind, &op) &&
           programs_operator_level(op) >= level) {
        enum programs_level own = programs_operator_level(op);
        if (own == PROGRAMS_LEVEL_COMPARISON && compared) {
            PROGRAMS_PARSER_FAIL(p, programs_parser_peek(p)->pos,
                                 "comparisons do not chain; write `a < b and b < c`");
            break;
        }
        compared = own == PROGRAMS_LEVEL_COMPARISON;
        struct programs_expr *e = programs_parser_expr(p, PROGRAMS_EXPR_BINARY,
                                                       programs_parser_take(p)->pos);
        e->op = op;
        e->start = left->start;
        const enum programs_level next = own == PROGRAMS_LEVEL_POWER ? own : own + 1;
        struct programs_expr *right = programs_parser_enter(p) ? parse_level(p, next)
                                                               : left;
        p->nesting--;
        left = programs_parser_two(p, e, left, right);
    }
    return left;
}

struct programs_expr *programs_parse_expr(struct programs_parser *p)
{
    struct programs_expr *e = NULL;
    if (programs_parser_enter(p))
        e = parse_level(p, PROGRAMS_LEVEL_OR);
    p->nesting--;
    return e ? e
             : programs_parser_expr(p, PROGRAMS_EXPR_INT, programs_parser_peek(p)->pos);
}

void programs_parse_item(struct programs_parser *p, struct programs_expr_list *list)
{
    p->lists++;
    *LIB_VEC_PUSH(list) = programs_parse_expr(p);
    p->lists--;
}
