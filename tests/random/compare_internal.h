/* Declarations shared by compare.c, compare_engine.h and compare_forms.c. */
#ifndef TESTS_RANDOM_COMPARE_INTERNAL_H
#define TESTS_RANDOM_COMPARE_INTERNAL_H

#include "isa/graph.h"
#include "programs/graph/build.h"
#include "tests/random/compare.h"
#include "traces/events.h"

/* Reports a difference, unless one was reported before. Returns false. */
bool compare_found(struct compare_report *report, enum compare_verdict verdict,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes every form of the program, reads it back and compares. `image`: the program at an
 * executable stage, compiled with the options; `printed`: its text by programs_print. Returns false
 * if something differs. */
bool compare_forms(const struct lib_source *source,
                   const struct programs_options *options, const struct isa_graph *image,
                   const char *printed, struct compare_report *report);

/* Runs the program on one more machine, and reports differences. */
typedef void compare_run(void *context, const struct machine_settings *settings);

/* Runs one program in c->platforms on a random platform of `nodes` nodes (0: any number). Calls
 * `run` in another process, from which differences are reported too. Returns false if something
 * differs. */
bool compare_on_platform(const struct compare_case *c, uint32_t nodes, compare_run *run,
                         void *context, struct compare_report *report);

/* Bounds on the time of a run (compare_bounds.c), computed from its events. compare_bounds_end
 * checks that the run was not faster. */
struct compare_bounds;
struct compare_bounds *compare_bounds_start(const struct isa_graph *image,
                                            const struct machine_settings *settings,
                                            struct traces_event_sink *sink);
/* Compares, and frees the bounds. `is_ideal`: only dependences limit the machine. */
void compare_bounds_end(struct compare_bounds *bounds, bool is_ideal,
                        struct compare_report *report, const char *who);

#endif
