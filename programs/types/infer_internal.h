/* The inside of inference: what programs/types/infer.c and those of tensors share. */
#ifndef PROGRAMS_TYPES_INFER_INTERNAL_H
#define PROGRAMS_TYPES_INFER_INTERNAL_H

#include "lib/memory.h"
#include "programs/syntax/ast.h"
#include "programs/types/converted.h"
#include "programs/types/type.h"

/* A binding or function of which one use was reported. */
struct infer_blame {
    const void *named;
    enum programs_type_kind expected;
};

/* A number where a function wants a bool: reported when all calls are known. */
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
    bool takes_reals; /* tensors whose elements are open are taken for tensors of reals */
    LIB_VEC(struct infer_blame) blamed;
    LIB_VEC(struct infer_doubt) doubts;
    LIB_VEC(struct programs_expr *) waiting; /* for what is a tensor, or of which rank */
    bool too_large; /* a type was: what is made of it need not be reported */
    bool is_alone;  /* each use of a function has types of its own */
    const struct programs_function *within; /* what is inferred; NULL: a constant */
    programs_uses uses;                     /* in the order in which they are met */
    LIB_VEC(struct programs_type *) int_literals;
    struct programs_type **
        *demands; /* of functions by index: programs/types/one_type.h */
};

/* Where an expression does not fit, and so what the message says of it. */
enum infer_place {
    PLACE_OPERAND,
    PLACE_ARGUMENT,   /* of a call */
    PLACE_CONVERSION, /* argument of `real` or `int` */
    PLACE_MATCH,      /* must be of the same type as another: branches, `min`, elements */
    PLACE_VALUE,      /* right side of an equation */
    PLACE_RESULT,     /* body of a function */
};

struct programs_type *infer_open_type(struct infer *in, enum programs_type_class class);

bool infer_is_kind(struct programs_type *type, enum programs_type_kind kind);

/* Makes the expression be of a type; the format tells what it is, for the message. */
bool infer_expect(struct infer *in, const struct programs_expr *e,
                  struct programs_type *type, enum infer_place place, const char *format,
                  ...) __attribute__((format(printf, 5, 6)));

/* The types of a function's parameters, in order, and that of its result, for this use of it,
 * which is noted. */
struct programs_type **infer_use(struct infer *in, const struct programs_expr *e,
                                 const struct programs_function *f);

/* The type of an expression, and of those in it. */
void infer_expr(struct infer *in, struct programs_expr *e);

/* Opens the types of the names of an equation. That of a comprehension is an array before its
 * elements, which may use it, are known. */
void infer_open_names(struct infer *in, const struct programs_equation *q);

/* Gives the names of an equation, whose types are open, the parts of its value. */
void infer_equation(struct infer *in, const struct programs_equation *q);

/* The type that is written (programs/types/infer_port.c). */
struct programs_type *infer_annotation(struct infer *in,
                                       const struct programs_annotation *a);

/* Reports the ports out whose elements a host cannot take, when all types are known. */
void infer_ports_settle(struct infer *in);

/* Reports the numbers where functions want a bool, at the call or at the condition. */
void infer_settle_doubts(struct infer *in);

/* The text of a type, in the arena. */
const char *infer_type_text(struct infer *in, struct programs_type *type);

/* The types of operations and calls that cannot be on tensors. */
struct programs_type *infer_plain_unary(struct infer *in, const struct programs_expr *e);
struct programs_type *infer_plain_binary(struct infer *in, const struct programs_expr *e);
struct programs_type *infer_plain_index(struct infer *in, const struct programs_expr *e);
struct programs_type *infer_plain_builtin(struct infer *in,
                                          const struct programs_expr *e);

/* --- tensors (programs/types/infer_tensor.c) -------------------------------------------- */

/* In a program with tensors: the type of an operation, of a call of a built-in function, of a
 * param, of a text. It may be open until infer_tensors_settle. */
struct programs_type *infer_tensor(struct infer *in, struct programs_expr *e);

/* The type of a gradient (programs/types/infer_gradient.c), which may wait like the others.
 * Whether it is found: in a step, the last of which decides what is open. */
struct programs_type *infer_gradient(struct infer *in, struct programs_expr *e);
bool infer_gradient_step(struct infer *in, struct programs_expr *e, bool last);

/* Finds the types of what waits; what nothing says more of is no tensor. */
void infer_tensors_settle(struct infer *in);

#endif
