/* The syntax tree of a program. Everything is allocated in the arena of the compilation.
 *
 *   programs/syntax/parse.c    makes the tree
 *   programs/types/resolve.c   binds every name to its definition, marks what is used
 *   programs/types/infer.c     gives every expression its type
 *   programs/graph/build.c     makes function graphs of the tree
 *   programs/syntax/print.c    prints the tree as a program that reads back the same
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

/* --- definitions ------------------------------------------------------------------------ */

enum programs_binding_kind {
    PROGRAMS_BIND_PARAM,   /* a parameter of a function */
    PROGRAMS_BIND_LET,     /* a name of a `let` */
    PROGRAMS_BIND_CONST,   /* a name of a top-level equation that is not a function */
    PROGRAMS_BIND_INPUT,   /* an `input` */
    PROGRAMS_BIND_LOOP,    /* a variable of a `loop` */
    PROGRAMS_BIND_INDEX,   /* the index of a comprehension: an int */
    PROGRAMS_BIND_ELEMENT, /* an element of the array that a comprehension runs over */
};

/* A name that is defined as a value. */
struct programs_binding {
    enum programs_binding_kind kind;
    const char *name;
    struct lib_pos pos;         /* place of the name in its definition */
    struct programs_type *type; /* set by programs_infer */
    /* Number of the parameter, input or variable; LET, CONST: number of the name in its
     * equation. */
    uint32_t index;
    union {
        struct programs_function *function; /* PARAM: its function */
        struct programs_equation *equation; /* LET, CONST: its definition */
        struct programs_input *input;       /* INPUT: its declaration */
        struct programs_expr *expr; /* LOOP, INDEX, ELEMENT: loop or comprehension */
    };
    /* Whether `result` depends on it in the text; not so a loop variable on which only itself
     * depends. Set by programs_resolve. */
    bool used;
};

/* `names = value`, at top level or in a `let`. Several names take the parts of a tuple. */
struct programs_equation {
    struct programs_binding **names;
    size_t name_count;
    bool is_tuple; /* names in parentheses; a single one, as (a) = ..., is an error */
    struct programs_expr *value;
    /* `param name : [E, ...] = INITIALISER`, where `value` is of kind PARAM; else NULL. */
    struct programs_param *param;
    /* `port in name : [T]`, where `value` is of kind PORT, or `port out name = E`; else NULL. */
    struct programs_port *port;
    bool used;      /* some name of it is used, or it is an output port */
    uint32_t index; /* number among the constants, or among all equations of lets */
};

/* A file that the program names. programs/types/data.h reads its contents. */
enum programs_data_kind { PROGRAMS_DATA_FILE, PROGRAMS_DATA_TREES, PROGRAMS_DATA_CONLLU };

/* Numbers of tensors. Trees: left, right, word, label. CoNLL-U: form, tag, head, label, first,
 * length, and the transitions of arc-hybrid and arc-eager. */
enum { PROGRAMS_TREES_PARTS = 4, PROGRAMS_CONLLU_PARTS = 8, PROGRAMS_DATA_PARTS = 8 };

struct programs_data {
    const char *path;
    const char *folder; /* folder that the path begins from; NULL: that of the program */
    struct lib_pos pos; /* place of the path */
    enum programs_data_kind kind;
    /* the param has rank 1, so that a file with one row or column is a vector */
    bool is_vector;
    int64_t held, least; /* CoNLL-U: as in struct isa_conllu_options */
    uint32_t part_count; /* number of tensors; 1 for FILE */
    struct isa_tensor *tensors[PROGRAMS_DATA_PARTS]; /* owned; rank 1 if several */
};

/* Initialisers of params. */
enum programs_initialiser {
    PROGRAMS_INIT_ZEROS,
    PROGRAMS_INIT_ONES,
    PROGRAMS_INIT_NORMAL,  /* one argument: standard deviation */
    PROGRAMS_INIT_UNIFORM, /* two arguments: low, high */
    PROGRAMS_INIT_FILE,    /* a path */
};

const char *programs_initialiser_text(enum programs_initialiser initialiser);

enum { PROGRAMS_PARAM_RANK_MAX = 4 };

enum { PROGRAMS_PARAMS_MAX = 65535 };

struct programs_param {
    enum programs_initialiser initialiser;
    /* Number of the param in the text, from 1 on, which selects its random numbers. */
    uint32_t number;
    size_t rank;
    size_t argument_count; /* number of arguments; as operands they follow the extents */
    struct programs_data *data; /* FILE: the file */
    struct lib_pos pos;         /* place of the initialiser */
};

/* A type that the program writes: int, real, bool, (T, T), [T], tensor(real, 2). */
struct programs_annotation {
    enum programs_annotation_kind {
        PROGRAMS_ANNOTATION_INT,
        PROGRAMS_ANNOTATION_REAL,
        PROGRAMS_ANNOTATION_BOOL,
        PROGRAMS_ANNOTATION_TUPLE,
        PROGRAMS_ANNOTATION_ARRAY,
        PROGRAMS_ANNOTATION_TENSOR,
    } kind;
    struct programs_annotation **parts; /* TUPLE: its parts; ARRAY: one, the element */
    size_t part_count;
    enum isa_element_kind element; /* TENSOR: kind of its elements */
    uint32_t rank;                 /* TENSOR: its rank */
    struct lib_pos pos;
};

/* A port: an array that the host writes (in) or takes (out) element by element. */
struct programs_port {
    bool is_input;
    struct programs_annotation *type; /* input port: its type, an array; else NULL */
    const struct programs_equation *equation;
    struct lib_pos pos; /* place of the word `port` */
};

struct programs_function {
    const char *name;
    struct lib_pos pos;
    struct programs_binding **params;
    size_t param_count;
    struct programs_data **data; /* files that it names, in the order of the text */
    size_t data_count;
    struct isa_tensor_memory tensors; /* memory of the files' tensors */
    struct programs_expr *body;
    struct programs_type *result_type; /* set by programs_infer */
    bool used;                         /* set by programs_resolve */
    uint32_t index;                    /* number of the function in the program */
    /* equal for functions that call each other; set by programs_resolve */
    uint32_t component;
};

/* `input name = literal`; the literal may be negative. */
struct programs_input {
    struct programs_binding *binding;
    struct programs_expr *literal; /* of kind INT, REAL or BOOL */
    uint32_t index;
};

/* An equation of the top level; the other two members are NULL. */
struct programs_item {
    struct programs_function *function;
    struct programs_equation *constant;
    struct programs_input *input;
};

/* A program. `functions`, `constants` and `inputs` are in the order of the text. */
struct programs_ast {
    struct lib_arena *arena;
    const struct lib_source *source;
    struct programs_function **functions;
    size_t function_count;
    struct programs_equation **constants; /* `result` among them */
    size_t constant_count;
    struct programs_input **inputs;
    size_t input_count;
    struct isa_placing *placings; /* directives `machine`, in the order of the text */
    size_t placing_count;
    size_t let_count; /* number of equations in all `let`s */
    size_t param_count;
    struct programs_data **data; /* files that it names, in the order of the text */
    size_t data_count;
    struct isa_tensor_memory tensors; /* memory of the files' tensors */
    size_t variable_count;            /* number of variables of all loops */
    /* programs_resolve sets the following members. */
    /* definition of `result`; NULL: missing, an error */
    struct programs_equation *result;
    /* Whether the program calls a built-in function on tensors or has params. If so, inference
     * may have to wait until it is known what is a tensor. */
    bool has_tensors;
    bool has_gradients; /* it calls `grad` */
    bool reads_result;  /* `result` is a comprehension that other used equations name */
    /* Functions and constants, each after those that it names. Mutually recursive functions and
     * comprehensions are in the order of the text. */
    struct programs_item *order;
    size_t order_count;
};

/* --- expressions ------------------------------------------------------------------------- */

enum programs_expr_kind {
    /* `integer`: a literal of type int, or real if one is needed. A minus directly before a
     * literal is part of it. */
    PROGRAMS_EXPR_INT,
    PROGRAMS_EXPR_REAL,   /* a literal, in `real` */
    PROGRAMS_EXPR_BOOL,   /* a literal, in `boolean` */
    PROGRAMS_EXPR_NAME,   /* a name, in `name` */
    PROGRAMS_EXPR_CALL,   /* call of a function or of a built-in */
    PROGRAMS_EXPR_UNARY,  /* `op`: NEG or NOT; one operand */
    PROGRAMS_EXPR_BINARY, /* `op`; two operands */
    PROGRAMS_EXPR_IF,     /* operands: condition, then, else */
    PROGRAMS_EXPR_LET,    /* a `let`, in `let` */
    PROGRAMS_EXPR_TUPLE,  /* operands: two or more */
    PROGRAMS_EXPR_LOOP,   /* `loop`; operands: see programs_loop_initial and below */
    PROGRAMS_EXPR_ARRAY,  /* operands: the elements, maybe none */
    /* Over a range: `index`; operands: element, first index, last index. Over an array:
     * `element`, and `index` or NULL; operands: element, array. */
    PROGRAMS_EXPR_COMPREHENSION,
    PROGRAMS_EXPR_INDEX, /* operands: array, index */
    PROGRAMS_EXPR_PORT,  /* `port`: the array of an input port */
    PROGRAMS_EXPR_PARAM, /* `param`; operands: its extents, then arguments */
    PROGRAMS_EXPR_TEXT,  /* `data`: the file that `file`, `trees` or `conllu` names */
    /* `gradient`; operands: the arguments of `grad`. A CALL of `grad` until names are bound. */
    PROGRAMS_EXPR_GRAD,
};

/* Operators of programs. AND and OR evaluate their right side only if needed. */
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

/* Built-in functions (doc/language.md, "Built-in functions"): the rows of
 * programs/syntax/builtins.def, and from PROGRAMS_BUILTIN_PLAIN on those of
 * programs/syntax/tensors.def. A program may define a function with the name of one of the latter,
 * which is then meant. */
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

/* The variables of a `loop`. Their scope is the loop without their initial values. */
struct programs_loop {
    struct programs_binding **names;
    size_t count;   /* number of variables, at least one */
    uint32_t first; /* number of its first variable among those of all loops */
    uint32_t bound; /* max iterations in flight, by the pragma `bound`; 0: not given */
    bool returns;   /* it has a `return`; else its value is that of its variables */
};

/* Max value of the pragma `bound`. */
enum { PROGRAMS_BOUND_MAX = 1000000000 };

/* Max nesting of expressions. Passes recurse over the tree, and none needs more than 512 kB of
 * stack for it, even with sanitizers. Chains, below, do not count as nesting. */
enum { PROGRAMS_NESTING_MAX = 250 };

struct programs_expr {
    enum programs_expr_kind kind;
    enum programs_operator op; /* UNARY, BINARY: the operator */
    /* Token that diagnostics point at: the operator of a BINARY, the keyword of IF, LET and LOOP,
     * the name of a CALL, the `[` of arrays and INDEX. */
    struct lib_pos pos;
    /* Start of the expression with parentheses. The span reaches to its end if that is on the
     * same line. */
    struct lib_pos start;
    struct programs_type *type; /* set by programs_infer */
    struct programs_expr **operands;
    size_t operand_count; /* CALL: number of its arguments */
    /* next expression outwards in a chain (programs_chain_down) */
    struct programs_expr *above;
    union {
        int64_t integer;
        double real;
        bool boolean;
        struct {
            const char *text;
            struct programs_binding *binding; /* set by programs_resolve */
        } name;
        struct {
            const char *text;
            /* Set by programs_resolve; NULL for a built-in. */
            struct programs_function *function;
            /* the built-in function if `function` is NULL */
            enum programs_builtin builtin;
            /* `grad`: number of operands before the `;`, or 0 without `;` */
            uint32_t own;
            bool gives_rows; /* `grad`: rows are requested (programs/training.h) */
            /* `tensor`, `zeros`, `ones`: kind of element that the last argument names, or NULL;
             * set by programs_resolve. */
            const char *element;
        } call;
        struct {
            struct programs_equation **equations; /* each sees those before it */
            size_t count;
            struct programs_expr *body;
        } let;
        struct programs_loop *loop;
        struct {                            /* COMPREHENSION */
            struct programs_binding *index; /* index of the element; NULL if not named */
            struct programs_binding *element; /* element of an array; or NULL */
            /* the array is an input port; set by programs_resolve */
            bool follows;
        };
        struct programs_port *port; /* PORT: the port */
        struct programs_param *param;
        struct programs_data *data; /* TEXT: the file */
        struct programs_gradient *gradient;
    };
};

/* The names in `grad(f, E, ...; w, u)`. */
struct programs_gradient {
    struct programs_function *function;
    struct programs_binding **params; /* params after the `;` */
    size_t param_count;
    bool gives_rows; /* three values per param: a tensor, indices of rows, these rows */
};

/* Chains. The tree of `a + b + c + ...` is as deep as it is long, and so is that of `if a then x
 * else if b then y else ...`. So passes do not recurse into the operand that continues a chain: the
 * first of a binary operator or an index, the last of an `if`. They go down and up in loops:
 *
 *     at = e;
 *     for (; programs_chain_goes_on(at); at = programs_chain_down(at))
 *         ... parts of `at` before that operand ...
 *     ... the end of the chain ...
 *     while (at != e) {
 *         at = at->above;
 *         ... parts of `at` after that operand ...
 *     }
 *
 * programs_chain_goes_on returns whether an expression continues a chain. */
static inline bool programs_chain_goes_on(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_BINARY || e->kind == PROGRAMS_EXPR_INDEX ||
           e->kind == PROGRAMS_EXPR_IF;
}

/* Returns the operand that continues the chain, and sets its `above`. */
static inline struct programs_expr *programs_chain_down(const struct programs_expr *e)
{
    struct programs_expr *next = e->operands[e->kind == PROGRAMS_EXPR_IF ? 2 : 0];
    next->above = (struct programs_expr *)e;
    return next;
}

/* Return parts of a loop: the initial value of variable k, the condition, the next value of
 * variable k, and the operand of `return` or NULL. */
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

/* Returns the comprehension that an equation names, or NULL. Its elements may use that name. */
static inline struct programs_expr *
programs_equation_comprehension(const struct programs_equation *q)
{
    bool named = !q->is_tuple && q->value->kind == PROGRAMS_EXPR_COMPREHENSION;
    return named ? q->value : NULL;
}

/* --- functions --------------------------------------------------------------------------- */

/* Binding levels of operators, loosest first. */
enum programs_level {
    PROGRAMS_LEVEL_OR,
    PROGRAMS_LEVEL_AND,
    PROGRAMS_LEVEL_NOT,
    PROGRAMS_LEVEL_COMPARISON, /* not associative; other binary ones are left-associative */
    PROGRAMS_LEVEL_SUM,
    PROGRAMS_LEVEL_PRODUCT,
    PROGRAMS_LEVEL_NEG,
    PROGRAMS_LEVEL_OPERAND,
};

enum programs_level programs_operator_level(enum programs_operator op);

const char *programs_operator_text(enum programs_operator op);

/* State of a walk over the top level. Start with {0}. */
struct programs_walk {
    size_t functions, constants, inputs;
};

/* Finds the next equation of the top level in the order of the text; at equal positions inputs come
 * first, then constants, then functions. Returns false at the end. */
bool programs_ast_next(const struct programs_ast *ast, struct programs_walk *walk,
                       struct programs_item *item);

bool programs_pos_before(struct lib_pos a, struct lib_pos b);

/* Sorts the diagnostics from number `from` on, all of one file, by position. */
void programs_sort_diags(struct lib_diags *diags, size_t from);

#endif
