/* What the modules of the comparison share: engines (compare.c; compare_engine.h), forms
 * (compare_forms.c). */
#ifndef TESTS_RANDOM_COMPARE_INTERNAL_H
#define TESTS_RANDOM_COMPARE_INTERNAL_H

#include "isa/graph.h"
#include "programs/graph/build_options.h"
#include "tests/random/compare.h"
#include "traces/events.h"

/* Says what was found, once: the first finding stays. Returns false. */
bool compare_found(struct compare_report *report, enum compare_verdict verdict,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Every form of the program is written, read back, and compared. `image` is the program
 * at an executable stage, compiled with the options, `printed` what programs_print makes of it.
 * false: found something. */
bool compare_forms(const struct lib_source *source,
                   const struct programs_options *options, const struct isa_graph *image,
                   const char *printed, struct compare_report *report);

/* Runs the program on one more machine, and says in its report what is wrong. */
typedef void compare_run(void *context, const struct machine_settings *settings);

/* One program in `platforms` of the case on a platform of so many nodes, 0: of some; `run` is
 * called in another process, in which the report is that of `context` too. false: found
 * something. */
bool compare_on_platform(const struct compare_case *c, uint32_t nodes, compare_run *run,
                         void *context, struct compare_report *report);

/* The bounds of a run (compare_bounds.c): what takes its events, and then whether the run is
 * better. */
struct compare_bounds;
struct compare_bounds *compare_bounds_start(const struct isa_graph *image,
                                            const struct machine_settings *settings,
                                            struct traces_event_sink *sink);
/* Gives it back. `is_ideal`: nothing limits the machine but dependences. */
void compare_bounds_end(struct compare_bounds *bounds, bool is_ideal,
                        struct compare_report *report, const char *who);

#endif
