/* Engines of a comparison: how each ended, what it counted, and what of that must be equal. */
#ifndef TESTS_RANDOM_COMPARE_ENGINE_H
#define TESTS_RANDOM_COMPARE_ENGINE_H

#include "isa/exec/exec.h"
#include "tests/random/compare_internal.h"
#include "tests/random/draw.h"
#include "traces/stats.h"

/* How one engine ended, and what it counted. */
struct compare_outcome {
    const char *who; /* the engine; borrowed */
    enum isa_end end;
    struct lib_text result;
    struct traces_stats stats;
    uint64_t live;          /* tokens at the end */
    uint64_t actual, ideal; /* firings in its profiles; else 0 */
    uint64_t ideal_hash;    /* of the ideal one; 0: no profile was taken */
    bool propagate;
    bool executes; /* it is an executor, whose costs may be 0 */
    bool is_plain; /* the plain engine can run it */
    uint64_t told; /* releases that were messages */
};

struct comparison {
    bool is_ideal; /* the machine at hand: nothing limits it but dependences */
    const struct compare_case *c;
    struct compare_report *report;
    struct lib_source source;
    struct programs_options options;
    struct isa_graph *image;             /* by one strategy, then by the other */
    struct isa_code *code[2];            /* suppress, propagate */
    struct compare_outcome reference[2]; /* of the interpreter, for each */
    uint64_t ideal_hash;                 /* of the first ideal profile, or 0 */
    struct lib_text who;
    struct draw draw;
};

const char *compare_end_text(enum isa_end end);

/* Whether an engine counted what was expected; says so in the report if not. */
bool compare_count(struct comparison *cmp, const struct compare_outcome *o,
                   const char *what, uint64_t found, uint64_t expected);

/* Compares an engine with the interpreter. false: found something. */
bool compare_engine(struct comparison *cmp, const struct compare_outcome *o);

#endif
