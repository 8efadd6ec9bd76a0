/* What the files that look for shapes share. */
#ifndef PROGRAMS_TYPES_SHAPES_INTERNAL_H
#define PROGRAMS_TYPES_SHAPES_INTERNAL_H

#include "lib/memory.h"
#include "programs/types/shapes.h"
#include "programs/types/tensor_builtin.h"
#include "programs/types/type.h"

/* What is known of a value. */
struct known {
    enum { ANYTHING, INT, TENSOR, TUPLE } kind;
    int64_t integer;        /* INT: or ISA_UNKNOWN */
    struct isa_shape shape; /* TENSOR */
    struct known *parts;    /* TUPLE */
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
    LIB_VEC(struct bound) bound; /* the innermost last */
    struct known *
        *constants; /* per equation of the top level: of its value; NULL: not yet */
    bool *is_open;  /* per equation: it is being looked at */
    unsigned calls, quiet; /* functions gone into; what may never be executed */
    size_t budget;         /* expressions that may still be looked at */
    LIB_VEC(struct lib_pos) reported;
};

/* Calls within one another that are gone into, and expressions in all. */
enum { CALLS_MAX = 12, BUDGET = 200000 };

/* --- shapes.c --- */

/* What the type alone tells. */
struct known shapes_of_type(struct shapes *s, struct programs_type *type);

/* A function is looked at once for each call: what is wrong in it is said once. */
void shapes_report(struct shapes *s, struct lib_pos pos, const char *text);

/* The shape of what a kernel makes; reports where operands do not fit. */
struct known shapes_apply_to_all(struct shapes *s, const struct programs_expr *e,
                                 enum isa_kernel kernel,
                                 const struct isa_shape *const operands[],
                                 struct isa_numbers numbers);
struct known shapes_apply(struct shapes *s, const struct programs_expr *e,
                          enum isa_kernel kernel, const struct isa_shape *a,
                          const struct isa_shape *b, struct isa_numbers numbers);

/* An operation of one or two operands, of which one at least is a tensor. A number beside it has
 * its element. */
struct known shapes_operate(struct shapes *s, const struct programs_expr *e,
                            const struct known *operands);

void shapes_bind(struct shapes *s, const struct programs_binding *binding,
                 struct known known);

struct known shapes_look(struct shapes *s, const struct programs_expr *e);

/* --- shapes_call.c: functions and kernels --- */

struct known shapes_look_at_fill(struct shapes *s, const struct programs_expr *e,
                                 struct programs_expr *const *extents);

/* A param that is read has the extents that it says. */
struct known shapes_look_at_file(struct shapes *s, const struct programs_expr *e);

/* One row, which loses its axis. */
struct known shapes_look_at_row(struct shapes *s, const struct programs_expr *e,
                                const struct isa_shape *a, int64_t row);

/* Of numbers, or of tensors element by element. */
struct known shapes_look_at_operation(struct shapes *s, const struct programs_expr *e);

struct known shapes_look_at_call(struct shapes *s, const struct programs_expr *e);

#endif
