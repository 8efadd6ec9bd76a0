/* The inside of the evaluator: values (here), arithmetic (evaluate_scalar.c), and what a
 * program does with them (evaluate.c). */
#ifndef TESTS_RANDOM_EVALUATE_INSIDE_H
#define TESTS_RANDOM_EVALUATE_INSIDE_H

#include "tests/random/evaluate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thunk;
struct evaluator;

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
