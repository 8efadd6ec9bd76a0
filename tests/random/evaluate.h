/* The value of a program, found directly on its tree: no graph, no tags, no tokens.
 *
 * Written from the definition of the language alone. It shares the parser, the binding of
 * names and the types with the compiler, and the formatting of reals with everybody; of
 * what programs mean it shares nothing. The tests compare it with everything that runs
 * graphs. */
#ifndef TESTS_RANDOM_EVALUATE_H
#define TESTS_RANDOM_EVALUATE_H

#include "lib/text.h"
#include "programs/syntax/ast.h"

/* Rules that can be wrong on purpose, so that the tests can show that they notice:
 * MISTAKE(NAME, text, what is wrong). */
#define EVALUATE_MISTAKES(MISTAKE)                                                       \
    MISTAKE(NONE, "none", "nothing")                                                     \
    MISTAKE(REMAINDER, "remainder", "% takes the sign of the divisor")                   \
    MISTAKE(WRAP, "wrap", "an int sum wraps around instead of failing")                  \
    MISTAKE(LAZY, "lazy", "an argument that the function ignores is not evaluated")      \
    MISTAKE(UNUSED, "unused", "a `let` that nobody uses is evaluated")                   \
    MISTAKE(ZERO, "zero", "min and max do not tell -0.0 from 0.0")                       \
    MISTAKE(CALLS, "calls", "a call with several arguments counts once for each")        \
    MISTAKE(ROUND, "round", "a loop goes round at least once")                           \
    MISTAKE(ITERATIONS, "iterations", "that a loop ends counts as an iteration")         \
    MISTAKE(TREE, "tree", "elements are added from the first to the last")               \
    MISTAKE(UNREAD, "unread", "an element that nobody reads is not evaluated")

enum evaluate_mistake {
#define MISTAKE(NAME, ...) EVALUATE_MISTAKE_##NAME,
    EVALUATE_MISTAKES(MISTAKE)
#undef MISTAKE
        EVALUATE_MISTAKE_COUNT,
};

enum evaluate_end {
    EVALUATE_COMPLETED,
    EVALUATE_FAILED, /* an operation did: overflow, division by zero, conversion, index */
    EVALUATE_DEADLOCKED, /* none did, but an element of an array needs itself */
    EVALUATE_LIMIT,      /* too much work, or nested too deeply, to be evaluated here */
};

struct evaluate_outcome {
    enum evaluate_end end;
    bool
        deadlocks; /* an element needs itself, also where an operation fails as well: which
                       of the two ends a run is not said. Perhaps, if that took too much work */
    struct lib_text result; /* as `hiaton run` prints it; the caller frees it */
    uint64_t calls;         /* of functions that the program defines; and of those that a
                               `sum` is made of, one for each element and each sum of two */
    uint64_t iterations; /* of loops: how often a condition held; of comprehensions: how
                               many elements there are */
};

/* Evaluates a program that programs_resolve and programs_infer have accepted, giving up after
 * `steps` expressions and elements. Runs in a thread of its own, whose stack is large enough for
 * recursion some hundred thousand calls deep. */
void evaluate(const struct programs_ast *ast, uint64_t steps,
              enum evaluate_mistake mistake, struct evaluate_outcome *outcome);

#endif
