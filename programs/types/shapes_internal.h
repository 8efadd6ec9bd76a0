/* Declarations that the files of the shape pass share. */
#ifndef PROGRAMS_TYPES_SHAPES_INTERNAL_H
#define PROGRAMS_TYPES_SHAPES_INTERNAL_H

#include "lib/memory.h"
#include "programs/types/shapes.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

/* What is known about a value before the program runs. */
struct known {
    enum { ANYTHING, INT, TENSOR, TUPLE } kind;
    int64_t integer;        /* INT: the value, or ISA_UNKNOWN */
    struct isa_shape shape; /* TENSOR: its shape */
    struct known *parts;    /* TUPLE: its parts */
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
    /* value of each top-level equation; NULL: not known yet */
    struct known **constants;
    bool *is_open; /* per equation: whether it is being evaluated */
    /* number of calls, and of branches and loops, around this place */
    unsigned calls, quiet;
    size_t budget; /* expressions left to evaluate */
    LIB_VEC(struct lib_pos) reported;
};

/* Max number of nested calls, and of expressions evaluated. */
enum { CALLS_MAX = 12, BUDGET = 200000 };

/* --- shapes.c --- */

/* Returns what is known about a value of a type. */
struct known shapes_of_type(struct shapes *s, struct programs_type *type);

/* Reports an error, unless one was reported at this position: a function is evaluated for each of
 * its calls. */
void shapes_report(struct shapes *s, struct lib_pos pos, const char *text);

/* Return the shape of the result of a kernel. Report invalid operands. */
struct known shapes_apply_to_all(struct shapes *s, const struct programs_expr *e,
                                 enum isa_kernel kernel,
                                 const struct isa_shape *const operands[],
                                 struct isa_numbers numbers);
struct known shapes_apply(struct shapes *s, const struct programs_expr *e,
                          enum isa_kernel kernel, const struct isa_shape *a,
                          const struct isa_shape *b, struct isa_numbers numbers);

/* Evaluates an operation of one or two operands, at least one of which is a tensor. A number that
 * is used with a tensor has the kind of its elements. */
struct known shapes_operate(struct shapes *s, const struct programs_expr *e,
                            const struct known *operands);

void shapes_bind(struct shapes *s, const struct programs_binding *binding,
                 struct known known);

struct known shapes_look(struct shapes *s, const struct programs_expr *e);

/* --- shapes_call.c: functions and kernels --- */

struct known shapes_look_at_fill(struct shapes *s, const struct programs_expr *e,
                                 struct programs_expr *const *extents);

/* Evaluates a param that is read from a file; it has the extents that it declares. */
struct known shapes_look_at_file(struct shapes *s, const struct programs_expr *e);

/* Evaluates row `row` of a tensor, which has one axis fewer. */
struct known shapes_look_at_row(struct shapes *s, const struct programs_expr *e,
                                const struct isa_shape *a, int64_t row);

struct known shapes_look_at_operation(struct shapes *s, const struct programs_expr *e);

struct known shapes_look_at_call(struct shapes *s, const struct programs_expr *e);

#endif
