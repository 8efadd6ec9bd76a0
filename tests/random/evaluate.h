/* The value of a program, computed directly from its syntax tree: no graph, no tags, no tokens.
 *
 * Written from the definition of the language alone. It shares the parser, name resolution and
 * types with the compiler, and the formatting of reals with everything, but nothing of the meaning
 * of programs. Tests compare it with everything that runs graphs. */
#ifndef TESTS_RANDOM_EVALUATE_H
#define TESTS_RANDOM_EVALUATE_H

#include "lib/text.h"
#include "programs/syntax/ast.h"

/* Planted mistakes, which tests must notice: MISTAKE(NAME, text, rule that is then wrong). */
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
    MISTAKE(UNREAD, "unread", "an element that nobody reads is not evaluated")           \
    MISTAKE(GUARD, "guard", "an arm is chosen without a look at its guard")              \
    MISTAKE(PARTS, "parts", "an arm fits if the first part of its pattern does")         \
    MISTAKE(FIELDS, "fields", "a field that nobody reads is not evaluated")              \
    MISTAKE(EQUAL, "equal", "data of one constructor is equal")                          \
    MISTAKE(FILTER, "filter", "an element is there though its condition does not hold")

enum evaluate_mistake {
#define MISTAKE(NAME, ...) EVALUATE_MISTAKE_##NAME,
    EVALUATE_MISTAKES(MISTAKE)
#undef MISTAKE
        EVALUATE_MISTAKE_COUNT,
};

enum evaluate_end {
    EVALUATE_COMPLETED,
    /* An operation failed: overflow, division by zero, conversion, index. */
    EVALUATE_FAILED,
    /* No operation failed, but an array element needs itself. */
    EVALUATE_DEADLOCKED,
    EVALUATE_LIMIT, /* too much work, or nested too deeply, for the evaluator */
};

struct evaluate_outcome {
    enum evaluate_end end;
    bool
        /* Whether an array element needs itself, which may end a run even if an operation fails,
         * too. Also true if an operation fails and the evaluator cannot tell within its limit. */
        deadlocks;
    struct lib_text result; /* as `hiaton run` prints it; the caller frees it */
    /* Calls of the program's functions, those that a `sum` is made of (one for each element and
     * each sum of two), and those of trees that make arrays. */
    uint64_t calls;
    /* How often conditions of loops held, plus elements of comprehensions. */
    uint64_t iterations;
};

/* Evaluates a program that programs_resolve and programs_infer have accepted, up to `steps`
 * expressions and elements, in a thread whose stack suffices for recursion some hundred thousand
 * calls deep. `strand`: max elements of the strands of trees that make arrays; 0: chains do. */
void evaluate(const struct programs_ast *ast, uint64_t steps,
              enum evaluate_mistake mistake, uint64_t strand,
              struct evaluate_outcome *outcome);

#endif
