#ifndef PROGRAMS_TYPES_SHAPES_INTERNAL_H
#define PROGRAMS_TYPES_SHAPES_INTERNAL_H

#include "lib/memory.h"
#include "programs/types/shapes.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

/* Facts about a value that are known before the program runs. */
struct known {
    enum { ANYTHING, INT, TENSOR, TUPLE } kind;
    int64_t integer;        /* value of an INT, or ISA_UNKNOWN */
    struct isa_shape shape; /* shape of a TENSOR */
    struct known *parts;    /* parts of a TUPLE */
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
    /* For each top-level equation: what is known about its value; NULL: not evaluated yet. */
    struct known **constants;
    bool *is_open; /* for each top-level equation: it is being evaluated */
    /* `calls`: number of enclosing calls. `quiet`: number of enclosing branches and loops, where
     * errors are not reported. */
    unsigned calls, quiet;
    size_t budget; /* expressions left to evaluate */
    LIB_VEC(struct lib_pos) reported;
};

/* Max nesting of calls, and max number of evaluated expressions. */
enum { CALLS_MAX = 12, BUDGET = 200000 };

/* --- shapes.c --- */

/* Returns what is known about a value from its type alone. */
struct known shapes_of_type(struct shapes *s, struct programs_type *type);

/* Reports an error, unless one was reported at this position for another call of the function. */
void shapes_report(struct shapes *s, struct lib_pos pos, const char *text);

/* Returns the shape of the result of a kernel with any number of operands; reports invalid ones. */
struct known shapes_apply_to_all(struct shapes *s, const struct programs_expr *e,
                                 enum isa_kernel kernel,
                                 const struct isa_shape *const operands[],
                                 struct isa_numbers numbers);
/* Returns the shape of the result of a kernel of one or two operands. Reports invalid operands. */
struct known shapes_apply(struct shapes *s, const struct programs_expr *e,
                          enum isa_kernel kernel, const struct isa_shape *a,
                          const struct isa_shape *b, struct isa_numbers numbers);

/* Returns the shape of an operation's result; at least one operand is a tensor. */
struct known shapes_operate(struct shapes *s, const struct programs_expr *e,
                            const struct known *operands);

void shapes_bind(struct shapes *s, const struct programs_binding *binding,
                 struct known known);

struct known shapes_look(struct shapes *s, const struct programs_expr *e);

/* --- shapes_call.c: functions and kernels --- */

struct known shapes_look_at_fill(struct shapes *s, const struct programs_expr *e,
                                 struct programs_expr *const *extents);

/* Returns the declared shape of a param that is read from a file. */
struct known shapes_look_at_file(struct shapes *s, const struct programs_expr *e);

/* Returns the shape of row `row` of a tensor, which has one axis fewer. */
struct known shapes_look_at_row(struct shapes *s, const struct programs_expr *e,
                                const struct isa_shape *a, int64_t row);

struct known shapes_look_at_operation(struct shapes *s, const struct programs_expr *e);

struct known shapes_look_at_call(struct shapes *s, const struct programs_expr *e);

#endif
