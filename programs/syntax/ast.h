/* The syntax tree of a program, as written; types and bindings are filled in by later
 * passes. Everything lives in the arena of the compilation.
 *
 *   programs/syntax/parse.c   makes the tree
 *   programs/types/resolve.c   binds every name to what it means, finds what is used
 *   programs/types/infer.c   gives every expression its type
 *   programs/graph/build.c   makes function graphs from the tree
 *   programs/syntax/print.c   writes the tree as a program that reads back the same
 */
#ifndef PROGRAMS_SYNTAX_AST_H
#define PROGRAMS_SYNTAX_AST_H

#include "isa/graph.h"
#include "isa/tensor/tensor.h"
#include "lib/arena.h"
#include "lib/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct programs_type; /* programs/types/type.h */
struct programs_expr;

/* --- what a name can mean --------------------------------------------------------------- */

enum programs_binding_kind {
    PROGRAMS_BIND_PARAM,   /* a parameter of a function */
    PROGRAMS_BIND_LET,     /* a name of a `let` */
    PROGRAMS_BIND_CONST,   /* a name of a top-level equation that is not a function */
    PROGRAMS_BIND_INPUT,   /* an `input` */
    PROGRAMS_BIND_LOOP,    /* a variable of a `loop` */
    PROGRAMS_BIND_INDEX,   /* the index of a comprehension: an int */
    PROGRAMS_BIND_ELEMENT, /* what runs over the elements of an array in a comprehension */
};

/* One defined name that stands for a value. */
struct programs_binding {
    enum programs_binding_kind kind;
    const char *name;
    struct lib_pos pos;         /* of the name where it is defined */
    struct programs_type *type; /* set by infer */
    uint32_t index;             /* PARAM: which parameter; INPUT: which input;
                                   LET, CONST: which name of its equation (0 unless tuple);
                                   LOOP: which variable of its loop */
    union {
        struct programs_function *function; /* PARAM: whose */
        struct programs_equation *equation; /* LET, CONST: defined by */
        struct programs_input *input;       /* INPUT */
        struct programs_expr
            *expr; /* LOOP, INDEX, ELEMENT: the loop, the comprehension */
    };
    bool used; /* set by names: reachable in the text from `result`. A variable of a loop
                  that only feeds itself is not. */
};

/* `names = value`, at top level or in a `let`; more than one name takes the parts of a
 * tuple. */
struct programs_equation {
    struct programs_binding **names;
    size_t name_count;
    bool
        is_tuple; /* written (a, b) = ...; (a) = ... is written with one name: an error */
    struct programs_expr *value;
    struct programs_param
        *param; /* `param name : [E, ...] = INITIALISER`: then `value` is an
                                     expression of kind PARAM; else NULL */
    struct programs_port *
        port; /* `port in name : [T]`: then `value` is of kind PORT; `port out name = E`; else NULL */
    bool used;      /* some name of it is; a port out always */
    uint32_t index; /* order among the constants of the program, or among all the
                       equations of its lets; set by parse */
};

/* A file that the program names; what is in it is there once it was read
 * (programs/types/data.h). */
enum programs_data_kind { PROGRAMS_DATA_FILE, PROGRAMS_DATA_TREES, PROGRAMS_DATA_CONLLU };

/* Trees: left, right, word, label. CoNLL-U: form, tag, head, label, first, length, and the
 * transitions of arc-hybrid and arc-eager. */
enum { PROGRAMS_TREES_PARTS = 4, PROGRAMS_CONLLU_PARTS = 8, PROGRAMS_DATA_PARTS = 8 };

struct programs_data {
    const char *path;
    struct lib_pos pos; /* of the path */
    enum programs_data_kind kind;
    bool is_vector;      /* of a param of rank 1: a row or a column is one */
    int64_t held, least; /* CoNLL-U: see isa/tensor/files/conllu.h */
    uint32_t part_count; /* one for a file */
    struct isa_tensor *tensors[PROGRAMS_DATA_PARTS]; /* owned; of several, rank 1 each */
};

/* How a param gets its value. */
enum programs_initialiser {
    PROGRAMS_INIT_ZEROS,
    PROGRAMS_INIT_ONES,
    PROGRAMS_INIT_NORMAL,  /* one argument: the standard deviation */
    PROGRAMS_INIT_UNIFORM, /* two: from, to */
    PROGRAMS_INIT_FILE,    /* a path */
};

const char *programs_initialiser_text(enum programs_initialiser initialiser);

/* Dimensions that a tensor has at most. */
enum { PROGRAMS_PARAM_RANK_MAX = 4 };

enum { PROGRAMS_PARAMS_MAX = 65535 };

struct programs_param {
    enum programs_initialiser initialiser;
    uint32_t number; /* of params in the order of the text, from 1 on: its random numbers
                        follow from it */
    size_t rank;
    size_t argument_count;      /* behind the extents among the operands */
    struct programs_data *data; /* FILE */
    struct lib_pos pos;         /* of the initialiser */
};

/* A type as written: int, real, bool, (T, T), [T], tensor(real, 2). */
struct programs_annotation {
    enum programs_annotation_kind {
        PROGRAMS_ANNOTATION_INT,
        PROGRAMS_ANNOTATION_REAL,
        PROGRAMS_ANNOTATION_BOOL,
        PROGRAMS_ANNOTATION_TUPLE,
        PROGRAMS_ANNOTATION_ARRAY,
        PROGRAMS_ANNOTATION_TENSOR,
    } kind;
    struct programs_annotation **parts; /* TUPLE; ARRAY: one, of its elements */
    size_t part_count;
    enum isa_element_kind element; /* TENSOR, */
    uint32_t rank;                 /* and its rank */
    struct lib_pos pos;
};

/* A port: an array that the host writes (in), or takes (out) element by element. */
struct programs_port {
    bool is_input;
    struct programs_annotation *type; /* of one in: an array; else NULL */
    const struct programs_equation *equation;
    struct lib_pos pos; /* of `port` */
};

struct programs_function {
    const char *name;
    struct lib_pos pos;
    struct programs_binding **params;
    size_t param_count;
    struct programs_data **data; /* what it reads, in the order of the text */
    size_t data_count;
    struct isa_tensor_memory tensors; /* of what was read */
    struct programs_expr *body;
    struct programs_type *result_type; /* set by infer */
    bool used;                         /* set by names */
    uint32_t index;                    /* order in the program */
    uint32_t component; /* the same of functions that call each other; set by names */
};

/* `input name = literal`; the literal may be negative. */
struct programs_input {
    struct programs_binding *binding;
    struct programs_expr *literal; /* EXPR_INT, EXPR_REAL or EXPR_BOOL */
    uint32_t index;
};

/* An equation of the top level: one of the three is set. */
struct programs_item {
    struct programs_function *function;
    struct programs_equation *constant;
    struct programs_input *input;
};

/* A whole program. The three lists are in the order of the text. */
struct programs_ast {
    struct lib_arena *arena;
    const struct lib_source *source;
    struct programs_function **functions;
    size_t function_count;
    struct programs_equation **constants; /* `result` among them */
    size_t constant_count;
    struct programs_input **inputs;
    size_t input_count;
    struct isa_placing
        *placings; /* which machines lines are on, in the order of the text */
    size_t placing_count;
    size_t let_count; /* equations of all lets together */
    size_t param_count;
    struct programs_data **data; /* what it reads, in the order of the text */
    size_t data_count;
    struct isa_tensor_memory tensors; /* of what was read */
    size_t variable_count;            /* variables of all loops together */
    struct programs_equation *result; /* set by names; NULL if there is none (an error) */
    bool
        has_tensors; /* it calls a built-in function on tensors, or has params: then types
                          may wait for what is a tensor; set by names */
    bool has_gradients; /* it calls `grad`; set by names */
    bool reads_result;  /* what is used names it: a comprehension, which its
                                         elements read; set by names */
    struct programs_item
        *order; /* functions and constants, each after those it names (what
                                    is mutually recursive, functions and comprehensions, in
                                    the order of the text); set by names */
    size_t order_count;
};

/* --- expressions ------------------------------------------------------------------------- */

enum programs_expr_kind {
    PROGRAMS_EXPR_INT,    /* integer: a literal; its type is int, or real where one is
                             needed. A minus directly before a literal belongs to it. */
    PROGRAMS_EXPR_REAL,   /* real */
    PROGRAMS_EXPR_BOOL,   /* boolean */
    PROGRAMS_EXPR_NAME,   /* name */
    PROGRAMS_EXPR_CALL,   /* call: of a function or of a built-in */
    PROGRAMS_EXPR_UNARY,  /* op: NEG, NOT; operands[0] */
    PROGRAMS_EXPR_BINARY, /* op; operands[0], operands[1] */
    PROGRAMS_EXPR_IF,     /* operands: condition, then, else */
    PROGRAMS_EXPR_LET,    /* let */
    PROGRAMS_EXPR_TUPLE,  /* operands: two or more */
    PROGRAMS_EXPR_LOOP, /* loop; operands: see programs_loop_initial and those after it */
    PROGRAMS_EXPR_ARRAY, /* operands: the elements; none: the empty array */
    PROGRAMS_EXPR_COMPREHENSION, /* index; operands: element, first and last index; or element, index or NULL;
                                    operands: element, array */
    PROGRAMS_EXPR_INDEX, /* operands: array, index */
    PROGRAMS_EXPR_PORT,  /* port: the array of a port in */
    PROGRAMS_EXPR_PARAM, /* param; operands: its extents, then arguments */
    PROGRAMS_EXPR_TEXT,  /* text: the argument of `file`, `trees` and `conllu` */
    PROGRAMS_EXPR_GRAD, /* gradient; operands: where it is taken. A CALL of `grad`, until names
                           are bound */
};

/* Operators as written, loosest last. AND and OR evaluate their right side only if
 * needed. */
enum programs_operator {
    PROGRAMS_NEG,
    PROGRAMS_NOT,
    PROGRAMS_MUL,
    PROGRAMS_DIV,
    PROGRAMS_REM,
    PROGRAMS_ADD,
    PROGRAMS_SUB,
    PROGRAMS_EQ,
    PROGRAMS_NE,
    PROGRAMS_LT,
    PROGRAMS_LE,
    PROGRAMS_GT,
    PROGRAMS_GE,
    PROGRAMS_AND,
    PROGRAMS_OR,
};

/* The functions that are always there (doc/language.md, "Built-in functions"). The table of them
 * is programs/syntax/builtins.def; those behind PROGRAMS_BUILTIN_PLAIN are the rows of
 * programs/syntax/tensors.def, which a definition of the program hides. */
enum programs_builtin {
#define BUILTIN(NAME, TEXT, ARITY, ...) PROGRAMS_BUILTIN_##NAME,
#include "programs/syntax/builtins.def"
#undef BUILTIN
    PROGRAMS_BUILTIN_PLAIN,
    PROGRAMS_BUILTIN_BEFORE_TENSORS = PROGRAMS_BUILTIN_PLAIN - 1,
#define TENSOR_BUILTIN(NAME, ...) PROGRAMS_BUILTIN_##NAME,
#include "programs/syntax/tensors.def"
#undef TENSOR_BUILTIN
    PROGRAMS_BUILTIN_COUNT,
};

/* The variables of a `loop`. Their initial values stand outside their scope, everything
 * else of the loop stands in it. */
struct programs_loop {
    struct programs_binding **names;
    size_t count; /* at least one */
    uint32_t
        first; /* number of the first among the variables of all loops; set by parse */
    uint32_t
        bound;    /* iterations that may be in flight, as the pragma `bound` says; 0: not
                       given */
    bool returns; /* has a `return`; else its value is that of the variables */
};

/* The greatest bound that can be given. */
enum { PROGRAMS_BOUND_MAX = 1000000000 };

/* Passes recurse over the tree. The parser refuses what would exhaust the host's stack: no pass
 * needs more than 512 kB for it, sanitizers and all. Chains, below, are no nesting. */
enum { PROGRAMS_NESTING_MAX = 250 };

struct programs_expr {
    enum programs_expr_kind kind;
    enum programs_operator op;  /* UNARY, BINARY */
    struct lib_pos pos;         /* of the token that carets point at: the operator of a
                                   BINARY, the keyword of IF, LET and LOOP, the name of a
                                   CALL, the `[` of arrays and INDEX */
    struct lib_pos start;       /* of the whole expression, parentheses included; its span
                                   reaches to the end if that is on the same line */
    struct programs_type *type; /* set by infer */
    struct programs_expr **operands;
    size_t operand_count;        /* CALL: the arguments */
    struct programs_expr *above; /* see programs_chain_goes_on */
    union {
        int64_t integer;
        double real;
        bool boolean;
        struct {
            const char *text;
            struct programs_binding *binding; /* set by names */
        } name;
        struct {
            const char *text;
            struct programs_function *function; /* set by names; NULL for a built-in */
            enum programs_builtin builtin;      /* meaningful where function is NULL */
            uint32_t
                own; /* operands before the `;` of a call of `grad`; 0: it has no `;` */
            bool gives_rows; /* of a call of `grad` by training */
            const char
                *element; /* set by names: the element that a call of `tensor`, `zeros` or
                                    `ones` names as its last argument; NULL: none */
        } call;
        struct {
            struct programs_equation **equations; /* in order; each sees the earlier */
            size_t count;
            struct programs_expr *body;
        } let;
        struct programs_loop *loop;
        struct { /* of a COMPREHENSION: */
            struct programs_binding
                *index; /* of the element that is computed; NULL: it has no name */
            struct programs_binding
                *element; /* of the array; NULL: it runs over a range */
            bool follows; /* the array is the name of a port in; set by names */
        };
        struct programs_port *port; /* of a PORT */
        struct programs_param *param;
        struct programs_data *data; /* TEXT */
        struct programs_gradient *gradient;
    };
};

/* What `grad(f, E, ...; w, u)` names. */
struct programs_gradient {
    struct programs_function *function;
    struct programs_binding **params; /* of `param`s: what stands behind the `;` */
    size_t param_count;
    bool gives_rows; /* of each param three values: a tensor, indices and their rows */
};

/* Chains: `a + b + c` is a tree as high as it is long, and so is `if a then x else if b then y
 * else z`. A pass does not recurse into the operand that goes on with a chain: the first of an
 * operator between two, or of an index; the last of an `if`. It goes down, and up again:
 *
 *     at = e;
 *     for (; programs_chain_goes_on(at); at = programs_chain_down(at))
 *         ...                          what `at` has before that operand
 *     ...                              the end, which goes on with no chain
 *     while (at != e) {
 *         at = at->above;
 *         ...                          what `at` has behind it
 *     }
 */
static inline bool programs_chain_goes_on(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_BINARY || e->kind == PROGRAMS_EXPR_INDEX ||
           e->kind == PROGRAMS_EXPR_IF;
}

static inline struct programs_expr *programs_chain_down(const struct programs_expr *e)
{
    struct programs_expr *next = e->operands[e->kind == PROGRAMS_EXPR_IF ? 2 : 0];
    next->above = (struct programs_expr *)e;
    return next;
}

/* The parts of a loop: the initial value of variable k, the condition, what variable k
 * becomes, and what it returns (NULL: there is no `return`). */
static inline struct programs_expr *programs_loop_initial(const struct programs_expr *e,
                                                          size_t k)
{
    return e->operands[k];
}

static inline struct programs_expr *programs_loop_condition(const struct programs_expr *e)
{
    return e->operands[e->loop->count];
}

static inline struct programs_expr *programs_loop_next(const struct programs_expr *e,
                                                       size_t k)
{
    return e->operands[e->loop->count + 1 + k];
}

static inline struct programs_expr *programs_loop_result(const struct programs_expr *e)
{
    return e->loop->returns ? e->operands[2 * e->loop->count + 1] : NULL;
}

/* Whether a comprehension runs over the elements of an array, `[E | x <- a]`. */
static inline bool programs_is_over_array(const struct programs_expr *e)
{
    return e->element != NULL;
}

/* The comprehension that an equation gives a name, which may be used in its elements;
 * NULL: it is no such equation. */
static inline struct programs_expr *
programs_equation_comprehension(const struct programs_equation *q)
{
    bool named = !q->is_tuple && q->value->kind == PROGRAMS_EXPR_COMPREHENSION;
    return named ? q->value : NULL;
}

/* --- functions --------------------------------------------------------------------------- */

/* How tightly operators bind, loosest first. */
enum programs_level {
    PROGRAMS_LEVEL_OR,
    PROGRAMS_LEVEL_AND,
    PROGRAMS_LEVEL_NOT,
    PROGRAMS_LEVEL_COMPARISON, /* does not chain; the other binary ones join leftwards */
    PROGRAMS_LEVEL_SUM,
    PROGRAMS_LEVEL_PRODUCT,
    PROGRAMS_LEVEL_NEG,
    PROGRAMS_LEVEL_OPERAND,
};

enum programs_level programs_operator_level(enum programs_operator op);

/* The operator as it is written: "==", "and". */
const char *programs_operator_text(enum programs_operator op);

/* How far a walk over the top level has come. Start with {0}. */
struct programs_walk {
    size_t functions, constants, inputs;
};

/* The next equation of the top level in the order of the text (where positions are equal:
 * inputs, constants, functions). false: there is none. */
bool programs_ast_next(const struct programs_ast *ast, struct programs_walk *walk,
                       struct programs_item *item);

/* Whether a comes before b in the text. */
bool programs_pos_before(struct lib_pos a, struct lib_pos b);

/* Puts the diagnostics from number `from` on, all of one file, into the order of the
 * text. */
void programs_sort_diags(struct lib_diags *diags, size_t from);

#endif
