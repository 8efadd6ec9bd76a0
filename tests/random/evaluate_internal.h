/* Shared by the evaluator's files: values (here), arithmetic (evaluate_scalar.c), gradients
 * (evaluate_gradient.c), programs (evaluate.c). */
#ifndef TESTS_RANDOM_EVALUATE_INTERNAL_H
#define TESTS_RANDOM_EVALUATE_INTERNAL_H

#include "lib/memory.h"
#include "tests/random/evaluate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thunk;

/* An array, whose elements are computed when they are read, and at the end. */
struct array {
    struct thunk *elements;
    int64_t length;
};

/* A value, of the type of its expression. Parts of tuples are computed like array elements. */
struct value {
    /* It is never computed: it waits for itself or for what failed, or the evaluation has ended. */
    bool stuck;
    union {
        int64_t i;
        double r;
        bool b;
        struct thunk *parts;
        const struct array *array;
    };
    double d; /* derivative of a real number in the current direction */
};

enum thunk_state { THUNK_WAITING, THUNK_RUNNING, THUNK_DONE };

/* An expression that is computed at most once. */
struct thunk {
    enum thunk_state state;
    const struct programs_expr *expr;
    const struct place *place;
    bool is_end;        /* it computes the tuple of a loop's final variables */
    struct value value; /* the value, in state THUNK_DONE */
};

/* The names in scope of an expression, innermost first. */
struct bound {
    const struct programs_binding *binding;
    struct thunk *thunk;
    bool is_part;       /* the name is a part of the tuple that the thunk computes */
    struct value value; /* value of a name that is an index (it has no thunk) */
    const struct bound *outer;
};

/* Environment of an expression: arguments of the activation, and names in scope. */
struct place {
    const struct value *arguments;
    const struct bound *names;
    struct thunk *variables; /* variables of a loop, in one of its iterations; or NULL */
};

struct constant {
    bool known;
    struct value value;
};

/* Thunks to compute before the end. */
struct work {
    struct thunk *thunks;
    size_t count;
};

struct evaluator {
    const struct programs_ast *ast;
    struct lib_arena *arena;
    struct constant *constants; /* values of the equations of the top level */
    uint64_t steps, calls, iterations;
    uint32_t depth;
    uint32_t running; /* number of thunks being computed */
    bool deadlock;    /* a thunk has needed itself */
    bool failed;      /* an operation has failed */
    LIB_VEC(struct work) work;
    enum evaluate_mistake mistake;
    int64_t strand; /* max elements of strands of arrays; 0: chains make them */
    /* Outcome of the evaluation; its `end` is COMPLETED until known otherwise. */
    struct evaluate_outcome *outcome;
};

static const struct value evaluate_stuck = {.stuck = true};

static inline struct value int_value(int64_t i)
{
    return (struct value){.i = i};
}

static inline struct value real_value(double r)
{
    return (struct value){.r = r};
}

static inline struct value bool_value(bool b)
{
    return (struct value){.b = b};
}

struct value evaluate_expr(struct evaluator *ev, const struct place *place,
                           const struct programs_expr *e);

/* Returns the value of a thunk, computing it first if necessary. */
struct value evaluate_force(struct evaluator *ev, struct thunk *t);

/* Computes all scalars of a value. Returns false if one is stuck. */
bool evaluate_wait_for(struct evaluator *ev, struct programs_type *type, struct value v);

struct place *evaluate_new_place(struct evaluator *ev, const struct value *arguments,
                                 const struct bound *names);

struct value evaluate_array(struct evaluator *ev, struct thunk *elements, int64_t length);

struct value evaluate_gradient(struct evaluator *ev, const struct place *place,
                               const struct programs_expr *e);

/* Records that an operation failed. Returns a stuck value. */
struct value evaluate_fail(struct evaluator *ev);

enum evaluate_mistake evaluate_mistake_of(const struct evaluator *ev);

struct value evaluate_int_operation(struct evaluator *ev, enum programs_operator op,
                                    int64_t left, int64_t right);
struct value evaluate_real_operation(enum programs_operator op, double a, double b);
struct value evaluate_int_negation(struct evaluator *ev, int64_t a);

/* Return the derivatives of operations and built-in functions (tests/random/evaluate_dual.c). */
double evaluate_dual_operation(enum programs_operator op, struct value a, struct value b);
double evaluate_dual_builtin(enum programs_builtin builtin, struct value a,
                             struct value b);

/* Apply built-in functions; those of one argument ignore `b`. */
struct value evaluate_int_builtin(struct evaluator *ev, enum programs_builtin builtin,
                                  int64_t a, int64_t b);
struct value evaluate_real_builtin(struct evaluator *ev, enum programs_builtin builtin,
                                   double a, double b);

#endif
