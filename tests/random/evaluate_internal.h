/* Shared by the evaluator's files: values (here), arithmetic (evaluate_scalar.c), data
 * (evaluate_data.c), gradients (evaluate_gradient.c), programs (evaluate.c). */
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

/* Data of one constructor of a type that is boxed. */
struct data {
    const struct programs_constructor *constructor;
    struct thunk *fields;
};

/* A value, of the type of its expression. Parts of tuples, and fields of data, are computed like
 * array elements. */
struct value {
    /* It is never computed: it waits for itself or for what failed, or the evaluation has ended. */
    bool stuck;
    union {
        int64_t i;
        double r;
        bool b;
        struct thunk *parts; /* of a tuple, or fields of data that is not boxed */
        const struct array *array;
        const struct data *data;
    };
    double d; /* derivative of a real number in the current direction */
};

enum thunk_state { THUNK_WAITING, THUNK_RUNNING, THUNK_DONE };

/* An expression that is computed at most once. */
struct thunk {
    enum thunk_state state;
    const struct programs_expr *expr;
    const struct place *place;
    bool is_end;         /* it computes the tuple of a loop's final variables */
    struct thunk *whole; /* a tuple of which it is part `index`; NULL: none */
    uint32_t index;
    struct accumulation *sums; /* an array of which it is element `index`; NULL: none */
    struct value value;        /* the value, in state THUNK_DONE */
};

/* A sum of reals that is rounded when it is complete. */
enum { EVALUATE_SUM_DIGITS = 72 };
struct evaluate_sum {
    int64_t digits[EVALUATE_SUM_DIGITS];
    uint64_t count, minus_zeros, specials;
    double special; /* sum of the contributions that are inf or NaN */
};

void evaluate_sum_add(struct evaluate_sum *sum, double r);

/* Returns the nearest real. The sum is of no more use. */
double evaluate_sum_total(struct evaluate_sum *sum);

/* What an array accumulates. */
struct accumulation {
    enum thunk_state state; /* of the contributions */
    bool stuck;             /* one of them never comes */
    const struct programs_expr *expr;
    const struct array *from;  /* pairs of indices and contributions */
    const struct array *begin; /* first values; NULL: `first` is that of all elements */
    struct thunk *first;
    int64_t length;
    struct evaluate_sum *reals; /* for each element */
    __int128 *ints;             /* sums of ints, and what others keep */
    uint64_t *counts;           /* contributions */
};

/* The names in scope of an expression, innermost first. */
struct bound {
    const struct programs_binding *binding;
    struct thunk *thunk;
    bool is_part; /* the name is a part of the tuple that the thunk computes */
    const struct programs_pattern *pattern; /* the name is in it; NULL: none */
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

/* Returns thunks of the operands of an expression. */
struct thunk *evaluate_operands(struct evaluator *ev, const struct place *place,
                                const struct programs_expr *e);

/* Returns a thunk that is computed in any case, now or later. */
struct thunk *evaluate_later(struct evaluator *ev, const struct place *place,
                             struct programs_expr *e);

struct value evaluate_literal(const struct programs_expr *e);

/* Adds a name to those in scope. */
struct bound *evaluate_bind(struct evaluator *ev, const struct bound *outer,
                            const struct programs_binding *binding, struct thunk *thunk);

/* --- data (tests/random/evaluate_data.c) ------------------------------------------------ */

/* Returns the types of the parts of a tuple, or of the fields of data of constructor `c`. */
struct programs_type *evaluate_part_type(struct programs_type *type,
                                         const struct programs_constructor *c, size_t i);

/* Returns the constructor of data of a type that is not boxed; NULL: the type is another one. */
const struct programs_constructor *evaluate_record(const struct programs_type *type);

/* Returns what `binding` names in a value that a pattern takes apart. */
struct value evaluate_named(struct evaluator *ev, const struct programs_pattern *pattern,
                            const struct programs_binding *binding, struct value v);

struct value evaluate_construct(struct evaluator *ev, const struct place *place,
                                const struct programs_expr *e);
struct value evaluate_field(struct evaluator *ev, const struct place *place,
                            const struct programs_expr *e);
struct value evaluate_case(struct evaluator *ev, const struct place *place,
                           const struct programs_expr *e);

/* Whether a function is one that the compiler makes for `==` of data. */
bool evaluate_compares(const struct evaluator *ev, const struct programs_function *f);

/* Compares data of a type as that function does, whose call is counted by the caller. */
struct value evaluate_equal(struct evaluator *ev, struct programs_type *type,
                            struct value a, struct value b);

void evaluate_count_call(struct evaluator *ev, size_t arguments);

/* Adds data as results show it; `write` adds a field. */
void evaluate_write_data(struct evaluator *ev, struct programs_type *type, struct value v,
                         void (*write)(struct evaluator *, struct programs_type *,
                                       struct value, struct lib_text *),
                         struct lib_text *out);

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
