/* The inside of the evaluator: values (here), arithmetic (evaluate_scalar.c), gradients
 * (evaluate_gradient.c), and what a program does with them (evaluate.c). */
#ifndef TESTS_RANDOM_EVALUATE_INTERNAL_H
#define TESTS_RANDOM_EVALUATE_INTERNAL_H

#include "lib/memory.h"
#include "tests/random/evaluate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thunk;

/* The elements of an array are computed when somebody reads them, and in the end. */
struct array {
    struct thunk *elements;
    int64_t length;
};

/* A value; its type is that of the expression. So are the parts of a tuple computed. */
struct value {
    bool stuck; /* it is never there: it waits for itself or for what failed, or the
                   evaluation has ended */
    union {
        int64_t i;
        double r;
        bool b;
        struct thunk *parts;
        const struct array *array;
    };
    double d; /* of a real: its derivative in the direction that is looked at */
};

enum thunk_state { THUNK_WAITING, THUNK_RUNNING, THUNK_DONE };

/* An expression that is computed once. */
struct thunk {
    enum thunk_state state;
    const struct programs_expr *expr;
    const struct place *place;
    bool is_end;        /* of a loop: what its variables are in the end, as a tuple */
    struct value value; /* THUNK_DONE */
};

/* What names within an expression are bound to, the innermost first. */
struct bound {
    const struct programs_binding *binding;
    struct thunk *thunk;
    bool is_part;       /* of the tuple that the thunk is */
    struct value value; /* of an index, which has no thunk */
    const struct bound *outer;
};

/* Where an expression stands: an activation, and the names bound around it. */
struct place {
    const struct value *arguments;
    const struct bound *names;
    struct thunk *variables; /* those of a loop, if it is the place of an iteration */
};

struct constant {
    bool known;
    struct value value;
};

/* Thunks that must be computed in the end. */
struct work {
    struct thunk *thunks;
    size_t count;
};

struct evaluator {
    const struct programs_ast *ast;
    struct lib_arena *arena;
    struct constant *constants; /* per equation of the top level */
    uint64_t steps, calls, iterations;
    uint32_t depth;
    uint32_t running; /* thunks */
    bool deadlock;    /* some thunk has needed itself */
    bool failed;      /* some operation has */
    LIB_VEC(struct work) work;
    enum evaluate_mistake mistake;
    struct evaluate_outcome
        *outcome; /* its end is COMPLETED until something else is known */
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

/* The value of a thunk, which is computed if it was not before. */
struct value evaluate_force(struct evaluator *ev, struct thunk *t);

/* Waits for all scalars of a value. false: some are stuck. */
bool evaluate_wait_for(struct evaluator *ev, struct programs_type *type, struct value v);

struct place *evaluate_new_place(struct evaluator *ev, const struct value *arguments,
                                 const struct bound *names);

struct value evaluate_array(struct evaluator *ev, struct thunk *elements, int64_t length);

/* What a gradient is (tests/random/evaluate_gradient.c). */
struct value evaluate_gradient(struct evaluator *ev, const struct place *place,
                               const struct programs_expr *e);

/* An operation has failed: the value is never there. */
struct value evaluate_fail(struct evaluator *ev);

/* The rule that is wrong on purpose. */
enum evaluate_mistake evaluate_mistake_of(const struct evaluator *ev);

struct value evaluate_int_operation(struct evaluator *ev, enum programs_operator op,
                                    int64_t left, int64_t right);
struct value evaluate_real_operation(enum programs_operator op, double a, double b);
struct value evaluate_int_negation(struct evaluator *ev, int64_t a);

/* The derivatives of what these give (tests/random/evaluate_dual.c). */
double evaluate_dual_operation(enum programs_operator op, struct value a, struct value b);
double evaluate_dual_builtin(enum programs_builtin builtin, struct value a,
                             struct value b);

/* Of built-in functions of one argument, `b` is ignored. */
struct value evaluate_int_builtin(struct evaluator *ev, enum programs_builtin builtin,
                                  int64_t a, int64_t b);
struct value evaluate_real_builtin(struct evaluator *ev, enum programs_builtin builtin,
                                   double a, double b);

#endif
