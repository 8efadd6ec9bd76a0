#include "analysis/condition/condition_internal.h"

#include "lib/cursor.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NESTING = 64 }; /* of parentheses and signs; bounds the recursion */

enum type {
    NUMBER,
    TRUTH,
    TEXT,
    ANY
}; /* ANY: an input, whose type differs between runs */

static const char *const type_names[] = {"a number", "true or false", "a text",
                                         "a value"};

/* --- names -------------------------------------------------------------------------- */

const struct traces_column *analysis_names_find(const struct analysis_names *names,
                                                const char *name)
{
    const struct traces_column *c = traces_columns_find(names->columns, name);
    bool may = c && names->kinds & 1u << c->kind &&
               (c->kind != TRACES_COLUMN_LABEL || !names->may || names->may(c));
    return may ? c : NULL;
}

const char *analysis_names_nearest(const struct analysis_names *names, const char *wrong)
{
    const char *near = traces_columns_nearest(names->columns, wrong, names->kinds);
    return near && analysis_names_find(names, near) ? near : NULL;
}

/* --- reading ------------------------------------------------------------------------ */

struct reader {
    struct lib_cursor c;   /* at `word` */
    struct lib_slice word; /* the last word read; empty at the end */
    struct lib_arena *arena;
    const struct analysis_names *names;
    unsigned nesting;
    bool failed;
    struct analysis_condition_node *nodes;
    size_t count;
};

/* A parsed operand: its type and its first position. */
struct part {
    enum type type;
    const char *at;
};

/* Reports an error at a slice, unless there was one before. */
#define FAIL(r, at, ...)                                                                 \
    do {                                                                                 \
        if (!(r)->failed)                                                                \
            lib_cursor_error(&(r)->c, LIB_DIAG_SYNTAX, at, __VA_ARGS__);                 \
        (r)->failed = true;                                                              \
    } while (0)

static void fail_expected(struct reader *r, const char *what)
{
    if (!r->failed)
        lib_cursor_found(&r->c, r->word, what);
    r->failed = true;
}

static struct lib_slice slice_at(const char *at)
{
    return (struct lib_slice){at, 0};
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    if (*p == '\'')
        return strcspn(p + 1, "'") + (p[1 + strcspn(p + 1, "'")] ? 2 : 1);
    while (is_name(p[n]) ||
           (n && (p[n] == '+' || p[n] == '-') && (p[n - 1] == 'e' || p[n - 1] == 'E') &&
            isdigit((unsigned char)*p)))
        n++;
    if (n || !*p)
        return n;
    return strchr("=!<>", *p) && p[1] == '=' ? 2 : 1;
}

static void next_word(struct reader *r)
{
    lib_cursor_move(&r->c, r->c.at + r->word.length);
    lib_cursor_at_end(&r->c);
    r->word = (struct lib_slice){r->c.at, word_length(r->c.at)};
}

static bool skip(struct reader *r, const char *word)
{
    if (!lib_slice_is(r->word, word))
        return false;
    next_word(r);
    return true;
}

static void add_node(struct reader *r, struct analysis_condition_node node)
{
    if (r->count == ANALYSIS_CONDITION_NODES)
        FAIL(r, slice_at(r->word.bytes), "the condition is longer than can be read here");
    else
        r->nodes[r->count++] = node;
}

static void want(struct reader *r, struct part part, enum type type)
{
    if (part.type != type && part.type != ANY)
        FAIL(r, slice_at(part.at), "expected %s, found %s", type_names[type],
             type_names[part.type]);
}

static struct part read_or(struct reader *r);

static enum type column_type(const struct traces_column *column)
{
    switch (column->type) {
    case TRACES_TYPE_INT:
    case TRACES_TYPE_REAL:
        return NUMBER;
    case TRACES_TYPE_BOOL:
        return TRUTH;
    case TRACES_TYPE_TEXT:
        return TEXT;
    default:
        return ANY;
    }
}

static enum type read_number(struct reader *r, const char *word)
{
    struct analysis_condition_node node = {.op = OP_VALUE};
    int64_t integer;
    double real;
    if (lib_text_to_int(word, &integer))
        node.value = traces_cell_int(integer);
    else if (lib_text_to_real(word, &real))
        node.value = traces_cell_real(real);
    else
        fail_expected(r, "a number");
    add_node(r, node);
    return NUMBER;
}

static enum type read_name(struct reader *r, const char *word)
{
    const struct traces_column *column = analysis_names_find(r->names, word);
    if (!column) {
        const char *near = analysis_names_nearest(r->names, word);
        if (near)
            FAIL(r, r->word, "there is no `%s`; did you mean `%s`?", word, near);
        else
            FAIL(r, r->word, "there is no `%s`; a text stands in single quotes: '%s'",
                 word, word);
        return ANY;
    }
    add_node(r, (struct analysis_condition_node){.op = OP_COLUMN, .column = column});
    return column_type(column);
}

static struct part read_atom(struct reader *r)
{
    struct part part = {.type = ANY, .at = r->word.bytes};
    const char *word = lib_arena_copy(r->arena, r->word.bytes, r->word.length);
    if (lib_slice_is(r->word, "true") || lib_slice_is(r->word, "false")) {
        struct traces_cell value = {.type = TRACES_CELL_BOOL, .integer = *word == 't'};
        add_node(r, (struct analysis_condition_node){.op = OP_VALUE, .value = value});
        part.type = TRUTH;
    } else if (*word == '\'') {
        if (r->word.length < 2 || word[r->word.length - 1] != '\'')
            FAIL(r, slice_at(r->word.bytes), "the text has no end: a ' is missing");
        char *text = lib_arena_copy(r->arena, word + 1,
                                    r->word.length < 2 ? 0 : r->word.length - 2);
        add_node(r, (struct analysis_condition_node){.op = OP_VALUE,
                                                     .value = traces_cell_text(text)});
        part.type = TEXT;
    } else if (isdigit((unsigned char)*word)) {
        part.type = read_number(r, word);
    } else if (is_name(*word) && !lib_slice_is(r->word, "and") &&
               !lib_slice_is(r->word, "or") && !lib_slice_is(r->word, "not")) {
        part.type = read_name(r, word);
    } else {
        fail_expected(r, "a value");
        return part;
    }
    next_word(r);
    return part;
}

static struct part read_sign(struct reader *r)
{
    struct part part = {.type = ANY, .at = r->word.bytes};
    if (r->nesting++ > MAX_NESTING)
        FAIL(r, slice_at(r->word.bytes),
             "more than %d parentheses and signs in each other", MAX_NESTING);
    if (r->failed) {
        r->nesting--;
        return part;
    }
    if (skip(r, "-")) {
        struct part operand = read_sign(r);
        want(r, operand, NUMBER);
        add_node(r, (struct analysis_condition_node){.op = OP_NEGATE});
        part.type = NUMBER;
    } else if (skip(r, "(")) {
        part = read_or(r);
        if (!r->failed && !skip(r, ")"))
            fail_expected(r, "`)`");
    } else {
        part = read_atom(r);
    }
    r->nesting--;
    return part;
}

struct infix {
    const char *word;
    enum analysis_condition_op op;
};

static const struct infix products[] = {
    {"*", OP_MULTIPLY}, {"/", OP_DIVIDE}, {"%", OP_REMAINDER}, {0}};
static const struct infix sums[] = {{"+", OP_ADD}, {"-", OP_SUBTRACT}, {0}};
static const struct infix comparisons[] = {{"==", OP_EQUAL},
                                           {"!=", OP_UNEQUAL},
                                           {"<=", OP_AT_MAX},
                                           {">=", OP_AT_LEAST},
                                           {"<", OP_LESS},
                                           {">", OP_GREATER},
                                           {0}};
static const struct infix ands[] = {{"and", OP_AND}, {0}};
static const struct infix ors[] = {{"or", OP_OR}, {0}};

static const struct infix *take_infix(struct reader *r, const struct infix *infixes)
{
    for (; infixes->word; infixes++)
        if (!r->failed && skip(r, infixes->word))
            return infixes;
    return NULL;
}

/* Reads operands of one type with left-associative operators of one precedence between them. */
static struct part read_chain(struct reader *r, const struct infix *infixes,
                              enum type type, struct part (*operand)(struct reader *r))
{
    struct part left = operand(r);
    const struct infix *o;
    while ((o = take_infix(r, infixes))) {
        want(r, left, type);
        struct part right = operand(r);
        want(r, right, type);
        add_node(r, (struct analysis_condition_node){.op = o->op});
        left.type = type;
    }
    return left;
}

static struct part read_product(struct reader *r)
{
    return read_chain(r, products, NUMBER, read_sign);
}

static struct part read_sum(struct reader *r)
{
    return read_chain(r, sums, NUMBER, read_product);
}

static const char *choice(size_t i, const void *context)
{
    return ((const char *const *)context)[i];
}

static void check_choice(struct reader *r, const struct traces_column *column,
                         const struct analysis_condition_node *value, const char *at)
{
    if (!column || !column->choices || value->op != OP_VALUE)
        return;
    size_t count = 0, most = 1;
    for (const char *p = column->choices; (p = strchr(p, '|')); p++)
        most++;
    const char **names = LIB_ARENA_ARRAY(r->arena, const char *, most);
    for (const char *p = column->choices; *p;) {
        size_t length = strcspn(p, "|");
        names[count] = lib_arena_copy(r->arena, p, length);
        if (value->value.text && strcmp(names[count++], value->value.text) == 0)
            return;
        p += length + (p[length] == '|');
    }
    const char *near = lib_text_nearest(value->value.text, count, choice, names);
    FAIL(r, slice_at(at), "%s is one of %s, and never `%s`%s%s%s", column->name,
         column->choices, value->value.text, near ? "; did you mean `" : "",
         near ? near : "", near ? "`?" : "");
}

static struct part read_comparison(struct reader *r)
{
    struct part left = read_sum(r);
    size_t last = r->count;
    const struct infix *o = take_infix(r, comparisons);
    if (!o)
        return left;
    struct part right = read_sum(r);
    if (left.type != right.type && left.type != ANY && right.type != ANY)
        FAIL(r, slice_at(right.at), "expected %s, as on the left, found %s",
             type_names[left.type], type_names[right.type]);
    if (o->op != OP_EQUAL && o->op != OP_UNEQUAL) {
        want(r, left, NUMBER);
        want(r, right, NUMBER);
    } else if (!r->failed && left.type == TEXT && right.type == TEXT) {
        const struct analysis_condition_node *a = &r->nodes[last - 1],
                                             *b = &r->nodes[r->count - 1];
        check_choice(r, a->column, b, right.at);
        check_choice(r, b->column, a, left.at);
    }
    add_node(r, (struct analysis_condition_node){.op = o->op});
    left.type = TRUTH;
    const char *at = r->word.bytes;
    if (take_infix(r, comparisons))
        FAIL(r, slice_at(at), "comparisons do not chain; write `a < b and b < c`");
    return left;
}

static struct part read_not(struct reader *r)
{
    struct part part = {.type = TRUTH, .at = r->word.bytes};
    bool negated = false, any = false;
    while (skip(r, "not")) {
        negated = !negated;
        any = true;
    }
    struct part operand = read_comparison(r);
    if (!any)
        return operand;
    want(r, operand, TRUTH);
    if (negated)
        add_node(r, (struct analysis_condition_node){.op = OP_NOT});
    return part;
}

static struct part read_and(struct reader *r)
{
    return read_chain(r, ands, TRUTH, read_not);
}

static struct part read_or(struct reader *r)
{
    return read_chain(r, ors, TRUTH, read_and);
}

/* Whether `source` contains the text unchanged. If so, sets `pos` to the position of the text. */
static bool find_text(const struct lib_source *source, const char *text,
                      struct lib_pos *pos)
{
    size_t length;
    const char *p = lib_source_line(source, pos->line, &length);
    const char *end = source->bytes + source->length;
    length = strlen(text);
    for (uint32_t quote = 0; pos->line && quote < 2; quote++) {
        size_t skipped = pos->column - 1 + quote;
        if ((size_t)(end - p) >= skipped + length &&
            memcmp(p + skipped, text, length) == 0) {
            pos->column += quote;
            return true;
        }
        if (!((size_t)(end - p) > skipped && strchr("'\"", p[skipped])))
            break;
    }
    return false;
}

static const char *advice_on(const char *sign)
{
    static const char *const table[][2] = {
        {"=", "; write `==` to compare"},
        {"&", "; write `and`"},
        {"|", "; write `or`"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (*sign == *table[i][0])
            return table[i][1];
    return "";
}

static struct analysis_condition *
read_whole(struct lib_arena *arena, const struct analysis_names *names, const char *text,
           const struct lib_source *source, struct lib_pos pos, enum type type,
           struct lib_diags *diags)
{
    struct reader r = {.arena = arena,
                       .names = names,
                       .nodes = LIB_ARENA_ARRAY(arena, struct analysis_condition_node,
                                                ANALYSIS_CONDITION_NODES)};
    lib_cursor_on(&r.c, text, NULL, NULL);
    r.c.source = source;
    r.c.diags = diags;
    r.c.blanks = " \t\r\n";
    r.c.is_rough = !find_text(source, text, &pos);
    r.c.pos = pos;
    next_word(&r);
    struct part whole = read_or(&r);
    if (!r.failed && r.word.length)
        FAIL(&r, r.word, "expected %s or the end, found `%.*s`%s",
             type == TRUTH ? "`and`, `or`" : "an operator", (int)r.word.length,
             r.word.bytes, advice_on(r.word.bytes));
    want(&r, whole, type);
    if (r.failed)
        return NULL;
    struct analysis_condition *condition = LIB_ARENA_NEW(arena,
                                                         struct analysis_condition);
    condition->text = lib_arena_copy(arena, text, strlen(text));
    condition->count = r.count;
    condition->nodes = r.nodes;
    return condition;
}

struct analysis_condition *
analysis_condition_read(struct lib_arena *arena, const struct analysis_names *names,
                        const char *text, const struct lib_source *source,
                        struct lib_pos pos, struct lib_diags *diags)
{
    return read_whole(arena, names, text, source, pos, TRUTH, diags);
}

struct analysis_condition *
analysis_formula_read(struct lib_arena *arena, const struct analysis_names *names,
                      const char *text, const struct lib_source *source,
                      struct lib_pos pos, struct lib_diags *diags)
{
    return read_whole(arena, names, text, source, pos, NUMBER, diags);
}
