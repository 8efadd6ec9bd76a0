/* Comparison of two engines: how the run ended, and which counts must be equal. */
#ifndef TESTS_RANDOM_COMPARE_ENGINE_H
#define TESTS_RANDOM_COMPARE_ENGINE_H

#include "isa/exec/exec.h"
#include "tests/random/compare_internal.h"
#include "tests/random/draw.h"
#include "traces/stats.h"

/* How an engine's run ended, and its counts. */
struct compare_outcome {
    const char *who; /* borrowed name of the engine */
    enum isa_end end;
    struct lib_text result;
    struct traces_stats stats;
    uint64_t live;          /* live tokens at the end */
    uint64_t actual, ideal; /* firings in the actual, in the ideal profile; or 0 */
    uint64_t ideal_hash;    /* hash of the ideal profile; 0: no profile */
    bool propagate;
    bool executes; /* the engine is an executor, whose costs may be 0 */
    bool is_plain; /* the plain engine can run the machine */
    uint64_t told; /* number of releases sent as messages */
};

struct comparison {
    bool is_ideal; /* only dependences limit the machine */
    const struct compare_case *c;
    struct compare_report *report;
    struct lib_source source;
    struct programs_options options;
    struct programs_settings compile; /* options.settings */
    struct isa_graph *image;          /* compiled by one strategy, then by the other */
    struct isa_code *code[2]; /* code for deadness `suppress`, and for `propagate` */
    /* Outcomes of the interpreter, for both kinds of deadness. */
    struct compare_outcome reference[2];
    uint64_t ideal_hash; /* hash of the first ideal profile, or 0 */
    struct lib_text who;
    struct lib_text printed; /* the program as programs_print prints it */
    struct draw draw;
};

const char *compare_end_text(enum isa_end end);

/* Whether an engine counted `expected` of `what`; if not, reports it. */
bool compare_count(struct comparison *cmp, const struct compare_outcome *o,
                   const char *what, uint64_t found, uint64_t expected);

/* Whether an engine agrees with the interpreter. */
bool compare_engine(struct comparison *cmp, const struct compare_outcome *o);

#endif
