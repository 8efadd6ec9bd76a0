#ifndef PROGRAMS_TYPES_INFER_INTERNAL_H
#define PROGRAMS_TYPES_INFER_INTERNAL_H

#include "lib/memory.h"
#include "programs/syntax/ast.h"
#include "programs/types/converted.h"
#include "programs/types/type.h"

/* A name whose wrong use was reported, so that similar uses are not. */
struct infer_blame {
    const void *named;
    enum programs_type_kind expected;
};

/* A number passed to a function that expects a bool; reported when all calls are known. */
struct infer_doubt {
    const struct programs_expr *call;
    size_t argument;
};

/* An integer literal, whose type becomes int or real. */
struct infer_literal {
    const struct programs_expr *expr;
    struct programs_type *type;
    bool is_needed; /* false: the value of an input that no output needs */
};

typedef LIB_VEC(struct infer_literal) infer_literals;

/* An equation of a `let`, in a function or, if NULL, in a constant. */
struct infer_put_off {
    const struct programs_equation *equation;
    const struct programs_function *within;
};

/* A comparison by `==` or `/=`, in a function or, if NULL, in a constant. */
struct infer_equality {
    struct programs_expr *expr;
    const struct programs_function *within;
};

struct infer {
    struct programs_ast *ast;
    struct lib_diags *diags;
    struct lib_arena *arena;
    struct programs_type *of_int, *of_real, *of_bool, *of_error, *of_real32;
    struct programs_type *of_rank[PROGRAMS_TENSOR_RANK_MAX + 1];
    /* Tensors whose element type is unknown count as tensors of reals. */
    bool takes_reals;
    LIB_VEC(struct infer_blame) blamed;
    LIB_VEC(struct infer_doubt) doubts;
    /* Expressions whose types wait for the types of operands. */
    LIB_VEC(struct programs_expr *) waiting;
    bool too_large; /* a type was too large; later errors are not reported */
    bool is_alone;  /* each use of a function has its own types */
    /* Function being inferred; NULL: a constant is. */
    const struct programs_function *within;
    const struct programs_expr *at; /* expression whose type is being found */
    programs_uses uses;
    LIB_VEC(struct infer_equality) equalities; /* in programs with types of data */
    infer_literals literals;
    bool has_unneeded; /* a `let` has an equation that no output needs */
    /* Equations of lets in needed code that no output needs are inferred later: `put_off`. */
    bool needed_first;
    LIB_VEC(struct infer_put_off) put_off;
    /* Literals that are watched while the code that no output needs is inferred; or NULL. */
    struct programs_unneeded *unneeded;
    const char
        *item; /* name of the function or equation being inferred, for `unneeded` */
    /* For each function: types that the body demands (programs/types/one_type.h). */
    struct programs_type ***demands;
};

/* Place of an expression of a wrong type; selects the message. */
enum infer_place {
    PLACE_OPERAND,
    PLACE_ARGUMENT,
    PLACE_CONVERSION, /* argument of `real` or `int` */
    /* Must have the type of another expression: branches, `min`, elements. */
    PLACE_MATCH,
    PLACE_VALUE, /* right side of an equation */
    PLACE_RESULT,
};

struct programs_type *infer_open_type(struct infer *in, enum programs_type_class class);

bool infer_is_kind(struct programs_type *type, enum programs_type_kind kind);

/* Unifies the type of an expression, which `format` describes in messages, with `type`. Returns
 * false and reports an error if they differ. */
bool infer_expect(struct infer *in, const struct programs_expr *e,
                  struct programs_type *type, enum infer_place place, const char *format,
                  ...) __attribute__((format(printf, 5, 6)));

/* Records expression `e` as a use of a function. Returns the types that the function has in this
 * use: of its parameters, then of its result. */
struct programs_type **infer_use(struct infer *in, const struct programs_expr *e,
                                 const struct programs_function *f);

void infer_expr(struct infer *in, struct programs_expr *e);

/* --- data (programs/types/infer_data.c) --------------------------------------------------- */

/* Return the types of a CONSTRUCT, a FIELD and a CASE. Infer what they contain, unless it is an
 * operand of a CONSTRUCT or FIELD. */
struct programs_type *infer_construct(struct infer *in, const struct programs_expr *e);
struct programs_type *infer_field(struct infer *in, const struct programs_expr *e);
struct programs_type *infer_case(struct infer *in, const struct programs_expr *e);

/* Returns the type of the values that a pattern of an equation takes apart, whose names have
 * types. */
struct programs_type *infer_pattern_type(struct infer *in,
                                         const struct programs_pattern *pattern);

/* Ends the inference of functions that call each other, items `first` to `end` - 1: if the type of
 * one of them has data, each use of these functions gets types of its own. */
void infer_generalise(struct infer *in, size_t first, size_t end);

/* Gives the uses of polymorphic functions, and comparisons of data, functions of their own types.
 * Returns whether the program has changed and must be inferred again. */
bool infer_specialise(struct infer *in);

/* Gives new type variables to the names of an equation. The name of a comprehension gets an array
 * type at once, because the elements may use the name. */
void infer_open_names(struct infer *in, const struct programs_equation *q);

/* Infers the type of an equation's value, and unifies its parts with the types of the names. */
void infer_equation(struct infer *in, const struct programs_equation *q);

struct programs_type *infer_annotation(struct infer *in,
                                       const struct programs_annotation *a);

/* Reports output ports whose elements a host cannot take. Called after inference. */
void infer_ports_settle(struct infer *in);

/* Reports numbers that are passed to functions that expect a bool. */
void infer_settle_doubts(struct infer *in);

const char *infer_type_text(struct infer *in, struct programs_type *type);

/* Returns the type of a unary operation in a program without tensors. */
struct programs_type *infer_plain_unary(struct infer *in, const struct programs_expr *e);
/* Returns the type of a binary operation in a program without tensors. */
struct programs_type *infer_plain_binary(struct infer *in, const struct programs_expr *e);
/* Returns the type of an array element in a program without tensors. */
struct programs_type *infer_plain_index(struct infer *in, const struct programs_expr *e);
/* Returns the type of a built-in call in a program without tensors. */
struct programs_type *infer_plain_builtin(struct infer *in,
                                          const struct programs_expr *e);

/* --- tensors (programs/types/infer_tensor.c) -------------------------------------------- */

/* Returns the type of an operation, built-in call, param or string in a program with tensors.
 * The type may be unknown until infer_tensors_settle. */
struct programs_type *infer_tensor(struct infer *in, struct programs_expr *e);

/* Returns the type of a gradient, which may be unknown until infer_tensors_settle. */
struct programs_type *infer_gradient(struct infer *in, struct programs_expr *e);
bool infer_gradient_step(struct infer *in, struct programs_expr *e, bool last);

/* Completes the types that wait for the types of operands. Operands whose types remain unknown are
 * then taken not to be tensors. */
void infer_tensors_settle(struct infer *in);

#endif
