/* Functions of the parser for rules of the grammar. Each begins with the cursor at the first
 * token of the rule, and leaves it after the last one. After an error it still returns a tree,
 * which is not used. */
#ifndef PROGRAMS_SYNTAX_PARSER_H
#define PROGRAMS_SYNTAX_PARSER_H

#include "lib/memory.h"
#include "lib/name_table.h"
#include "programs/syntax/ast.h"
#include "programs/syntax/cursor.h"

struct programs_parser {
    struct programs_cursor cursor;
    struct lib_arena *arena;
    struct programs_nodes *nodes; /* of the definition being read */
    unsigned nesting;             /* nesting depth of the expression being read */
    unsigned lists; /* number of enclosing lists, in which a comma may follow */
    struct programs_ast *ast;
    LIB_VEC(struct programs_function *) functions;
    LIB_VEC(struct programs_equation *) constants;
    LIB_VEC(struct programs_input *) inputs;
    LIB_VEC(struct programs_data *) data;
    LIB_VEC(struct programs_datatype *) datatypes;
    struct lib_name_table *declared; /* names of constructors; NULL: not collected yet */
    bool in_datatype; /* small names are parameters of the type of data being read */
};

struct programs_expr_list {
    struct programs_expr **items;
    size_t count, capacity;
};

struct programs_equation_list {
    struct programs_equation **items;
    size_t count, capacity;
};

struct programs_binding_list {
    struct programs_binding **items;
    size_t count, capacity;
};

/* --- tokens: see programs/syntax/cursor.h ----------------------------------------------------- */

static inline const struct programs_token *
programs_parser_peek(const struct programs_parser *p)
{
    return programs_cursor_peek(&p->cursor);
}

static inline bool programs_parser_sees(const struct programs_parser *p,
                                        enum programs_token_kind kind)
{
    return programs_cursor_sees(&p->cursor, kind);
}

/* Whether token `t` is a sign of one byte that is no token of the language, such as a colon. */
static inline bool programs_parser_is_sign(const struct programs_parser *p,
                                           const struct programs_token *t, char sign)
{
    return t->kind == PROGRAMS_TOKEN_ERROR && t->pos.span == 1 &&
           p->cursor.source->bytes[t->offset] == sign;
}

static inline const struct programs_token *programs_parser_take(struct programs_parser *p)
{
    return programs_cursor_take(&p->cursor);
}

static inline bool programs_parser_accept(struct programs_parser *p,
                                          enum programs_token_kind kind)
{
    return programs_cursor_accept(&p->cursor, kind);
}

static inline struct lib_pos programs_parser_stretch(const struct programs_parser *p,
                                                     struct lib_pos start)
{
    return programs_cursor_stretch(&p->cursor, start);
}

static inline void programs_parser_unexpected(struct programs_parser *p,
                                              const char *expected)
{
    programs_cursor_unexpected(&p->cursor, expected);
}

static inline void programs_parser_unexpected_after(struct programs_parser *p,
                                                    const char *expected)
{
    programs_cursor_unexpected_after(&p->cursor, expected);
}

#define PROGRAMS_PARSER_FAIL(p, pos, ...)                                                \
    programs_cursor_fail(&(p)->cursor, LIB_DIAG_SYNTAX, (pos), __VA_ARGS__)

/* --- nodes ------------------------------------------------------------------------------ */

struct programs_expr *programs_parser_expr(struct programs_parser *p,
                                           enum programs_expr_kind kind,
                                           struct lib_pos pos);

/* Sets the operands of an expression, which ends at the last token. Frees the list `operands`.
 * Returns the expression. */
struct programs_expr *programs_parser_operands(struct programs_parser *p,
                                               struct programs_expr *e,
                                               struct programs_expr_list *operands);

/* Sets one or two operands of an expression; `b` may be NULL. Returns the expression. */
struct programs_expr *programs_parser_two(struct programs_parser *p,
                                          struct programs_expr *e,
                                          struct programs_expr *a,
                                          struct programs_expr *b);

struct programs_binding *programs_parser_binding(struct programs_parser *p,
                                                 enum programs_binding_kind kind,
                                                 const struct programs_token *name,
                                                 uint32_t index);

void *programs_parser_keep(struct programs_parser *p, const void *items, size_t count,
                           size_t size);

#define PROGRAMS_PARSER_KEEP(p, list, items_field, count_field)                          \
    ((items_field) = programs_parser_keep((p), (list)->items, (list)->count,             \
                                          sizeof *(list)->items),                        \
     (count_field) = (list)->count, LIB_VEC_FREE(list))

/* --- rules ------------------------------------------------------------------------------ */

/* Counts the nesting of expressions in `nesting`, which the caller sets back. Returns false and
 * reports an error if it is too deep. */
bool programs_parser_enter(struct programs_parser *p);

const struct programs_token *programs_parse_name(struct programs_parser *p,
                                                 const char *expected);

void programs_parse_define(struct programs_parser *p);

/* Reads `x = E` or `(x, y) = E`. */
struct programs_equation *programs_parse_equation(struct programs_parser *p,
                                                  enum programs_binding_kind kind);

/* Reads the left side of an equation, or a pattern of a `case` if `kind` is PATTERN, which may have
 * literals. Adds its names to a list. `expected` describes a name in messages. */
struct programs_pattern *programs_parse_pattern(struct programs_parser *p,
                                                enum programs_binding_kind kind,
                                                struct programs_binding_list *names,
                                                const char *expected);

/* Takes the `)` after names. */
void programs_parse_close_names(struct programs_parser *p,
                                const struct programs_token *open);

/* Reads `case E of P -> E | P if E -> E`. */
struct programs_expr *programs_parse_case(struct programs_parser *p);

/* Reads `Node(E, E)` or `Leaf`. */
struct programs_expr *programs_parse_construct(struct programs_parser *p);

/* Reads `.left` after an operand. */
struct programs_expr *programs_parse_selection(struct programs_parser *p,
                                               struct programs_expr *record);

/* Reads `data Tree = Leaf | Node(real, left: Tree)`. */
void programs_parse_datatype(struct programs_parser *p);

/* Whether a type of data of the program, or List, has a constructor of this name. */
bool programs_parse_is_declared(struct programs_parser *p, const char *name);

/* Adds the type List(a) unless the program defines it or one of its constructors. */
void programs_parse_predefined(struct programs_parser *p);

struct programs_data *programs_parse_path(struct programs_parser *p,
                                          enum programs_data_kind kind);

/* Moves past a `:`, if it is the current token, and returns true. The lexer makes an ERROR token of
 * a `:`, because few rules of the grammar have one. */
bool programs_parse_colon(struct programs_parser *p);

struct programs_annotation *programs_parse_type(struct programs_parser *p);

/* Whether a port declaration begins here: `port in`, `port out`, or `port` and a name. */
bool programs_parse_sees_port(const struct programs_parser *p);

/* Reads `port in x : [T]` or `port out x = E`. */
struct programs_equation *programs_parse_port(struct programs_parser *p);

/* Whether `name :` begins here, at top level: a constant with a type. */
bool programs_parse_sees_given(const struct programs_parser *p);

/* Reports the value of an input that is a constructor. */
void programs_parse_refuse_data(struct programs_parser *p);

/* Reads, after the name, `: T = file("PATH")`, or of an input `= VALUE` or `: T = VALUE`, where
 * VALUE is a file, an array, or `tensor` of one. Returns NULL and reads nothing if it is an input
 * that is a scalar. */
struct programs_equation *programs_parse_given(struct programs_parser *p,
                                               const struct programs_token *name,
                                               bool is_input);

/* Reads `param x : [E, ...] = INITIALISER`. */
struct programs_equation *programs_parse_param(struct programs_parser *p);

struct programs_expr *programs_parse_expr(struct programs_parser *p);
struct programs_expr *programs_parse_literal(struct programs_parser *p,
                                             const char *expected);

/* Reads an expression that a comma may follow, and adds it to a list. */
void programs_parse_item(struct programs_parser *p, struct programs_expr_list *list);

/* Reads `loop x = E, ... while E do E, ... return E`. */
struct programs_expr *programs_parse_loop(struct programs_parser *p);

/* Reads `[E, ...]`, or `[E | QUALIFIER, ...]`, of which the first is a generator: `i <- E .. E`,
 * `i <- E .. E by E`, `x <- E` or `x <- E at i`; others also a condition, or `x = E`. With `k -> E`
 * as element it is a COMPREHENSION of pairs, whose has_arrow is set. */
struct programs_expr *programs_parse_array(struct programs_parser *p);

/* Reads the `[E]` after an operand. */
struct programs_expr *programs_parse_index(struct programs_parser *p,
                                           struct programs_expr *array);

#endif
