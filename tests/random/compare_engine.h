/* Comparison of engines: how each ended, what it counted, and which counts must be equal. */
#ifndef TESTS_RANDOM_COMPARE_ENGINE_H
#define TESTS_RANDOM_COMPARE_ENGINE_H

#include "isa/exec/exec.h"
#include "tests/random/compare_internal.h"
#include "tests/random/draw.h"
#include "traces/stats.h"

/* How an engine ended, and what it counted. */
struct compare_outcome {
    const char *who; /* name of the engine; borrowed */
    enum isa_end end;
    struct lib_text result;
    struct traces_stats stats;
    uint64_t live;          /* live tokens at the end */
    uint64_t actual, ideal; /* firings in its actual and its ideal profile; else 0 */
    uint64_t ideal_hash;    /* hash of its ideal profile; 0 without one */
    bool propagate;
    bool executes; /* it is an executor; its costs may be 0 */
    bool is_plain; /* the plain engine can run it */
    uint64_t told; /* number of releases that were messages */
};

struct comparison {
    bool is_ideal; /* the current machine is limited by dependences alone */
    const struct compare_case *c;
    struct compare_report *report;
    struct lib_source source;
    struct programs_options options;
    struct isa_graph *image;  /* for one strategy, then for the other */
    struct isa_code *code[2]; /* for deadness `suppress` and `propagate` */
    /* the interpreter's, for both kinds of deadness */
    struct compare_outcome reference[2];
    uint64_t ideal_hash; /* hash of the first ideal profile, or 0 */
    struct lib_text who;
    struct draw draw;
};

const char *compare_end_text(enum isa_end end);

/* Whether an engine counted `expected` of `what`. Reports it if not. */
bool compare_count(struct comparison *cmp, const struct compare_outcome *o,
                   const char *what, uint64_t found, uint64_t expected);

/* Compares an engine with the interpreter. Returns false if something differs. */
bool compare_engine(struct comparison *cmp, const struct compare_outcome *o);

#endif
