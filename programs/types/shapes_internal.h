/* Declarations that the files of shape checking share. */
#ifndef PROGRAMS_TYPES_SHAPES_INTERNAL_H
#define PROGRAMS_TYPES_SHAPES_INTERNAL_H

#include "lib/memory.h"
#include "programs/types/shapes.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

/* Abstract value: what is known about a value before the program runs. */
struct known {
    enum { ANYTHING, INT, TENSOR, TUPLE } kind;
    int64_t integer;        /* INT: the value, or ISA_UNKNOWN */
    struct isa_shape shape; /* TENSOR: the shape */
    struct known *parts;    /* TUPLE: the parts */
    size_t part_count;
};

struct bound {
    const struct programs_binding *binding;
    struct known known;
};

struct shapes {
    const struct programs_ast *ast;
    struct lib_diags *diags;
    struct lib_arena *arena;
    LIB_VEC(struct bound) bound; /* names in scope, the innermost last */
    /* For each top-level equation: its value; NULL: not evaluated yet. */
    struct known **constants;
    bool *is_open; /* for each top-level equation: whether it is being evaluated */
    /* Numbers of enclosing calls, and of enclosing branches and loops. */
    unsigned calls, quiet;
    size_t budget; /* number of expressions that may still be evaluated */
    LIB_VEC(struct lib_pos) reported;
};

/* Max nesting of calls, and max number of expressions evaluated. */
enum { CALLS_MAX = 12, BUDGET = 200000 };

/* --- shapes.c --- */

/* Returns what a type alone says about a value. */
struct known shapes_of_type(struct shapes *s, struct programs_type *type);

/* Reports an error, unless one was reported at this position, because a function is evaluated
 * for each call. */
void shapes_report(struct shapes *s, struct lib_pos pos, const char *text);

/* Returns the shape of the result of a kernel. Reports invalid operands. */
struct known shapes_apply_to_all(struct shapes *s, const struct programs_expr *e,
                                 enum isa_kernel kernel,
                                 const struct isa_shape *const operands[],
                                 struct isa_numbers numbers);
/* As shapes_apply_to_all, with one or two operands. */
struct known shapes_apply(struct shapes *s, const struct programs_expr *e,
                          enum isa_kernel kernel, const struct isa_shape *a,
                          const struct isa_shape *b, struct isa_numbers numbers);

/* Returns the abstract value of an operation, of which at least one operand is a tensor. */
struct known shapes_operate(struct shapes *s, const struct programs_expr *e,
                            const struct known *operands);

void shapes_bind(struct shapes *s, const struct programs_binding *binding,
                 struct known known);

struct known shapes_look(struct shapes *s, const struct programs_expr *e);

/* --- shapes_call.c: functions and kernels --- */

struct known shapes_look_at_fill(struct shapes *s, const struct programs_expr *e,
                                 struct programs_expr *const *extents);

/* Returns the abstract value of a param that is read from a file: its declared extents. */
struct known shapes_look_at_file(struct shapes *s, const struct programs_expr *e);

/* Returns the abstract value of row `row` of a tensor, which has one axis fewer. */
struct known shapes_look_at_row(struct shapes *s, const struct programs_expr *e,
                                const struct isa_shape *a, int64_t row);

struct known shapes_look_at_operation(struct shapes *s, const struct programs_expr *e);

struct known shapes_look_at_call(struct shapes *s, const struct programs_expr *e);

#endif
