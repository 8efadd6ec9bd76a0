/* The syntax tree of a program. Everything is allocated in the arena of the compilation, or in
 * children of it, which are freed when what they have has become a form.
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

struct programs_type;
struct programs_expr;

/* Arena with the expressions of some definitions, a child of that of the compilation. */
struct programs_nodes {
    struct lib_arena *arena; /* NULL: freed */
    uint32_t needed;         /* definitions that still need their expressions */
};

/* --- definitions ------------------------------------------------------------------------ */

enum programs_binding_kind {
    PROGRAMS_BIND_PARAM,
    PROGRAMS_BIND_LET,
    PROGRAMS_BIND_CONST, /* name of a top-level equation that is not a function */
    PROGRAMS_BIND_INPUT,
    PROGRAMS_BIND_LOOP,
    PROGRAMS_BIND_INDEX,   /* index in a comprehension: an int */
    PROGRAMS_BIND_ELEMENT, /* element of the array that a comprehension runs over */
    PROGRAMS_BIND_PATTERN, /* name in a pattern of a `case` */
};

/* A name that stands for a value, and its definition. */
struct programs_binding {
    enum programs_binding_kind kind;
    const char *name;
    struct lib_pos pos;         /* position of the name in its definition */
    struct programs_type *type; /* set by programs_infer */
    /* Index of the name among the function's parameters, the program's inputs or the loop's
     * variables; for LET and CONST, among the names of its equation. */
    uint32_t index;
    union {
        struct programs_function *function; /* the function, if the name is a parameter */
        /* The definition, if the name is of kind LET or CONST. */
        struct programs_equation *equation;
        struct programs_input *input; /* the declaration, if the name is an input */
        /* The loop or comprehension, if the name is of kind LOOP, INDEX or ELEMENT. */
        struct programs_expr *expr;
    };
    struct programs_binding *copy; /* scratch: in a copy of its function */
    /* Whether `result` depends on the name; false for a loop variable that only its own next value
     * needs. Set by programs_resolve. */
    bool used;
};

enum programs_pattern_kind {
    PROGRAMS_PATTERN_NAME,        /* names a value; `_` only takes its place */
    PROGRAMS_PATTERN_TUPLE,       /* takes a tuple apart */
    PROGRAMS_PATTERN_CONSTRUCTOR, /* takes data of one constructor apart */
    PROGRAMS_PATTERN_LITERAL,     /* an int, real or bool; only in a `case` */
};

/* Left side of an equation, a parameter, or an arm of a `case`. */
struct programs_pattern {
    enum programs_pattern_kind kind;
    struct lib_pos pos;
    struct programs_binding *binding; /* of a NAME */
    struct programs_pattern **parts;  /* of a TUPLE: two or more; of a CONSTRUCTOR */
    size_t part_count;
    const char *text; /* of a CONSTRUCTOR: its name */
    /* Of a CONSTRUCTOR; set by programs_resolve. */
    const struct programs_constructor *constructor;
    struct programs_expr *literal; /* of a LITERAL: of kind INT, REAL or BOOL */
};

/* Equation `names = value`, at top level or in a `let`. Several names take the parts of a tuple. */
struct programs_equation {
    /* In the order of the pattern, which is that of the flattened value. */
    struct programs_binding **names;
    size_t name_count;
    /* The left side if it has tuples in a tuple, or a constructor; else NULL. */
    struct programs_pattern *pattern;
    /* Whether the names are in parentheses. A single one in parentheses, (a) = ..., is an error. */
    bool is_tuple;
    struct programs_expr *value;
    /* Equation `param name : [E, ...] = INITIALISER` with a `value` of kind PARAM; else NULL. */
    struct programs_param *param;
    /* Equation `port in name : [T]` with a `value` of kind PORT, or `port out name = E`; else
     * NULL. */
    struct programs_port *port;
    /* Equation `input name = VALUE` of an array or a tensor, or `name : [T] = file("PATH")`, with
     * a `value` of kind GIVEN; else NULL. */
    struct programs_given *given;
    struct programs_nodes *nodes; /* of an equation at top level: its expressions */
    bool used;      /* a name of the equation is used, or this is an output port */
    uint32_t index; /* index among the constants, or among the equations of all lets */
};

/* Kinds of data files; programs/types/data.h reads them. */
enum programs_data_kind {
    PROGRAMS_DATA_FILE,
    PROGRAMS_DATA_TREES,
    PROGRAMS_DATA_CONLLU,
    PROGRAMS_DATA_GIVEN, /* value of a `given`, from a file or as it is written */
};

/* Numbers of tensors that data files give. Trees: left, right, word, label. CoNLL-U: form, tag,
 * head, label, first, length, and the transitions of arc-hybrid and arc-eager. */
enum { PROGRAMS_TREES_PARTS = 4, PROGRAMS_CONLLU_PARTS = 8, PROGRAMS_DATA_PARTS = 8 };

struct programs_data {
    const char *path; /* NULL: the value is written in the program */
    /* Folder that `path` is relative to; NULL: the folder of the program. */
    const char *folder;
    struct lib_pos pos; /* position of the path in the source */
    enum programs_data_kind kind;
    /* The file is for a param of rank 1: one with a single row or column is read as a vector. */
    bool is_vector;
    int64_t held, least; /* options of CoNLL-U files (struct isa_conllu_options) */
    struct programs_given *given; /* of kind GIVEN */
    uint32_t part_count;          /* number of tensors; 1 unless trees or sentences */
    /* The tensors of the file; owned. If there are several, each has rank 1. */
    struct isa_tensor *tensors[PROGRAMS_DATA_PARTS];
};

/* Ways to initialise params. */
enum programs_initialiser {
    PROGRAMS_INIT_ZEROS,
    PROGRAMS_INIT_ONES,
    PROGRAMS_INIT_NORMAL,  /* normally distributed; argument: standard deviation */
    PROGRAMS_INIT_UNIFORM, /* uniformly distributed; arguments: low, high */
    PROGRAMS_INIT_FILE,    /* read from a file */
};

const char *programs_initialiser_text(enum programs_initialiser initialiser);

enum { PROGRAMS_PARAM_RANK_MAX = 4 };

enum { PROGRAMS_PARAMS_MAX = 65535 };

struct programs_param {
    enum programs_initialiser initialiser;
    /* Position of the param among the params of the source, from 1; selects its random values. */
    uint32_t number;
    size_t rank;
    /* Number of the initialiser's arguments, which follow the extents as operands. */
    size_t argument_count;
    struct programs_data *data; /* file of the initialiser FILE */
    struct lib_pos pos;         /* position of the initialiser */
};

/* A type written in the source: int, real, bool, (T, T), [T], tensor(real, 2). */
struct programs_annotation {
    enum programs_annotation_kind {
        PROGRAMS_ANNOTATION_INT,
        PROGRAMS_ANNOTATION_REAL,
        PROGRAMS_ANNOTATION_BOOL,
        PROGRAMS_ANNOTATION_TUPLE,
        PROGRAMS_ANNOTATION_ARRAY,
        PROGRAMS_ANNOTATION_TENSOR,
        PROGRAMS_ANNOTATION_DATA,     /* type of data `text`; parts: its arguments */
        PROGRAMS_ANNOTATION_VARIABLE, /* parameter `text` of a type of data */
    } kind;
    const char *text;
    const struct programs_datatype *datatype; /* of DATA; set by programs_datatypes */
    uint32_t index; /* of a VARIABLE: of the parameter; set by programs_datatypes */
    struct programs_annotation **parts; /* parts of a tuple, or the element of an array */
    size_t part_count;
    enum isa_element_kind element; /* element type of a tensor */
    uint32_t rank;                 /* rank of a tensor */
    struct lib_pos pos;
};

/* A port: an array that the host of the program writes (in) or takes (out) element by element. */
struct programs_port {
    bool is_input;
    struct programs_annotation *type; /* input port: its type, an array; else NULL */
    const struct programs_equation *equation;
    struct lib_pos pos; /* position of the word `port` */
};

/* An array or a tensor that is given: an input, or a file with a type. */
struct programs_given {
    const struct programs_equation *equation;
    bool is_input;
    /* The type. NULL until programs_data_read, if the source does not write it. */
    struct programs_annotation
        *type;         /* an array of scalars or tuples of scalars, or a tensor */
    bool is_annotated; /* the source writes the type */
    bool makes_tensor; /* the value is written in `tensor(...)` */
    struct programs_expr *literal; /* value as it is written; NULL: it is in a file */
    struct programs_data *data;
};

/* --- types of data ------------------------------------------------------------------------ */

struct programs_field {
    const char *name; /* NULL: none */
    struct lib_pos pos;
    struct programs_annotation *type;
    const struct programs_constructor *constructor;
    uint32_t index; /* among the fields of the constructor */
};

struct programs_constructor {
    const char *name;
    struct lib_pos pos;
    uint32_t number; /* within its type */
    struct programs_field *fields;
    uint32_t field_count;
    struct programs_datatype *datatype;
};

/* Type of data: `data Tree(a) = Leaf | Node(a, left: Tree(a), right: Tree(a))`. */
struct programs_datatype {
    const char *name;
    struct lib_pos pos;
    struct lib_arena *arena;
    const char **params;
    uint32_t param_count;
    struct programs_constructor *constructors;
    uint32_t constructor_count;
    bool is_predefined; /* the program does not write it */
    /* The members from here on are set by programs_datatypes. */
    uint32_t index;
    /* Values are cells of memory. False: the type has one constructor, with fields, and does not
     * contain itself; its values are those of its fields, as a tuple's are. */
    bool is_boxed;
    bool is_enumeration; /* no constructor has fields */
    /* Field whose type has no equality, so that this type has none; or NULL. */
    const struct programs_field *incomparable;
};

struct programs_function {
    const char *name;
    struct lib_pos pos;
    struct programs_binding **params;
    size_t param_count;
    struct programs_data **data; /* data files that the function names */
    size_t data_count;
    struct isa_tensor_memory tensors; /* memory of tensors from files */
    struct programs_expr *body;
    /* Number of parameters that are patterns, such as (a, b). The body is a `let` whose first
     * equations take these parameters apart; their names in `params` are the text of the
     * pattern. */
    size_t pattern_count;
    struct programs_nodes *nodes;      /* its expressions */
    struct programs_type *result_type; /* set by programs_infer */
    bool used;                         /* set by programs_resolve */
    uint32_t index;
    /* Types of the parameters, then of the result, if they are known before inference: the
     * function is an instance of another one; or NULL. */
    struct programs_type **instance;
    /* Each use has types of its own; set by programs_infer. */
    bool is_polymorphic;
    bool is_instance; /* made for uses of a polymorphic function, or for `==` of data */
    /* Id of the group of functions that call each other to which this one belongs; set by
     * programs_resolve. */
    uint32_t component;
};

/* A function that programs_infer has made for uses of another one with certain types. */
struct programs_instance {
    const struct programs_function *of; /* NULL: compares data */
    struct programs_function *function;
};

/* Definition `input name = literal` of a scalar; the literal may be negative. */
struct programs_input {
    struct programs_binding *binding;
    struct programs_expr *literal; /* expression of kind INT, REAL or BOOL */
    uint32_t index;
};

/* A top-level equation. One member points to it; the other two are NULL. */
struct programs_item {
    struct programs_function *function;
    struct programs_equation *constant;
    struct programs_input *input;
};

/* A directive `--# machine N`, or, if `class` is not NULL, `--# on CLASS`, for source lines. That
 * of `--# on` has the lines of the equations that it is before, and no machine. */
struct programs_placing {
    struct isa_placing lines;
    const char *class;
};

/* A program. `functions`, `constants` and `inputs` are in source order. */
struct programs_ast {
    struct lib_arena *arena;
    const struct lib_source *source;
    struct programs_function **functions;
    size_t function_count;
    struct programs_equation **constants; /* constants; `result` is one of them */
    size_t constant_count;
    struct programs_input **inputs;
    size_t input_count;
    struct programs_placing *placings; /* directives, in source order */
    size_t placing_count;
    struct programs_datatype **datatypes; /* types of data, in source order */
    size_t datatype_count;
    size_t let_count; /* number of equations in all `let`s */
    size_t param_count;
    struct programs_data **data; /* data files that the program names */
    size_t data_count;
    struct isa_tensor_memory tensors; /* memory of tensors from files */
    size_t variable_count;            /* number of variables of all loops */
    /* The members from here on are set by programs_resolve. */
    /* Definition of `result`; NULL: missing, which is an error. */
    struct programs_equation *result;
    /* Whether the program has params or calls a built-in function on tensors, so that inference
     * may have to wait until it is known what is a tensor. */
    bool has_tensors;
    bool has_gradients; /* the program calls `grad` */
    /* No value reaches some arm of a `case`, so that its expressions are not in the tree any more,
     * though functions that they call are `used`; set by programs_match. */
    bool has_unreached;
    struct programs_instance *instances; /* made by programs_infer */
    uint32_t instance_count, instance_capacity;
    const char
        *on; /* class of PEs of the top level, by `--# on` before constants; or NULL */
    bool reads_result; /* used definitions, or its own elements, name `result` */
    /* Functions and constants, each after the ones that it names. Functions and constants that name
     * each other, such as mutually recursive functions, are in source order, functions before
     * constants. */
    struct programs_item *order;
    size_t order_count;
};

/* --- expressions ------------------------------------------------------------------------- */

enum programs_expr_kind {
    /* Literal `integer` of type int, or real if needed. A minus directly before is part of it. */
    PROGRAMS_EXPR_INT,
    PROGRAMS_EXPR_REAL,   /* a real literal, in `real` */
    PROGRAMS_EXPR_BOOL,   /* a bool literal, in `boolean` */
    PROGRAMS_EXPR_NAME,   /* a name, in `name` */
    PROGRAMS_EXPR_CALL,   /* call of a function or of a built-in function */
    PROGRAMS_EXPR_UNARY,  /* operator `op`, NEG or NOT, with one operand */
    PROGRAMS_EXPR_BINARY, /* operator `op` with two operands */
    PROGRAMS_EXPR_IF,     /* an `if`; operands: condition, then, else */
    PROGRAMS_EXPR_LET,    /* a `let`, whose equations and body are in `let` */
    PROGRAMS_EXPR_TUPLE,  /* a tuple; operands: its parts, two or more */
    PROGRAMS_EXPR_LOOP,   /* a loop; operands: see programs_loop_initial and below */
    PROGRAMS_EXPR_ARRAY,  /* an array; operands: its elements, maybe none */
    /* Comprehension over a range: `index`; operands: element, first index, last index, and the step
     * if it is written. Over an array: `element`, and `index` or NULL; operands: element, array. */
    PROGRAMS_EXPR_COMPREHENSION,
    /* Comprehension with more qualifiers; operand: a COMPREHENSION over the first one, whose
     * elements are the arrays that the others make (programs/syntax/parse_array.c). The value is
     * all of their elements. */
    PROGRAMS_EXPR_JOINED,
    /* scatter(n, [k -> E | ..]); operands: the length, and a COMPREHENSION whose element is a tuple
     * of an index and an element. A call of the tensors' `scatter` has no arrow. */
    PROGRAMS_EXPR_SCATTER,
    /* accumulate(op, n, z, [k -> E | ..]) or accumulate(op, a, [k -> E | ..]), by `fold`; operands:
     * those after `op`, the last one as of a SCATTER. */
    PROGRAMS_EXPR_ACCUMULATE,
    PROGRAMS_EXPR_INDEX, /* an array element; operands: array, index */
    PROGRAMS_EXPR_PORT,  /* the array of input port `port` */
    PROGRAMS_EXPR_GIVEN, /* the array or tensor of `given` */
    /* A param; operands: its extents, then arguments of the initialiser. */
    PROGRAMS_EXPR_PARAM,
    PROGRAMS_EXPR_TEXT, /* the file `data` that `file`, `trees` or `conllu` names */
    /* Call of `grad`; operands: its arguments. A CALL until names are bound. */
    PROGRAMS_EXPR_GRAD,
    PROGRAMS_EXPR_CONSTRUCT, /* data of the constructor of `construct`; operands: its fields */
    PROGRAMS_EXPR_FIELD, /* field of `selection` of the operand */
    /* A `case` of the operand, with the arms of `match`. programs_match makes it a LET. */
    PROGRAMS_EXPR_CASE,
    PROGRAMS_EXPR_NUMBER, /* number of the operand's constructor; only programs_match makes it */
};

/* Operators of programs. AND and OR evaluate their right side only if needed. */
enum programs_operator {
    PROGRAMS_NEG,
    PROGRAMS_NOT,
    PROGRAMS_POW,
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

/* Operations of `accumulate`. AND and OR are those of bools. */
enum programs_fold {
    PROGRAMS_FOLD_ADD,
    PROGRAMS_FOLD_MIN,
    PROGRAMS_FOLD_MAX,
    PROGRAMS_FOLD_AND,
    PROGRAMS_FOLD_OR,
    PROGRAMS_FOLD_BIT_AND,
    PROGRAMS_FOLD_BIT_OR,
    PROGRAMS_FOLD_BIT_XOR,
    PROGRAMS_FOLDS,
};

/* Returns the name of an operation in programs. */
const char *programs_fold_text(enum programs_fold fold);

/* Built-in functions (doc/language.md, "Built-in functions"): the rows of
 * programs/syntax/builtins.def, then those of programs/syntax/tensors.def. A program may define the
 * names of the latter itself; their values begin at PROGRAMS_BUILTIN_PLAIN. */
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

/* Variables of a `loop`. The initial values are outside of their scope. */
struct programs_loop {
    struct programs_binding **names;
    size_t count; /* number of variables, at least one */
    /* Index of the loop's first variable among the variables of all loops. */
    uint32_t first;
    uint32_t bound; /* max iterations in flight, by the pragma `bound`; 0: not given */
    bool returns;   /* the loop has a `return`; else its value is that of its variables */
    bool takes_tuple; /* one expression after `do` gives all next values, as a tuple */
};

enum { PROGRAMS_BOUND_MAX = 1000000000 };

/* Max nesting of expressions. Passes recurse over the tree; at this nesting none needs more than
 * 512 kB of stack, even with sanitizers. Chains, below, do not count as nesting. */
enum { PROGRAMS_NESTING_MAX = 250 };

/* Callee of a CALL. */
struct programs_call {
    const char *text;
    /* Function that is called; NULL: a built-in. Set by programs_resolve. */
    struct programs_function *function;
    /* Calls of `tensor`, `zeros`, `ones`: element type in the last argument, or NULL; set by
     * programs_resolve. */
    const char *element;
    /* Calls of `grad`: number of operands before the `;`; 0: no `;`. */
    uint32_t own;
    /* the built-in function if `function` is NULL */
    enum programs_builtin builtin : 16;
    /* Calls of `grad`: gradients are requested as rows (programs/training.h). */
    bool gives_rows;
};

struct programs_let {
    /* Each equation sees the names of those before it; a comprehension also its own. */
    struct programs_equation **equations;
    size_t count;
    struct programs_expr *body;
};

struct programs_construct {
    const char *text;
    const struct programs_constructor *constructor; /* set by programs_resolve */
};

struct programs_selection {
    const char *text;
    /* Set by programs_resolve; NULL: part `part` of a tuple, which only programs_match makes. */
    const struct programs_field *field;
    uint32_t part;
};

/* An arm of a `case`: PATTERN if GUARD -> BODY. */
struct programs_arm {
    struct programs_pattern *pattern;
    struct programs_binding **names; /* of the pattern, in its order */
    size_t name_count;
    struct programs_expr *guard; /* NULL: none */
    struct programs_expr *body;
    bool is_reached; /* set by programs_match */
};

struct programs_case {
    struct programs_arm *arms;
    size_t arm_count;
};

/* There may be millions: members that few expressions have are structures of their own. */
struct programs_expr {
    enum programs_expr_kind kind : 8;
    enum programs_operator op : 8; /* operator of a UNARY or BINARY expression */
    enum programs_fold fold : 8;   /* operation of an ACCUMULATE */
    /* Whether the array of a COMPREHENSION is an input port; set by programs_resolve. */
    bool follows;
    /* Whether the elements of a COMPREHENSION name it, those of a constant of the program also
     * through functions and other constants; set by programs_resolve. */
    bool reads_itself;
    bool has_arrow;         /* of a COMPREHENSION: its element is written `k -> E` */
    bool is_filter;         /* IF: a condition among qualifiers */
    bool is_bits;           /* INT: written 0x... or 0b..., so that it is never a real */
    uint32_t operand_count; /* number of operands; of a CALL: of arguments */
    /* Position that diagnostics point at: of the operator of a BINARY, the keyword of IF, LET and
     * LOOP, the name of a CALL, the `[` of arrays and INDEX. */
    struct lib_pos pos;
    /* Start of the expression, its parentheses included. Its span reaches to the end of the
     * expression if the expression ends on the same line. */
    struct lib_pos start;
    struct programs_type *type; /* set by programs_infer */
    struct programs_expr **operands;
    /* The expression of which this one is an operand; programs_chain_down sets it in chains
     * (below). */
    struct programs_expr *above;
    union {
        int64_t integer;
        double real;
        bool boolean;
        struct {
            const char *text;
            struct programs_binding *binding; /* set by programs_resolve */
        } name;
        struct programs_call *call;
        struct programs_let *let;
        struct programs_loop *loop;
        struct {                            /* members of a COMPREHENSION */
            struct programs_binding *index; /* index of the element; NULL: not named */
            /* Name of the array's element; NULL: the comprehension runs over a range. */
            struct programs_binding *element;
        };
        struct programs_port *port; /* input port of a PORT expression */
        struct programs_given *given;
        struct programs_param *param;
        struct programs_data *data; /* file of a TEXT expression */
        struct programs_gradient *gradient;
        struct programs_construct *construct;
        struct programs_selection *selection;
        struct programs_case *match;
    };
};

/* Function and params that a call `grad(f, E, ...; w, u)` names. */
struct programs_gradient {
    struct programs_function *function;
    struct programs_binding **params; /* params after the `;` of a call of `grad` */
    size_t param_count;
    /* The gradient by each param is returned as three values: a tensor, indices of rows, and the
     * rows to be added there. */
    bool gives_rows;
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
 * programs_chain_goes_on: whether an expression continues a chain. */
static inline bool programs_chain_goes_on(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_BINARY || e->kind == PROGRAMS_EXPR_INDEX ||
           e->kind == PROGRAMS_EXPR_IF;
}

/* Returns the operand that continues a chain, and sets its member `above`. */
static inline struct programs_expr *programs_chain_down(const struct programs_expr *e)
{
    struct programs_expr *next = e->operands[e->kind == PROGRAMS_EXPR_IF ? 2 : 0];
    next->above = (struct programs_expr *)e;
    return next;
}

/* Returns the initial value of variable k of a loop. */
static inline struct programs_expr *programs_loop_initial(const struct programs_expr *e,
                                                          size_t k)
{
    return e->operands[k];
}

static inline struct programs_expr *programs_loop_condition(const struct programs_expr *e)
{
    return e->operands[e->loop->count];
}

/* Returns the number of expressions after `do`: one for each variable, or one tuple. */
static inline size_t programs_loop_next_count(const struct programs_expr *e)
{
    return e->loop->takes_tuple ? 1 : e->loop->count;
}

/* Returns expression k after `do`: the next value of variable k, or the tuple of all. */
static inline struct programs_expr *programs_loop_next(const struct programs_expr *e,
                                                       size_t k)
{
    return e->operands[e->loop->count + 1 + k];
}

/* Returns the operand of a loop's `return`, or NULL. */
static inline struct programs_expr *programs_loop_result(const struct programs_expr *e)
{
    return e->loop->returns
               ? e->operands[e->loop->count + 1 + programs_loop_next_count(e)]
               : NULL;
}

/* Whether a comprehension runs over the elements of an array: `[E | x <- a]`. */
static inline bool programs_is_over_array(const struct programs_expr *e)
{
    return e->element != NULL;
}

/* Returns the comprehension that an equation names, or NULL. Its elements may use the name. */
static inline struct programs_expr *
programs_equation_comprehension(const struct programs_equation *q)
{
    bool named = !q->is_tuple && q->value->kind == PROGRAMS_EXPR_COMPREHENSION;
    return named ? q->value : NULL;
}

/* Returns the body of a function as it is written, without the equations that take its parameters
 * apart. */
static inline struct programs_expr *
programs_function_value(const struct programs_function *f)
{
    return f->pattern_count ? f->body->let->body : f->body;
}

/* --- functions --------------------------------------------------------------------------- */

/* Says that the expressions of a definition are not needed any more. They are freed with those that
 * share their arena; other parts of the tree, types and names stay. */
void programs_ast_release(struct programs_nodes *nodes);

/* Allocates an expression without operands, and the `call` of a CALL or the `let` of a LET. */
struct programs_expr *programs_ast_new_expr(struct lib_arena *arena,
                                            enum programs_expr_kind kind,
                                            struct lib_pos pos);

/* Gives an expression room for `count` operands, which the caller then sets. */
void programs_ast_make_operands(struct lib_arena *arena, struct programs_expr *e,
                                size_t count);

/* Binding strength of operators, loosest first. */
enum programs_level {
    PROGRAMS_LEVEL_OR,
    PROGRAMS_LEVEL_AND,
    PROGRAMS_LEVEL_NOT,
    PROGRAMS_LEVEL_COMPARISON, /* not associative */
    PROGRAMS_LEVEL_SUM,
    PROGRAMS_LEVEL_PRODUCT,
    PROGRAMS_LEVEL_NEG,
    /* Right-associative, with operators of NEG on the right; other binary operators are
     * left-associative. */
    PROGRAMS_LEVEL_POWER,
    PROGRAMS_LEVEL_OPERAND,
};

enum programs_level programs_operator_level(enum programs_operator op);

const char *programs_operator_text(enum programs_operator op);

/* State of a walk over top-level equations with programs_ast_next. {0} is the start. */
struct programs_walk {
    size_t functions, constants, inputs;
};

/* Sets *item to the next top-level equation in source order; at equal positions inputs come
 * first, then constants, then functions. Returns false at the end. */
bool programs_ast_next(const struct programs_ast *ast, struct programs_walk *walk,
                       struct programs_item *item);

bool programs_pos_before(struct lib_pos a, struct lib_pos b);

/* Sorts the diagnostics from index `from` on, all of one file, by position. */
void programs_sort_diags(struct lib_diags *diags, size_t from);

#endif
