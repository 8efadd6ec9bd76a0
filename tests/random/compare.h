/* Compares everything that can run a program: the evaluator, the untimed interpreter, the engine
 * without order, and random machines. Also writes each form of the program and reads it back. All
 * must agree as doc/metrics.md says. */
#ifndef TESTS_RANDOM_COMPARE_H
#define TESTS_RANDOM_COMPARE_H

#include "isa/op.h"
#include "machine/settings.h"
#include "programs/settings/settings.h"
#include "tests/random/evaluate.h"

/* VERDICT(NAME, text): outcomes of a comparison. */
#define COMPARE_VERDICTS(VERDICT)                                                        \
    VERDICT(SAME, "all agree")                                                           \
    VERDICT(INVALID, "not a program")                                                    \
    VERDICT(UNBOUNDED, "too much work")                                                  \
    VERDICT(COMPILER, "the compiler refuses a program")                                  \
    VERDICT(END, "ended differently")                                                    \
    VERDICT(RESULT, "another result")                                                    \
    VERDICT(CALLS, "another number of calls")                                            \
    VERDICT(ITERATIONS, "another number of iterations")                                  \
    VERDICT(COUNTS, "another count")                                                     \
    VERDICT(ENGINES, "depends on the engine")                                            \
    VERDICT(BOUND, "better than a bound")                                                \
    VERDICT(FORM, "a form does not read back")                                           \
    VERDICT(CRASH, "crash")

enum compare_verdict {
#define VERDICT(NAME, text) COMPARE_##NAME,
    COMPARE_VERDICTS(VERDICT)
#undef VERDICT
};

const char *compare_verdict_text(enum compare_verdict verdict);

struct compare_case {
    const char *text;
    uint64_t seed; /* seed of settings and of random order */
    enum evaluate_mistake mistake;
    const struct machine_settings *settings; /* another machine to compare, or NULL */
    struct programs_settings compile;        /* those of `settings`; {0} without */
    /* The compiler makes some passes of the optimiser, which the seed chooses: calls and iterations
     * are then not those of the evaluator, and a program that fails may fail in another way. */
    bool optimises;
    /* One seed in so many also runs on a platform of SimGrid; 0: none. */
    unsigned platforms;
};

struct compare_report {
    enum compare_verdict verdict;
    /* The difference, the engine and its settings; the caller frees it. */
    struct lib_text why;
    struct machine_settings settings; /* settings of the last machine that ran */
    struct programs_settings compile; /* what its code was compiled with */
    bool on_machine;                  /* the difference was found on that machine */
    bool failed;                      /* the evaluator says that the program fails */
    uint64_t calls;
    uint64_t fired[ISA_OP_COUNT];
};

void compare(const struct compare_case *c, struct compare_report *report);

#endif
