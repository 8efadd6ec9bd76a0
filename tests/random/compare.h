/* One program, everything that can run it: the evaluator, the untimed interpreter, the
 * engine without order, machines with settings drawn at random, by both engines where the
 * plain one can run; and the forms that the program takes on its way, written and
 * read back. All must agree, as spec and doc/metrics.md say. */
#ifndef TESTS_RANDOM_COMPARE_H
#define TESTS_RANDOM_COMPARE_H

#include "isa/op.h"
#include "machine/settings.h"
#include "tests/random/evaluate.h"

/* What was found. VERDICT(NAME, text) */
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
    uint64_t seed; /* of settings and orders */
    enum evaluate_mistake mistake;
    const struct machine_settings *settings; /* one more machine, or NULL */
    unsigned
        platforms; /* one seed in so many is run on a platform of SimGrid too; 0: none */
};

struct compare_report {
    enum compare_verdict verdict;
    struct lib_text why; /* who found what, with the settings; the caller frees it */
    struct machine_settings settings; /* of the last machine that ran */
    bool on_machine;                  /* who found it is that machine */
    bool failed;                      /* the program, as the evaluator says */
    uint64_t calls;
    uint64_t fired[ISA_OP_COUNT];
};

void compare(const struct compare_case *c, struct compare_report *report);

#endif
