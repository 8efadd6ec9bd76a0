/* Declarations that programs/types/infer.c and the files for tensors share. */
#ifndef PROGRAMS_TYPES_INFER_INTERNAL_H
#define PROGRAMS_TYPES_INFER_INTERNAL_H

#include "lib/memory.h"
#include "programs/syntax/ast.h"
#include "programs/types/converted.h"
#include "programs/types/type.h"

/* A binding or function of which a use was reported, so that others like it are not. */
struct infer_blame {
    const void *named;
    enum programs_type_kind expected;
};

/* An argument that is a number where the function expects a bool. Reported when all calls are
 * known. */
struct infer_doubt {
    const struct programs_expr *call;
    size_t argument;
};

struct infer {
    struct programs_ast *ast;
    struct lib_diags *diags;
    struct lib_arena *arena;
    struct programs_type *of_int, *of_real, *of_bool, *of_error, *of_real32;
    struct programs_type *of_rank[PROGRAMS_TENSOR_RANK_MAX + 1];
    bool takes_reals; /* tensors whose element is open count as tensors of reals */
    LIB_VEC(struct infer_blame) blamed;
    LIB_VEC(struct infer_doubt) doubts;
    LIB_VEC(struct programs_expr *) waiting; /* expressions that need types of operands */
    bool too_large; /* a type was too large; errors that follow are not reported */
    bool is_alone;  /* each use of a function has types of its own */
    const struct programs_function *within; /* current function; NULL: a constant */
    programs_uses uses;                     /* uses of functions, in the order found */
    LIB_VEC(struct programs_type *) int_literals;
    struct programs_type ***demands; /* per function: see programs/types/one_type.h */
};

/* Role of an expression whose type does not fit; selects the message. */
enum infer_place {
    PLACE_OPERAND,
    PLACE_ARGUMENT,   /* argument of a call */
    PLACE_CONVERSION, /* argument of `real` or `int` */
    PLACE_MATCH,      /* same type as another expression: branches, `min`, elements */
    PLACE_VALUE,      /* right side of an equation */
    PLACE_RESULT,     /* body of a function */
};

struct programs_type *infer_open_type(struct infer *in, enum programs_type_class class);

bool infer_is_kind(struct programs_type *type, enum programs_type_kind kind);

/* Unifies the type of an expression with `type`. Returns false and reports an error if they differ;
 * the format describes the expression. */
bool infer_expect(struct infer *in, const struct programs_expr *e,
                  struct programs_type *type, enum infer_place place, const char *format,
                  ...) __attribute__((format(printf, 5, 6)));

/* Returns the types of a function's parameters, in order, followed by that of its result, for one
 * use of it, which is added to `uses`. */
struct programs_type **infer_use(struct infer *in, const struct programs_expr *e,
                                 const struct programs_function *f);

/* Infers the type of an expression and of its operands. */
void infer_expr(struct infer *in, struct programs_expr *e);

/* Gives the names of an equation open types. The type of a comprehension is an array from the
 * beginning, because its elements may use it. */
void infer_open_names(struct infer *in, const struct programs_equation *q);

/* Infers the value of an equation, and unifies the types of its names with its parts. */
void infer_equation(struct infer *in, const struct programs_equation *q);

/* Returns the type of an annotation (programs/types/infer_port.c). */
struct programs_type *infer_annotation(struct infer *in,
                                       const struct programs_annotation *a);

/* Reports the ports out whose elements a host cannot take. Called when all types are known. */
void infer_ports_settle(struct infer *in);

/* Reports the numbers where functions expect a bool, at the call or at the condition. */
void infer_settle_doubts(struct infer *in);

/* Returns the text of a type, in the arena. */
const char *infer_type_text(struct infer *in, struct programs_type *type);

/* Return the types of operations and calls without tensors. */
struct programs_type *infer_plain_unary(struct infer *in, const struct programs_expr *e);
struct programs_type *infer_plain_binary(struct infer *in, const struct programs_expr *e);
struct programs_type *infer_plain_index(struct infer *in, const struct programs_expr *e);
struct programs_type *infer_plain_builtin(struct infer *in,
                                          const struct programs_expr *e);

/* --- tensors (programs/types/infer_tensor.c) -------------------------------------------- */

/* Returns the type of an operation, of a call of a built-in function, of a param or of a text in a
 * program with tensors. The type may be open until infer_tensors_settle. */
struct programs_type *infer_tensor(struct infer *in, struct programs_expr *e);

/* Returns the type of a gradient (programs/types/infer_gradient.c), which may be open until
 * infer_tensors_settle. infer_gradient_step tries to find it and returns whether it is done; in the
 * last step open types become reals. */
struct programs_type *infer_gradient(struct infer *in, struct programs_expr *e);
bool infer_gradient_step(struct infer *in, struct programs_expr *e, bool last);

/* Finds the types of the expressions that wait. Operands that remain open are not tensors. */
void infer_tensors_settle(struct infer *in);

#endif
